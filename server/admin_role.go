package server

// SET ROLE and SET DEFAULT ROLE. Which roles are active is the SQL layer's.

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/auth"

	"emberdb/sqllayer"
)

// setRole is SET ROLE and SET DEFAULT ROLE.
func (x *execution) setRole(ctx *sql.Context) error {
	nodes, err := parseFully(x.query)
	if err != nil {
		return syntaxError(x.query, err)
	}
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return nil // a session of another kind has no account
	}
	switch n := nodes[0].(type) {
	case *ast.SetRoleStmt:
		roles, err := chosenRoles(s, sqllayer.Role{User: x.w.account.user, Host: x.w.account.host}, n.SetRoleOpt, n.RoleList)
		if err == nil {
			s.ActivateRoles(ctx, roles)
		}
		return err
	case *ast.SetDefaultRoleStmt:
		return x.setDefaultRole(ctx, s, n)
	}
	return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, len("SET ")))
}

// setDefaultRole writes what is active after the next login.
func (x *execution) setDefaultRole(ctx *sql.Context, s *sqllayer.Session, n *ast.SetDefaultRoleStmt) error {
	chosen := make(map[sqllayer.Role][]string)
	for _, u := range n.UserList {
		if u.CurrentUser {
			*u = auth.UserIdentity{Username: x.w.account.user, Hostname: x.w.account.host}
		}
		to := sqllayer.Role{User: u.Username, Host: u.Hostname}
		if to.User != x.w.account.user || to.Host != x.w.account.host {
			if err := x.need(ctx, "CREATE USER", sql.PrivilegeType_CreateUser); err != nil {
				return err
			}
		}
		roles, err := chosenRoles(s, to, n.SetRoleOpt, n.RoleList)
		if err != nil {
			return err
		}
		chosen[to] = []string{}
		for _, r := range roles {
			chosen[to] = append(chosen[to], r.String())
		}
	}
	ed, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer ed.Close()
	var users []*mysql_db.User
	for to, roles := range chosen {
		old, ok := ed.GetUser(userKey(to.User, to.Host))
		if !ok {
			return sqllayer.NewError(1396, "Operation SET DEFAULT ROLE failed for '%s'@'%s'", to.User, to.Host)
		}
		u := *old
		change := accountChange{attributes: map[string]any{sqllayer.DefaultRoles: roles}}
		if len(roles) == 0 {
			change.attributes[sqllayer.DefaultRoles] = nil
		}
		if err := change.apply(&u); err != nil {
			return err
		}
		users = append(users, &u)
	}
	replaceAccounts(ed, users)
	if err := logNode(s, n); err != nil {
		return err
	}
	return x.h.s.accounts.db.Persist(ctx, ed)
}

// chosenRoles are the roles that a statement names, all of them granted to the account.
func chosenRoles(s *sqllayer.Session, to sqllayer.Role, how ast.SetRoleStmtType, named []*auth.RoleIdentity) ([]sqllayer.Role, error) {
	granted, defaults := s.GrantedRoles(to)
	var listed []sqllayer.Role
	for _, r := range named {
		role := sqllayer.Role{User: r.Username, Host: r.Hostname}
		if role.Host == "" {
			role.Host = "%"
		}
		listed = append(listed, role)
		if !slices.Contains(granted, role) {
			return nil, sqllayer.NewError(3530, "%s is not granted to %s", role, to)
		}
	}
	switch how {
	case ast.SetRoleDefault:
		return defaults, nil
	case ast.SetRoleAll:
		return granted, nil
	case ast.SetRoleAllExcept:
		return slices.DeleteFunc(granted, func(r sqllayer.Role) bool { return slices.Contains(listed, r) }), nil
	}
	return listed, nil // none with NONE
}
