package account

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// QuoteName writes a name in backquotes.
func QuoteName(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }

// QuoteText writes a text in quotes. It reads the same whether a backslash escapes or not: bytes that would need one make it
// a hexadecimal literal.
func QuoteText(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] == '\\' || s[i] == 0x7f {
			return "0x" + strings.ToUpper(hex.EncodeToString([]byte(s)))
		}
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// quoteShown writes a text in quotes with the escapes that MySQL's messages have.
func quoteShown(s string) string {
	return "'" + strings.NewReplacer("\\", "\\\\", "'", "\\'", "\n", "\\n", "\r", "\\r", "\x00", "\\0", "\x1a", "\\Z").Replace(s) + "'"
}

// sqlName writes the name of an account where a statement has one.
func (n Name) sqlName() string { return quoteName(n.User) + "@" + quoteName(n.Host) }

// quoteName writes a part of an account's name; hexadecimal literals are none.
func quoteName(s string) string {
	if q := QuoteText(s); strings.HasPrefix(q, "'") {
		return q
	}
	return QuoteName(s)
}

func (w Who) sql() string {
	if w.Current {
		return "CURRENT_USER()"
	}
	return w.sqlName()
}

func list[T any](items []T, text func(T) string) string {
	var out []string
	for _, i := range items {
		out = append(out, text(i))
	}
	return strings.Join(out, ", ")
}

func whos(of []Who) string { return list(of, Who.sql) }

func names(of []Name) string { return list(of, Name.sqlName) }

// when is a word if it holds.
func when(holds bool, word string) string {
	if holds {
		return word
	}
	return ""
}

// String implements Statement.
func (s *CreateUser) String() string {
	text := "CREATE USER " + when(s.IfNotExists, "IF NOT EXISTS ") + list(s.Specs, Spec.sql)
	if len(s.Roles) > 0 {
		text += " DEFAULT ROLE " + names(s.Roles)
	}
	return text + s.Options.sql()
}

// String implements Statement.
func (s *AlterUser) String() string {
	text := "ALTER USER " + when(s.IfExists, "IF EXISTS ") + list(s.Specs, Spec.sql)
	if s.Roles != nil {
		text += " DEFAULT ROLE " + s.Roles.sql()
	}
	return text + s.Options.sql()
}

// String implements Statement.
func (s *CreateRole) String() string {
	return "CREATE ROLE " + when(s.IfNotExists, "IF NOT EXISTS ") + names(s.Roles)
}

// String implements Statement.
func (s *DropAccounts) String() string {
	what := "USER "
	if s.Role {
		what = "ROLE "
	}
	return "DROP " + what + when(s.IfExists, "IF EXISTS ") + whos(s.Accounts)
}

// String implements Statement.
func (s *RenameUser) String() string {
	var pairs []string
	for i := range s.From {
		pairs = append(pairs, s.From[i].sql()+" TO "+s.To[i].sql())
	}
	return "RENAME USER " + strings.Join(pairs, ", ")
}

// String implements Statement.
func (s *SetRole) String() string { return "SET ROLE " + s.sql() }

// String implements Statement.
func (s *SetDefaultRole) String() string {
	return "SET DEFAULT ROLE " + s.sql() + " TO " + names(s.To)
}

// String implements Statement.
func (s *ShowGrants) String() string {
	text := "SHOW GRANTS FOR " + s.For.sql()
	if len(s.Using) > 0 {
		text += " USING " + names(s.Using)
	}
	return text
}

// String implements Statement.
func (s *ShowCreateUser) String() string { return "SHOW CREATE USER " + s.Of.sql() }

func (c RoleChoice) sql() string {
	switch c.Kind {
	case RolesNone:
		return "NONE"
	case RolesDefault:
		return "DEFAULT"
	case RolesAll:
		if len(c.Roles) > 0 {
			return "ALL EXCEPT " + names(c.Roles)
		}
		return "ALL"
	}
	return names(c.Roles)
}

func verb(revoke, ifExists bool) (verb, to string) {
	if revoke {
		return "REVOKE " + when(ifExists, "IF EXISTS "), " FROM "
	}
	return "GRANT ", " TO "
}

// String implements Statement.
func (s *Grant) String() string {
	do, to := verb(s.Revoke, s.IfExists)
	what := "ALL PRIVILEGES"
	if !s.All {
		what = list(s.Privileges, Privilege.sql)
	}
	text := do + what + " ON " + s.On.sql() + to + whos(s.To) + when(s.IgnoreUnknown, " IGNORE UNKNOWN USER") + when(s.WithGrant, " WITH GRANT OPTION")
	if s.As != nil {
		text += " AS " + s.As.sql()
		if s.AsRoles != nil {
			text += " WITH ROLE " + s.AsRoles.sql()
		}
	}
	return text
}

func (p Privilege) sql() string {
	switch {
	case p.Dynamic != "":
		return strings.ToUpper(p.Dynamic)
	case p.Static == usage:
		return "USAGE"
	}
	text := p.Static.Names()[0]
	if len(p.Columns) > 0 {
		text += " (" + list(p.Columns, QuoteName) + ")"
	}
	return text
}

func (o Object) sql() string {
	in := ""
	if o.Database != "" {
		in = QuoteName(o.Database) + "."
	}
	switch o.Level {
	case OnGlobal:
		return "*.*"
	case OnDatabase:
		return in + "*"
	case OnFunction:
		return "FUNCTION " + in + QuoteName(o.Name)
	case OnProcedure:
		return "PROCEDURE " + in + QuoteName(o.Name)
	case OnLibrary:
		return "LIBRARY " + in + QuoteName(o.Name)
	}
	return in + QuoteName(o.Name)
}

// String implements Statement.
func (s *GrantRoles) String() string {
	do, to := verb(s.Revoke, s.IfExists)
	return do + names(s.Roles) + to + whos(s.To) + when(s.IgnoreUnknown, " IGNORE UNKNOWN USER") + when(s.Admin, " WITH ADMIN OPTION")
}

// String implements Statement.
func (s *GrantProxy) String() string {
	do, to := verb(s.Revoke, s.IfExists)
	return do + "PROXY ON " + s.On.sql() + to + whos(s.To) + when(s.IgnoreUnknown, " IGNORE UNKNOWN USER") + when(s.WithGrant, " WITH GRANT OPTION")
}

// String implements Statement.
func (s *RevokeAll) String() string {
	return "REVOKE " + when(s.IfExists, "IF EXISTS ") + "ALL PRIVILEGES, GRANT OPTION FROM " + whos(s.From) + when(s.IgnoreUnknown, " IGNORE UNKNOWN USER")
}

func (s Spec) sql() string {
	if s.Auth == nil {
		return s.Who.sql()
	}
	return s.Who.sql() + s.Auth.sql()
}

// sql never writes a password: who runs the statement puts a hash in its place.
func (a *Auth) sql() string {
	text := " IDENTIFIED"
	if a.Plugin != "" {
		text += " WITH " + QuoteText(a.Plugin)
	}
	switch a.Kind {
	case AuthDiscard:
		return " DISCARD OLD PASSWORD"
	case AuthBy, AuthRandom:
		text += " BY <secret>"
	case AuthAs:
		text += " AS " + QuoteText(a.Hash)
	}
	return text + when(a.Retain, " RETAIN CURRENT PASSWORD")
}

func (o *Options) sql() string {
	text := ""
	if o.Require != nil {
		text += " REQUIRE " + o.Require.sql()
	}
	with := ""
	for _, l := range []struct {
		word string
		n    *uint32
	}{{"MAX_QUERIES_PER_HOUR", o.MaxQueries}, {"MAX_UPDATES_PER_HOUR", o.MaxUpdates}, {"MAX_CONNECTIONS_PER_HOUR", o.MaxConnections}, {"MAX_USER_CONNECTIONS", o.MaxUserConnections}} {
		if l.n != nil {
			with += " " + l.word + " " + strconv.FormatUint(uint64(*l.n), 10)
		}
	}
	text += when(with != "", " WITH"+with)
	if o.Expire != nil {
		text += " PASSWORD EXPIRE" + o.Expire.sql()
	}
	if o.Lock != nil {
		text += map[bool]string{true: " ACCOUNT LOCK", false: " ACCOUNT UNLOCK"}[*o.Lock]
	}
	text += o.History.sql(" PASSWORD HISTORY ", "") + o.ReuseDays.sql(" PASSWORD REUSE INTERVAL ", " DAY")
	if c := o.RequireCurrent; c != nil {
		text += " PASSWORD REQUIRE CURRENT" + c.current()
	}
	if o.FailedAttempts != nil {
		text += fmt.Sprintf(" FAILED_LOGIN_ATTEMPTS %d", *o.FailedAttempts)
	}
	if o.LockDays != nil {
		text += " PASSWORD_LOCK_TIME " + lockDays(*o.LockDays)
	}
	if o.Comment != nil {
		text += " COMMENT " + QuoteText(*o.Comment)
	}
	if o.Attribute != nil {
		text += " ATTRIBUTE " + QuoteText(*o.Attribute)
	}
	return text
}

func lockDays(n int) string {
	if n < 0 {
		return "UNBOUNDED"
	}
	return strconv.Itoa(n)
}

func (e *Expire) sql() string {
	switch {
	case e.Now:
		return ""
	case e.Days.Default:
		return " DEFAULT"
	case e.Days.N == 0:
		return " NEVER"
	}
	return fmt.Sprintf(" INTERVAL %d DAY", e.Days.N)
}

func (s *Setting) sql(before, after string) string {
	switch {
	case s == nil:
		return ""
	case s.Default:
		return before + "DEFAULT"
	}
	return before + strconv.Itoa(s.N) + after
}

func (s *Setting) current() string {
	switch {
	case s.Default:
		return " DEFAULT"
	case s.N == 0:
		return " OPTIONAL"
	}
	return ""
}

func (r *Require) sql() string {
	switch r.Kind {
	case "ANY":
		return "SSL"
	case "X509":
		return "X509"
	case "SPECIFIED":
		text := ""
		for _, c := range [][2]string{{"SUBJECT", r.Subject}, {"ISSUER", r.Issuer}, {"CIPHER", r.Cipher}} {
			if c[1] != "" {
				text += " " + c[0] + " " + QuoteText(c[1])
			}
		}
		return strings.TrimSpace(text)
	}
	return "NONE"
}
