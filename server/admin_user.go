package server

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/auth"

	"emberdb/sqllayer"
)

// CREATE USER, ALTER USER and SET PASSWORD. go-mysql-server stores accounts but its grammar knows few of their options, and its default plugin is not MySQL 8.4's.

// accountStatement recognizes CREATE USER, CREATE ROLE, ALTER USER, ALTER INSTANCE, ALTER PROCEDURE and ALTER FUNCTION.
func accountStatement(w []string, at func(int) string) adminFunc {
	switch {
	case w[0] == "CREATE" && at(1) == "USER":
		return (*execution).createUser
	case w[0] == "CREATE" && at(1) == "ROLE":
		return (*execution).createRole
	case w[0] == "ALTER" && at(1) == "USER":
		return (*execution).alterUser
	case w[0] == "ALTER" && at(1) == "INSTANCE":
		return (*execution).alterInstance
	case w[0] == "ALTER" && (at(1) == "PROCEDURE" || at(1) == "FUNCTION"):
		return (*execution).alterRoutine
	}
	return nil
}

// setStatement recognizes SET PERSIST, SET PASSWORD, SET ROLE and SET DEFAULT ROLE.
func setStatement(query string, at func(int) string) adminFunc {
	switch {
	case at(1) == "PASSWORD":
		return (*execution).setPassword
	case gtidPurgedSyntax.MatchString(skipBlank(query)):
		return (*execution).setGTIDPurged
	case at(1) == "ROLE", at(1) == "DEFAULT" && at(2) == "ROLE":
		return (*execution).setRole
	case persistSyntax.MatchString(query):
		return (*execution).setPersist
	}
	return nil
}

// accountSpec is one account named in a statement and what the statement says of it.
type accountSpec struct {
	user, host string
	auth       *ast.AuthOption
	change     accountChange
}

// accountChange is what CREATE and ALTER USER may set beside the password. nil pointers leave things as they are.
type accountChange struct {
	tls                     *string
	cipher, issuer, subject string
	locked, expired         *bool
	attributes              map[string]any
}

// accountsIn parses the accounts of a CREATE USER or ALTER USER statement.
func accountsIn(x *execution, query string) ([]accountSpec, error) {
	nodes, err := parseFully(query)
	if err != nil {
		return nil, syntaxError(query, err)
	}
	if len(nodes) != 1 {
		return nil, sqllayer.NewError(1064, "%s", syntaxErrorText(query, 0))
	}
	var specs []*ast.UserSpec
	var change accountChange
	switch n := nodes[0].(type) {
	case *ast.CreateUserStmt:
		specs = n.Specs
		change, err = changeOf(n.AuthTokenOrTLSOptions, n.PasswordOrLockOptions, n.CommentOrAttributeOption)
	case *ast.AlterUserStmt:
		specs = n.Specs
		if n.CurrentAuth != nil {
			specs = []*ast.UserSpec{{User: &auth.UserIdentity{CurrentUser: true}, AuthOpt: n.CurrentAuth}}
		}
		change, err = changeOf(n.AuthTokenOrTLSOptions, n.PasswordOrLockOptions, n.CommentOrAttributeOption)
	default:
		err = sqllayer.NewError(1064, "%s", syntaxErrorText(query, 0))
	}
	if err != nil {
		return nil, err
	}
	var out []accountSpec
	for _, s := range specs {
		spec := accountSpec{user: s.User.Username, host: s.User.Hostname, auth: s.AuthOpt, change: change}
		if s.User.CurrentUser {
			spec.user, spec.host = x.w.account.user, x.w.account.host
		}
		if spec.host == "" {
			spec.host = "%"
		}
		if len([]rune(spec.user)) > 32 {
			return nil, sqllayer.NewError(1470, "String '%s' is too long for user name (should be no longer than 32)", spec.user)
		}
		if len(spec.host) > 255 {
			return nil, sqllayer.NewError(1470, "String '%s' is too long for host name (should be no longer than 255)", spec.host)
		}
		out = append(out, spec)
	}
	if len(out) == 0 {
		return nil, sqllayer.NewError(1064, "%s", syntaxErrorText(query, 0))
	}
	return out, nil
}

// changeOf reads the options after the accounts.
func changeOf(tls []*ast.AuthTokenOrTLSOption, opts []*ast.PasswordOrLockOption, comment *ast.CommentOrAttributeOption) (accountChange, error) {
	var c accountChange
	yes, no := true, false
	for _, t := range tls {
		kind := "SPECIFIED"
		switch t.Type {
		case ast.TlsNone:
			kind = ""
		case ast.Ssl:
			kind = "ANY"
		case ast.X509:
			kind = "X509"
		case ast.Cipher:
			c.cipher = t.Value
		case ast.Issuer:
			c.issuer = t.Value
		case ast.Subject:
			c.subject = t.Value
		default:
			return c, sqllayer.NewError(1235, "This version of Ember doesn't yet support 'REQUIRE %s'", t.Type.String())
		}
		c.tls = &kind
	}
	for _, o := range opts {
		switch o.Type {
		case ast.Lock:
			c.locked = &yes
		case ast.Unlock:
			c.locked = &no
		case ast.PasswordExpire:
			c.expired = &yes
		case ast.PasswordExpireDefault, ast.PasswordExpireNever:
			c.expired = &no
		}
	}
	if comment == nil {
		return c, nil
	}
	c.attributes = map[string]any{}
	if comment.Type == ast.UserCommentType {
		c.attributes["comment"] = comment.Value
	} else if err := json.Unmarshal([]byte(comment.Value), &c.attributes); err != nil {
		return c, sqllayer.NewError(3140, "Invalid JSON text: \"%s\" at position 0 in value for column '%s'.", err, "ATTRIBUTE")
	}
	return c, nil
}

// credentials computes plugin and stored hash from an IDENTIFIED clause; current is the account's plugin, if it exists.
func credentials(a *ast.AuthOption, current string) (plugin, stored string, err error) {
	plugin = a.AuthPlugin
	if plugin == "" {
		if plugin = current; plugin == "" {
			plugin = pluginSha2
		}
	}
	if plugin != pluginNative && plugin != pluginSha2 {
		return "", "", sqllayer.NewError(1524, "Plugin '%s' is not loaded", plugin)
	}
	if a.ByHashString {
		return plugin, a.HashString, checkHash(plugin, a.HashString)
	}
	if !a.ByAuthString || a.AuthString == "" {
		return plugin, "", nil
	}
	if plugin == pluginNative {
		return plugin, nativeHash(a.AuthString), nil
	}
	stored, err = plan.NewCachingSha2PasswordAuthentication(a.AuthString).AuthString()
	return plugin, stored, err
}

func nativeHash(password string) string {
	once := sha1.Sum([]byte(password))
	twice := sha1.Sum(once[:])
	return "*" + strings.ToUpper(hex.EncodeToString(twice[:]))
}

// checkHash refuses a stored hash the plugin could never match.
func checkHash(plugin, hash string) error {
	if hash == "" {
		return nil
	}
	ok := len(hash) == 41 && hash[0] == '*'
	if plugin == pluginSha2 {
		ok = len(hash) == 70 && strings.HasPrefix(hash, "$A$")
	}
	if !ok {
		return sqllayer.NewError(1827, "The password hash doesn't have the expected format.")
	}
	return nil
}

// apply changes an account row.
func (c accountChange) apply(u *mysql_db.User) error {
	if c.tls != nil {
		u.SslType, u.SslCipher, u.X509Issuer, u.X509Subject = *c.tls, c.cipher, c.issuer, c.subject
	}
	if c.locked != nil {
		u.Locked = *c.locked
	}
	if c.expired == nil && c.attributes == nil {
		return nil
	}
	attrs := map[string]any{}
	if u.Attributes != nil {
		if err := json.Unmarshal([]byte(*u.Attributes), &attrs); err != nil {
			return err
		}
	}
	for k, v := range c.attributes {
		if attrs[k] = v; v == nil {
			delete(attrs, k)
		}
	}
	if c.expired != nil {
		delete(attrs, "ember_password_expired")
		if *c.expired {
			attrs["ember_password_expired"] = true
		}
	}
	if len(attrs) == 0 {
		u.Attributes = nil
		return nil
	}
	text, err := json.Marshal(attrs)
	if err != nil {
		return err
	}
	s := string(text)
	u.Attributes = &s
	return nil
}

// withRoles is CREATE USER ... DEFAULT ROLE: before and after are what stands around it.
var withRoles = regexp.MustCompile("(?is)^([^'\"`]*(?:(?:'[^']*'|\"[^\"]*\"|`[^`]*`)[^'\"`]*)*?)\\bDEFAULT\\s+ROLE\\s+(" + roleName + "(?:\\s*,\\s*" + roleName + ")*)(.*)$")

const roleName = "(?:`[^`]+`|'[^']+'|\"[^\"]+\"|[\\w$]+)(?:@(?:`[^`]+`|'[^']+'|\"[^\"]+\"|[\\w$.%]+))?"

// createUser is CREATE USER. Accounts with default roles are made, granted the roles, and given their defaults.
func (x *execution) createUser(ctx *sql.Context) error {
	m := withRoles.FindStringSubmatch(x.query)
	if m == nil {
		return x.createAccounts(ctx)
	}
	nodes, err := parseFully("GRANT " + m[2] + " TO nobody")
	if err != nil {
		return syntaxError(x.query, err)
	}
	grant, ok := nodes[0].(*ast.GrantRoleStmt)
	if !ok {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, len(m[1])))
	}
	rd := x.h.s.accounts.db.Reader()
	for _, r := range grant.Roles {
		if _, ok := rd.GetUser(userKey(r.Username, r.Hostname)); !ok {
			rd.Close()
			return sqllayer.NewError(3162, "Authorization ID `%s`@`%s` does not exist.", r.Username, cmp.Or(r.Hostname, "%"))
		}
	}
	rd.Close()
	x.query = m[1] + m[3]
	specs, err := accountsIn(x, x.query)
	if err != nil {
		return err
	}
	if err := x.createAccounts(ctx); err != nil {
		return err
	}
	var accounts []string
	for _, s := range specs {
		accounts = append(accounts, quoteText(s.user)+"@"+quoteText(s.host))
	}
	to := " TO " + strings.Join(accounts, ", ")
	x.query = "GRANT " + m[2] + to
	x.setStatement(x.query)
	if _, err := x.rowsOf(ctx, x.query); err != nil {
		return err
	}
	x.query = "SET DEFAULT ROLE " + m[2] + to
	return x.setRole(ctx)
}

// editAccounts commits, as statements about accounts do, and opens the grant tables for a change.
func (x *execution) editAccounts(ctx *sql.Context) (*mysql_db.Editor, error) {
	if err := x.commitFirst(ctx); err != nil {
		return nil, err
	}
	return x.h.s.accounts.db.Editor(), nil
}

// replaceAccounts puts accounts in the place of those of the same names.
func replaceAccounts(ed *mysql_db.Editor, users []*mysql_db.User) {
	for _, u := range users {
		ed.RemoveUser(userKey(u.User, u.Host)) // PutUser only replaces an equal row
		ed.PutUser(u)
	}
}

func (x *execution) createAccounts(ctx *sql.Context) error {
	if err := x.need(ctx, "CREATE USER", sql.PrivilegeType_CreateUser); err != nil {
		return err
	}
	specs, err := accountsIn(x, x.query)
	if err != nil {
		return err
	}
	for _, s := range specs {
		if err := x.keepsDefiners(ctx, "CREATE USER", userKey(s.user, s.host)); err != nil {
			return err
		}
	}
	ifNotExists := strings.Join(leadingWords(afterWords(x.query, 2), 3), " ") == "IF NOT EXISTS"
	ed, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer ed.Close()
	var users []*mysql_db.User
	var failed []string
	for _, s := range specs {
		if _, ok := ed.GetUser(userKey(s.user, s.host)); ok {
			if !ifNotExists {
				failed = append(failed, fmt.Sprintf("'%s'@'%s'", s.user, s.host))
			} else {
				ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 3163, Message: fmt.Sprintf("Authorization ID '%s'@'%s' already exists.", s.user, s.host)})
			}
			continue
		}
		u, err := s.newUser()
		if err != nil {
			return err
		}
		users = append(users, u)
	}
	if len(failed) > 0 {
		return sqllayer.NewError(1396, "Operation CREATE USER failed for %s", strings.Join(failed, ","))
	}
	for _, u := range users {
		ed.PutUser(u)
	}
	if err := x.logAccounts(users); err != nil {
		return err
	}
	return x.h.s.accounts.db.Persist(ctx, ed)
}

func (s accountSpec) newUser() (*mysql_db.User, error) {
	u := &mysql_db.User{User: s.user, Host: s.host, PrivilegeSet: mysql_db.NewPrivilegeSet(), Plugin: pluginSha2, PasswordLastChanged: time.Now().UTC()}
	if s.auth != nil {
		var err error
		if u.Plugin, u.AuthString, err = credentials(s.auth, ""); err != nil {
			return nil, err
		}
	}
	return u, s.change.apply(u)
}

// defaultRoleSyntax is ALTER USER account DEFAULT ROLE roles, which the full grammar does not know either.
var defaultRoleSyntax = regexp.MustCompile(`(?is)^\s*ALTER\s+USER\s+(?:IF\s+EXISTS\s+)?(\S+)\s+DEFAULT\s+ROLE\s+(.+?)\s*;?\s*$`)

// alterUser is ALTER USER. Everybody may change the own password; the rest needs CREATE USER.
func (x *execution) alterUser(ctx *sql.Context) error {
	if m := defaultRoleSyntax.FindStringSubmatch(x.query); m != nil {
		x.query = "SET DEFAULT ROLE " + m[2] + " TO " + m[1]
		return x.setRole(ctx)
	}
	specs, err := accountsIn(x, x.query)
	if err != nil {
		return err
	}
	ifExists := strings.Join(leadingWords(afterWords(x.query, 2), 2), " ") == "IF EXISTS"
	for _, s := range specs {
		own := s.user == x.w.account.user && s.host == x.w.account.host && s.change.tls == nil && s.change.locked == nil && s.change.expired == nil && s.change.attributes == nil
		if !own {
			if err := x.need(ctx, "CREATE USER", sql.PrivilegeType_CreateUser); err != nil {
				return err
			}
		}
	}
	ed, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer ed.Close()
	var users []*mysql_db.User
	for _, s := range specs {
		old, ok := ed.GetUser(userKey(s.user, s.host))
		switch {
		case !ok && ifExists:
			ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 3162, Message: fmt.Sprintf("Authorization ID '%s'@'%s' does not exist.", s.user, s.host)})
			continue
		case !ok:
			return sqllayer.NewError(1396, "Operation ALTER USER failed for '%s'@'%s'", s.user, s.host)
		}
		u := *old
		if err := s.alter(&u); err != nil {
			return err
		}
		users = append(users, &u)
	}
	replaceAccounts(ed, users)
	if err := x.logAccounts(users); err != nil {
		return err
	}
	if err := x.h.s.accounts.db.Persist(ctx, ed); err != nil {
		return err
	}
	x.leaveSandbox(specs)
	return nil
}

func (s accountSpec) alter(u *mysql_db.User) (err error) {
	if s.auth != nil {
		if u.Plugin, u.AuthString, err = credentials(s.auth, u.Plugin); err != nil {
			return err
		}
		u.PasswordLastChanged = time.Now().UTC()
		if s.change.expired == nil {
			no := false
			s.change.expired = &no // a new password is not expired
		}
	}
	return s.change.apply(u)
}

// leaveSandbox lets a client with an expired password go on after it set a new one.
func (x *execution) leaveSandbox(specs []accountSpec) {
	for _, s := range specs {
		if s.user == x.w.account.user && s.host == x.w.account.host && s.auth != nil {
			x.w.sandbox = false
		}
	}
}

// setPassword is SET PASSWORD [FOR account] = 'text'.
func (x *execution) setPassword(ctx *sql.Context) error {
	nodes, err := parseFully(x.query)
	if err != nil {
		return syntaxError(x.query, err)
	}
	set, ok := nodes[0].(*ast.SetPwdStmt)
	if !ok || len(nodes) != 1 {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, len("SET ")))
	}
	who := "USER()"
	if set.User != nil && !set.User.CurrentUser {
		who = quoteText(set.User.Username) + "@" + quoteText(set.User.Hostname)
	}
	x.query = "ALTER USER " + who + " IDENTIFIED BY " + quoteText(set.Password)
	return x.alterUser(ctx)
}

func quoteText(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(s) + "'"
}

// alterRoutine is ALTER PROCEDURE and ALTER FUNCTION.
func (x *execution) alterRoutine(ctx *sql.Context) error {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return sqllayer.NewError(1235, "This version of Ember doesn't yet support '%s'", describe(x.query))
	}
	x.h.s.accounts.db.UserActivePrivilegeSet(ctx) // the session's rights are there, to be looked at
	bad, err := s.AlterRoutine(ctx, x.query)
	if bad >= 0 {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, bad))
	}
	return err
}

// alterInstance is ALTER INSTANCE RELOAD TLS.
func (x *execution) alterInstance(ctx *sql.Context) error {
	if !strings.HasPrefix(strings.Join(leadingWords(x.query, 4), " "), "ALTER INSTANCE RELOAD TLS") {
		return sqllayer.NewError(1235, "This version of Ember doesn't yet support '%s'", describe(x.query))
	}
	if err := x.needDynamic(ctx, "CONNECTION_ADMIN"); err != nil {
		return err
	}
	cfg, err := loadTLS(x.h.s.cfg.Settings, x.h.s.dir)
	if err != nil || cfg == nil {
		return sqllayer.NewError(3888, "Failed to set up SSL because of the following SSL library error: %v", err)
	}
	x.h.s.tls.Store(cfg)
	return nil
}
