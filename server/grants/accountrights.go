package grants

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/account"
	"emberdb/sql/parse"
	"emberdb/sqllayer/sqlerr"
)

// Caller is who runs a statement about accounts.
type Caller struct {
	account.Name
	*account.Grants
	From     string         // the host that the client came from, which errors about tables name
	Password bool           // it logged in with one
	Roles    []account.Name // that are active, and those that they have been given
}

// Everything is what root may do.
func Everything() *account.Grants {
	g := account.NewGrants()
	g.Global = account.GlobalLevel | account.GrantOption
	for _, d := range account.Dynamics {
		g.Dynamic[d] = true
	}
	return g
}

// Resolve gives CURRENT_USER its name.
func (c Caller) Resolve(w account.Who) account.Name {
	if w.Current {
		return c.Name
	}
	return w.Name
}

// OnMySQL tells whether the caller has a privilege on the mysql schema.
func (c Caller) OnMySQL(p account.Privileges) bool { return (c.Global | c.Named("mysql")).Has(p) }

// May refuses who has neither CREATE USER nor the privilege on the mysql schema.
func (c Caller) May(p account.Privileges) error {
	if c.Global.Has(account.CreateUserPrivilege) || c.OnMySQL(p) {
		return nil
	}
	return Missing("CREATE USER")
}

// MayTouch refuses a change of an account with SYSTEM_USER to those without.
func (c Caller) MayTouch(r *AccountRow) error {
	if r != nil && r.Grants.Has(SystemUser) && !c.Has(SystemUser) {
		return Missing(SystemUser)
	}
	return nil
}

const (
	SystemUser    = "SYSTEM_USER"
	RoleAdmin     = "ROLE_ADMIN"
	passwordAdmin = "APPLICATION_PASSWORD_ADMIN"
)

func (c Caller) NoDatabase(db string) error {
	return sqlerr.NewError(1044, "Access denied for user %s to database '%s'", c.Quoted(), db)
}

func (c Caller) NoTable(command, table string) error {
	return sqlerr.NewError(1142, "%s command denied to user '%s'@'%s' for table '%s'", command, c.User, c.From, table)
}

// MayGrant checks GRANT and REVOKE of static privileges: GRANT OPTION and each of them, at the
// level or above.
func (c Caller) MayGrant(s *account.Grant, on account.Object) error {
	want := account.GrantOption
	for _, p := range s.Privileges {
		if p.Dynamic == "" && len(p.Columns) == 0 {
			want |= p.Static & (account.GlobalLevel | account.GrantOption)
		}
	}
	if s.All {
		want |= LevelOf(on)
	}
	switch on.Level {
	case account.OnGlobal:
		return c.mayGrantGlobal(s, want)
	case account.OnDatabase:
		if !(c.Global | c.Named(on.Database)).Has(want) || isInformationSchema(on.Database) {
			return c.NoDatabase(on.Database)
		}
		return nil
	case account.OnTable:
		if isInformationSchema(on.Database) {
			return c.NoDatabase(on.Database)
		}
		return c.mayGrantTable(s, account.Table{Database: on.Database, Name: on.Name}, want)
	}
	own, _ := c.OnRoutine(RoutineOf(on))
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

func (c Caller) mayGrantGlobal(s *account.Grant, want account.Privileges) error {
	static := s.All || s.WithGrant
	for _, p := range s.Privileges {
		static = static || p.Dynamic == ""
	}
	if static && !c.Global.Has(want) {
		using := map[bool]string{false: "NO", true: "YES"}[c.Password]
		return sqlerr.NewError(1045, "Access denied for user %s (using password: %s)", c.Quoted(), using)
	}
	for _, p := range s.Privileges {
		if p.Dynamic != "" && !c.mayPass(strings.ToUpper(p.Dynamic)) {
			return Missing("GRANT OPTION")
		}
	}
	if s.All {
		for _, d := range account.Dynamics {
			if !c.mayPass(d) {
				return Missing("GRANT OPTION")
			}
		}
	}
	return nil
}

// mayPass tells whether the caller may give others a dynamic privilege. Who may write the grant
// tables may as well, but not SYSTEM_USER, which would open the accounts that it protects.
func (c Caller) mayPass(dynamic string) bool {
	return c.Dynamic[dynamic] || dynamic != SystemUser && c.OnMySQL(account.Update)
}

// mayGrantTable counts for a privilege on columns what the caller has on the columns.
func (c Caller) mayGrantTable(s *account.Grant, t account.Table, want account.Privileges) error {
	have := c.Global | c.Named(t.Database) | c.OnTable(t)
	lack := want &^ have
	for _, p := range s.Privileges {
		if len(p.Columns) > 0 {
			lack |= p.Static &^ (have | c.ColumnsOf(t))
		}
	}
	if lack != 0 {
		return c.NoTable(lacked(lack), t.Name)
	}
	for _, p := range s.Privileges {
		for _, column := range p.Columns {
			if !(have | c.OnColumn(account.Column{Table: t, Column: column})).Has(p.Static) {
				return sqlerr.NewError(1143, "%s command denied to user '%s'@'%s' for column '%s' in table '%s'",
					strings.Join(p.Static.Names(), ", "), c.User, c.From, column, t.Name)
			}
		}
	}
	return nil
}

// lacked lists privileges as errors about tables do.
func lacked(p account.Privileges) string {
	return strings.Replace(strings.Join(p.Names(), ", "), "GRANT OPTION", "GRANT", 1)
}

// LevelOf is what ALL PRIVILEGES stands for.
func LevelOf(on account.Object) account.Privileges {
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

func RoutineOf(on account.Object) account.Routine {
	kind := map[account.Level]account.RoutineKind{account.OnProcedure: account.Procedure, account.OnLibrary: account.Library}[on.Level]
	return account.Routine{Database: on.Database, Name: on.Name, Kind: kind}
}

func AccountError(err error) error {
	if e, ok := err.(*account.Error); ok {
		return sqlerr.NewError(e.Code, "%s", e.Text)
	}
	return ParseError(err)
}

// FailedFor is the error of an operation on several accounts, each with its reason.
func FailedFor(operation string, accounts []string) error {
	return sqlerr.NewError(1396, "Operation %s failed for %s", operation, strings.Join(accounts, ","))
}

func AlreadyExists(n account.Name) string { return n.Quoted() + " (User account already exists)" }

func DoesNotExist(n account.Name) string { return n.Quoted() + " (User account does not exist)" }

// Note warns of an account that is there, or is not, where the statement says that it may.
func Note(ctx *sql.Context, code int, format string, args ...any) {
	ctx.Session.Warn(&sql.Warning{Level: "Note", Code: code, Message: fmt.Sprintf(format, args...)})
}

func Warn(ctx *sql.Context, code int, format string, args ...any) {
	ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: code, Message: fmt.Sprintf(format, args...)})
}

// ParseError is the client's form of the parser's error.
func ParseError(err error) error {
	if e, ok := err.(*parse.Error); ok {
		return sqlerr.NewError(int(e.Code), "%s", e.Text)
	}
	return err
}

func Missing(privilege string) error {
	return sqlerr.NewError(1227, "Access denied; you need (at least one of) the %s privilege(s) for this operation", privilege)
}
