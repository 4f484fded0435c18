package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// explain reads EXPLAIN and DESCRIBE, of a statement, a connection or a table.
func (p *parser) explain() ast.Statement {
	start := p.tok.From
	p.next()
	if p.tok.Kind.IsIdent() && !p.is(token.FORMAT) || p.is(token.FORMAT) && p.peek() != '=' {
		return p.describe(start)
	}
	e := &ast.Explain{Analyze: p.accept(token.ANALYZE)}
	p.explainOptions(e)
	if p.acceptTwo(token.FOR, token.CONNECTION) {
		e.Connection = p.numberAsExpr()
		if e.Into != nil {
			p.later(6009, "0A000", "EXPLAIN FOR CONNECTION does not support the INTO clause.")
		}
		e.Span = p.from(start)
		return e
	}
	if p.accept(token.FOR) {
		p.expect(token.DATABASE)
		e.Schema = p.ident()
	}
	e.Statement = p.explained()
	e.Span = p.from(start)
	return e
}

// explainOptions reads FORMAT and INTO.
func (p *parser) explainOptions(e *ast.Explain) {
	if p.accept(token.FORMAT) {
		p.expect('=')
		e.Format = p.textName()
	}
	if p.accept(token.INTO) {
		e.Into = p.userVar()
		if !e.Format.Given() {
			p.raise(6006, "0A000", "EXPLAIN INTO does not support implicit FORMAT.")
		}
	}
}

func (p *parser) numberAsExpr() ast.Expr {
	start := p.tok.From
	return &ast.Literal{Kind: ast.IntLiteral, Text: p.wholeNumber(), Span: p.from(start)}
}

// explained reads a statement that can be explained.
func (p *parser) explained() ast.Statement {
	switch p.tok.Kind {
	case token.SELECT, token.VALUES, token.TABLE, token.WITH, '(', token.INSERT, token.REPLACE, token.UPDATE,
		token.DELETE:
		return p.statement()
	}
	p.fail()
	return nil
}

// describe reads table [column | pattern].
func (p *parser) describe(start uint32) *ast.Describe {
	d := &ast.Describe{Table: p.tableName()}
	switch {
	case p.oneOf(token.String, token.HexNum, token.BinNum):
		d.Pattern = p.textString()
	case p.tok.Kind.IsIdent():
		d.Column = p.ident()
	}
	d.Span = p.from(start)
	return d
}

// help reads HELP topic.
func (p *parser) help() *ast.Help {
	start := p.tok.From
	p.next()
	h := &ast.Help{Topic: p.textName()}
	h.Span = p.from(start)
	return h
}

// use reads USE schema.
func (p *parser) use() *ast.Use {
	start := p.tok.From
	p.next()
	u := &ast.Use{Schema: p.schemaName()}
	u.Span = p.from(start)
	return u
}
