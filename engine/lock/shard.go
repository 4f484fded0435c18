package lock

import (
	"hash/maphash"

	"emberdb/internal/invariants"
)

const (
	shardBits    = 8
	shardCount   = 1 << shardBits
	inlineKey    = 32  // keys up to this length are held inside the request
	requestChunk = 32  // requests allocated at once
	keepFree     = 256 // requests an empty shard keeps
	minBuckets   = 16
)

// request is a lock, granted or waiting. 112 bytes. Guarded by its shard's mutex, but for ownNext
// and ownPrev (the owner's).
//
//	bucket of the shard -> request <-> request <-> ...   arrival order; the requests on one object are its queue
type request struct {
	next, prev       *request
	ownNext, ownPrev *request
	owner            *Owner
	wait             *Wait // nil: granted
	tree             uint64
	hash             uint32
	class            class
	mode             uint8
	kind             Kind
	keyLen           uint8 // of inline; inlineKey+1: the key is in long
	inline           [inlineKey]byte
	long             string
}

func (r *request) is(hash uint32, ob *object) bool {
	if r.hash != hash || r.tree != ob.tree || r.class != ob.class {
		return false
	}
	if r.keyLen <= inlineKey {
		return string(r.inline[:r.keyLen]) == string(ob.key)
	}
	return r.long == string(ob.key)
}

// same tells whether r and q are in one queue.
func (r *request) same(q *request) bool {
	return r.hash == q.hash && r.tree == q.tree && r.class == q.class && r.keyLen == q.keyLen && r.inline == q.inline && r.long == q.long
}

func (r *request) conflicts(held *request) bool {
	return conflicts(r.class, r.mode, r.kind, held.mode, held.kind)
}

func (r *request) key() []byte {
	if r.keyLen <= inlineKey {
		return r.inline[:r.keyLen]
	}
	return []byte(r.long)
}

type bucket struct {
	first, last *request
	seen        uint64 // a bit for each hash that came since the bucket was empty: most locks asked for stand alone, and are not looked for among others
}

// mark is the hash's bit of seen. A bucket's number has lower bits of the hash.
func mark(hash uint32) uint64 { return 1 << (hash >> 26) }

// shard is a part of the hash table.
type shard struct {
	invariants.Mutex[invariants.LockShard]
	index   int
	buckets []bucket
	n       int // requests
	waiting int // of them, not granted
	strong  int // of them, table and metadata locks that are not weak
	free    *request
	nFree   int
	_       [48]byte // shards do not share cache lines
}

func (m *Manager) hashOf(ob *object) uint32 {
	h := maphash.Bytes(m.seed, ob.key) + ob.tree*0x9E3779B97F4A7C15 + uint64(ob.class)<<60
	h ^= h >> 32
	return uint32(h * 0x9E3779B97F4A7C15 >> 32)
}

func (m *Manager) shardOf(hash uint32) *shard { return &m.shards[hash&(shardCount-1)] }

func (s *shard) bucketOf(hash uint32) *bucket {
	return &s.buckets[hash>>shardBits&uint32(len(s.buckets)-1)]
}

// add appends a new request to its queue. The caller links it to its owner. REQUIRES: s is locked.
func (s *shard) add(o *Owner, hash uint32, ob *object, mode uint8, kind Kind) *request {
	if s.n >= 2*len(s.buckets) {
		s.grow()
	}
	r := s.take()
	r.owner, r.tree, r.hash, r.class, r.mode, r.kind = o, ob.tree, hash, ob.class, mode, kind
	if len(ob.key) <= inlineKey {
		r.keyLen = uint8(copy(r.inline[:], ob.key))
	} else {
		r.keyLen, r.long = inlineKey+1, string(ob.key)
	}
	s.append(r)
	s.n++
	if r.class != classRecord && !weak(r.class, mode) {
		s.strong++
	}
	return r
}

func (s *shard) append(r *request) {
	b := s.bucketOf(r.hash)
	r.next, r.prev = nil, b.last
	if b.last != nil {
		b.last.next = r
	} else {
		b.first = r
	}
	b.last = r
	b.seen |= mark(r.hash)
}

// remove takes r out of its queue and gives its memory back. The caller has unlinked it from its
// owner.
// REQUIRES: s is locked.
func (s *shard) remove(r *request) {
	b := s.bucketOf(r.hash)
	if r.prev != nil {
		r.prev.next = r.next
	} else {
		b.first = r.next
	}
	if r.next != nil {
		r.next.prev = r.prev
	} else {
		b.last = r.prev
	}
	if b.first == nil {
		b.seen = 0
	}
	s.n--
	if r.class != classRecord && !weak(r.class, r.mode) {
		s.strong--
	}
	if r.wait != nil {
		s.waiting--
	}
	*r = request{next: s.free}
	s.free = r
	s.nFree++
	if s.n == 0 && s.nFree > keepFree {
		s.free, s.nFree = nil, 0
		s.buckets = make([]bucket, minBuckets)
	}
}

// take hands out an unused request.
func (s *shard) take() *request {
	if s.free == nil {
		chunk := make([]request, requestChunk)
		for i := range chunk[1:] {
			chunk[i].next = &chunk[i+1]
		}
		s.free, s.nFree = &chunk[0], requestChunk
	}
	r := s.free
	s.free, r.next = r.next, nil
	s.nFree--
	return r
}

func (s *shard) grow() {
	old := s.buckets
	s.buckets = make([]bucket, max(minBuckets, 2*len(old)))
	for i := range old {
		for r := old[i].first; r != nil; {
			next := r.next
			s.append(r)
			r = next
		}
	}
}

// first is the first request on ob, next the one behind r in the same queue; nil at the end.
func (s *shard) first(hash uint32, ob *object) *request {
	if len(s.buckets) == 0 {
		return nil
	}
	b := s.bucketOf(hash)
	if b.seen&mark(hash) == 0 {
		return nil
	}
	for r := b.first; r != nil; r = r.next {
		if r.is(hash, ob) {
			return r
		}
	}
	return nil
}

func (r *request) nextSame() *request {
	for q := r.next; q != nil; q = q.next {
		if q.same(r) {
			return q
		}
	}
	return nil
}
