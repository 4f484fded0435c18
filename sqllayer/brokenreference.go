package sqllayer

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
)

// brokenReference makes MySQL's error of GMS's text about a foreign key; nil if it is none.
func brokenReference(ctx *sql.Context, text string) *mysql.SQLError {
	if args := pattern(sql.ErrForeignKeyChildViolation).FindStringSubmatch(text); args != nil {
		return NewError(mysql.ErNoReferencedRow2, "Cannot add or update a child row: a foreign key constraint fails%s", violated(ctx, args, true))
	}
	if args := pattern(sql.ErrForeignKeyParentViolation).FindStringSubmatch(text); args != nil {
		return NewError(mysql.ERRowIsReferenced2, "Cannot delete or update a parent row: a foreign key constraint fails%s", violated(ctx, args, false))
	}
	return nil
}

// violated describes a foreign key: args are the names of the key and of its tables. Nothing is
// told to who may not see the table at its other end.
func violated(ctx *sql.Context, args []string, ofChild bool) string {
	s := sessionOf(ctx)
	if s == nil || len(args) < 3 {
		return ""
	}
	databases := append([]sql.Database{&Database{layer: s.layer, name: ctx.GetCurrentDatabase()}}, s.layer.Provider.databases(ctx)...)
	for _, db := range databases {
		d, ok := ownDatabase(db)
		if !ok || d.name == "" {
			continue
		}
		t, ok, err := d.table(ctx, args[2])
		if err != nil || !ok {
			continue
		}
		for i := range t.def.def.ForeignKeys {
			fk := &t.def.def.ForeignKeys[i]
			if !strings.EqualFold(fk.Name, args[1]) {
				continue
			}
			other := tableName{t.def.def.Schema, t.def.def.Name}
			if ofChild {
				other = tableName{fk.ParentSchema, fk.ParentTable}
			}
			if !privilegesOf(ctx).seesTable(other.schema, other.name) {
				return ""
			}
			return fmt.Sprintf(" (%s.%s, %s)", quoteName(t.def.def.Schema), quoteName(t.Name()), strings.TrimSpace(foreignKeyText(t.def.def, fk)))
		}
	}
	if !ofChild || len(args) < 4 {
		return ""
	}
	return fmt.Sprintf(" (%s.%s, CONSTRAINT %s FOREIGN KEY REFERENCES %s)", quoteName(ctx.GetCurrentDatabase()), quoteName(args[2]), quoteName(args[1]), quoteName(args[3])) // of one that is being added
}
