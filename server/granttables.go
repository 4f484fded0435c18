package server

// The grant tables of the mysql schema, as MySQL 9.7 lays them out. Their rows are made of the
// accounts.

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/account"
	"emberdb/server/virtual"
	"emberdb/sqllayer/infoschema"
)

// grantTable is a table of the accounts.
type grantTable struct {
	*infoschema.VirtualTable
	columns sql.Schema
	primary []int                                       // the columns of its primary key
	given   []int                                       // the columns that the accounts have values for
	of      func(r *accountRow, add func(...any))       // the rows of an account
	edges   func(r mysql_db.RoleEdge, add func(...any)) // the row of a role that was granted
}

// fillGrantTables gives the tables their rows, and lets statements change them.
func (s *Server) fillGrantTables(d *virtual.Database) {
	add := func(name, given string, of func(r *accountRow, add func(...any))) *grantTable {
		t := &grantTable{VirtualTable: d.Tables[name], columns: d.Tables[name].Schema(nil), of: of, primary: virtual.PrimaryKey(d.Tables[name])}
		for i, c := range t.columns {
			if given == "" || slices.Contains(strings.Split(given, ", "), c.Name) {
				t.given = append(t.given, i)
			}
		}
		s.grantTables = append(s.grantTables, t)
		d.Fill(name, columnList(d, name), func(ctx *sql.Context) ([]sql.Row, error) { return s.grantRows(ctx, t) })
		d.Editable[name] = s.changeGrantRow(t)
		return t
	}
	add("user", "", userRow)
	add("db", "", dbRows)
	add("tables_priv", "Host, Db, User, Table_name, Table_priv, Column_priv", func(r *accountRow, add func(...any)) {
		for _, t := range r.grants.AllTables() {
			add(r.user.Host, t.Database, r.user.User, t.Name, r.grants.OnTable(t).Members(), r.grants.ColumnsOf(t).Members())
		}
	})
	add("columns_priv", "Host, Db, User, Table_name, Column_name, Column_priv", func(r *accountRow, add func(...any)) {
		for _, c := range r.grants.AllColumns() {
			add(r.user.Host, c.Database, r.user.User, c.Name, c.Column, r.grants.OnColumn(c).Members())
		}
	})
	add("procs_priv", "Host, Db, User, Routine_name, Routine_type, Proc_priv", func(r *accountRow, add func(...any)) {
		for _, of := range r.grants.AllRoutines() {
			p, _ := r.grants.OnRoutine(of)
			add(r.user.Host, of.Database, r.user.User, of.Name, of.Kind.String(), p.Members())
		}
	})
	add("global_grants", "", func(r *accountRow, add func(...any)) {
		for _, name := range sortedKeys(r.grants.Dynamic) {
			add(r.user.User, r.user.Host, name, yesNo(r.grants.Dynamic[name]))
		}
	})
	add("default_roles", "", func(r *accountRow, add func(...any)) {
		for _, role := range r.policy.DefaultRoles {
			add(r.user.Host, r.user.User, role.Host, role.User)
		}
	})
	add("proxies_priv", "", func(r *accountRow, add func(...any)) {
		proxies := slices.Clone(r.policy.Proxies)
		slices.SortFunc(proxies, func(a, b account.Proxy) int {
			return strings.Compare(a.On.Host+"\x00"+a.On.User, b.On.Host+"\x00"+b.On.User)
		})
		for _, p := range proxies {
			add(r.user.Host, r.user.User, p.On.Host, p.On.User, int64(b2i(p.Grant)), p.Grantor, p.At)
		}
	})
	add("password_history", "", func(r *accountRow, add func(...any)) {
		for _, u := range r.policy.Used {
			add(r.user.Host, r.user.User, u.At, u.Hash)
		}
	})
	add("role_edges", "", nil).edges = func(e mysql_db.RoleEdge, add func(...any)) {
		add(e.FromHost, e.FromUser, e.ToHost, e.ToUser, yesNo(e.WithAdminOption))
	}
}

func columnList(d *virtual.Database, table string) string {
	var names []string
	for _, c := range d.Tables[table].Schema(nil) {
		names = append(names, c.Name)
	}
	return strings.Join(names, ",")
}

// all lists the accounts.
func (a *accounts) all() (rows []*accountRow) {
	rd := a.db.Reader()
	defer rd.Close()
	rd.VisitUsers(func(u *mysql_db.User) { rows = append(rows, rowOf(u)) })
	sort.Slice(rows, func(i, j int) bool {
		x, y := rows[i].user, rows[j].user
		return x.Host < y.Host || x.Host == y.Host && x.User < y.User
	})
	return rows
}

func yesNo(b bool) string { return map[bool]string{true: "Y", false: "N"}[b] }

// userRow is a row of mysql.user.
func userRow(r *accountRow, add func(...any)) {
	row := []any{r.user.Host, r.user.User}
	for _, s := range account.Statics[:len(account.Statics)-2] {
		row = append(row, yesNo(r.grants.Global.Has(s.Is)))
	}
	p := &r.policy
	row = append(row, r.user.SslType, r.user.SslCipher, r.user.X509Issuer, r.user.X509Subject, uint64(p.MaxQueries), uint64(p.MaxUpdates),
		uint64(p.MaxConnections), uint64(p.MaxUserConnections), r.user.Plugin, r.user.AuthString, yesNo(p.Expired), timeOrNull(r.user.PasswordLastChanged),
		numberOrNull(p.Lifetime), yesNo(r.user.Locked), yesNo(r.grants.Global.Has(account.CreateRolePrivilege)), yesNo(r.grants.Global.Has(account.DropRolePrivilege)),
		numberOrNull(p.History), numberOrNull(p.ReuseDays))
	var current any
	if p.RequireCurrent != nil {
		current = yesNo(*p.RequireCurrent != 0)
	}
	add(append(row, current, r.userAttributes())...)
}

func timeOrNull(t time.Time) any {
	if t.IsZero() || t.Unix() == 0 {
		return nil
	}
	return t
}

func numberOrNull(n *int) any {
	if n == nil {
		return nil
	}
	return uint64(*n)
}

// userAttributes is the column of mysql.user that holds what MySQL has added later, and the user's
// own attributes.
func (r *accountRow) userAttributes() any {
	all := map[string]any{}
	p := &r.policy
	if r.attributes != nil {
		all["metadata"] = r.attributes
	}
	if p.FailedAttempts != 0 || p.LockDays != 0 {
		all["Password_locking"] = map[string]any{"failed_login_attempts": p.FailedAttempts, "password_lock_time_days": p.LockDays}
	}
	if p.Second != "" {
		all["additional_password"] = p.Second
	}
	var restrictions []any
	for _, x := range p.Restrictions {
		var names []any
		for _, n := range x.Privileges.Names() {
			names = append(names, n)
		}
		restrictions = append(restrictions, map[string]any{"Database": x.Database, "Privileges": names})
	}
	if restrictions != nil {
		all["Restrictions"] = restrictions
	}
	if len(all) == 0 {
		return nil
	}
	return account.AttributeText(all)
}

// dbRows are the rows of mysql.db.
func dbRows(r *accountRow, add func(...any)) {
	for _, db := range r.grants.AllDatabases() {
		p, _ := r.grants.OnDatabase(db)
		row := []any{r.user.Host, db, r.user.User}
		for _, is := range []account.Privileges{account.Select, account.Insert, account.Update, account.Delete, account.Create, account.Drop, account.GrantOption,
			account.References, account.Index, account.Alter, account.CreateTemporary, account.LockTables, account.CreateView, account.ShowView,
			account.CreateRoutine, account.AlterRoutine, account.Execute, account.Event, account.Trigger} {
			row = append(row, yesNo(p.Has(is)))
		}
		add(row...)
	}
}

// sortedEdges are granted roles in the order of role_edges.
func sortedEdges(edges []mysql_db.RoleEdge) []mysql_db.RoleEdge {
	edges = slices.Clone(edges)
	sort.Slice(edges, func(i, j int) bool {
		x, y := edges[i], edges[j]
		return strings.Join([]string{x.FromHost, x.FromUser, x.ToHost, x.ToUser}, "\x00") < strings.Join([]string{y.FromHost, y.FromUser, y.ToHost, y.ToUser}, "\x00")
	})
	return edges
}
