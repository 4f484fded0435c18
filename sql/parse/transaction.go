package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// begin reads BEGIN [WORK].
func (p *parser) begin() ast.Statement {
	n := &ast.Begin{Span: p.tok.Span}
	p.next()
	p.accept(token.WORK)
	n.To = p.end
	return n
}

// startTransaction reads START TRANSACTION with its characteristics.
func (p *parser) startTransaction(start uint32) ast.Statement {
	n := &ast.Begin{Start: true}
	p.expect(token.TRANSACTION)
	var only, write bool
	for more := p.oneOf(token.WITH, token.READ); more; more = p.accept(',') {
		if p.accept(token.WITH) {
			p.expect(token.CONSISTENT, token.SNAPSHOT)
			n.Snapshot = true
			continue
		}
		n.Access = p.accessMode()
		only, write = only || n.Access == ast.ReadOnly, write || n.Access == ast.ReadWrite
	}
	p.failIf(only && write)
	n.Span = p.from(start)
	return n
}

// endTransaction reads COMMIT or ROLLBACK, also ROLLBACK TO.
func (p *parser) endTransaction() ast.Statement {
	n := &ast.EndTransaction{Span: p.tok.Span, Rollback: p.is(token.ROLLBACK)}
	p.next()
	p.accept(token.WORK)
	if n.Rollback && p.accept(token.TO) {
		p.accept(token.SAVEPOINT)
		return p.savepoint(n.From, ast.RollbackToSavepoint)
	}
	if p.accept(token.AND) {
		n.Chain = p.choice(token.CHAIN)
	}
	switch {
	case p.accept(token.NO):
		p.expect(token.RELEASE)
		n.Release = ast.Refused
	case n.Chain != ast.Chosen && p.accept(token.RELEASE):
		n.Release = ast.Chosen
	}
	n.To = p.end
	return n
}

// choice reads [NO] word.
func (p *parser) choice(word token.Kind) ast.Choice {
	c := ast.Chosen
	if p.accept(token.NO) {
		c = ast.Refused
	}
	p.expect(word)
	return c
}

// savepoint reads the name of a savepoint.
func (p *parser) savepoint(start uint32, action ast.SavepointAction) ast.Statement {
	n := &ast.Savepoint{Action: action, Name: p.ident()}
	n.Span = p.from(start)
	return n
}

func (p *parser) setSavepoint() ast.Statement {
	start := p.tok.From
	p.next()
	return p.savepoint(start, ast.SetSavepoint)
}

func (p *parser) releaseSavepoint() ast.Statement {
	start := p.tok.From
	p.expect(token.RELEASE, token.SAVEPOINT)
	return p.savepoint(start, ast.ReleaseSavepoint)
}
