package table

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

// TestInsertRows inserts runs of rows, ascending or not, some with keys that are there already, and
// takes some of them back.
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

// TestInsertRowsUnique: of rows that are refused the first is told of, whatever the order of the
// unique keys.
func TestInsertRowsUnique(t *testing.T) {
	rnd := newRand(t)
	e := newEnv(t, 2048, 1000)
	tab := e.create(simpleDef())
	have, words := map[int]string{}, map[string]int{}
	refused := map[string]int{}
	for range 150 {
		var given []row.Value
		first, index, other := -1, "", 0
		now, nowWords := maps.Clone(have), maps.Clone(words)
		for i := range 1 + rnd.IntN(200) {
			key, word := rnd.IntN(1<<20), fmt.Sprint("w", rnd.IntN(1<<16))
			if i%2 == 0 {
				key = 1<<20 + i
			}
			given = append(given, vals(key, i, word, nil)...)
			if first >= 0 {
				continue
			}
			at, there := nowWords[word]
			switch _, same := now[key]; {
			case same:
				first, index, other = i, "PRIMARY", key
			case there:
				first, index, other = i, "c", at
			default:
				now[key], nowWords[word] = word, key
			}
		}
		tx := e.begin(txn.RepeatableRead)
		mark := tx.StartStatement()
		came, err := tab.InsertRows(bg, tx, given)
		if first < 0 {
			require.NoError(t, err)
			e.commit(tx)
			have, words = now, nowWords
			for key := range have { // 1<<20 + i is free again
				if key >= 1<<20 {
					e.do(func(tx *txn.Trx) { require.NoError(t, tab.Delete(bg, tx, vals(key, nil, nil, nil))) })
					delete(words, have[key])
					delete(have, key)
				}
			}
			continue
		}
		var dup *DuplicateError
		require.ErrorAs(t, err, &dup)
		require.Equal(t, first, came)
		require.Equal(t, index, dup.Index.Name)
		require.Equal(t, int64(other), dup.Row[0].Int())
		refused[index]++
		require.NoError(t, tx.RollbackTo(bg, mark))
		e.commit(tx)
	}
	require.Greater(t, refused["c"], 10)
	e.drain()
	require.Len(t, e.now(tab, 0), len(have))
	e.check()
}

// TestInsertRowsUniqueBeside: several transactions insert rows with the same unique keys at the
// same time; each key comes to one row.
func TestInsertRowsUniqueBeside(t *testing.T) {
	e := newEnv(t, 2048, 1000)
	e.wait = 1
	tab := e.create(simpleDef())
	seed := newRand(t).Uint64()
	var next atomic.Int64
	var came [4]int
	var wg sync.WaitGroup
	for g := range came {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(seed, uint64(g)))
			for range 60 {
				var given []row.Value
				for range 40 {
					given = append(given, vals(int(next.Add(1)), g, fmt.Sprint("w", rnd.IntN(8000)), nil)...)
				}
				tx := e.begin(txn.RepeatableRead)
				n, err := tab.InsertRows(bg, tx, given)
				if err != nil || rnd.IntN(8) == 0 {
					_ = e.txns.Rollback(tx)
					continue
				}
				came[g] += n
				e.commit(tx)
			}
		})
	}
	wg.Wait()
	e.drain()
	words := map[string]bool{}
	rows := 0
	e.do(func(tx *txn.Trx) {
		scan := tab.NewScan(tx, ScanOptions{})
		defer scan.Close()
		for r, err := scan.Next(bg); err == nil; r, err = scan.Next(bg) {
			words[string(r[2].B)] = true
			rows++
		}
	})
	require.Equal(t, came[0]+came[1]+came[2]+came[3], rows)
	require.Len(t, words, rows)
	require.Positive(t, rows)
	e.check()
}

// TestInsertRowsEnded: rows of a statement that ends meanwhile stay until the statement is taken
// back, which takes back the half of one with a long value too.
func TestInsertRowsEnded(t *testing.T) {
	e := newEnv(t, 2048, 1000)
	tab := e.create(plainDef())
	var all []row.Value
	for i := range 300 {
		all = append(all, vals(i, 1000-i, nil, nil)...)
	}
	all = append(all, vals(300, 1, nil, strings.Repeat("x", 20*base.PageSize))...)
	stayed, ended := 0, 0
	for left := 1; ; left++ {
		tx := e.begin(txn.RepeatableRead)
		mark := tx.Savepoint()
		_, err := tab.InsertRows(&endsAfter{bg, left}, tx, all)
		if err != nil {
			require.ErrorIs(t, err, base.ErrInterrupted)
			if ended++; tx.Savepoint() > mark {
				stayed++
			}
			require.NoError(t, tx.RollbackTo(bg, mark))
		}
		e.commit(tx)
		if err == nil {
			break
		}
		require.Empty(t, e.now(tab, 0))
		require.Empty(t, e.now(tab, 1))
		e.check()
	}
	require.Greater(t, ended, 20, "the long value alone has so many pages")
	require.Greater(t, stayed, ended/2)
	require.Len(t, e.now(tab, 0), 301)
	require.Len(t, e.now(tab, 1), 301)
	e.check()
}
