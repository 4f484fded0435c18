package account

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"emberdb/sql/ast"
	"emberdb/sql/parse"
	sqltoken "emberdb/sql/token"
)

// Error is a statement that is well formed and refused, with MySQL's number.
type Error struct {
	Code int
	Text string
}

func (e *Error) Error() string { return e.Text }

// Longest names, in characters and bytes.
const (
	MaxUser = 32
	MaxHost = 255
)

// Parse reads an account statement. The error is a *parse.Error or an *Error. A statement of
// another kind is nil.
func Parse(query string, ansiQuotes bool) (Statement, error) {
	o := parse.Options{}
	if ansiQuotes {
		o.Mode = sqltoken.AnsiQuotes
	}
	result, err := parse.Parse(query, o)
	if err != nil {
		return nil, err
	}
	return Read(result.Statement)
}

// Read returns the account statement that a tree is; nil for one of another kind. The error is an
// *Error.
func Read(tree ast.Statement) (Statement, error) {
	r := &reader{}
	s := r.statement(tree)
	if r.err != nil {
		return nil, r.err
	}
	return s, nil
}

// reader makes statements of trees. The first thing that MySQL refuses is its error; what it
// returns then is not used.
type reader struct{ err error }

func (r *reader) refuse(code int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{code, fmt.Sprintf(format, args...)}
	}
}

// unsupported refuses what this server does not know.
func (r *reader) unsupported(what string) {
	r.refuse(1235, "This version of MySQL doesn't yet support '%s'", what)
}

func (r *reader) statement(tree ast.Statement) Statement {
	switch n := tree.(type) {
	case *ast.CreateUser:
		if n.Alter {
			return r.alterUser(n)
		}
		return r.createUser(n)
	case *ast.CreateRole:
		return &CreateRole{IfNotExists: n.IfNotExists, Roles: r.names(n.Roles)}
	case *ast.DropUser:
		return &DropAccounts{Role: n.Role, IfExists: n.IfExists, Accounts: r.whos(n.Users)}
	case *ast.RenameUser:
		s := &RenameUser{}
		for _, x := range n.Renames {
			s.From, s.To = append(s.From, r.who(x.From)), append(s.To, r.who(x.To))
		}
		return s
	case *ast.Grant:
		return r.grant(n)
	case *ast.SetPassword:
		return r.setPassword(n)
	case *ast.SetRole:
		if n.To == nil {
			return &SetRole{r.choice(n.Roles)}
		}
		return &SetDefaultRole{RoleChoice: r.choice(n.Roles), To: r.names(n.To)}
	case *ast.ShowGrants:
		s := &ShowGrants{For: Who{Current: true}, Using: r.names(n.Using)}
		if n.For != nil {
			s.For = r.who(n.For)
		}
		return s
	case *ast.ShowCreate:
		if n.Account != nil {
			return &ShowCreateUser{r.who(n.Account)}
		}
	}
	return nil
}

// who is an account or CURRENT_USER.
func (r *reader) who(a *ast.Account) Who {
	if a.Current {
		return Who{Current: true}
	}
	n := Name{User: a.User.Name, Host: "%"}
	if a.Host.Given() {
		n.Host = strings.ToLower(a.Host.Name)
	}
	if err := n.TooLong(); err != nil && r.err == nil {
		r.err = err
	}
	return Who{Name: n}
}

// TooLong is the error of a name that no account can have; nil: one can.
func (n Name) TooLong() *Error {
	switch {
	case utf8.RuneCountInString(n.User) > MaxUser:
		return &Error{1470, fmt.Sprintf("String '%s' is too long for user name (should be no longer than %d)", n.User, MaxUser)}
	case len(n.Host) > MaxHost:
		return &Error{1470, fmt.Sprintf("String '%s' is too long for host name (should be no longer than %d)", n.Host, MaxHost)}
	}
	return nil
}

func (r *reader) whos(list []ast.Account) []Who {
	out := make([]Who, len(list))
	for i := range list {
		out[i] = r.who(&list[i])
	}
	return out
}

// names are accounts in places where CURRENT_USER is none.
func (r *reader) names(list []ast.Account) []Name {
	var out []Name
	for i := range list {
		out = append(out, r.who(&list[i]).Name)
	}
	return out
}

func (r *reader) choice(n *ast.RoleSet) RoleChoice {
	kinds := map[ast.RoleSetKind]RoleKind{ast.RoleList: RolesListed, ast.RoleNone: RolesNone, ast.RoleDefault: RolesDefault,
		ast.RoleAll: RolesAll, ast.RoleAllExcept: RolesAll}
	return RoleChoice{Kind: kinds[n.Kind], Roles: r.names(n.Roles)}
}

func (r *reader) createUser(n *ast.CreateUser) *CreateUser {
	s := &CreateUser{IfNotExists: n.IfExists}
	for i := range n.Users {
		s.Specs = append(s.Specs, r.spec(&n.Users[i]))
	}
	if n.DefaultRole != nil {
		s.Roles = r.names(n.DefaultRole.Roles)
	}
	r.options(n, &s.Options)
	return s
}

func (r *reader) alterUser(n *ast.CreateUser) *AlterUser {
	s := &AlterUser{IfExists: n.IfExists}
	for i := range n.Users {
		s.Specs = append(s.Specs, r.spec(&n.Users[i]))
	}
	if n.DefaultRole != nil {
		c := r.choice(n.DefaultRole)
		s.Roles = &c
	}
	if n.Registration != nil {
		r.unsupported("multi-factor authentication")
	}
	r.options(n, &s.Options)
	return s
}

// spec is one account of CREATE USER or ALTER USER. USER() is the session's own.
func (r *reader) spec(n *ast.UserSpec) Spec {
	s := Spec{Who: Who{Current: true}}
	if n.Account != nil {
		s.Who = r.who(n.Account)
	}
	if len(n.Auth) > 1 || n.Initial != nil || n.Changes != nil {
		r.unsupported("multi-factor authentication")
	}
	switch {
	case n.Discard:
		s.Auth = &Auth{Kind: AuthDiscard}
	case len(n.Auth) > 0:
		s.Auth = r.auth(&n.Auth[0])
	}
	return s
}

func (r *reader) auth(n *ast.AuthFactor) *Auth {
	a := &Auth{Plugin: n.Plugin.Name, Retain: n.Retain, Replace: text(n.Replace)}
	switch n.Kind {
	case ast.AuthBy:
		a.Kind, a.Password = AuthBy, n.Text.Text
	case ast.AuthRandom:
		a.Kind = AuthRandom
	case ast.AuthAs:
		a.Kind, a.Hash = AuthAs, n.Text.Bytes()
	}
	return a
}

func (r *reader) setPassword(n *ast.SetPassword) *AlterUser {
	a := &Auth{Kind: AuthRandom, Retain: n.Retain, Replace: text(n.Replace)}
	if n.Password != nil {
		a.Kind, a.Password = AuthBy, n.Password.Text
	}
	s := &AlterUser{Set: true, Specs: []Spec{{Who: Who{Current: true}, Auth: a}}}
	if n.For != nil {
		s.Specs[0].Who = r.who(n.For)
	}
	return s
}

// text is the value of a string that may be absent.
func text(l *ast.Literal) *string {
	if l == nil {
		return nil
	}
	return &l.Text
}

// options are what follows the accounts.
func (r *reader) options(n *ast.CreateUser, o *Options) {
	if n.Require != nil {
		o.Require = r.require(n.Require)
	}
	for i := range n.Resources {
		r.limit(&n.Resources[i], o)
	}
	for i := range n.Options {
		r.option(&n.Options[i], o)
	}
	o.Comment, o.Attribute = text(n.Comment), text(n.Attribute)
}

func (r *reader) require(n *ast.Require) *Require {
	kinds := map[ast.RequireKind]string{ast.RequireNone: "", ast.RequireTLS: "ANY", ast.RequireX509: "X509",
		ast.RequireSpecified: "SPECIFIED"}
	if n.Repeated {
		r.refuse(1119, "Duplicate option used")
	}
	out := &Require{Kind: kinds[n.Kind]}
	for _, x := range [...]struct {
		from *ast.Literal
		to   *string
	}{{n.Subject, &out.Subject}, {n.Issuer, &out.Issuer}, {n.Cipher, &out.Cipher}} {
		if x.from != nil {
			*x.to = x.from.Text
		}
	}
	return out
}

func (r *reader) limit(n *ast.AccountOption, o *Options) {
	v := uint32(number(n.Number))
	*map[ast.AccountOptionKind]**uint32{ast.MaxQueriesPerHour: &o.MaxQueries, ast.MaxUpdatesPerHour: &o.MaxUpdates,
		ast.MaxConnectionsPerHour: &o.MaxConnections, ast.MaxUserConnections: &o.MaxUserConnections}[n.Kind] = &v
}

// number is a number as it is written; what does not fit is the greatest, and a fraction is cut.
func number(digits string) uint64 {
	if n, err := strconv.ParseUint(digits, 0, 64); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(digits, 64); err == nil && f < math.MaxUint64 {
		return uint64(f)
	}
	return math.MaxUint64
}

// bounded is a number between two others; what is the word of the error.
func (r *reader) bounded(n *ast.AccountOption, what string, least, most uint64) int {
	v := number(n.Number)
	if v < least || v > most {
		r.refuse(1525, "Incorrect %s value: '%d'", what, v)
	}
	return int(min(v, most))
}

func (r *reader) option(n *ast.AccountOption, o *Options) {
	switch n.Kind {
	case ast.AccountLock, ast.AccountUnlock:
		lock := n.Kind == ast.AccountLock
		o.Lock = &lock
	case ast.PasswordExpire:
		o.Expire = &Expire{Now: true, Days: Setting{Default: true}}
	case ast.PasswordExpireNever:
		o.Expire = &Expire{}
	case ast.PasswordExpireDefault:
		o.Expire = &Expire{Days: Setting{Default: true}}
	case ast.PasswordExpireInterval:
		o.Expire = &Expire{Days: Setting{N: r.bounded(n, "DAY", 1, 65535)}}
	case ast.PasswordHistory:
		o.History = r.setting(n, "HISTORY")
	case ast.PasswordReuse:
		o.ReuseDays = r.setting(n, "DAY")
	case ast.PasswordRequireDefault:
		o.RequireCurrent = &Setting{Default: true}
	case ast.PasswordRequireOptional:
		o.RequireCurrent = &Setting{}
	case ast.PasswordRequireCurrent:
		o.RequireCurrent = &Setting{N: 1}
	case ast.FailedLoginAttempts:
		v := r.bounded(n, "FAILED_LOGIN_ATTEMPTS", 0, 32767)
		o.FailedAttempts = &v
	case ast.PasswordLockTime:
		v := -1
		if n.Number != "" {
			v = r.bounded(n, "PASSWORD_LOCK_TIME", 0, 32767)
		}
		o.LockDays = &v
	}
}

// setting is a number that may be DEFAULT.
func (r *reader) setting(n *ast.AccountOption, what string) *Setting {
	if n.Number == "" {
		return &Setting{Default: true}
	}
	return &Setting{N: r.bounded(n, what, 0, 65535)}
}
