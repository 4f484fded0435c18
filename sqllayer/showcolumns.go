package sqllayer

// SHOW COLUMNS of the engine's tables, as MySQL shows them.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// showColumns runs SHOW COLUMNS and DESCRIBE.
func (b *builder) showColumns(ctx *sql.Context, n *plan.ShowColumns) (sql.RowIter, error) {
	t := ownTable(n.Child)
	if t == nil {
		return b.showViewColumns(ctx, n), nil
	}
	d, rights := t.def, privilegesOf(ctx)
	var rows []sql.Row
	for i := range d.def.Columns {
		c := &d.def.Columns[i]
		if c.Invisible && !n.Extended || !t.temporary && !rights.seesColumn(t.db.Name(), d.def.Name, c.Name) {
			continue
		}
		null := "NO"
		if c.Nullable {
			null = "YES"
		}
		var value any
		if v := listedDefault(ctx, d, i); v != nil {
			value = *v
		}
		typ := d.shownType(i)
		if !n.Full {
			rows = append(rows, sql.Row{c.Name, typ, null, columnKey(d.def, i), value, columnExtra(d, i)})
			continue
		}
		var coll any
		if id, ok := collationOf(d.columns[i].Type); ok {
			coll = id.Name()
		}
		rows = append(rows, sql.Row{c.Name, typ, coll, null, columnKey(d.def, i), value, columnExtra(d, i), rights.listed(t.db.Name(), d.def.Name, c.Name), c.Comment})
	}
	return sql.RowsToRowIter(rows...), nil
}

// columnKey is the Key of SHOW COLUMNS: the strongest of the keys the column is first in.
func columnKey(def *catalog.Table, column int) string {
	key := ""
	shown := shownIndexes(def)
	primary := slices.IndexFunc(shown, func(x *catalog.Index) bool { return standsForPrimary(def, x) })
	for i, x := range shown {
		for at, p := range x.Parts {
			switch {
			case p.Column != column:
			case i == primary:
				return "PRI"
			case at > 0:
			case x.Unique && len(x.Parts) == 1:
				key = "UNI"
			case key == "":
				key = "MUL"
			}
		}
	}
	return key
}

// standsForPrimary tells whether a key is the primary key, or is shown as if it were where there is
// none: unique, of whole columns without NULLs.
func standsForPrimary(def *catalog.Table, x *catalog.Index) bool {
	return x.Name == "PRIMARY" || x.Unique && !slices.ContainsFunc(x.Parts, func(p row.KeyPart) bool { return p.Prefix > 0 || def.Columns[p.Column].Nullable })
}

func columnExtra(d *tableDef, i int) string {
	c := &d.def.Columns[i]
	var parts []string
	switch {
	case i == d.def.AutoInc:
		parts = append(parts, "auto_increment")
	case c.Generated != "" && c.Virtual:
		parts = append(parts, "VIRTUAL GENERATED")
	case c.Generated != "":
		parts = append(parts, "STORED GENERATED")
	case c.HasDefault && (!c.Literal || isCurrentTime(currentTime(c.Default))):
		parts = append(parts, "DEFAULT_GENERATED")
	}
	if c.OnUpdate != "" {
		parts = append(parts, "on update "+currentTime(c.OnUpdate))
	}
	return strings.Join(parts, " ")
}
