package sqllayer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
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
	case newColumn.Generated != nil && t.S.altering != nil && len(t.S.altering.changed) > 1: // it has waited for this part
		return true
	}
	return !tabledef.StoredAlike(oldColumn, newColumn) || oldColumn.AutoIncrement != newColumn.AutoIncrement
}

// AddColumn implements sql.AlterableTable: a nullable column behind the others. Rows that do not
// have it hold NULL.
func (t *Table) AddColumn(ctx *sql.Context, c *sql.Column, _ *sql.ColumnOrder) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		col, err := tabledef.NewColumn(ctx, c, sql.CollationID(def.Collation))
		if err != nil {
			return err
		}
		def.Columns = append(def.Columns, col)
		tabledef.SpellNames(def, len(def.Columns)-1)
		return tabledef.CheckGenerated(def)
	})
}

// ModifyColumn implements sql.AlterableTable: name, default, comment and what else leaves the rows
// alone.
func (t *Table) ModifyColumn(ctx *sql.Context, name string, c *sql.Column, _ *sql.ColumnOrder) error {
	if err := t.CatchUp(ctx); err != nil {
		return err
	}
	i := t.Def.Find(name)
	if i < 0 {
		return sql.ErrTableColumnNotFound.New(t.Name(), name)
	}
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		col, err := tabledef.NewColumn(ctx, c, sql.CollationID(def.Collation))
		if err != nil {
			return err
		}
		if t.Def.Columns[i].PrimaryKey {
			col.Nullable = false
		}
		old := &def.Columns[i]
		if old.Type != col.Type || old.Precision != col.Precision || old.Scale != col.Scale || old.Collation != col.Collation {
			return fmt.Errorf("column %s.%s: changing %s to %s rewrites the table", t.Name(), name, old.SQLType, col.SQLType)
		}
		col.Codes, col.Missing = old.Codes, old.Missing // keys and rows stay as they are
		tabledef.RenameColumn(def, old.Name, col.Name)
		*old = col
		tabledef.SpellNames(def, i)
		switch {
		case c.AutoIncrement:
			def.AutoInc = i
		case def.AutoInc == i:
			def.AutoInc = -1
		}
		return nil
	})
}

// CreateIndex implements sql.IndexAlterableTable.
func (t *Table) CreateIndex(ctx *sql.Context, idx sql.IndexDef) error {
	if err := t.CatchUp(ctx); err != nil {
		return err
	}
	if t.Def.FindIndex(idx.Name) != nil {
		return sql.ErrDuplicateKey.New(idx.Name)
	}
	switch {
	case idx.Constraint == tabledef.ConstraintFullText:
		return t.addFullText(ctx, idx)
	case idx.IsSpatial():
		return t.addSpecial(ctx, specialIndex("spatial", idx))
	case idx.IsVector():
		return t.addSpecial(ctx, specialIndex("vector", idx))
	}
	x := &catalog.Index{Name: idx.Name, Unique: idx.IsUnique(), Comment: idx.Comment}
	for _, c := range idx.Columns {
		i := t.Def.Find(c.Name)
		if i < 0 {
			return sql.ErrKeyColumnDoesNotExist.New(c.Name)
		}
		x.Parts = append(x.Parts, row.KeyPart{Column: i, Prefix: tabledef.PrefixOf(&t.Def.Def.Columns[i], c.Length)})
		if t.Def.Def.Columns[i].Elements != 0 {
			x.Kind = catalog.MultiValued
		}
	}
	comment, traits := tabledef.Unmark(x.Comment, x.Parts)
	x.Comment, x.Invisible, x.Btree = comment, traits.Hidden, traits.Btree
	if err := tabledef.CheckKey(t.Def.Def, x); err != nil {
		return err
	}
	if err := SessionOf(ctx).checkShown(t.Def.Def, x); err != nil {
		return err
	}
	t.warnDuplicate(ctx, x)
	if t.Def.Def.Partitioning != nil {
		return t.rebuild(ctx, func(def *catalog.Table) error {
			def.Indexes = append(def.Indexes, x)
			return nil
		}, nil)
	}
	return t.define(ctx, func(d *definer) error {
		err := d.eng.AddIndex(d.s.Patient(ctx), d.tx, t.Def.Def.Schema, t.Def.Def.Name, x)
		if dup := t.Def.Violated(ctx, err, nil); dup != nil {
			return dup
		}
		if err != nil {
			return err
		}
		return t.refresh(ctx, d)
	})
}

func specialIndex(kind string, idx sql.IndexDef) tabledef.SpecialIndex {
	comment, traits := tabledef.Unmark(idx.Comment, nil)
	return tabledef.SpecialIndex{Name: idx.Name, Kind: kind, Columns: idx.ColumnNames(), Comment: comment, Invisible: traits.Hidden, Ngram: traits.Ngram}
}

// addSpecial adds an index without a tree to the definition.
func (t *Table) addSpecial(ctx *sql.Context, x tabledef.SpecialIndex) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		list, err := tabledef.SpecialIndexes(def)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(list, func(o tabledef.SpecialIndex) bool { return o.Kind == x.Kind && slices.Equal(o.Columns, x.Columns) }) {
			t.duplicateIndex(ctx, x.Name)
		}
		return tabledef.SetSpecialIndexes(def, append(list, x))
	})
}

// warnDuplicate warns of an index that is like another one.
func (t *Table) warnDuplicate(ctx *sql.Context, x *catalog.Index) {
	if slices.ContainsFunc(t.Def.Def.Indexes[1:], func(o *catalog.Index) bool { return o.Unique == x.Unique && slices.Equal(o.Parts, x.Parts) }) {
		t.duplicateIndex(ctx, x.Name)
	}
}

func (t *Table) duplicateIndex(ctx *sql.Context, name string) {
	if s := SessionOf(ctx); s != nil {
		s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: erDuplicateIndex, Message: fmt.Sprintf(
			"Duplicate index '%s' defined on the table '%s.%s'. This is deprecated and will be disallowed in a future release.", name, t.Def.Database, t.Def.Name)})
	}
}

// ShouldBuildIndex implements sql.IndexBuildingTable: the engine builds indexes itself.
func (t *Table) ShouldBuildIndex(*sql.Context, sql.IndexDef) (bool, error) { return false, nil }

// BuildIndex implements sql.IndexBuildingTable. GMS insists on it for unique indexes and streams
// the table through the inserter; there is nothing left to do, so the table shows it no rows.
func (t *Table) BuildIndex(*sql.Context, sql.IndexDef) (sql.RowInserter, error) {
	t.built = true
	return &Editor{T: t}, nil
}

// DropIndex implements sql.IndexAlterableTable.
func (t *Table) DropIndex(ctx *sql.Context, name string) error {
	if err := t.CatchUp(ctx); err != nil {
		return err
	}
	x := t.Def.FindIndex(name)
	switch {
	case x == nil:
		return sql.ErrIndexNotFound.New(name)
	case x.IsPrimary():
		return t.DropPrimaryKey(ctx)
	case x.Special != nil:
		return t.alter(ctx, func(d *definer, def *catalog.Table) error {
			list, err := tabledef.SpecialIndexes(def)
			if err != nil {
				return err
			}
			if x.Special.Words != "" {
				if err := d.eng.DropTable(d.s.Patient(ctx), d.tx, def.Schema, x.Special.Words); err != nil {
					return err
				}
			}
			return tabledef.SetSpecialIndexes(def, slices.DeleteFunc(list, func(s tabledef.SpecialIndex) bool { return strings.EqualFold(s.Name, name) }))
		})
	}
	return t.define(ctx, func(d *definer) error {
		if err := d.eng.DropIndex(d.s.Patient(ctx), d.tx, t.Def.Def.Schema, t.Def.Def.Name, x.Name); err != nil {
			return errIndex(err, name)
		}
		return t.refresh(ctx, d)
	})
}

// RenameIndex implements sql.IndexAlterableTable.
func (t *Table) RenameIndex(ctx *sql.Context, from, to string) error {
	if to == lower.ShownIndex || to == lower.HiddenIndex {
		return t.showIndex(ctx, from, to == lower.HiddenIndex)
	}
	if t.Def.FindIndex(from) == nil {
		return errNoKey(from, t.Name())
	}
	if !strings.EqualFold(from, to) && t.Def.FindIndex(to) != nil {
		return sql.ErrDuplicateKey.New(to)
	}
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		for _, idx := range def.Indexes {
			if strings.EqualFold(idx.Name, from) {
				idx.Name = to
			}
		}
		list, err := tabledef.SpecialIndexes(def)
		if err != nil {
			return err
		}
		for i := range list {
			if strings.EqualFold(list[i].Name, from) {
				list[i].Name = to
			}
		}
		return tabledef.SetSpecialIndexes(def, list)
	})
}

// CreatePrimaryKey implements sql.PrimaryKeyAlterableTable.
func (t *Table) CreatePrimaryKey(ctx *sql.Context, columns []sql.IndexColumn) error {
	if !t.Def.Keyless {
		return sql.ErrMultiplePrimaryKeysDefined.New()
	}
	said := declaredPrimary(runningTree(ctx))
	return t.rebuild(ctx, func(def *catalog.Table) error { return t.addPrimary(def, columns, said) }, nil)
}

// DropPrimaryKey implements sql.PrimaryKeyAlterableTable.
func (t *Table) DropPrimaryKey(ctx *sql.Context) error {
	if t.Def.Keyless {
		return sql.ErrCantDropFieldOrKey.New("PRIMARY")
	}
	if err := sql.ValidatePrimaryKeyDrop(ctx, t, t.PrimaryKeySchema(ctx)); err != nil {
		return err
	}
	nulls := mayBeNull(runningTree(ctx))
	return t.rebuild(ctx, func(def *catalog.Table) error {
		dropPrimary(def, nulls)
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
	n, ok := s.RunningTree(ctx).(*sqlast.AlterTable)
	return ok && slices.ContainsFunc(n.Actions, func(a sqlast.AlterAction) bool {
		_, converts := a.(*sqlast.ConvertCharset)
		return converts
	})
}

// checkConvert keeps the columns of a foreign key alike.
func (t *Table) checkConvert(ctx *sql.Context, c sql.CollationID) error {
	if !SessionOf(ctx).flag("foreign_key_checks") {
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
			at := t.Def.Find(name)
			if at < 0 {
				continue
			}
			if typ, ok := t.Def.Codecs[at].Typ.(sql.TypeWithCollation); ok && typ.Collation() != sql.Collation_binary && typ.Collation() != c {
				return sqlerr.NewError(sqlerr.ErFKIncompatible, "Referencing column '%s' and referenced column '%s' in foreign key constraint '%s' are incompatible.",
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
	if SessionOf(ctx).convertsColumns(ctx) {
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
			typ, ok := t.Def.Codecs[i].Typ.(sql.TypeWithCollation)
			if !ok || typ.Collation() == sql.Collation_binary {
				continue
			}
			changed, err := typ.WithNewCollation(c)
			if err != nil {
				return err
			}
			col := &def.Columns[i]
			col.SQLType = tabledef.TypeText(changed)
			if col.Column, err = store.StorageColumn(changed, col.Nullable); err != nil {
				return err
			}
		}
		return nil
	}, nil)
}
