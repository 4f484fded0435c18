package tabledef

import (
	"slices"
	"strings"

	"emberdb/engine/catalog"
)

// GeneratedKey is the name of the column that sql_generate_invisible_primary_key makes.
const GeneratedKey = "my_row_id"

// HasGeneratedKey tells whether the primary key of a table is an invisible column that was generated.
func (d *TableDef) HasGeneratedKey() bool {
	def := d.Def
	if d.Keyless || len(def.Columns) < 2 || def.AutoInc != 0 || !def.Columns[0].Invisible || !strings.EqualFold(def.Columns[0].Name, GeneratedKey) {
		return false
	}
	x := def.Indexes[0]
	return x.Clustered && len(x.Parts) == 1 && x.Parts[0].Column == 0
}

// WithoutGeneratedKey is a copy of the definition, to be shown, that does not tell the generated key.
func (d *TableDef) WithoutGeneratedKey() *TableDef {
	shown, def := *d, *d.Def
	def.Columns = slices.Clone(def.Columns)
	def.Columns[0].System = true
	def.Indexes = slices.DeleteFunc(slices.Clone(def.Indexes), func(x *catalog.Index) bool { return x.Clustered })
	shown.Def = &def
	return &shown
}

// PrimaryColumns are the names of the columns of the primary key.
func (d *TableDef) PrimaryColumns() (names []string) {
	for _, at := range d.Primary {
		names = append(names, d.Def.Columns[at].Name)
	}
	return names
}
