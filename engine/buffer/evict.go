package buffer

import (
	"errors"
	"sync/atomic"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// ErrNoFrames tells that every frame stayed pinned or dirty for longer than anybody should wait: the pool is too small for its load.
var ErrNoFrames = errors.New("buffer pool: no free frame: all pages are in use; the pool is too small")

const (
	evictDepth     = 128  // frames looked at from the LRU tail by a thread in need
	evictDepthDeep = 4096 // the same after waiting in vain
	freeWait       = 2 * time.Millisecond
	freeWaitLimit  = 20 * time.Second // then ErrNoFrames
	freeSignals    = 64               // wake-ups that may be pending
)

// allocFrame returns a claimed frame without identity: from the free list, else by eviction, else after the cleaner made one.
func (p *Pool) allocFrame() (frameRef, error) {
	if ref := p.tryAllocFrame(evictDepth, 0); ref != 0 {
		return ref, nil
	}
	p.stats.waitFree.Add(1)
	p.freeWaiters.Add(1)
	defer p.freeWaiters.Add(-1)
	deadline := time.Now().Add(freeWaitLimit)
	for {
		p.cleaner.wake()
		select {
		case <-p.freeSignal:
		case <-time.After(freeWait):
		}
		if ref := p.tryAllocFrame(evictDepthDeep, 0); ref != 0 {
			return ref, nil
		}
		if p.failure.Err() != nil {
			return 0, base.ErrFailed // nothing will become clean any more
		}
		if time.Now().After(deadline) {
			return 0, ErrNoFrames
		}
	}
}

// tryAllocFrame is allocFrame without waiting; 0 when there is none. maxRank > 0 spares pages a list load placed above that rank.
func (p *Pool) tryAllocFrame(depth int, maxRank uint32) frameRef {
	p.lru.mu.Lock()
	ref := p.freePopLocked()
	low := p.hdr.free.n < p.scanDepth.Load()/2 && p.hdr.lru.n > 0
	p.lru.mu.Unlock()
	if low {
		p.cleaner.wakeForFree()
	}
	if ref != 0 {
		return ref
	}
	return p.evict(depth, maxRank)
}

// evict takes the coldest clean, unpinned page of the last depth pages out of the pool and returns its frame, claimed. 0: there is none.
func (p *Pool) evict(depth int, maxRank uint32) frameRef {
	p.lru.mu.Lock()
	ref := p.hdr.lru.tail
	for ; ref != 0 && depth > 0; depth-- {
		if p.claimCleanLocked(ref, maxRank) {
			break
		}
		ref = p.states[ref].lruPrev
	}
	if ref == 0 || depth == 0 {
		p.lru.mu.Unlock()
		return 0
	}
	p.lruRemoveLocked(ref)
	p.lru.mu.Unlock()
	p.forget(ref)
	return ref
}

// claimCleanLocked claims ref if it may be evicted.
func (p *Pool) claimCleanLocked(ref frameRef, maxRank uint32) bool {
	const busy = flagDirty | flagInFlight
	st, pr := &p.states[ref], p.procs.at(ref)
	if atomic.LoadUint32(&st.flags)&busy != 0 || pr.pin.Load() != 0 || maxRank > 0 && st.rank != 0 && st.rank <= maxRank {
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
func (p *Pool) forget(ref frameRef) {
	st := &p.states[ref]
	if atomic.LoadUint32(&st.flags)&flagReadAhead != 0 {
		p.stats.readAheadEvicted.Add(1)
	}
	p.table.remove(ref)
	if invariants.Enabled {
		invariants.Mangle(p.page(ref)) // nobody may look at it any more
	}
	atomic.StoreUint32(&st.flags, 0)
	atomic.StoreUint32(&st.accessed, 0)
}

// freeFrame gives a claimed frame without identity back.
func (p *Pool) freeFrame(ref frameRef) {
	p.lru.mu.Lock()
	if ref > p.hdr.limit {
		atomic.StoreUint32(&p.states[ref].flags, flagRetired)
	} else {
		p.freePushLocked(ref)
	}
	p.lru.mu.Unlock()
	p.signalFree(1)
}

// signalFree tells waiters for a frame that n frames became free or clean.
func (p *Pool) signalFree(n int) {
	for ; n > 0 && p.freeWaiters.Load() > 0; n-- {
		select {
		case p.freeSignal <- struct{}{}:
		default:
			return
		}
	}
}
