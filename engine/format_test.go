package engine

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// A directory of format 1 keeps it until a definition is made that older servers misread.
func TestFormatOfDirectory(t *testing.T) {
	upper := func(dst, s []byte) []byte { return append(dst, bytes.ToUpper(s)...) }
	row.RegisterCollation(row.Collation{ID: 2001, Name: "test_short", AppendWeights: upper, AppendShort: upper})
	fs := vfs.NewMem(1)
	format := func() (id dirIdentity) {
		data, err := vfs.ReadFile(fs, "/d/"+IdentityFile)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &id))
		return id
	}
	set := func(id dirIdentity) { require.NoError(t, writeIdentity(fs, "/d", id)) }

	e := open(t, smallOptions(fs))
	require.NoError(t, e.Close(false))
	id := format()
	require.Equal(t, NewestFormat, id.Format)
	id.Format = 1
	set(id)

	e = open(t, smallOptions(fs))
	createItems(t, e, "plain")
	require.Equal(t, id, format(), "nothing needs the new format")
	text := func(name string, codes row.Codes) *catalog.Table {
		return &catalog.Table{Schema: "test", Name: name, AutoInc: -1,
			Columns: []catalog.Column{{Name: "s", Column: row.Column{Type: row.TVarchar, Length: 9, Collation: 2001, Codes: codes}}},
			Indexes: []*catalog.Index{{Name: "PRIMARY", Unique: true, Clustered: true, Parts: []row.KeyPart{{Column: 0}}}}}
	}
	create := func(def *catalog.Table) error {
		return e.ddl(func(tx *txn.Trx) error { return e.CreateTable(ctx, tx, def) })
	}
	require.NoError(t, create(text("long", row.LongCodes)))
	require.Equal(t, 1, format().Format)
	require.NoError(t, create(text("short", row.ShortCodes)))
	require.Equal(t, dirIdentity{Format: 2, UUID: id.UUID}, format())
	require.NoError(t, create(text("whole", row.WholeCodes)))
	require.Equal(t, dirIdentity{Format: 3, UUID: id.UUID}, format())

	// Rows may lack a column, and do not read as NULL then.
	require.NoError(t, insertItems(e, "plain", item{id: 1}))
	require.NoError(t, e.ddl(func(tx *txn.Trx) error {
		old, err := e.Table(ctx, tx, "test", "plain")
		if err != nil {
			return err
		}
		def, five := copyDef(old.Def()), row.IntValue(5)
		def.Columns = append(def.Columns, catalog.Column{Name: "more", Column: row.Column{Type: row.TInt64}, Missing: &five})
		return e.AlterTable(ctx, tx, old.Def(), def)
	}))
	require.Equal(t, dirIdentity{Format: 4, UUID: id.UUID}, format())
	require.NoError(t, e.Close(false))

	e = open(t, smallOptions(fs))
	require.NoError(t, e.Close(false))
	set(dirIdentity{Format: NewestFormat + 1, UUID: id.UUID})
	_, err := Open(smallOptions(fs))
	require.ErrorIs(t, err, base.ErrForeign)
}
