package catalog

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/row"
	"emberdb/internal/base"
)

func aTable() *Table {
	return &Table{
		ID: 7, Schema: "s", Name: "t", Space: 3, AutoInc: 0, Collation: 255,
		Columns: []Column{
			{Column: row.Column{Type: row.TInt32}, Name: "i", SQLType: "int"},
			{Column: row.Column{Type: row.TDecimal, Precision: 10, Scale: 2, Nullable: true}, Name: "d", SQLType: "decimal(10,2)"},
		},
		Indexes: []*Index{
			{ID: 1, Name: "PRIMARY", Parts: []row.KeyPart{{Column: 0}}, Unique: true, Clustered: true, Root: 4},
			{ID: 2, Name: "d", Parts: []row.KeyPart{{Column: 1, Desc: true}}},
		},
		ForeignKeys: []ForeignKey{{Name: "f", Columns: []string{"i"}, ParentSchema: "s", ParentTable: "p", ParentColumns: []string{"i"}}},
		Options:     map[string]string{"row_format": "dynamic"},
	}
}

func encoded(t testing.TB, def *Table) []byte {
	data, err := json.Marshal(def)
	require.NoError(t, err)
	return data
}

// TestDecode reads definitions, and refuses those whose parts do not fit.
func TestDecode(t *testing.T) {
	def, err := Decode(encoded(t, aTable()))
	require.NoError(t, err)
	require.Equal(t, aTable().Columns, def.Columns)
	require.Equal(t, aTable().Indexes, def.Indexes)
	for name, damage := range map[string]func(*Table){
		"no name":            func(t *Table) { t.Name = "" },
		"no index":           func(t *Table) { t.Indexes = nil },
		"no clustered index": func(t *Table) { t.Indexes[0].Clustered = false },
		"two clustered":      func(t *Table) { t.Indexes[1].Clustered = true },
		"null index":         func(t *Table) { t.Indexes[1] = nil },
		"column of an index": func(t *Table) { t.Indexes[1].Parts[0].Column = 2 },
		"negative column":    func(t *Table) { t.Indexes[0].Parts[0].Column = -1 },
		"AUTO_INCREMENT":     func(t *Table) { t.AutoInc = 2 },
		"type":               func(t *Table) { t.Columns[0].Type = 200 },
		"no type":            func(t *Table) { t.Columns[0].Type = 0 },
		"DECIMAL":            func(t *Table) { t.Columns[1].Precision = 255 },
		"scale":              func(t *Table) { t.Columns[1].Scale = 11 },
		"foreign key":        func(t *Table) { t.ForeignKeys[0].ParentColumns = nil },
		"empty foreign key":  func(t *Table) { t.ForeignKeys[0].Columns, t.ForeignKeys[0].ParentColumns = nil, nil },
	} {
		def := aTable()
		damage(def)
		_, err := Decode(encoded(t, def))
		require.ErrorIs(t, err, base.ErrCorrupt, name)
	}
	for _, data := range []string{"", "{", "[]", "null", `{"columns":7}`} {
		_, err := Decode([]byte(data))
		require.ErrorIs(t, err, base.ErrCorrupt, data)
	}
}

// FuzzDefinition reads bytes as definitions: those that are taken can be used.
func FuzzDefinition(f *testing.F) {
	f.Add(encoded(f, aTable()))
	f.Add([]byte(`{"name":"t","columns":[{"Type":200}],"indexes":[null]}`))
	f.Add([]byte(`{"name":"t","indexes":[{"clustered":true,"parts":[{"Column":-1}]}],"auto_inc":99}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		def, err := Decode(data)
		if err != nil {
			require.ErrorIs(t, err, base.ErrCorrupt)
			return
		}
		for _, x := range def.Indexes {
			for _, p := range x.Parts {
				_ = def.Columns[p.Column].Type
			}
		}
		again, err := Decode(encoded(t, def))
		require.NoError(t, err)
		require.Equal(t, encoded(t, def), encoded(t, again))
	})
}
