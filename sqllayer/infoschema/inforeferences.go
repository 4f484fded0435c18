package infoschema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
)

// referencesRows are the foreign keys of the tables that the session sees. The other ends of the
// keys are told of to all who see those.
func referencesRows(ctx *sql.Context, cat sql.Catalog, add func(map[string]any)) error {
	return sqllayer.EachTable(ctx, cat, func(db string, t sql.Table, own *sqllayer.Table) error {
		if own == nil {
			return nil
		}
		for i := range own.Def.Def.ForeignKeys {
			fk := &own.Def.Def.ForeignKeys[i]
			schema := cmp.Or(fk.ParentSchema, own.Def.Def.Schema)
			unique, err := uniqueParent(ctx, schema, fk)
			if err != nil {
				return err
			}
			add(map[string]any{"constraint_catalog": "def", "constraint_schema": db, "constraint_name": fk.Name, "unique_constraint_catalog": "def",
				"unique_constraint_schema": schema, "unique_constraint_name": unique, "match_option": "NONE", "update_rule": cmp.Or(tabledef.Action(fk.OnUpdate), "NO ACTION"),
				"delete_rule": cmp.Or(tabledef.Action(fk.OnDelete), "NO ACTION"), "table_name": t.Name(), "referenced_table_name": fk.ParentTable})
		}
		return nil
	}, nil)
}

// uniqueParent names the unique index of the parent's columns; nil: there is none, or no parent.
func uniqueParent(ctx *sql.Context, schema string, fk *catalog.ForeignKey) (any, error) {
	def, err := sqllayer.DefinitionOf(ctx, schema, fk.ParentTable)
	if sql.ErrDatabaseNotFound.Is(err) {
		return nil, nil
	}
	if err != nil || def == nil {
		return nil, err
	}
	for _, x := range tabledef.ShownIndexes(def.Def) {
		if x.Unique && slices.EqualFunc(x.Parts, fk.ParentColumns, func(p row.KeyPart, name string) bool { return strings.EqualFold(def.Def.Columns[p.Column].Name, name) }) {
			return x.Name, nil
		}
	}
	return nil, nil
}
