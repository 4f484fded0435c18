package table

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/txn"
)

// TestPurgeBeside deletes and moves many rows at once, whose records are purged while others bring
// some of them back and roll some of that back.
func TestPurgeBeside(t *testing.T) {
	const rows = 2000
	rnd := newRand(t)
	e := newEnv(t, 2048, 10000)
	tab := e.create(plainDef())
	have := map[int][]any{}
	for range 8 {
		e.do(func(tx *txn.Trx) {
			for key := range rows {
				if have[key] == nil {
					have[key] = []any{key, rnd.IntN(1 << 20), nil, "x"}
					require.NoError(t, tab.Insert(bg, tx, vals(have[key]...)))
				}
			}
		})
		e.do(func(tx *txn.Trx) {
			var c Changes
			c.Begin(tab, tx)
			for key := range rows {
				old := vals(have[key]...)
				if key%3 == 0 {
					have[key] = []any{key, rnd.IntN(1 << 20), nil, "x"}
					require.NoError(t, c.Update(bg, old, vals(have[key]...)))
					continue
				}
				require.NoError(t, c.Delete(bg, old))
				delete(have, key)
			}
			require.NoError(t, c.Flush(bg))
			c.End()
		})
		var wg sync.WaitGroup
		kept := make([]map[int][]any, 2)
		for i := range kept {
			kept[i] = map[int][]any{}
			seed := rnd.IntN(1 << 20)
			wg.Go(func() {
				for n := range 200 {
					key := (n*10 + seed) % rows
					if key%3 == 0 || key%2 != i {
						continue
					}
					r := []any{key, (seed + n) % (1 << 20), nil, "again"}
					tx := e.begin(txn.RepeatableRead)
					tx.StartStatement()
					if err := tab.Insert(bg, tx, vals(r...)); err != nil {
						t.Error(err)
					}
					if n%3 > 0 {
						kept[i][key] = r
						e.commit(tx)
					} else {
						e.rollback(tx)
					}
				}
			})
		}
		wg.Wait()
		for i := range kept {
			for key, r := range kept[i] {
				have[key] = r
			}
		}
		e.drain()
		e.check()
		require.Equal(t, shown(have), e.now(tab, 0))
		reader := e.begin(txn.RepeatableRead)
		require.Equal(t, keysOf(have), e.rows(tab, reader, ScanOptions{Index: tab.def.Indexes[1], Columns: []int{0, 1}}))
		e.commit(reader)
	}
}
