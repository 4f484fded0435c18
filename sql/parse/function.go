package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// keywordFunction reads a function that is named by a keyword, or returns nil when the current
// keyword starts none.
func (p *parser) keywordFunction() ast.Expr {
	switch p.tok.Kind {
	case token.NOW, token.CURRENT_TIME, token.UTC_TIME, token.UTC_TIMESTAMP, token.SYSDATE:
		return p.clock(true)
	case token.CURRENT_DATE, token.UTC_DATE, token.CURRENT_USER:
		return p.clock(false)
	case token.MATCH:
		return p.match()
	}
	if p.peek() != '(' {
		if onlyCalled(p.tok.Kind) {
			p.next()
			p.fail()
		}
		return nil
	}
	if x := p.specialFunction(); x != nil {
		return x
	}
	if x := p.aggregate(); x != nil {
		return x
	}
	if x := p.windowFunction(); x != nil {
		return x
	}
	min, max := arguments(p.tok.Kind)
	if max < 0 {
		return nil
	}
	f := &ast.Func{Keyword: true, Name: p.wordName()}
	f.Args = p.arguments(min, max)
	f.Span = p.from(f.Name.From)
	return f
}

// onlyCalled reports whether a keyword in place of a value must be followed by an opening
// parenthesis.
func onlyCalled(k token.Kind) bool {
	switch k {
	case token.CHAR, token.CONVERT, token.CUME_DIST, token.DATABASE, token.DEFAULT, token.DENSE_RANK, token.FIRST_VALUE,
		token.GROUPING, token.IF, token.INSERT, token.LAG, token.LAST_VALUE, token.LEAD, token.LEFT, token.MOD,
		token.NTH_VALUE, token.NTILE, token.PERCENT_RANK, token.RANK, token.REPEAT, token.REPLACE, token.RIGHT,
		token.ROW_NUMBER, token.VALUES:
		return true
	}
	return false
}

// wordName consumes a keyword as the name of a function.
func (p *parser) wordName() ast.Ident {
	id := ast.Ident{Span: p.tok.Span, Name: p.word()}
	p.next()
	return id
}

// manyArguments is the largest number of arguments of functions without a limit.
const manyArguments = 1 << 30

// arguments returns how many arguments a function takes that is named by a keyword; max is -1 when
// it is none.
func arguments(k token.Kind) (min, max int) {
	switch k {
	case token.DATABASE, token.ROW_COUNT, token.USER:
		return 0, 0
	case token.ASCII, token.CHARSET, token.COLLATION, token.DATE, token.DAY, token.HOUR, token.MICROSECOND, token.MINUTE,
		token.MONTH, token.QUARTER, token.REVERSE, token.SECOND, token.TIME, token.YEAR:
		return 1, 1
	case token.LOG, token.TIMESTAMP, token.WEEK:
		return 1, 2
	case token.LEFT, token.MOD, token.POINT, token.REPEAT, token.RIGHT, token.TRUNCATE:
		return 2, 2
	case token.FORMAT:
		return 2, 3
	case token.IF, token.REPLACE:
		return 3, 3
	case token.INSERT:
		return 4, 4
	case token.GEOMETRYCOLLECTION:
		return 0, manyArguments
	case token.COALESCE, token.GROUPING, token.LINESTRING, token.MULTILINESTRING, token.MULTIPOINT, token.MULTIPOLYGON,
		token.POLYGON:
		return 1, manyArguments
	}
	return 0, -1
}

// arguments reads between min and max expressions in parentheses.
func (p *parser) arguments(min, max int) []ast.Expr {
	p.expect('(')
	var out []ast.Expr
	for len(out) < max && (min > 0 || !p.is(')') || len(out) > 0) {
		out = append(out, p.expr())
		if len(out) < min {
			p.failIf(!p.is(','))
		}
		if len(out) == max || !p.accept(',') {
			break
		}
	}
	p.expect(')')
	return out
}

// clock reads a function whose parentheses may be left out: NOW and its like, which may name a
// precision, and others.
func (p *parser) clock(precision bool) ast.Expr {
	f := &ast.Func{Keyword: true, Name: p.wordName(), NoParens: true}
	if p.accept('(') {
		f.NoParens = false
		if precision && p.is(token.Int) {
			f.Args = []ast.Expr{p.numberLiteral()}
		}
		p.expect(')')
	}
	f.Span = p.from(f.Name.From)
	return f
}

// specialFunction reads a function whose arguments are not a plain list. The current keyword is
// followed by an opening parenthesis.
func (p *parser) specialFunction() ast.Expr {
	start := p.tok.From
	switch p.tok.Kind {
	case token.ADDDATE, token.SUBDATE, token.DATE_ADD, token.DATE_SUB:
		return p.dateFunction(start)
	case token.CAST:
		return p.cast(start)
	case token.CHAR:
		return p.char(start)
	case token.CONVERT:
		return p.convert(start)
	case token.DEFAULT:
		p.next()
		d := &ast.DefaultOf{Column: inParens(p, p.column)}
		d.Span = p.from(start)
		return d
	case token.VALUES:
		p.next()
		v := &ast.ValuesOf{Column: inParens(p, p.column)}
		v.Span = p.from(start)
		p.warnOfValues()
		return v
	case token.EXTRACT:
		p.next()
		p.expect('(')
		e := &ast.Extract{Unit: p.intervalUnit()}
		p.expect(token.FROM)
		e.X = p.expr()
		p.expect(')')
		e.Span = p.from(start)
		return e
	case token.GET_FORMAT:
		return p.getFormat(start)
	case token.JSON_VALUE:
		return p.jsonValue(start)
	case token.JSON_DUALITY_OBJECT:
		return p.dualityObject(start)
	case token.POSITION:
		p.next()
		p.expect('(')
		f := &ast.Position{Sub: p.bitExpr()}
		p.expect(token.IN)
		f.X = p.expr()
		p.expect(')')
		f.Span = p.from(start)
		return f
	case token.SUBSTRING:
		return p.substring(start)
	case token.TIMESTAMPADD, token.TIMESTAMPDIFF:
		return p.timestampFunction(start)
	case token.TRIM:
		return p.trim(start)
	case token.WEIGHT_STRING:
		return p.weightString(start)
	}
	return nil
}

func (p *parser) dateFunction(start uint32) ast.Expr {
	kind := p.tok.Kind
	sub := kind == token.SUBDATE || kind == token.DATE_SUB
	plain := kind == token.ADDDATE || kind == token.SUBDATE
	name := p.wordName()
	p.expect('(')
	x := p.expr()
	p.expect(',')
	var days ast.Expr
	var interval *ast.Interval
	switch {
	case p.is(token.INTERVAL):
		from := p.tok.From
		var call *ast.Func
		if interval, call = p.interval(); call != nil {
			p.failIf(!plain)
			days = p.climb(from, call, ast.PrecPrimary, ast.PrecLowest)
		} else if p.is('+') && plain { // an interval that starts a sum
			p.next()
			first := &ast.DateArith{Form: ast.IntervalFirstForm, Interval: interval, Date: p.exprAt(ast.PrecNot)}
			first.Span = p.from(from)
			days, interval = p.climb(from, first, ast.PrecPrimary, ast.PrecLowest), nil
		}
	case plain:
		days = p.expr()
	default:
		p.fail()
	}
	p.expect(')')
	if interval == nil {
		return &ast.Func{Span: p.from(start), Keyword: true, Name: name, Args: []ast.Expr{x, days}}
	}
	form := ast.DateAddForm
	if plain {
		form = ast.AddDateForm
	}
	return &ast.DateArith{Span: p.from(start), Date: x, Interval: interval, Sub: sub, Form: form}
}

func (p *parser) cast(start uint32) ast.Expr {
	p.next()
	p.expect('(')
	c := &ast.Cast{X: p.expr()}
	if p.accept(token.AT) {
		if c.Local = p.accept(token.LOCAL); !c.Local {
			p.expect(token.TIME, token.ZONE)
			c.ZoneInterval = p.accept(token.INTERVAL)
			c.Zone = p.stringLiteral()
		}
	}
	p.expect(token.AS)
	if c.Zone != nil || c.Local {
		p.failIf(!p.is(token.DATETIME))
	}
	c.Type = p.castType()
	c.Array = c.Zone == nil && !c.Local && p.accept(token.ARRAY)
	p.expect(')')
	c.Span = p.from(start)
	return c
}

func (p *parser) convert(start uint32) ast.Expr {
	p.next()
	p.expect('(')
	x := p.expr()
	if p.accept(token.USING) {
		c := &ast.ConvertUsing{X: x, Charset: p.charsetName()}
		p.expect(')')
		c.Span = p.from(start)
		return c
	}
	p.expect(',')
	c := &ast.Cast{X: x, Convert: true, Type: p.castType()}
	p.expect(')')
	c.Span = p.from(start)
	return c
}

func (p *parser) char(start uint32) ast.Expr {
	p.next()
	p.expect('(')
	c := &ast.Char{Args: p.exprList()}
	if p.accept(token.USING) {
		c.Charset = p.charsetName()
	}
	p.expect(')')
	c.Span = p.from(start)
	return c
}

func (p *parser) getFormat(start uint32) ast.Expr {
	p.next()
	p.expect('(')
	p.failIf(!p.oneOf(token.DATE, token.TIME, token.DATETIME, token.TIMESTAMP))
	f := &ast.GetFormat{Type: p.wordName()}
	p.expect(',')
	f.X = p.expr()
	p.expect(')')
	f.Span = p.from(start)
	return f
}

func (p *parser) timestampFunction(start uint32) ast.Expr {
	f := &ast.TimestampFunc{Diff: p.is(token.TIMESTAMPDIFF)}
	p.next()
	p.expect('(')
	f.Unit = p.timestampUnit()
	p.expect(',')
	f.A = p.expr()
	p.expect(',')
	f.B = p.expr()
	p.expect(')')
	f.Span = p.from(start)
	return f
}

// substring reads SUBSTRING(x, from, for) or SUBSTRING(x FROM from FOR for), which are one.
func (p *parser) substring(start uint32) ast.Expr {
	f := &ast.Func{Keyword: true, Name: p.wordName()}
	p.expect('(')
	f.Args = append(f.Args, p.expr())
	separator := token.Kind(',')
	if p.accept(token.FROM) {
		separator = token.FOR
	} else {
		p.expect(',')
	}
	f.Args = append(f.Args, p.expr())
	if p.accept(separator) {
		f.Args = append(f.Args, p.expr())
	}
	p.expect(')')
	f.Span = p.from(start)
	return f
}

func (p *parser) trim(start uint32) ast.Expr {
	t := &ast.Trim{}
	p.next()
	p.expect('(')
	switch p.tok.Kind {
	case token.BOTH:
		t.Side = ast.TrimBoth
	case token.LEADING:
		t.Side = ast.TrimLeading
	case token.TRAILING:
		t.Side = ast.TrimTrailing
	}
	if t.Side == ast.TrimDefault {
		if t.X = p.expr(); p.accept(token.FROM) {
			t.Remove, t.X = t.X, p.expr()
		}
	} else {
		p.next()
		if !p.is(token.FROM) {
			t.Remove = p.expr()
		}
		p.expect(token.FROM)
		t.X = p.expr()
	}
	p.expect(')')
	t.Span = p.from(start)
	return t
}

func (p *parser) weightString(start uint32) ast.Expr {
	p.next()
	p.expect('(')
	w := &ast.WeightString{X: p.expr()}
	switch {
	case p.accept(token.AS):
		if w.Binary = p.accept(token.BINARY); !w.Binary {
			p.expect(token.CHAR)
		}
		p.expect('(')
		w.Length = p.number()
		p.expect(')')
	case p.accept(','):
		w.Flags = append(w.Flags, p.anyNumber())
		for range 2 {
			p.expect(',')
			w.Flags = append(w.Flags, p.anyNumber())
		}
	}
	p.expect(')')
	w.Span = p.from(start)
	return w
}

// anyNumber reads a number, which may have a fraction.
func (p *parser) anyNumber() *ast.Literal {
	p.failIf(!p.oneOf(token.Int, token.HexNum, token.Decimal, token.Float))
	return p.numberLiteral()
}

func (p *parser) match() ast.Expr {
	m := &ast.Match{Span: p.tok.Span}
	p.next()
	if p.accept('(') {
		m.Columns = list(p, p.column)
		p.expect(')')
	} else {
		m.Columns = list(p, p.column)
	}
	p.expect(token.AGAINST, '(')
	m.X = p.bitExpr()
	switch {
	case p.accept(token.IN):
		if p.accept(token.BOOLEAN) {
			p.expect(token.MODE)
			m.Mode = ast.MatchBoolean
			break
		}
		p.expect(token.NATURAL, token.LANGUAGE, token.MODE)
		if m.Mode = ast.MatchNatural; p.accept(token.WITH) {
			p.expect(token.QUERY, token.EXPANSION)
			m.Mode = ast.MatchNaturalExpansion
		}
	case p.accept(token.WITH):
		p.expect(token.QUERY, token.EXPANSION)
		m.Mode = ast.MatchExpansion
	}
	p.expect(')')
	m.To = p.end
	return m
}

// textLiteral reads a string constant with or without introducer.
func (p *parser) textLiteral() *ast.Literal {
	switch p.tok.Kind {
	case token.String, token.NString:
		return p.text()
	case token.Introducer:
		if p.peek() == token.String {
			return p.introduced()
		}
		p.next()
	}
	p.fail()
	return nil
}
