package lock

import "emberdb/internal/base"

// Entries that say nothing new. A record that its owner has changed names it as its writer, and
// whoever meets it makes an entry of that (Convert). An owner of many locks gives its own entries
// of such records back, so a statement that changes millions of rows does not remember each of them
// a second time.

// manyToKeep is the number of locks from which on an owner gives back what is implied and puts the
// others into runs: below it data_locks shows each, as MySQL does.
const manyToKeep = 256

// Implied tells that o is the writer of the record now.
// REQUIRES: the X latch under which the record was changed. So who asked for its lock before stands
// in its queue, who looks at the record later calls Convert first, and nobody is between Convert
// and Lock.
func (m *Manager) Implied(o *Owner, tree base.IndexID, key []byte) {
	if !o.many(m.compact) {
		return
	}
	ob := recordObject(tree, key)
	hash := m.hashOf(&ob)
	s := m.shardOf(hash)
	s.Lock()
	defer s.Unlock()
	if s.waiting > 0 {
		return // invariant (3)
	}
	for r := s.first(hash, &ob); r != nil; r = r.nextSame() {
		if r.owner == o && r.kind == Record && Mode(r.mode) == X {
			o.implied.Store(true)
			m.drop(s, r)
			return
		}
	}
}

// many tells whether o has more than n entries.
func (o *Owner) many(n int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.mu.n > n
}

// GaveBack tells whether o may hold a record that it has changed by that change alone: before the
// change is undone and o goes on, Convert makes an entry of it.
func (o *Owner) GaveBack() bool { return o.implied.Load() }
