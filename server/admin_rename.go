package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/auth"

	"emberdb/sqllayer"
)

// renameUser is RENAME USER: one account after the other, all or none.
func (x *execution) renameUser(ctx *sql.Context) error {
	nodes, err := parseFully(x.query)
	if err != nil {
		return syntaxError(x.query, err)
	}
	n, ok := nodes[0].(*ast.RenameUserStmt)
	if !ok {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, 0))
	}
	if err := x.need(ctx, "CREATE USER", sql.PrivilegeType_CreateUser); err != nil {
		return err
	}
	for _, u := range n.UserToUsers {
		if err := x.keepsDefiners(ctx, "RENAME USER", keyOf(u.OldUser), keyOf(u.NewUser)); err != nil {
			return err
		}
	}
	db := x.h.s.accounts.db
	ed, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer ed.Close()
	was := map[mysql_db.UserPrimaryKey]mysql_db.UserPrimaryKey{} // what the accounts that got another name were called before
	gone := map[mysql_db.UserPrimaryKey]bool{}
	var failed []string
	for _, u := range n.UserToUsers {
		from, to := keyOf(u.OldUser), keyOf(u.NewUser)
		_, renamed := was[from]
		_, stored := ed.GetUser(from)
		_, there := was[to]
		_, taken := ed.GetUser(to)
		if !renamed && (!stored || gone[from]) || there || taken && !gone[to] {
			failed = append(failed, "'"+from.User+"'@'"+from.Host+"'")
			continue
		}
		was[to] = from
		if renamed {
			was[to] = was[from]
			delete(was, from)
		} else {
			gone[from] = true
		}
	}
	if len(failed) > 0 {
		return sqllayer.NewError(1396, "Operation RENAME USER failed for %s", strings.Join(failed, ","))
	}
	moveAccounts(ed, was)
	return db.Persist(ctx, ed)
}

func keyOf(u *auth.UserIdentity) mysql_db.UserPrimaryKey {
	if u.Hostname == "" {
		return userKey(u.Username, "%")
	}
	return userKey(u.Username, u.Hostname)
}

// moveAccounts gives accounts, and what is granted to and by them as roles, their new names; was holds the old by the new.
func moveAccounts(ed *mysql_db.Editor, was map[mysql_db.UserPrimaryKey]mysql_db.UserPrimaryKey) {
	now := map[mysql_db.UserPrimaryKey]mysql_db.UserPrimaryKey{}
	var users []*mysql_db.User
	for to, from := range was {
		now[from] = to
		old, _ := ed.GetUser(from)
		u := *old
		u.User, u.Host = to.User, to.Host
		users = append(users, &u)
	}
	for from := range now {
		ed.RemoveUser(from)
	}
	for _, u := range users {
		ed.PutUser(u)
	}
	var edges []*mysql_db.RoleEdge
	ed.VisitRoleEdges(func(e *mysql_db.RoleEdge) { edges = append(edges, e) })
	for _, e := range edges {
		moved := *e
		if to, ok := now[userKey(e.FromUser, e.FromHost)]; ok {
			moved.FromUser, moved.FromHost = to.User, to.Host
		}
		if to, ok := now[userKey(e.ToUser, e.ToHost)]; ok {
			moved.ToUser, moved.ToHost = to.User, to.Host
		}
		if moved != *e {
			ed.RemoveRoleEdge(mysql_db.RoleEdgesPrimaryKey{FromHost: e.FromHost, FromUser: e.FromUser, ToHost: e.ToHost, ToUser: e.ToUser})
			ed.PutRoleEdge(&moved)
		}
	}
}
