package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// atQuery reports whether a query starts at the current token.
func (p *parser) atQuery() bool {
	switch p.tok.Kind {
	case token.SELECT, token.TABLE, token.VALUES:
		return true
	case token.WITH:
		return p.peek() != token.ROLLUP
	}
	return false
}

// atQueryRest reports whether what may follow a query's body starts at the current token.
func (p *parser) atQueryRest() bool {
	switch p.tok.Kind {
	case token.UNION, token.EXCEPT, token.INTERSECT, token.ORDER, token.LIMIT, token.FOR, token.LOCK:
		return true
	}
	return p.intoAllowed && p.is(token.INTO)
}

// topQuery reads a query that is a statement, behind its WITH if it is consumed. It may end in INTO, also inside
// parentheses around all of it.
func (p *parser) topQuery(start uint32, with *ast.With) *ast.Query {
	p.intoAllowed, p.intoEnds = true, false
	q := p.queryBehind(start, with)
	p.intoAllowed, p.intoEnds = false, false
	return q
}

// query reads a query expression with what may stand around it.
func (p *parser) query() *ast.Query {
	start := p.tok.From
	var with *ast.With
	if p.is(token.WITH) {
		with = p.with()
	}
	return p.queryBehind(start, with)
}

// queryBehind reads a query behind its WITH.
func (p *parser) queryBehind(start uint32, with *ast.With) *ast.Query {
	q := &ast.Query{With: with}
	q.Body = p.queryBody(q, 0)
	p.queryTail(q)
	q.Span = p.from(start)
	return q
}

// queryFrom reads the rest of a query whose body starts with a query in parentheses that is consumed.
func (p *parser) queryFrom(start uint32, first *ast.Query) *ast.Query {
	q := &ast.Query{}
	q.Body = p.setOps(q, start, p.operand(q, first), 0)
	p.queryTail(q)
	q.Span = p.from(start)
	return q
}

// innerQuery reads a query and the parenthesis that closes it. The opening one is consumed.
func (p *parser) innerQuery() *ast.Query {
	p.openQuery()
	p.deeper(1)
	q := p.query()
	p.deeper(-1)
	p.closeQuery()
	p.expect(')')
	return q
}

// subquery reads a query in one or more pairs of parentheses that may have no INTO.
func (p *parser) subquery() *ast.Query {
	defer p.nested()()
	return p.withoutInto(p.queryParens())
}

// nested says that no statement's own INTO can follow until the function that it returns is called.
func (p *parser) nested() func() {
	allowed := p.intoAllowed
	p.intoAllowed = false
	return func() { p.intoAllowed = allowed }
}

// withoutInto ends the parse when a query inside another statement has an INTO.
func (p *parser) withoutInto(q *ast.Query) *ast.Query {
	if q.Into != nil {
		p.misplacedInto()
	}
	return q
}

// queryParens reads a query in one or more pairs of parentheses.
func (p *parser) queryParens() *ast.Query {
	p.expect('(')
	p.openParen()
	defer p.closeParen()
	if !p.is('(') {
		p.failIf(!p.atQuery())
		return p.innerQuery()
	}
	start := p.tok.From
	q := p.queryParens()
	if p.atQueryRest() {
		q = p.queryFrom(start, q)
	}
	p.expect(')')
	return q
}

func (p *parser) misplacedInto() {
	p.later(3954, "HY000", "Misplaced INTO clause, INTO is not allowed inside subqueries, and must be placed at end of UNION clauses.")
}

// operand turns a query in parentheses into a part of q's body: its INTO becomes q's, and when it has nothing but a body
// that is the part.
func (p *parser) operand(q, inner *ast.Query) ast.QueryBody {
	if inner.Into != nil {
		if q.Into != nil {
			p.multipleInto()
		}
		q.Into, inner.Into = inner.Into, nil
	}
	if inner.With == nil && inner.OrderBy == nil && inner.Limit == nil && inner.Locks == nil {
		return inner.Body
	}
	return inner
}

// with reads WITH and its tables.
func (p *parser) with() *ast.With {
	w := &ast.With{Span: p.tok.Span}
	p.expect(token.WITH)
	w.Recursive = p.accept(token.RECURSIVE)
	w.Tables = list(p, func() ast.CommonTable {
		start := p.tok.From
		t := ast.CommonTable{Name: p.ident(), Columns: p.columnNames()}
		p.expect(token.AS)
		t.Query = p.subquery()
		t.Span = p.from(start)
		return t
	})
	w.To = p.end
	return w
}

// Set operations bind by these: INTERSECT tighter than the others.
const (
	bindUnion     = 1
	bindIntersect = 2
)

// queryBody reads a body whose set operations bind at least as tight as min. q takes the INTO of a single SELECT.
func (p *parser) queryBody(q *ast.Query, min int) ast.QueryBody {
	start := p.tok.From
	return p.setOps(q, start, p.queryPrimary(q, min == 0), min)
}

// setOps reads the set operations behind left.
func (p *parser) setOps(q *ast.Query, start uint32, left ast.QueryBody, min int) ast.QueryBody {
	for {
		op, bind := ast.Union, bindUnion
		switch p.tok.Kind {
		case token.UNION:
		case token.EXCEPT:
			op = ast.Except
		case token.INTERSECT:
			op, bind = ast.Intersect, bindIntersect
		default:
			return left
		}
		if bind < min || p.intoEnds {
			return left
		}
		if q.Into != nil {
			p.misplacedInto()
		}
		if p.limits.links++; p.limits.links > maxLinks {
			p.tooDeep()
		}
		p.next()
		set := &ast.SetOp{Op: op, L: left}
		switch {
		case p.accept(token.ALL):
			set.Quant = ast.SetAll
		case p.accept(token.DISTINCT):
			set.Quant = ast.SetDistinct
		}
		set.R = p.queryBody(q, bind+1)
		set.Span = p.from(start)
		left = set
	}
}

// queryPrimary reads one operand of set operations; first says that none stands before it.
func (p *parser) queryPrimary(q *ast.Query, first bool) ast.QueryBody {
	switch p.tok.Kind {
	case token.SELECT:
		return p.selectBlock(q)
	case token.TABLE:
		t := &ast.Table{Span: p.tok.Span}
		p.next()
		t.Name = p.tableName()
		t.To = p.end
		return t
	case token.VALUES:
		return p.valuesRows()
	case '(':
		allowed := p.intoAllowed
		p.intoAllowed = allowed && q.With == nil && first
		inner := p.queryParens()
		p.intoAllowed = allowed
		return p.operand(q, inner)
	}
	p.fail()
	return nil
}

func (p *parser) valuesRows() *ast.Values {
	v := &ast.Values{Span: p.tok.Span}
	p.next()
	v.Rows = list(p, func() ast.ValuesRow {
		r := ast.ValuesRow{Span: p.tok.Span}
		p.expect(token.ROW)
		r.Items = p.rowValues()
		r.To = p.end
		return r
	})
	v.To = p.end
	return v
}

// rowValues reads a row of values in parentheses, which may be empty and may hold DEFAULT.
func (p *parser) rowValues() []ast.Expr {
	p.expect('(')
	if p.accept(')') {
		return nil
	}
	out := append(make([]ast.Expr, 0, 4), p.valueOrDefault())
	for p.accept(',') {
		out = append(out, p.valueOrDefault())
	}
	p.expect(')')
	return out
}

// valueOrDefault reads an expression or the word DEFAULT.
func (p *parser) valueOrDefault() ast.Expr {
	if p.is(token.DEFAULT) && p.peek() != '(' {
		d := &ast.DefaultValue{Span: p.tok.Span}
		p.next()
		return d
	}
	return p.expr()
}

// queryTail reads ORDER BY, LIMIT, locking clauses and INTO.
func (p *parser) queryTail(q *ast.Query) {
	if p.intoEnds {
		return
	}
	if p.is(token.ORDER) {
		q.OrderBy = p.orderBy()
	}
	if p.is(token.LIMIT) {
		q.Limit = p.limit()
	}
	p.tailInto(q)
	for p.oneOf(token.FOR, token.LOCK) {
		q.Locks = append(q.Locks, p.lock())
	}
	p.tailInto(q)
}

// tailInto reads the INTO that may end a query that is a statement. Nothing but parentheses may follow it.
func (p *parser) tailInto(q *ast.Query) {
	if p.intoAllowed && !p.intoEnds && p.is(token.INTO) {
		p.blockInto(q)
		p.intoEnds = true
	}
}

// blockInto reads the INTO of a query block.
func (p *parser) blockInto(q *ast.Query) {
	if q.Into != nil {
		p.multipleInto()
	}
	q.Into = p.into()
}

func (p *parser) multipleInto() {
	p.later(3953, "HY000", "Multiple INTO clauses in one query block.")
}

// selectOptions maps the words between SELECT and the select list.
func selectOption(k token.Kind) ast.SelectOption {
	switch k {
	case token.ALL:
		return ast.SelectAll
	case token.DISTINCT:
		return ast.SelectDistinct
	case token.STRAIGHT_JOIN:
		return ast.StraightJoin
	case token.HIGH_PRIORITY:
		return ast.HighPriority
	case token.SQL_SMALL_RESULT:
		return ast.SmallResult
	case token.SQL_BIG_RESULT:
		return ast.BigResult
	case token.SQL_BUFFER_RESULT:
		return ast.BufferResult
	case token.SQL_NO_CACHE:
		return ast.NoCache
	case token.SQL_CALC_FOUND_ROWS:
		return ast.CalcFoundRows
	}
	return 0
}

// selectBlock reads one SELECT without ORDER BY and what follows it. q takes its INTO.
func (p *parser) selectBlock(q *ast.Query) *ast.Select {
	s := &ast.Select{Span: p.tok.Span, Hints: p.hints()}
	p.next()
	for o := selectOption(p.tok.Kind); o != 0; o = selectOption(p.tok.Kind) {
		if s.Options |= o; s.Options&ast.SelectAll != 0 && s.Options&ast.SelectDistinct != 0 {
			p.wrongUsage("ALL", "DISTINCT")
		}
		p.next()
	}
	s.Items = p.selectItems()
	if p.is(token.INTO) {
		p.blockInto(q)
	}
	if p.accept(token.FROM) {
		s.From = p.fromList()
	}
	if p.accept(token.WHERE) {
		s.Where = p.expr()
	}
	if p.is(token.GROUP) {
		s.GroupBy = p.groupBy()
	}
	if p.accept(token.HAVING) {
		s.Having = p.expr()
	}
	if p.accept(token.WINDOW) {
		s.Windows = list(p, p.namedWindow)
	}
	if p.accept(token.QUALIFY) {
		s.Qualify = p.expr()
	}
	s.To = p.end
	return s
}

// hints returns the hint comment behind the current token.
func (p *parser) hints() *ast.Hints {
	if p.tok.Hint == 0 {
		return nil
	}
	text := p.lex.Text()
	from := p.tok.To
	for text[from] != '/' {
		from++
	}
	return &ast.Hints{Span: ast.Span{From: from, To: p.tok.Hint}, Text: text[from+3 : p.tok.Hint-2]}
}

func (p *parser) selectItems() []ast.SelectItem {
	items := make([]ast.SelectItem, 0, 2)
	if p.is('*') {
		items = append(items, ast.SelectItem{Span: p.tok.Span, X: &ast.Star{Span: p.tok.Span}})
		p.next()
	} else {
		items = append(items, p.selectItem())
	}
	for p.accept(',') {
		items = append(items, p.selectItem())
	}
	return items
}

func (p *parser) selectItem() ast.SelectItem {
	start := p.tok.From
	var x ast.Expr
	if p.tok.Kind.IsIdent() && p.peek() == '.' {
		if x = p.name(true); !isStar(x) {
			x = p.climb(start, x, ast.PrecPrimary, ast.PrecLowest)
		}
	} else {
		x = p.expr()
	}
	item := ast.SelectItem{X: x}
	if !isStar(x) {
		item.Alias = p.alias()
	}
	item.Span = p.from(start)
	return item
}

func isStar(x ast.Expr) bool {
	_, ok := x.(*ast.Star)
	return ok
}

// groupItem reads an expression to group by.
func (p *parser) groupItem() ast.OrderItem {
	start := p.tok.From
	o := ast.OrderItem{X: p.expr()}
	o.Span = p.from(start)
	return o
}

// orderItem reads an expression to order by, with its direction.
func (p *parser) orderItem() ast.OrderItem {
	start := p.tok.From
	o := ast.OrderItem{X: p.expr()}
	o.Direction = p.direction()
	o.Span = p.from(start)
	return o
}

// direction reads ASC, DESC or nothing.
func (p *parser) direction() ast.Direction {
	switch {
	case p.accept(token.ASC):
		return ast.Ascending
	case p.accept(token.DESC):
		return ast.Descending
	}
	return ast.NoDirection
}

func (p *parser) orderBy() []ast.OrderItem {
	p.expect(token.ORDER, token.BY)
	return list(p, p.orderItem)
}

func (p *parser) groupBy() *ast.GroupBy {
	g := &ast.GroupBy{Span: p.tok.Span}
	p.expect(token.GROUP, token.BY)
	switch {
	case p.isTwo(token.ROLLUP, '('), p.is(token.CUBE):
		if g.Rollup = ast.RollupCall; p.is(token.CUBE) {
			g.Rollup = ast.CubeCall
		}
		p.next()
		p.expect('(')
		g.Items = list(p, p.groupItem)
		p.expect(')')
	case p.isTwo(token.GROUPING, token.SETS):
		g.Rollup = ast.SetsCall
		p.next()
		p.next()
		p.expect('(')
		g.Items = list(p, p.groupingSet)
		p.expect(')')
	default:
		g.Items = list(p, p.groupItem)
		if p.acceptTwo(token.WITH, token.ROLLUP) {
			g.Rollup = ast.WithRollup
		}
	}
	g.To = p.end
	return g
}

// groupingSet reads one set of GROUPING SETS, which may be empty.
func (p *parser) groupingSet() ast.OrderItem {
	r := &ast.Row{Span: p.tok.Span}
	p.expect('(')
	if !p.is(')') {
		r.Items = p.exprList()
	}
	p.expect(')')
	r.To = p.end
	return ast.OrderItem{Span: r.Span, X: r}
}

func (p *parser) namedWindow() ast.NamedWindow {
	start := p.tok.From
	w := ast.NamedWindow{Name: p.ident()}
	p.expect(token.AS)
	w.Window = p.window()
	w.Span = p.from(start)
	return w
}

func (p *parser) limit() *ast.Limit {
	l := &ast.Limit{Span: p.tok.Span}
	p.expect(token.LIMIT)
	l.Count = p.limitValue()
	switch {
	case p.accept(','):
		l.Offset = l.Count
		l.Count = p.limitValue()
	case p.accept(token.OFFSET):
		l.Offset = p.limitValue()
	}
	l.To = p.end
	return l
}

// limitValue reads a number, a parameter or a routine's variable.
func (p *parser) limitValue() ast.Expr {
	switch p.tok.Kind {
	case token.Int:
		return p.numberLiteral()
	case token.Param:
		return p.param()
	}
	id := p.ident()
	return &ast.Column{Span: id.Span, Name: id}
}

func (p *parser) lock() ast.Lock {
	l := ast.Lock{Span: p.tok.Span}
	if p.accept(token.LOCK) {
		p.expect(token.IN, token.SHARE, token.MODE)
		l.Strength, l.To = ast.LockInShareMode, p.end
		return l
	}
	p.expect(token.FOR)
	if p.accept(token.SHARE) {
		l.Strength = ast.ForShare
	} else {
		p.expect(token.UPDATE)
	}
	if p.accept(token.OF) {
		l.Of = list(p, p.tableName)
	}
	switch {
	case p.accept(token.NOWAIT):
		l.Wait = ast.LockNowait
	case p.accept(token.SKIP):
		p.expect(token.LOCKED)
		l.Wait = ast.LockSkipLocked
	}
	l.To = p.end
	return l
}

func (p *parser) into() *ast.Into {
	i := &ast.Into{Span: p.tok.Span}
	p.expect(token.INTO)
	switch {
	case p.accept(token.DUMPFILE):
		i.Kind, i.File = ast.IntoDumpfile, p.stringLiteral()
	case p.accept(token.OUTFILE):
		i.Kind, i.File = ast.IntoOutfile, p.stringLiteral()
		if p.acceptCharset() {
			i.Charset = p.charsetName()
		}
		i.Fields, i.Lines = p.fileFormat()
	default:
		i.Vars = list(p, p.intoVar)
	}
	i.To = p.end
	return i
}

func (p *parser) intoVar() ast.Expr {
	if p.is('@') {
		return p.userVar()
	}
	id := p.textName()
	return &ast.Column{Span: id.Span, Name: id}
}

// fileFormat reads the FIELDS and LINES clauses of OUTFILE and LOAD DATA.
func (p *parser) fileFormat() (*ast.FieldsFormat, *ast.LinesFormat) {
	var fields *ast.FieldsFormat
	var lines *ast.LinesFormat
	if p.is(token.COLUMNS) {
		fields = &ast.FieldsFormat{Span: p.tok.Span}
		p.next()
		p.fieldTerms(fields)
		fields.To = p.end
	}
	if p.is(token.LINES) {
		lines = &ast.LinesFormat{Span: p.tok.Span}
		p.next()
		p.lineTerms(lines)
		lines.To = p.end
	}
	return fields, lines
}

func (p *parser) lineTerms(l *ast.LinesFormat) {
	for n := 0; ; n++ {
		switch {
		case p.accept(token.TERMINATED):
			p.expect(token.BY)
			l.Terminated = p.textString()
		case p.accept(token.STARTING):
			p.expect(token.BY)
			l.Starting = p.textString()
		default:
			p.failIf(n == 0)
			return
		}
	}
}

func (p *parser) fieldTerms(f *ast.FieldsFormat) {
	for n := 0; ; n++ {
		switch {
		case p.accept(token.TERMINATED):
			p.expect(token.BY)
			f.Terminated = p.textString()
		case p.accept(token.OPTIONALLY):
			p.expect(token.ENCLOSED, token.BY)
			f.Optionally, f.Enclosed = true, p.textString()
		case p.accept(token.ENCLOSED):
			p.expect(token.BY)
			f.Enclosed = p.textString()
		case p.accept(token.ESCAPED):
			p.expect(token.BY)
			f.Escaped = p.textString()
		default:
			p.failIf(n == 0)
			return
		}
	}
}
