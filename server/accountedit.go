package server

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/account"
	"emberdb/server/grants"
	"emberdb/sqllayer"
)

// accountEdit is a change of accounts and of what roles they have: all of it becomes durable, or
// none of it happens. It holds the lock of the grant tables from editAccounts to close.
type accountEdit struct {
	db    *mysql_db.MySQLDb
	ed    *mysql_db.Editor
	rows  map[account.Name]*grants.AccountRow // looked at; nil: dropped
	edges []mysql_db.RoleEdge                 // WITH_ADMIN_OPTION is the field WithAdminOption
	s     *Server
	held  *grants.HeldDraft // nil: the server keeps nothing
}

// editAccounts commits, as statements about accounts do, and opens the grant tables for a change.
func (x *execution) editAccounts(ctx *sql.Context) (*accountEdit, error) {
	if err := x.commitFirst(ctx); err != nil {
		return nil, err
	}
	held, err := x.h.s.holdDraft(ctx)
	if err != nil {
		return nil, err
	}
	db := x.h.s.accounts.db
	e := &accountEdit{s: x.h.s, held: held, db: db, ed: db.Editor(), rows: map[account.Name]*grants.AccountRow{}}
	e.ed.VisitRoleEdges(func(r *mysql_db.RoleEdge) { e.edges = append(e.edges, *r) })
	return e, nil
}

func (e *accountEdit) close() {
	e.ed.Close()
	e.held.Finish()
}

// Row finds an account; nil: there is none. What is changed in it is written by save.
func (e *accountEdit) row(n account.Name) *grants.AccountRow {
	if r, ok := e.rows[n]; ok {
		return r
	}
	u, ok := e.ed.GetUser(grants.KeyOf(n))
	if !ok {
		return nil
	}
	e.rows[n] = grants.RowOf(u)
	return e.rows[n]
}

func (e *accountEdit) drop(n account.Name) {
	e.rows[n] = nil
	e.edges = slices.DeleteFunc(e.edges, func(r mysql_db.RoleEdge) bool { return grants.FromOf(r) == n || grants.ToOf(r) == n })
	for _, r := range e.all() { // roles that are gone are nobody's default
		r.Policy.DefaultRoles = slices.DeleteFunc(r.Policy.DefaultRoles, func(d account.Name) bool { return d == n })
	}
}

// all looks at every account.
func (e *accountEdit) all() (rows []*grants.AccountRow) {
	var names []account.Name
	e.ed.VisitUsers(func(u *mysql_db.User) { names = append(names, account.Name{User: u.User, Host: u.Host}) })
	for n := range e.rows {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	for _, n := range names {
		if r := e.row(n); r != nil {
			rows = append(rows, r)
		}
	}
	return rows
}

// edge finds the grant of a role to an account.
func (e *accountEdit) edge(role, to account.Name) *mysql_db.RoleEdge {
	for i, r := range e.edges {
		if grants.FromOf(r) == role && grants.ToOf(r) == to {
			return &e.edges[i]
		}
	}
	return nil
}

// save writes the change, with the statement for the binary log.
func (e *accountEdit) save(ctx *sql.Context, log string) error {
	before := map[account.Name]*mysql_db.User{}
	after := map[account.Name]*mysql_db.User{}
	for n, r := range e.rows {
		before[n], _ = e.ed.GetUser(grants.KeyOf(n))
		if r == nil {
			after[n] = nil
			continue
		}
		u, err := r.Seal()
		if err != nil {
			return err
		}
		after[n] = u
	}
	var edges []mysql_db.RoleEdge
	e.ed.VisitRoleEdges(func(r *mysql_db.RoleEdge) { edges = append(edges, *r) })
	e.put(after, e.edges)
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		s.SetStatement(log)
	}
	err := e.db.Persist(ctx, e.ed)
	if err != nil {
		e.put(before, edges)
		return err
	}
	return e.redraft(before, edges)
}

// redraft brings the draft of the grant tables up to what was saved.
func (e *accountEdit) redraft(before map[account.Name]*mysql_db.User, edges []mysql_db.RoleEdge) error {
	if !e.held.IsDraft() {
		return nil
	}
	var old, rows []*grants.AccountRow
	for n, r := range e.rows {
		if u := before[n]; u != nil {
			old = append(old, grants.RowOf(u))
		}
		if r != nil {
			rows = append(rows, r)
		}
	}
	e.held.Changed = true
	for _, t := range e.s.grantTables {
		if err := t.Redraft(e.held.SystemRows, t.Keyed(old, edges), t.Keyed(rows, e.edges)); err != nil {
			return err
		}
		for n, r := range e.rows {
			if r != nil {
				continue
			}
			if err := t.Forget(e.held.SystemRows, n); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *accountEdit) put(users map[account.Name]*mysql_db.User, edges []mysql_db.RoleEdge) {
	for n, u := range users {
		e.ed.RemoveUser(grants.KeyOf(n)) // PutUser replaces only an equal row
		if u != nil {
			e.ed.PutUser(u)
		}
	}
	var old []mysql_db.RoleEdgesPrimaryKey
	e.ed.VisitRoleEdges(func(r *mysql_db.RoleEdge) {
		old = append(old, mysql_db.RoleEdgesPrimaryKey{FromHost: r.FromHost, FromUser: r.FromUser, ToHost: r.ToHost, ToUser: r.ToUser})
	})
	for _, k := range old {
		e.ed.RemoveRoleEdge(k)
	}
	for _, r := range edges {
		e.ed.PutRoleEdge(&r)
	}
}

// Who may change accounts. The rules are MySQL's: CREATE USER, or the privilege on the mysql schema
// that would let one write the grant tables by hand. An account with SYSTEM_USER is changed only by
// those who have it, too.

// caller works out the session's account and rights. A session without an account has no rights,
// except the server's own.
func (x *execution) caller(ctx *sql.Context) grants.Caller {
	c := ctx.Session.Client()
	who := grants.Caller{Name: account.Name{User: c.User, Host: c.Address}, From: c.Address, Password: x.w.withPassword}
	who.Grants = account.GrantsOf(x.h.s.accounts.db.UserActivePrivilegeSet(ctx))
	who.Grants.Literal = grants.PartialRevokes()
	if x.w.inside {
		who.Grants = grants.Everything()
	}
	if s, ok := x.w.session.(*sqllayer.Session); ok {
		who.From = s.Accessing().Host
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

// isSystemUser tells whether a client's account has SYSTEM_USER, itself or by a role.
func (s *Server) isSystemUser(w *wireConn) bool {
	a := w.public.Load()
	if a == nil {
		return false
	}
	graph := s.graph()
	for _, n := range append(graph.Closure(graph.Granted(a.name())), a.name()) {
		if r := s.accounts.row(n); r != nil && r.Grants.Has(grants.SystemUser) {
			return true
		}
	}
	return false
}

// parseAccount reads the statement.
func parseAccount[S account.Statement](x *execution) (S, error) {
	var none S
	s, err := account.Read(x.stmt.Tree)
	if err != nil {
		return none, grants.AccountError(err)
	}
	if of, ok := s.(S); ok {
		return of, nil
	}
	return none, x.unsupported()
}
