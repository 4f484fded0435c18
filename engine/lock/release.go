package lock

import "emberdb/internal/base"

// The end of an owner. A few locks are taken out of their queues one by one. An owner of many is
// declared void instead: its granted requests count for nothing from that moment on, whoever waited
// for one of them is woken, and the memory comes back in the background.

// manyLocks is Manager.many but in tests.
const manyLocks = 10_000

// ReleaseAll ends all record and table locks of o, a pending request too. o takes no more locks,
// not even from others.
func (m *Manager) ReleaseAll(o *Owner) {
	if o.wait.pending {
		m.cancel(&o.wait, base.ErrInterrupted)
	}
	o.mu.Lock()
	o.mu.released = true
	r, n := o.mu.first, o.mu.n
	o.mu.first, o.mu.n = nil, 0
	o.mu.Unlock()
	o.bare = r == nil && o.tables == nil && o.runs == nil && o.wait.ch == nil
	o.tables = nil
	m.runs.drop(o)
	if n > m.many {
		m.void(o)
		go m.collect(r)
		return
	}
	for r != nil {
		next := r.ownNext
		m.release(r)
		r = next
	}
}

// void makes o's granted requests count for nothing, and wakes who waited for them.
func (m *Manager) void(o *Owner) {
	m.graph.Lock()
	defer m.graph.Unlock()
	o.void.Store(true)
	var waits []*Wait
	for w := m.graph.waits; w != nil; w = w.next {
		waits = append(waits, w)
	}
	for _, w := range waits {
		r := w.r
		if r == nil {
			continue // granted with another of its queue
		}
		hash, ob := r.hash, object{r.class, r.tree, append([]byte(nil), r.key()...)}
		s := m.shardOf(hash)
		s.Lock()
		m.grant(s, hash, &ob)
		s.Unlock()
	}
}

// collect gives the memory of a void owner's requests back.
func (m *Manager) collect(r *request) {
	for r != nil {
		next := r.ownNext
		s := m.shardOf(r.hash) // does not change while r is granted
		s.Lock()
		s.remove(r)
		s.Unlock()
		r = next
	}
}

// holds tells a granted request that counts.
func (r *request) holds() bool { return r.wait == nil && !r.owner.void.Load() }
