package tabledef

import (
	"reflect"
	"slices"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/partition"
	"emberdb/sqllayer/sqlerr"
)

// CheckParts refuses a change of a definition that its partitioning does not allow.
func CheckParts(old, def *catalog.Table) error {
	p := def.Partitioning
	if p == nil {
		return nil
	}
	if special, err := SpecialIndexes(def); err != nil || len(special) > 0 {
		if err == nil && special[0].Kind == FullTextKind {
			err = ErrPartitionedText()
		} else if err == nil {
			err = sqlerr.NewError(1178, "The storage engine for the table doesn't support GEOMETRY")
		}
		return err
	}
	if old.Partitioning != nil {
		f, err := partition.New(old)
		if err != nil {
			return err
		}
		for _, c := range f.Columns() {
			name := old.Columns[c].Name
			if !slices.ContainsFunc(def.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, name) }) {
				return sqlerr.NewError(3855, "Column '%s' has a partitioning function dependency and cannot be dropped or renamed.", name)
			}
		}
	}
	if err := partition.CheckKeys(def, p); err != nil {
		return err
	}
	_, err := partition.New(def)
	return err
}

func ErrPartitionedText() error {
	return sqlerr.NewError(1214, "The used table type doesn't support FULLTEXT indexes")
}

// Repartitions tells whether a change is PARTITION BY or REMOVE PARTITIONING, whose rows MySQL counts.
func Repartitions(old, new *catalog.Partitioning) bool {
	if old == nil || new == nil {
		return old != new
	}
	return !reflect.DeepEqual(old.By, new.By)
}

func ErrNotPartitioned() error {
	return sqlerr.NewError(1505, "Partition management on a not partitioned table is not possible")
}

// SameStorage tells whether rows and entries of one table are those of the other as they stand, once
// both have keys of the same codes.
func SameStorage(a, b *catalog.Table) bool {
	special := a.Options[SpecialOption] != "" || b.Options[SpecialOption] != ""
	sameColumn := func(x, y catalog.Column) bool {
		x.Codes = y.Codes
		return x.Column == y.Column && x.Name == y.Name && x.SQLType == y.SQLType && x.Generated == y.Generated && x.Virtual == y.Virtual
	}
	sameIndex := func(x, y *catalog.Index) bool {
		return x.Name == y.Name && x.Unique == y.Unique && slices.Equal(x.Parts, y.Parts)
	}
	return !special && slices.EqualFunc(a.Columns, b.Columns, sameColumn) && slices.EqualFunc(a.Indexes, b.Indexes, sameIndex) && a.Collation == b.Collation
}

// SameKeys tells whether keys of one table's columns are coded as those of the other's.
func SameKeys(a, b *catalog.Table) bool {
	return slices.EqualFunc(a.Columns, b.Columns, func(x, y catalog.Column) bool { return x.Codes == y.Codes })
}

// RenewKeys has keys of text coded as those of new tables are. REQUIRES: all keys are made anew.
func RenewKeys(def *catalog.Table) {
	for i := range def.Columns {
		c := &def.Columns[i]
		c.Codes = row.NewestCodes(c.Collation)
	}
}
