package tabledef

import (
	"slices"

	"emberdb/engine/catalog"
	"emberdb/sqllayer/sqlerr"
)

// CheckShownPrimary refuses a key by which the rows are kept and that is invisible.
func CheckShownPrimary(hidden bool) error {
	if hidden {
		return sqlerr.NewError(3522, "A primary key index cannot be invisible")
	}
	return nil
}

// AllShown is a definition whose indexes are all visible: def itself if they are.
func AllShown(def *catalog.Table) *catalog.Table {
	if !HidesIndexes(def) {
		return def
	}
	out := *def
	out.Indexes = slices.Clone(def.Indexes)
	for i, x := range out.Indexes {
		if x.Invisible {
			shown := *x
			shown.Invisible = false
			out.Indexes[i] = &shown
		}
	}
	return &out
}

// HidesIndexes tells whether a table has invisible indexes.
func HidesIndexes(def *catalog.Table) bool {
	return slices.ContainsFunc(def.Indexes, func(x *catalog.Index) bool { return x.Invisible })
}
