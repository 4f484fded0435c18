package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/hotset"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// hotEngine is an engine with the rows in the given order of insertion, and little of them in the
// pool: its pages are not those of an engine with another order.
func hotEngine(t *testing.T, frames int, rows []item) *Engine {
	t.Helper()
	fs := vfs.NewMem(1)
	o := smallOptions(fs)
	o.PoolBytes, o.RedoCapacity, o.ReadAheadThreshold = int64(frames)*base.PageSize, 64<<20, -1
	o.Warm.NoDumpAtShutdown, o.Warm.NoLoadAtStart = true, true
	e := open(t, o)
	createItems(t, e, "a")
	for len(rows) > 0 {
		n := min(len(rows), 200)
		require.NoError(t, insertItems(e, "a", rows[:n]...))
		rows = rows[n:]
	}
	require.NoError(t, e.Close(false))
	e = open(t, o)
	t.Cleanup(func() { require.NoError(t, e.Close(true)) })
	testkit.Eventually(t, func() bool { return !e.pool.Recovery().Active() }, "recovery")
	return e
}

// readKeys reads rows by their primary keys.
func readKeys(t *testing.T, e *Engine, ids ...int64) {
	t.Helper()
	require.NoError(t, e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
		tbl, err := e.Table(ctx, tx, "test", "a")
		if err != nil {
			return err
		}
		for _, id := range ids {
			s := tbl.NewScan(tx, table.ScanOptions{Lower: itemKey(id), Upper: itemKey(id), UpperIncl: true})
			_, err := s.Next(ctx)
			s.Close()
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// name is what is hot on the source, as it comes to a replica.
func name(t *testing.T, h *HotNamer) (replica *hotset.Set, pages int) {
	t.Helper()
	set, pages, err := h.Name()
	require.NoError(t, err)
	replica = &hotset.Set{}
	for _, part := range hotset.Delta(nil, set, 0, 0) {
		_, err := replica.Apply(part)
		require.NoError(t, err)
	}
	return replica, pages
}

// coldReads are the pages that reading the rows takes from the file.
func coldReads(t *testing.T, e *Engine, ids ...int64) uint64 {
	t.Helper()
	before, _ := e.pool.Reader().ForegroundTime()
	readKeys(t, e, ids...)
	after, _ := e.pool.Reader().ForegroundTime()
	return after - before
}

// What is hot on one engine is brought into the pool of another, whose rows lie in other pages, and
// nothing else. What that one works with itself is not displaced.
func TestHotPagesOfAnotherEngine(t *testing.T) {
	rng := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	const rows = 6000
	ascending := wideItems(1, rows)
	var shuffled []item
	for _, i := range rng.Perm(rows) {
		shuffled = append(shuffled, ascending[i])
	}
	source, replica := hotEngine(t, 2000, ascending), hotEngine(t, 2000, shuffled)
	var hot, cold []int64
	for id := int64(1); id <= rows; id++ {
		if id > 1000 && id < 2000 || id%500 == 0 {
			hot = append(hot, id)
		} else if id > 3000 {
			cold = append(cold, id)
		}
	}
	readKeys(t, source, hot...)
	namer := source.NewHotNamer()
	set, pages := name(t, namer)
	require.Positive(t, pages)
	require.Less(t, set.Ranges(), pages)

	done, err := replica.BringHot(ctx, []*hotset.Set{set})
	require.NoError(t, err)
	require.Positive(t, done.Read)
	require.Zero(t, done.Present)
	require.Equal(t, done.Wanted, done.Read)
	require.Zero(t, coldReads(t, replica, hot...))
	require.Positive(t, coldReads(t, replica, cold...))

	done, err = replica.BringHot(ctx, []*hotset.Set{set})
	require.NoError(t, err)
	require.Equal(t, done.Wanted, done.Present)
	require.Zero(t, done.Read)

	// A page that is new in the pool counts from the second walk on.
	readKeys(t, source, cold...)
	_, same := name(t, namer)
	require.Equal(t, pages, same)
	_, more := name(t, namer)
	require.Greater(t, more, pages)
}

// A replica whose pool is full of what it uses itself keeps all of that. Pages that nobody has used
// between two rounds make room.
func TestHotPagesDisplaceNothingInUse(t *testing.T) {
	rows := wideItems(1, 6000)
	source, replica := hotEngine(t, 2000, rows), hotEngine(t, 64, rows)
	var hot, own []int64
	for id := int64(1); id <= 6000; id++ {
		if id > 2500 {
			hot = append(hot, id)
		} else {
			own = append(own, id)
		}
	}
	readKeys(t, source, hot...)
	set, pages := name(t, source.NewHotNamer())
	require.Greater(t, pages, 64)
	readKeys(t, replica, own...) // fills the pool
	resident := func() (out []base.PageID) {
		replica.pool.LRU().Walk(func(ids []base.PageID, _, _ bool) bool {
			out = append(out, ids...)
			return true
		})
		return out
	}
	before := resident()
	_, err := replica.BringHot(ctx, []*hotset.Set{set})
	require.NoError(t, err)
	gone := 0
	for _, id := range before {
		if !replica.pool.Reader().Resident(id) {
			gone++
		}
	}
	require.LessOrEqual(t, gone, 16, "inner pages of the names' tree are read as by a query")

	done, err := replica.BringHot(ctx, []*hotset.Set{set})
	require.NoError(t, err)
	require.Positive(t, done.Read, "idle pages make room")
}

// Names that fit nothing here, and names of everything, bring no error and no more than the pool.
func TestHotNamesOfOtherTables(t *testing.T) {
	e := hotEngine(t, 100, wideItems(1, 6000))
	everything := func(x hotset.Index) *hotset.Set {
		s := &hotset.Set{}
		s.Add(x, []hotset.Leaf{{Last: []byte{0xff, 0xff, 0xff}}})
		return s
	}
	for _, x := range []hotset.Index{{Schema: "no", Table: "a", Name: "PRIMARY"}, {Schema: "test", Table: "no", Name: "PRIMARY"}, {Schema: "test", Table: "a", Name: "no"}} {
		done, err := e.BringHot(ctx, []*hotset.Set{everything(x)})
		require.NoError(t, err, fmt.Sprint(x))
		require.Zero(t, done.Wanted)
	}
	var all []*hotset.Set
	for _, index := range []string{"PRIMARY", "by_k", "by_u"} {
		all = append(all, everything(hotset.Index{Schema: "test", Table: "a", Name: index}))
	}
	done, err := e.BringHot(ctx, all)
	require.NoError(t, err)
	require.Equal(t, 100, done.Wanted)
	require.LessOrEqual(t, done.Read, 100)
	requireClean(t, e)
}
