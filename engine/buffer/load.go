package buffer

import (
	"math"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/internal/base"
)

// For the warm room: the LRU list as a list of page ids, and pages put back at their places.

const walkStep = 512 // frames passed under one hold of the LRU mutex

// WalkLRU yields the ids of all resident pages from hot to cold, in steps that hold the LRU mutex for a moment each; old tells on which side of the
// midpoint the step's pages stand. Pages that move to the head behind the walk's back come last, in steps marked late, hottest first: they are
// hotter than all the others. A page is yielded at most once. It ends when yield returns false.
func (p *Pool) WalkLRU(yield func(ids []base.PageID, old, late bool) bool) {
	p.lru.mu.Lock()
	seen := make([]uint64, p.topFrameLocked()/64+1)
	from := p.hdr.lru.clock
	w := &walker{at: p.hdr.lru.head}
	p.addWalkerLocked(w)
	p.lru.mu.Unlock()
	defer func() {
		p.lru.mu.Lock()
		p.removeWalkerLocked(w)
		p.lru.mu.Unlock()
	}()
	ids := make([]base.PageID, 0, walkStep)
	for {
		var old bool
		if ids, old = p.walkStep(w, seen, ids[:0]); len(ids) == 0 {
			break
		}
		if !yield(ids, old, false) {
			return
		}
		runtime.Gosched() // who waited for the mutex comes first
	}
	p.walkLate(w, seen, from, ids, yield)
}

// walkStep collects ids from w on, of one side of the midpoint, and moves w.
func (p *Pool) walkStep(w *walker, seen []uint64, ids []base.PageID) (_ []base.PageID, old bool) {
	p.lru.mu.Lock()
	defer p.lru.mu.Unlock()
	for n := 0; w.at != 0 && n < walkStep; n++ {
		ref := w.at
		side := atomic.LoadUint32(&p.states[ref].flags)&flagOld != 0
		if len(ids) == 0 {
			old = side
		} else if side != old {
			break
		}
		w.at = p.states[ref].lruNext
		if mark(seen, ref) {
			ids = append(ids, base.PageIDFrom(atomic.LoadUint64(&p.states[ref].id)))
		} else if len(ids) == 0 {
			n-- // nothing to yield yet; the list is finite
		}
	}
	return ids, old
}

// walkLate yields what entered at the head since the clock showed from and was not seen.
func (p *Pool) walkLate(w *walker, seen []uint64, from uint32, ids []base.PageID, yield func([]base.PageID, bool, bool) bool) {
	p.lru.mu.Lock()
	w.at = p.hdr.lru.head
	p.lru.mu.Unlock()
	for done := false; !done; {
		ids = ids[:0]
		p.lru.mu.Lock()
		for n := 0; n < walkStep; n++ {
			ref := w.at
			if ref == 0 || int32(atomic.LoadUint32(&p.states[ref].stamp)-from) <= 0 || atomic.LoadUint32(&p.states[ref].flags)&flagOld != 0 {
				done = true
				break
			}
			w.at = p.states[ref].lruNext
			if mark(seen, ref) {
				ids = append(ids, base.PageIDFrom(atomic.LoadUint64(&p.states[ref].id)))
			}
		}
		p.lru.mu.Unlock()
		if len(ids) > 0 && !yield(ids, false, true) {
			return
		}
	}
}

// mark sets a frame's bit and tells whether it was clear. Frames added since the walk began have none and are never new.
func mark(seen []uint64, ref frameRef) bool {
	i, bit := int(ref/64), uint64(1)<<(ref%64)
	if i >= len(seen) || seen[i]&bit != 0 {
		return false
	}
	seen[i] |= bit
	return true
}

// Peek shows a resident page to fn under its S latch, without counting as an access. false: it is not resident, or is being changed or read just now.
func (p *Pool) Peek(id base.PageID, fn func(page []byte)) bool {
	ref := p.pinResident(id.Uint64())
	if ref == 0 {
		return false
	}
	pr := p.procs.at(ref)
	defer pr.unpin()
	if !pr.latch.TryRLock() {
		return false
	}
	defer pr.latch.RUnlock()
	if atomic.LoadUint32(&p.states[ref].flags)&flagResident == 0 {
		return false
	}
	fn(p.page(ref))
	return true
}

// Resident tells whether a page is in the pool, or on its way into it.
func (p *Pool) Resident(id base.PageID) bool { return p.table.find(id.Uint64()) != 0 }

// WaitReads returns when every read under way at the call has ended: its page, with the redo that was applied to it, stands in the pool's lists.
// REQUIRES: no page latch held.
func (p *Pool) WaitReads() {
	p.lru.mu.Lock()
	top := p.topFrameLocked()
	p.lru.mu.Unlock()
	var reading []frameRef // at the call: a load would start new ones for ever
	for ref := frameRef(1); ref <= top; ref++ {
		if atomic.LoadUint32(&p.states[ref].flags)&flagReading != 0 {
			reading = append(reading, ref)
		}
	}
	for _, ref := range reading {
		if pr := p.procs.at(ref); pr.tryPin() {
			pr.lock(Shared) // its reader holds it exclusively to the end
			pr.unlock(Shared)
			pr.unpin()
		}
	}
}

// Load puts the pages of a list back at their places: the page of rank r (0 is the hottest) stands right below the nearest hotter page of
// the list that is still where it was put. Pages may come in any order, from several goroutines.
type Load struct {
	p      *Pool
	young  int                             // pages of lower rank stood in the young part
	missed func(id base.PageID) (rank int) // told of every page a query reads; -1: it is not of the list, or was read before
	pull   func(id base.PageID) bool       // may read a page that is missed
	begun  bool                            // p.loading
	frames []frameRef                      // by rank; 0 = not placed. p.lru.mu
	placed rankSet                         // p.lru.mu

	mu      sync.Mutex
	waiting map[base.PageID]int32 // pages passed over because they wait for redo, with their ranks
}

// Ranks of pages of a run that have no place in the list.
const (
	RankGap  = -1 // only read through
	RankNone = -2 // enters the pool as a page that a query has read
)

// NewLoad is the load of a list of n pages, the first young of which stood in the young part. missed, which may be nil, is asked for the rank of
// each page that a query is about to read itself: such a page of the young part goes to its place, too. pull, which may be nil, is called by who is about to read a
// page: it may Read the page among its neighbours, and returns whether it has. It is called under page latches, and must not wait for any.
func (p *Pool) NewLoad(n, young int, missed func(id base.PageID) (rank int), pull func(id base.PageID) bool) *Load {
	return &Load{p: p, young: young, missed: missed, pull: pull, frames: make([]frameRef, n), placed: newRankSet(n), waiting: make(map[base.PageID]int32)}
}

// Begin begins the load, or goes on with one that has ended if no other was begun since. There is one at a time: it waits for the previous one to End.
func (l *Load) Begin() {
	p := l.p
	p.loading.Lock()
	if !l.begun {
		l.begun = true
		p.forgetRanks()
		p.passedOver.Store(l)
	}
	p.load.Store(l)
}

func (p *Pool) forgetRanks() {
	for lo := 1; lo < len(p.states); lo += walkStep {
		p.lru.mu.Lock()
		top := int(p.topFrameLocked())
		for ref := lo; ref < lo+walkStep && ref <= top; ref++ {
			p.states[ref].rank = 0
		}
		p.lru.mu.Unlock()
		if lo > top {
			return
		}
	}
}

// pull lets a running load read the page among its neighbours, as a foreground read. true: the page is likely to be there now.
func (p *Pool) pull(id base.PageID) bool {
	l := p.load.Load()
	if l == nil || l.pull == nil || p.pending(id) == PendingFromLog {
		return false
	}
	p.reader.foreground.Add(1)
	defer p.reader.foreground.Add(-1)
	start := time.Now()
	if !l.pull(id) {
		return false
	}
	p.reader.waited.Add(int64(time.Since(start)))
	p.stats.reads.Add(1)
	return true
}

// End ends the load.
func (l *Load) End() {
	l.p.load.Store(nil)
	l.p.loading.Unlock()
}

// passOver leaves a page that waits for redo to recovery, which brings it to its place, also when the load has ended. true: recovery was quicker.
func (l *Load) passOver(id base.PageID, rank int32) (missed bool) {
	l.mu.Lock()
	l.waiting[id] = rank
	l.mu.Unlock()
	if l.p.pending(id) == PendingFromLog {
		return false
	}
	_, missed = l.takePassed(id)
	return missed
}

// settle brings a page that is in the pool to its place, unless it has one, or was used or is just now. It never waits: queries that pull hold latches, perhaps that page's.
func (l *Load) settle(id base.PageID, rank int) {
	p := l.p
	ref := p.pinResident(id.Uint64())
	if ref == 0 {
		return
	}
	pr, st := p.procs.at(ref), &p.states[ref]
	defer pr.unpin()
	if !pr.tryLock(Shared) { // also on its way into the list
		return
	}
	defer pr.unlock(Shared)
	if atomic.LoadUint32(&st.flags)&flagResident == 0 || atomic.LoadUint32(&st.accessed) != 0 {
		return
	}
	p.lru.mu.Lock()
	defer p.lru.mu.Unlock()
	if st.rank == 0 {
		p.lruRemoveLocked(ref)
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

// missed tells a running load that a query or recovery reads the page. It returns the load if the page has a place of its own, and its rank: what a query reads is used
// now, so that a place among the old ones is no longer its own.
func (p *Pool) missed(id base.PageID, redo bool) (*Load, int) {
	if l := p.passedOver.Load(); l != nil {
		if rank, ok := l.takePassed(id); ok {
			return l, rank
		}
	}
	l := p.load.Load()
	if l == nil || l.missed == nil {
		return nil, RankNone
	}
	if rank := l.missed(id); rank >= 0 && (redo || rank < l.young) {
		return l, rank
	}
	return nil, RankNone
}

// lruEnterMiss puts a frame whose page a query has read into the LRU list; l and rank as missed gave them.
func (p *Pool) lruEnterMiss(ref frameRef, l *Load, rank int) {
	if l != nil {
		l.place(ref, rank)
	} else {
		p.lruEnter(ref)
	}
}

// LoadResult tells what became of one Load.Read.
type LoadResult struct {
	Loaded  int // pages read and placed
	Present int // pages that were in the pool already, or that recovery brings
	Bytes   int // read, gaps included
	Short   int // pages at the end of the run, gaps included, for which no frame was to be had: all that could be evicted is hotter, or dirty
}

// Read reads the run of pages that starts at first, in one I/O. ranks holds each page's rank, RankGap or RankNone.
// Pages that cannot be read (dropped, beyond the file's end, damaged) are left out quietly, and pages that wait for redo: recovery brings them to their
// places. The error is that of the whole read.
func (l *Load) Read(first base.PageID, ranks []int32) (r LoadResult, err error) {
	p := l.p
	b := newRunRead(first, len(ranks))
	lo, hi := len(ranks), 0
	var present []int // pages that somebody else brought, perhaps not knowing that they have a place
	defer func() {
		for _, i := range present {
			l.settle(b.id(i), int(ranks[i]))
		}
	}()
	for i, rank := range ranks {
		if rank == RankGap {
			continue
		}
		if p.pending(b.id(i)) == PendingFromLog {
			if r.Present++; rank >= 0 && l.passOver(b.id(i), rank) {
				present = append(present, i)
			}
			continue
		}
		spare := uint32(math.MaxUint32) // every page of the list
		if rank >= 0 {
			spare = uint32(rank) + 1
		}
		if p.reserveForRead(b, i, spare) {
			if r.Present++; rank >= 0 {
				present = append(present, i)
			}
			continue
		}
		if b.refs[i] == 0 {
			r.Short = len(ranks) - i
			break
		}
		lo, hi = min(lo, i), i+1
	}
	if hi <= lo {
		return r, nil
	}
	r.Bytes = (hi - lo) * base.PageSize
	r.Loaded, err = p.readRun(b, func(ref frameRef, oldest base.LSN, i int) {
		p.admit(ref, oldest, 0, 0)
		if ranks[i] >= 0 {
			l.place(ref, int(ranks[i]))
		} else {
			p.lruEnter(ref)
		}
	})
	p.stats.loaded.Add(uint64(r.Loaded))
	return r, err
}

// place enters a page into the LRU list by its rank.
func (l *Load) place(ref frameRef, rank int) {
	p := l.p
	p.lru.mu.Lock()
	defer p.lru.mu.Unlock()
	l.placeLocked(ref, rank)
}

func (l *Load) placeLocked(ref frameRef, rank int) {
	p := l.p
	if at := l.neighbour(rank, l.placed.before); at != 0 {
		p.lruAfterLocked(ref, at)
	} else if at := l.neighbour(rank, l.placed.after); at != 0 {
		p.lruBeforeLocked(ref, at)
	} else {
		p.lruOldLocked(ref)
	}
	p.states[ref].rank = uint32(rank) + 1
	l.frames[rank] = ref
	l.placed.add(rank)
}

// neighbour finds the nearest placed page in one direction that still stands at its place. REQUIRES: p.lru.mu.
func (l *Load) neighbour(rank int, next func(int) int) frameRef {
	for {
		r := next(rank)
		if r < 0 {
			return 0
		}
		if ref := l.frames[r]; l.p.states[ref].rank == uint32(r)+1 {
			return ref
		}
		l.placed.remove(r) // evicted, moved to the head, or moved to another frame
	}
}

// rankSet is a set of small numbers with fast search for neighbours: a bitmap, and above it bitmaps of the words that are not empty.
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
