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
		return p.renameStatement()
	case token.TRUNCATE:
		return p.truncateTable()
	case token.IMPORT:
		return p.importTable()
	case token.SHOW:
		return p.show()
	case token.DESC, token.DESCRIBE:
		return p.explain()
	case token.HELP:
		return p.help()
	case token.USE:
		return p.use()
	case token.GET:
		return p.getDiagnostics()
	case token.SIGNAL, token.RESIGNAL:
		return p.signal()
	case token.GRANT, token.REVOKE:
		return p.grant()
	case token.XA:
		return p.xa()
	}
	return p.administration()
}

// administration reads statements about the server, its logs and its replicas.
func (p *parser) administration() ast.Statement {
	switch p.tok.Kind {
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
	case token.LOCK:
		return p.lockTables()
	case token.UNLOCK:
		return p.unlock()
	case token.CHANGE:
		return p.change()
	case token.START, token.STOP:
		start, stop := p.tok.From, p.is(token.STOP)
		p.next()
		return p.startReplica(start, stop)
	case token.SET:
		start := p.tok.From
		p.next()
		if s := p.setAccount(start); s != nil {
			return s
		}
	case token.LOAD:
		start := p.tok.From
		p.next()
		return p.loadIndex(start)
	}
	p.fail()
	return nil
}

func (p *parser) queryStatement() ast.Statement { return p.query() }
