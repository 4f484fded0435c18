package inspect

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/dict"
	"emberdb/engine/lock"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/engine/row"
	"emberdb/engine/space"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/engine/warm"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The fixture is a directory made by the engine's rooms without the engine's background work, in a
// time that does not pass while anything works (the page cleaner writes what is idle for a second,
// and notes that in the log), so that every byte but the redo log's salt is the same in every run:
// goldens can show LSNs and transaction ids.
//
//	space 0    the dictionary: table test.items, a schema, a view
//	space 1    undo of a few committed transactions and of one that never ended
//	space 16   test.items: 600 rows, one with a long value, some deleted
//	redo       behind the checkpoint: one transaction that commits, one that does not; the pages do not have their changes
const (
	itemsSpace base.SpaceID = 16
	itemsTable base.TableID = 1024
	itemsKey   base.IndexID = 1025
	itemsByK   base.IndexID = 1026
)

var fixtureUUID = [16]byte{0xe1, 0xbe, 0x40, 1, 2, 3, 0x40, 5, 0x80, 7, 8, 9, 10, 11, 12, 13}

func itemsDef() *catalog.Table {
	return &catalog.Table{ID: itemsTable, Schema: "test", Name: "items", Space: itemsSpace, AutoInc: -1, Collation: 255,
		Columns: []catalog.Column{
			{Name: "id", SQLType: "bigint", Column: row.Column{Type: row.TInt64}},
			{Name: "k", SQLType: "bigint", Column: row.Column{Type: row.TInt64, Nullable: true}},
			{Name: "pad", SQLType: "longblob", Comment: "may be long", Column: row.Column{Type: row.TBlob}},
		},
		Indexes: []*catalog.Index{
			{ID: itemsKey, Name: "PRIMARY", Unique: true, Clustered: true, Parts: []row.KeyPart{{Column: 0}}},
			{ID: itemsByK, Name: "by_k", Parts: []row.KeyPart{{Column: 1, Desc: true}, {Column: 2, Prefix: 10}}},
		}}
}

type builder struct {
	t     *testing.T
	dir   string
	files *pagefile.Files
	log   *redo.Log
	pool  *buffer.Pool
	txns  *txn.System
	dict  *dict.Dict
	items *table.Table
}

var ctx = context.Background()

// fixture makes the directory in a new temporary folder.
func fixture(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		b := &builder{t: t, dir: dir}
		b.build()
		b.warmLists()
	})
	return dir
}

// build makes the spaces and the log.
func (b *builder) build() {
	b.open()
	b.define()
	b.fill()
	require.NoError(b.t, b.pool.Flusher().All())
	require.NoError(b.t, b.log.FlushTo(b.log.Appended()))
	require.NoError(b.t, b.log.SetCheckpoint(b.log.Appended(), []byte(`{"next_trx":1001}`)))
	kept := copyDir(b.t, filepath.Join(b.dir, "spaces"))
	b.behindCheckpoint()
	require.NoError(b.t, b.log.FlushTo(b.log.Appended()))
	b.txns.Close()
	require.NoError(b.t, b.pool.Close())
	require.NoError(b.t, b.log.Close())
	require.NoError(b.t, b.files.Close())
	// The cleaner may have written some of the last changes.
	require.NoError(b.t, os.RemoveAll(filepath.Join(b.dir, "spaces")))
	require.NoError(b.t, os.CopyFS(filepath.Join(b.dir, "spaces"), os.DirFS(kept)))
}

// copyDir copies a folder and returns where to.
func copyDir(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	require.NoError(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

func (b *builder) open() {
	t, fsys := b.t, vfs.NewOS(nil)
	identity := `{"format":1,"server_uuid":"` + uuidText(fixtureUUID) + `"}`
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, "ember.json"), []byte(identity), 0o600))
	var err error
	b.files, err = pagefile.Open(fsys, b.dir, pagefile.Options{Doublewrite: true})
	require.NoError(t, err)
	b.log, _, err = redo.Open(fsys, b.dir, redo.Options{Capacity: 16 << 20, SegmentSize: 256 << 10, Create: true, UUID: fixtureUUID})
	require.NoError(t, err)
	b.pool, err = buffer.New(buffer.Options{Frames: 1024, Files: b.files, Log: b.log})
	require.NoError(t, err)
	for _, s := range []base.SpaceID{base.SystemSpace, base.UndoSpace, itemsSpace} {
		require.NoError(t, b.files.Create(s, 8))
	}
	require.NoError(t, dict.Create(b.pool))
	require.NoError(t, space.Create(b.pool, base.UndoSpace, 0))
	require.NoError(t, txn.Create(b.pool))
	locks := lock.NewManager(lock.Options{})
	b.txns, err = txn.Open(txn.Options{Pool: b.pool, Log: b.log, Locks: locks, NextID: 1})
	require.NoError(t, err)
	b.dict, err = dict.Open(b.pool, b.txns, table.NewServices(b.pool, b.txns, locks,
		func(*txn.Trx) time.Duration { return time.Second }), 100, func(*catalog.Table) error { return nil })
	require.NoError(t, err)
	b.txns.SetUndoer(table.NewUndoer(b.dict.UseByID))
}

func (b *builder) commit(fn func(tx *txn.Trx)) {
	tx := b.txns.Begin(txn.ReadCommitted, false)
	fn(tx)
	require.NoError(b.t, b.txns.Commit(tx, txn.SyncFlush))
}

// define makes test.items and some other objects.
func (b *builder) define() {
	def := itemsDef()
	require.NoError(b.t, space.Create(b.pool, itemsSpace, itemsTable))
	for _, ix := range def.Indexes {
		roots, err := btree.Create(b.pool, itemsSpace, ix.ID)
		require.NoError(b.t, err)
		ix.Root = roots[0]
	}
	tx := b.txns.Begin(txn.ReadCommitted, false)
	b.dict.Enter(tx)
	for _, o := range []catalog.Object{
		{Kind: catalog.KindSchema, Schema: "test", Data: []byte(`{"collation":255}`)},
		{Kind: catalog.KindView, Schema: "test", Name: "few", Data: []byte(`{"text":"select 1"}`)},
		{Kind: catalog.KindView, Schema: "test", Name: "gone", Data: []byte(`{}`)},
	} {
		require.NoError(b.t, b.dict.PutObject(ctx, tx, o))
	}
	var err error
	b.items, err = b.dict.PutTable(ctx, tx, nil, def)
	require.NoError(b.t, err)
	require.NoError(b.t, b.txns.Commit(tx, txn.SyncFlush))
	b.dict.Leave(tx, true)
	b.commit(func(tx *txn.Trx) {
		require.NoError(b.t, b.dict.DeleteObject(ctx, tx, catalog.KindView, "test", "gone"))
	})
}

func item(id int64, pad string) []row.Value {
	k := row.IntValue(id % 50)
	if id%10 == 0 {
		k = row.NullValue
	}
	return []row.Value{row.IntValue(id), k, row.BytesValue([]byte(pad))}
}

// fill writes the rows that the pages have.
func (b *builder) fill() {
	for from := int64(1); from < 600; from += 100 {
		b.commit(func(tx *txn.Trx) {
			for id := from; id < from+100; id++ {
				pad := strings.Repeat("abcdefgh", 8)
				if id == 300 {
					pad = strings.Repeat("long ", 8000)
				}
				require.NoError(b.t, b.items.Insert(ctx, tx, item(id, pad)))
			}
		})
	}
	b.commit(func(tx *txn.Trx) {
		for id := int64(40); id < 45; id++ {
			require.NoError(b.t, b.items.Delete(ctx, tx, item(id, "")))
		}
	})
}

// behindCheckpoint writes changes that only the log will have.
func (b *builder) behindCheckpoint() {
	b.commit(func(tx *txn.Trx) { require.NoError(b.t, b.items.Insert(ctx, tx, item(1000, "committed"))) })
	tx := b.txns.Begin(txn.ReadCommitted, false)
	require.NoError(b.t, b.items.Insert(ctx, tx, item(1001, "unfinished")))
	require.NoError(b.t, b.items.Update(ctx, tx, item(7, strings.Repeat("abcdefgh", 8)), item(7, "changed")))
	m := b.pool.Begin()
	m.LogSpace(redo.OpSpaceDrop, 99)
	m.Commit()
}

// warmLists writes two generations of the list.
func (b *builder) warmLists() {
	l := &warm.List{UUID: fixtureUUID, Generation: 7, Created: time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC), Young: 12}
	for no := range uint64(20) {
		l.IDs = append(l.IDs, uint64(itemsSpace)<<32|no, no)
	}
	l.IDs = append(l.IDs, 77<<32|5)
	path := filepath.Join(b.dir, warm.DefaultFilename)
	require.NoError(b.t, l.Write(vfs.NewOS(nil), path))
	l.Generation, l.IDs = 8, l.IDs[1:]
	require.NoError(b.t, l.Write(vfs.NewOS(nil), path))
}
