package infoschema

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/operand"
)

// histogramRows are the histograms of columns.
func histogramRows(ctx *sql.Context, cat sql.Catalog, add func(map[string]any)) error {
	return sqllayer.EachTable(ctx, cat, func(db string, t sql.Table, own *sqllayer.Table) error {
		if own == nil {
			return nil
		}
		return own.EachHistogram(ctx, func(column, document string) {
			add(map[string]any{"schema_name": db, "table_name": t.Name(), "column_name": column, "histogram": operand.NewDocument([]byte(document))})
		})
	}, nil)
}
