package binlog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// TestSystemColumns logs rows of a table that has a functional index: as if it had none.
func TestSystemColumns(t *testing.T) {
	key, a, b := column("id", "int", row.TInt32, "not null"), column("a", "int", row.TInt32), column("b", "text", row.TText, 65535)
	system := column("!hidden!k!0!0", "int", row.TInt32, "virtual", "not null")
	system.System = true
	unique := &catalog.Index{Name: "k", Unique: true, Parts: []row.KeyPart{{Column: 1}}}
	plain := &catalog.Table{Schema: "d", Name: "t", Collation: 255, Indexes: primary(0), Columns: []catalog.Column{key, a, b}}
	with := &catalog.Table{Schema: "d", Name: "t", Collation: 255, Indexes: append(primary(0), unique), Columns: []catalog.Column{key, system, a, b}}
	bare := *plain
	bare.Indexes = nil
	withBare := *with
	withBare.Indexes = []*catalog.Index{unique}
	old, wide := []row.Value{row.IntValue(1), row.IntValue(2), text("x")}, []row.Value{row.IntValue(1), row.IntValue(9), row.IntValue(2), text("x")}
	after, wideAfter := []row.Value{row.IntValue(1), row.IntValue(3), text("x")}, []row.Value{row.IntValue(1), row.IntValue(8), row.IntValue(3), text("x")}
	for _, defs := range [][2]*catalog.Table{{plain, with}, {&bare, &withBare}} {
		for image := range ImageNoBlob + 1 {
			var events [2][]byte
			for i, def := range defs {
				table, err := NewTable(def, 7, true)
				require.NoError(t, err)
				was, is := old, after
				if i == 1 {
					was, is = wide, wideAfter
				}
				events[i] = logged(t, Head{}, image, func(s *Statement) {
					require.NoError(t, s.Insert(table, was))
					require.NoError(t, s.Update(table, was, is))
					require.NoError(t, s.Delete(table, is))
				})
			}
			require.Equal(t, events[0], events[1])
		}
	}
	require.Equal(t, row.IntValue(9), wide[1], "the engine's row stays as it is")
}
