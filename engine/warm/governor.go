package warm

import (
	"time"

	"emberdb/internal/base"
)

// governor decides on rate, depth and size of a load's reads from what a window of time brought.
//
//	the first windows                 no rate, many reads: what the device gives is the first guess of the cliff
//	no query has read for a while     no rate; as many reads as the device serves in half a window: it is used up, so what it gives is the cliff
//	queries read, and do not suffer   below the cliff: a tenth faster; close to it: hardly faster; no cliff known: a tenth faster until there is one
//	queries suffer                    what the device gave just now is the cliff: nine tenths of that, and less while they go on suffering
//
// And in each case, while queries compute and hardly wait for reads, no more than a share of the
// processors lets it read: a fifth of them, or what the queries leave but for a reserve. Idleness
// alone says little: queries whose threads wait behind the load's reads leave processors idle.
//
// Queries suffer when their reads take longer than at rest, or with the load at its least, and
// behind two of the load's reads. Beside queries, what is in flight is bounded by the time that the
// device needs for it. On a server that has just started queries wait for each other's misses,
// which only the load can end: so it keeps a share of the best that the device gave, by more reads
// in flight if the queries' own are what stands in their way. And the queries help: one that misses
// a page of the list reads some neighbours with it.
//
// Reach is how many pages the device gives for the price of a request: a load reads so many at
// least where it can, and through gaps of half as many, and a query as many around a page that it
// misses; or twice as many where that is many, for what is left between such reads is dear later.
type governor struct {
	most  int32 // reads in flight
	depth int32
	size  int32
	rate  float64 // bytes a second; 0: not limited
	reach int32   // pages for the price of a request

	quiet     time.Duration // a single read at rest
	usual     time.Duration // what queries wait although the load has only its share: it is not the load that they wait for
	cliff     float64       // bytes a second at which queries began to suffer; 0: not known
	best      float64       // bytes a second, the most there was
	requests  float64       // a second, of the load and of queries, the most there were
	crowded   bool          // queries compute: the processors may be what they lack
	suffering bool
	calm      int // windows since a query read
	stuck     int // windows in a row in which a query waited and none was served
	hold      int // windows to wait for the effect of the last step
	recent    [averaged]sample
	at        int // place in recent of the next window
}

// sample is what a window brought.
type sample struct {
	took     time.Duration
	bytes    float64
	requests int           // of the load
	reads    int           // of queries
	listed   int           // of them of pages on the list, which the load would have brought
	waited   time.Duration // for them
	waiting  bool          // one is under way now
	newTier  bool          // the load's reads may be longer or shorter than before, the cliff higher or lower
	load     time.Duration // of the processors, for the load's reads
	others   time.Duration // for all else that the server does
	idle     time.Duration // nobody used them
}

const (
	firstDepth  = 8
	idleDepth   = 4
	averaged    = 8            // windows: a throttled volume gives its bytes out ten times a second or so, all at once
	measured    = averaged + 2 // the first of them go faster than the volume will
	explored    = measured + averaged
	settle      = 4 // windows that a queue needs to drain
	calmWait    = 10
	slack       = 500 * time.Microsecond
	queueBound  = 8 * time.Millisecond
	leastRun    = 16     // pages: 256 KiB, which costs a device little more than a page
	below       = 0.9    // of the cliff, where a load stays
	keep        = 0.6    // of the best, that a load keeps beside suffering queries
	keepMost    = 0.9    // of the best, if what they read is on the list and a read of the load brings many pages
	keepLeast   = 0.25   // and if it brings hardly more than a query's own
	queriesLead = 8      // pages of reach: below, queries do better by many reads than by long ones
	fast        = 1.1    // growth in a window
	creep       = 1.0003 // close to the cliff
	usualFade   = 100    // windows
	bestFade    = 0.999  // in a window, of a best that the device no longer gives

	loadShare = 0.2  // of the processors, that a load takes from queries; so it takes at most a few times as long as alone
	spare     = 0.4  // of the processors, that stay idle before a load takes more: beside its reads a third of them seems idle to queries that wait for one
	noQueries = 0.05 // of the processors: who uses less does not matter
	computing = 3    // times as long as they wait for reads: queries that do not lack pages
)

func (g *governor) decide(s sample) (depth, size int32, rate float64) {
	achieved := g.note(s)
	if s.reads > 0 {
		if mean := s.waited / time.Duration(s.reads); g.quiet == 0 || mean < g.quiet {
			g.quiet = mean
		}
	}
	g.usual -= g.usual / usualFade
	if g.calm++; s.reads > 0 || s.waiting {
		g.calm = 0
	}
	if g.stuck++; s.reads > 0 || !s.waiting {
		g.stuck = 0
	}
	if s.newTier && g.rate > 0 {
		g.cliff = 0
	}
	g.hold = max(0, g.hold-1)
	g.reachOut()
	switch {
	case g.at < measured:
		g.depth, g.size = firstDepth, runPages
	case g.at == measured:
		g.cliff = achieved
		g.faster(achieved)
		g.bound(achieved)
	case g.calm >= calmWait:
		if g.suffering, g.rate = false, 0; !g.crowded { // else it was not the device that set the rate
			g.cliff = achieved
		}
		g.depth, g.size = clamp(achieved*window.Seconds()/2/runBytes+1, idleDepth, g.most), runPages
	case g.suffers(s, achieved):
		g.slower(s, achieved)
		g.bound(achieved)
	default:
		g.suffering = false
		g.faster(achieved)
		g.bound(achieved)
	}
	return g.yield()
}

// yield is the decision, within what the processors have to spare.
func (g *governor) yield() (depth, size int32, rate float64) {
	var sum sample
	for _, r := range g.recent {
		sum.took += r.took
		sum.bytes += r.bytes
		sum.waited += r.waited
		sum.load += r.load
		sum.others += r.others
		sum.idle += r.idle
	}
	processors := sum.took.Seconds() * float64(base.Processors) // seconds of them
	g.crowded = g.at >= measured && sum.load > 0 && sum.others.Seconds() > noQueries*processors && sum.others > computing*sum.waited
	if !g.crowded {
		return g.depth, g.size, g.rate
	}
	left := min((sum.load + sum.idle).Seconds(), processors-sum.others.Seconds()) // the latter where the server may not use all
	share := max(loadShare*processors, left-spare*processors)
	most := sum.bytes / sum.load.Seconds() * share / sum.took.Seconds()
	if g.rate > 0 && g.rate <= most {
		return g.depth, g.size, g.rate
	}
	depth, size = g.inFlight(most)
	return min(depth, g.depth), min(size, g.size), most
}

const runBytes = runPages * base.PageSize

// note remembers a window and returns the throughput of the last ones.
func (g *governor) note(s sample) (achieved float64) {
	g.recent[g.at%averaged] = s
	g.at++
	bytes, requests, took := 0.0, 0.0, time.Duration(0)
	for _, r := range g.recent {
		bytes += r.bytes
		requests += float64(r.reads + r.requests)
		took += r.took
	}
	achieved = bytes / took.Seconds()
	if !g.crowded && (g.rate == 0 || achieved < 1.1*keep*g.best) {
		g.best *= bestFade
	}
	if g.at >= measured {
		g.best, g.requests = max(g.best, achieved), max(g.requests*bestFade, requests/took.Seconds())
	}
	return achieved
}

// share is the part of the best that the load keeps beside suffering queries. Where their reads are
// of listed pages it goes by what the load can do about them: where a request brings many pages it
// makes most of those reads needless, where it brings two or three nobody knows better than the
// queries what to read first.
func (g *governor) share() float64 {
	reads, listed := 1, 0
	for _, r := range g.recent {
		reads += r.reads
		listed += r.listed
	}
	ofListed := max(keepLeast, min(1-2/float64(g.reach), keepMost))
	return keep + (ofListed-keep)*float64(listed)/float64(reads)
}

func (g *governor) suffers(s sample, achieved float64) bool {
	if s.reads == 0 {
		return g.stuck > 1 || g.stuck > 0 && g.suffering
	}
	behind := time.Duration(0)
	if achieved > 0 {
		behind = 2 * seconds(float64(g.size)*base.PageSize/achieved)
	}
	return s.waited/time.Duration(s.reads) > 2*max(g.quiet, g.usual)+slack+min(behind, 2*queueBound)
}

func (g *governor) slower(s sample, achieved float64) {
	if g.hold > 0 {
		return
	}
	g.hold = settle
	if g.rate == 0 {
		g.rate = achieved
	} else if g.rate*below <= g.share()*g.best && s.reads > 0 {
		g.usual, g.cliff = s.waited/time.Duration(s.reads), g.best
	}
	if !g.suffering {
		g.suffering, g.cliff = true, g.rate
	}
	g.rate = max(g.rate*below, g.share()*g.best)
}

func (g *governor) faster(achieved float64) {
	switch {
	case g.hold > 0:
	case g.rate == 0:
		g.rate = g.cliff * below // still 0 while no cliff is known
	case achieved < keep*g.rate: // it is not the rate that holds the load back
	case g.cliff == 0:
		g.rate *= fast
	case g.rate < g.cliff*below:
		g.rate = min(g.rate*fast, g.cliff*below)
	default:
		g.rate *= creep
	}
}

// reachOut finds the reach: first long reads tell what the device gives of bytes, then short ones
// what it gives of requests.
func (g *governor) reachOut() {
	switch {
	case g.at < measured:
		g.reach = runPages
	case g.at < explored:
		g.reach = 1
	default:
		g.reach = clamp(g.best/base.PageSize/max(g.requests, 1)+0.5, 1, runPages)
	}
}

// pulled is how many pages a query reads that misses one of the list.
func pulled(reach int32) int32 {
	return min(reach*max(queriesLead, min(reach, 2*queriesLead))/queriesLead, runPages)
}

// bound sets depth and size so that the device needs but queueBound for what is in flight, unless
// the load does not come to its share.
func (g *governor) bound(achieved float64) {
	if achieved < keep*g.best*below {
		g.depth, g.size = min(g.depth+1+g.depth/2, g.most), runPages
		return
	}
	g.depth, g.size = g.inFlight(max(g.best, achieved))
}

// inFlight is depth and size of the reads for which a device of that rate needs but queueBound.
func (g *governor) inFlight(rate float64) (depth, size int32) {
	bytes := (queueBound + g.quiet).Seconds() * rate
	size = clamp(bytes/2/base.PageSize, leastRun, runPages)
	return clamp(bytes/float64(size)/base.PageSize, 2, g.most), size
}

func clamp(v float64, low, high int32) int32 { return max(low, min(int32(min(v, 1<<20)), high)) }
