package parse

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// install reads INSTALL and UNINSTALL of a plugin or components.
func (p *parser) install() ast.Statement {
	start := p.tok.From
	uninstall := p.is(token.UNINSTALL)
	p.next()
	if p.accept(token.PLUGIN) {
		i := &ast.InstallPlugin{Uninstall: uninstall, Name: p.ident()}
		if !uninstall {
			p.expect(token.SONAME)
			i.Library = p.stringLiteral()
		}
		i.Span = p.from(start)
		return i
	}
	p.expect(token.COMPONENT)
	i := &ast.InstallComponent{Uninstall: uninstall, URNs: list(p, p.stringLiteral)}
	if !uninstall && p.accept(token.SET) {
		i.Set = list(p, p.componentSetting)
	}
	i.Span = p.from(start)
	return i
}

// componentValue reads ON, or an expression without queries.
func (p *parser) componentValue() ast.Expr {
	if p.is(token.ON) {
		return p.wordValue()
	}
	at := p.tok.Pos()
	x := p.expr()
	queries := false
	ast.Inspect(x, func(n ast.Node) bool {
		_, query := n.(*ast.Query)
		queries = queries || query
		return true
	})
	if queries {
		p.failAt(at)
	}
	return x
}

func (p *parser) componentSetting() ast.ComponentSetting {
	s := ast.ComponentSetting{}
	start := p.tok.From
	switch {
	case p.accept(token.GLOBAL):
		s.Scope = ast.GlobalScope
	case p.accept(token.PERSIST):
		s.Scope = ast.PersistScope
	}
	p.failIf(!p.tok.Kind.IsVariable())
	s.Name = p.take()
	if p.accept('.') {
		s.Component, s.Name = s.Name, p.ident()
		p.checkComponent(s.Component)
	}
	if !p.accept(token.Assign) {
		p.expect('=')
	}
	s.Value = p.componentValue()
	s.Span = p.from(start)
	return s
}

// createLoadable reads CREATE FUNCTION ... SONAME from behind its name.
func (p *parser) createLoadable(start uint32, l *ast.CreateLoadable) *ast.CreateLoadable {
	p.expect(token.RETURNS)
	switch {
	case p.accept(token.STRING):
	case p.accept(token.REAL):
		l.Returns = ast.ReturnsReal
	case p.accept(token.DECIMAL):
		l.Returns = ast.ReturnsDecimal
	default:
		p.expect(token.INT)
		l.Returns = ast.ReturnsInt
	}
	p.expect(token.SONAME)
	l.Library = p.stringLiteral()
	l.Span = p.from(start)
	return l
}

// clone reads CLONE LOCAL and CLONE INSTANCE.
func (p *parser) clone() *ast.Clone {
	c := &ast.Clone{}
	start := p.tok.From
	p.next()
	if p.accept(token.LOCAL) {
		p.expect(token.DATA, token.DIRECTORY)
		p.acceptEqual()
		c.Directory = p.stringLiteral()
		c.Span = p.from(start)
		return c
	}
	p.expect(token.INSTANCE, token.FROM)
	c.From = p.account()
	p.failIf(!p.is(':'))
	colon := p.tok
	apart := colon.From != p.end || p.peekToken(1).From != colon.To // no space may stand on either side
	p.next()
	c.Port = p.smallNumber()
	p.expect(token.IDENTIFIED, token.BY)
	c.Password = p.stringLiteral()
	if p.accept(token.DATA) {
		p.expect(token.DIRECTORY)
		p.acceptEqual()
		c.Directory = p.stringLiteral()
	}
	if p.accept(token.REQUIRE) {
		c.SSL = ast.RequireSSL
		if p.accept(token.NO) {
			c.SSL = ast.RequireNoSSL
		}
		p.expect(token.SSL)
	}
	if apart {
		p.failAt(colon.Pos())
	}
	c.Span = p.from(start)
	return c
}

// binlog reads BINLOG 'events'.
func (p *parser) binlog() *ast.Binlog {
	start := p.tok.From
	p.next()
	b := &ast.Binlog{Events: p.stringLiteral()}
	b.Span = p.from(start)
	return b
}

// purge reads PURGE BINARY LOGS.
func (p *parser) purge() *ast.Purge {
	u := &ast.Purge{}
	start := p.tok.From
	p.next()
	p.expect(token.BINARY, token.LOGS)
	if p.accept(token.TO) {
		u.To = p.stringLiteral()
	} else {
		p.expect(token.BEFORE)
		u.Before = p.expr()
		p.refuseQuery(u.Before)
	}
	u.Span = p.from(start)
	return u
}

// backupWords are the words behind BACKUP.
var backupWords = map[string]ast.BackupVerb{"BEGIN": ast.BackupBegin, "PAGES": ast.BackupPages, "LOG": ast.BackupLog,
	"FINISH": ast.BackupFinish, "END": ast.BackupEnd}

// backup reads BACKUP, which is no statement of MySQL's: BEGIN [format], PAGES 'id' since 'runs' [pages],
// LOG 'id', FINISH 'id', END 'id'.
func (p *parser) backup() *ast.Backup {
	start := p.tok.From
	p.next()
	verb, known := backupWords[strings.ToUpper(p.word())]
	p.failIf(!known)
	p.next()
	b := &ast.Backup{Verb: verb}
	switch {
	case verb != ast.BackupBegin:
		b.ID = p.stringLiteral()
	case p.tok.Kind == token.Int:
		b.Format = p.word()
		p.next()
	}
	if verb == ast.BackupPages {
		b.Since = p.word()
		p.expect(token.Int)
		b.Runs = p.stringLiteral()
		if p.tok.Kind == token.Int {
			b.Row = p.word()
			p.next()
		}
	}
	b.Span = p.from(start)
	return b
}

// refuseQuery ends the parse with the syntax error at the first parenthesis of a query inside x.
func (p *parser) refuseQuery(x ast.Expr) {
	var query ast.Node
	ast.Inspect(x, func(n ast.Node) bool {
		if _, ok := n.(*ast.Query); ok && query == nil {
			query = n
		}
		return query == nil
	})
	if query == nil {
		return
	}
	l, at := p.lex, query.Pos()
	l.Seek(x.Pos())
	parens := -1 // where the parentheses in front of the query begin
	for t := l.Next(); t.Pos() < at && t.Kind != token.EOF; t = l.Next() {
		if t.Kind != '(' {
			parens = -1
		} else if parens < 0 {
			parens = t.Pos()
		}
	}
	if parens >= 0 {
		at = parens
	}
	p.failAt(at)
}

// lockTables reads LOCK TABLES and LOCK INSTANCE.
func (p *parser) lockTables() ast.Statement {
	start := p.tok.From
	p.next()
	if p.accept(token.INSTANCE) {
		p.expect(token.FOR, token.BACKUP)
		return &ast.LockInstance{Span: p.from(start)}
	}
	p.tableWord()
	l := &ast.LockTables{Tables: list(p, p.lockedTable)}
	l.Span = p.from(start)
	return l
}

func (p *parser) lockedTable() ast.LockedTable {
	t := ast.LockedTable{Table: p.tableName()}
	t.Alias = p.tableAlias()
	switch {
	case p.accept(token.WRITE):
		t.Kind = ast.LockWrite
	default:
		p.expect(token.READ)
		if p.accept(token.LOCAL) {
			t.Kind = ast.LockReadLocal
		}
	}
	t.Span = p.from(t.Table.Span.From)
	return t
}

// unlock reads UNLOCK TABLES and UNLOCK INSTANCE.
func (p *parser) unlock() *ast.Unlock {
	start := p.tok.From
	p.next()
	u := &ast.Unlock{Instance: p.accept(token.INSTANCE)}
	if !u.Instance {
		p.tableWord()
	}
	u.Span = p.from(start)
	return u
}
