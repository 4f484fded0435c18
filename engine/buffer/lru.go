package buffer

import (
	"sync/atomic"
	"time"

	"emberdb/internal/invariants"
)

// The LRU list: young part (hot), then old part, OldPct percent of the list. A page that is read
// enters at the head of the old part; an access OldTime after the first one moves it to the young
// part, so a scan that touches pages once leaves the young part alone. A young page moves to the
// head only when at least a quarter of the young part has entered above it, so a hit on a hot page
// takes no mutex.
//
// All functions with Locked in their name REQUIRE l.mu.

// LRU is the layer above the frames: which page stands where in the list, which frames are free,
// what is evicted.
type LRU struct {
	frames
	oldTimeMS atomic.Uint32
	oldPct    atomic.Uint32
	scanDepth atomic.Uint32 // free frames held ready

	_ cacheLine // what is above is read by every access

	mu      invariants.Mutex[invariants.BufferLRU] // guards hdr.lru, hdr.free, hdr.limit and the links and ranks of the frames in them
	walkers *walker
	// shrinkingFrom is the size a shrink started from; frames up to it may still hold pages. 0 = no
	// shrink.
	shrinkingFrom uint32

	freeWaiters atomic.Int32
	freeSignal  chan struct{}
}

func (l *LRU) init(fs frames, o Options) {
	l.frames = fs
	l.freeSignal = make(chan struct{}, freeSignals)
	l.scanDepth.Store(uint32(max(1, min(o.LRUScanDepth, o.Frames/8))))
	l.SetOldBlocks(o.OldPct, o.OldTime)
}

// SetOldBlocks changes innodb_old_blocks_pct and innodb_old_blocks_time.
func (l *LRU) SetOldBlocks(pct int, age time.Duration) {
	l.oldTimeMS.Store(uint32(max(age, 0).Milliseconds()))
	l.oldPct.Store(uint32(pct))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.balanceLocked()
}

// linkLocked puts ref between prev and next, which are neighbours (0 = end of the list).
func (l *LRU) linkLocked(ref, prev, next frameRef) {
	h, st := &l.hdr.lru, &l.states[ref]
	st.lruPrev, st.lruNext = prev, next
	if prev == 0 {
		h.head = ref
	} else {
		l.states[prev].lruNext = ref
	}
	if next == 0 {
		h.tail = ref
	} else {
		l.states[next].lruPrev = ref
	}
	h.n++
}

// youngLocked enters ref at the head.
func (l *LRU) youngLocked(ref frameRef) {
	h, st := &l.hdr.lru, &l.states[ref]
	l.linkLocked(ref, 0, h.head)
	atomic.AndUint32(&st.flags, ^uint32(flagOld))
	atomic.StoreUint32(&st.stamp, atomic.AddUint32(&h.clock, 1))
	l.balanceLocked()
}

// oldLocked enters ref at the head of the old part.
func (l *LRU) oldLocked(ref frameRef) {
	h := &l.hdr.lru
	prev := h.tail
	if h.oldHead != 0 {
		prev = l.states[h.oldHead].lruPrev
	}
	l.linkLocked(ref, prev, h.oldHead)
	h.oldHead = ref
	h.nOld++
	atomic.OrUint32(&l.states[ref].flags, flagOld)
	l.balanceLocked()
}

// afterLocked enters ref right below at, in the part where at is.
func (l *LRU) afterLocked(ref, at frameRef) {
	h, st := &l.hdr.lru, &l.states[ref]
	old := atomic.LoadUint32(&l.states[at].flags) & flagOld
	l.linkLocked(ref, at, l.states[at].lruNext)
	l.inheritLocked(st, old, at)
	h.nOld += old / flagOld
	l.balanceLocked()
}

// beforeLocked enters ref right above at, in the part where at is.
func (l *LRU) beforeLocked(ref, at frameRef) {
	h, st := &l.hdr.lru, &l.states[ref]
	old := atomic.LoadUint32(&l.states[at].flags) & flagOld
	l.linkLocked(ref, l.states[at].lruPrev, at)
	l.inheritLocked(st, old, at)
	h.nOld += old / flagOld
	if h.oldHead == at {
		h.oldHead = ref
	}
	l.balanceLocked()
}

// inheritLocked gives a frame the part and the age of its neighbour at.
func (l *LRU) inheritLocked(st *frameState, old uint32, at frameRef) {
	if old != 0 {
		atomic.OrUint32(&st.flags, flagOld)
	} else {
		atomic.AndUint32(&st.flags, ^uint32(flagOld))
	}
	atomic.StoreUint32(&st.stamp, atomic.LoadUint32(&l.states[at].stamp))
}

// removeLocked takes ref out of the list.
func (l *LRU) removeLocked(ref frameRef) {
	h, st := &l.hdr.lru, &l.states[ref]
	for w := l.walkers; w != nil; w = w.next {
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
		l.states[st.lruPrev].lruNext = st.lruNext
	}
	if st.lruNext == 0 {
		h.tail = st.lruPrev
	} else {
		l.states[st.lruNext].lruPrev = st.lruPrev
	}
	h.n--
	st.lruPrev, st.lruNext, st.rank = 0, 0, 0
	l.balanceLocked()
}

// balanceLocked moves the boundary until the old part has its share.
func (l *LRU) balanceLocked() {
	h := &l.hdr.lru
	want := uint32(uint64(h.n) * uint64(l.oldPct.Load()) / 100)
	for h.nOld < want {
		ref := h.tail
		if h.oldHead != 0 {
			ref = l.states[h.oldHead].lruPrev
		}
		h.oldHead = ref
		h.nOld++
		atomic.OrUint32(&l.states[ref].flags, flagOld)
	}
	for h.nOld > want {
		st := &l.states[h.oldHead]
		atomic.AndUint32(&st.flags, ^uint32(flagOld))
		// As if it had just entered: an access right after the first one must not move it up, as
		// OldTime would have seen to.
		atomic.StoreUint32(&st.stamp, h.clock)
		h.oldHead = st.lruNext
		h.nOld--
	}
	atomic.StoreUint32(&h.young, h.n-h.nOld)
}

// enter puts a frame that just got its page into the old part.
func (l *LRU) enter(ref frameRef) {
	l.mu.Lock()
	l.oldLocked(ref)
	l.mu.Unlock()
}

// touch notes an access to a pinned resident page. first: there was none since it was read.
func (l *LRU) touch(ref frameRef, st *frameState, flags uint32) (first bool) {
	accessed := atomic.LoadUint32(&st.accessed)
	switch {
	case accessed == 0:
		atomic.StoreUint32(&st.accessed, l.nowMS())
		atomic.AndUint32(&st.flags, ^uint32(flagReadAhead))
		return true
	case flags&flagOld != 0:
		if l.nowMS()-accessed >= l.oldTimeMS.Load() {
			l.makeYoung(ref)
		} else {
			l.stats.notYoung.Add(1)
		}
	case atomic.LoadUint32(&l.hdr.lru.clock)-atomic.LoadUint32(&st.stamp) > atomic.LoadUint32(&l.hdr.lru.young)/4:
		l.makeYoung(ref)
	}
	return false
}

// makeYoung moves a pinned page to the head.
func (l *LRU) makeYoung(ref frameRef) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if atomic.LoadUint32(&l.states[ref].flags)&flagResident == 0 {
		return
	}
	l.removeLocked(ref)
	l.youngLocked(ref)
	l.stats.madeYoung.Add(1)
}

// The free list. Its frames are claimed.

func (l *LRU) freePushLocked(ref frameRef) {
	h, st := &l.hdr.free, &l.states[ref]
	atomic.StoreUint32(&st.flags, flagFree)
	st.lruPrev, st.lruNext = 0, h.head
	if h.head != 0 {
		l.states[h.head].lruPrev = ref
	}
	h.head = ref
	h.n++
}

func (l *LRU) freeRemoveLocked(ref frameRef) {
	h, st := &l.hdr.free, &l.states[ref]
	if st.lruPrev == 0 {
		h.head = st.lruNext
	} else {
		l.states[st.lruPrev].lruNext = st.lruNext
	}
	if st.lruNext != 0 {
		l.states[st.lruNext].lruPrev = st.lruPrev
	}
	h.n--
	st.lruPrev, st.lruNext = 0, 0
	atomic.StoreUint32(&st.flags, 0)
}

// freePopLocked returns a claimed frame, or 0.
func (l *LRU) freePopLocked() frameRef {
	ref := l.hdr.free.head
	if ref != 0 {
		l.freeRemoveLocked(ref)
	}
	return ref
}

// walker is a place in the LRU list that survives changes of the list while the mutex is released.
type walker struct {
	at   frameRef
	next *walker
}

func (l *LRU) addWalkerLocked(w *walker) {
	w.next = l.walkers
	l.walkers = w
}

func (l *LRU) removeWalkerLocked(w *walker) {
	for at := &l.walkers; *at != nil; at = &(*at).next {
		if *at == w {
			*at = w.next
			return
		}
	}
}
