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

// topQuery reads a query that is a statement, behind its WITH if it is consumed. It may end in
// INTO, also inside parentheses around all of it.
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

// queryFrom reads the rest of a query whose body starts with a query in parentheses that is
// consumed.
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
	allowed := p.nested()
	q := p.withoutInto(p.queryParens())
	p.intoAllowed = allowed
	return q
}

// nested says that no statement's own INTO can follow, and returns whether it could before.
func (p *parser) nested() (allowed bool) {
	allowed, p.intoAllowed = p.intoAllowed, false
	return allowed
}

// withoutInto ends the parse when a query inside another statement has an INTO.
func (p *parser) withoutInto(q *ast.Query) *ast.Query {
	if q.Into != nil {
		p.misplacedInto()
	}
	return q
}

// barQuery refuses a parenthesis with a query in a statement that may have no subqueries.
func (p *parser) barQuery() {
	if p.queriesBarred && p.is('(') {
		switch p.peek() {
		case token.SELECT, token.TABLE, token.VALUES, token.WITH:
			p.fail()
		}
	}
}

// queryParens reads a query in one or more pairs of parentheses.
func (p *parser) queryParens() *ast.Query {
	p.barQuery()
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

// operand turns a query in parentheses into a part of q's body: its INTO becomes q's, and when it
// has nothing but a body that is the part.
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

// queryBody reads a body whose set operations bind at least as tight as min. q takes the INTO of a
// single SELECT.
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
	if p.intoEnds && p.oneOf(token.FOR, token.LOCK) {
		p.warn(3962, "The INTO clause is deprecated inside query blocks of query expressions and will be removed in a future release. "+
			"Please move the INTO clause to the end of statement instead.")
	}
	for p.oneOf(token.FOR, token.LOCK) {
		q.Locks = append(q.Locks, p.lock())
	}
	p.tailInto(q)
}

// tailInto reads the INTO that may end a query that is a statement. Nothing but parentheses may
// follow it.
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
