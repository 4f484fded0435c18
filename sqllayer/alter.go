package sqllayer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	sqlast "emberdb/sql/ast"
)

// ShouldRewriteTable implements sql.RewritableTable: whether rows or keys must change. GMS adds its
// own reasons (a default for a new column, NULL to NOT NULL).
func (t *Table) ShouldRewriteTable(_ *sql.Context, oldSchema, newSchema sql.PrimaryKeySchema, oldColumn, newColumn *sql.Column) bool {
	switch {
	case len(newSchema.Schema) < len(oldSchema.Schema) || !slices.Equal(oldSchema.PkOrdinals, newSchema.PkOrdinals) || newColumn == nil:
		return true
	case oldColumn == nil: // ADD COLUMN: at the end, and NULL where rows do not have it
		return newSchema.Schema[len(newSchema.Schema)-1].Name != newColumn.Name || !newColumn.Nullable || newColumn.Generated != nil
	case oldSchema.Schema.IndexOfColName(oldColumn.Name) != newSchema.Schema.IndexOfColName(newColumn.Name):
		return true
	}
	return !storedAlike(oldColumn, newColumn) || oldColumn.AutoIncrement != newColumn.AutoIncrement
}

// storedAlike tells whether values of the old column are values of the new one, byte for byte.
func storedAlike(old, new *sql.Column) bool {
	a, errA := storageOf(old)
	b, errB := storageOf(new)
	a.Zerofill, b.Zerofill = 0, 0 // only shown
	if errA != nil || errB != nil || old.Nullable != new.Nullable || (old.Generated != nil) != (new.Generated != nil) || old.Virtual != new.Virtual {
		return false
	}
	if new.Generated != nil && old.Generated.String() != new.Generated.String() {
		return false
	}
	switch a.Type {
	case row.TVarchar, row.TVarbinary: // may grow in place
		return a.Type == b.Type && a.Collation == b.Collation && a.Length <= b.Length
	case row.TEnum:
		o, okA := old.Type.(sql.EnumType)
		n, okB := new.Type.(sql.EnumType)
		return okA && okB && o.IsSubsetOf(n)
	case row.TGeometry:
		return typeText(old.Type) == typeText(new.Type) && a == b && sridOf(old.Type) == sridOf(new.Type)
	case row.TSet:
		return typeText(old.Type) == typeText(new.Type)
	}
	return a == b && (a.Type != row.TDateTime && a.Type != row.TTimestamp || old.Type.Equals(new.Type))
}

// AddColumn implements sql.AlterableTable: a nullable column behind the others. Rows that do not
// have it hold NULL.
func (t *Table) AddColumn(ctx *sql.Context, c *sql.Column, _ *sql.ColumnOrder) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		col, err := newColumn(ctx, c, sql.CollationID(def.Collation))
		if err != nil {
			return err
		}
		def.Columns = append(def.Columns, col)
		return nil
	})
}

// DropColumn implements sql.AlterableTable.
func (t *Table) DropColumn(ctx *sql.Context, name string) error {
	gone := t.def.find(name)
	if gone < 0 {
		return sql.ErrTableColumnNotFound.New(t.Name(), name)
	}
	return t.rebuild(ctx, func(def *catalog.Table) error {
		def.Columns = slices.Delete(def.Columns, gone, gone+1)
		return remap(def, func(old int) int {
			switch {
			case old == gone:
				return -1
			case old > gone:
				return old - 1
			}
			return old
		})
	}, func(vals []row.Value) []row.Value { return slices.Delete(slices.Clone(vals), gone, gone+1) })
}

// ModifyColumn implements sql.AlterableTable: name, default, comment and what else leaves the rows
// alone.
func (t *Table) ModifyColumn(ctx *sql.Context, name string, c *sql.Column, _ *sql.ColumnOrder) error {
	if err := t.catchUp(ctx); err != nil {
		return err
	}
	i := t.def.find(name)
	if i < 0 {
		return sql.ErrTableColumnNotFound.New(t.Name(), name)
	}
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		col, err := newColumn(ctx, c, sql.CollationID(def.Collation))
		if err != nil {
			return err
		}
		if t.def.columns[i].PrimaryKey {
			col.Nullable = false
		}
		if old := def.Columns[i]; old.Type != col.Type || old.Precision != col.Precision || old.Scale != col.Scale || old.Collation != col.Collation {
			return fmt.Errorf("column %s.%s: changing %s to %s rewrites the table", t.Name(), name, old.SQLType, col.SQLType)
		}
		renameColumn(def, def.Columns[i].Name, col.Name)
		def.Columns[i] = col
		switch {
		case c.AutoIncrement:
			def.AutoInc = i
		case def.AutoInc == i:
			def.AutoInc = -1
		}
		return nil
	})
}

// renameColumn renames a column where definitions name it.
func renameColumn(def *catalog.Table, old, new string) {
	if old == new {
		return
	}
	for i := range def.ForeignKeys {
		fk := &def.ForeignKeys[i]
		fk.Columns = renamed(fk.Columns, old, new)
		if strings.EqualFold(fk.ParentTable, def.Name) && fk.ParentSchema == def.Schema {
			fk.ParentColumns = renamed(fk.ParentColumns, old, new)
		}
	}
	if list, err := specialIndexes(def); err == nil && len(list) > 0 {
		for i := range list {
			list[i].Columns = renamed(list[i].Columns, old, new)
		}
		_ = setSpecialIndexes(def, list) // it was read from JSON
	}
}

func renamed(names []string, old, new string) []string {
	names = slices.Clone(names)
	for i, n := range names {
		if strings.EqualFold(n, old) {
			names[i] = new
		}
	}
	return names
}

// remap moves the indexes and the AUTO_INCREMENT mark to new column positions; -1 is a column that
// is gone. An index loses the column, and goes when it was its last.
func remap(def *catalog.Table, position func(old int) int) error {
	if def.AutoInc >= 0 {
		def.AutoInc = position(def.AutoInc)
	}
	kept := def.Indexes[:0]
	for _, idx := range def.Indexes {
		parts := make([]row.KeyPart, 0, len(idx.Parts))
		for _, p := range idx.Parts {
			if p.Column = position(p.Column); p.Column >= 0 {
				parts = append(parts, p)
			}
		}
		if len(parts) == 0 && !idx.Clustered {
			continue
		}
		idx.Parts = parts
		if err := checkKey(def, idx); err != nil {
			return err
		}
		kept = append(kept, idx)
	}
	def.Indexes = kept
	if c := def.Indexes[0]; len(c.Parts) == 0 {
		c.Name = ""
	}
	return keepSpecial(def)
}

// keepSpecial drops vanished columns from the special indexes.
func keepSpecial(def *catalog.Table) error {
	list, err := specialIndexes(def)
	if err != nil || len(list) == 0 {
		return err
	}
	has := func(name string) bool {
		return slices.ContainsFunc(def.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, name) })
	}
	kept := list[:0]
	for _, x := range list {
		x.Columns = slices.DeleteFunc(x.Columns, func(n string) bool { return !has(n) })
		if len(x.Columns) > 0 {
			kept = append(kept, x)
		}
	}
	return setSpecialIndexes(def, kept)
}

// CreateIndex implements sql.IndexAlterableTable.
func (t *Table) CreateIndex(ctx *sql.Context, idx sql.IndexDef) error {
	if err := t.catchUp(ctx); err != nil {
		return err
	}
	if t.def.findIndex(idx.Name) != nil {
		return sql.ErrDuplicateKey.New(idx.Name)
	}
	switch {
	case idx.Constraint == constraintFullText:
		return t.addFullText(ctx, idx)
	case idx.IsSpatial():
		return t.addSpecial(ctx, specialIndex{Name: idx.Name, Kind: "spatial", Columns: idx.ColumnNames(), Comment: idx.Comment})
	case idx.IsVector():
		return t.addSpecial(ctx, specialIndex{Name: idx.Name, Kind: "vector", Columns: idx.ColumnNames(), Comment: idx.Comment})
	}
	x := &catalog.Index{Name: idx.Name, Unique: idx.IsUnique(), Comment: idx.Comment}
	for _, c := range idx.Columns {
		i := t.def.find(c.Name)
		if i < 0 {
			return sql.ErrKeyColumnDoesNotExist.New(c.Name)
		}
		x.Parts = append(x.Parts, row.KeyPart{Column: i, Prefix: prefixOf(&t.def.def.Columns[i], c.Length)})
	}
	x.Comment = descending(x.Comment, x.Parts)
	if err := checkKey(t.def.def, x); err != nil {
		return err
	}
	t.warnDuplicate(ctx, x)
	if t.def.def.Partitioning != nil {
		return t.rebuild(ctx, func(def *catalog.Table) error {
			def.Indexes = append(def.Indexes, x)
			return nil
		}, nil)
	}
	return t.define(ctx, func(d *definer) error {
		err := d.eng.AddIndex(d.s.Patient(ctx), d.tx, t.def.def.Schema, t.def.def.Name, x)
		if dup := t.def.violated(ctx, err, nil); dup != nil {
			return dup
		}
		if err != nil {
			return err
		}
		return t.refresh(ctx, d)
	})
}

// addSpecial adds an index without a tree to the definition.
func (t *Table) addSpecial(ctx *sql.Context, x specialIndex) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		list, err := specialIndexes(def)
		if err != nil {
			return err
		}
		return setSpecialIndexes(def, append(list, x))
	})
}

// warnDuplicate warns of an index that is like another one.
func (t *Table) warnDuplicate(ctx *sql.Context, x *catalog.Index) {
	if s := sessionOf(ctx); s != nil && slices.ContainsFunc(t.def.def.Indexes[1:], func(o *catalog.Index) bool { return slices.Equal(o.Parts, x.Parts) }) {
		s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: erDuplicateIndex, Message: fmt.Sprintf(
			"Duplicate index '%s' defined on the table '%s.%s'. This is deprecated and will be disallowed in a future release.", x.Name, t.def.database, t.def.name)})
	}
}

// ShouldBuildIndex implements sql.IndexBuildingTable: the engine builds indexes itself.
func (t *Table) ShouldBuildIndex(*sql.Context, sql.IndexDef) (bool, error) { return false, nil }

// BuildIndex implements sql.IndexBuildingTable. GMS insists on it for unique indexes and streams
// the table through the inserter; there is nothing left to do, so the table shows it no rows.
func (t *Table) BuildIndex(*sql.Context, sql.IndexDef) (sql.RowInserter, error) {
	t.built = true
	return &editor{t: t}, nil
}

// DropIndex implements sql.IndexAlterableTable.
func (t *Table) DropIndex(ctx *sql.Context, name string) error {
	if err := t.catchUp(ctx); err != nil {
		return err
	}
	x := t.def.findIndex(name)
	switch {
	case x == nil:
		return sql.ErrIndexNotFound.New(name)
	case x.isPrimary():
		return t.DropPrimaryKey(ctx)
	case x.special != nil:
		return t.alter(ctx, func(d *definer, def *catalog.Table) error {
			list, err := specialIndexes(def)
			if err != nil {
				return err
			}
			if x.special.Words != "" {
				if err := d.eng.DropTable(d.s.Patient(ctx), d.tx, def.Schema, x.special.Words); err != nil {
					return err
				}
			}
			return setSpecialIndexes(def, slices.DeleteFunc(list, func(s specialIndex) bool { return strings.EqualFold(s.Name, name) }))
		})
	}
	return t.define(ctx, func(d *definer) error {
		if err := d.eng.DropIndex(d.s.Patient(ctx), d.tx, t.def.def.Schema, t.def.def.Name, x.name); err != nil {
			return errIndex(err, name)
		}
		return t.refresh(ctx, d)
	})
}

// RenameIndex implements sql.IndexAlterableTable.
func (t *Table) RenameIndex(ctx *sql.Context, from, to string) error {
	if t.def.findIndex(from) == nil {
		return NewError(erKeyDoesNotExist, "Key '%s' doesn't exist in table '%s'", from, t.Name())
	}
	if !strings.EqualFold(from, to) && t.def.findIndex(to) != nil {
		return sql.ErrDuplicateKey.New(to)
	}
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		for _, idx := range def.Indexes {
			if strings.EqualFold(idx.Name, from) {
				idx.Name = to
			}
		}
		list, err := specialIndexes(def)
		if err != nil {
			return err
		}
		for i := range list {
			if strings.EqualFold(list[i].Name, from) {
				list[i].Name = to
			}
		}
		return setSpecialIndexes(def, list)
	})
}

// CreatePrimaryKey implements sql.PrimaryKeyAlterableTable.
func (t *Table) CreatePrimaryKey(ctx *sql.Context, columns []sql.IndexColumn) error {
	if !t.def.keyless {
		return sql.ErrMultiplePrimaryKeysDefined.New()
	}
	return t.rebuild(ctx, func(def *catalog.Table) error {
		clustered := &catalog.Index{Name: "PRIMARY", Clustered: true, Unique: true}
		for _, c := range columns {
			i := t.def.find(c.Name)
			if i < 0 {
				return sql.ErrKeyColumnDoesNotExist.New(c.Name)
			}
			def.Columns[i].Nullable = false
			clustered.Parts = append(clustered.Parts, row.KeyPart{Column: i, Prefix: prefixOf(&def.Columns[i], c.Length)})
		}
		def.Indexes[0] = clustered
		return checkKey(def, clustered)
	}, nil)
}

// DropPrimaryKey implements sql.PrimaryKeyAlterableTable.
func (t *Table) DropPrimaryKey(ctx *sql.Context) error {
	if t.def.keyless {
		return sql.ErrCantDropFieldOrKey.New("PRIMARY")
	}
	if err := sql.ValidatePrimaryKeyDrop(ctx, t, t.PrimaryKeySchema(ctx)); err != nil {
		return err
	}
	return t.rebuild(ctx, func(def *catalog.Table) error {
		def.Indexes[0] = &catalog.Index{Clustered: true, Unique: true}
		return nil
	}, nil)
}

// ModifyComment implements sql.CommentAlterableTable.
func (t *Table) ModifyComment(ctx *sql.Context, comment string) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		def.Comment = comment
		return nil
	})
}

// convertsColumns tells whether the running ALTER TABLE converts the table's columns, which GMS
// takes for a change of the default.
func (s *Session) convertsColumns(ctx *sql.Context) bool {
	n, ok := s.runningTree(ctx).(*sqlast.AlterTable)
	return ok && slices.ContainsFunc(n.Actions, func(a sqlast.AlterAction) bool {
		_, converts := a.(*sqlast.ConvertCharset)
		return converts
	})
}

// checkConvert keeps the columns of a foreign key alike.
func (t *Table) checkConvert(ctx *sql.Context, c sql.CollationID) error {
	if !sessionOf(ctx).flag("foreign_key_checks") {
		return nil
	}
	declared, err := t.GetDeclaredForeignKeys(ctx)
	if err != nil {
		return err
	}
	referenced, err := t.GetReferencedForeignKeys(ctx)
	if err != nil {
		return err
	}
	check := func(fk sql.ForeignKeyConstraint, own []string) error {
		for i, name := range own {
			at := t.def.find(name)
			if at < 0 {
				continue
			}
			if typ, ok := t.def.codecs[at].typ.(sql.TypeWithCollation); ok && typ.Collation() != sql.Collation_binary && typ.Collation() != c {
				return NewError(erFKIncompatible, "Referencing column '%s' and referenced column '%s' in foreign key constraint '%s' are incompatible.",
					fk.Columns[i], fk.ParentColumns[i], fk.Name)
			}
		}
		return nil
	}
	for _, fk := range declared {
		if err := check(fk, fk.Columns); err != nil {
			return err
		}
	}
	for _, fk := range referenced {
		if err := check(fk, fk.ParentColumns); err != nil {
			return err
		}
	}
	return nil
}

// ModifyDefaultCollation implements sql.CollationAlterableTable: of columns to come.
func (t *Table) ModifyDefaultCollation(ctx *sql.Context, c sql.CollationID) error {
	if sessionOf(ctx).convertsColumns(ctx) {
		return t.ModifyStoredCollation(ctx, c)
	}
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		def.Collation = uint16(c)
		return nil
	})
}

// ModifyStoredCollation implements sql.CollationAlterableTable: of the table and all its character
// columns.
func (t *Table) ModifyStoredCollation(ctx *sql.Context, c sql.CollationID) error {
	if err := t.checkConvert(ctx, c); err != nil {
		return err
	}
	return t.rebuild(ctx, func(def *catalog.Table) error {
		def.Collation = uint16(c)
		for i := range def.Columns {
			typ, ok := t.def.codecs[i].typ.(sql.TypeWithCollation)
			if !ok || typ.Collation() == sql.Collation_binary {
				continue
			}
			changed, err := typ.WithNewCollation(c)
			if err != nil {
				return err
			}
			col := &def.Columns[i]
			col.SQLType = typeText(changed)
			if col.Column, err = storageColumn(changed, col.Nullable); err != nil {
				return err
			}
		}
		return nil
	}, nil)
}
