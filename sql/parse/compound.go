package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// programStatement reads a statement of a stored program.
func (p *parser) programStatement() ast.Statement {
	height := p.limits.height
	p.body = true
	p.deeper(1)
	s := p.compound()
	p.limits.height = height
	return s
}

// compound reads a statement that only programs have, or another one.
func (p *parser) compound() ast.Statement {
	if p.tok.Kind.IsLabel() && p.peek() == ':' {
		label := p.label()
		p.next()
		return p.labelled(label)
	}
	switch p.tok.Kind {
	case token.BEGIN, token.LOOP, token.WHILE, token.REPEAT:
		return p.labelled(ast.Ident{})
	case token.IF:
		return p.ifStatement()
	case token.CASE:
		return p.caseStatement()
	case token.LEAVE, token.ITERATE:
		l := &ast.Leave{Iterate: p.is(token.ITERATE)}
		start := p.tok.From
		p.next()
		l.Label = p.label()
		l.Span = p.from(start)
		return l
	case token.RETURN:
		r := &ast.Return{}
		start := p.tok.From
		p.next()
		r.X = p.expr()
		r.Span = p.from(start)
		return r
	case token.OPEN, token.FETCH, token.CLOSE:
		return p.cursor()
	case token.Ident, token.QuotedIdent:
		p.next() // a label without its colon
		p.fail()
	}
	return p.statement()
}

// labelled reads a block or a loop behind its label.
func (p *parser) labelled(label ast.Ident) ast.Statement {
	start := p.tok.From
	if label.Given() {
		start = label.From
	}
	if p.accept(token.BEGIN) {
		return p.block(start, label)
	}
	l := &ast.Loop{Label: label}
	word := p.tok.Kind
	switch word {
	case token.LOOP:
	case token.WHILE:
		l.Kind = ast.WhileLoop
	case token.REPEAT:
		l.Kind = ast.RepeatLoop
	default:
		p.fail()
	}
	p.next()
	if l.Kind == ast.WhileLoop {
		l.Cond = p.expr()
		p.expect(token.DO)
	}
	l.Statements = p.statements()
	if l.Kind == ast.RepeatLoop {
		p.expect(token.UNTIL)
		l.Cond = p.expr()
	}
	p.expect(token.END, word)
	l.EndLabel = p.endLabel()
	l.Span = p.from(start)
	return l
}

// endLabel reads the label behind the end of a block or a loop.
func (p *parser) endLabel() ast.Ident {
	if p.tok.Kind.IsLabel() {
		return p.label()
	}
	return ast.Ident{}
}

// block reads a block from behind BEGIN.
func (p *parser) block(start uint32, label ast.Ident) *ast.Block {
	b := &ast.Block{Label: label}
	for p.is(token.DECLARE) {
		b.Statements = append(b.Statements, p.declare())
		p.expect(';')
	}
	for !p.is(token.END) {
		b.Statements = append(b.Statements, p.programStatement())
		p.expect(';')
	}
	p.next()
	b.EndLabel = p.endLabel()
	b.Span = p.from(start)
	return b
}

// statements reads one statement or more, with a semicolon behind each, up to a word that ends or
// divides them.
func (p *parser) statements() []ast.Statement {
	var out []ast.Statement
	for {
		out = append(out, p.programStatement())
		p.expect(';')
		if p.oneOf(token.END, token.UNTIL, token.ELSE, token.ELSEIF, token.WHEN) {
			return out
		}
	}
}

// ifStatement reads IF ... END IF.
func (p *parser) ifStatement() *ast.If {
	s := &ast.If{}
	start := p.tok.From
	p.next()
	s.Branches = []ast.Branch{p.branch()}
	for p.accept(token.ELSEIF) {
		s.Branches = append(s.Branches, p.branch())
	}
	if p.accept(token.ELSE) {
		s.Else = p.statements()
	}
	p.expect(token.END, token.IF)
	s.Span = p.from(start)
	return s
}

// branch reads a condition, THEN and statements.
func (p *parser) branch() ast.Branch {
	b := ast.Branch{}
	start := p.tok.From
	b.Cond = p.expr()
	p.expect(token.THEN)
	b.Statements = p.statements()
	b.Span = p.from(start)
	return b
}

// caseStatement reads CASE ... END CASE.
func (p *parser) caseStatement() *ast.CaseStatement {
	s := &ast.CaseStatement{}
	start := p.tok.From
	p.next()
	if !p.is(token.WHEN) {
		s.X = p.expr()
	}
	p.failIf(!p.is(token.WHEN))
	for p.accept(token.WHEN) {
		s.Branches = append(s.Branches, p.branch())
	}
	if p.accept(token.ELSE) {
		s.Else = p.statements()
	}
	p.expect(token.END, token.CASE)
	s.Span = p.from(start)
	return s
}

// cursor reads OPEN, FETCH and CLOSE.
func (p *parser) cursor() *ast.Cursor {
	c := &ast.Cursor{}
	start := p.tok.From
	switch {
	case p.accept(token.OPEN):
		c.Name = p.ident()
	case p.accept(token.CLOSE):
		c.Verb, c.Name = ast.CloseCursor, p.ident()
	default:
		p.next()
		if p.isTwo(token.NEXT, token.FROM) {
			p.next()
		}
		p.accept(token.FROM)
		c.Verb, c.Name = ast.FetchCursor, p.ident()
		p.expect(token.INTO)
		c.Into = p.identList()
	}
	c.Span = p.from(start)
	return c
}

// declare reads DECLARE of variables, a condition, a handler or a cursor.
func (p *parser) declare() ast.Statement {
	start := p.tok.From
	p.next()
	switch {
	case p.oneOf(token.CONTINUE, token.EXIT):
		return p.declareHandler(start)
	case p.tok.Kind.IsIdent() && p.peek() == token.CONDITION:
		d := &ast.DeclareCondition{Name: p.ident()}
		p.next()
		p.expect(token.FOR)
		d.Condition = p.condition(false)
		d.Span = p.from(start)
		return d
	case p.tok.Kind.IsIdent() && p.peek() == token.CURSOR:
		d := &ast.DeclareCursor{Name: p.ident()}
		p.next()
		p.expect(token.FOR)
		p.failIf(!p.startsQuery())
		d.Query = p.cursorQuery()
		d.Span = p.from(start)
		return d
	}
	d := &ast.DeclareVariable{Names: p.identList()}
	d.Type, d.Collate = p.variableType()
	if p.accept(token.DEFAULT) {
		d.Default = p.expr()
	}
	d.Span = p.from(start)
	return d
}

// cursorQuery reads the query of a cursor, which reads like a statement but must not send its rows
// anywhere.
func (p *parser) cursorQuery() *ast.Query {
	start := p.tok.From
	var with *ast.With
	if p.is(token.WITH) {
		with = p.with()
	}
	q := p.topQuery(start, with)
	if q.Into != nil {
		p.raise(1323, "42000", "Cursor SELECT must not have INTO")
	}
	return q
}

func (p *parser) declareHandler(start uint32) *ast.DeclareHandler {
	d := &ast.DeclareHandler{Exit: p.is(token.EXIT)}
	p.next()
	p.expect(token.HANDLER, token.FOR)
	d.Conditions = list(p, func() ast.Condition { return *p.condition(true) })
	d.Body = p.programStatement()
	d.Span = p.from(start)
	return d
}

// condition reads an error or a state; handlers also take names and classes.
func (p *parser) condition(handler bool) *ast.Condition {
	c := &ast.Condition{}
	start := p.tok.From
	switch {
	case p.oneOf(token.Int, token.HexNum, token.Decimal, token.Float):
		c.Number = p.smallNumber()
	case p.is(token.SQLSTATE):
		c.Kind, c.State = ast.StateCondition, p.sqlState()
	case !handler:
		p.fail()
	case p.accept(token.SQLWARNING):
		c.Kind = ast.SQLWarning
	case p.accept(token.SQLEXCEPTION):
		c.Kind = ast.SQLException
	case p.acceptNot():
		p.expect(token.FOUND)
		c.Kind = ast.NotFound
	default:
		c.Kind, c.Name = ast.NamedCondition, p.ident()
	}
	c.Span = p.from(start)
	return c
}
