package server

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/pingcap/tidb/pkg/parser/ast"

	"emberdb/sqllayer"
)

// keepsDefiners refuses to make, rename or drop accounts that are definers of stored objects, or warns of them those who may leave objects without a definer: an
// account that is made would take over such objects.
func (x *execution) keepsDefiners(ctx *sql.Context, operation string, accounts ...mysql_db.UserPrimaryKey) error {
	layer := x.h.s.layer()
	if layer == nil {
		return nil
	}
	may := x.h.s.hasAdmin(ctx, "allow_nonexistent_definer")
	for _, a := range accounts {
		kinds, err := layer.DefinedBy(ctx, sqllayer.Role{User: a.User, Host: a.Host})
		if err != nil {
			return err
		}
		for _, kind := range kinds {
			if !may {
				return sqllayer.NewError(4006, "Operation %s failed for '%s'@'%s' as it is referenced as a definer account in %s.", operation, a.User, a.Host, kind)
			}
			told := sqllayer.NewError(4005, "User '%s'@'%s' is referenced as a definer account in %s.", a.User, a.Host, kind)
			ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: told.Num, Message: told.Message})
		}
	}
	return nil
}

// createRole is CREATE ROLE, which the SQL layer runs.
func (x *execution) createRole(ctx *sql.Context) error {
	nodes, err := parseFully(x.query)
	if err != nil || x.need(ctx, "CREATE USER", sql.PrivilegeType_CreateUser) != nil && x.need(ctx, "CREATE ROLE", sql.PrivilegeType_CreateRole) != nil {
		return x.viaLayer(ctx, x.query, nil)
	}
	var accounts []mysql_db.UserPrimaryKey
	if n, ok := nodes[0].(*ast.CreateUserStmt); ok {
		for _, spec := range n.Specs {
			accounts = append(accounts, keyOf(spec.User))
		}
	}
	if err := x.keepsDefiners(ctx, "CREATE ROLE", accounts...); err != nil {
		return err
	}
	told := ctx.Session.Warnings()
	if err := x.commitFirst(ctx); err != nil {
		return err
	}
	if _, err := x.rowsOf(ctx, x.query); err != nil {
		return err
	}
	for _, w := range told { // go-mysql-server has cleared them
		ctx.Session.Warn(w)
	}
	return nil
}

// dropAccounts is DROP USER and DROP ROLE: all accounts, or none.
func (x *execution) dropAccounts(ctx *sql.Context) error {
	nodes, err := parseFully(x.query)
	if err != nil {
		return syntaxError(x.query, err)
	}
	n, ok := nodes[0].(*ast.DropUserStmt)
	if !ok {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, 0))
	}
	operation := "DROP USER"
	if err = x.need(ctx, "CREATE USER", sql.PrivilegeType_CreateUser); n.IsDropRole {
		operation = "DROP ROLE"
		if err != nil {
			err = x.need(ctx, "DROP ROLE or CREATE USER", sql.PrivilegeType_DropRole)
		}
	}
	if err != nil {
		return err
	}
	var accounts []mysql_db.UserPrimaryKey
	for _, u := range n.UserList {
		accounts = append(accounts, keyOf(u))
	}
	if err := x.keepsDefiners(ctx, operation, accounts...); err != nil {
		return err
	}
	ed, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer ed.Close()
	var failed []string
	for _, a := range accounts {
		if _, stored := ed.GetUser(a); !stored && n.IfExists {
			ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 3162, Message: fmt.Sprintf("Authorization ID '%s'@'%s' does not exist.", a.User, a.Host)})
		} else if !stored {
			failed = append(failed, fmt.Sprintf("'%s'@'%s'", a.User, a.Host))
		}
	}
	if len(failed) > 0 {
		return sqllayer.NewError(1396, "Operation %s failed for %s", operation, strings.Join(failed, ","))
	}
	for _, a := range accounts {
		ed.RemoveUser(a)
		ed.RemoveRoleEdgesFromKey(mysql_db.RoleEdgesFromKey{FromHost: a.Host, FromUser: a.User})
		ed.RemoveRoleEdgesToKey(mysql_db.RoleEdgesToKey{ToHost: a.Host, ToUser: a.User})
	}
	return x.h.s.accounts.db.Persist(ctx, ed)
}
