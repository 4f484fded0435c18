package warm

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
)

// A load beside clients, on a model of a throttled volume, in simulated time. The plan and the
// governor are the real ones; processors are not a part of the model.

// meteredVolume serves its requests in turn: each waits until the bytes and the requests of those
// before it are paid for, and its own, and then takes the latency.
type meteredVolume struct {
	bytes, requests float64       // a second
	latency         time.Duration // of a request at rest
}

// clients are queries one behind the other, each of a random page.
type clients struct {
	n      int
	hot    float64 // part of the list that they ask for, its hottest
	skew   float64 // 1: all pages alike; more: the hottest more often
	beside float64 // part of the queries that ask for a page that is not listed
}

type simulation struct {
	t      *testing.T
	rnd    *rand.Rand
	volume meteredVolume
	g      governor
	plan   *plan
	place  []int32 // of the pages by rank: index of plan.pages

	now       float64
	paidBytes float64 // the moments when what was asked for is paid for
	paidReqs  float64
	arrives   []float64 // moment at which a page is in the pool, by index of plan.pages; +Inf: not asked for
	last      float64   // moment at which the last one is
	s         sample
	due       float64
	done      int
	perSecond []float64
}

// read asks the volume for pages, and returns when they are there.
func (x *simulation) read(pages int) (at float64) {
	size := float64(pages * base.PageSize)
	x.paidBytes = max(x.paidBytes, x.now) + size/x.volume.bytes
	x.paidReqs = max(x.paidReqs, x.now) + 1/x.volume.requests
	return max(x.paidBytes, x.paidReqs) + x.volume.latency.Seconds()
}

// bring reads a run of the plan.
func (x *simulation) bring(first base.PageID, ranks []int32) (at float64) {
	at = x.read(len(ranks))
	x.s.bytes += float64(len(ranks) * base.PageSize)
	i, ok := x.plan.findLocked(first.Uint64())
	require.True(x.t, ok)
	for k, rank := range ranks {
		if rank == taken {
			continue
		}
		for x.plan.pages[i].id < first.Uint64()+uint64(k) {
			i++
		}
		x.arrives[i] = at
	}
	x.last = max(x.last, at)
	return at
}

// reader does the next read of the load; false: there is none.
func (x *simulation) reader() (at float64, ok bool) {
	first, ranks, done, ok := x.plan.next(nil, int(x.g.size), int(x.g.reach))
	if !ok {
		return 0, false
	}
	if done > x.done {
		x.done, x.s.newTier = done, true
	}
	x.s.requests++
	if x.g.rate > 0 {
		x.due += float64(len(ranks)*base.PageSize) / x.g.rate
	}
	return x.bring(first, ranks), true
}

const (
	steadyRate = 155_000 // queries a second of all clients when nobody waits
	turn       = 10 * time.Millisecond
)

// query runs queries of a client until one waits, or others have their turn. It returns when the
// client goes on.
func (x *simulation) query(c clients) (at float64) {
	for at = x.now; ; {
		at += float64(c.n) / steadyRate
		if at > x.now+turn.Seconds() {
			return at
		}
		second := int(at)
		for len(x.perSecond) <= second {
			x.perSecond = append(x.perSecond, 0)
		}
		x.perSecond[second]++
		if c.beside > 0 && x.rnd.Float64() < c.beside {
			return x.waits(at, x.read(1))
		}
		rank := int(math.Pow(x.rnd.Float64(), c.skew) * c.hot * float64(len(x.place)))
		i := int(x.place[rank])
		if x.arrives[i] <= at {
			continue
		}
		if !math.IsInf(x.arrives[i], 1) {
			return x.waits(at, x.arrives[i])
		}
		was := x.now
		x.now = at
		first, ranks, ok := x.plan.around(base.PageIDFrom(x.plan.pages[i].id), nil, int(pulled(x.g.reach)))
		require.True(x.t, ok)
		end := x.bring(first, ranks)
		x.now = was
		x.s.listed++
		return x.waits(at, end)
	}
}

// waits notes a read of a query.
func (x *simulation) waits(from, to float64) float64 {
	x.s.reads++
	x.s.waited += seconds(to - from)
	return to
}

// What happens next.
const (
	aWindow = iota // ends
	aClient        // goes on
	aReader        // may read
	aRead          // of the load ends
)

// run returns the moment at which all is read, and the one from which on clients have 90 % of what
// they have in the end.
func (x *simulation) run(c clients) (loaded, warm float64) {
	x.g = governor{most: 32, reach: runPages, depth: firstDepth, size: runPages, quiet: x.volume.latency}
	free := make([]float64, c.n) // moments at which clients go on
	var readers []float64        // moments at which the load's reads end
	tick, loading := window.Seconds(), true
	for loading || x.now < x.last+3 {
		next, what, who := tick, aWindow, 0
		for i, at := range free {
			if at < next {
				next, what, who = at, aClient, i
			}
		}
		if loading && len(readers) < int(x.g.depth) {
			if at := max(x.now, x.due); at < next {
				next, what = at, aReader
			}
		}
		for i, at := range readers {
			if at < next {
				next, what, who = at, aRead, i
			}
		}
		x.now = max(x.now, next)
		switch what {
		case aWindow:
			x.s.took = window
			if x.g.rate > 0 {
				x.due = max(x.due, x.now-catchUp.Seconds())
			} else {
				x.due = 0
			}
			x.g.depth, x.g.size, x.g.rate = x.g.decide(x.s)
			x.s = sample{}
			tick += window.Seconds()
		case aClient:
			free[who] = x.query(c)
		case aReader:
			if at, ok := x.reader(); ok {
				readers = append(readers, at)
			} else {
				loading, loaded = false, x.last
			}
		case aRead:
			readers = append(readers[:who], readers[who+1:]...)
		}
	}
	for i := len(x.perSecond) - 2; i >= 0; i-- { // the last second is not whole
		if x.perSecond[i] < 0.9*steadyRate {
			return loaded, float64(i + 1)
		}
	}
	return loaded, 0
}

// simulate loads a list of four tables, whose pages stand in it in any order, and then the pages of
// their other indexes.
func simulate(t *testing.T, v meteredVolume, c clients) (loaded, warm, least float64) {
	const pages = 168_000 // 2.7 GB
	rnd := rand.New(rand.NewPCG(1, 2))
	hot := int(float64(pages) * c.hot)
	ids := make([]uint64, 0, pages)
	for i := range pages {
		space := 10 + i*4/hot
		if i >= hot {
			space = 20 + (i-hot)*4/(pages-hot)
		}
		ids = append(ids, base.PageID{Space: base.SpaceID(space), No: base.PageNo(3 + i)}.Uint64())
	}
	rnd.Shuffle(hot, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	x := &simulation{t: t, rnd: rnd, volume: v, plan: newPlan(ids), place: make([]int32, pages), arrives: make([]float64, pages)}
	for i, p := range x.plan.pages {
		x.place[p.rank], x.arrives[i] = int32(i), math.Inf(1)
	}
	loaded, warm = x.run(c)
	return loaded, warm, float64(pages*base.PageSize) / v.bytes
}

// On volumes that are throttled to requests and to bytes, with clients and without, the list is
// loaded, and clients have nine tenths of their speed, within 1.2 times of what its bytes take.
func TestLoadOnModel(t *testing.T) {
	for name, v := range map[string]meteredVolume{
		"600/150":  {150 << 20, 600, 300 * time.Microsecond},
		"3000/125": {125 << 20, 3000, 300 * time.Microsecond},
	} {
		for _, c := range []clients{{}, {n: 4, skew: 1}, {n: 8, skew: 1}, {n: 64, skew: 1}, {n: 8, skew: 4}, {n: 8, skew: 1, beside: 0.0005}} {
			c.hot = 0.84
			loaded, warm, least := simulate(t, v, c)
			t.Logf("%8s %2d clients, skew %.0f, %.2f %% not listed: loaded after %.1f s, warm after %.0f s, the bytes take %.1f s", name, c.n, c.skew, 100*c.beside, loaded, warm, least)
			require.Less(t, warm, 1.2*least)
			require.Less(t, loaded, 1.25*least)
		}
	}
}
