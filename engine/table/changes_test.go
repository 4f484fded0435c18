package table

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/row"
	"emberdb/engine/txn"
)

// TestChanges changes and deletes ranges of rows in random ways, takes some of that back, and looks
// at the rows, an older snapshot and the indexes.
func TestChanges(t *testing.T) {
	rnd := newRand(t)
	for _, inPlace := range []int{10000, 2} {
		e := newEnv(t, 2048, inPlace)
		tab := e.create(plainDef())
		have := map[int][]any{}
		taken, changed, deleted, moved, twice := 0, 0, 0, 0, 0
		for range 60 {
			e.do(func(tx *txn.Trx) {
				for len(have) < 1200 {
					key := rnd.IntN(5000)
					if have[key] == nil {
						r := []any{key, rnd.IntN(50), nil, strings.Repeat("d", rnd.IntN(40))}
						have[key] = r
						require.NoError(t, tab.Insert(bg, tx, vals(r...)))
					}
				}
			})
			before := shown(have)
			reader := e.begin(txn.RepeatableRead)
			require.Equal(t, before, e.rows(tab, reader, ScanOptions{}))
			tx := e.begin([]txn.Isolation{txn.ReadCommitted, txn.RepeatableRead}[rnd.IntN(2)])
			mark := tx.StartStatement()
			now := maps.Clone(have)
			for range 1 + rnd.IntN(2) { // the second one finds rows of its own transaction
				kind, sparse := rnd.IntN(5), 1+rnd.IntN(3)*rnd.IntN(20)
				var c Changes
				c.Begin(tab, tx)
				tx.StartStatement()
				lo := e.ik(tab, 0, rnd.IntN(4000))
				o := ScanOptions{Lock: Exclusive, Target: true, Lower: lo, All: rnd.IntN(3) > 0}
				if rnd.IntN(2) == 0 {
					o.First = []int{0}
				}
				s := tab.NewScan(tx, o)
				for {
					got, err := s.Next(bg)
					if got == nil {
						require.ErrorIs(t, err, io.EOF)
						break
					}
					first := got[0]
					got, err = s.Rest()
					require.NoError(t, err)
					require.True(t, first.Same(got[0]))
					key := int(got[0].Int())
					if key%sparse != 0 {
						s.UnlockRow()
						continue
					}
					if kind == 0 {
						require.NoError(t, c.Delete(bg, got))
						delete(now, key)
						deleted++
						continue
					}
					r := slices.Clone(now[key])
					switch {
					case kind == 1:
						r[3] = strings.Repeat("x", len(r[3].(string))) // as long as it was
					case kind == 2: // a key
						r[1] = rnd.IntN(50)
						moved++
					case rnd.IntN(100) == 0:
						r[3] = strings.Repeat("L", 9000+rnd.IntN(9000))
					case rnd.IntN(30) == 0:
						r[1] = rnd.IntN(50)
					default:
						r[3] = strings.Repeat("y", rnd.IntN(60))
					}
					require.NoError(t, c.Update(bg, slices.Clone(got), vals(r...)))
					if now[key] = r; rnd.IntN(100) == 0 {
						r = slices.Clone(r)
						r[3] = "again"
						if kind == 2 {
							r[1] = rnd.IntN(50)
						}
						require.NoError(t, c.Update(bg, slices.Clone(got), vals(r...)))
						now[key] = r
						twice++
					}
					changed++
				}
				require.NoError(t, c.Flush(bg))
				s.Close()
				c.End()
			}
			require.Equal(t, shown(now), e.rows(tab, tx, ScanOptions{Fresh: true}))
			require.Equal(t, before, e.rows(tab, reader, ScanOptions{}))
			byKey := ScanOptions{Index: tab.def.Indexes[1], Columns: []int{0, 1}}
			require.Equal(t, keysOf(have), e.rows(tab, reader, byKey))
			byKey.Fresh = true
			require.Equal(t, keysOf(now), e.rows(tab, tx, byKey))
			switch rnd.IntN(4) {
			case 0:
				taken++
				require.NoError(t, tx.RollbackTo(bg, mark))
				e.commit(tx)
			case 1:
				taken++
				e.rollback(tx)
			default:
				e.commit(tx)
				have = now
			}
			require.Equal(t, before, e.rows(tab, reader, ScanOptions{}))
			e.commit(reader)
			require.Equal(t, shown(have), e.now(tab, 0))
		}
		e.drain()
		e.check()
		require.Equal(t, shown(have), e.now(tab, 0))
		require.Len(t, e.now(tab, 1), len(have))
		require.Positive(t, min(taken, changed, deleted, moved, twice))
	}
}

// keysOf are the entries of index b.
func keysOf(rows map[int][]any) (ss []string) {
	keys := slices.SortedFunc(maps.Keys(rows), func(a, b int) int {
		return cmp.Or(cmp.Compare(rows[a][1].(int), rows[b][1].(int)), cmp.Compare(a, b))
	})
	for _, key := range keys {
		ss = append(ss, show(vals(key, rows[key][1], nil, nil)))
	}
	return ss
}

// shown are the rows by key, as show tells them.
func shown(rows map[int][]any) (ss []string) {
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		ss = append(ss, show(vals(rows[key]...)))
	}
	return ss
}

// TestChangesWait meets a row that somebody else has locked: nothing of the statement stays.
func TestChangesWait(t *testing.T) {
	e := newEnv(t, 2048, 10000)
	e.wait = 1
	tab := e.create(plainDef())
	var rows [][]row.Value
	e.do(func(tx *txn.Trx) {
		for key := range 500 {
			rows = append(rows, vals(key, 1, nil, "one"))
			require.NoError(t, tab.Insert(bg, tx, rows[key]))
		}
	})
	before := e.now(tab, 0)
	other := e.begin(txn.RepeatableRead)
	other.StartStatement()
	require.NoError(t, tab.Update(bg, other, rows[300], vals(300, 1, nil, "two")))
	tx := e.begin(txn.RepeatableRead)
	mark := tx.StartStatement()
	var c Changes
	c.Begin(tab, tx)
	for key := range 500 {
		require.NoError(t, c.Update(bg, rows[key], vals(key, 1, nil, "six")))
	}
	require.True(t, busy(c.Flush(bg)))
	require.NoError(t, tx.RollbackTo(bg, mark))
	e.commit(tx)
	e.rollback(other)
	require.Equal(t, before, e.now(tab, 0))
	e.drain()
	e.check()
}
