package lower

import (
	"fmt"
	"slices"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"
)

// interimColumn is the form of the names that columns have while others still have theirs. No
// client can write them.
const interimColumn = "\x00column %d"

// apart makes parts of ALTER TABLE whose new names of columns are the names of columns that other
// parts rename or drop: all names of the statement are those of before it, while GMS runs one part
// after the other. First the renamed columns get interim names, then the dropped ones go.
func apart(parts []*vt.DDL) []*vt.DDL {
	collide := slices.ContainsFunc(parts, func(d *vt.DDL) bool {
		name, given := nameGiven(d)
		return given && slices.ContainsFunc(parts, func(other *vt.DDL) bool {
			return other != d && givesUp(other) && other.Column.Equal(name)
		})
	})
	if !collide {
		return parts
	}
	var interim, drops, rest []*vt.DDL
	for i, d := range parts {
		switch {
		case !givesUp(d):
			rest = append(rest, d)
		case d.ColumnAction == vt.DropStr:
			drops = append(drops, d)
		default:
			first := altering(vt.AuthType_ALTER)
			first.Table, first.Auth = d.Table, d.Auth
			first.ColumnAction, first.Column, first.ToColumn = vt.RenameStr, d.Column, vt.NewColIdent(fmt.Sprintf(interimColumn, i))
			interim = append(interim, first)
			d.Column = first.ToColumn
			rest = append(rest, d)
		}
	}
	return append(append(interim, drops...), rest...)
}

// nameGiven is the name that a part gives to a column.
func nameGiven(d *vt.DDL) (name vt.ColIdent, given bool) {
	switch d.ColumnAction {
	case vt.RenameStr:
		return d.ToColumn, true
	case vt.AddStr, vt.ChangeStr:
		return d.TableSpec.Columns[0].Name, true
	}
	return name, false
}

// givesUp tells whether a part takes a column's name away.
func givesUp(d *vt.DDL) bool {
	switch d.ColumnAction {
	case vt.DropStr:
		return true
	case vt.RenameStr, vt.ChangeStr:
		name, _ := nameGiven(d)
		return !d.Column.Equal(name)
	}
	return false
}
