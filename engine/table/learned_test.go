package table

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/txn"
)

// TestLearned: what was learned holds for every Table of the storage, until a tenth of the rows
// have changed, the definition is another one, or it is forgotten.
func TestLearned(t *testing.T) {
	e := newEnv(t, 2048, 10000)
	tab := e.create(plainDef())
	change := func(from, to int) {
		e.do(func(tx *txn.Trx) {
			tx.Counts = new(txn.RowCounts)
			for i := from; i < to; i++ {
				require.NoError(t, tab.Insert(bg, tx, vals(i, i, nil, "x")))
			}
		})
	}
	change(0, 3000)
	l, _ := tab.Learned(3000)
	require.Nil(t, l)
	tab.Learn("one", tab.Changes())
	l, fresh := New(tab.def, tab.svc, tab.Counters).Learned(3000)
	require.True(t, fresh)
	require.Equal(t, "one", l.What)

	change(3000, 3300)
	_, fresh = tab.Learned(3000)
	require.True(t, fresh)
	change(3300, 3301)
	_, fresh = tab.Learned(3000)
	require.False(t, fresh)

	tab.Learn("two", tab.Changes())
	other := *tab.def
	l, _ = New(&other, tab.svc, tab.Counters).Learned(3000)
	require.Nil(t, l, "another definition")
	tab.Forget()
	l, _ = tab.Learned(3000)
	require.Nil(t, l)
}

// TestMostLearned: no more than mostLearned tables keep something, the ones that came last.
func TestMostLearned(t *testing.T) {
	e := newEnv(t, 2048, 10000)
	tab := e.create(plainDef())
	var all []*Table
	for range mostLearned + 2 {
		one := New(tab.def, tab.svc, nil)
		one.Learn(1, one.Changes())
		one.Learn(2, one.Changes())
		all = append(all, one)
	}
	kept := 0
	for _, one := range all {
		if l, _ := one.Learned(1); l != nil {
			kept++
		}
	}
	require.Equal(t, mostLearned, kept)
	l, _ := all[0].Learned(1)
	require.Nil(t, l)
}
