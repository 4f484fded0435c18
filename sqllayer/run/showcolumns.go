package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/tabledef"
)

// showColumns runs SHOW COLUMNS and DESCRIBE.
func (b *Builder) showColumns(ctx *sql.Context, n *plan.ShowColumns) (sql.RowIter, error) {
	t := sqllayer.OwnTable(n.Child)
	if t == nil {
		return b.showViewColumns(ctx, n)
	}
	d, rights, hides := t.Def, sqllayer.PrivilegesOf(ctx), sqllayer.HidesKey(ctx, t)
	var rows []sql.Row
	for i := range d.Def.Columns {
		c := &d.Def.Columns[i]
		if c.System && !n.Extended || hides && i == 0 || !t.Temporary && !rights.SeesColumn(t.Db.Name(), d.Def.Name, c.Name) {
			continue
		}
		null := "NO"
		if c.Nullable {
			null = "YES"
		}
		var value any
		if v := infoschema.ListedDefault(ctx, d, i); v != nil {
			value = *v
		}
		typ := d.ShownType(i)
		if !n.Full {
			rows = append(rows, sql.Row{c.Name, typ, null, infoschema.ColumnKey(d.Def, i), value, infoschema.ColumnExtra(d, i)})
			continue
		}
		var coll any
		if id, ok := tabledef.CollationOf(d.Columns[i].Type); ok {
			coll = id.Name()
		}
		rows = append(rows, sql.Row{c.Name, typ, coll, null, infoschema.ColumnKey(d.Def, i), value, infoschema.ColumnExtra(d, i), rights.Listed(t.Db.Name(), d.Def.Name, c.Name), c.Comment})
	}
	return sql.RowsToRowIter(rows...), nil
}
