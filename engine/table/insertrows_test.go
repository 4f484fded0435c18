package table

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// plainDef: a int primary key, b int null, c varchar null, d text null; key b.
func plainDef() *catalog.Table {
	def := simpleDef()
	def.Indexes = def.Indexes[:2]
	return def
}

// TestInsertRows inserts runs of rows, ascending or not, some with keys that are there already, and takes some of them back.
func TestInsertRows(t *testing.T) {
	rnd := newRand(t)
	for _, def := range []*catalog.Table{plainDef(), simpleDef()} {
		e := newEnv(t, 2048, 1000)
		tab := e.create(def)
		have := map[int]string{}
		refused, taken := 0, 0
		for range 120 {
			var given []row.Value
			var keys []int
			key := rnd.IntN(4000)
			for range 1 + rnd.IntN(600) {
				d := strings.Repeat("d", rnd.IntN(40))
				if rnd.IntN(300) == 0 {
					d = strings.Repeat("L", 9000+rnd.IntN(9000))
				}
				given = append(given, vals(key, rnd.IntN(50), nil, d)...)
				keys = append(keys, key)
				if key += rnd.IntN(12); rnd.IntN(50) == 0 {
					key = rnd.IntN(8000)
				}
			}
			tx := e.begin(txn.RepeatableRead)
			mark := tx.StartStatement()
			came, err := tab.InsertRows(bg, tx, given)
			now := maps.Clone(have)
			for i, key := range keys[:came] {
				require.NotContains(t, now, key)
				now[key] = show(given[4*i : 4*i+4])
			}
			var dup *DuplicateError
			if err != nil {
				require.True(t, errors.As(err, &dup), "%v", err)
				require.Equal(t, now[keys[came]], show(dup.Row))
				refused++
			} else {
				require.Len(t, keys, came)
			}
			require.Len(t, e.rows(tab, tx, ScanOptions{Fresh: true, Lock: Shared}), len(now))
			switch {
			case rnd.IntN(4) == 0:
				taken++
				require.NoError(t, tx.RollbackTo(bg, mark))
				e.commit(tx)
			case rnd.IntN(4) == 0:
				taken++
				e.rollback(tx)
			default:
				e.commit(tx)
				have = now
			}
			if len(have) > 3000 {
				e.do(func(tx *txn.Trx) {
					for key := range have {
						require.NoError(t, tab.Delete(bg, tx, vals(key, nil, nil, nil)))
					}
				})
				clear(have)
			}
		}
		require.Greater(t, refused, 5)
		require.Greater(t, taken, 5)
		e.drain()
		want := slices.Sorted(maps.Values(have))
		for ix := range def.Indexes {
			got := e.now(tab, ix)
			slices.Sort(got)
			require.Equal(t, want, got)
		}
		e.check()
	}
}

// TestInsertRowsLocks: rows wait for a gap that somebody has locked, and divide one of their own.
func TestInsertRowsLocks(t *testing.T) {
	e := newEnv(t, 512, 1000)
	tab := e.create(plainDef())
	e.do(func(tx *txn.Trx) { require.NoError(t, tab.Insert(bg, tx, vals(100, 1, nil, nil))) })
	run := func(keys ...int) (given []row.Value) {
		for _, k := range keys {
			given = append(given, vals(k, k, nil, nil)...)
		}
		return given
	}
	insert := func(tx *txn.Trx, keys ...int) func() error {
		return func() error {
			_, err := tab.InsertRows(bg, tx, run(keys...))
			return err
		}
	}
	one, two := e.begin(txn.RepeatableRead), e.begin(txn.RepeatableRead)
	e.rows(tab, one, ScanOptions{Lower: e.pk(tab, 10), Upper: e.pk(tab, 50), Lock: Exclusive}) // the gap before 100
	require.True(t, e.blocks(insert(two, 20, 30)))
	require.NoError(t, insert(one, 20, 40, 60)())
	for _, k := range []int{10, 30, 50, 70} {
		require.True(t, e.blocks(insert(two, k, k+1)), "before %d", k)
	}
	require.NoError(t, insert(two, 110, 120)())
	require.True(t, e.blocks(func() error { // the rows themselves are locked
		_, _, err := tab.Get(bg, two, nil, e.pk(tab, 40), Shared, Wait)
		return err
	}))
	e.rollback(one)
	require.NoError(t, insert(two, 20, 40, 60)())
	e.commit(two)
	require.Equal(t, 6, len(e.now(tab, 0)))
	e.drain()
	e.check()
}

// TestInsertRowsNumbers: row ids and the AUTO_INCREMENT counter.
func TestInsertRowsNumbers(t *testing.T) {
	e := newEnv(t, 512, 1000)
	def := plainDef()
	def.AutoInc = 0
	tab := e.create(def)
	var given []row.Value
	for i := range 2000 {
		given = append(given, vals(3*i+1, i, nil, nil)...)
	}
	e.do(func(tx *txn.Trx) {
		came, err := tab.InsertRows(bg, tx, given)
		require.NoError(t, err)
		require.Equal(t, 2000, came)
	})
	next, err := tab.PeekAutoInc()
	require.NoError(t, err)
	require.Equal(t, uint64(3*1999+2), next)
	stored, err := New(def, e.svc, nil).PeekAutoInc()
	require.NoError(t, err)
	require.Equal(t, next, stored)

	hidden := e.create(&catalog.Table{Name: "h", AutoInc: -1, Columns: named(col(row.TInt32, false)), Indexes: []*catalog.Index{{Clustered: true}}})
	given = given[:0]
	var want []string
	for i := range 1500 {
		given = append(given, vals(7*i%100)...)
		want = append(want, fmt.Sprintf("%d u%d", 7*i%100, i+1))
	}
	e.do(func(tx *txn.Trx) {
		_, err := hidden.InsertRows(bg, tx, given)
		require.NoError(t, err)
	})
	require.Equal(t, want, e.now(hidden, 0))
	e.drain()
	e.check()
}

// TestInsertRowsInterrupted: what came in is told.
func TestInsertRowsInterrupted(t *testing.T) {
	e := newEnv(t, 512, 1000)
	tab := e.create(plainDef())
	tx := e.txns.Begin(txn.RepeatableRead, true)
	came, err := tab.InsertRows(bg, tx, vals(1, 1, nil, nil))
	require.ErrorIs(t, err, base.ErrReadOnly)
	require.Zero(t, came)
	e.rollback(tx)
	require.Empty(t, e.now(tab, 0))
}
