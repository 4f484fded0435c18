package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// statementEnd reads a statement and its end. A text without one gives nil. It returns where the next statement starts.
func (p *parser) statementEnd() (ast.Statement, int) {
	if p.is(token.EOF) {
		return nil, p.tok.End()
	}
	s := p.statement()
	next := p.tok.End()
	if p.opts.Multi && p.is(';') {
		return s, next
	}
	p.accept(';')
	p.expect(token.EOF)
	return s, next
}

// statement reads a statement by its first word.
func (p *parser) statement() ast.Statement {
	switch p.tok.Kind {
	case token.SELECT, token.VALUES, token.TABLE, token.WITH, '(':
		return p.queryStatement()
	case token.CREATE:
		return p.create()
	case token.ALTER:
		return p.alter()
	case token.DROP:
		return p.drop()
	case token.RENAME:
		return p.renameTable()
	case token.TRUNCATE:
		return p.truncateTable()
	case token.IMPORT:
		return p.importTable()
	}
	p.fail()
	return nil
}

func (p *parser) queryStatement() ast.Statement { return p.query() }
