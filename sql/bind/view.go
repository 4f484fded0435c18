package bind

import (
	"strings"

	"emberdb/sql/fn"
)

// view binds a view as a table of s. Its query sees nothing of the statement around it: neither
// tables nor parameters.
func (b *binder) view(s *scope, v *View, alias string) (Source, error) {
	in := *b
	in.cat, in.text, in.params, in.local, in.set.Collation, in.inView = v.Catalog, v.Text, nil, nil, v.Collation, true
	bound, err := in.query(nil, v.Query)
	b.last, b.tables = in.last, in.tables
	if err != nil {
		return nil, err
	}
	if len(v.Columns) > 0 && len(v.Columns) != len(bound.Items) {
		return nil, fn.Refuse(fn.ByTable, "a view of other columns")
	}
	src, err := b.derivedOf(s, bound, alias, nil)
	if err != nil {
		return nil, err
	}
	t := s.tables[len(s.tables)-1]
	t.schema = v.Schema
	merges := bound.merges() && !v.Temporary
	for i := range t.columns {
		c := &t.columns[i]
		if len(v.Columns) > 0 {
			c.name, c.origin.OrgName = v.Columns[i], v.Columns[i]
		}
		for j := range i {
			if strings.EqualFold(t.columns[j].name, c.name) {
				return nil, fn.Refuse(fn.ByName, "two columns of one name")
			}
		}
		switch o := &c.origin; {
		case merges:
			o.OrgTable = v.Name
		case o.OrgTable == "":
			o.Schema, o.OrgTable = v.Schema, v.Name
		}
		c.origin.Kept = c.origin.Kept || !merges
	}
	return src, nil
}
