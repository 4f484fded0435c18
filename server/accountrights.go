package server

// Who may change accounts. The rules are MySQL's: CREATE USER, or the privilege on the mysql schema
// that would let one write the grant tables by hand. An account with SYSTEM_USER is changed only by
// those who have it, too.

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/account"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// caller is who runs a statement about accounts.
type caller struct {
	account.Name
	*account.Grants
	from     string         // the host that the client came from, which errors about tables name
	password bool           // it logged in with one
	roles    []account.Name // that are active, and those that they have been given
}

// caller works out the session's account and rights. A session without an account has no rights,
// except the server's own.
func (x *execution) caller(ctx *sql.Context) caller {
	c := ctx.Session.Client()
	who := caller{Name: account.Name{User: c.User, Host: c.Address}, from: c.Address, password: x.w.withPassword}
	who.Grants = account.GrantsOf(x.h.s.accounts.db.UserActivePrivilegeSet(ctx))
	who.Grants.Literal = partialRevokes()
	if x.w.inside {
		who.Grants = everything()
	}
	if s, ok := x.w.session.(*sqllayer.Session); ok {
		who.from = s.Accessing().Host
	}
	return who
}

// activeRoles lists the session's active roles and those that they have been given.
func (x *execution) activeRoles() []account.Name {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return nil
	}
	return x.h.s.graph().Closure(s.ActiveRoles())
}

// everything is what root may do.
func everything() *account.Grants {
	g := account.NewGrants()
	g.Global = account.GlobalLevel | account.GrantOption
	for _, d := range account.Dynamics {
		g.Dynamic[d] = true
	}
	return g
}

// resolve gives CURRENT_USER its name.
func (c caller) resolve(w account.Who) account.Name {
	if w.Current {
		return c.Name
	}
	return w.Name
}

// onMySQL tells whether the caller has a privilege on the mysql schema.
func (c caller) onMySQL(p account.Privileges) bool { return (c.Global | c.Named("mysql")).Has(p) }

// may refuses who has neither CREATE USER nor the privilege on the mysql schema.
func (c caller) may(p account.Privileges) error {
	if c.Global.Has(account.CreateUserPrivilege) || c.onMySQL(p) {
		return nil
	}
	return missing("CREATE USER")
}

// mayTouch refuses a change of an account with SYSTEM_USER to those without.
func (c caller) mayTouch(r *accountRow) error {
	if r != nil && r.grants.Has(systemUser) && !c.Has(systemUser) {
		return missing(systemUser)
	}
	return nil
}

const (
	systemUser    = "SYSTEM_USER"
	roleAdmin     = "ROLE_ADMIN"
	passwordAdmin = "APPLICATION_PASSWORD_ADMIN"
)

// isSystemUser tells whether a client's account has SYSTEM_USER, itself or by a role.
func (s *Server) isSystemUser(w *wireConn) bool {
	a := w.public.Load()
	if a == nil {
		return false
	}
	graph := s.graph()
	for _, n := range append(graph.Closure(graph.Granted(a.name())), a.name()) {
		if r := s.accounts.row(n); r != nil && r.grants.Has(systemUser) {
			return true
		}
	}
	return false
}

func (c caller) noDatabase(db string) error {
	return sqlerr.NewError(1044, "Access denied for user %s to database '%s'", c.Quoted(), db)
}

func (c caller) noTable(command, table string) error {
	return sqlerr.NewError(1142, "%s command denied to user '%s'@'%s' for table '%s'", command, c.User, c.from, table)
}

// mayGrant checks GRANT and REVOKE of static privileges: GRANT OPTION and each of them, at the
// level or above.
func (c caller) mayGrant(s *account.Grant, on account.Object) error {
	want := account.GrantOption
	for _, p := range s.Privileges {
		if p.Dynamic == "" && len(p.Columns) == 0 {
			want |= p.Static & (account.GlobalLevel | account.GrantOption)
		}
	}
	if s.All {
		want |= levelOf(on)
	}
	switch on.Level {
	case account.OnGlobal:
		return c.mayGrantGlobal(s, want)
	case account.OnDatabase:
		if !(c.Global | c.Named(on.Database)).Has(want) || isInformationSchema(on.Database) {
			return c.noDatabase(on.Database)
		}
		return nil
	case account.OnTable:
		if isInformationSchema(on.Database) {
			return c.noDatabase(on.Database)
		}
		return c.mayGrantTable(s, account.Table{Database: on.Database, Name: on.Name}, want)
	}
	own, _ := c.OnRoutine(routineOf(on))
	if lack := want &^ (c.Global | c.Named(on.Database) | own); lack != 0 {
		return sqlerr.NewError(1370, "%s command denied to user %s for routine '%s.%s'", lackedOnRoutine(lack), c.Quoted(), on.Database, on.Name)
	}
	return nil
}

func isInformationSchema(db string) bool { return strings.EqualFold(db, "information_schema") }

func lackedOnRoutine(lack account.Privileges) string {
	switch {
	case lack.Has(account.Execute):
		return "execute"
	case lack.Has(account.AlterRoutine):
		return "alter routine"
	}
	return "grant"
}

func (c caller) mayGrantGlobal(s *account.Grant, want account.Privileges) error {
	static := s.All || s.WithGrant
	for _, p := range s.Privileges {
		static = static || p.Dynamic == ""
	}
	if static && !c.Global.Has(want) {
		using := map[bool]string{false: "NO", true: "YES"}[c.password]
		return sqlerr.NewError(1045, "Access denied for user %s (using password: %s)", c.Quoted(), using)
	}
	for _, p := range s.Privileges {
		if p.Dynamic != "" && !c.mayPass(strings.ToUpper(p.Dynamic)) {
			return missing("GRANT OPTION")
		}
	}
	if s.All {
		for _, d := range account.Dynamics {
			if !c.mayPass(d) {
				return missing("GRANT OPTION")
			}
		}
	}
	return nil
}

// mayPass tells whether the caller may give others a dynamic privilege. Who may write the grant
// tables may as well, but not SYSTEM_USER, which would open the accounts that it protects.
func (c caller) mayPass(dynamic string) bool {
	return c.Dynamic[dynamic] || dynamic != systemUser && c.onMySQL(account.Update)
}

// mayGrantTable counts for a privilege on columns what the caller has on the columns.
func (c caller) mayGrantTable(s *account.Grant, t account.Table, want account.Privileges) error {
	have := c.Global | c.Named(t.Database) | c.OnTable(t)
	lack := want &^ have
	for _, p := range s.Privileges {
		if len(p.Columns) > 0 {
			lack |= p.Static &^ (have | c.ColumnsOf(t))
		}
	}
	if lack != 0 {
		return c.noTable(lacked(lack), t.Name)
	}
	for _, p := range s.Privileges {
		for _, column := range p.Columns {
			if !(have | c.OnColumn(account.Column{Table: t, Column: column})).Has(p.Static) {
				return sqlerr.NewError(1143, "%s command denied to user '%s'@'%s' for column '%s' in table '%s'",
					strings.Join(p.Static.Names(), ", "), c.User, c.from, column, t.Name)
			}
		}
	}
	return nil
}

// lacked lists privileges as errors about tables do.
func lacked(p account.Privileges) string {
	return strings.Replace(strings.Join(p.Names(), ", "), "GRANT OPTION", "GRANT", 1)
}

// levelOf is what ALL PRIVILEGES stands for.
func levelOf(on account.Object) account.Privileges {
	switch on.Level {
	case account.OnGlobal:
		return account.GlobalLevel
	case account.OnDatabase:
		return account.DatabaseLevel
	case account.OnTable:
		return account.TableLevel
	}
	return account.RoutineLevel
}

func routineOf(on account.Object) account.Routine {
	kind := map[account.Level]account.RoutineKind{account.OnProcedure: account.Procedure, account.OnLibrary: account.Library}[on.Level]
	return account.Routine{Database: on.Database, Name: on.Name, Kind: kind}
}

// parseAccount reads the statement.
func parseAccount[S account.Statement](x *execution) (S, error) {
	var none S
	s, err := account.Read(x.stmt.Tree)
	if err != nil {
		return none, accountError(err)
	}
	if of, ok := s.(S); ok {
		return of, nil
	}
	return none, x.unsupported()
}

func accountError(err error) error {
	if e, ok := err.(*account.Error); ok {
		return sqlerr.NewError(e.Code, "%s", e.Text)
	}
	return parseError(err)
}

// failedFor is the error of an operation on several accounts, each with its reason.
func failedFor(operation string, accounts []string) error {
	return sqlerr.NewError(1396, "Operation %s failed for %s", operation, strings.Join(accounts, ","))
}

func alreadyExists(n account.Name) string { return n.Quoted() + " (User account already exists)" }

func doesNotExist(n account.Name) string { return n.Quoted() + " (User account does not exist)" }

// note warns of an account that is there, or is not, where the statement says that it may.
func note(ctx *sql.Context, code int, format string, args ...any) {
	ctx.Session.Warn(&sql.Warning{Level: "Note", Code: code, Message: fmt.Sprintf(format, args...)})
}

func warn(ctx *sql.Context, code int, format string, args ...any) {
	ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: code, Message: fmt.Sprintf(format, args...)})
}
