package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sqllayer/tabledef"
)

// DropColumn implements sql.AlterableTable.
func (t *Table) DropColumn(ctx *sql.Context, name string) error {
	gone := t.Def.Find(name)
	if gone < 0 {
		return sql.ErrTableColumnNotFound.New(t.Name(), name)
	}
	return t.rebuild(ctx, func(def *catalog.Table) error {
		return dropColumn(def, gone)
	}, without(gone))
}

// drops tells whether a rewrite only takes a column away.
func drops(oldColumn, newColumn *sql.Column) bool { return oldColumn != nil && newColumn == nil }

// dropColumn takes a column out of a definition.
func dropColumn(def *catalog.Table, gone int) error {
	def.Columns = slices.Delete(def.Columns, gone, gone+1)
	return tabledef.Remap(def, func(old int) int {
		switch {
		case old == gone:
			return -1
		case old > gone:
			return old - 1
		}
		return old
	})
}

// withoutGone is a schema without the hidden columns of functional keys that are gone: an earlier
// part of the statement has dropped them. That of a key that is being made is not there yet.
func withoutGone(schema sql.PrimaryKeySchema, old *catalog.Table, made string) (out sql.PrimaryKeySchema) {
	places := make(map[int]int)
	for i, c := range schema.Schema {
		if !c.HiddenSystem || c.Name == made || columnAt(old, c.Name) >= 0 {
			places[i] = len(out.Schema)
			out.Schema = append(out.Schema, c)
		}
	}
	for _, at := range schema.PkOrdinals {
		if at >= 0 {
			at = places[at]
		}
		out.PkOrdinals = append(out.PkOrdinals, at)
	}
	return out
}

// without takes a column out of rows.
func without(gone int) func(vals []row.Value) []row.Value {
	return func(vals []row.Value) []row.Value { return slices.Delete(slices.Clone(vals), gone, gone+1) }
}

// columnAt is the place of a column; -1: there is none of that name.
func columnAt(def *catalog.Table, name string) int {
	return slices.IndexFunc(def.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, name) })
}
