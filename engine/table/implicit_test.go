package table

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/lock"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
)

// TestEntryOfAReader has a writer that has changed a row and not come to an entry yet, which a
// reader has locked: it waits at the entry of another index before. Whoever comes by meanwhile must
// neither make the writer an owner of the reader's entry nor change the entry in the writer's name:
// the reader would miss the row.
func TestEntryOfAReader(t *testing.T) {
	for name, comesBy := range map[string]func(t *testing.T, e *env, tab *Table, before []byte){
		"scan": func(t *testing.T, e *env, tab *Table, _ []byte) {
			tx := e.begin(txn.Serializable)
			defer e.rollback(tx)
			key := e.ik(tab, 2, "20")
			_, err := readAll(tab.NewScan(tx, ScanOptions{Index: tab.def.Indexes[2], Lower: key, Upper: key, UpperIncl: true, Lock: Shared, Wait: NoWait}))
			require.ErrorIs(t, err, base.ErrNoWait, "the row is the writer's")
		},
		"insert": func(t *testing.T, e *env, tab *Table, _ []byte) {
			tx := e.begin(txn.RepeatableRead)
			defer e.rollback(tx)
			require.True(t, e.blocks(func() error { return tab.Insert(bg, tx, vals(50, 50, "20", nil)) }), "the writer may roll back")
		},
		"second look": func(t *testing.T, e *env, tab *Table, before []byte) {
			w := getWork()
			defer w.put()
			w.key = append(w.key[:0], e.pk(tab, 20)...)
			require.NoError(t, tab.settleAgain(w, moment{}, 1, before))
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t, 512, 100)
			tab := lockTable(e)
			old := e.begin(txn.ReadCommitted) // as long as it is active, scans look at the rows of the entries
			_, err := old.EnsureID()
			require.NoError(t, err)
			e.do(func(tx *txn.Trx) {
				require.NoError(t, tab.Update(bg, tx, vals(40, 40, "40", nil), vals(40, 41, "41", nil)))
			})
			value, _, err := tab.fetch(nil, e.pk(tab, 20))
			require.NoError(t, err)
			entry := append(e.ik(tab, 2, "20"), e.pk(tab, 20)...)
			marked := func() bool {
				m := e.pool.BeginRead()
				defer m.Commit()
				cur, err := tab.indexes[2].tree.Seek(m, entry, buffer.Shared)
				require.NoError(t, err)
				require.True(t, cur.Exact(entry))
				return cur.Value()[0]&flagDeleted != 0
			}
			waiting := func() bool { return e.locks.Stats().RowWaitsCurrent == 1 }

			guard, reader, writer := e.begin(txn.ReadCommitted), e.begin(txn.Serializable), e.begin(txn.RepeatableRead)
			e.rows(tab, guard, ScanOptions{Index: tab.def.Indexes[1], Lower: e.ik(tab, 1, 20), Upper: e.ik(tab, 1, 20), UpperIncl: true, Lock: Shared, Columns: []int{1}})
			require.Equal(t, []string{"- - 20 -", "- - 30 -"}, e.rows(tab, reader,
				ScanOptions{Index: tab.def.Indexes[2], Lower: e.ik(tab, 2, "20"), Upper: e.ik(tab, 2, "30"), UpperIncl: true, Lock: Shared, Columns: []int{2}}))
			done := make(chan error, 1)
			go func() { done <- tab.Update(bg, writer, vals(20, 20, "20", nil), vals(20, 21, "21", nil)) }()
			testkit.Eventually(t, waiting)

			comesBy(t, e, tab, value[headerLen:])
			require.False(t, e.locks.Holds(&writer.Owner, tab.indexes[2].tree.ID, entry, lock.X, lock.Record), "two owners of an entry")
			require.False(t, marked(), "the reader's entry is marked")
			e.commit(guard)
			testkit.Eventually(t, waiting) // now at the reader's entry
			require.False(t, marked(), "the reader's entry is marked")
			e.commit(reader)
			require.NoError(t, <-done)
			e.commit(writer)
			e.commit(old)
			e.drain()
			e.check()
		})
	}
}
