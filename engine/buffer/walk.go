package buffer

import (
	"runtime"
	"sync/atomic"

	"emberdb/internal/base"
)

// The LRU list as a list of page ids.

const walkStep = 512 // frames passed under one hold of the LRU mutex

// Walk yields the ids of all resident pages from hot to cold, in steps that hold the LRU mutex for
// a moment each; old tells on which side of the midpoint the step's pages stand. Pages that move to
// the head behind the walk's back come last, in steps marked late, hottest first: they are hotter
// than all the others. A page is yielded at most once. It ends when yield returns false.
func (l *LRU) Walk(yield func(ids []base.PageID, old, late bool) bool) {
	l.mu.Lock()
	seen := make([]uint64, l.topFrameLocked()/64+1)
	from := l.hdr.lru.clock
	w := &walker{at: l.hdr.lru.head}
	l.addWalkerLocked(w)
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		l.removeWalkerLocked(w)
		l.mu.Unlock()
	}()
	ids := make([]base.PageID, 0, walkStep)
	for {
		var old bool
		if ids, old = l.walkStep(w, seen, ids[:0]); len(ids) == 0 {
			break
		}
		if !yield(ids, old, false) {
			return
		}
		runtime.Gosched() // who waited for the mutex comes first
	}
	l.walkLate(w, seen, from, ids, yield)
}

// walkStep collects ids from w on, of one side of the midpoint, and moves w.
func (l *LRU) walkStep(w *walker, seen []uint64, ids []base.PageID) (_ []base.PageID, old bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for n := 0; w.at != 0 && n < walkStep; n++ {
		ref := w.at
		side := atomic.LoadUint32(&l.states[ref].flags)&flagOld != 0
		if len(ids) == 0 {
			old = side
		} else if side != old {
			break
		}
		w.at = l.states[ref].lruNext
		if mark(seen, ref) {
			ids = append(ids, base.PageIDFrom(atomic.LoadUint64(&l.states[ref].id)))
		} else if len(ids) == 0 {
			n-- // nothing to yield yet; the list is finite
		}
	}
	return ids, old
}

// walkLate yields what entered at the head since the clock showed from and was not seen.
func (l *LRU) walkLate(w *walker, seen []uint64, from uint32, ids []base.PageID, yield func([]base.PageID, bool, bool) bool) {
	l.mu.Lock()
	w.at = l.hdr.lru.head
	l.mu.Unlock()
	for done := false; !done; {
		ids = ids[:0]
		l.mu.Lock()
		for n := 0; n < walkStep; n++ {
			ref := w.at
			if ref == 0 || int32(atomic.LoadUint32(&l.states[ref].stamp)-from) <= 0 || atomic.LoadUint32(&l.states[ref].flags)&flagOld != 0 {
				done = true
				break
			}
			w.at = l.states[ref].lruNext
			if mark(seen, ref) {
				ids = append(ids, base.PageIDFrom(atomic.LoadUint64(&l.states[ref].id)))
			}
		}
		l.mu.Unlock()
		if len(ids) > 0 && !yield(ids, false, true) {
			return
		}
	}
}

// mark sets a frame's bit and tells whether it was clear. Frames added since the walk began have
// none and are never new.
func mark(seen []uint64, ref frameRef) bool {
	i, bit := int(ref/64), uint64(1)<<(ref%64)
	if i >= len(seen) || seen[i]&bit != 0 {
		return false
	}
	seen[i] |= bit
	return true
}

// forgetRanks makes all pages ones without a place in a list that is loaded. For a gentle load it
// tells those that were used since the last one.
func (l *LRU) forgetRanks(gentle bool) {
	for lo := 1; lo < len(l.states); lo += walkStep {
		l.mu.Lock()
		top := int(l.topFrameLocked())
		for ref := lo; ref < lo+walkStep && ref <= top; ref++ {
			st := &l.states[ref]
			if gentle {
				if atomic.LoadUint32(&st.flags)&flagResident != 0 {
					st.rank = watch(st.rank)
				}
				continue
			}
			if st.rank = 0; atomic.LoadUint32(&st.flags)&flagKept != 0 {
				st.rank = 1 // it is newer than any list: no load of one displaces it
			}
		}
		l.mu.Unlock()
		if lo > top {
			return
		}
	}
}

// watch is the rank that a page has when a gentle load begins. It had none if it entered or moved
// since the last one.
func watch(rank uint32) uint32 {
	if rank == 0 {
		return rankWatched
	}
	return rankIdle
}
