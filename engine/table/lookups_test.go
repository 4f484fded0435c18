package table

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/row"
	"emberdb/engine/txn"
)

// TestLookups looks up keys together and one by one, in transactions that see different versions of
// rows that others, and they themselves, have changed and deleted.
func TestLookups(t *testing.T) {
	rnd := newRand(t)
	e := newEnv(t, 2048, 10000)
	tab := e.create(plainDef())
	keys := 700
	text := func() string {
		if rnd.IntN(40) == 0 {
			return strings.Repeat("L", 9000+rnd.IntN(3000))
		}
		return strings.Repeat("d", rnd.IntN(60))
	}
	change := func(tx *txn.Trx, n int) {
		for range n {
			key := rnd.IntN(keys)
			got, ok, err := tab.Get(bg, tx, nil, e.pk(tab, key), Exclusive, Wait)
			require.NoError(t, err)
			switch {
			case !ok:
				require.NoError(t, tab.Insert(bg, tx, vals(key, rnd.IntN(60), nil, text())))
			case rnd.IntN(3) == 0:
				require.NoError(t, tab.Delete(bg, tx, got))
			default:
				require.NoError(t, tab.Update(bg, tx, got, vals(key, rnd.IntN(60), nil, text())))
			}
		}
	}
	e.do(func(tx *txn.Trx) { change(tx, 1500) })
	found, refused := 0, 0
	for range 12 {
		var readers []*txn.Trx
		for _, iso := range []txn.Isolation{txn.RepeatableRead, txn.ReadCommitted, txn.ReadUncommitted} {
			tx := e.begin(iso)
			tx.View()
			readers = append(readers, tx)
		}
		e.do(func(tx *txn.Trx) { change(tx, 80) })
		change(readers[0], 30)
		for _, tx := range readers {
			tx.StartStatement()
			for _, o := range []ScanOptions{{}, {Columns: []int{3, 1}}, {Index: tab.def.Indexes[1]},
				{Index: tab.def.Indexes[1], Columns: []int{0, 1}}, {Index: tab.def.Indexes[1], Columns: []int{}}} {
				found += e.requireLookups(tab, tx, o, lookupKeys(e, tab, o, rnd.IntN(keys), 1+rnd.IntN(9)), 1<<20, false)
				e.requireLookups(tab, tx, o, lookupKeys(e, tab, o, rnd.IntN(keys), 1+rnd.IntN(9)), 1<<20, true)
				if e.requireLookups(tab, tx, o, lookupKeys(e, tab, o, 0, 1), 30, false) < 0 {
					refused++
				}
			}
		}
		for _, tx := range readers {
			e.commit(tx)
		}
	}
	require.Positive(t, min(found, refused))
	e.drain()
	e.check()
}

// lookupKeys are ascending keys of an index, every so-manieth from one on.
func lookupKeys(e *env, tab *Table, o ScanOptions, from, step int) (keys [][]byte) {
	ix, most := 0, 760
	if o.Index != nil {
		ix, most = 1, 70
	}
	for k := from % most; k < most; k += step {
		keys = append(keys, e.ik(tab, ix, k))
	}
	return keys
}

// requireLookups looks keys up together and by a scan each, and returns how many rows there are;
// below zero: they are refused.
func (e *env) requireLookups(tab *Table, tx *txn.Trx, o ScanOptions, keys [][]byte, most int, first bool) int {
	e.t.Helper()
	var l Lookups
	require.True(e.t, l.Begin(tab, tx, o, first))
	defer l.Close()
	for _, some := range [][][]byte{keys[:1], keys} { // its memory is used again
		n, err := l.Find(bg, some, most)
		require.NoError(e.t, err)
		if n < len(some) {
			return -1
		}
		var want []string
		var of []int32
		for i, key := range some {
			o.Lower, o.Upper, o.UpperIncl = key, key, true
			rows, err := readAll(tab.NewScan(tx, o))
			require.NoError(e.t, err)
			if first {
				rows = rows[:min(len(rows), 1)]
			}
			want = append(want, rows...)
			of = append(of, slices.Repeat([]int32{int32(i)}, len(rows))...)
		}
		require.Equal(e.t, of, append([]int32(nil), l.Of()...))
		got := make([][]row.Value, len(want))
		for i := range got {
			got[i] = make([]row.Value, tab.width())
		}
		for _, c := range l.s.cols {
			readColumn(tab, l.Rows(), c, got)
		}
		for i := range got {
			require.Equal(e.t, want[i], show(got[i]))
		}
	}
	return len(l.Of())
}
