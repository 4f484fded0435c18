package lower

import (
	"slices"
	"strings"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"
)

// dropsFirst puts the DROP of a key or a constraint in front of the part of ALTER TABLE that makes
// another one of its name: MySQL looks at what a statement drops before it looks at what it adds,
// while GMS runs one part after the other.
func dropsFirst(parts []*vt.DDL) []*vt.DDL {
	out := make([]*vt.DDL, 0, len(parts))
	for _, d := range parts {
		at := -1
		if name := keyDropped(d); name != "" {
			at = slices.IndexFunc(out, func(other *vt.DDL) bool { return slices.Contains(keysMade(other), name) })
		}
		if at < 0 {
			at = len(out)
		}
		out = slices.Insert(out, at, d)
	}
	return out
}

// Keys and constraints have names of their own. No client can write these.
const (
	primaryName    = "\x00primary"
	constraintName = "\x00constraint "
)

// keyDropped is the name of the key or constraint that a part drops; "": none.
func keyDropped(d *vt.DDL) string {
	switch {
	case d.IndexSpec != nil && d.IndexSpec.Action == vt.DropStr:
		return keyName(d.IndexSpec)
	case d.ConstraintAction == vt.DropStr:
		return constraintName + strings.ToLower(d.TableSpec.Constraints[0].Name)
	}
	return ""
}

func keyName(x *vt.IndexSpec) string {
	if x.Type == vt.PrimaryStr {
		return primaryName
	}
	return x.ToName.Lowered()
}

// keysMade are the names of the keys and constraints that a part makes.
func keysMade(d *vt.DDL) (names []string) {
	if d.IndexSpec != nil && d.IndexSpec.Action == vt.CreateStr {
		names = append(names, keyName(d.IndexSpec))
	}
	if d.TableSpec == nil {
		return names
	}
	if slices.ContainsFunc(d.TableSpec.Columns, IsPrimary) {
		names = append(names, primaryName)
	}
	if d.ConstraintAction == vt.AddStr {
		for _, c := range d.TableSpec.Constraints {
			names = append(names, constraintName+strings.ToLower(c.Name))
		}
	}
	return names
}
