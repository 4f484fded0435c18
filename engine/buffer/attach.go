package buffer

import (
	"cmp"
	"slices"
	"sync/atomic"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// Pages that an earlier process has left in the pool's memory.
//
// That process may have ended anywhere, so nothing is believed but what can be checked. Attach
// looks at the frames' states alone, which takes milliseconds for any pool. It keeps a frame if
//
//	its state says resident, with an id that no other frame has
//	its version is not 0: no change of the page was under way
//	the Source knows the version for the newest that the redo log, as far as it was written, and
//	the file make
//
// Whether the page is dirty is told by the Source, too, not by the frame: the redo log has changes
// of it that the file may lack. Page table, free list and flush list are made anew. The LRU list
// keeps its order, as far as its links hold.
//
// A kept page is examined when it is pinned first: id and LSN against the state, then the checksum,
// if the page is as it was read or written, else its structure (Options.Examine). One that fails is
// dropped, and read as any absent page; its redo is still pending then. The cleaner does not write
// a kept page before that.

// hold claims the frames of the memory an earlier process left. Nobody sees them before Attach or
// Forget.
func (p *Pool) hold(n int) {
	p.procs.grow(n)
	h := p.hdr
	h.opening = 1
	h.free, h.flush, h.recovered = listHeader{}, listHeader{}, listHeader{}
	left := h.lru
	p.left = &left
	h.lru = lruHeader{clock: left.clock}
}

// findOrder reads the LRU list of the frames that are held, beside what comes before Attach: it waits
// for memory, frame by frame.
func (p *Pool) findOrder() {
	p.order = make(chan []frameRef, 1)
	go func(h *lruHeader) { p.order <- lruOrder(p.states[:p.Frames()+1], h) }(p.left)
}

// lruOrder lists the frames, the hottest first: along the links from the head, then, where a change
// of the list was under way, along those from the tail; the others come last. It reads nothing but
// links.
func lruOrder(states []frameState, h *lruHeader) []frameRef {
	seen := make([]bool, len(states))
	next := func(ref frameRef) bool {
		if ref == 0 || int(ref) >= len(states) || seen[ref] {
			return false
		}
		seen[ref] = true
		return true
	}
	order := make([]frameRef, 0, len(states)-1)
	for ref := h.head; next(ref); ref = states[ref].lruNext {
		order = append(order, ref)
	}
	n := len(order)
	for ref := h.tail; next(ref); ref = states[ref].lruPrev {
		order = append(order, ref)
	}
	slices.Reverse(order[n:])
	for ref := 1; ref < len(states); ref++ {
		if !seen[ref] {
			order = append(order, frameRef(ref))
		}
	}
	return order
}

// Life is the stretch of the log in which the memory was used last.
func (p *Pool) Life() redo.Life { return p.hdr.life }

// Owned says that the memory is used by life from now on. REQUIRES: Attach or Forget was called.
func (p *Pool) Owned(life redo.Life) { p.hdr.life = life }

// Opened says that the start has come to its end: the next one may take the memory over.
func (p *Pool) Opened() { atomic.StoreUint32(&p.hdr.opening, 0) }

// Left tells whether an earlier process's pages wait for Attach or Forget.
func (p *Pool) Left() bool { return p.left != nil }

// Forget frees all frames of the earlier process.
func (p *Pool) Forget() {
	p.attach(func(base.PageID, base.LSN) (base.LSN, bool) { return 0, false })
}

// Attach takes over the frames of the earlier process whose pages the Source knows, and frees the
// others. It returns how many pages it kept, and how many of them are dirty.
// REQUIRES: the Source knows the end of the log.
func (p *Pool) Attach() (kept, dirty int) {
	return p.attach((*p.reader.source.Load()).Kept)
}

func (p *Pool) attach(newest func(base.PageID, base.LSN) (since base.LSN, ok bool)) (kept, dirty int) {
	n := frameRef(p.Frames())
	p.left = nil
	upper := make(chan sorted, 1)
	go func() { upper <- p.sortFrames(n/2+1, n, newest) }()
	s, u := p.sortFrames(1, n/2, newest), <-upper
	free, changed := append(u.free, s.free...), append(u.changed, s.changed...)
	order := <-p.order
	for _, ref := range free {
		p.states[ref] = frameState{id: noID}
	}
	p.relink(order)
	slices.SortStableFunc(changed, func(a, b aged) int { return cmp.Compare(a.since, b.since) })
	p.flush.mu.Lock()
	for _, c := range changed {
		p.flush.pushLocked(&p.hdr.flush, c.ref, c.since)
		atomic.OrUint32(&p.states[c.ref].flags, flagDirty)
	}
	p.flush.mu.Unlock()
	for _, ref := range free { // before the cleaner sees the others, or it evicts some to have free frames
		p.lru.freeFrame(ref)
	}
	for ref := frameRef(1); ref <= n; ref++ { // from here on the cleaner sees them
		if atomic.LoadUint32(&p.states[ref].flags)&flagKept != 0 {
			p.procs.at(ref).unclaim(0)
		}
	}
	kept = int(n) - len(free)
	p.stats.kept.Add(uint64(kept))
	return kept, len(changed)
}

// sorted is what becomes of some frames of the earlier process; the others of them are kept, clean.
type sorted struct {
	free    []frameRef // the lowest last: it is handed out first
	changed []aged
}

// aged is a kept frame whose page is dirty since an LSN.
type aged struct {
	ref   frameRef
	since base.LSN
}

// sortFrames enters those of the frames first to last into the page table that may be kept.
func (p *Pool) sortFrames(first, last frameRef, newest func(base.PageID, base.LSN) (base.LSN, bool)) (s sorted) {
	for ref := last; ref >= first; ref-- {
		since, ok := p.mayKeep(&p.states[ref], newest)
		if !ok || !p.enterKept(ref) {
			s.free = append(s.free, ref)
		} else if since != 0 {
			s.changed = append(s.changed, aged{ref, since})
		}
	}
	return s
}

// relink makes the LRU list of the kept frames, in the given order of all frames.
func (p *Pool) relink(order []frameRef) {
	p.lru.mu.Lock()
	defer p.lru.mu.Unlock()
	before := frameRef(0)
	for _, ref := range order {
		if st := &p.states[ref]; atomic.LoadUint32(&st.flags)&flagKept != 0 {
			st.rank = 0
			p.lru.linkLocked(ref, before, 0)
			before = ref
		}
	}
	p.lru.balanceLocked()
}

// mayKeep looks at the state of a frame.
func (p *Pool) mayKeep(st *frameState, newest func(base.PageID, base.LSN) (base.LSN, bool)) (since base.LSN, ok bool) {
	const other = flagReading | flagFailed | flagFree | flagRetired
	if st.flags&(flagResident|flagKept) == 0 || st.flags&other != 0 || st.id == noID || st.version == 0 {
		return 0, false
	}
	return newest(base.PageIDFrom(st.id), base.LSN(st.version))
}

// enterKept enters a frame into the page table, unless the page is there.
func (p *Pool) enterKept(ref frameRef) bool {
	st := &p.states[ref]
	h := hashID(st.id)
	s := p.table.shard(h)
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.table.findLocked(s, h, st.id) != 0 {
		return false
	}
	st.oldest, st.flushPrev, st.flushNext = 0, 0, 0
	atomic.StoreUint32(&st.flags, flagKept)
	p.table.insertLocked(s, h, st.id, ref)
	return true
}

// takeKept examines a kept page that the caller has pinned and latched, and makes it resident. On
// error it has let go of the page, which is dropped.
func (r *Reader) takeKept(id uint64, ref frameRef, mode Mode) error {
	pr, st := r.procs.at(ref), &r.states[ref]
	err := r.examineKept(base.PageIDFrom(id), st, r.page(ref))
	if err == nil {
		atomic.OrUint32(&st.flags, flagResident)                          // first: who looks without a latch sees one of the two
		if atomic.AndUint32(&st.flags, ^uint32(flagKept))&flagKept != 0 { // several may examine it at once
			r.stats.keptUsed.Add(1)
		}
		return nil
	}
	pr.unlock(mode)
	pr.unpin()
	if r.flush.dropFrame(ref, id, flagKept) {
		r.stats.keptRefused.Add(1)
		r.logger.Warn("a page kept in memory is damaged, and is read again", "page", base.PageIDFrom(id), "err", err)
		return err
	}
	backoff(0) // others look at it, and find the same
	return err
}

// examineKept tells what is wrong with a kept page.
func (r *Reader) examineKept(id base.PageID, st *frameState, page []byte) error {
	lsn := base.LSN(atomic.LoadUint64(&st.version))
	if got := pagefile.ID(page); got != id || pagefile.LSN(page) != lsn {
		return notTaken("the frame of page %s, LSN %d, holds page %s, LSN %d", id, lsn, got, pagefile.LSN(page))
	}
	if sum := atomic.LoadUint32(&st.sum); sum != 0 {
		if got := pagefile.Checksum(page); got != sum {
			return notTaken("checksum %08x, noted %08x", got, sum)
		}
	} else if r.examine != nil {
		if err := r.examine(page); err != nil {
			return err
		}
	}
	source := r.source.Load()
	if source == nil || (*source).Pending(id) == NotPending {
		return nil
	}
	oldest, err := (*source).OnRead(id, page)
	if err == nil && oldest != 0 {
		err = notTaken("redo of page %s found changes newer than LSN %d", id, lsn)
	}
	return err
}

// CompareKept returns where a page that is kept, and was not asked for yet, differs from another
// version of it: the offset, or -1. here: it is such a page.
func (p *Pool) CompareKept(id base.PageID, other []byte) (at int, here bool) {
	ref := p.pinResident(id.Uint64())
	if ref == 0 {
		return 0, false
	}
	pr := p.procs.at(ref)
	defer pr.unpin()
	pr.latch.RLock()
	defer pr.latch.RUnlock()
	if atomic.LoadUint32(&p.states[ref].flags)&flagKept == 0 {
		return 0, false
	}
	page := p.page(ref)
	for at := 4; at < base.PageSize; at++ { // what stands before is the checksum of the version written last
		if page[at] != other[at] {
			return at, true
		}
	}
	return -1, true
}
