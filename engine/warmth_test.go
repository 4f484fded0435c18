package engine

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/engine/warm"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

const listPath = "/d/" + warm.DefaultFilename

// warmOptions dumps all the time.
func warmOptions(fs vfs.FS) Options {
	o := smallOptions(fs)
	o.Warm.Interval = time.Millisecond
	return o
}

// wideItems are rows that fill pages.
func wideItems(from, n int64) []item {
	rows := someItems(from, n)
	for i := range rows {
		rows[i].pad = strings.Repeat(rows[i].pad, 40)
	}
	return rows
}

// A hundred lives end at random moments, while the list is dumped and loaded, redo is applied and
// rows are changed. Every one finds a good list and the rows that were acknowledged.
func TestKilledWhileWarming(t *testing.T) {
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 0))
	fs := vfs.NewMem(seed)
	e := open(t, warmOptions(fs))
	createItems(t, e, "a")
	want, maybe := map[int64]item{}, map[int64]item{} // maybe: what was not acknowledged
	rows := wideItems(1, 1500)
	require.NoError(t, insertItems(e, "a", rows...))
	for _, r := range rows {
		want[r.id] = r
	}
	require.NoError(t, e.Close(false))

	lives := 100
	if testing.Short() {
		lives = 20
	}
	loading, redoing := 0, 0
	for life := range lives {
		fs.CrashAt(int64(rng.IntN(400)))
		if e, err := Open(warmOptions(fs)); err == nil {
			if e.warm.Loading() {
				loading++
			}
			if e.redo.Left() > 0 {
				redoing++
			}
			changeUntilDeath(t, e, rng, want, maybe)
			fs.Crash()
			abandonEngine(e)
		} else {
			require.True(t, errors.Is(err, vfs.ErrPowerLost) || errors.Is(err, base.ErrFailed), "%v", err)
		}
		fs.Crash()
		fs = fs.Reboot(rng.Uint64())

		l, _, err := warm.Newest(fs, listPath)
		require.NoError(t, err, "life %d", life)
		require.NotEmpty(t, l.IDs)
		if life%10 == 9 {
			o := smallOptions(fs)
			e := open(t, o)
			got := map[int64]item{}
			for _, r := range items(t, e, "a", 0) {
				if got[r.id] = r; r == maybe[r.id] {
					want[r.id] = r
				}
			}
			clear(maybe)
			require.Equal(t, want, got, "life %d", life)
			require.Len(t, items(t, e, "a", 1), len(want))
			requireClean(t, e)
			require.NoError(t, e.Close(rng.IntN(2) == 0))
		}
	}
	t.Logf("%d lives, %d began with a load under way, %d with redo pending", lives, loading, redoing)
	require.Positive(t, loading)
	require.Positive(t, redoing)
}

// changeUntilDeath updates random rows, one transaction each, until the power fails.
func changeUntilDeath(t *testing.T, e *Engine, rng *rand.Rand, want, maybe map[int64]item) {
	for range 60 {
		id := 1 + rng.Int64N(1500)
		next := want[id]
		next.k++
		if err := changeStep("a", "update", func(item) item { return next }, id).run(e); err != nil {
			require.True(t, errors.Is(err, vfs.ErrPowerLost) || errors.Is(err, base.ErrFailed), "%v", err)
			maybe[id] = next
			return
		}
		want[id] = next
		delete(maybe, id)
	}
}

// A restart, clean or not, brings back the same pages in nearly the same order, while redo is
// applied where they come in.
func TestOrderSurvivesCrash(t *testing.T) {
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, clean := range []bool{true, false} {
		fs := vfs.NewMem(seed)
		o := smallOptions(fs)
		o.RedoCapacity = 16 << 20
		e := open(t, o)
		createItems(t, e, "a")
		require.NoError(t, insertItems(e, "a", wideItems(1, 6000)...))
		for range 3000 {
			require.NoError(t, e.run(txn.ReadCommitted, func(tx *txn.Trx) error {
				tb, err := e.Table(ctx, tx, "test", "a")
				if err == nil {
					_, _, err = tb.Get(ctx, tx, tb.Def().Indexes[0], itemKey(1+rng.Int64N(1+rng.Int64N(6000))), table.None, tableWait)
				}
				return err
			}))
		}
		require.NoError(t, e.warm.DumpNow())
		if clean {
			require.NoError(t, e.Close(false))
		} else {
			fs.Crash()
			abandonEngine(e)
			fs = fs.Reboot(seed)
		}
		before, _, err := warm.Newest(fs, listPath)
		require.NoError(t, err)
		o.FS = fs
		e = open(t, o)
		require.NoError(t, e.warm.WaitLoad(ctx))
		e.background.Wait()
		require.NoError(t, e.warm.DumpNow())
		after := e.warm.NewestList()
		for _, l := range []*warm.List{before, after} { // the dictionary and undo are what the restart itself uses most
			l.IDs = slices.DeleteFunc(l.IDs, func(id uint64) bool { return base.PageIDFrom(id).Space < base.FirstSpace })
		}
		r, common := warm.Correlation(before, after)
		t.Logf("clean %v: %d pages before, %d of them after, rank correlation %.4f", clean, len(before.IDs), common, r)
		require.Greater(t, common, len(before.IDs)*95/100)
		require.Greater(t, r, 0.99)
		w, err := e.Warmth()
		require.NoError(t, err)
		i := slices.IndexFunc(w, func(t TableWarmth) bool { return t.Table == "a" })
		require.Positive(t, w[i].Listed)
		require.Equal(t, w[i].Listed, w[i].ListedResident)
		require.Equal(t, "test", w[i].Schema)
		require.Contains(t, []string{"PRIMARY", "by_k", "by_u"}, w[i].Indexes[0].Name)
		names := map[string]bool{}
		for _, p := range e.Timeline().Phases() {
			names[p.Name] = p.Done
		}
		for _, p := range []string{"process", "redo scan", "open", "list read", "tier 1", "tier 3", "warm 50 %", "warm 90 %", "warm 100 %", "redo"} {
			require.True(t, names[p], p)
		}
		require.Len(t, e.Starts(), 2)
		require.NoError(t, e.Close(false))
	}
}
