package warm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// The plan's reads cover every page once, hottest tier first, within the limits.
func TestPlan(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 50 {
		var ids []uint64
		for _, i := range rng.Perm(400) {
			if rng.IntN(3) > 0 {
				ids = append(ids, base.PageID{Space: base.SpaceID(20 + i/200), No: base.PageNo(i % 200 * (1 + rng.IntN(4)))}.Uint64())
			}
		}
		at := map[uint64]int32{}
		for i, id := range slices.Backward(ids) {
			at[id] = int32(i)
		}
		p, reach := newPlan(ids), 1+rng.IntN(runPages)
		require.Len(t, p.pages, len(at))
		for id := range at {
			if rng.IntN(30) == 0 {
				require.EqualValues(t, at[id], p.missed(base.PageIDFrom(id)))
				require.EqualValues(t, buffer.RankNone, p.missed(base.PageIDFrom(id)), "once")
				delete(at, id)
			}
		}
		require.EqualValues(t, buffer.RankNone, p.missed(base.PageID{Space: 19, No: 1}))
		seen := map[uint64]bool{}
		for {
			urgent := len(p.urgent) > 0
			first, run, done, ok := p.next(nil, runPages, reach)
			if !ok {
				require.Equal(t, len(tiers)+1, done)
				break
			}
			require.LessOrEqual(t, len(run), runPages)
			require.NotEqualValues(t, buffer.RankGap, run[0])
			require.NotEqualValues(t, buffer.RankGap, run[len(run)-1])
			if rng.IntN(20) == 0 {
				p.giveBack(first, run)
				continue
			}
			gap, best := 0, len(tiers)
			for i, rank := range run {
				id := base.PageID{Space: first.Space, No: first.No + base.PageNo(i)}.Uint64()
				if rank == buffer.RankGap {
					gap++
					require.LessOrEqual(t, gap, reach/2)
					continue
				}
				gap = 0
				require.Equal(t, at[id], rank, "seed %d", seed)
				require.False(t, seen[id], "read twice")
				seen[id] = true
				j, _ := p.findLocked(id)
				best = min(best, int(p.tierOf[j]))
			}
			if !urgent {
				require.GreaterOrEqual(t, done, best, "hottest first")
			}
		}
		require.Len(t, seen, len(at), "seed %d", seed)
	}
}

// On a volume with a limit on bytes and one on requests, a plan takes hardly longer than the
// scarcer of the two: what is long and what is short in a tier does not come one after the other.
func TestPlanUsesBothLimits(t *testing.T) {
	const (
		reach     = 16
		perSecond = 600.0 // requests; and reach times as many pages
		saved     = 0.1   // seconds of what was not asked for, that the volume gives later
	)
	var ids []uint64
	for i := range 400 { // one long read and three single pages
		for j := range runPages {
			ids = append(ids, base.PageID{Space: space, No: base.PageNo(i*runPages + j)}.Uint64())
		}
		for j := range 3 {
			ids = append(ids, base.PageID{Space: space + 1, No: base.PageNo((3*i + j) * runPages)}.Uint64())
		}
	}
	p := newPlan(ids)
	var requests, pages int
	var requestsDone, pagesDone float64 // when the volume has served them
	for {
		_, run, _, ok := p.next(nil, runPages, reach)
		if !ok {
			break
		}
		requests++
		pages += len(run)
		now := max(requestsDone, pagesDone)
		requestsDone = max(requestsDone, now-saved) + 1/perSecond
		pagesDone = max(pagesDone, now-saved) + float64(len(run))/reach/perSecond
	}
	require.Less(t, max(requestsDone, pagesDone), 1.05*max(float64(requests)/perSecond, float64(pages)/reach/perSecond), "%d requests, %d pages", requests, pages)
}
