package infoschema

import (
	"slices"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sqllayer/tabledef"
)

// ColumnKey is the Key of SHOW COLUMNS: the strongest of the keys the column is first in.
func ColumnKey(def *catalog.Table, column int) string {
	key := ""
	shown := tabledef.ShownIndexes(def)
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

func ColumnExtra(d *tabledef.TableDef, i int) string {
	c := &d.Def.Columns[i]
	var parts []string
	switch {
	case i == d.Def.AutoInc:
		parts = append(parts, "auto_increment")
	case c.Generated != "" && c.Virtual:
		parts = append(parts, "VIRTUAL GENERATED")
	case c.Generated != "":
		parts = append(parts, "STORED GENERATED")
	case c.HasDefault && (!c.Literal || tabledef.IsCurrentTime(tabledef.CurrentTime(c.Default))):
		parts = append(parts, "DEFAULT_GENERATED")
	}
	if c.OnUpdate != "" {
		parts = append(parts, "on update "+tabledef.CurrentTime(c.OnUpdate))
	}
	if c.Invisible {
		parts = append(parts, "INVISIBLE")
	}
	return strings.Join(parts, " ")
}
