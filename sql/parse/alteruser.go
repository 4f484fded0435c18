package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// alterUser reads ALTER USER behind the word ALTER.
func (p *parser) alterUser(start uint32) *ast.CreateUser {
	p.next()
	c := &ast.CreateUser{Alter: true, IfExists: p.ifExists()}
	u := p.alteredUser()
	c.Users = []ast.UserSpec{u}
	named := u.Account != nil
	plain := named && u.Auth == nil && !u.Discard && u.Changes == nil
	switch {
	case (plain || !named && u.Auth == nil && !u.Discard) && p.oneOf(token.Int, token.HexNum):
		c.Registration = p.registration()
	case plain && p.accept(token.DEFAULT):
		p.expect(token.ROLE)
		c.DefaultRole = p.roleSet(false)
	case named:
		for p.accept(',') {
			u := p.alteredUser()
			p.failIf(u.Account == nil)
			c.Users = append(c.Users, u)
		}
		p.userOptions(c)
	}
	c.Span = p.from(start)
	return c
}

// alteredUser reads an account of ALTER USER and how it is to prove itself.
func (p *parser) alteredUser() ast.UserSpec {
	u := ast.UserSpec{}
	start := p.tok.From
	if p.isTwo(token.USER, '(') {
		p.next()
		p.expect('(', ')')
		p.ownPassword(&u)
		u.Span = p.from(start)
		return u
	}
	u.Account = p.account()
	switch p.tok.Kind {
	case token.IDENTIFIED:
		u.Auth = []ast.AuthFactor{*p.changedFactor()}
	case token.DISCARD:
		p.discardPassword(&u)
	case token.ADD, token.MODIFY, token.DROP:
		p.factorChanges(&u)
	}
	u.Span = p.from(start)
	return u
}

// ownPassword reads what ALTER USER USER() changes.
func (p *parser) ownPassword(u *ast.UserSpec) {
	switch p.tok.Kind {
	case token.IDENTIFIED:
		if p.peek() == token.WITH {
			p.next()
			p.fail()
		}
		u.Auth = []ast.AuthFactor{*p.changedFactor()}
	case token.DISCARD:
		p.discardPassword(u)
	case token.Int, token.HexNum:
	default:
		p.fail()
	}
}

func (p *parser) discardPassword(u *ast.UserSpec) {
	p.next()
	p.expect(token.OLD, token.PASSWORD)
	u.Discard = true
}

// factorChanges reads one or two changes of factors, which are of one kind.
func (p *parser) factorChanges(u *ast.UserSpec) {
	word := p.tok.Kind
	for len(u.Changes) < maxFactors-1 && p.is(word) {
		c := ast.FactorChange{Verb: map[token.Kind]ast.FactorVerb{token.ADD: ast.AddFactor,
			token.MODIFY: ast.ModifyFactor, token.DROP: ast.DropFactor}[word]}
		start := p.tok.From
		p.next()
		c.Factor = p.factor()
		if word != token.DROP {
			c.Auth = p.authFactor()
		}
		c.Span = p.from(start)
		u.Changes = append(u.Changes, c)
	}
}

// factor reads n FACTOR.
func (p *parser) factor() string {
	n := p.numberOf(token.Int)
	p.expect(token.FACTOR)
	return n
}

// registration reads a step of the registration of a factor's device.
func (p *parser) registration() *ast.FactorRegistration {
	r := &ast.FactorRegistration{}
	start := p.tok.From
	r.Factor = p.factor()
	switch {
	case p.accept(token.INITIATE):
		p.expect(token.REGISTRATION)
	case p.accept(token.UNREGISTER):
		r.Verb = ast.Unregister
	default:
		p.expect(token.FINISH, token.REGISTRATION, token.SET, token.CHALLENGE_RESPONSE, token.AS)
		r.Verb = ast.FinishRegistration
		r.Response = p.stringLiteral()
	}
	r.Span = p.from(start)
	return r
}

// roleSet reads roles, or the words for sets of them.
func (p *parser) roleSet(active bool) *ast.RoleSet {
	r := &ast.RoleSet{}
	start := p.tok.From
	switch {
	case p.accept(token.NONE):
		r.Kind = ast.RoleNone
	case active && p.accept(token.DEFAULT):
		r.Kind = ast.RoleDefault
	case p.accept(token.ALL):
		r.Kind = ast.RoleAll
		if active && p.accept(token.EXCEPT) {
			r.Kind, r.Roles = ast.RoleAllExcept, list(p, p.role)
		}
	default:
		r.Roles = list(p, p.role)
	}
	r.Span = p.from(start)
	return r
}

// setAccount reads SET PASSWORD, SET ROLE, SET DEFAULT ROLE and SET RESOURCE GROUP behind the word
// SET, or returns nil.
func (p *parser) setAccount(start uint32) ast.Statement {
	switch p.tok.Kind {
	case token.PASSWORD:
		if p.peek() == '.' {
			return nil
		}
		return p.setPassword(start)
	case token.DEFAULT:
		if p.peek() != token.ROLE {
			return nil
		}
		p.expect(token.DEFAULT, token.ROLE)
		s := &ast.SetRole{Roles: p.roleSet(false)}
		p.expect(token.TO)
		s.To = list(p, p.role)
		s.Span = p.from(start)
		return s
	case token.RESOURCE:
		if p.peek() == token.GROUP {
			return p.setResourceGroup(start)
		}
	case token.ROLE:
		switch p.peek() {
		case '=', token.Assign, '.':
			return nil
		}
		p.next()
		s := &ast.SetRole{Roles: p.roleSet(true)}
		s.Span = p.from(start)
		return s
	}
	return nil
}

// setPassword reads SET PASSWORD from PASSWORD on.
func (p *parser) setPassword(start uint32) *ast.SetPassword {
	p.next()
	s := &ast.SetPassword{}
	if p.accept(token.FOR) {
		s.For = p.account()
	}
	if p.accept(token.TO) {
		p.expect(token.RANDOM)
	} else {
		if !p.accept(token.Assign) {
			p.expect('=')
		}
		s.Password = p.stringLiteral()
	}
	s.Replace = p.replacePassword()
	s.Retain = p.retainPassword()
	s.Span = p.from(start)
	return s
}

// dropUser reads DROP USER and DROP ROLE behind the word DROP.
func (p *parser) dropUser(start uint32) *ast.DropUser {
	d := &ast.DropUser{Role: p.is(token.ROLE)}
	p.next()
	d.IfExists = p.ifExists()
	if d.Role {
		d.Users = list(p, p.role)
	} else {
		d.Users = p.accounts()
	}
	d.Span = p.from(start)
	return d
}

// createRole reads CREATE ROLE behind the word CREATE.
func (p *parser) createRole(start uint32) *ast.CreateRole {
	p.next()
	c := &ast.CreateRole{IfNotExists: p.ifNotExists()}
	c.Roles = list(p, p.role)
	c.Span = p.from(start)
	return c
}

// renameUser reads RENAME USER from USER on.
func (p *parser) renameUser(start uint32) *ast.RenameUser {
	p.next()
	r := &ast.RenameUser{Renames: list(p, func() ast.AccountRename {
		a := ast.AccountRename{From: p.account()}
		p.expect(token.TO)
		a.To = p.account()
		a.Span = p.from(a.From.From)
		return a
	})}
	r.Span = p.from(start)
	return r
}
