package table

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/txn"
)

// The undo of an update comes only to the entries that the update has made or marked.
func TestUndoLeavesUnchangedEntries(t *testing.T) {
	e := newEnv(t, 512, 1000)
	tab := e.create(simpleDef())
	old := vals(1, 10, "x", "long")
	e.do(func(tx *txn.Trx) { require.NoError(t, tab.Insert(bg, tx, old)) })
	e.drain()
	for _, ix := range tab.indexes[1:] {
		ix.visited = new(visited)
	}
	came := func(i int) bool {
		for w := range tab.indexes[i].visited {
			if tab.indexes[i].visited[w].Load() != 0 {
				return true
			}
		}
		return false
	}
	undone := func(new ...any) {
		tx := e.begin(txn.RepeatableRead)
		require.NoError(t, tab.Update(bg, tx, old, vals(new...)))
		e.rollback(tx)
	}
	undone(1, 10, "x", "another")
	require.False(t, came(1))
	require.False(t, came(2))
	undone(1, 20, "x", "another")
	require.True(t, came(1))
	require.False(t, came(2))
	e.drain()
	e.check()
}
