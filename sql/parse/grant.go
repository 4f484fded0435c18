package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// grant reads GRANT and REVOKE.
func (p *parser) grant() *ast.Grant {
	g := &ast.Grant{Revoke: p.is(token.REVOKE)}
	start := p.tok.From
	p.next()
	g.IfExists = g.Revoke && p.ifExists()
	switch {
	case p.is(token.PROXY):
		p.next()
		p.expect(token.ON)
		g.Kind, g.Proxy = ast.GrantProxy, p.account()
		p.grantTo(g)
	case p.accept(token.ALL):
		p.accept(token.PRIVILEGES)
		if !g.Revoke || !p.accept(',') {
			p.grantOn(g)
			break
		}
		p.expect(token.GRANT, token.OPTION)
		p.grantTo(g)
	default:
		items := list(p, p.grantItem)
		if p.is(token.ON) {
			g.Privileges = p.privileges(items)
			p.grantOn(g)
			break
		}
		g.Kind = ast.GrantRoles
		p.grantTo(g)
		g.Roles = p.roles(items)
	}
	g.Span = p.from(start)
	return g
}

// grantItem is a privilege or a role: which of them shows later.
type grantItem struct {
	privilege ast.Privilege
	role      ast.Account
}

// privilegeWords are static privileges by their words.
var privilegeWords = map[token.Kind][]token.Kind{token.ALTER: {token.ROUTINE}, token.CREATE: {token.ROUTINE, token.ROLE,
	token.TABLESPACE, token.TEMPORARY, token.USER, token.VIEW}, token.DELETE: nil, token.DROP: {token.ROLE},
	token.EVENT: nil, token.EXECUTE: nil, token.FILE: nil, token.GRANT: {token.OPTION}, token.INDEX: nil,
	token.INSERT: nil, token.LOCK: {token.TABLES}, token.PROCESS: nil, token.REFERENCES: nil, token.RELOAD: nil,
	token.REPLICATION: {token.CLIENT, token.SLAVE}, token.SELECT: nil, token.SHOW: {token.DATABASES, token.VIEW},
	token.SHUTDOWN: nil, token.SUPER: nil, token.TRIGGER: nil, token.UPDATE: nil, token.USAGE: nil}

// grantItem reads a privilege with its columns, or a role.
func (p *parser) grantItem() grantItem {
	start := p.tok.From
	words, static := privilegeWords[p.tok.Kind]
	if !static || p.startsRole() {
		i := grantItem{role: p.role()}
		i.privilege = ast.Privilege{Name: i.role.User.Name, Dynamic: true}
		if !i.role.Host.Given() {
			i.privilege.Columns = p.columnNames()
		}
		i.privilege.Span = p.from(start)
		return i
	}
	i := grantItem{privilege: ast.Privilege{Name: p.privilegeName(words)}}
	switch i.privilege.Name {
	case "SELECT", "INSERT", "UPDATE", "REFERENCES":
		i.privilege.Columns = p.columnNames()
	}
	i.privilege.Span = p.from(start)
	return i
}

// startsRole reports whether the current word, which could begin a privilege, is the name of a
// role.
func (p *parser) startsRole() bool { return p.tok.Kind.IsRole() && p.peek() == '@' }

// privilegeName reads a static privilege and returns it in capitals.
func (p *parser) privilegeName(words []token.Kind) string {
	first := p.tok.Kind
	p.next()
	name := first.String()
	if first == token.SUPER {
		p.warn(1287, "The SUPER privilege identifier is deprecated")
	}
	for _, second := range words {
		if p.accept(second) {
			name += " " + second.String()
			if second == token.TEMPORARY {
				p.expect(token.TABLES)
				name += " TABLES"
			}
			return name
		}
	}
	switch first {
	case token.GRANT, token.LOCK, token.REPLICATION, token.SHOW:
		p.fail() // no privileges without a second word
	}
	return name
}

// privileges takes items for privileges.
func (p *parser) privileges(items []grantItem) []ast.Privilege {
	out := make([]ast.Privilege, len(items))
	for i := range items {
		if items[i].role.Host.Given() {
			p.laterNear(items[i].role.Pos(), "Illegal privilege identifier")
		}
		out[i] = items[i].privilege
	}
	return out
}

// roles takes items for roles.
func (p *parser) roles(items []grantItem) []ast.Account {
	out := make([]ast.Account, len(items))
	for i := range items {
		if x := &items[i].privilege; !x.Dynamic || len(x.Columns) > 0 {
			p.failNear(x.Pos(), "Illegal authorization identifier")
		}
		out[i] = items[i].role
	}
	return out
}

// grantOn reads ON with what privileges are for, and what follows.
func (p *parser) grantOn(g *ast.Grant) {
	p.expect(token.ON)
	g.On = p.grantLevel()
	p.grantTo(g)
	switch g.On.Object {
	case ast.GrantOnFunction, ast.GrantOnProcedure, ast.GrantOnLibrary:
		for i := range g.Privileges {
			p.failIf(len(g.Privileges[i].Columns) > 0)
		}
	}
}

var grantObjects = map[token.Kind]ast.GrantObject{token.TABLE: ast.GrantOnTableWord, token.FUNCTION: ast.GrantOnFunction,
	token.PROCEDURE: ast.GrantOnProcedure, token.LIBRARY: ast.GrantOnLibrary}

func (p *parser) grantLevel() *ast.GrantLevel {
	l := &ast.GrantLevel{}
	start := p.tok.From
	if o, ok := grantObjects[p.tok.Kind]; ok && (!p.tok.Kind.IsIdent() || p.peek() != token.TO && p.peek() != '.') {
		p.next()
		l.Object = o
	}
	switch {
	case p.accept('*'):
		l.All = true
		if p.accept('.') {
			p.expect('*')
			l.AllSchema = true
		}
	default:
		l.Name.Name = p.ident()
		if p.accept('.') {
			l.Name.Schema, l.Name.Name = l.Name.Name, ast.Ident{}
			if l.All = p.accept('*'); !l.All {
				l.Name.Name = p.ident()
			}
		}
		l.Name.Span = p.from(start)
		if l.Name.Name.Given() {
			l.Name.From = l.Name.Name.From
		}
		if l.Name.Schema.Given() {
			l.Name.From = l.Name.Schema.From
		}
	}
	l.Span = p.from(start)
	return l
}

// grantTo reads TO or FROM with the accounts, and what follows.
func (p *parser) grantTo(g *ast.Grant) {
	if g.Revoke {
		p.expect(token.FROM)
		g.To = p.grantees()
		if p.accept(token.IGNORE) {
			p.expect(token.UNKNOWN, token.USER)
			g.IgnoreUnknown = true
		}
		return
	}
	p.expect(token.TO)
	g.To = p.grantees()
	if p.accept(token.WITH) {
		if g.Kind == ast.GrantRoles {
			p.expect(token.ADMIN)
		} else {
			p.expect(token.GRANT)
		}
		p.expect(token.OPTION)
		g.Option = true
	}
	if g.Kind == ast.GrantPrivileges && p.is(token.AS) {
		g.As = p.grantAs()
	}
}

// grantees reads the accounts of GRANT and REVOKE. MySQL looks at the names of privileges when it
// has read them.
func (p *parser) grantees() []ast.Account {
	accounts := p.accounts()
	if p.noted != nil {
		panic(bailout{p.noted})
	}
	return accounts
}

// grantAs reads AS user [WITH ROLE roles].
func (p *parser) grantAs() *ast.GrantAs {
	a := &ast.GrantAs{}
	p.next()
	start := p.tok.From
	a.User = p.account()
	if p.accept(token.WITH) {
		p.expect(token.ROLE)
		a.Roles = p.roleSet(true)
	}
	a.Span = p.from(start)
	return a
}
