package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// createStored reads CREATE of accounts, routines, triggers and events.
func (p *parser) createStored(start uint32) ast.Statement {
	switch p.tok.Kind {
	case token.USER:
		return p.createUser(start)
	case token.ROLE:
		return p.createRole(start)
	}
	if p.oneOf(token.FUNCTION, token.AGGREGATE) {
		l := &ast.CreateLoadable{Aggregate: p.accept(token.AGGREGATE)}
		p.expect(token.FUNCTION)
		l.IfNotExists = p.ifNotExists()
		l.Name = p.ident()
		return p.createLoadable(start, l)
	}
	p.fail()
	return nil
}

// alterStored reads ALTER of accounts, routines and events.
func (p *parser) alterStored(start uint32) ast.Statement {
	if p.is(token.USER) {
		return p.alterUser(start)
	}
	p.fail()
	return nil
}

// dropStored reads DROP of accounts, routines, triggers and events.
func (p *parser) dropStored(start uint32) ast.Statement {
	if p.oneOf(token.USER, token.ROLE) {
		return p.dropUser(start)
	}
	p.fail()
	return nil
}

// createProgram reads CREATE of a routine, a trigger or an event behind its definer.
func (p *parser) createProgram(start uint32, definer *ast.Account) ast.Statement {
	p.fail()
	return nil
}

// alterEvent reads ALTER EVENT behind its definer.
func (p *parser) alterEvent(start uint32, definer *ast.Account) ast.Statement {
	p.fail()
	return nil
}
