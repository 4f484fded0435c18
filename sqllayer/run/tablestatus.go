package run

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
)

// tableStatus runs SHOW TABLE STATUS: tables and views.
func (b *Builder) tableStatus(ctx *sql.Context, n *plan.ShowTableStatus) (sql.RowIter, error) {
	db, ok := sqllayer.OwnDatabase(n.Database())
	if !ok {
		return infoschema.SystemStatus(ctx, n)
	}
	ctx = sqllayer.Listing(ctx)
	names, err := db.GetTableNames(ctx)
	if err != nil {
		return nil, err
	}
	schema := n.Schema(ctx)
	var rows []sql.Row
	rights := sqllayer.PrivilegesOf(ctx)
	for _, name := range names {
		if !rights.SeesTable(db.Name(), name) {
			continue
		}
		t, ok, err := db.Table(ctx, name)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue // dropped meanwhile
		}
		status, err := sqllayer.StatusOf(ctx, t)
		if err != nil {
			return nil, err
		}
		rows = append(rows, infoschema.RowOf(schema, status))
	}
	views, err := db.AllViews(ctx)
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		if !rights.SeesTable(db.Name(), v.Name) {
			continue
		}
		rows = append(rows, infoschema.RowOf(schema, map[string]any{"name": v.Name, "comment": "VIEW"}))
	}
	slices.SortFunc(rows, func(a, b sql.Row) int { return strings.Compare(a[0].(string), b[0].(string)) })
	return sql.RowsToRowIter(rows...), nil
}
