package buffer

import (
	"sync"
	"sync/atomic"

	"emberdb/internal/base"
)

// dropped is the set of tablespaces DropSpace was called for. Their pages never enter the pool again; ids are not reused.
type dropped struct {
	n      atomic.Int32
	mu     sync.RWMutex
	spaces map[base.SpaceID]struct{}
}

func (d *dropped) has(space base.SpaceID) bool {
	if d.n.Load() == 0 {
		return false
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	_, ok := d.spaces[space]
	return ok
}

func (d *dropped) add(spaces []base.SpaceID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.spaces == nil {
		d.spaces = make(map[base.SpaceID]struct{})
	}
	for _, s := range spaces {
		d.spaces[s] = struct{}{}
	}
	d.n.Store(int32(len(d.spaces)))
}

// DropSpace forgets all pages of tablespaces without writing them; from then on Pin of one of them fails with base.ErrNotFound. Call it
// before the files are removed. It waits for pages in use. REQUIRES: the caller holds no page of the spaces.
func (p *Pool) DropSpace(spaces ...base.SpaceID) {
	gone := make(map[base.SpaceID]bool, len(spaces))
	for _, s := range spaces {
		gone[s] = true
	}
	p.dropped.add(spaces)
	for i := range p.table.shards { // who entered a page before it could see the mark has done so when its shard was passed
		p.table.shards[i].barrier()
	}
	p.lru.mu.Lock()
	top := p.topFrameLocked()
	p.lru.mu.Unlock()
	for ref := top; ref > 0; ref-- { // downwards, as a shrink moves pages to lower frames
		st := &p.states[ref]
		for i := 0; p.failure.Err() == nil; i++ { // a failed pool holds on to the pages it could not write
			id := atomic.LoadUint64(&st.id)
			if id == noID || !gone[base.PageIDFrom(id).Space] || p.dropFrame(ref, id) {
				break
			}
			backoff(i)
		}
	}
}

// dropFrame frees the frame of a page unless somebody uses it.
func (p *Pool) dropFrame(ref frameRef, id uint64) bool {
	st, pr := &p.states[ref], p.procs.at(ref)
	if !pr.claim() {
		return false
	}
	if atomic.LoadUint64(&st.id) != id {
		pr.unclaim(0)
		return false
	}
	if atomic.LoadUint32(&st.flags)&flagDirty != 0 {
		p.flush.mu.Lock()
		p.flushRemoveLocked(ref)
		p.flush.done.Broadcast()
		p.flush.mu.Unlock()
	}
	p.lru.mu.Lock()
	p.lruRemoveLocked(ref)
	p.lru.mu.Unlock()
	p.forget(ref)
	p.freeFrame(ref)
	return true
}
