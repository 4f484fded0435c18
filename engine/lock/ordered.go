package lock

import "emberdb/internal/base"

// Owners that end in a given order wait in two ways: for locks, which the wait graph shows, and for
// the end of those before them, which it does not. So an owner must give way if an earlier one
// waits for it, be it through others.
//
// Such a path appears when somebody begins to wait, whoever it is; when an owner is granted what a
// waiting request conflicts with, since not all conflicts go both ways; and by inheritance. It is
// looked for after each: when a wait begins, before an owner waits for its place, and after
// inheritance. So nobody waits for a path that nobody has seen.

// MakeRoom has owners give way to earlier ones that wait for them.
// REQUIRES: the caller holds no latch of the lock table.
func (m *Manager) MakeRoom() {
	if m.placed.Load() == 0 {
		return
	}
	m.graph.Lock()
	var later []Ordered
	var futile []*Wait
	for w := m.graph.waits; w != nil; w = w.next {
		if w.place != nil {
			later, futile = m.inTheWay(w, later, futile)
		}
	}
	for _, w := range futile {
		m.cancelLocked(w, base.ErrDeadlock)
	}
	m.graph.Unlock()
	for _, p := range later {
		p.Yield()
	}
}

// inTheWay finds those that keep w waiting, directly or by keeping others waiting, and are to end
// after it. The wait of one of them is futile, and who keeps that one waiting is in nobody's way.
// REQUIRES: graph is locked.
func (m *Manager) inTheWay(w *Wait, later []Ordered, futile []*Wait) ([]Ordered, []*Wait) {
	m.graph.walk++
	w.o.root().visited = m.graph.walk
	m.graph.stack = append(m.graph.stack[:0], w.o.root())
	for n := len(m.graph.stack); n > 0; n = len(m.graph.stack) {
		r := m.graph.stack[n-1].waiting
		m.graph.stack = m.graph.stack[:n-1]
		m.eachToVisit(r, func(q *request, goOn bool) bool {
			root := q.owner.root()
			if p := q.owner.ordered.Load(); p != nil && (*w.place).Before(*p) {
				later = append(later, *p)
				if root.waiting != nil {
					root.visited = m.graph.walk
					futile = append(futile, root.waiting.wait)
				}
				return true
			}
			if root.waiting != nil && root.visited != m.graph.walk {
				root.visited = m.graph.walk
				if goOn {
					m.graph.stack = append(m.graph.stack, root)
				}
			}
			return true
		})
	}
	return later, futile
}
