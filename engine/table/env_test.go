package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/buffer/buffertest"
	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/engine/row"
	"emberdb/engine/space"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

var bg = context.Background()

// env is an engine without a dictionary, in memory.
type env struct {
	t      testing.TB
	files  *pagefile.Files
	log    *redo.Log
	pool   *buffer.Pool
	locks  *lock.Manager
	txns   *txn.System
	svc    Services
	mu     sync.Mutex
	tables map[base.TableID]*Table
	wait   time.Duration

	threads atomic.Uint64
}

// newEnv opens an engine; inPlace is the number of undo records up to which rollback is done at
// once.
func newEnv(t testing.TB, frames, inPlace int) *env {
	return newEnvWith(t, frames, inPlace, lock.Options{DeadlockDetect: true})
}

func newEnvWith(t testing.TB, frames, inPlace int, locks lock.Options) *env {
	e := &env{t: t, tables: map[base.TableID]*Table{}, wait: 10 * time.Second}
	fs := vfs.NewMem(1)
	var err error
	e.files, err = pagefile.Open(fs, "data", pagefile.Options{OpenFiles: 16})
	require.NoError(t, err)
	log, cp, err := redo.Open(fs, "data", redo.Options{Capacity: 256 << 20, SegmentSize: 32 << 20, Create: true, NeedRoom: func() {
		if e.pool != nil {
			e.pool.Flusher().Wake()
		}
	}})
	require.NoError(t, err)
	e.log = log
	require.NoError(t, e.log.StartAt(cp.LSN))
	e.pool, err = buffer.New(buffer.Options{Frames: frames, MaxFrames: frames, Files: e.files, Log: e.log, IOCapacity: 200000, OldTime: -1})
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = e.pool.Close()
		_ = e.log.Close()
		_ = e.files.Close()
	})
	e.locks = lock.NewManager(locks)
	require.NoError(t, e.files.Create(base.UndoSpace, space.MinPages))
	require.NoError(t, space.Create(e.pool, base.UndoSpace, 0))
	require.NoError(t, txn.Create(e.pool))
	e.txns, err = txn.Open(txn.Options{Pool: e.pool, Log: e.log, Locks: e.locks, NextID: 1, RollbackInPlace: inPlace})
	require.NoError(t, err)
	e.svc = NewServices(e.pool, e.txns, e.locks, func(*txn.Trx) time.Duration { return e.wait })
	e.txns.SetUndoer(NewUndoer(func(id base.TableID, fn func(*Table) error) error {
		e.mu.Lock()
		tab := e.tables[id]
		e.mu.Unlock()
		if tab != nil {
			return fn(tab)
		}
		return nil
	}))
	e.txns.Start()
	buffertest.Checkpoints(t, func() {
		_ = e.log.FlushTo(e.log.Appended())
		_ = e.log.SetCheckpoint(min(e.pool.Flusher().OldestDirty(), e.log.Durable()), nil)
	})
	t.Cleanup(e.txns.Close)
	return e
}

// create makes the table's space and trees and registers it. Indexes need names and parts only.
func (e *env) create(def *catalog.Table) *Table {
	n := base.TableID(len(e.tables) + 1)
	def.ID, def.Space, def.Schema = n, base.FirstSpace+base.SpaceID(n), "test"
	require.NoError(e.t, e.files.Create(def.Space, space.MinPages))
	require.NoError(e.t, space.Create(e.pool, def.Space, n))
	for i, ix := range def.Indexes {
		ix.ID = base.IndexID(int(n)*100 + i)
		e.createTree(def, ix)
	}
	t := New(def, e.svc, nil)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tables[n] = t
	return t
}

func (e *env) createTree(def *catalog.Table, ix *catalog.Index) {
	roots, err := btree.Create(e.pool, def.Space, ix.ID)
	require.NoError(e.t, err)
	ix.Root = roots[0]
}

func (e *env) begin(iso txn.Isolation) *txn.Trx {
	tx := e.txns.Begin(iso, false)
	tx.SetThread(e.threads.Add(1))
	tx.StartStatement()
	return tx
}

func (e *env) commit(tx *txn.Trx) { require.NoError(e.t, e.txns.Commit(tx, txn.SyncNone)) }

func (e *env) rollback(tx *txn.Trx) { require.NoError(e.t, e.txns.Rollback(tx)) }

// drain waits until rollback and purge have nothing left to do. REQUIRES: no transaction is open.
func (e *env) drain() {
	testkit.Eventually(e.t, func() bool {
		st := e.txns.Stats()
		return e.txns.HistoryLength() == 0 && st.Aborted == 0
	})
}

// check verifies all tables. REQUIRES: drained.
func (e *env) check() {
	e.t.Helper()
	for _, t := range e.tables {
		var faults []error
		_, err := t.Check(bg, func(err error) { faults = append(faults, err) })
		require.NoError(e.t, err)
		require.Empty(e.t, faults)
		var set space.PageSet
		require.NoError(e.t, t.Pages(bg, &set))
		require.NoError(e.t, space.Check(e.pool, t.def.Space, &set))
	}
}

// requireEmpty verifies that the trees hold no record at all: nothing was left behind.
func (e *env) requireEmpty(t *Table) {
	e.t.Helper()
	for _, ix := range t.indexes {
		st, err := ix.tree.Check(nil)
		require.NoError(e.t, err)
		require.Zero(e.t, st.Records, "index %q", ix.def.Name)
	}
}

func col(t row.Type, nullable bool) catalog.Column {
	return catalog.Column{Column: row.Column{Type: t, Nullable: nullable, Collation: 46}}
}

func named(cols ...catalog.Column) []catalog.Column {
	for i := range cols {
		cols[i].Name = string(rune('a' + i))
	}
	return cols
}

func parts(cols ...int) (p []row.KeyPart) {
	for _, c := range cols {
		p = append(p, row.KeyPart{Column: c})
	}
	return p
}

// simpleDef: a int primary key, b int null, c varchar null, d text null; key b, unique c.
func simpleDef() *catalog.Table {
	return &catalog.Table{Name: "t", AutoInc: -1,
		Columns: named(col(row.TInt32, false), col(row.TInt32, true), col(row.TVarchar, true), col(row.TText, true)),
		Indexes: []*catalog.Index{
			{Name: "PRIMARY", Parts: parts(0), Unique: true, Clustered: true},
			{Name: "b", Parts: parts(1)},
			{Name: "c", Parts: parts(2), Unique: true},
		}}
}

// vals makes row values of ints, strings and nils.
func vals(vs ...any) []row.Value {
	out := make([]row.Value, len(vs))
	for i, v := range vs {
		switch v := v.(type) {
		case int:
			out[i] = row.IntValue(int64(v))
		case string:
			out[i] = row.BytesValue([]byte(v))
		case []byte:
			out[i] = row.BytesValue(v)
		}
	}
	return out
}

func show(vs []row.Value) string {
	s := ""
	for _, v := range vs {
		switch v.Kind {
		case row.Null:
			s += " -"
		case row.Int:
			s += fmt.Sprint(" ", v.Int())
		case row.Uint:
			s += fmt.Sprint(" u", v.Uint())
		default:
			if len(v.B) > 40 {
				s += fmt.Sprintf(" %s*%d", v.B[:1], len(v.B))
			} else {
				s += " " + string(v.B)
			}
		}
	}
	return s[min(1, len(s)):]
}

func readAll(s *Scan) (rows []string, err error) {
	for {
		vs, err := s.Next(bg)
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows = append(rows, show(vs))
	}
}

// rows reads with Next; by whole leaves it must be the same.
func (e *env) rows(t *Table, tx *txn.Trx, o ScanOptions) []string {
	e.t.Helper()
	rows, err := readAll(t.NewScan(tx, o))
	require.NoError(e.t, err)
	if s := t.NewScan(tx, o); s.Whole() && !t.rowID && tx.Isolation() != txn.ReadUncommitted {
		whole, err := readLeaves(s, 1+len(rows)/3)
		require.NoError(e.t, err)
		require.Equal(e.t, rows, whole)
	}
	return rows
}

// readLeaves is readAll by whole leaves, column by column.
func readLeaves(s *Scan, most int) (shown []string, err error) {
	for {
		rows, err := s.NextRows(bg, most)
		if errors.Is(err, io.EOF) {
			s.Close()
			return shown, nil
		}
		if err != nil {
			return shown, err
		}
		all := make([][]row.Value, len(rows.Bytes))
		for i := range all {
			all[i] = make([]row.Value, s.t.width())
		}
		for _, c := range s.cols {
			readColumn(s.t, rows, c, all)
		}
		for i := range all {
			shown = append(shown, show(all[i]))
		}
	}
}

// readColumn reads column c of rows into all.
func readColumn(t *Table, rows *Rows, c int, all [][]row.Value) {
	n := len(rows.Bytes)
	var nulls []int32
	switch {
	case len(t.layout.Variable([]int{c})) > 0:
		out := make([][]byte, n)
		nulls = t.layout.ReadBytes(rows.Bytes, c, out, nil)
		for i := range all {
			all[i][c] = row.BytesValue(out[i])
			if b, ok := rows.Long(rows.Bytes[i], c); ok {
				all[i][c] = row.BytesValue(b)
			}
		}
	default:
		out := make([]int64, n)
		nulls = t.layout.ReadNumbers(rows.Bytes, c, out, nil)
		for i := range all {
			all[i][c] = row.IntValue(out[i])
		}
	}
	for _, i := range nulls {
		all[i][c] = row.NullValue
	}
}

// now reads the committed rows.
func (e *env) now(t *Table, ix int) []string {
	e.t.Helper()
	tx := e.begin(txn.ReadCommitted)
	defer e.commit(tx)
	return e.rows(t, tx, ScanOptions{Index: t.def.Indexes[ix]})
}

// do runs fn in a transaction of its own.
func (e *env) do(fn func(tx *txn.Trx)) {
	tx := e.begin(txn.RepeatableRead)
	fn(tx)
	e.commit(tx)
}

func newRand(t testing.TB) *rand.Rand {
	seed := testkit.Seed(t)
	return rand.New(rand.NewPCG(seed, 1))
}

func (e *env) pk(t *Table, k int) []byte {
	return row.AppendKeyPart(nil, t.cols[0], row.KeyPart{}, row.IntValue(int64(k)))
}
