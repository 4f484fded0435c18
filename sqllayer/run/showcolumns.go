package run

import (
	"cmp"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/tabledef"
)

// columnList are the lines of SHOW COLUMNS and DESCRIBE, of a table or view.
type columnList struct {
	full          bool
	rights        sqllayer.Privileges
	schema, table string
	rows          []sql.Row
}

// add adds a column whose type is shown as text.
func (l *columnList) add(c *sql.Column, text, key string, value any, extra string) {
	null := "NO"
	if c.Nullable {
		null = "YES"
	}
	if !l.full {
		l.rows = append(l.rows, sql.Row{c.Name, text, null, key, value, extra})
		return
	}
	var coll any
	if id, ok := tabledef.CollationOf(c.Type); ok {
		coll = id.Name()
	}
	l.rows = append(l.rows, sql.Row{c.Name, text, coll, null, key, value, extra, l.rights.Listed(l.schema, l.table, c.Name), c.Comment})
}

// showColumns runs SHOW COLUMNS and DESCRIBE.
func (b *Builder) showColumns(ctx *sql.Context, n *plan.ShowColumns) (sql.RowIter, error) {
	t := sqllayer.OwnTable(n.Child)
	if t == nil {
		if made, ok := n.Child.(*plan.ResolvedTable); ok && !b.Layer.Opts.Plain {
			return showMadeColumns(ctx, n, made)
		}
		return b.showViewColumns(ctx, n)
	}
	d, hides := t.Def, sqllayer.HidesKey(ctx, t)
	list := columnList{full: n.Full, rights: sqllayer.PrivilegesOf(ctx), schema: t.Db.Name(), table: d.Def.Name}
	for i := range d.Def.Columns {
		c := &d.Def.Columns[i]
		if c.System && !n.Extended || hides && i == 0 || !t.Temporary && !list.rights.SeesColumn(list.schema, list.table, c.Name) {
			continue
		}
		var value any
		if v := infoschema.ListedDefault(ctx, d, i); v != nil {
			value = *v
		}
		shown := sql.Column{Name: c.Name, Type: d.Columns[i].Type, Nullable: c.Nullable, Comment: c.Comment}
		extra := infoschema.ColumnExtra(d, i)
		if t.Temporary {
			extra = cmp.Or(extra, "NULL") // the column is none of information_schema's, which has a text for it
		}
		list.add(&shown, d.ShownType(i), infoschema.ColumnKey(d.Def, i), value, extra)
	}
	return sql.RowsToRowIter(list.rows...), nil
}

// showMadeColumns is SHOW COLUMNS of a table whose rows the server makes.
func showMadeColumns(ctx *sql.Context, n *plan.ShowColumns, t *plan.ResolvedTable) (sql.RowIter, error) {
	list := columnList{full: n.Full, rights: sqllayer.PrivilegesOf(ctx), schema: t.SqlDatabase.Name(), table: t.Name()}
	for _, c := range t.Table.Schema(ctx) {
		if !list.rights.SeesColumn(list.schema, list.table, c.Name) {
			continue
		}
		value, extra, err := madeDefault(ctx, c)
		if err != nil {
			return nil, err
		}
		key := ""
		if c.PrimaryKey {
			key = "PRI"
		}
		list.add(c, tabledef.ShownType(c.Type), key, value, extra)
	}
	return sql.RowsToRowIter(list.rows...), nil
}

// madeDefault is the default of such a column as text, nil if it has none, and what is said of it
// beside.
func madeDefault(ctx *sql.Context, c *sql.Column) (value any, extra string, err error) {
	switch {
	case c.Default == nil:
		return nil, "", nil
	case !c.Default.IsLiteral():
		value, extra = tabledef.CurrentTime(c.Default.String()), "DEFAULT_GENERATED"
		if c.OnUpdate != nil {
			extra += " on update " + tabledef.CurrentTime(c.OnUpdate.String())
		}
		return value, extra, nil
	}
	v, err := c.Default.Eval(ctx, nil)
	if err != nil || v == nil {
		return nil, "", err
	}
	shown, err := c.Type.SQL(ctx, nil, v)
	return shown.ToString(), "", err
}
