package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer"
)

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
	case gtidPurgedSyntax.MatchString(skipBlank(query)):
		return (*execution).setGTIDPurged
	case at(1) == "PASSWORD":
		return (*execution).alterUser
	case at(1) == "ROLE":
		return (*execution).setRole
	case at(1) == "DEFAULT" && at(2) == "ROLE":
		return (*execution).setDefaultRole
	case persistSyntax.MatchString(query):
		return (*execution).setPersist
	}
	return nil
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
	if err := x.mayUnrun(ctx, x.query); err != nil {
		return err
	}
	if !strings.HasPrefix(strings.Join(leadingWords(x.query, 4), " "), "ALTER INSTANCE RELOAD TLS") {
		return sqllayer.NewError(1235, "This version of Ember doesn't yet support '%s'", describe(x.query))
	}
	cfg, err := loadTLS(x.h.s.cfg.Settings, x.h.s.dir)
	if err != nil || cfg == nil {
		return sqllayer.NewError(3888, "Failed to set up SSL because of the following SSL library error: %v", err)
	}
	x.h.s.tls.Store(cfg)
	return nil
}
