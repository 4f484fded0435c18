package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// insert reads INSERT or REPLACE.
func (p *parser) insert() ast.Statement {
	n := &ast.Insert{Span: p.tok.Span, Replace: p.is(token.REPLACE), Hints: p.hints()}
	p.next()
	switch {
	case p.accept(token.LOW_PRIORITY):
		n.Priority = ast.LowPriority
	case p.accept(token.DELAYED):
		n.Priority = ast.Delayed
	case !n.Replace && p.accept(token.HIGH_PRIORITY):
		n.Priority = ast.HighestPriority
	}
	n.Ignore = !n.Replace && p.accept(token.IGNORE)
	p.accept(token.INTO)
	n.Table = p.tableName()
	n.Partitions = p.usePartitions()
	p.insertSource(n)
	if !n.Replace {
		if n.Query == nil && p.is(token.AS) {
			n.Alias = p.rowAlias()
		}
		if p.accept(token.ON) {
			p.expect(token.DUPLICATE, token.KEY, token.UPDATE)
			p.conflict = true
			n.OnConflict = list(p, p.assign)
			p.conflict = false
		}
	}
	n.To = p.end
	return n
}

// usePartitions reads an optional PARTITION clause.
func (p *parser) usePartitions() []ast.Ident {
	if !p.accept(token.PARTITION) {
		return nil
	}
	return inParens(p, p.identList)
}

// insertSource reads where the rows of an INSERT come from, with the list of columns before it.
func (p *parser) insertSource(n *ast.Insert) {
	if p.accept(token.SET) {
		n.Set = list(p, p.assign)
		return
	}
	if p.is('(') && !p.parenQuery() {
		p.next()
		n.HasColumns = true
		if !p.is(')') {
			n.Columns = list(p, p.column)
		}
		p.expect(')')
	}
	if p.oneOf(token.VALUES, token.VALUE) && p.peek() != token.ROW {
		p.next()
		n.Rows = p.valueRows()
		return
	}
	p.failIf(!p.atQuery() && !p.is('('))
	n.Query = p.query()
}

// parenQuery reports whether the parenthesis at the current token opens a query.
func (p *parser) parenQuery() bool {
	switch p.peek() {
	case token.SELECT, token.WITH, token.VALUES, token.TABLE, '(':
		return true
	}
	return false
}

// valueRows reads rows in parentheses with commas between.
func (p *parser) valueRows() []ast.ValuesRow {
	rows := make([]ast.ValuesRow, 0, 1)
	for {
		r := ast.ValuesRow{Span: p.tok.Span}
		r.Items = p.rowValues()
		r.To = p.end
		rows = append(rows, r)
		if !p.accept(',') {
			return rows
		}
	}
}

func (p *parser) rowAlias() *ast.RowAlias {
	a := &ast.RowAlias{Span: p.tok.Span}
	p.expect(token.AS)
	a.Name = p.ident()
	a.Columns = p.columnNames()
	a.To = p.end
	return a
}

// assign reads column = value.
func (p *parser) assign() ast.Assign {
	start := p.tok.From
	a := ast.Assign{Column: p.column()}
	p.assignSign()
	a.Value = p.valueOrDefault()
	a.Span = p.from(start)
	return a
}

// assignSign reads = or :=.
func (p *parser) assignSign() {
	if !p.accept(token.Assign) {
		p.expect('=')
	}
}

// withStatement reads WITH and the query, UPDATE or DELETE behind it.
func (p *parser) withStatement() ast.Statement {
	start := p.tok.From
	with := p.with()
	switch p.tok.Kind {
	case token.UPDATE:
		return p.update(start, with)
	case token.DELETE:
		return p.delete(start, with)
	}
	return p.topQuery(start, with)
}

// update reads UPDATE behind the WITH that starts it, if any.
func (p *parser) update(start uint32, with *ast.With) ast.Statement {
	n := &ast.Update{With: with, Hints: p.hints()}
	p.next()
	if p.accept(token.LOW_PRIORITY) {
		n.Priority = ast.LowPriority
	}
	n.Ignore = p.accept(token.IGNORE)
	n.Tables = p.tableRefs()
	p.expect(token.SET)
	n.Set = list(p, p.assign)
	n.Where = p.where()
	n.OrderBy, n.Limit = p.orderLimit()
	n.Span = p.from(start)
	return n
}

// where reads an optional WHERE clause.
func (p *parser) where() ast.Expr {
	if !p.accept(token.WHERE) {
		return nil
	}
	return p.expr()
}

// orderLimit reads ORDER BY and LIMIT without an offset.
func (p *parser) orderLimit() (order []ast.OrderItem, limit *ast.Limit) {
	if p.is(token.ORDER) {
		order = p.orderBy()
	}
	if p.is(token.LIMIT) {
		limit = &ast.Limit{Span: p.tok.Span}
		p.next()
		limit.Count = p.limitValue()
		limit.To = p.end
	}
	return order, limit
}

// delete reads DELETE behind the WITH that starts it, if any.
func (p *parser) delete(start uint32, with *ast.With) ast.Statement {
	n := &ast.Delete{With: with, Hints: p.hints()}
	p.next()
	for more := true; more; {
		switch {
		case p.accept(token.LOW_PRIORITY):
			n.Priority = ast.LowPriority
		case p.accept(token.QUICK):
			n.Quick = true
		case p.accept(token.IGNORE):
			n.Ignore = true
		default:
			more = false
		}
	}
	if from := p.accept(token.FROM); from {
		p.deleteFrom(n)
	} else {
		n.Targets = list(p, p.deleteTarget)
		p.expect(token.FROM)
		n.Source = p.tableRefs()
	}
	n.Where = p.where()
	if n.Source == nil {
		n.OrderBy, n.Limit = p.orderLimit()
	}
	n.Span = p.from(start)
	return n
}

// deleteFrom reads the table behind DELETE FROM, or the tables and the USING behind them.
func (p *parser) deleteFrom(n *ast.Delete) {
	first := p.deleteTarget()
	if first.Wild || p.oneOf(',', token.USING) {
		n.Targets = []ast.DeleteTarget{first}
		for p.accept(',') {
			n.Targets = append(n.Targets, p.deleteTarget())
		}
		p.expect(token.USING)
		n.Using = true
		n.Source = p.tableRefs()
		return
	}
	first.Alias = p.tableAlias()
	first.Partitions = p.usePartitions()
	first.To = p.end
	n.Targets = []ast.DeleteTarget{first}
}

// deleteTarget reads t, d.t, t.* or d.t.*.
func (p *parser) deleteTarget() ast.DeleteTarget {
	start := p.tok.From
	t := ast.DeleteTarget{Name: ast.TableName{Name: p.objectName()}}
	if p.accept('.') && !p.acceptWild(&t) {
		t.Name.Schema, t.Name.Name = t.Name.Name, p.objectName()
		if p.accept('.') && !p.acceptWild(&t) {
			p.fail()
		}
	}
	if t.Name.Schema.Given() {
		p.checkSchema(t.Name.Schema)
	}
	p.checkTable(t.Name.Name)
	t.Span = p.from(start)
	t.Name.Span = ast.Span{From: start, To: t.Name.Name.To}
	return t
}

func (p *parser) acceptWild(t *ast.DeleteTarget) bool {
	t.Wild = p.accept('*')
	return t.Wild
}

func (p *parser) callStatement() ast.Statement {
	n := &ast.Call{Span: p.tok.Span}
	p.next()
	n.Name = p.routineName()
	if p.accept('(') {
		if !p.is(')') {
			n.Args = p.exprList()
		}
		p.expect(')')
	}
	n.To = p.end
	return n
}

func (p *parser) do() ast.Statement {
	n := &ast.Do{Span: p.tok.Span}
	p.next()
	n.Items = p.selectItems()
	n.To = p.end
	return n
}

func (p *parser) handler() ast.Statement {
	n := &ast.Handler{Span: p.tok.Span}
	p.next()
	p.queriesBarred = true
	n.Table = p.tableName()
	switch {
	case p.accept(token.OPEN):
		n.Alias = p.tableAlias()
	case n.Table.Schema.Given():
		p.fail()
	case p.accept(token.CLOSE):
		n.Action = ast.HandlerClose
	default:
		p.expect(token.READ)
		p.handlerRead(n)
		n.Where = p.where()
		if p.is(token.LIMIT) {
			n.Limit = p.limit()
		}
	}
	n.To = p.end
	return n
}

// handlerRead reads which row HANDLER ... READ reads. FIRST and NEXT may also name an index.
func (p *parser) handlerRead(n *ast.Handler) {
	ends := false
	switch p.peek() {
	case token.EOF, ';', token.WHERE, token.LIMIT:
		ends = true
	}
	if ends && p.accept(token.FIRST) {
		n.Action = ast.HandlerFirst
		return
	}
	if ends && p.accept(token.NEXT) {
		n.Action = ast.HandlerNext
		return
	}
	n.Index = p.ident()
	switch {
	case p.accept(token.FIRST):
		n.Action = ast.HandlerFirst
		return
	case p.accept(token.NEXT):
		n.Action = ast.HandlerNext
		return
	case p.accept(token.PREV):
		n.Action = ast.HandlerPrev
		return
	case p.accept(token.LAST):
		n.Action = ast.HandlerLast
		return
	}
	p.failIf(!p.oneOf('=', '<', '>', token.LessEqual, token.GreaterEqual))
	n.Action = ast.HandlerKey
	n.Op, _ = binaryOperator(p.tok.Kind)
	p.next()
	p.expect('(')
	n.Values = list(p, p.valueOrDefault)
	p.expect(')')
}
