package compiled

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Cache holds programs by key, and keys that have none and why. It is bounded: when a shard is
// full, entries not used since the hand last passed go first.
type Cache struct {
	shards     [16]shard
	executions atomic.Int64
	fallbacks  [reasons]atomic.Int64
}

type shard struct {
	mu    sync.RWMutex
	byKey map[string]*entry
	ring  []*entry
	hand  int
}

type entry struct {
	key     string
	program atomic.Pointer[Program] // nil: not mine
	why     atomic.Uint32           // Reason
	version atomic.Uint64           // of the dictionary when it was found not to be mine
	refused atomic.Int64            // executions that were handed on for it
	used    atomic.Bool
}

// shardEntries bounds a shard.
const shardEntries = 256

// NewCache makes an empty cache.
func NewCache() *Cache {
	c := &Cache{}
	for i := range c.shards {
		c.shards[i].byKey = make(map[string]*entry)
	}
	return c
}

func (c *Cache) shard(key []byte) *shard {
	h := uint32(2166136261)
	step := 1 + len(key)/64
	for i := 0; i < len(key); i += step {
		h = (h ^ uint32(key[i])) * 16777619
	}
	return &c.shards[(h^h>>15)%uint32(len(c.shards))]
}

// Get returns the program of a key, or why it has none: ByFirst if the key has not been seen, or
// not since a definition changed. version is the dictionary's.
func (c *Cache) Get(key []byte, version uint64) (p *Program, why Reason) {
	s := c.shard(key)
	s.mu.RLock()
	e := s.byKey[string(key)]
	s.mu.RUnlock()
	if e == nil {
		return nil, ByFirst
	}
	if !e.used.Load() {
		e.used.Store(true)
	}
	if p = e.program.Load(); p != nil {
		return p, Mine
	}
	if e.version.Load() != version {
		return nil, ByFirst
	}
	e.refused.Add(1)
	return nil, Reason(e.why.Load())
}

// Known is Get for who does not run the statement: Mine if there is a program.
func (c *Cache) Known(key []byte, version uint64) Reason {
	s := c.shard(key)
	s.mu.RLock()
	defer s.mu.RUnlock()
	switch e := s.byKey[string(key)]; {
	case e == nil:
		return ByFirst
	case e.program.Load() != nil:
		return Mine
	case e.version.Load() != version:
		return ByFirst
	default:
		return Reason(e.why.Load())
	}
}

// Put remembers the program of a key, nil for a statement that is not mine, and why. version is
// that of the dictionary before the look.
func (c *Cache) Put(key string, p *Program, why Reason, version uint64) {
	s := c.shard([]byte(key))
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.byKey[key]; e != nil {
		e.why.Store(uint32(why))
		e.version.Store(version)
		e.program.Store(p)
		return
	}
	e := &entry{key: key}
	e.why.Store(uint32(why))
	e.version.Store(version)
	e.program.Store(p)
	s.byKey[key] = e
	if len(s.ring) < shardEntries {
		s.ring = append(s.ring, e)
		return
	}
	for s.ring[s.hand].used.Swap(false) {
		s.hand = (s.hand + 1) % len(s.ring)
	}
	delete(s.byKey, s.ring[s.hand].key)
	s.ring[s.hand] = e
	s.hand = (s.hand + 1) % len(s.ring)
}

// Forget drops a key whose program has become invalid.
func (c *Cache) Forget(key []byte) {
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.byKey[string(key)]
	if e == nil {
		return
	}
	delete(s.byKey, e.key)
	for i := range s.ring {
		if s.ring[i] == e {
			s.ring = append(s.ring[:i], s.ring[i+1:]...)
			s.hand = 0
			return
		}
	}
}

// Executed counts an execution.
func (c *Cache) Executed() { c.executions.Add(1) }

// Fallback counts a statement that is handed on.
func (c *Cache) Fallback(why Reason) { c.fallbacks[why].Add(1) }

// Refused calls f for every key without a program that is remembered. The key is the text with
// marks for its literals behind its prefix.
func (c *Cache) Refused(f func(key string, why Reason, executions int64)) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.RLock()
		all := slices.Clone(s.ring)
		s.mu.RUnlock()
		for _, e := range all {
			if e.program.Load() == nil {
				f(e.key, Reason(e.why.Load()), e.refused.Load())
			}
		}
	}
}

// Stats of the cache. Fallbacks are all those of Reasons.
type Stats struct {
	Executions, Fallbacks, Size int64
	Reasons                     map[Reason]int64
}

// Stats returns the counters.
func (c *Cache) Stats() Stats {
	st := Stats{Executions: c.executions.Load(), Reasons: make(map[Reason]int64)}
	for r := ByFirst; r < reasons; r++ {
		st.Reasons[r] = c.fallbacks[r].Load()
		st.Fallbacks += st.Reasons[r]
	}
	for i := range c.shards {
		c.shards[i].mu.RLock()
		st.Size += int64(len(c.shards[i].byKey))
		c.shards[i].mu.RUnlock()
	}
	return st
}
