package table

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/txn"
	"emberdb/internal/vfs"
)

// addIndex replaces the table by one with another index, empty, in place pos among its indexes.
func (e *env) addIndex(t *Table, pos int, idx *catalog.Index) *Table {
	def := *t.def
	e.createTree(&def, idx)
	def.Indexes = append(append(append([]*catalog.Index{}, def.Indexes[:pos]...), idx), def.Indexes[pos:]...)
	nt := New(&def, e.svc, nil)
	nt.indexes[pos].visited = new(visited)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tables[def.ID] = nt
	return nt
}

// The builder has read a row whose newest version is rolled back, undo record and all, before it
// asks for the older ones.
func TestBuildIndexFindsVersionsAfterRollback(t *testing.T) {
	for _, gone := range []string{"update", "delete"} {
		t.Run(gone, func(t *testing.T) {
			e := newEnv(t, 512, 1000)
			tab := e.create(simpleDef())
			e.do(func(tx *txn.Trx) { require.NoError(t, tab.Insert(bg, tx, vals(1, 10, "x", nil))) })
			e.drain()
			tab = e.addIndex(tab, 3, &catalog.Index{ID: 1000, Name: "built", Parts: parts(1)})
			tx := e.begin(txn.RepeatableRead)
			if gone == "delete" {
				require.NoError(t, tab.Delete(bg, tx, vals(1, 10, "x", nil)))
			} else {
				require.NoError(t, tab.Update(bg, tx, vals(1, 10, "x", nil), vals(1, 20, "x", nil)))
			}
			key := e.ik(tab, 0, 1)
			read, ok, err := tab.fetch(nil, key)
			require.NoError(t, err)
			require.True(t, ok)
			e.rollback(tx)

			w := getWork()
			defer w.put()
			s := newSorter(vfs.NewMem(1), "tmp", "x")
			require.NoError(t, tab.gatherRow(w, tab.indexes[3], s, key, read))
			var keys [][]byte
			require.NoError(t, s.each(func(k []byte) error {
				keys = append(keys, append([]byte(nil), k...))
				return nil
			}))
			require.Contains(t, keys, append(e.ik(tab, 3, 10), key...))
		})
	}
}

// A rollback comes after the builder has copied a leaf and before it looks at the row: the writer
// has ended, but it has not committed.
func TestBuildIndexBesideRollback(t *testing.T) {
	for _, gone := range []string{"update", "insert", "delete"} {
		t.Run(gone, func(t *testing.T) {
			e := newEnv(t, 512, 1000)
			tab := e.create(simpleDef())
			e.do(func(tx *txn.Trx) {
				for i := range 10 {
					require.NoError(t, tab.Insert(bg, tx, vals(i, i, nil, nil)))
				}
			})
			e.drain()
			tab = e.addIndex(tab, 3, &catalog.Index{ID: 1000, Name: "built", Parts: parts(1)})
			writer := e.begin(txn.RepeatableRead)
			switch gone {
			case "update":
				require.NoError(t, tab.Update(bg, writer, vals(5, 5, nil, nil), vals(5, 50, nil, nil)))
			case "insert":
				require.NoError(t, tab.Insert(bg, writer, vals(50, 50, nil, nil)))
			case "delete":
				require.NoError(t, tab.Delete(bg, writer, vals(5, 5, nil, nil)))
			}
			tx := e.begin(txn.ReadCommitted)
			id, err := tx.EnsureID()
			require.NoError(t, err)
			b := builder{t: tab, ix: tab.indexes[3], tx: tx, writer: id,
				sure: newSorter(vfs.NewMem(1), "tmp", "sure"), rest: newSorter(vfs.NewMem(1), "tmp", "rest")}
			w := getWork()
			defer w.put()
			require.NoError(t, tab.eachRecord(bg, tab.clustered(), b.committed, func(key, value []byte, committed bool) error {
				if writer != nil {
					e.rollback(writer)
					writer = nil
				}
				return b.gatherRecord(w, key, value, committed)
			}))
			require.NoError(t, b.add(bg))
			e.commit(tx)
			e.drain()
			e.check()
			st, err := tab.indexes[3].tree.Check(nil)
			require.NoError(t, err)
			require.EqualValues(t, 10, st.Records)
		})
	}
}

// A build begins after rollback has settled the entries of a row and ends before it restores the
// row.
func TestBuildIndexWithinRollback(t *testing.T) {
	e := newEnv(t, 512, 1000)
	tab := e.create(simpleDef())
	const rows = 2000
	e.do(func(tx *txn.Trx) {
		for i := range rows {
			require.NoError(t, tab.Insert(bg, tx, vals(i, i, fmt.Sprint("c", i), nil)))
		}
	})
	e.drain()
	idx := &catalog.Index{ID: 1000, Name: "built", Parts: parts(1)}
	tab = e.addIndex(tab, 1, idx)
	tx := e.begin(txn.RepeatableRead)
	require.NoError(t, tab.Update(bg, tx, vals(0, 0, "c0", nil), vals(0, rows, "c0", nil)))

	// The rollback settles the entries of the old version, then those of the new one: it gets as
	// far as the latched leaf of b.
	b := tab.indexes[2]
	seek := func(val int) (m *buffer.Mtr, marked bool) {
		entry := append(e.ik(tab, 2, val), e.ik(tab, 0, 0)...)
		m = e.pool.BeginRead()
		cur, err := b.tree.Seek(m, entry, buffer.Shared)
		require.NoError(t, err)
		require.True(t, cur.Exact(entry))
		return m, cur.Value()[0]&flagDeleted != 0
	}
	latched, _ := seek(rows)
	done := make(chan error, 1)
	go func() { done <- e.txns.Rollback(tx) }()
	for marked := true; marked; {
		var m *buffer.Mtr
		m, marked = seek(0)
		m.Commit()
	}
	builder := e.begin(txn.ReadCommitted)
	built := make(chan error) // by a goroutine that holds no latch
	go func() { built <- tab.BuildIndex(bg, builder, idx, vfs.NewMem(1), "tmp") }()
	require.NoError(t, <-built)
	latched.Commit()
	require.NoError(t, <-done)
	e.commit(builder)
	e.drain()
	e.check()
	st, err := tab.indexes[1].tree.Check(nil)
	require.NoError(t, err)
	require.EqualValues(t, rows, st.Records)
}
