package tabledef

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/multivalued"
)

// IsList tells whether an expression gives the elements of a multi-valued key.
func IsList(e sql.Expression) bool {
	_, ok := e.(*multivalued.Array)
	return ok
}

// generated is the expression of a generated column. That of a multi-valued index names the index.
func (d *TableDef) generated(column int) string {
	text := d.Def.Columns[column].Generated
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
