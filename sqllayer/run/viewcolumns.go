package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
)

// shownTableName is the name of the table whose columns the running statement shows.
func shownTableName(ctx *sql.Context) (schema, name string) {
	schema = ctx.GetCurrentDatabase()
	var t sqlast.TableName
	switch n := sqllayer.QueryTree(ctx).(type) {
	case *sqlast.Describe:
		t = n.Table
	case *sqlast.Show:
		if t = n.Table; n.Schema.Given() {
			schema = n.Schema.Name
		}
	}
	if t.Schema.Given() {
		schema = t.Schema.Name
	}
	return schema, t.Name.Name
}

// showViewColumns is SHOW COLUMNS of a view; nil if it is none of an ordinary database.
func (b *Builder) showViewColumns(ctx *sql.Context, n *plan.ShowColumns) (sql.RowIter, error) {
	if _, ok := n.Child.(*plan.SubqueryAlias); !ok || b.Layer.Opts.Plain {
		return nil, nil
	}
	schema, name := shownTableName(ctx)
	db, err := b.Layer.Provider.Database(ctx, schema)
	if err != nil {
		return nil, nil
	}
	d, own := sqllayer.OwnDatabase(db)
	if !own {
		return nil, nil
	}
	columns, err := d.ViewColumns(sqllayer.Listing(ctx), b.Layer.Engine.Analyzer.Catalog, name)
	if err != nil {
		return nil, err
	}
	rights := sqllayer.PrivilegesOf(ctx)
	var rows []sql.Row
	for _, c := range columns {
		if !rights.SeesColumn(d.Name(), name, c.Name) {
			continue
		}
		null := "NO"
		if c.Nullable {
			null = "YES"
		}
		line := sql.Row{c.Name, c.Text, null, "", c.Value, c.Extra()}
		if n.Full {
			var coll any
			if id, ok := tabledef.CollationOf(c.Type); ok {
				coll = id.Name()
			}
			line = sql.Row{c.Name, c.Text, coll, null, "", c.Value, c.Extra(), rights.Listed(d.Name(), name, c.Name), c.Comment}
		}
		rows = append(rows, line)
	}
	return sql.RowsToRowIter(rows...), nil
}
