package ast

func (n *Account) print(p *printer) {
	if n.Current {
		p.put("CURRENT_USER()")
		return
	}
	p.put(n.User)
	p.when(n.Host.Given(), "@", n.Host)
}

func (n *CreateUser) print(p *printer) {
	p.put([...]string{"CREATE USER ", "ALTER USER "}[index(n.Alter)])
	p.when(n.IfExists, [...]any{"IF NOT EXISTS ", "IF EXISTS "}[index(n.Alter)])
	printValues(p, n.Users)
	p.when(n.Registration != nil, " ", n.Registration)
	p.when(n.DefaultRole != nil, " DEFAULT ROLE ", n.DefaultRole)
	p.when(n.Require != nil, " ", n.Require)
	p.when(len(n.Resources) > 0, " WITH")
	for _, options := range [...][]AccountOption{n.Resources, n.Options} {
		for i := range options {
			p.put(" ", &options[i])
		}
	}
	p.when(n.Comment != nil, " COMMENT ", n.Comment)
	p.when(n.Attribute != nil, " ATTRIBUTE ", n.Attribute)
}

func (n *UserSpec) print(p *printer) {
	if n.Account == nil {
		p.put("USER()")
	} else {
		p.put(n.Account)
	}
	for i := range n.Auth {
		p.when(n.Auth[i].Given(), [...]string{" AND ", " "}[index(i == 0)], &n.Auth[i])
	}
	p.when(n.Initial != nil, " INITIAL AUTHENTICATION ", n.Initial)
	p.when(n.Discard, " DISCARD OLD PASSWORD")
	for i := range n.Changes {
		p.put(" ", &n.Changes[i])
	}
}

func (n *AuthFactor) print(p *printer) {
	p.put("IDENTIFIED")
	p.when(n.Plugin.Given(), " WITH ", n.Plugin)
	switch n.Kind {
	case AuthBy:
		p.put(" BY ", n.Text)
	case AuthRandom:
		p.put(" BY RANDOM PASSWORD")
	case AuthAs:
		p.put(" AS ", n.Text)
	}
	p.when(n.Replace != nil, " REPLACE ", n.Replace)
	p.when(n.Retain, " RETAIN CURRENT PASSWORD")
}

func (n *FactorChange) print(p *printer) {
	p.put([...]string{AddFactor: "ADD ", ModifyFactor: "MODIFY ", DropFactor: "DROP "}[n.Verb])
	p.raw(n.Factor)
	p.put(" FACTOR")
	p.when(n.Auth != nil, " ", n.Auth)
}

func (n *FactorRegistration) print(p *printer) {
	p.raw(n.Factor)
	p.put(" FACTOR ", [...]string{InitiateRegistration: "INITIATE REGISTRATION",
		FinishRegistration: "FINISH REGISTRATION SET CHALLENGE_RESPONSE AS ", Unregister: "UNREGISTER"}[n.Verb])
	p.when(n.Response != nil, n.Response)
}

func (n *Require) print(p *printer) {
	p.put("REQUIRE", [...]string{RequireNone: " NONE", RequireTLS: " SSL", RequireX509: " X509",
		RequireSpecified: ""}[n.Kind])
	p.when(n.Subject != nil, " SUBJECT ", n.Subject)
	p.when(n.Issuer != nil, " ISSUER ", n.Issuer)
	p.when(n.Cipher != nil, " CIPHER ", n.Cipher)
}

// accountOptions are the words of options with what stands for an absent number.
var accountOptions = [...]struct{ words, absent, unit string }{
	MaxQueriesPerHour:       {words: "MAX_QUERIES_PER_HOUR "},
	MaxUpdatesPerHour:       {words: "MAX_UPDATES_PER_HOUR "},
	MaxConnectionsPerHour:   {words: "MAX_CONNECTIONS_PER_HOUR "},
	MaxUserConnections:      {words: "MAX_USER_CONNECTIONS "},
	AccountLock:             {words: "ACCOUNT LOCK"},
	AccountUnlock:           {words: "ACCOUNT UNLOCK"},
	PasswordExpire:          {words: "PASSWORD EXPIRE"},
	PasswordExpireNever:     {words: "PASSWORD EXPIRE NEVER"},
	PasswordExpireDefault:   {words: "PASSWORD EXPIRE DEFAULT"},
	PasswordExpireInterval:  {words: "PASSWORD EXPIRE INTERVAL ", unit: " DAY"},
	PasswordHistory:         {words: "PASSWORD HISTORY ", absent: "DEFAULT"},
	PasswordReuse:           {words: "PASSWORD REUSE INTERVAL ", absent: "DEFAULT", unit: " DAY"},
	PasswordRequireCurrent:  {words: "PASSWORD REQUIRE CURRENT"},
	PasswordRequireOptional: {words: "PASSWORD REQUIRE CURRENT OPTIONAL"},
	PasswordRequireDefault:  {words: "PASSWORD REQUIRE CURRENT DEFAULT"},
	FailedLoginAttempts:     {words: "FAILED_LOGIN_ATTEMPTS "},
	PasswordLockTime:        {words: "PASSWORD_LOCK_TIME ", absent: "UNBOUNDED"},
}

func (n *AccountOption) print(p *printer) {
	o := accountOptions[n.Kind]
	p.put(o.words)
	if n.Number == "" {
		p.put(o.absent)
		return
	}
	p.raw(n.Number)
	p.put(o.unit)
}

func (n *DropUser) print(p *printer) {
	p.put([...]string{"DROP USER ", "DROP ROLE "}[index(n.Role)])
	p.when(n.IfExists, "IF EXISTS ")
	printValues(p, n.Users)
}

func (n *CreateRole) print(p *printer) {
	p.put("CREATE ROLE ")
	p.when(n.IfNotExists, "IF NOT EXISTS ")
	printValues(p, n.Roles)
}

func (n *RenameUser) print(p *printer) {
	p.put("RENAME USER ")
	printValues(p, n.Renames)
}

func (n *AccountRename) print(p *printer) { p.put(n.From, " TO ", n.To) }

func (n *SetPassword) print(p *printer) {
	p.put("SET PASSWORD")
	p.when(n.For != nil, " FOR ", n.For)
	if n.Password == nil {
		p.put(" TO RANDOM")
	} else {
		p.put(" = ", n.Password)
	}
	p.when(n.Replace != nil, " REPLACE ", n.Replace)
	p.when(n.Retain, " RETAIN CURRENT PASSWORD")
}

func (n *RoleSet) print(p *printer) {
	p.put([...]string{RoleList: "", RoleNone: "NONE", RoleDefault: "DEFAULT", RoleAll: "ALL",
		RoleAllExcept: "ALL EXCEPT "}[n.Kind])
	printValues(p, n.Roles)
}

func (n *SetRole) print(p *printer) {
	p.put([...]string{"SET ROLE ", "SET DEFAULT ROLE "}[index(len(n.To) > 0)], n.Roles)
	if len(n.To) > 0 {
		p.put(" TO ")
		printValues(p, n.To)
	}
}

func (n *Grant) print(p *printer) {
	p.put([...]string{"GRANT ", "REVOKE "}[index(n.Revoke)])
	p.when(n.IfExists, "IF EXISTS ")
	switch {
	case n.Kind == GrantRoles:
		printValues(p, n.Roles)
	case n.Kind == GrantProxy:
		p.put("PROXY ON ", n.Proxy)
	case len(n.Privileges) == 0:
		p.put("ALL PRIVILEGES")
		p.when(n.On == nil, ", GRANT OPTION")
	default:
		printValues(p, n.Privileges)
	}
	p.when(n.On != nil, " ON ", n.On)
	p.put([...]string{" TO ", " FROM "}[index(n.Revoke)])
	printValues(p, n.To)
	p.when(n.Option, [...]any{" WITH GRANT OPTION", " WITH ADMIN OPTION"}[index(n.Kind == GrantRoles)])
	p.when(n.As != nil, " AS ", n.As)
	p.when(n.IgnoreUnknown, " IGNORE UNKNOWN USER")
}

func (n *Privilege) print(p *printer) {
	if n.Dynamic {
		p.put(Ident{Span: n.Span, Name: n.Name})
	} else {
		p.put(n.Name)
	}
	p.columns(n.Columns)
}

func (n *GrantLevel) print(p *printer) {
	p.put([...]string{GrantOnTable: "", GrantOnTableWord: "TABLE ", GrantOnFunction: "FUNCTION ",
		GrantOnProcedure: "PROCEDURE ", GrantOnLibrary: "LIBRARY "}[n.Object])
	switch {
	case n.AllSchema:
		p.put("*.*")
	case n.All && n.Name.Schema.Given():
		p.put(n.Name.Schema, ".*")
	case n.All:
		p.put("*")
	default:
		p.put(&n.Name)
	}
}

func (n *GrantAs) print(p *printer) {
	p.put(n.User)
	p.when(n.Roles != nil, " WITH ROLE ", n.Roles)
}
