package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// statementEnd reads a statement and its end. A text without one gives nil. It returns where the
// next statement starts.
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
	start := p.tok.From
	switch p.tok.Kind {
	case token.SELECT, token.VALUES, token.TABLE, '(':
		return p.topQuery(start, nil)
	case token.WITH:
		p.failIf(p.peek() == token.ROLLUP)
		return p.withStatement()
	case token.INSERT, token.REPLACE:
		return p.insert()
	case token.UPDATE:
		return p.update(start, nil)
	case token.DELETE:
		return p.delete(start, nil)
	case token.LOAD:
		return p.load()
	case token.CALL:
		return p.callStatement()
	case token.DO:
		return p.do()
	case token.HANDLER:
		return p.handler()
	}
	if s := p.sessionStatement(); s != nil {
		return s
	}
	if s := p.definition(); s != nil {
		return s
	}
	return p.administration()
}

// sessionStatement reads statements about the session and its transaction, or returns nil.
func (p *parser) sessionStatement() ast.Statement {
	start := p.tok.From
	switch p.tok.Kind {
	case token.SET:
		return p.set()
	case token.BEGIN:
		return p.begin()
	case token.COMMIT, token.ROLLBACK:
		return p.endTransaction()
	case token.SAVEPOINT:
		return p.setSavepoint()
	case token.RELEASE:
		return p.releaseSavepoint()
	case token.START, token.STOP:
		stop := p.is(token.STOP)
		p.next()
		if !stop && p.is(token.TRANSACTION) {
			return p.startTransaction(start)
		}
		return p.startReplica(start, stop)
	case token.PREPARE:
		return p.prepare()
	case token.EXECUTE:
		return p.execute()
	case token.DEALLOCATE:
		p.next()
		return p.deallocate(start)
	case token.XA:
		return p.xa()
	case token.LOCK:
		return p.lockTables()
	case token.UNLOCK:
		return p.unlock()
	case token.USE:
		return p.use()
	case token.DESC, token.DESCRIBE:
		return p.explain()
	}
	return nil
}

// definition reads statements that define objects, or returns nil.
func (p *parser) definition() ast.Statement {
	switch p.tok.Kind {
	case token.CREATE:
		return p.create()
	case token.ALTER:
		return p.alter()
	case token.DROP:
		return p.drop()
	case token.RENAME:
		return p.renameStatement()
	case token.TRUNCATE:
		return p.truncateTable()
	case token.IMPORT:
		return p.importTable()
	case token.GRANT, token.REVOKE:
		return p.grant()
	}
	return nil
}

// administration reads statements about the server, its logs and its replicas.
func (p *parser) administration() ast.Statement {
	switch p.tok.Kind {
	case token.SHOW:
		return p.show()
	case token.HELP:
		return p.help()
	case token.GET:
		return p.getDiagnostics()
	case token.SIGNAL, token.RESIGNAL:
		return p.signal()
	case token.FLUSH:
		return p.flush()
	case token.KILL:
		return p.kill()
	case token.SHUTDOWN, token.RESTART:
		return p.shutdown()
	case token.RESET:
		return p.reset()
	case token.ANALYZE, token.CHECK, token.CHECKSUM, token.OPTIMIZE, token.REPAIR:
		return p.maintain()
	case token.CACHE:
		return p.cacheIndex()
	case token.INSTALL, token.UNINSTALL:
		return p.install()
	case token.CLONE:
		return p.clone()
	case token.BINLOG:
		return p.binlog()
	case token.PURGE:
		return p.purge()
	case token.BACKUP:
		return p.backup()
	case token.CHANGE:
		return p.change()
	}
	p.fail()
	return nil
}
