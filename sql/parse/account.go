package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// account reads 'user'@'host', a user without host, or CURRENT_USER.
func (p *parser) account() *ast.Account {
	a := &ast.Account{}
	start := p.tok.From
	if p.accept(token.CURRENT_USER) {
		a.Current = true
		if p.accept('(') {
			p.expect(')')
		}
	} else {
		a.User = p.textName()
		if p.accept('@') {
			a.Host = p.textName()
		}
	}
	a.Span = p.from(start)
	return a
}

func (p *parser) accounts() []ast.Account {
	return list(p, func() ast.Account { return *p.account() })
}

// role reads the name of a role.
func (p *parser) role() ast.Account {
	a := ast.Account{User: p.roleName()}
	if p.accept('@') {
		a.Host = p.textName()
	}
	a.Span = p.from(a.User.From)
	return a
}

// definer reads [DEFINER = account].
func (p *parser) definer() *ast.Account {
	if !p.accept(token.DEFINER) {
		return nil
	}
	p.expect('=')
	return p.account()
}

// createUser reads CREATE USER behind the word CREATE.
func (p *parser) createUser(start uint32) *ast.CreateUser {
	p.next()
	c := &ast.CreateUser{IfExists: p.ifNotExists()}
	c.Users = list(p, p.newUser)
	if p.accept(token.DEFAULT) {
		p.expect(token.ROLE)
		from := p.tok.From
		c.DefaultRole = &ast.RoleSet{Roles: list(p, p.role)}
		c.DefaultRole.Span = p.from(from)
	}
	p.userOptions(c)
	c.Span = p.from(start)
	return c
}

// maxFactors is how many factors an account can have.
const maxFactors = 3

// newUser reads an account of CREATE USER and how it proves itself.
func (p *parser) newUser() ast.UserSpec {
	u := ast.UserSpec{}
	start := p.tok.From
	u.Account = p.account()
	if p.is(token.IDENTIFIED) {
		u.Auth = []ast.AuthFactor{*p.authFactor()}
	} else if p.is(token.AND) { // reads like a second factor, and is one more for the default plugin
		u.Auth = []ast.AuthFactor{{}}
	}
	for len(u.Auth) > 0 && len(u.Auth) < maxFactors && p.accept(token.AND) {
		u.Auth = append(u.Auth, *p.authFactor())
	}
	if len(u.Auth) == 1 && u.Auth[0].Plugin.Given() && u.Auth[0].Kind == ast.AuthNone && p.accept(token.INITIAL) {
		p.expect(token.AUTHENTICATION)
		u.Initial = p.initialFactor()
	}
	u.Span = p.from(start)
	return u
}

// initialFactor reads the factor of INITIAL AUTHENTICATION: a password, or a plugin with the hash
// of one.
func (p *parser) initialFactor() *ast.AuthFactor {
	f := &ast.AuthFactor{Span: p.tok.Span}
	p.expect(token.IDENTIFIED)
	if p.accept(token.WITH) {
		f.Plugin = p.textName()
		p.expect(token.AS)
		p.authHash(f)
	} else {
		p.authPassword(f)
	}
	f.To = p.end
	return f
}

// authFactor reads IDENTIFIED [WITH plugin] with a secret.
func (p *parser) authFactor() *ast.AuthFactor {
	f := &ast.AuthFactor{}
	start := p.tok.From
	p.expect(token.IDENTIFIED)
	if p.accept(token.WITH) {
		f.Plugin = p.textName()
		if p.accept(token.AS) {
			p.authHash(f)
		} else if p.is(token.BY) {
			p.authPassword(f)
		}
	} else {
		p.authPassword(f)
	}
	f.Span = p.from(start)
	return f
}

// authHash reads the hash behind AS.
func (p *parser) authHash(f *ast.AuthFactor) {
	if f.Kind = ast.AuthAs; p.is(token.HexNum) {
		f.Text = p.numberLiteral()
		return
	}
	f.Text = p.stringLiteral()
}

// authPassword reads BY 'password' or BY RANDOM PASSWORD.
func (p *parser) authPassword(f *ast.AuthFactor) {
	p.expect(token.BY)
	if p.accept(token.RANDOM) {
		p.expect(token.PASSWORD)
		f.Kind = ast.AuthRandom
		return
	}
	f.Kind, f.Text = ast.AuthBy, p.stringLiteral()
}

// changedFactor reads the first factor of ALTER USER, which may name the current password.
func (p *parser) changedFactor() *ast.AuthFactor {
	f := p.authFactor()
	if f.Kind == ast.AuthBy || f.Kind == ast.AuthRandom {
		f.Replace = p.replacePassword()
	}
	if f.Kind != ast.AuthNone {
		f.Retain = p.retainPassword()
	}
	f.Span = p.from(f.From)
	return f
}

// replacePassword reads [REPLACE 'current password'].
func (p *parser) replacePassword() *ast.Literal {
	if !p.accept(token.REPLACE) {
		return nil
	}
	return p.stringLiteral()
}

// retainPassword reads [RETAIN CURRENT PASSWORD].
func (p *parser) retainPassword() bool {
	if !p.accept(token.RETAIN) {
		return false
	}
	p.expect(token.CURRENT, token.PASSWORD)
	return true
}

// userOptions reads what follows the accounts of CREATE USER and ALTER USER.
func (p *parser) userOptions(c *ast.CreateUser) {
	if p.is(token.REQUIRE) {
		c.Require = p.require()
	}
	if p.accept(token.WITH) {
		c.Resources = []ast.AccountOption{p.resource()}
		for p.startsResource() {
			c.Resources = append(c.Resources, p.resource())
		}
	}
	for p.oneOf(token.ACCOUNT, token.PASSWORD, token.FAILED_LOGIN_ATTEMPTS, token.PASSWORD_LOCK_TIME) {
		c.Options = append(c.Options, p.accountOption())
	}
	switch {
	case p.accept(token.COMMENT):
		c.Comment = p.stringLiteral()
	case p.accept(token.ATTRIBUTE):
		c.Attribute = p.stringLiteral()
	}
}

// require reads REQUIRE.
func (p *parser) require() *ast.Require {
	r := &ast.Require{}
	start := p.tok.From
	p.next()
	switch {
	case p.accept(token.NONE):
	case p.accept(token.SSL):
		r.Kind = ast.RequireTLS
	case p.accept(token.X509):
		r.Kind = ast.RequireX509
	default:
		r.Kind = ast.RequireSpecified
		for p.requirement(r); p.accept(token.AND) || p.oneOf(token.SUBJECT, token.ISSUER, token.CIPHER); {
			p.requirement(r)
		}
	}
	r.Span = p.from(start)
	return r
}

func (p *parser) requirement(r *ast.Require) {
	target := map[token.Kind]**ast.Literal{token.SUBJECT: &r.Subject, token.ISSUER: &r.Issuer,
		token.CIPHER: &r.Cipher}[p.tok.Kind]
	p.failIf(target == nil)
	p.next()
	r.Repeated = r.Repeated || *target != nil
	*target = p.stringLiteral()
}

var resources = map[token.Kind]ast.AccountOptionKind{token.MAX_QUERIES_PER_HOUR: ast.MaxQueriesPerHour,
	token.MAX_UPDATES_PER_HOUR: ast.MaxUpdatesPerHour, token.MAX_CONNECTIONS_PER_HOUR: ast.MaxConnectionsPerHour,
	token.MAX_USER_CONNECTIONS: ast.MaxUserConnections}

func (p *parser) startsResource() bool {
	_, ok := resources[p.tok.Kind]
	return ok
}

func (p *parser) resource() ast.AccountOption {
	start := p.tok.From
	kind, ok := resources[p.tok.Kind]
	if !ok {
		p.fail()
	}
	p.next()
	o := ast.AccountOption{Kind: kind, Number: p.smallNumber()}
	o.Span = p.from(start)
	return o
}

// accountOption reads ACCOUNT and PASSWORD options.
func (p *parser) accountOption() ast.AccountOption {
	o := ast.AccountOption{}
	start := p.tok.From
	switch {
	case p.accept(token.ACCOUNT):
		o.Kind = ast.AccountLock
		if !p.accept(token.LOCK) {
			p.expect(token.UNLOCK)
			o.Kind = ast.AccountUnlock
		}
	case p.accept(token.FAILED_LOGIN_ATTEMPTS):
		o.Kind, o.Number = ast.FailedLoginAttempts, p.wholeNumber()
	case p.accept(token.PASSWORD_LOCK_TIME):
		o.Kind = ast.PasswordLockTime
		if !p.accept(token.UNBOUNDED) {
			o.Number = p.wholeNumber()
		}
	default:
		p.next()
		p.passwordOption(&o)
	}
	o.Span = p.from(start)
	return o
}

// passwordOption reads what follows PASSWORD.
func (p *parser) passwordOption(o *ast.AccountOption) {
	switch {
	case p.accept(token.EXPIRE):
		p.passwordExpire(o)
	case p.accept(token.HISTORY):
		o.Kind = ast.PasswordHistory
		if !p.accept(token.DEFAULT) {
			o.Number = p.wholeNumber()
		}
	case p.accept(token.REUSE):
		p.expect(token.INTERVAL)
		o.Kind = ast.PasswordReuse
		if !p.accept(token.DEFAULT) {
			o.Number = p.wholeNumber()
			p.expect(token.DAY)
		}
	default:
		p.expect(token.REQUIRE, token.CURRENT)
		switch {
		case p.accept(token.OPTIONAL):
			o.Kind = ast.PasswordRequireOptional
		case p.accept(token.DEFAULT):
			o.Kind = ast.PasswordRequireDefault
		default:
			o.Kind = ast.PasswordRequireCurrent
		}
	}
}

func (p *parser) passwordExpire(o *ast.AccountOption) {
	switch {
	case p.accept(token.INTERVAL):
		o.Kind, o.Number = ast.PasswordExpireInterval, p.wholeNumber()
		p.expect(token.DAY)
	case p.accept(token.NEVER):
		o.Kind = ast.PasswordExpireNever
	case p.accept(token.DEFAULT):
		o.Kind = ast.PasswordExpireDefault
	default:
		o.Kind = ast.PasswordExpire
	}
}
