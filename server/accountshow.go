package server

// SHOW GRANTS and SHOW CREATE USER.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/account"
	"emberdb/sqllayer"
)

// showGrants is SHOW GRANTS. Everybody may see what the own account has.
func (x *execution) showGrants(ctx *sql.Context) error {
	s, err := parseAccount[*account.ShowGrants](x)
	if err != nil {
		return err
	}
	me := x.caller(ctx)
	of := me.resolve(s.For)
	if of != me.Name && !me.onMySQL(account.Select) {
		return me.noTable("SELECT", "user")
	}
	using := s.Using
	if session, ok := x.w.session.(*sqllayer.Session); ok && s.For.Current && using == nil {
		using = session.ActiveRoles()
	}
	lines, err := x.grantLines(of, using, s.For.Current)
	if err != nil {
		return err
	}
	var rows [][]any
	for _, l := range lines {
		rows = append(rows, []any{l})
	}
	return x.table(ctx, textColumns(fmt.Sprintf("Grants for %s@%s", of.User, of.Host)), rows)
}

// grantLines lists what an account has, with that of the roles it uses. Mandatory roles are told to
// the account itself.
func (x *execution) grantLines(of account.Name, using []account.Name, own bool) ([]string, error) {
	rd := x.h.s.accounts.db.Reader()
	defer rd.Close()
	u, ok := rd.GetUser(keyOf(of))
	if !ok {
		return nil, errNoGrant(of)
	}
	r := rowOf(u)
	graph := sqllayer.RoleGraph(rd)
	for _, name := range using {
		if !slices.Contains(graph.Granted(of), name) {
			return nil, errNotGranted(name, of)
		}
	}
	for _, name := range graph.Closure(using) {
		if role, ok := rd.GetUser(keyOf(name)); ok {
			r.grants.Union(account.GrantsOf(role.PrivilegeSet))
		}
	}
	lines := r.grants.GrantLines(of)
	lines = append(lines, r.policy.RestrictionLines(of)...)
	lines = append(lines, r.policy.ProxyLines(of)...)
	if own {
		for _, m := range graph.Mandatory {
			if m != of && !slices.ContainsFunc(graph.Edges, func(e mysql_db.RoleEdge) bool { return fromOf(e) == m && toOf(e) == of }) {
				graph.Edges = append(graph.Edges, mysql_db.RoleEdge{FromUser: m.User, FromHost: m.Host, ToUser: of.User, ToHost: of.Host})
			}
		}
	}
	return append(lines, graph.Lines(of)...), nil
}

// showCreateUser prints the statement that makes an account.
func (x *execution) showCreateUser(ctx *sql.Context) error {
	s, err := parseAccount[*account.ShowCreateUser](x)
	if err != nil {
		return err
	}
	me := x.caller(ctx)
	of := me.resolve(s.Of)
	if of != me.Name && !me.onMySQL(account.Select) {
		return me.noDatabase("mysql")
	}
	rd := x.h.s.accounts.db.Reader()
	defer rd.Close()
	u, ok := rd.GetUser(keyOf(of))
	if !ok {
		return failedFor("SHOW CREATE USER", []string{doesNotExist(of)})
	}
	text := account.CreateUserText(u, x.sessionSwitch(ctx, "print_identified_with_as_hex"))
	return x.table(ctx, textColumns(fmt.Sprintf("CREATE USER for %s@%s", of.User, of.Host)), [][]any{{text}})
}

// sessionSwitch is the value of a switch of the session.
func (x *execution) sessionSwitch(ctx *sql.Context, name string) bool {
	v, err := ctx.GetSessionVariable(ctx, name)
	return err == nil && (v == int8(1) || v == true || v == "ON")
}

// showPrivileges is SHOW PRIVILEGES: the static ones as the SQL layer describes them, then the
// dynamic ones.
func (x *execution) showPrivileges(ctx *sql.Context) error {
	known, err := x.rowsOf(ctx, "SHOW PRIVILEGES")
	if err != nil {
		return err
	}
	var rows [][]any
	for _, r := range known {
		if name, _ := r[0].(string); strings.ToUpper(name) != name { // dynamic ones are in upper case
			rows = append(rows, []any(r))
		}
	}
	for _, d := range account.Dynamics {
		rows = append(rows, []any{d, "Server Admin", ""})
	}
	return x.table(ctx, textColumns("Privilege", "Context", "Comment"), rows)
}
