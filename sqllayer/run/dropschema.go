package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// dropSchema is DROP DATABASE. Its answer tells how many tables and views are gone with the schema.
func (b *Builder) dropSchema(ctx *sql.Context, n *plan.DropDB, r sql.Row) (sql.RowIter, error) {
	if err := b.Layer.LockSchema(ctx, n.DbName, true); err != nil {
		return nil, err
	}
	gone, known, err := tablesAndViews(ctx, b.Layer.Provider, n.DbName)
	if err != nil {
		return nil, err
	}
	iter, err := rowexec.NewBuilder(nil, sql.EngineOverrides{}).Build(ctx, n, r) // b.base would come back here
	if err != nil || !known {
		return iter, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.OkResult{RowsAffected: gone})), nil
}

// tablesAndViews counts what a schema holds.
func tablesAndViews(ctx *sql.Context, p sql.DatabaseProvider, schema string) (count uint64, known bool, err error) {
	if !p.HasDatabase(ctx, schema) {
		return 0, false, nil
	}
	db, err := p.Database(ctx, schema)
	if err != nil {
		return 0, false, err
	}
	tables, err := db.GetTableNames(ctx)
	if err != nil {
		return 0, false, err
	}
	count = uint64(len(tables))
	if d, ok := db.(sql.ViewDatabase); ok {
		views, err := d.AllViews(ctx)
		if err != nil {
			return 0, false, err
		}
		count += uint64(len(views))
	}
	return count, true, nil
}
