package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// create reads a statement that starts with CREATE.
func (p *parser) create() ast.Statement {
	start := p.tok.From
	p.next()
	switch p.tok.Kind {
	case token.TABLE, token.TEMPORARY, token.EXTERNAL:
		return p.createTable(start)
	case token.INDEX, token.UNIQUE, token.FULLTEXT:
		return p.createIndex(start)
	case token.SPATIAL:
		if p.peek() == token.REFERENCE {
			return p.createReferenceSystem(start, false)
		}
		return p.createIndex(start)
	case token.DATABASE:
		return p.createDatabase(start)
	case token.TABLESPACE, token.UNDO, token.LOGFILE:
		return p.tablespace(start, ast.TablespaceCreate)
	case token.SERVER:
		return p.createServer(start, false)
	case token.RESOURCE:
		return p.resourceGroup(start, ast.CreateObject)
	case token.MATERIALIZED, token.JSON, token.VIEW, token.ALGORITHM:
		return p.createView(start, &ast.CreateView{})
	case token.SQL:
		return p.viewTail(start, &ast.CreateView{})
	case token.MASKING:
		return p.maskingPolicy(start)
	case token.DEFINER:
		return p.createDefined(start)
	case token.OR:
		p.next()
		p.expect(token.REPLACE)
		if p.is(token.SPATIAL) {
			return p.createReferenceSystem(start, true)
		}
		return p.createView(start, &ast.CreateView{OrReplace: true})
	}
	return p.createStored(start)
}

// createDefined reads CREATE DEFINER = account of a view, a routine, a trigger or an event from
// DEFINER on.
func (p *parser) createDefined(start uint32) ast.Statement {
	definer := p.definer()
	if p.oneOf(token.SQL, token.VIEW, token.JSON) {
		return p.viewTail(start, &ast.CreateView{Definer: definer})
	}
	return p.createProgram(start, definer)
}

// alterDefined reads ALTER DEFINER = account of a view or an event from DEFINER on.
func (p *parser) alterDefined(start uint32) ast.Statement {
	definer := p.definer()
	if p.oneOf(token.SQL, token.VIEW, token.JSON) {
		return p.viewTail(start, &ast.CreateView{Alter: true, Definer: definer})
	}
	return p.alterEvent(start, definer)
}

// alter reads a statement that starts with ALTER.
func (p *parser) alter() ast.Statement {
	start := p.tok.From
	p.next()
	switch p.tok.Kind {
	case token.TABLE:
		return p.alterTable(start)
	case token.DATABASE:
		return p.alterDatabase(start)
	case token.TABLESPACE, token.UNDO, token.LOGFILE:
		return p.tablespace(start, ast.TablespaceAlter)
	case token.SERVER:
		return p.createServer(start, true)
	case token.RESOURCE:
		return p.resourceGroup(start, ast.AlterObjectVerb)
	case token.INSTANCE:
		return p.alterInstance(start)
	case token.MATERIALIZED, token.JSON, token.VIEW, token.ALGORITHM:
		return p.createView(start, &ast.CreateView{Alter: true})
	case token.SQL:
		return p.viewTail(start, &ast.CreateView{Alter: true})
	case token.DEFINER:
		return p.alterDefined(start)
	}
	return p.alterStored(start)
}

// drop reads a statement that starts with DROP.
func (p *parser) drop() ast.Statement {
	start := p.tok.From
	p.next()
	switch p.tok.Kind {
	case token.TABLE, token.TABLES, token.TEMPORARY:
		return p.dropTable(start)
	case token.INDEX:
		return p.dropIndex(start)
	case token.VIEW:
		return p.dropView(start)
	case token.DATABASE:
		return p.dropDatabase(start)
	case token.TABLESPACE, token.UNDO, token.LOGFILE:
		return p.tablespace(start, ast.TablespaceDrop)
	case token.SERVER:
		return p.dropServer(start)
	case token.SPATIAL:
		return p.dropReferenceSystem(start)
	case token.RESOURCE:
		return p.resourceGroup(start, ast.DropObjectVerb)
	case token.MASKING:
		return p.dropMaskingPolicy(start)
	case token.PREPARE:
		return p.deallocate(start)
	}
	return p.dropStored(start)
}
