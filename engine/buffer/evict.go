package buffer

import (
	"errors"
	"sync/atomic"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// ErrNoFrames tells that every frame stayed pinned or dirty for longer than anybody should wait:
// the pool is too small for its load.
var ErrNoFrames = errors.New("buffer pool: no free frame: all pages are in use; the pool is too small")

const (
	evictDepth     = 128  // frames looked at from the LRU tail by a thread in need
	evictDepthDeep = 4096 // the same after waiting in vain
	freeWait       = 2 * time.Millisecond
	freeWaitLimit  = 20 * time.Second // then ErrNoFrames
	freeSignals    = 64               // wake-ups that may be pending
)

// allocFrame returns a claimed frame without identity: from the free list, else by eviction, else
// after the cleaner made one.
func (f *Flusher) allocFrame() (frameRef, error) {
	if ref := f.tryAllocFrame(evictDepth, spared{}); ref != 0 {
		return ref, nil
	}
	f.stats.waitFree.Add(1)
	f.lru.freeWaiters.Add(1)
	defer f.lru.freeWaiters.Add(-1)
	deadline := time.Now().Add(freeWaitLimit)
	for {
		f.cleaner.wake()
		select {
		case <-f.lru.freeSignal:
		case <-time.After(freeWait):
		}
		if ref := f.tryAllocFrame(evictDepthDeep, spared{}); ref != 0 {
			return ref, nil
		}
		if f.failure.Err() != nil {
			return 0, base.ErrFailed // nothing will become clean any more
		}
		if time.Now().After(deadline) {
			return 0, ErrNoFrames
		}
	}
}

// spared are pages that a list load leaves in the pool.
type spared struct {
	maxRank uint32 // those it placed up to that rank; ranks begin with 1
	used    bool   // those somebody has used since the last gentle load began, and the free frames held ready
}

func (s spared) has(rank uint32) bool {
	return s.maxRank > 0 && rank != 0 && rank <= s.maxRank || s.used && (rank == 0 || rank == rankWatched)
}

// tryAllocFrame is allocFrame without waiting; 0 when there is none.
func (f *Flusher) tryAllocFrame(depth int, keep spared) frameRef {
	f.lru.mu.Lock()
	ref := frameRef(0)
	if !keep.used || f.hdr.free.n > f.lru.scanDepth.Load() { // else the cleaner would make others, of any pages
		ref = f.lru.freePopLocked()
	}
	low := f.hdr.free.n < f.lru.scanDepth.Load()/2 && f.hdr.lru.n > 0
	f.lru.mu.Unlock()
	if low {
		f.cleaner.wakeForFree()
	}
	if ref != 0 {
		return ref
	}
	return f.lru.evict(depth, keep)
}

// evict takes the coldest clean, unpinned page of the last depth pages out of the pool and returns
// its frame, claimed. 0: there is none.
func (l *LRU) evict(depth int, keep spared) frameRef {
	l.mu.Lock()
	ref := l.hdr.lru.tail
	for ; ref != 0 && depth > 0; depth-- {
		if l.claimCleanLocked(ref, keep) {
			break
		}
		ref = l.states[ref].lruPrev
	}
	if ref == 0 || depth == 0 {
		l.mu.Unlock()
		return 0
	}
	l.removeLocked(ref)
	l.mu.Unlock()
	l.forget(ref)
	return ref
}

// claimCleanLocked claims ref if it may be evicted.
func (l *LRU) claimCleanLocked(ref frameRef, keep spared) bool {
	const busy = flagDirty | flagInFlight
	st, pr := &l.states[ref], l.procs.at(ref)
	if atomic.LoadUint32(&st.flags)&busy != 0 || pr.pin.Load() != 0 || keep.has(st.rank) {
		return false
	}
	if !pr.claim() {
		return false
	}
	if atomic.LoadUint32(&st.flags)&busy != 0 { // it became dirty before the claim
		pr.unclaim(0)
		return false
	}
	return true
}

// forget removes a claimed frame, which is in no list any more, from the page table.
func (l *LRU) forget(ref frameRef) {
	st := &l.states[ref]
	if atomic.LoadUint32(&st.flags)&flagReadAhead != 0 {
		l.stats.readAheadEvicted.Add(1)
	}
	l.table.remove(ref)
	if invariants.Enabled {
		invariants.Mangle(l.page(ref)) // nobody may look at it any more
	}
	atomic.StoreUint32(&st.flags, 0)
	atomic.StoreUint32(&st.accessed, 0)
}

// freeFrame gives a claimed frame without identity back.
func (l *LRU) freeFrame(ref frameRef) {
	l.mu.Lock()
	if ref > l.hdr.limit {
		atomic.StoreUint32(&l.states[ref].flags, flagRetired)
	} else {
		l.freePushLocked(ref)
	}
	l.mu.Unlock()
	l.signalFree(1)
}

// signalFree tells waiters for a frame that n frames became free or clean.
func (l *LRU) signalFree(n int) {
	for ; n > 0 && l.freeWaiters.Load() > 0; n-- {
		select {
		case l.freeSignal <- struct{}{}:
		default:
			return
		}
	}
}
