package parse

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// unary reads an operand with the operators before it.
func (p *parser) unary() ast.Expr {
	op := ast.Minus
	switch p.tok.Kind {
	case '-':
	case '+':
		op = ast.Plus
	case '~':
		op = ast.BitNot
	case '!', token.Not2:
		op = ast.Bang
	case token.BINARY:
		op = ast.Binary
	default:
		return p.primary()
	}
	start, word := p.tok.From, p.tok.Kind
	p.next()
	u := &ast.Unary{Op: op, X: p.exprAt(ast.PrecUnary)}
	u.Span = p.from(start)
	switch {
	case op == ast.Binary:
		p.useInstead("BINARY expr", "CAST")
	case op == ast.Bang && word == '!':
		p.useInstead("!", "NOT")
	}
	return u
}

// primary reads an operand without operators.
func (p *parser) primary() ast.Expr {
	switch p.tok.Kind {
	case token.Ident, token.QuotedIdent:
		return p.name(false)
	case '(':
		return p.paren()
	case token.Param:
		return p.param()
	case '@':
		return p.variable()
	case '{':
		return p.odbc()
	case token.CASE:
		return p.caseExpr()
	case token.EXISTS:
		return p.exists()
	case token.ROW:
		return p.row()
	case token.INTERVAL:
		return p.intervalFirst()
	case token.NULL:
		return p.wordLiteral(ast.NullLiteral)
	}
	if l := p.literal(); l != nil {
		return l
	}
	if p.tok.Kind.IsKeyword() {
		if x := p.keywordFunction(); x != nil {
			return x
		}
		if p.tok.Kind.IsIdent() {
			return p.name(false)
		}
	}
	p.fail()
	return nil
}

// name reads a column or a call. With star it also reads t.* and d.t.*.
func (p *parser) name(star bool) ast.Expr {
	start, callable := p.tok.From, !p.tok.Kind.IsKeyword()
	first := p.take()
	if callable && p.is('(') {
		return p.call(start, first)
	}
	if !p.is('.') {
		return p.jsonPath(start, &ast.Column{Span: first.Span, Name: first})
	}
	p.next()
	if star && p.accept('*') {
		return &ast.Star{Span: p.from(start), Table: first}
	}
	second := p.ident()
	if p.is('(') {
		f := &ast.Func{Schema: first, Name: second}
		p.checkLength(first)
		p.checkSchema(first)
		p.checkLength(second)
		p.checkRoutine(second)
		p.next()
		if !p.is(')') {
			f.Args = p.exprList()
		}
		p.expect(')')
		f.Span = p.from(start)
		return f
	}
	c := &ast.Column{Table: first, Name: second}
	if p.accept('.') {
		if star && p.accept('*') {
			return &ast.Star{Span: p.from(start), Schema: first, Table: second}
		}
		c.Schema, c.Table, c.Name = first, second, p.ident()
	}
	c.Span = p.from(start)
	return p.jsonPath(start, c)
}

// jsonPath reads -> or ->> and a path behind a column.
func (p *parser) jsonPath(start uint32, c *ast.Column) ast.Expr {
	if !p.oneOf(token.Arrow, token.ArrowText) {
		return c
	}
	path := &ast.JSONPath{X: c, Unquote: p.is(token.ArrowText)}
	p.next()
	path.Path = p.stringLiteral()
	path.Span = p.from(start)
	return path
}

// call reads the arguments of a function that is named by an identifier; each may have an alias.
func (p *parser) call(start uint32, name ast.Ident) ast.Expr {
	f := &ast.Func{Name: name}
	p.checkLength(name)
	p.checkRoutine(name)
	p.next()
	for !p.is(')') {
		f.Args = append(f.Args, p.expr())
		if alias := p.alias(); alias.Given() {
			for len(f.Aliases) < len(f.Args)-1 {
				f.Aliases = append(f.Aliases, ast.Ident{})
			}
			f.Aliases = append(f.Aliases, alias)
		}
		if !p.accept(',') {
			break
		}
		p.failIf(p.is(')'))
	}
	p.expect(')')
	f.Span = p.from(start)
	p.warnOfCall(name.Name)
	return f
}

// paren reads what stands in parentheses as a value: an expression, a row or a query.
func (p *parser) paren() ast.Expr {
	start := p.tok.From
	query, items := p.parens()
	switch {
	case query != nil:
		return &ast.Subquery{Span: p.from(start), Query: query}
	case len(items) == 1:
		return items[0]
	}
	return &ast.Row{Span: p.from(start), Items: items}
}

// parens reads a query or a list of expressions in parentheses.
func (p *parser) parens() (*ast.Query, []ast.Expr) {
	p.barQuery()
	p.expect('(')
	p.openParen()
	height, allowed := p.limits.height, p.nested()
	p.limits.height-- // parentheses are no nodes
	defer func() { p.limits.height, p.intoAllowed = height, allowed }()
	var first ast.Expr
	switch {
	case p.atQuery() && !p.isTwo(token.VALUES, '('):
		q := p.withoutInto(p.innerQuery())
		p.closeParen()
		return q, nil
	case p.is('('):
		start := p.tok.From
		q, items := p.parens()
		if q != nil && (p.is(')') || p.atQueryRest()) {
			if !p.is(')') {
				p.deeper(1)
				q = p.withoutInto(p.queryFrom(start, q))
			}
			p.closeParen()
			p.expect(')')
			return q, nil
		}
		switch {
		case q != nil:
			first = &ast.Subquery{Span: p.from(start), Query: q}
		case len(items) == 1:
			first = items[0]
		default:
			first = &ast.Row{Span: p.from(start), Items: items}
		}
		first = p.climb(start, first, ast.PrecPrimary, ast.PrecLowest)
	default:
		first = p.expr()
	}
	items := append(make([]ast.Expr, 0, 1), first)
	for p.accept(',') {
		items = append(items, p.expr())
	}
	p.closeParen()
	p.expect(')')
	return nil, items
}

// variable reads a user variable, an assignment to one, or a system variable.
func (p *parser) variable() ast.Expr {
	start := p.tok.From
	if p.peek() == '@' {
		return p.systemVar()
	}
	v := p.userVar()
	if !p.accept(token.Assign) {
		return v
	}
	a := &ast.Assignment{Var: v, Value: p.expr()}
	a.Span = p.from(start)
	p.warn(1287, "Setting user variables within expressions"+gone+
		" Consider alternatives: 'SET variable=expression, ...', or 'SELECT expression(s) INTO variables(s)'.")
	return a
}

func (p *parser) userVar() *ast.UserVar {
	start := p.tok.From
	p.expect('@')
	v := &ast.UserVar{Name: p.textName()}
	v.Span = p.from(start)
	return v
}

// systemVar reads @@name with its scope.
func (p *parser) systemVar() *ast.SystemVar {
	v := &ast.SystemVar{Span: p.tok.Span}
	p.expect('@', '@')
	switch p.tok.Kind {
	case token.GLOBAL:
		v.Scope = ast.GlobalScope
	case token.SESSION:
		v.Scope = ast.SessionScope
	case token.LOCAL:
		v.Scope = ast.LocalScope
	}
	if v.Scope != ast.NoScope {
		p.next()
		p.expect('.')
	}
	v.Name = p.textName()
	if p.accept('.') {
		v.Component, v.Name = v.Name, p.ident()
		p.checkComponent(v.Component)
	}
	v.To = p.end
	return v
}

// checkComponent ends the parse when the component of a variable is the name of a scope.
func (p *parser) checkComponent(component ast.Ident) {
	switch strings.ToLower(component.Name) {
	case "global", "local", "session":
		p.failAt(component.Pos())
	}
}

func (p *parser) odbc() ast.Expr {
	o := &ast.OdbcEscape{Span: p.tok.Span}
	p.next()
	o.Name = p.ident()
	o.X = p.expr()
	p.expect('}')
	o.To = p.end
	return o
}

func (p *parser) caseExpr() ast.Expr {
	c := &ast.Case{Span: p.tok.Span}
	p.next()
	if !p.is(token.WHEN) {
		c.X = p.expr()
	}
	for first := true; first || p.is(token.WHEN); first = false {
		w := ast.When{Span: p.tok.Span}
		p.expect(token.WHEN)
		w.Cond = p.expr()
		p.expect(token.THEN)
		w.Then = p.expr()
		w.To = p.end
		c.Whens = append(c.Whens, w)
	}
	if p.accept(token.ELSE) {
		c.Else = p.expr()
	}
	p.expect(token.END)
	c.To = p.end
	return c
}

func (p *parser) exists() ast.Expr {
	e := &ast.Exists{Span: p.tok.Span}
	p.next()
	e.Query = p.subquery()
	e.To = p.end
	return e
}

func (p *parser) row() ast.Expr {
	r := &ast.Row{Span: p.tok.Span, Keyword: true}
	p.next()
	p.expect('(')
	r.Items = []ast.Expr{p.expr()}
	p.expect(',')
	r.Items = append(r.Items, p.exprList()...)
	p.expect(')')
	r.To = p.end
	return r
}

// intervalFirst reads INTERVAL x unit + date, or the function INTERVAL.
func (p *parser) intervalFirst() ast.Expr {
	start := p.tok.From
	interval, call := p.interval()
	if call != nil {
		return call
	}
	p.expect('+')
	d := &ast.DateArith{Form: ast.IntervalFirstForm, Interval: interval, Date: p.exprAt(ast.PrecNot)}
	d.Span = p.from(start)
	return d
}

// interval reads INTERVAL x unit, or the function INTERVAL(a, b, ...).
func (p *parser) interval() (*ast.Interval, *ast.Func) {
	start, name := p.tok.From, ast.Ident{Span: p.tok.Span, Name: p.word()}
	p.expect(token.INTERVAL)
	if !p.is('(') {
		i := &ast.Interval{X: p.expr(), Unit: p.intervalUnit()}
		i.Span = p.from(start)
		return i, nil
	}
	paren := p.tok.From
	query, items := p.parens()
	var x ast.Expr
	switch {
	case len(items) > 1:
		return nil, &ast.Func{Span: p.from(start), Name: name, Args: items, Keyword: true}
	case query != nil:
		x = &ast.Subquery{Span: p.from(paren), Query: query}
	default:
		x = items[0]
	}
	i := &ast.Interval{X: p.climb(paren, x, ast.PrecPrimary, ast.PrecLowest), Unit: p.intervalUnit()}
	i.Span = p.from(start)
	return i, nil
}

var intervalUnits = map[token.Kind]ast.IntervalUnit{
	token.MICROSECOND: ast.Microsecond, token.SECOND: ast.Second, token.MINUTE: ast.Minute, token.HOUR: ast.Hour,
	token.DAY: ast.Day, token.WEEK: ast.Week, token.MONTH: ast.Month, token.QUARTER: ast.Quarter, token.YEAR: ast.Year,
	token.SECOND_MICROSECOND: ast.SecondMicrosecond, token.MINUTE_MICROSECOND: ast.MinuteMicrosecond,
	token.MINUTE_SECOND: ast.MinuteSecond, token.HOUR_MICROSECOND: ast.HourMicrosecond, token.HOUR_SECOND: ast.HourSecond,
	token.HOUR_MINUTE: ast.HourMinute, token.DAY_MICROSECOND: ast.DayMicrosecond, token.DAY_SECOND: ast.DaySecond,
	token.DAY_MINUTE: ast.DayMinute, token.DAY_HOUR: ast.DayHour, token.YEAR_MONTH: ast.YearMonth,
}

// intervalUnit reads a unit of INTERVAL or EXTRACT.
func (p *parser) intervalUnit() ast.IntervalUnit {
	u, ok := intervalUnits[p.tok.Kind]
	p.failIf(!ok)
	p.next()
	return u
}

// timestampUnit reads a unit of TIMESTAMPADD or TIMESTAMPDIFF, which is a single field.
func (p *parser) timestampUnit() ast.IntervalUnit {
	u, ok := intervalUnits[p.tok.Kind]
	p.failIf(!ok || u > ast.Year)
	p.next()
	return u
}
