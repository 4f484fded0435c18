package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer"
)

// orphaned is ADD FOREIGN KEY without foreign_key_checks to a parent that is not there, which
// go-mysql-server has only in CREATE TABLE; nil is any other.
func orphaned(ctx *sql.Context, n *plan.CreateForeignKey) (sql.RowIter, error) {
	if sqllayer.SessionOf(ctx).Flag("foreign_key_checks") {
		return nil, nil
	}
	parents, err := n.DbProvider.Database(ctx, n.FkDef.ParentDatabase)
	if err != nil {
		return nil, err
	}
	if _, there, err := parents.GetTableInsensitive(ctx, n.FkDef.ParentTable); there || err != nil {
		return nil, err
	}
	children, err := n.DbProvider.Database(ctx, n.FkDef.Database)
	if err != nil {
		return nil, err
	}
	t, _, err := children.GetTableInsensitive(ctx, n.FkDef.Table)
	child, ok := t.(sql.ForeignKeyTable)
	if !ok || err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), plan.ResolveForeignKey(ctx, child, nil, *n.FkDef, true, false, false)
}
