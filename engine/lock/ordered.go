package lock

// askToYield has those yield that keep o waiting, directly or by keeping others waiting, and are to
// end after it: they wait for o, which the wait graph does not show.
func (m *Manager) askToYield(o *Owner, place Ordered) {
	m.graph.Lock()
	m.graph.walk++
	var later []Ordered
	var requests []*request
	if r := o.root().waiting; r != nil {
		requests = append(requests, r)
	}
	for len(requests) > 0 {
		r := requests[len(requests)-1]
		requests = requests[:len(requests)-1]
		m.eachBlocker(r, func(q *request) bool {
			if p := q.owner.ordered.Load(); p != nil && place.Before(*p) {
				later = append(later, *p)
			}
			if root := q.owner.root(); root.waiting != nil && root.visited != m.graph.walk {
				root.visited = m.graph.walk
				requests = append(requests, root.waiting)
			}
			return true
		})
	}
	m.graph.Unlock()
	for _, p := range later {
		p.Yield()
	}
}
