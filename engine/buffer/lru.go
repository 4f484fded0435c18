package buffer

import (
	"sync/atomic"

	"emberdb/internal/base"
)

// The LRU list: young part (hot), then old part, OldPct percent of the list. A page that is read enters at the head of the old part;
// an access OldTime after the first one moves it to the young part, so a scan that touches pages once leaves the young part alone.
// A young page moves to the head only when at least a quarter of the young part has entered above it, so a hit on a hot page takes no mutex.
//
// All functions with Locked in their name REQUIRE p.lru.mu.

// lruLinkLocked puts ref between prev and next, which are neighbours (0 = end of the list).
func (p *Pool) lruLinkLocked(ref, prev, next frameRef) {
	h, st := &p.hdr.lru, &p.states[ref]
	st.lruPrev, st.lruNext = prev, next
	if prev == 0 {
		h.head = ref
	} else {
		p.states[prev].lruNext = ref
	}
	if next == 0 {
		h.tail = ref
	} else {
		p.states[next].lruPrev = ref
	}
	h.n++
}

// lruYoungLocked enters ref at the head.
func (p *Pool) lruYoungLocked(ref frameRef) {
	h, st := &p.hdr.lru, &p.states[ref]
	p.lruLinkLocked(ref, 0, h.head)
	atomic.AndUint32(&st.flags, ^uint32(flagOld))
	atomic.StoreUint32(&st.stamp, atomic.AddUint32(&h.clock, 1))
	p.lruBalanceLocked()
}

// lruOldLocked enters ref at the head of the old part.
func (p *Pool) lruOldLocked(ref frameRef) {
	h := &p.hdr.lru
	prev := h.tail
	if h.oldHead != 0 {
		prev = p.states[h.oldHead].lruPrev
	}
	p.lruLinkLocked(ref, prev, h.oldHead)
	h.oldHead = ref
	h.nOld++
	atomic.OrUint32(&p.states[ref].flags, flagOld)
	p.lruBalanceLocked()
}

// lruAfterLocked enters ref right below at, in the part where at is.
func (p *Pool) lruAfterLocked(ref, at frameRef) {
	h, st := &p.hdr.lru, &p.states[ref]
	old := atomic.LoadUint32(&p.states[at].flags) & flagOld
	p.lruLinkLocked(ref, at, p.states[at].lruNext)
	p.lruInheritLocked(st, old, at)
	h.nOld += old / flagOld
	p.lruBalanceLocked()
}

// lruBeforeLocked enters ref right above at, in the part where at is.
func (p *Pool) lruBeforeLocked(ref, at frameRef) {
	h, st := &p.hdr.lru, &p.states[ref]
	old := atomic.LoadUint32(&p.states[at].flags) & flagOld
	p.lruLinkLocked(ref, p.states[at].lruPrev, at)
	p.lruInheritLocked(st, old, at)
	h.nOld += old / flagOld
	if h.oldHead == at {
		h.oldHead = ref
	}
	p.lruBalanceLocked()
}

// lruInheritLocked gives a frame the part and the age of its neighbour at.
func (p *Pool) lruInheritLocked(st *frameState, old uint32, at frameRef) {
	if old != 0 {
		atomic.OrUint32(&st.flags, flagOld)
	} else {
		atomic.AndUint32(&st.flags, ^uint32(flagOld))
	}
	atomic.StoreUint32(&st.stamp, atomic.LoadUint32(&p.states[at].stamp))
}

// lruRemoveLocked takes ref out of the list.
func (p *Pool) lruRemoveLocked(ref frameRef) {
	h, st := &p.hdr.lru, &p.states[ref]
	for w := p.lru.walkers; w != nil; w = w.next {
		if w.at == ref {
			w.at = st.lruNext
		}
	}
	if h.oldHead == ref {
		h.oldHead = st.lruNext
	}
	if atomic.LoadUint32(&st.flags)&flagOld != 0 {
		h.nOld--
	}
	if st.lruPrev == 0 {
		h.head = st.lruNext
	} else {
		p.states[st.lruPrev].lruNext = st.lruNext
	}
	if st.lruNext == 0 {
		h.tail = st.lruPrev
	} else {
		p.states[st.lruNext].lruPrev = st.lruPrev
	}
	h.n--
	st.lruPrev, st.lruNext, st.rank = 0, 0, 0
	p.lruBalanceLocked()
}

// lruBalanceLocked moves the boundary until the old part has its share.
func (p *Pool) lruBalanceLocked() {
	h := &p.hdr.lru
	want := uint32(uint64(h.n) * uint64(p.oldPct.Load()) / 100)
	for h.nOld < want {
		ref := h.tail
		if h.oldHead != 0 {
			ref = p.states[h.oldHead].lruPrev
		}
		h.oldHead = ref
		h.nOld++
		atomic.OrUint32(&p.states[ref].flags, flagOld)
	}
	for h.nOld > want {
		st := &p.states[h.oldHead]
		atomic.AndUint32(&st.flags, ^uint32(flagOld))
		// As if it had just entered: an access right after the first one must not move it up, as OldTime would have seen to.
		atomic.StoreUint32(&st.stamp, h.clock)
		h.oldHead = st.lruNext
		h.nOld--
	}
	atomic.StoreUint32(&h.young, h.n-h.nOld)
}

// lruEnter puts a frame that just got its page into the old part.
func (p *Pool) lruEnter(ref frameRef) {
	p.lru.mu.Lock()
	p.lruOldLocked(ref)
	p.lru.mu.Unlock()
}

// touch notes an access to a pinned resident page.
func (p *Pool) touch(ref frameRef, st *frameState, flags uint32) {
	accessed := atomic.LoadUint32(&st.accessed)
	switch {
	case accessed == 0:
		p.firstAccess(ref, st)
	case flags&flagOld != 0:
		if p.nowMS()-accessed >= p.oldTimeMS.Load() {
			p.makeYoung(ref)
		} else {
			p.stats.notYoung.Add(1)
		}
	case atomic.LoadUint32(&p.hdr.lru.clock)-atomic.LoadUint32(&st.stamp) > atomic.LoadUint32(&p.hdr.lru.young)/4:
		p.makeYoung(ref)
	}
}

func (p *Pool) firstAccess(ref frameRef, st *frameState) {
	atomic.StoreUint32(&st.accessed, p.nowMS())
	atomic.AndUint32(&st.flags, ^uint32(flagReadAhead))
	if id := base.PageIDFrom(atomic.LoadUint64(&st.id)); atExtentEdge(id.No) {
		p.readAhead(id)
	}
}

// makeYoung moves a pinned page to the head.
func (p *Pool) makeYoung(ref frameRef) {
	p.lru.mu.Lock()
	defer p.lru.mu.Unlock()
	if atomic.LoadUint32(&p.states[ref].flags)&flagResident == 0 {
		return
	}
	p.lruRemoveLocked(ref)
	p.lruYoungLocked(ref)
	p.stats.madeYoung.Add(1)
}

// The free list. Its frames are claimed.

func (p *Pool) freePushLocked(ref frameRef) {
	h, st := &p.hdr.free, &p.states[ref]
	atomic.StoreUint32(&st.flags, flagFree)
	st.lruPrev, st.lruNext = 0, h.head
	if h.head != 0 {
		p.states[h.head].lruPrev = ref
	}
	h.head = ref
	h.n++
}

func (p *Pool) freeRemoveLocked(ref frameRef) {
	h, st := &p.hdr.free, &p.states[ref]
	if st.lruPrev == 0 {
		h.head = st.lruNext
	} else {
		p.states[st.lruPrev].lruNext = st.lruNext
	}
	if st.lruNext != 0 {
		p.states[st.lruNext].lruPrev = st.lruPrev
	}
	h.n--
	st.lruPrev, st.lruNext = 0, 0
	atomic.StoreUint32(&st.flags, 0)
}

// freePopLocked returns a claimed frame, or 0.
func (p *Pool) freePopLocked() frameRef {
	ref := p.hdr.free.head
	if ref != 0 {
		p.freeRemoveLocked(ref)
	}
	return ref
}

// walker is a place in the LRU list that survives changes of the list while the mutex is released.
type walker struct {
	at   frameRef
	next *walker
}

func (p *Pool) addWalkerLocked(w *walker) {
	w.next = p.lru.walkers
	p.lru.walkers = w
}

func (p *Pool) removeWalkerLocked(w *walker) {
	for at := &p.lru.walkers; *at != nil; at = &(*at).next {
		if *at == w {
			*at = w.next
			return
		}
	}
}
