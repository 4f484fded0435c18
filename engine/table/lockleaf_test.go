package table

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/lock"
	"emberdb/engine/txn"
)

// TestLockAhead reads with locks to the end of a range: the scan that locks leaf by leaf returns the
// same rows, and holds the same locks, as one that locks row by row, also beside rows that others
// hold and behind rows that are deleted.
func TestLockAhead(t *testing.T) {
	const rows = 3000
	e := newEnv(t, 2048, 10000)
	tab := e.create(plainDef())
	e.do(func(tx *txn.Trx) {
		for k := range rows {
			require.NoError(t, tab.Insert(bg, tx, vals(2*k, 1, nil, strings.Repeat("d", 40))))
		}
	})
	old := e.begin(txn.RepeatableRead) // so that deleted rows stay
	old.View()
	e.do(func(tx *txn.Trx) {
		for k := 800; k < 1000; k += 3 {
			require.NoError(t, tab.Delete(bg, tx, vals(2*k, 1, nil, strings.Repeat("d", 40))))
		}
	})
	other := e.begin(txn.RepeatableRead)
	for _, k := range []int{1500, 1501, 2200} {
		require.NoError(t, tab.Update(bg, other, vals(2*k, 1, nil, strings.Repeat("d", 40)), vals(2*k, 1, nil, "changed")))
	}
	tree := tab.clustered().tree.ID
	read := func(all bool, o ScanOptions) (shown []string, held []bool) {
		tx := e.begin(txn.RepeatableRead)
		defer e.rollback(tx)
		o.Lock, o.Wait, o.All = Exclusive, SkipLocked, all
		s := tab.NewScan(tx, o)
		shown, err := readAll(s)
		require.NoError(t, err)
		if all {
			require.NotNil(t, s.held.leaf, "no leaf was locked")
		}
		for k := range rows {
			held = append(held, e.locks.Holds(&tx.Owner, tree, e.pk(tab, 2*k), lock.X, lock.NextKey))
		}
		return shown, append(held, e.locks.Holds(&tx.Owner, tree, lock.Supremum, lock.X, lock.Gap))
	}
	for _, o := range []ScanOptions{{}, {Lower: e.pk(tab, 101)}, {Lower: e.pk(tab, 20), Upper: e.pk(tab, 5001)}, {Upper: e.pk(tab, 4800), UpperIncl: true},
		{Columns: []int{1, 3}}} {
		want, wantHeld := read(false, o)
		got, gotHeld := read(true, o)
		require.Equal(t, want, got)
		require.Equal(t, wantHeld, gotHeld)
	}
	e.rollback(other)
	e.commit(old)
	e.drain()
	e.check()
}
