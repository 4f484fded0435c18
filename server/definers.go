package server

import (
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

// dropUser is DROP USER, which the SQL layer runs.
func (x *execution) dropUser(ctx *sql.Context) error {
	nodes, err := parseFully(x.query)
	if err != nil || x.need(ctx, "CREATE USER", sql.PrivilegeType_CreateUser) != nil {
		return x.viaLayer(ctx, x.query, nil)
	}
	var accounts []mysql_db.UserPrimaryKey
	if n, ok := nodes[0].(*ast.DropUserStmt); ok {
		for _, u := range n.UserList {
			accounts = append(accounts, keyOf(u))
		}
	}
	if err := x.keepsDefiners(ctx, "DROP USER", accounts...); err != nil {
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
