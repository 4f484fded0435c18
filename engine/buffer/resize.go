package buffer

import (
	"fmt"
	"sync/atomic"
	"time"

	"emberdb/internal/base"
)

// Resizing while others work. Growing makes reserved frames usable and puts them into the free
// list. Shrinking lowers the limit and empties the frames above it one by one: a page there moves
// to a free frame below, for which the coldest page of the pool is evicted, so the pool loses its
// coldest pages and not those that stood in the wrong place. A page that is in use is tried again
// later; nobody waits longer than the copy of a page.

const shrinkPause = time.Millisecond

// topFrameLocked is the highest frame number that may hold a page. REQUIRES: l.mu.
func (l *LRU) topFrameLocked() frameRef { return max(l.hdr.limit, l.shrinkingFrom) }

// Resize changes the number of frames. It returns when the new size is reached; base.ErrFailed when
// the pool failed on the way.
func (p *Pool) Resize(frames int) error {
	p.resize.Lock()
	defer p.resize.Unlock()
	now := p.Frames()
	switch {
	case frames < minFrames:
		return fmt.Errorf("buffer pool of %d pages: at least %d are needed", frames, minFrames)
	case frames > int(p.hdr.maxFrames):
		return fmt.Errorf("buffer pool of %d pages is above its maximum of %d", frames, p.hdr.maxFrames)
	case frames > now:
		if err := p.mem.activate(now, frames); err != nil {
			return err
		}
		p.table.grow(frames)
		p.addFrames(now, frames)
		return nil
	case frames < now:
		return p.shrink(now, frames)
	}
	return nil
}

func (p *Pool) shrink(from, to int) error {
	p.lru.mu.Lock()
	p.lru.shrinkingFrom = uint32(from)
	atomic.StoreUint32(&p.hdr.limit, uint32(to))
	p.lru.scanDepth.Store(uint32(max(1, min(int(p.lru.scanDepth.Load()), to/8))))
	p.lru.mu.Unlock()
	for ref := frameRef(from); ref > frameRef(to); ref-- {
		for i := 0; !p.vacate(ref); i++ {
			if p.failure.Err() != nil {
				return p.unshrink(from)
			}
			p.flush.cleaner.wake()
			time.Sleep(shrinkPause)
		}
	}
	p.lru.mu.Lock()
	p.lru.shrinkingFrom = 0
	p.lru.mu.Unlock()
	p.huge.shrunk.Store(int64(to))
	return p.mem.deactivate(to, from)
}

// unshrink goes back to the old size: frames already emptied become free again.
func (p *Pool) unshrink(from int) error {
	p.lru.mu.Lock()
	defer p.lru.mu.Unlock()
	for ref := frameRef(from); ref > p.hdr.limit; ref-- {
		if atomic.LoadUint32(&p.states[ref].flags) == flagRetired {
			p.lru.freePushLocked(ref)
		}
	}
	atomic.StoreUint32(&p.hdr.limit, uint32(from))
	p.lru.shrinkingFrom = 0
	return base.ErrFailed
}

// vacate empties a frame above the limit. false: it is in use, or there is no place for its page
// yet.
func (p *Pool) vacate(ref frameRef) bool {
	st, pr := &p.states[ref], p.procs.at(ref)
	p.lru.mu.Lock()
	flags := atomic.LoadUint32(&st.flags)
	if flags&flagFree != 0 {
		p.lru.freeRemoveLocked(ref)
		atomic.StoreUint32(&st.flags, flagRetired)
		flags = flagRetired
	}
	p.lru.mu.Unlock()
	switch {
	case flags == flagRetired:
		return true
	case flags&(flagResident|flagKept) == 0 || flags&flagInFlight != 0 || pr.pin.Load() != 0:
		return false
	}
	to := p.flush.tryAllocFrame(evictDepthDeep, spared{})
	switch {
	case to == 0:
		return false
	case to == ref: // it was the coldest itself
		p.lru.freeFrame(ref)
		return true
	case to > p.limitRef():
		p.lru.freeFrame(to)
		return false
	}
	if !pr.claim() {
		p.lru.freeFrame(to)
		return false
	}
	if flags := atomic.LoadUint32(&st.flags); flags&(flagResident|flagKept) == 0 || flags&flagInFlight != 0 {
		pr.unclaim(0)
		p.lru.freeFrame(to)
		return false
	}
	p.move(ref, to)
	p.lru.freeFrame(ref)
	return true
}

func (fs *frames) limitRef() frameRef { return atomic.LoadUint32(&fs.hdr.limit) }

// move gives the page of frame from, and its place in every list, to frame to.
// REQUIRES: both are claimed.
func (p *Pool) move(from, to frameRef) {
	f, t := &p.states[from], &p.states[to]
	copy(p.page(to), p.page(from))
	atomic.StoreUint32(&t.accessed, atomic.LoadUint32(&f.accessed))
	atomic.StoreUint32(&t.stamp, atomic.LoadUint32(&f.stamp))
	t.changed(base.LSN(atomic.LoadUint64(&f.version)), atomic.LoadUint32(&f.sum))

	p.flush.mu.Lock()
	flags := atomic.LoadUint32(&f.flags)
	if flags&flagDirty != 0 {
		p.flush.relinkLocked(p.flush.headerLocked(from), f, to, to)
		t.flushPrev, t.flushNext, t.oldest = f.flushPrev, f.flushNext, f.oldest
		f.flushPrev, f.flushNext, f.oldest = 0, 0, 0
	}
	p.lru.mu.Lock() // the flag old changes under it
	flags = atomic.LoadUint32(&f.flags)
	atomic.StoreUint32(&t.flags, flags)
	p.lruReplaceLocked(from, to)
	p.lru.mu.Unlock()
	p.flush.mu.Unlock()

	p.table.replace(from, to)
	atomic.StoreUint32(&f.flags, 0)
	atomic.StoreUint32(&f.accessed, 0)
	p.procs.at(to).unclaim(0)
}

// lruReplaceLocked lets frame to stand in the place of frame from. REQUIRES: l.mu.
func (p *Pool) lruReplaceLocked(from, to frameRef) {
	h, f, t := &p.hdr.lru, &p.states[from], &p.states[to]
	for w := p.lru.walkers; w != nil; w = w.next {
		if w.at == from {
			w.at = to
		}
	}
	t.lruPrev, t.lruNext, t.rank = f.lruPrev, f.lruNext, f.rank
	if h.oldHead == from {
		h.oldHead = to
	}
	if t.lruPrev == 0 {
		h.head = to
	} else {
		p.states[t.lruPrev].lruNext = to
	}
	if t.lruNext == 0 {
		h.tail = to
	} else {
		p.states[t.lruNext].lruPrev = to
	}
	f.lruPrev, f.lruNext, f.rank = 0, 0, 0
}
