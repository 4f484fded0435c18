package tabledef

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// StoredAlike tells whether values of the old column are values of the new one, byte for byte.
func StoredAlike(old, new *sql.Column) bool {
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
		return TypeText(old.Type) == TypeText(new.Type) && a == b && SameSRID(SridOf(old.Type), SridOf(new.Type))
	case row.TSet:
		return TypeText(old.Type) == TypeText(new.Type)
	}
	return a == b && (a.Type != row.TDateTime && a.Type != row.TTimestamp || old.Type.Equals(new.Type))
}

// RenameColumn renames a column where definitions name it.
func RenameColumn(def *catalog.Table, old, new string) {
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
	if list, err := SpecialIndexes(def); err == nil && len(list) > 0 {
		for i := range list {
			list[i].Columns = renamed(list[i].Columns, old, new)
		}
		_ = SetSpecialIndexes(def, list) // it was read from JSON
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

// Remap moves the indexes and the AUTO_INCREMENT mark to new column positions; -1 is a column that
// is gone. An index loses the column, and goes when it was its last.
func Remap(def *catalog.Table, position func(old int) int) error {
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
		if err := CheckKey(def, idx); err != nil {
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
	list, err := SpecialIndexes(def)
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
	return SetSpecialIndexes(def, kept)
}
