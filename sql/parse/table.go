package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// fromList reads what stands behind FROM.
func (p *parser) fromList() []ast.TableRef {
	if p.is(token.DUAL) {
		d := &ast.Dual{Span: p.tok.Span}
		p.next()
		return []ast.TableRef{d}
	}
	return p.tableRefs()
}

// tableRefs reads table references with commas between.
func (p *parser) tableRefs() []ast.TableRef {
	refs := append(make([]ast.TableRef, 0, 1), p.tableRef())
	for p.accept(',') {
		refs = append(refs, p.tableRef())
	}
	return refs
}

// tableRef reads a table and its joins.
func (p *parser) tableRef() ast.TableRef {
	ref, _ := p.joined()
	return ref
}

// joined reads a table and its joins. It also returns the join whose left side is the first table,
// or nil: a join without condition takes its place.
func (p *parser) joined() (ref ast.TableRef, first *ast.Join) {
	start := p.tok.From
	ref = p.tableFactor()
	height := p.limits.height
	for {
		j := p.joinStart()
		if j == nil {
			p.limits.height = height
			return ref, first
		}
		p.deeper(1)
		j.L = ref
		ref = p.joinRight(j, start)
		if first == nil {
			first = j
		}
	}
}

// joinStart reads the words of a join, or returns nil when none starts.
func (p *parser) joinStart() *ast.Join {
	j := &ast.Join{}
	switch p.tok.Kind {
	case token.JOIN:
	case token.INNER:
		p.next()
	case token.CROSS:
		p.next()
		j.Kind = ast.CrossJoin
	case token.STRAIGHT_JOIN:
		p.next()
		j.Kind = ast.StraightJoinTable
		return j
	case token.NATURAL:
		p.next()
		j.Natural = true
		if !p.accept(token.INNER) {
			p.outerJoin(j)
		}
	case token.LEFT, token.RIGHT:
		p.outerJoin(j)
	default:
		return nil
	}
	p.expect(token.JOIN)
	return j
}

// outerJoin reads LEFT or RIGHT and the OUTER behind it.
func (p *parser) outerJoin(j *ast.Join) {
	switch {
	case p.accept(token.LEFT):
		j.Kind = ast.LeftJoin
	case p.accept(token.RIGHT):
		j.Kind = ast.RightJoin
	default:
		return
	}
	p.accept(token.OUTER)
}

// joinRight reads the right side of a join and its condition, and returns the tree that results. A
// join without condition binds to the left: a JOIN b LEFT JOIN c ON x is (a JOIN b) LEFT JOIN c ON
// x.
func (p *parser) joinRight(j *ast.Join, start uint32) ast.TableRef {
	if j.Natural {
		j.R = p.tableFactor()
		j.Span = p.from(start)
		return j
	}
	right, first := p.joined()
	j.R = right
	switch {
	case p.accept(token.ON):
		j.On = p.expr()
	case p.accept(token.USING):
		j.Using = inParens(p, p.identList)
	case j.Kind == ast.LeftJoin || j.Kind == ast.RightJoin:
		p.fail()
	case first != nil:
		j.R = first.L
		j.Span = ast.Span{From: start, To: uint32(first.L.End())}
		first.L = j
		for at := right; at != ast.TableRef(j); at = at.(*ast.Join).L {
			at.(*ast.Join).From = start
		}
		return right
	}
	j.Span = p.from(start)
	return j
}

// tableFactor reads one table, or table references in parentheses.
func (p *parser) tableFactor() ast.TableRef {
	switch p.tok.Kind {
	case '(':
		return p.tableParens()
	case '{':
		p.next()
		p.expect(token.OJ)
		ref := p.tableRef()
		p.expect('}')
		return ref
	case token.LATERAL:
		start := p.tok.From
		p.next()
		d := &ast.Derived{Lateral: true, Query: p.subquery()}
		return p.derived(start, d)
	case token.JSON_TABLE:
		return p.jsonTable()
	}
	return p.tableSource()
}

// derived reads the alias of a query in parentheses.
func (p *parser) derived(start uint32, d *ast.Derived) ast.TableRef {
	d.Alias = p.tableAlias()
	p.failIf(!d.Alias.Given() && !p.behindTable())
	d.Columns = p.columnNames()
	if !d.Alias.Given() {
		p.raise(1248, "42000", "Every derived table must have its own alias")
	}
	d.Span = p.from(start)
	return d
}

// behindTable reports whether the current token can follow a table in FROM.
func (p *parser) behindTable() bool {
	switch p.tok.Kind {
	case token.EOF, ';', ',', '(', ')', '}', token.JOIN, token.INNER, token.CROSS, token.LEFT, token.RIGHT, token.NATURAL,
		token.STRAIGHT_JOIN, token.ON, token.USING, token.WHERE, token.GROUP, token.HAVING, token.WINDOW, token.QUALIFY,
		token.SET, token.INTO:
		return true
	}
	return p.atQueryRest()
}

// tableParens reads what stands in parentheses as a table: a query with its alias behind, or table
// references.
func (p *parser) tableParens() ast.TableRef {
	start := p.tok.From
	if q, ref := p.queryOrTables(); q == nil {
		return ref
	} else {
		return p.derived(start, &ast.Derived{Query: q})
	}
}

// queryOrTables reads a query or table references in parentheses.
func (p *parser) queryOrTables() (*ast.Query, ast.TableRef) {
	start, allowed := p.tok.From, p.nested()
	p.expect('(')
	p.openParen()
	defer func() {
		p.closeParen()
		p.intoAllowed = allowed
	}()
	if p.atQuery() {
		return p.withoutInto(p.innerQuery()), nil
	}
	if !p.is('(') {
		braces := p.is('{')
		ref, join := p.joined()
		p.failIf(braces && join == nil && p.is(')'))
		return nil, p.restOfTables(start, ref)
	}
	inner := p.tok.From
	q, ref := p.queryOrTables()
	switch {
	case q == nil:
		ref = p.joinsBehind(inner, ref)
	case p.is(')') || p.atQueryRest():
		if !p.is(')') {
			q = p.withoutInto(p.queryFrom(inner, q))
		}
		p.expect(')')
		return q, nil
	default:
		ref = p.joinsBehind(inner, p.derived(inner, &ast.Derived{Query: q}))
	}
	return nil, p.restOfTables(start, ref)
}

// joinsBehind reads the joins behind a table that is consumed.
func (p *parser) joinsBehind(start uint32, ref ast.TableRef) ast.TableRef {
	for j := p.joinStart(); j != nil; j = p.joinStart() {
		j.L = ref
		ref = p.joinRight(j, start)
	}
	return ref
}

// restOfTables reads the rest of a list in parentheses whose first element is consumed. Only a
// table or a join may stand alone in parentheses.
func (p *parser) restOfTables(start uint32, first ast.TableRef) ast.TableRef {
	if p.is(')') {
		switch first.(type) {
		case *ast.Derived, *ast.JSONTable:
			p.fail()
		}
		p.next()
		return first
	}
	l := &ast.TableList{Tables: []ast.TableRef{first}}
	for p.accept(',') {
		l.Tables = append(l.Tables, p.tableRef())
	}
	p.expect(')')
	l.Span = p.from(start)
	return l
}

// tableSource reads a table's name with what may follow it.
func (p *parser) tableSource() *ast.TableSource {
	t := &ast.TableSource{Name: p.tableName()}
	if p.accept(token.PARTITION) {
		t.Partitions = inParens(p, p.identList)
	}
	t.Alias = p.tableAlias()
	for p.oneOf(token.USE, token.FORCE, token.IGNORE) {
		t.Indexes = append(t.Indexes, p.indexHint())
	}
	if p.is(token.TABLESAMPLE) {
		t.Sample = p.sample()
	}
	t.Span = p.from(t.Name.From)
	return t
}

func (p *parser) sample() *ast.Sample {
	s := &ast.Sample{Span: p.tok.Span}
	p.next()
	if s.Bernoulli = p.accept(token.BERNOULLI); !s.Bernoulli {
		p.expect(token.SYSTEM)
	}
	s.Percent = inParens(p, p.samplePercent)
	s.To = p.end
	return s
}

// samplePercent reads a number, a parameter or a user variable.
func (p *parser) samplePercent() ast.Expr {
	switch p.tok.Kind {
	case token.Int, token.Decimal, token.Float:
		return p.numberLiteral()
	case token.Param:
		return p.param()
	}
	return p.userVar()
}

func (p *parser) indexHint() ast.IndexHint {
	h := ast.IndexHint{Span: p.tok.Span}
	switch p.tok.Kind {
	case token.FORCE:
		h.Kind = ast.ForceIndex
	case token.IGNORE:
		h.Kind = ast.IgnoreIndex
	}
	p.next()
	if !p.accept(token.INDEX) {
		p.expect(token.KEY)
	}
	if p.accept(token.FOR) {
		switch {
		case p.accept(token.JOIN):
			h.For = ast.ForJoin
		case p.accept(token.ORDER):
			p.expect(token.BY)
			h.For = ast.ForOrderBy
		default:
			p.expect(token.GROUP, token.BY)
			h.For = ast.ForGroupBy
		}
	}
	p.expect('(')
	if !p.is(')') || h.Kind != ast.UseIndex {
		h.Names = list(p, p.indexName)
	}
	p.expect(')')
	h.To = p.end
	return h
}

// indexName reads the name of an index, which may be PRIMARY.
func (p *parser) indexName() ast.Ident {
	if p.is(token.PRIMARY) {
		return p.take()
	}
	return p.ident()
}

func (p *parser) jsonTable() ast.TableRef {
	t := &ast.JSONTable{Span: p.tok.Span}
	p.next()
	p.expect('(')
	t.X = p.expr()
	p.expect(',')
	t.Path = p.textLiteral()
	t.Columns = p.jsonColumns()
	p.expect(')')
	if t.Alias = p.tableAlias(); !t.Alias.Given() {
		p.failIf(!p.behindTable())
		p.raise(3667, "HY000", "Every table function must have an alias")
	}
	t.To = p.end
	return t
}

func (p *parser) jsonColumns() []ast.JSONColumn {
	p.expect(token.COLUMNS, '(')
	columns := list(p, p.jsonColumn)
	p.expect(')')
	return columns
}

func (p *parser) jsonColumn() ast.JSONColumn {
	c := ast.JSONColumn{Span: p.tok.Span}
	if p.acceptTwo(token.NESTED, token.PATH) {
		c.Kind, c.Path = ast.JSONNested, p.textLiteral()
		p.deeper(1)
		c.Nested = p.jsonColumns()
		p.deeper(-1)
		c.To = p.end
		return c
	}
	c.Name = p.ident()
	if p.accept(token.FOR) {
		p.expect(token.ORDINALITY)
		c.Kind, c.To = ast.JSONOrdinality, p.end
		return c
	}
	c.Type = p.dataType()
	if p.accept(token.COLLATE) {
		c.Collate = p.collationName()
	}
	if c.Kind = ast.JSONPathColumn; p.accept(token.EXISTS) {
		c.Kind = ast.JSONExists
	}
	p.expect(token.PATH)
	c.Path = p.textLiteral()
	c.OnEmpty, c.OnError = p.jsonDefaults(true)
	c.To = p.end
	return c
}
