package lock

import "emberdb/internal/base"

// InheritOnInsert tells that key has been inserted before successor: who had locked the gap has now
// locked both its parts. The caller holds the leaf's latch. Waiting requests count too: their
// owners may have looked at the gap as a whole.
func (m *Manager) InheritOnInsert(tree base.IndexID, key, successor []byte) {
	if !m.HasGapLocks(tree, successor) {
		return
	}
	from, to := recordObject(tree, successor), recordObject(tree, key)
	fh, th := m.hashOf(&from), m.hashOf(&to)
	fs, ts := m.shardOf(fh), m.shardOf(th)
	lockTwo(fs, ts)
	for r := fs.first(fh, &from); r != nil; r = r.nextSame() {
		if hasGap(r) {
			ts.enter(r.owner, th, &to, Mode(r.mode), Gap)
		}
	}
	m.inRun(tree, successor, func(l *runList) {
		if !l.covers(key) {
			ts.enter(l.owner, th, &to, l.mode, Gap)
		}
	})
	waiting := ts.waitingOwners(th, &to)
	unlockTwo(fs, ts)
	m.inherited(waiting)
}

// InheritOnDelete tells that the record of key is being removed: its locks live on as locks of the
// gap before successor, into which its own gap falls, and who waited for it looks again, with the
// gap lock its request has become. The caller holds the leaf's latch.
//
// X locks of READ COMMITTED owners are not inherited. The entries of key itself stay with their
// owners until these end, but the record they locked is no more: what is inserted under the same
// key later is another one.
func (m *Manager) InheritOnDelete(tree base.IndexID, key, successor []byte) {
	from, to := recordObject(tree, key), recordObject(tree, successor)
	fh, th := m.hashOf(&from), m.hashOf(&to)
	fs, ts := m.shardOf(fh), m.shardOf(th)
	lockTwo(fs, ts)
	waiters := false
	for r := fs.first(fh, &from); r != nil; r = r.nextSame() {
		switch {
		case r.wait != nil:
			waiters = true
			if r.kind != InsertIntention && (Mode(r.mode) != X || !r.owner.readCommitted.Load()) {
				ts.enter(r.owner, th, &to, Mode(r.mode), Gap)
			}
		case Mode(r.mode) != X || !r.owner.readCommitted.Load():
			ts.enter(r.owner, th, &to, Mode(r.mode), Gap)
			r.forget(r.kind == NextKey)
		default:
			r.forget(false)
		}
	}
	m.inRun(tree, key, func(l *runList) {
		if !l.covers(successor) {
			ts.enter(l.owner, th, &to, l.mode, Gap)
		}
	})
	waiting := ts.waitingOwners(th, &to)
	unlockTwo(fs, ts)
	if waiters {
		m.wakeAll(fh, &from)
	}
	m.inherited(waiting)
}

// waitingOwners are those that wait for ob. REQUIRES: s is locked.
func (s *shard) waitingOwners(hash uint32, ob *object) (all []*Owner) {
	if s.waiting == 0 {
		return nil
	}
	for r := s.first(hash, ob); r != nil; r = r.nextSame() {
		if r.wait != nil {
			all = append(all, r.owner)
		}
	}
	return all
}

// inherited looks at the wait graph, to which inheritance has added edges of those that wait.
func (m *Manager) inherited(waiting []*Owner) {
	for _, o := range waiting {
		if m.detect.Load() {
			m.resolve(o)
		}
	}
	m.MakeRoom()
}

// forget takes the record out of a granted lock. What remains is the gap before it, or an entry
// that conflicts with nothing.
// REQUIRES: r's shard is locked.
func (r *request) forget(gap bool) {
	switch {
	case r.kind == Gap:
	case gap:
		r.kind = Gap
	default:
		r.kind = InsertIntention
	}
}

// HasGapLocks tells whether anybody has, or waits for, a lock of the gap before key.
func (m *Manager) HasGapLocks(tree base.IndexID, key []byte) bool {
	ob := recordObject(tree, key)
	hash := m.hashOf(&ob)
	s := m.shardOf(hash)
	s.Lock()
	defer s.Unlock()
	for r := s.first(hash, &ob); r != nil; r = r.nextSame() {
		if hasGap(r) && !r.owner.void.Load() {
			return true
		}
	}
	found := false
	m.inRun(tree, key, func(l *runList) { found = found || !l.owner.void.Load() })
	return found
}

func hasGap(r *request) bool { return r.kind == Gap || r.kind == NextKey }

// wakeAll ends every wait for ob without a lock: its record is gone.
func (m *Manager) wakeAll(hash uint32, ob *object) {
	s := m.shardOf(hash)
	m.graph.Lock()
	defer m.graph.Unlock()
	s.Lock()
	defer s.Unlock()
	for r := s.first(hash, ob); r != nil; {
		next := r.nextSame()
		if w := r.wait; w != nil {
			m.drop(s, r)
			w.finish(nil)
		}
		r = next
	}
}

// lockTwo locks two shards, which may be one, in the order of their index.
func lockTwo(a, b *shard) {
	switch {
	case a == b:
		a.Lock()
	case a.index < b.index:
		a.Lock()
		b.Lock()
	default:
		b.Lock()
		a.Lock()
	}
}

func unlockTwo(a, b *shard) {
	a.Unlock()
	if a != b {
		b.Unlock()
	}
}
