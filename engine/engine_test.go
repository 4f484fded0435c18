package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/pagefile"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

var ctx = context.Background()

// smallOptions is an engine whose pool and log are small enough that eviction, checkpoints and
// segment switches happen in every test.
func smallOptions(fs vfs.FS) Options {
	return Options{FS: fs, DataDir: "/d", PoolBytes: 256 * base.PageSize, RedoCapacity: 4 << 20, RedoSegment: 256 << 10,
		FlushLogAtCommit: 1, Doublewrite: true, Direct: true, TableCache: 1, LockWaitTimeout: 5 * time.Second, RollbackInline: 50,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))}
}

func open(t testing.TB, o Options) *Engine {
	t.Helper()
	e, err := Open(o)
	require.NoError(t, err)
	return e
}

// itemsDef is a table with a secondary and a unique index and a column that may overflow.
//
//	id BIGINT PRIMARY KEY, k BIGINT, u BIGINT UNIQUE NULL, pad LONGBLOB, KEY by_k (k)
func itemsDef(name string) *catalog.Table {
	return &catalog.Table{Schema: "test", Name: name, AutoInc: -1,
		Columns: []catalog.Column{
			{Name: "id", Column: row.Column{Type: row.TInt64}},
			{Name: "k", Column: row.Column{Type: row.TInt64}},
			{Name: "u", Column: row.Column{Type: row.TInt64, Nullable: true}},
			{Name: "pad", SQLType: "longblob", Column: row.Column{Type: row.TBlob, Collation: 63}},
		},
		Indexes: []*catalog.Index{
			{Name: "PRIMARY", Unique: true, Clustered: true, Parts: []row.KeyPart{{Column: 0}}},
			{Name: "by_k", Parts: []row.KeyPart{{Column: 1}}},
			{Name: "by_u", Unique: true, Parts: []row.KeyPart{{Column: 2}}},
		}}
}

// item is a row of an items table.
type item struct {
	id, k int64
	u     int64 // 0: NULL
	pad   string
}

func (i item) vals() []row.Value {
	v := []row.Value{{Kind: row.Int, N: uint64(i.id)}, {Kind: row.Int, N: uint64(i.k)}, {Kind: row.Int, N: uint64(i.u)}, {Kind: row.Bytes, B: []byte(i.pad)}}
	if i.u == 0 {
		v[2] = row.Value{}
	}
	return v
}

func itemOf(v []row.Value) item {
	return item{int64(v[0].N), int64(v[1].N), int64(v[2].N), string(v[3].B)}
}

// ddl runs fn in a DDL transaction.
func (e *Engine) ddl(fn func(tx *txn.Trx) error) error {
	tx := e.BeginDDL()
	journal := follow(e, tx)
	if err := fn(tx); err != nil {
		return errors.Join(err, e.Rollback(tx))
	}
	if journal != nil {
		if err := journal.Query(ddlText, false, nil); err != nil {
			return errors.Join(err, e.Rollback(tx))
		}
	}
	return e.Commit(ctx, tx)
}

func createItems(t testing.TB, e *Engine, name string) {
	t.Helper()
	require.NoError(t, e.ddl(func(tx *txn.Trx) error { return e.CreateTable(ctx, tx, itemsDef(name)) }))
}

// run runs fn in a transaction and commits it; an error of fn rolls back.
func (e *Engine) run(iso txn.Isolation, fn func(tx *txn.Trx) error) error {
	tx := e.Begin(iso, false)
	follow(e, tx)
	if err := fn(tx); err != nil {
		return errors.Join(err, e.Rollback(tx))
	}
	return e.Commit(ctx, tx)
}

// readItems returns all rows of a table by an index.
func readItems(e *Engine, tx *txn.Trx, name string, index int) ([]item, error) {
	t, err := e.Table(ctx, tx, "test", name)
	if err != nil {
		return nil, err
	}
	s := t.NewScan(tx, table.ScanOptions{Index: t.Def().Indexes[index]})
	defer s.Close()
	var out []item
	for {
		v, err := s.Next(ctx)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, itemOf(v))
	}
}

func items(t testing.TB, e *Engine, name string, index int) (out []item) {
	t.Helper()
	require.NoError(t, e.run(txn.RepeatableRead, func(tx *txn.Trx) (err error) {
		out, err = readItems(e, tx, name, index)
		return err
	}))
	return out
}

func insertItems(e *Engine, name string, rows ...item) error {
	return e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
		t, err := e.Table(ctx, tx, "test", name)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := t.Insert(ctx, tx, r.vals()); err != nil {
				return err
			}
		}
		return nil
	})
}

// requireClean checks the whole directory.
func requireClean(t testing.TB, e *Engine) {
	t.Helper()
	r, err := e.Check(ctx, nil)
	require.NoError(t, err)
	for _, f := range r.Faults {
		var c *base.CorruptError
		if errors.As(f, &c) {
			m := e.pool.BeginRead()
			if pg, err := m.Pin(c.Page, buffer.Shared); err == nil {
				t.Logf("%s: %s %x", c.Page, pagefile.Describe(pg.Data()), pg.Data()[32:96])
			}
			m.Commit()
		}
	}
	require.Empty(t, r.Faults)
}

func someItems(from, n int64) (rows []item) {
	for id := from; id < from+n; id++ {
		rows = append(rows, item{id: id, k: id % 7, u: id + 1, pad: fmt.Sprintf("row %d", id)})
	}
	return rows
}

func TestReopen(t *testing.T) {
	fs := vfs.NewMem(1)
	e := open(t, smallOptions(fs))
	uuid := e.UUID()
	createItems(t, e, "items")
	rows := someItems(1, 500)
	rows[3].pad = string(make([]byte, 200_000))
	require.NoError(t, insertItems(e, "items", rows...))
	requireClean(t, e)
	require.NoError(t, e.Close(false))

	e = open(t, smallOptions(fs))
	require.Equal(t, uuid, e.UUID())
	require.True(t, e.wasClean)
	require.Equal(t, rows, items(t, e, "items", 0))
	require.Len(t, items(t, e, "items", 1), 500)
	requireClean(t, e)
	require.NoError(t, e.Close(true)) // leaves redo behind

	e = open(t, smallOptions(fs))
	require.Equal(t, rows, items(t, e, "items", 0))
	requireClean(t, e)
	require.NoError(t, e.Close(false))
}

func TestOpenRefuses(t *testing.T) {
	fs := vfs.NewMem(1)
	require.NoError(t, fs.MkdirAll("/d"))
	require.NoError(t, vfs.WriteFile(fs, "/d/ibdata1", []byte("x")))
	_, err := Open(smallOptions(fs))
	require.ErrorIs(t, err, base.ErrForeign)
	require.ErrorContains(t, err, "ibdata1")

	fs = vfs.NewMem(1)
	e := open(t, smallOptions(fs))
	_, err = Open(smallOptions(fs))
	require.ErrorIs(t, err, base.ErrInUse)
	require.NoError(t, e.Close(false))
}

func TestUnfinishedTransactionIsUndone(t *testing.T) {
	for _, big := range []bool{false, true} {
		t.Run(fmt.Sprint("big=", big), func(t *testing.T) {
			fs := vfs.NewMem(1)
			e := open(t, smallOptions(fs))
			createItems(t, e, "items")
			rows := someItems(1, 20)
			require.NoError(t, insertItems(e, "items", rows...))
			n := int64(10)
			if big {
				n = 300
			}
			tx := e.Begin(txn.RepeatableRead, false)
			tb, err := e.Table(ctx, tx, "test", "items")
			require.NoError(t, err)
			for _, r := range someItems(1000, n) {
				require.NoError(t, tb.Insert(ctx, tx, r.vals()))
			}
			changed := rows[0]
			changed.k, changed.pad = 99, "changed"
			require.NoError(t, tb.Update(ctx, tx, rows[0].vals(), changed.vals()))
			require.NoError(t, tb.Delete(ctx, tx, rows[1].vals()))
			require.NoError(t, e.log.FlushTo(e.log.Appended())) // it is all in the log, but not committed
			fs.Crash()

			e = open(t, smallOptions(fs.Reboot(1)))
			require.Equal(t, rows, items(t, e, "items", 0))
			// Its rows are not locked: another transaction changes one at once.
			require.NoError(t, e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
				tb, err := e.Table(ctx, tx, "test", "items")
				if err != nil {
					return err
				}
				return tb.Update(ctx, tx, rows[0].vals(), changed.vals())
			}))
			require.NoError(t, insertItems(e, "items", item{id: 1005, k: 1, u: 1006}))
			requireClean(t, e)
			require.NoError(t, e.Close(false))
		})
	}
}

const (
	tableExclusive = table.Exclusive
	tableWait      = table.Wait
)

// itemKey is the clustered key of a row.
func itemKey(id int64) []byte {
	def := itemsDef("")
	return row.AppendKey(nil, table.Columns(def), def.Indexes[0].Parts, item{id: id}.vals())
}
