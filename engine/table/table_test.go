package table

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

func TestInsertUpdateDelete(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := e.create(simpleDef())
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Insert(bg, tx, vals(1, 10, "x", "text")))
		require.NoError(t, tab.Insert(bg, tx, vals(3, nil, "y", nil)))
		require.NoError(t, tab.Insert(bg, tx, vals(2, 10, nil, "t")))
	})
	require.Equal(t, []string{"1 10 x text", "2 10 - t", "3 - y -"}, e.now(tab, 0))
	require.Equal(t, []string{"3 - y -", "1 10 x text", "2 10 - t"}, e.now(tab, 1))
	require.Equal(t, []string{"2 10 - t", "1 10 x text", "3 - y -"}, e.now(tab, 2))
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Update(bg, tx, vals(1, 0, nil, nil), vals(1, 11, "x", "longer text than before")))
		require.NoError(t, tab.Update(bg, tx, vals(2, 0, nil, nil), vals(7, 12, "z", "moved")))
		require.NoError(t, tab.Delete(bg, tx, vals(3, nil, nil, nil)))
		require.ErrorIs(t, tab.Delete(bg, tx, vals(3, nil, nil, nil)), base.ErrNotFound)
		require.ErrorIs(t, tab.Update(bg, tx, vals(99, nil, nil, nil), vals(99, 1, nil, nil)), base.ErrNotFound)
	})
	want := []string{"1 11 x longer text than before", "7 12 z moved"}
	for ix := range 3 {
		require.Equal(t, want, e.now(tab, ix))
	}
	e.drain()
	e.check()
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Delete(bg, tx, vals(1, nil, nil, nil)))
		require.NoError(t, tab.Delete(bg, tx, vals(7, nil, nil, nil)))
	})
	e.drain()
	e.check()
	e.requireEmpty(tab)
}

func TestDuplicates(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := e.create(simpleDef())
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Insert(bg, tx, vals(1, 10, "x", nil)))
		require.NoError(t, tab.Insert(bg, tx, vals(2, 10, nil, nil)))
		require.NoError(t, tab.Insert(bg, tx, vals(3, 10, nil, nil)))
	})
	requireDup := func(err error, index, existing string) {
		t.Helper()
		var de *DuplicateError
		require.True(t, errors.As(err, &de), "%v", err)
		require.Equal(t, index, de.Index.Name)
		require.Equal(t, existing, show(de.Row))
	}
	e.do(func(tx *txn.Trx) {
		requireDup(tab.Insert(bg, tx, vals(1, 5, "q", nil)), "PRIMARY", "1 10 x -")
		requireDup(tab.Insert(bg, tx, vals(5, 5, "x  ", nil)), "c", "1 10 x -")
		requireDup(tab.InsertOrLock(bg, tx, vals(5, 5, "x", nil)), "c", "1 10 x -")
		requireDup(tab.Update(bg, tx, vals(2, 0, nil, nil), vals(2, 99, "x", nil)), "c", "1 10 x -")
		requireDup(tab.Update(bg, tx, vals(2, 0, nil, nil), vals(3, 99, "u", nil)), "PRIMARY", "3 10 - -")
		require.NoError(t, tab.Update(bg, tx, vals(1, 0, nil, nil), vals(1, 10, "X", nil)))
		require.NoError(t, tab.Insert(bg, tx, vals(5, 5, "x", nil)))
		require.NoError(t, tab.Delete(bg, tx, vals(5, 5, "x", nil)))
		require.NoError(t, tab.Insert(bg, tx, vals(6, 5, "x", nil)))
		require.NoError(t, tab.Insert(bg, tx, vals(5, 7, "w", nil)))
	})
	require.Equal(t, []string{"1 10 X -", "2 10 - -", "3 10 - -", "5 7 w -", "6 5 x -"}, e.now(tab, 0))
	e.drain()
	e.check()
}

func TestRollback(t *testing.T) {
	for _, inPlace := range []int{10000, 1} {
		e := newEnv(t, 512, inPlace)
		tab := e.create(simpleDef())
		e.do(func(tx *txn.Trx) {
			for i := range 10 {
				require.NoError(t, tab.Insert(bg, tx, vals(i, i, string(rune('a'+i)), strings.Repeat("x", 100*i))))
			}
		})
		before := e.now(tab, 0)
		tx := e.begin(txn.RepeatableRead)
		for i := range 10 {
			switch i % 3 {
			case 0:
				require.NoError(t, tab.Delete(bg, tx, vals(i, nil, nil, nil)))
				require.NoError(t, tab.Insert(bg, tx, vals(i, -i, "new", "t")))
				require.NoError(t, tab.Delete(bg, tx, vals(i, nil, nil, nil)))
			case 1:
				require.NoError(t, tab.Update(bg, tx, vals(i, nil, nil, nil), vals(i, i+100, nil, "short")))
			case 2:
				require.NoError(t, tab.Update(bg, tx, vals(i, nil, nil, nil), vals(i+100, i, string(rune('a'+i)), strings.Repeat("y", 200*i))))
			}
		}
		require.Equal(t, before, e.now(tab, 0))
		e.rollback(tx)
		require.Equal(t, before, e.now(tab, 0))
		e.drain()
		for ix := range 3 {
			require.Equal(t, before, e.now(tab, ix))
		}
		e.check()
		e.do(func(tx *txn.Trx) {
			for i := range 10 {
				require.NoError(t, tab.Delete(bg, tx, vals(i, nil, nil, nil)))
			}
		})
		e.drain()
		e.requireEmpty(tab)
	}
}

func TestSavepoint(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := e.create(simpleDef())
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Insert(bg, tx, vals(1, 10, "x", nil)))
		tx.StartStatement()
		sp := tx.Savepoint()
		require.NoError(t, tab.Delete(bg, tx, vals(1, nil, nil, nil)))
		require.NoError(t, tab.Insert(bg, tx, vals(1, 11, "y", nil)))
		require.NoError(t, tab.Insert(bg, tx, vals(2, 11, "z", nil)))
		require.NoError(t, tx.RollbackTo(bg, sp))
		tx.StartStatement()
		require.Equal(t, []string{"1 10 x -"}, e.rows(tab, tx, ScanOptions{}))
		require.Equal(t, []string{"1 10 x -"}, e.rows(tab, tx, ScanOptions{Index: tab.def.Indexes[1]}))
	})
	e.drain()
	e.check()
	require.Equal(t, []string{"1 10 x -"}, e.now(tab, 2))
}

// Statements see the table as it was when they began.
func TestStatementBoundary(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := e.create(simpleDef())
	e.do(func(tx *txn.Trx) {
		for i := range 3 {
			require.NoError(t, tab.Insert(bg, tx, vals(i, i, nil, nil)))
		}
	})
	tx := e.begin(txn.RepeatableRead)
	s := tab.NewScan(tx, ScanOptions{})
	n := 0
	for _, err := s.Next(bg); err == nil; _, err = s.Next(bg) {
		require.NoError(t, tab.Insert(bg, tx, vals(100+n, n, nil, nil)))
		n++
	}
	require.Equal(t, 3, n)
	tx.StartStatement()
	b := tab.def.Indexes[1]
	target := tab.NewScan(tx, ScanOptions{Index: b, Lock: Exclusive, Target: true})
	n = 0
	for vs, err := target.Next(bg); err == nil; vs, err = target.Next(bg) {
		old := append([]row.Value(nil), vs...)
		new := append([]row.Value(nil), vs...)
		new[1] = row.IntValue(vs[1].Int() + 1) // moves ahead of the scan
		require.NoError(t, tab.Update(bg, tx, old, new))
		n++
	}
	require.Equal(t, 6, n)
	before := []string{"0 0 - -", "1 1 - -", "2 2 - -", "100 0 - -", "101 1 - -", "102 2 - -"}
	after := []string{"0 1 - -", "1 2 - -", "2 3 - -", "100 1 - -", "101 2 - -", "102 3 - -"}
	require.Equal(t, before, e.rows(tab, tx, ScanOptions{}))
	require.Equal(t, before, e.rows(tab, tx, ScanOptions{Lock: Shared}))
	require.Equal(t, after, e.rows(tab, tx, ScanOptions{Fresh: true}))
	require.Empty(t, e.rows(tab, tx, ScanOptions{Target: true}))
	require.Len(t, e.rows(tab, tx, ScanOptions{Index: b}), 6)
	got, ok, err := tab.Get(bg, tx, tab.def.Indexes[0], e.pk(tab, 101), None, Wait)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "101 2 - -", show(got))
	tx.StartStatement()
	require.Equal(t, after, e.rows(tab, tx, ScanOptions{}))
	e.commit(tx)
	e.drain()
	e.check()
}

func TestLongValues(t *testing.T) {
	e := newEnv(t, 2048, 0)
	tab := e.create(simpleDef())
	big := func(c string, n int) string { return strings.Repeat(c, n) }
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Insert(bg, tx, vals(1, 1, "x", big("A", 100_000))))
		require.NoError(t, tab.Insert(bg, tx, vals(2, 1, big("c", 5000), big("B", 6000))))
		require.NoError(t, tab.Insert(bg, tx, vals(3, 1, "z", big("C", 8000))))
	})
	e.check()
	require.Equal(t, []string{"1 1 x A*100000", "2 1 c*5000 B*6000", "3 1 z C*8000"}, e.now(tab, 0))
	reader := e.begin(txn.RepeatableRead)
	old := e.rows(tab, reader, ScanOptions{})
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Update(bg, tx, vals(1, nil, nil, nil), vals(1, 2, "x", big("A", 100_000))))
		require.NoError(t, tab.Update(bg, tx, vals(2, nil, nil, nil), vals(2, 2, big("c", 5000), big("D", 50_000))))
		require.NoError(t, tab.Update(bg, tx, vals(3, nil, nil, nil), vals(3, 2, "z", "short")))
	})
	require.Equal(t, []string{"1 2 x A*100000", "2 2 c*5000 D*50000", "3 2 z short"}, e.now(tab, 1))
	require.Equal(t, old, e.rows(tab, reader, ScanOptions{}))
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Delete(bg, tx, vals(1, nil, nil, nil)))
		require.NoError(t, tab.Insert(bg, tx, vals(1, 9, "n", big("E", 20_000))))
	})
	tx := e.begin(txn.RepeatableRead)
	require.NoError(t, tab.Update(bg, tx, vals(1, nil, nil, nil), vals(1, 2, "x", big("F", 200_000))))
	require.NoError(t, tab.Insert(bg, tx, vals(8, 2, "8", big("F", 20_000))))
	e.rollback(tx)
	require.Equal(t, old, e.rows(tab, reader, ScanOptions{}))
	e.commit(reader)
	e.drain()
	e.check()
	require.Equal(t, []string{"1 9 n E*20000", "2 2 c*5000 D*50000", "3 2 z short"}, e.now(tab, 0))
	e.do(func(tx *txn.Trx) {
		for i := range 3 {
			require.NoError(t, tab.Delete(bg, tx, vals(i+1, nil, nil, nil)))
		}
	})
	e.drain()
	e.check()
	e.requireEmpty(tab)
}

// heldPurge keeps purge from looking at rows, though its limit is raised already.
type heldPurge struct {
	txn.RowUndoer
	reached, release chan struct{}
}

func (h *heldPurge) PurgeRow(rec *txn.UndoRecord) error {
	select {
	case h.reached <- struct{}{}:
	default:
	}
	<-h.release
	return h.RowUndoer.PurgeRow(rec)
}

// A rollback comes back to a deleted row whose delete is as good as purged, and removes it. An
// older delete of the row, that purge has not come to either, had other entries.
func TestRollbackRemovesEntriesOfOlderDeletes(t *testing.T) {
	e := newEnv(t, 512, 1000)
	tab := e.create(simpleDef())
	h := &heldPurge{NewUndoer(func(_ base.TableID, fn func(*Table) error) error { return fn(tab) }), make(chan struct{}, 1), make(chan struct{})}
	e.txns.SetUndoer(h)
	view := e.begin(txn.RepeatableRead)
	_, err := readAll(tab.NewScan(view, ScanOptions{}))
	require.NoError(t, err)
	for k := range 3 {
		e.do(func(tx *txn.Trx) { require.NoError(t, tab.Insert(bg, tx, vals(1, k, fmt.Sprint("c", k), nil))) })
		e.do(func(tx *txn.Trx) { require.NoError(t, tab.Delete(bg, tx, vals(1, nil, nil, nil))) })
	}
	e.commit(view)
	<-h.reached
	tx := e.begin(txn.RepeatableRead)
	require.NoError(t, tab.Insert(bg, tx, vals(1, 9, "c9", nil)))
	e.rollback(tx)
	close(h.release)
	e.drain()
	e.check()
	e.requireEmpty(tab)
}
