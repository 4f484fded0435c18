package buffer

import (
	"cmp"
	"slices"
	"sync/atomic"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// dropped is the set of tablespaces DropSpace was called for. Their pages never enter the pool
// again; ids are not reused.
//
// The set is kept as runs of neighbouring ids, in order and apart from each other. Ids are given
// out in order, so what lies between two runs is a tablespace that lives, or an id that was never
// used: the set grows with those, not with the tablespaces that were ever dropped.
type dropped struct {
	n    atomic.Int32 // runs
	mu   invariants.RWMutex[invariants.BufferDropped]
	runs []spaceRun
}

type spaceRun struct{ first, last base.SpaceID }

func (d *dropped) has(space base.SpaceID) bool {
	if d.n.Load() == 0 {
		return false
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	i := d.at(space)
	return i < len(d.runs) && d.runs[i].first <= space
}

// at is the first run that ends at space or behind it. REQUIRES: mu.
func (d *dropped) at(space base.SpaceID) int {
	i, _ := slices.BinarySearchFunc(d.runs, space, func(r spaceRun, s base.SpaceID) int { return cmp.Compare(r.last, s) })
	return i
}

func (d *dropped) add(spaces []base.SpaceID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range spaces {
		d.addOne(s)
	}
	d.n.Store(int32(len(d.runs)))
}

// addOne lengthens a run, joins two, or begins one. REQUIRES: mu.
func (d *dropped) addOne(s base.SpaceID) {
	i := d.at(s)
	next := i < len(d.runs) && d.runs[i].first == s+1
	before := i > 0 && d.runs[i-1].last+1 == s
	switch {
	case i < len(d.runs) && d.runs[i].first <= s:
	case before && next:
		d.runs[i-1].last = d.runs[i].last
		d.runs = slices.Delete(d.runs, i, i+1)
	case before:
		d.runs[i-1].last = s
	case next:
		d.runs[i].first = s
	default:
		d.runs = slices.Insert(d.runs, i, spaceRun{s, s})
	}
}

// DropSpace forgets all pages of tablespaces without writing them; from then on Pin of one of them
// fails with base.ErrNotFound. Call it before the files are removed. It waits for pages in use.
// REQUIRES: the caller holds no page of the spaces.
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
	top := p.lru.topFrameLocked()
	p.lru.mu.Unlock()
	for ref := top; ref > 0; ref-- { // downwards, as a shrink moves pages to lower frames
		st := &p.states[ref]
		for i := 0; p.failure.Err() == nil; i++ { // a failed pool holds on to the pages it could not write
			id := atomic.LoadUint64(&st.id)
			if id == noID || !gone[base.PageIDFrom(id).Space] || p.flush.dropFrame(ref, id, 0) {
				break
			}
			backoff(i)
		}
	}
}

// dropFrame frees the frame of a page that has all the flags, unless somebody uses it.
func (f *Flusher) dropFrame(ref frameRef, id uint64, flags uint32) bool {
	st, pr := &f.states[ref], f.procs.at(ref)
	if !pr.claim() {
		return false
	}
	if atomic.LoadUint64(&st.id) != id || atomic.LoadUint32(&st.flags)&flags != flags {
		pr.unclaim(0)
		return false
	}
	if atomic.LoadUint32(&st.flags)&flagDirty != 0 {
		f.mu.Lock()
		f.removeLocked(ref)
		f.done.Broadcast()
		f.mu.Unlock()
	}
	f.lru.mu.Lock()
	f.lru.removeLocked(ref)
	f.lru.mu.Unlock()
	f.lru.forget(ref)
	f.lru.freeFrame(ref)
	return true
}
