package server

import (
	"slices"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/account"
	"emberdb/sqllayer"
)

// accountRow is an account of the grant tables, taken apart.
type accountRow struct {
	user       *mysql_db.User
	grants     *account.Grants
	policy     account.Policy
	attributes map[string]any // what users see; nil: none
}

func rowOf(u *mysql_db.User) *accountRow {
	own := *u
	r := &accountRow{user: &own, grants: account.GrantsOf(u.PrivilegeSet)}
	r.policy, r.attributes = account.PolicyOf(u)
	return r
}

func (r *accountRow) name() account.Name { return account.Name{User: r.user.User, Host: r.user.Host} }

// seal makes the row one for the grant tables.
func (r *accountRow) seal() (*mysql_db.User, error) {
	r.user.PrivilegeSet = r.grants.Set()
	return r.user, account.SetPolicy(r.user, r.policy, r.attributes)
}

// accountEdit is a change of accounts and of what roles they have: all of it becomes durable, or
// none of it happens. It holds the lock of the grant tables from editAccounts to close.
type accountEdit struct {
	db    *mysql_db.MySQLDb
	ed    *mysql_db.Editor
	rows  map[account.Name]*accountRow // looked at; nil: dropped
	edges []mysql_db.RoleEdge          // WITH_ADMIN_OPTION is the field WithAdminOption
	s     *Server
	held  *heldDraft // nil: the server keeps nothing
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
	e := &accountEdit{s: x.h.s, held: held, db: db, ed: db.Editor(), rows: map[account.Name]*accountRow{}}
	e.ed.VisitRoleEdges(func(r *mysql_db.RoleEdge) { e.edges = append(e.edges, *r) })
	return e, nil
}

func (e *accountEdit) close() {
	e.ed.Close()
	e.held.end()
}

func keyOf(n account.Name) mysql_db.UserPrimaryKey {
	return mysql_db.UserPrimaryKey{User: n.User, Host: n.Host}
}

// Row finds an account; nil: there is none. What is changed in it is written by save.
func (e *accountEdit) row(n account.Name) *accountRow {
	if r, ok := e.rows[n]; ok {
		return r
	}
	u, ok := e.ed.GetUser(keyOf(n))
	if !ok {
		return nil
	}
	e.rows[n] = rowOf(u)
	return e.rows[n]
}

func (e *accountEdit) drop(n account.Name) {
	e.rows[n] = nil
	e.edges = slices.DeleteFunc(e.edges, func(r mysql_db.RoleEdge) bool { return fromOf(r) == n || toOf(r) == n })
	for _, r := range e.all() { // roles that are gone are nobody's default
		r.policy.DefaultRoles = slices.DeleteFunc(r.policy.DefaultRoles, func(d account.Name) bool { return d == n })
	}
}

// all looks at every account.
func (e *accountEdit) all() (rows []*accountRow) {
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

func fromOf(r mysql_db.RoleEdge) account.Name {
	return account.Name{User: r.FromUser, Host: r.FromHost}
}
func toOf(r mysql_db.RoleEdge) account.Name { return account.Name{User: r.ToUser, Host: r.ToHost} }

// edge finds the grant of a role to an account.
func (e *accountEdit) edge(role, to account.Name) *mysql_db.RoleEdge {
	for i, r := range e.edges {
		if fromOf(r) == role && toOf(r) == to {
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
		before[n], _ = e.ed.GetUser(keyOf(n))
		if r == nil {
			after[n] = nil
			continue
		}
		u, err := r.seal()
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
	if !e.held.isDraft() {
		return nil
	}
	var old, rows []*accountRow
	for n, r := range e.rows {
		if u := before[n]; u != nil {
			old = append(old, rowOf(u))
		}
		if r != nil {
			rows = append(rows, r)
		}
	}
	e.held.changed = true
	for _, t := range e.s.grantTables {
		if err := t.redraft(e.held.SystemRows, t.keyed(old, edges), t.keyed(rows, e.edges)); err != nil {
			return err
		}
	}
	return nil
}

func (e *accountEdit) put(users map[account.Name]*mysql_db.User, edges []mysql_db.RoleEdge) {
	for n, u := range users {
		e.ed.RemoveUser(keyOf(n)) // PutUser replaces only an equal row
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

// newAccount is an account without rights.
func newAccount(n account.Name) *accountRow {
	u := &mysql_db.User{User: n.User, Host: n.Host, Plugin: pluginSha2, PasswordLastChanged: time.Now().UTC()}
	return &accountRow{user: u, grants: account.NewGrants()}
}
