package lock

import (
	"time"

	"emberdb/internal/base"
)

// The wait graph: a root owner that waits has an edge to every root owner that blocks its request.
// Only waiting owners can be part of a cycle, so the walk looks at nobody else, and each owner's
// queue is looked at once. The graph mutex is held: see invariant (3).

// resolve breaks every cycle that o's wait closes. The victim of a cycle is its lightest owner, o
// itself if no other is lighter.
func (m *Manager) resolve(o *Owner) {
	root := o.root()
	m.graph.Lock()
	defer m.graph.Unlock()
	for root.waiting != nil {
		cycle := m.findCycle(root)
		if cycle == nil {
			return
		}
		victim := lightest(cycle)
		m.stats.deadlocks.Add(1)
		m.graph.deadlock = m.describe(cycle, victim)
		m.cancelLocked(victim.waiting.wait, base.ErrDeadlock)
	}
}

// findCycle returns the owners of a cycle through start, start first; nil if there is none.
func (m *Manager) findCycle(start *Owner) []*Owner {
	m.graph.walk++
	m.graph.stack = m.graph.stack[:0]
	path := []*Owner{start}
	if m.walk(start, start, &path) {
		return path
	}
	return nil
}

// walk extends path from o until it leads back to start.
func (m *Manager) walk(start, o *Owner, path *[]*Owner) bool {
	from := len(m.graph.stack)
	if m.pushBlockers(o, start) {
		return true
	}
	for i, to := from, len(m.graph.stack); i < to; i++ {
		next := m.graph.stack[i]
		*path = append(*path, next)
		if m.walk(start, next, path) {
			return true
		}
		*path = (*path)[:len(*path)-1]
	}
	m.graph.stack = m.graph.stack[:from]
	return false
}

// pushBlockers puts the waiting owners that block o, and that this walk has not met, on the stack.
// true: start is one of them.
func (m *Manager) pushBlockers(o, start *Owner) (back bool) {
	m.eachToVisit(o.waiting, func(q *request, goOn bool) bool {
		root := q.owner.root()
		switch {
		case root == start:
			back = true
		case root.waiting == nil || root.visited == m.graph.walk:
		default:
			root.visited = m.graph.walk
			if goOn {
				m.graph.stack = append(m.graph.stack, root)
			}
		}
		return !back
	})
	return back
}

// eachToVisit yields the requests that waiting request r waits for, and whether a walk goes on from
// them.
//
// Many writers of one hot row wait for the holder and for each other. An X request of an owner
// without a lock in the queue waits for everything that the record requests ahead of it wait for,
// so these need no look of their own, and the walk stays linear.
// REQUIRES: graph is locked, no shard is.
func (m *Manager) eachToVisit(r *request, yield func(q *request, goOn bool) bool) {
	s := m.shardOf(r.hash)
	s.Lock()
	defer s.Unlock()
	ob := object{r.class, r.tree, r.key()}
	first := s.first(r.hash, &ob)
	outwaits := r.class == classRecord && Mode(r.mode) == X && r.kind <= Record && !r.holdsOne(first)
	r.eachBlocker(first, func(q *request) bool {
		return yield(q, !outwaits || q.wait == nil || q.kind > Record)
	})
}

// eachBlocker yields the requests that waiting request r waits for.
// REQUIRES: graph is locked, no shard is.
func (m *Manager) eachBlocker(r *request, yield func(q *request) bool) {
	s := m.shardOf(r.hash)
	s.Lock()
	defer s.Unlock()
	ob := object{r.class, r.tree, r.key()}
	r.eachBlocker(s.first(r.hash, &ob), yield)
}

// lightest chooses the victim. The first of the cycle is who closed it. Of owners that end in a
// given order it is the last: the others could not end before it gave way.
func lightest(cycle []*Owner) *Owner {
	victim, least := cycle[0], cycle[0].heaviness()
	for _, o := range cycle[1:] {
		if h := o.heaviness(); h < least {
			victim, least = o, h
		}
	}
	for _, o := range cycle {
		if a, b := victim.place(), o.place(); a != nil && b != nil && (*a).Before(*b) {
			victim = o
		}
	}
	return victim
}

// place is that of the owner that waits: a session has none, the transaction that joined it may.
func (o *Owner) place() *Ordered { return o.waiting.owner.ordered.Load() }

// heaviness is what a waiting root owner loses as victim: changed rows and locks; who waits to
// change an object's definition, or for LOCK TABLES WRITE, is spared.
func (o *Owner) heaviness() int64 {
	w := o.waiting.owner
	h := w.weight.Load() + int64(w.Locks())
	if o.waiting.class == classMeta && MetaMode(o.waiting.mode) >= MetaNoReadWrite {
		h += 1 << 40
	}
	return h
}

// Deadlock is the record of one, for LastDeadlock.
type Deadlock struct {
	At     time.Time
	Owners []DeadlockOwner
	Victim int // position in Owners
}

// DeadlockOwner is one member of the cycle: it holds Holds, for which the member before it waits,
// and waits for Waits.
type DeadlockOwner struct {
	Weight int64
	Holds  Info
	Waits  Info
}

// describe notes a cycle in words that outlive it. REQUIRES: graph is locked.
func (m *Manager) describe(cycle []*Owner, victim *Owner) *Deadlock {
	d := &Deadlock{At: time.Now(), Owners: make([]DeadlockOwner, len(cycle))}
	for i, o := range cycle {
		if o == victim {
			d.Victim = i
		}
		next := (i + 1) % len(cycle)
		d.Owners[i].Weight = o.heaviness()
		d.Owners[i].Waits = o.waiting.info()
		m.eachBlocker(o.waiting, func(q *request) bool {
			if q.owner.root() != cycle[next] {
				return true
			}
			d.Owners[next].Holds = q.info()
			return false
		})
	}
	return d
}
