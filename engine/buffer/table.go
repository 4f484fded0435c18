package buffer

import (
	"sync/atomic"

	"emberdb/internal/invariants"
)

// The page table: page id -> frame. Chained hashing; the chains run through frameState.hashNext.
//
// A shard's mutex guards its chains. Lookups do not take it: they follow the chain with atomic
// loads, pin what they find, and then verify that the pinned frame holds the page. A chain that
// changes under such a walk can only make it miss, or wander into another chain; frames are never
// unmapped while the walk can see them, and its length is bounded. A miss is confirmed under the
// mutex.

const (
	tableShards = 64
	maxHops     = 64
)

type tableShard struct {
	mu      invariants.Mutex[invariants.BufferTable]
	mask    atomic.Uint32 // buckets in use, minus 1
	buckets []uint32      // off-heap; as long as the shard may ever grow
	_       [16]byte
}

type pageTable struct {
	shards [tableShards]tableShard
	states []frameState
}

// shardBuckets is the number of buckets of one shard for a pool of n frames: a power of two, load
// at most 1.
func shardBuckets(n int) int {
	b := 1
	for b*tableShards < n {
		b *= 2
	}
	return b
}

func (t *pageTable) init(m *memory, maxFrames, frames int) {
	t.states = m.states
	n := shardBuckets(maxFrames)
	for i := range t.shards {
		t.shards[i].buckets = m.buckets[i*n : (i+1)*n]
		t.shards[i].mask.Store(uint32(shardBuckets(frames) - 1))
	}
}

// hashID mixes all bits of a page id into all bits of the result.
func hashID(id uint64) uint64 {
	id ^= id >> 32
	id *= 0x9E3779B97F4A7C15
	return id ^ id>>29
}

func (t *pageTable) shard(h uint64) *tableShard { return &t.shards[h>>58] }

// find looks a page up without a mutex. The result is a hint: pin, then verify. 0 may be a false
// miss.
func (t *pageTable) find(id uint64) frameRef {
	h := hashID(id)
	s := t.shard(h)
	ref := atomic.LoadUint32(&s.buckets[uint32(h)&s.mask.Load()])
	for hops := 0; ref != 0 && hops < maxHops; hops++ {
		st := &t.states[ref]
		if atomic.LoadUint64(&st.id) == id {
			return ref
		}
		ref = atomic.LoadUint32(&st.hashNext)
	}
	return 0
}

// findLocked looks a page up for certain. REQUIRES: s.mu.
func (t *pageTable) findLocked(s *tableShard, h, id uint64) frameRef {
	for ref := s.buckets[uint32(h)&s.mask.Load()]; ref != 0; ref = t.states[ref].hashNext {
		if t.states[ref].id == id {
			return ref
		}
	}
	return 0
}

// insertLocked enters a claimed frame under id. REQUIRES: s.mu; id is absent.
func (t *pageTable) insertLocked(s *tableShard, h, id uint64, ref frameRef) {
	b := &s.buckets[uint32(h)&s.mask.Load()]
	st := &t.states[ref]
	atomic.StoreUint32(&st.hashNext, *b)
	atomic.StoreUint64(&st.id, id)
	atomic.StoreUint32(b, ref)
}

// remove takes a frame out and leaves it without an identity.
func (t *pageTable) remove(ref frameRef) {
	st := &t.states[ref]
	h := hashID(st.id)
	s := t.shard(h)
	s.mu.Lock()
	defer s.mu.Unlock()
	link := t.linkTo(s, h, ref)
	atomic.StoreUint32(link, st.hashNext)
	atomic.StoreUint64(&st.id, noID)
	atomic.StoreUint32(&st.hashNext, 0)
}

// replace lets frame to stand in the place of frame from. REQUIRES: both claimed.
func (t *pageTable) replace(from, to frameRef) {
	f, g := &t.states[from], &t.states[to]
	h := hashID(f.id)
	s := t.shard(h)
	s.mu.Lock()
	defer s.mu.Unlock()
	link := t.linkTo(s, h, from)
	atomic.StoreUint32(&g.hashNext, f.hashNext)
	atomic.StoreUint64(&g.id, f.id)
	atomic.StoreUint32(link, to)
	atomic.StoreUint64(&f.id, noID)
	atomic.StoreUint32(&f.hashNext, 0)
}

// barrier returns when whoever held the mutex at the call has released it.
func (s *tableShard) barrier() {
	s.mu.Lock()
	defer s.mu.Unlock()
}

// linkTo returns the link that points to ref, which is in the chain of h. REQUIRES: s.mu.
func (t *pageTable) linkTo(s *tableShard, h uint64, ref frameRef) *uint32 {
	link := &s.buckets[uint32(h)&s.mask.Load()]
	for *link != ref {
		if *link == 0 {
			panic("buffer: frame is not in the page table")
		}
		link = &t.states[*link].hashNext
	}
	return link
}

// grow widens every shard for a pool of n frames; it never narrows. One shard is locked at a time.
func (t *pageTable) grow(n int) {
	want := shardBuckets(n)
	for i := range t.shards {
		s := &t.shards[i]
		s.mu.Lock()
		for int(s.mask.Load())+1 < want {
			t.doubleLocked(s)
		}
		s.mu.Unlock()
	}
}

// doubleLocked splits every chain in two. Walks without the mutex may miss meanwhile.
// REQUIRES: s.mu.
func (t *pageTable) doubleLocked(s *tableShard) {
	n := s.mask.Load() + 1
	for b := range n {
		low, high := uint32(0), uint32(0)
		for ref := s.buckets[b]; ref != 0; {
			st := &t.states[ref]
			next := st.hashNext
			if uint32(hashID(st.id))&n == 0 {
				atomic.StoreUint32(&st.hashNext, low)
				low = ref
			} else {
				atomic.StoreUint32(&st.hashNext, high)
				high = ref
			}
			ref = next
		}
		atomic.StoreUint32(&s.buckets[b], low)
		atomic.StoreUint32(&s.buckets[b+n], high)
	}
	s.mask.Store(2*n - 1)
}
