package buffer

import (
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/internal/base"
)

// For package warm: pages put back at their places in the LRU list.

// Peek shows a resident page to fn under its S latch, without counting as an access. false: it is
// not resident, or is being changed or read just now.
func (r *Reader) Peek(id base.PageID, fn func(page []byte)) bool {
	ref := r.pinResident(id.Uint64())
	if ref == 0 {
		return false
	}
	pr := r.procs.at(ref)
	defer pr.unpin()
	if !pr.latch.TryRLock() {
		return false
	}
	defer pr.latch.RUnlock()
	if atomic.LoadUint32(&r.states[ref].flags)&flagResident == 0 {
		return false
	}
	fn(r.page(ref))
	return true
}

// Resident tells whether a page is in the pool, or on its way into it.
func (r *Reader) Resident(id base.PageID) bool { return r.table.find(id.Uint64()) != 0 }

// Load puts the pages of a list back at their places: the page of rank r (0 is the hottest) stands
// right below the nearest hotter page of the list that is still where it was put. Pages may come in
// any order, from several goroutines.
type Load struct {
	r      *Reader
	young  int // pages of lower rank stood in the young part
	gentle bool
	list   List
	misses chan miss
	begun  bool       // r.loading
	frames []frameRef // by rank; 0 = not placed. r.lru.mu
	placed rankSet    // r.lru.mu

	mu      sync.Mutex
	waiting map[base.PageID]int32 // pages passed over because they wait for redo, with their ranks
}

// List is what a load asks about the pages that queries miss.
type List interface {
	// Wants tells whether a page is listed and not read yet. It is asked under page latches and
	// takes nothing but leaves.
	Wants(id base.PageID) bool
	// Missed returns the rank of a page that somebody is about to read himself; RankNone: it is not
	// listed, or was read before. It is asked under page latches and takes nothing but leaves.
	Missed(id base.PageID) (rank int)
	// Pull reads a page that a query waits for among its neighbours, and returns whether it has. It
	// runs on a goroutine of the load. It waits for no page latch: the query holds some.
	Pull(id base.PageID) bool
}

// miss is a listed page that a query waits for.
type miss struct {
	id   base.PageID
	read chan bool
}

// running is a load from Begin to End.
type running struct {
	*Load
	over   chan struct{} // closed by End
	served chan struct{} // closed when no Pull runs any more
}

// Ranks of pages of a run that have no place in the list.
const (
	RankGap  = -1 // only read through
	RankNone = -2 // enters the pool as a page that a query has read
)

// NewLoad is the load of a list of n pages, the first young of which stood in the young part. list
// may be nil: then queries that miss pages have nothing to do with the load. Else a page of the
// young part that a query reads itself goes to its place, too, and the load reads a listed page
// that a query misses first of all.
func (r *Reader) NewLoad(n, young int, list List) *Load {
	return &Load{r: r, young: young, list: list, misses: make(chan miss), frames: make([]frameRef, n), placed: newRankSet(n), waiting: make(map[base.PageID]int32)}
}

// NewGentleLoad is NewLoad for a list that others have made, again and again. Such a load displaces
// only pages that nobody has moved up in the LRU list since the gentle load before it began.
func (r *Reader) NewGentleLoad(n int, list List) *Load {
	l := r.NewLoad(n, 0, list)
	l.gentle = true
	return l
}

// Ranks of pages that a gentle load has not placed. Who moves a page in the LRU list takes its
// rank.
const (
	rankWatched = math.MaxUint32 - 1 // used since the last gentle load began
	rankIdle    = math.MaxUint32     // not used since then
)

// Begin begins the load, or goes on with one that has ended if no other was begun since. There is
// one at a time: it waits for the previous one to End. From here to End the load has a goroutine
// that pulls what queries miss.
func (l *Load) Begin() {
	r := l.r
	r.loading.Lock()
	if !l.begun {
		l.begun = true
		r.lru.forgetRanks(l.gentle)
		r.passedOver.Store(l)
	}
	run := &running{Load: l, over: make(chan struct{}), served: make(chan struct{})}
	go run.serve()
	r.load.Store(run)
}

// serve pulls the pages that queries miss, each on a goroutine of its own.
func (run *running) serve() {
	defer close(run.served)
	var pulls sync.WaitGroup
	defer pulls.Wait()
	for {
		select {
		case m := <-run.misses:
			pulls.Go(func() { m.read <- run.list.Pull(m.id) })
		case <-run.over:
			return
		}
	}
}

// pull waits until a running load has read the page among its neighbours, as a foreground read.
// true: the page is likely to be there now.
func (r *Reader) pull(id base.PageID) bool {
	run := r.load.Load()
	if run == nil || run.list == nil || r.pending(id) == PendingFromLog || !run.list.Wants(id) {
		return false
	}
	m := miss{id, make(chan bool, 1)}
	r.foreground.Add(1)
	defer r.foreground.Add(-1)
	start := time.Now()
	select {
	case run.misses <- m:
	case <-run.over:
		return false
	}
	if !<-m.read {
		return false
	}
	r.waited.Add(int64(time.Since(start)))
	r.stats.reads.Add(1)
	return true
}

// End ends the load. No page of it is read afterwards.
func (l *Load) End() {
	run := l.r.load.Swap(nil)
	close(run.over)
	<-run.served
	l.r.loading.Unlock()
}

// passOver leaves a page that waits for redo to recovery, which brings it to its place, also when
// the load has ended. true: recovery was quicker.
func (l *Load) passOver(id base.PageID, rank int32) (missed bool) {
	l.mu.Lock()
	l.waiting[id] = rank
	l.mu.Unlock()
	if l.r.pending(id) == PendingFromLog {
		return false
	}
	_, missed = l.takePassed(id)
	return missed
}

// Settle brings a page that is in the pool to its place, unless it has one, or was used or is just
// now. It never waits: a query that waits for the load may hold that page's latch.
func (l *Load) Settle(id base.PageID, rank int) {
	r := l.r
	ref := r.pinResident(id.Uint64())
	if ref == 0 {
		return
	}
	pr, st := r.procs.at(ref), &r.states[ref]
	defer pr.unpin()
	if !pr.tryLock(Shared) { // also on its way into the list
		return
	}
	defer pr.unlock(Shared)
	flags := atomic.LoadUint32(&st.flags)
	if flags&flagResident == 0 {
		return
	}
	unused := atomic.LoadUint32(&st.accessed) == 0
	r.lru.mu.Lock()
	defer r.lru.mu.Unlock()
	if unused && (st.rank == 0 || st.rank >= rankWatched) || st.rank == rankIdle && flags&flagOld != 0 {
		r.lru.removeLocked(ref)
		l.placeLocked(ref, rank)
	}
}

// takePassed returns the rank of a page that was passed over.
func (l *Load) takePassed(id base.PageID) (rank int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok := l.waiting[id]
	delete(l.waiting, id)
	return int(r), ok
}

// missed tells a running load that a query or recovery reads the page. It returns the load if the
// page has a place of its own, and its rank: what a query reads is used now, so that a place among
// the old ones is no longer its own.
func (r *Reader) missed(id base.PageID, redo bool) (*Load, int) {
	if l := r.passedOver.Load(); l != nil {
		if rank, ok := l.takePassed(id); ok {
			return l, rank
		}
	}
	run := r.load.Load()
	if run == nil || run.list == nil {
		return nil, RankNone
	}
	if rank := run.list.Missed(id); rank >= 0 && (redo || rank < run.young) {
		return run.Load, rank
	}
	return nil, RankNone
}

// enterMiss puts a frame whose page a query has read into the LRU list; l and rank as missed gave
// them.
func (r *Reader) enterMiss(ref frameRef, l *Load, rank int) {
	if l != nil {
		l.place(ref, rank)
	} else {
		r.lru.enter(ref)
	}
}

// LoadResult tells what became of one Load.Read.
type LoadResult struct {
	Loaded  int // pages read and placed
	Present int // pages that were in the pool already, or that recovery brings
	Bytes   int // read, gaps included
	Short   int // pages at the end of the run, gaps included, for which no frame was to be had: all that could be evicted is hotter, or dirty
}

// Read reads the run of pages that starts at first, in one I/O. ranks holds each page's rank,
// RankGap or RankNone. Pages that cannot be read (dropped, beyond the file's end, damaged) are left
// out quietly, and pages that wait for redo: recovery brings them to their places. The error is
// that of the whole read.
func (l *Load) Read(first base.PageID, ranks []int32) (out LoadResult, err error) {
	r := l.r
	b := newRunRead(first, len(ranks))
	lo, hi := len(ranks), 0
	var present []int // pages that somebody else brought, perhaps not knowing that they have a place
	defer func() {
		for _, i := range present {
			l.Settle(b.id(i), int(ranks[i]))
		}
	}()
	for i, rank := range ranks {
		if rank == RankGap {
			continue
		}
		if r.pending(b.id(i)) == PendingFromLog {
			if out.Present++; rank >= 0 && l.passOver(b.id(i), rank) {
				present = append(present, i)
			}
			continue
		}
		keep := spared{maxRank: math.MaxUint32, used: l.gentle} // every page of the list
		if rank >= 0 {
			keep.maxRank = uint32(rank) + 1
		}
		if r.reserveForRead(b, i, keep) {
			if out.Present++; rank >= 0 {
				present = append(present, i)
			}
			continue
		}
		if b.refs[i] == 0 {
			out.Short = len(ranks) - i
			break
		}
		lo, hi = min(lo, i), i+1
	}
	if hi <= lo {
		return out, nil
	}
	out.Bytes = (hi - lo) * base.PageSize
	out.Loaded, err = r.readRun(b, func(ref frameRef, oldest base.LSN, i int) {
		r.admit(ref, oldest, 0, 0)
		if ranks[i] >= 0 {
			l.place(ref, int(ranks[i]))
		} else {
			r.lru.enter(ref)
		}
	})
	r.stats.loaded.Add(uint64(out.Loaded))
	return out, err
}

// place enters a page into the LRU list by its rank.
func (l *Load) place(ref frameRef, rank int) {
	r := l.r
	r.lru.mu.Lock()
	defer r.lru.mu.Unlock()
	l.placeLocked(ref, rank)
}

func (l *Load) placeLocked(ref frameRef, rank int) {
	r := l.r
	if at := l.neighbour(rank, l.placed.before); at != 0 {
		r.lru.afterLocked(ref, at)
	} else if at := l.neighbour(rank, l.placed.after); at != 0 {
		r.lru.beforeLocked(ref, at)
	} else {
		r.lru.oldLocked(ref)
	}
	r.states[ref].rank = uint32(rank) + 1
	l.frames[rank] = ref
	l.placed.add(rank)
}

// neighbour finds the nearest placed page in one direction that still stands at its place.
// REQUIRES: l.mu.
func (l *Load) neighbour(rank int, next func(int) int) frameRef {
	for {
		r := next(rank)
		if r < 0 {
			return 0
		}
		if ref := l.frames[r]; l.r.states[ref].rank == uint32(r)+1 {
			return ref
		}
		l.placed.remove(r) // evicted, moved to the head, or moved to another frame
	}
}

// rankSet is a set of small numbers with fast search for neighbours: a bitmap, and above it bitmaps
// of the words that are not empty.
type rankSet [][]uint64

func newRankSet(n int) rankSet {
	var s rankSet
	for {
		n = (n + 63) / 64
		s = append(s, make([]uint64, n))
		if n <= 1 {
			return s
		}
	}
}

func (s rankSet) add(i int) {
	for _, level := range s {
		level[i/64] |= 1 << (i % 64)
		i /= 64
	}
}

func (s rankSet) remove(i int) {
	for _, level := range s {
		level[i/64] &^= 1 << (i % 64)
		if level[i/64] != 0 {
			return
		}
		i /= 64
	}
}

// before is the greatest member below i, or -1.
func (s rankSet) before(i int) int {
	for l := 0; l < len(s); l++ {
		if word := s[l][i/64] & (1<<(i%64) - 1); word != 0 {
			i = i&^63 + 63 - bits.LeadingZeros64(word)
			for ; l > 0; l-- {
				i = i*64 + 63 - bits.LeadingZeros64(s[l-1][i])
			}
			return i
		}
		i /= 64
	}
	return -1
}

// after is the least member above i, or -1.
func (s rankSet) after(i int) int {
	for l := 0; l < len(s); l++ {
		if word := s[l][i/64] &^ (1<<(i%64) | (1<<(i%64) - 1)); word != 0 {
			i = i&^63 + bits.TrailingZeros64(word)
			for ; l > 0; l-- {
				i = i*64 + bits.TrailingZeros64(s[l-1][i])
			}
			return i
		}
		i /= 64
	}
	return -1
}
