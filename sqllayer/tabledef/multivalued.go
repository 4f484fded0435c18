package tabledef

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/multivalued"
)

// IsList tells whether an expression gives the elements of a multi-valued key.
func IsList(e sql.Expression) bool { return arrayOf(e) != nil }

// arrayOf is the expression that gives the elements of a multi-valued key; nil for others.
func arrayOf(e sql.Expression) *multivalued.Array {
	if d, ok := e.(*expr.Definition); ok {
		e = d.Child
	}
	a, _ := e.(*multivalued.Array)
	return a
}

// generated is the expression of a generated column. That of a multi-valued index names the index.
// That of a key stands without parentheses, as conditions are compared with it, not with its text.
func (d *TableDef) generated(column int) string {
	text := d.Def.Columns[column].Generated
	if inner, ok := strings.CutPrefix(text, "("); ok && d.Def.Columns[column].System {
		text = strings.TrimSuffix(inner, ")")
	}
	if d.Cols[column].Elements == 0 {
		return text
	}
	for _, idx := range d.Def.Indexes {
		for _, p := range idx.Parts {
			if p.Column == column {
				return lower.Marked(text, idx.Name)
			}
		}
	}
	return text
}
