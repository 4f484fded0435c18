package server

// What information_schema tells of roles and of the attributes of accounts.

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/account"
	"emberdb/server/grants"
	"emberdb/server/virtual"
	"emberdb/sqllayer"
)

type infoRow = map[string]any

// addRoleTables fills the tables.
func (s *Server) addRoleTables(d *virtual.InfoSchema) {
	d.Fill("user_attributes", s.userAttributeRows)
	d.Fill("enabled_roles", func(ctx *sql.Context) []infoRow { return s.roleRows(ctx, s.activeRoles(ctx), false) })
	d.Fill("applicable_roles", func(ctx *sql.Context) []infoRow { return s.roleRows(ctx, nil, true) })
	d.Fill("role_table_grants", s.roleTableGrants)
	d.Fill("role_column_grants", s.roleColumnGrants)
	d.Fill("role_routine_grants", s.roleRoutineGrants)
}

func grantable(p account.Privileges) string {
	return map[bool]string{true: "YES", false: "NO"}[p.Has(account.GrantOption)]
}

// sessionAccount is the session's account, and whether it may read the grant tables.
func (s *Server) sessionAccount(ctx *sql.Context) (me account.Name, all bool) {
	c := ctx.Session.Client()
	g := account.GrantsOf(s.accounts.db.UserActivePrivilegeSet(ctx))
	return account.Name{User: c.User, Host: c.Address}, (g.Global | g.Named("mysql")).Has(account.Select)
}

func (s *Server) userAttributeRows(ctx *sql.Context) (out []infoRow) {
	me, all := s.sessionAccount(ctx)
	all = all || s.accounts.db.UserActivePrivilegeSet(ctx).Has(sql.PrivilegeType_CreateUser)
	for _, r := range s.accounts.all() {
		if !all && r.Name() != me {
			continue
		}
		row := infoRow{"user": r.User.User, "host": r.User.Host, "attribute": nil}
		if r.Attributes != nil {
			row["attribute"] = account.AttributeText(r.Attributes)
		}
		out = append(out, row)
	}
	return out
}

func (s *Server) activeRoles(ctx *sql.Context) []account.Name {
	if session, ok := ctx.Session.(*sqllayer.Session); ok {
		return session.ActiveRoles()
	}
	return nil
}

func (s *Server) graph() account.RoleGraph {
	rd := s.accounts.db.Reader()
	defer rd.Close()
	return sqllayer.RoleGraph(rd)
}

// roleRows lists roles: those that are enabled, or with applicable all that the session could
// enable.
func (s *Server) roleRows(ctx *sql.Context, active []account.Name, applicable bool) (out []infoRow) {
	me, _ := s.sessionAccount(ctx)
	graph := s.graph()
	roles := active
	if applicable {
		roles = graph.Closure(graph.Granted(me))
	}
	for _, role := range graph.Closure(roles) {
		row := infoRow{"user": me.User, "host": me.Host, "grantee": me.User, "grantee_host": me.Host, "role_name": role.User, "role_host": role.Host, "is_grantable": "NO",
			"is_default": "NO", "is_mandatory": map[bool]string{true: "YES", false: "NO"}[slices.Contains(graph.Mandatory, role)]}
		for _, e := range graph.Edges {
			if e.FromUser == role.User && e.FromHost == role.Host {
				if grants.ToOf(e) != me {
					row["grantee"], row["grantee_host"] = e.ToUser, e.ToHost
				}
				row["is_grantable"] = map[bool]string{true: "YES", false: "NO"}[e.WithAdminOption]
			}
		}
		if r := s.accounts.row(me); r != nil && slices.Contains(r.Policy.DefaultRoles, role) {
			row["is_default"] = "YES"
		}
		out = append(out, row)
	}
	return out
}

// Row finds an account; nil: there is none.
func (a *accounts) row(n account.Name) *grants.AccountRow {
	rd := a.db.Reader()
	defer rd.Close()
	if u, ok := rd.GetUser(grants.KeyOf(n)); ok {
		return grants.RowOf(u)
	}
	return nil
}

// enabledGrants visits the rows of the session's enabled roles.
func (s *Server) enabledGrants(ctx *sql.Context, f func(r *grants.AccountRow)) {
	for _, role := range s.graph().Closure(s.activeRoles(ctx)) {
		if r := s.accounts.row(role); r != nil {
			f(r)
		}
	}
}

func (s *Server) roleTableGrants(ctx *sql.Context) (out []infoRow) {
	s.enabledGrants(ctx, func(r *grants.AccountRow) {
		for _, t := range r.Grants.AllTables() {
			if p := r.Grants.OnTable(t); p != 0 {
				out = append(out, infoRow{"grantor": "", "grantor_host": "", "grantee": r.User.User, "grantee_host": r.User.Host, "table_catalog": "def",
					"table_schema": t.Database, "table_name": t.Name, "privilege_type": p.Members(), "is_grantable": grantable(p)})
			}
		}
	})
	return out
}

func (s *Server) roleColumnGrants(ctx *sql.Context) (out []infoRow) {
	s.enabledGrants(ctx, func(r *grants.AccountRow) {
		for _, c := range r.Grants.AllColumns() {
			out = append(out, infoRow{"grantor": "", "grantor_host": "", "grantee": r.User.User, "grantee_host": r.User.Host, "table_catalog": "def",
				"table_schema": c.Database, "table_name": c.Name, "column_name": c.Column, "privilege_type": r.Grants.OnColumn(c).Members(),
				"is_grantable": grantable(r.Grants.OnTable(c.Table))})
		}
	})
	return out
}

func (s *Server) roleRoutineGrants(ctx *sql.Context) (out []infoRow) {
	s.enabledGrants(ctx, func(r *grants.AccountRow) {
		for _, of := range r.Grants.AllRoutines() {
			p, _ := r.Grants.OnRoutine(of)
			out = append(out, infoRow{"grantor": "", "grantor_host": "", "grantee": r.User.User, "grantee_host": r.User.Host, "specific_catalog": "def",
				"specific_schema": of.Database, "specific_name": of.Name, "routine_catalog": "def", "routine_schema": of.Database, "routine_name": of.Name,
				"privilege_type": p.Members(), "is_grantable": grantable(p)})
		}
	})
	return out
}
