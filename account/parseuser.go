package account

func (p *parser) createUser() *CreateUser {
	s := &CreateUser{IfNotExists: p.accept("IF", "NOT", "EXISTS")}
	for {
		s.Specs = append(s.Specs, p.spec(false))
		if p.err != nil || !p.accept(",") {
			break
		}
	}
	if p.accept("DEFAULT", "ROLE") {
		s.Roles = p.roles()
	}
	p.options(&s.Options)
	return s
}

func (p *parser) alterUser() *AlterUser {
	s := &AlterUser{IfExists: p.accept("IF", "EXISTS")}
	if p.accept("USER", "(", ")") {
		s.Specs = []Spec{{Who: Who{Current: true}, Auth: p.auth(true)}}
		if s.Specs[0].Auth == nil {
			p.fail()
		}
		return s
	}
	for {
		s.Specs = append(s.Specs, p.spec(true))
		if p.err != nil || !p.accept(",") {
			break
		}
	}
	if len(s.Specs) == 1 && s.Specs[0].Auth == nil && p.accept("DEFAULT", "ROLE") {
		c := p.roleChoice(false)
		s.Roles = &c
		return s
	}
	p.options(&s.Options)
	return s
}

func (p *parser) setPassword() *AlterUser {
	s := &AlterUser{Set: true, Specs: []Spec{{Who: Who{Current: true}}}}
	if p.accept("FOR") {
		s.Specs[0].Who = p.who()
	}
	a := &Auth{Kind: AuthBy}
	if p.accept("TO", "RANDOM") {
		a.Kind = AuthRandom
	} else {
		p.expect("=")
		a.Password = p.text()
	}
	p.changing(a)
	s.Specs[0].Auth = a
	return s
}

func (p *parser) spec(alter bool) Spec {
	return Spec{Who: p.who(), Auth: p.auth(alter)}
}

// auth is the IDENTIFIED clause; nil if there is none.
func (p *parser) auth(alter bool) *Auth {
	if alter && p.accept("DISCARD", "OLD", "PASSWORD") {
		return &Auth{Kind: AuthDiscard}
	}
	if !p.accept("IDENTIFIED") {
		return nil
	}
	a := &Auth{}
	if p.accept("WITH") {
		a.Plugin = p.word()
	} else if !p.peek().is("BY") {
		p.fail()
	}
	switch {
	case p.accept("BY", "RANDOM", "PASSWORD"):
		a.Kind = AuthRandom
	case p.accept("BY"):
		a.Kind, a.Password = AuthBy, p.text()
	case p.accept("AS"):
		a.Kind, a.Hash = AuthAs, p.text()
	}
	if alter {
		p.changing(a)
	}
	return a
}

// changing is what may follow the new password of an account that exists.
func (p *parser) changing(a *Auth) {
	if (a.Kind == AuthBy || a.Kind == AuthRandom) && p.accept("REPLACE") {
		old := p.text()
		a.Replace = &old
	}
	if a.Kind != AuthPlugin && p.accept("RETAIN", "CURRENT", "PASSWORD") {
		a.Retain = true
	}
}

// options are what follows the accounts, in MySQL's order.
func (p *parser) options(o *Options) {
	if p.accept("REQUIRE") {
		o.Require = p.require()
	}
	if p.accept("WITH") {
		for more := true; more && p.err == nil; {
			if more = p.limit(o); !more && o.MaxQueries == nil && o.MaxUpdates == nil && o.MaxConnections == nil && o.MaxUserConnections == nil {
				p.fail()
			}
		}
	}
	for p.err == nil && (p.password(o) || p.locking(o)) {
	}
	switch {
	case p.accept("COMMENT"):
		c := p.text()
		o.Comment = &c
	case p.accept("ATTRIBUTE"):
		a := p.text()
		o.Attribute = &a
	}
}

func (p *parser) require() *Require {
	switch {
	case p.accept("NONE"):
		return &Require{}
	case p.accept("SSL"):
		return &Require{Kind: "ANY"}
	case p.accept("X509"):
		return &Require{Kind: "X509"}
	}
	r := &Require{Kind: "SPECIFIED"}
	for some := false; ; some = true {
		var to *string
		switch {
		case p.accept("SUBJECT"):
			to = &r.Subject
		case p.accept("ISSUER"):
			to = &r.Issuer
		case p.accept("CIPHER"):
			to = &r.Cipher
		default:
			if !some {
				p.fail()
			}
			return r
		}
		if *to != "" {
			p.refuse(1119, "Duplicate option used")
		}
		*to = p.text()
		p.accept("AND")
	}
}

func (p *parser) limit(o *Options) bool {
	for _, l := range []struct {
		word string
		to   **uint32
	}{{"MAX_QUERIES_PER_HOUR", &o.MaxQueries}, {"MAX_UPDATES_PER_HOUR", &o.MaxUpdates}, {"MAX_CONNECTIONS_PER_HOUR", &o.MaxConnections}, {"MAX_USER_CONNECTIONS", &o.MaxUserConnections}} {
		if p.accept(l.word) {
			n := uint32(p.number())
			*l.to = &n
			return true
		}
	}
	return false
}

// password is one of the PASSWORD options.
func (p *parser) password(o *Options) bool {
	if !p.peek().is("PASSWORD") {
		return false
	}
	p.next()
	switch {
	case p.accept("EXPIRE", "INTERVAL"):
		o.Expire = &Expire{Days: Setting{N: p.days(1)}}
	case p.accept("EXPIRE", "NEVER"):
		o.Expire = &Expire{}
	case p.accept("EXPIRE", "DEFAULT"):
		o.Expire = &Expire{Days: Setting{Default: true}}
	case p.accept("EXPIRE"):
		o.Expire = &Expire{Now: true, Days: Setting{Default: true}}
	case p.accept("HISTORY", "DEFAULT"):
		o.History = &Setting{Default: true}
	case p.accept("HISTORY"):
		o.History = &Setting{N: p.bounded("HISTORY", 0, 65535)}
	case p.accept("REUSE", "INTERVAL", "DEFAULT"):
		o.ReuseDays = &Setting{Default: true}
	case p.accept("REUSE", "INTERVAL"):
		o.ReuseDays = &Setting{N: p.days(0)}
	case p.accept("REQUIRE", "CURRENT", "DEFAULT"):
		o.RequireCurrent = &Setting{Default: true}
	case p.accept("REQUIRE", "CURRENT", "OPTIONAL"):
		o.RequireCurrent = &Setting{}
	case p.accept("REQUIRE", "CURRENT"):
		o.RequireCurrent = &Setting{N: 1}
	default:
		p.fail()
	}
	return true
}

func (p *parser) days(least uint64) int {
	n := p.bounded("DAY", least, 65535)
	p.expect("DAY")
	return n
}

// locking is ACCOUNT LOCK and what locks an account by itself.
func (p *parser) locking(o *Options) bool {
	yes, no := true, false
	switch {
	case p.accept("ACCOUNT", "LOCK"):
		o.Lock = &yes
	case p.accept("ACCOUNT", "UNLOCK"):
		o.Lock = &no
	case p.accept("FAILED_LOGIN_ATTEMPTS"):
		n := p.bounded("FAILED_LOGIN_ATTEMPTS", 0, 32767)
		o.FailedAttempts = &n
	case p.accept("PASSWORD_LOCK_TIME", "UNBOUNDED"):
		n := -1
		o.LockDays = &n
	case p.accept("PASSWORD_LOCK_TIME"):
		n := p.bounded("PASSWORD_LOCK_TIME", 0, 32767)
		o.LockDays = &n
	default:
		return false
	}
	return true
}
