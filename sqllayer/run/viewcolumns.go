package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer"
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
	list := columnList{full: n.Full, rights: sqllayer.PrivilegesOf(ctx), schema: d.Name(), table: name}
	for _, c := range columns {
		if list.rights.SeesColumn(d.Name(), name, c.Name) {
			list.add(c.Column, c.Text, "", c.Value, c.Extra())
		}
	}
	return sql.RowsToRowIter(list.rows...), nil
}
