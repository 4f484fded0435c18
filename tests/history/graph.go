package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// kind is an edge's.
type kind uint8

const (
	own kind = iota
	ww
	wr
	rw
	clock
	kinds
)

func (k kind) String() string { return [kinds]string{"own", "ww", "wr", "rw", "clock"}[k] }

// node is a moment between from and to.
type node struct {
	t        *Txn
	what     string
	from, to int64
	out      []edge
}

type edge struct {
	to   int
	kind kind
	key  string
	elem int
	stmt int
}

// graph is of what must have been before what.
type graph struct{ nodes []node }

func (g *graph) add(n node) int {
	g.nodes = append(g.nodes, n)
	return len(g.nodes) - 1
}

func (g *graph) edge(from int, e edge) {
	if from != e.to {
		g.nodes[from].out = append(g.nodes[from].out, e)
	}
}

// cycles builds the graph and looks for cycles.
func (c *checker) cycles() *Anomaly {
	for _, t := range c.txns {
		c.moments(t)
	}
	c.orderEdges()
	c.readEdges()
	if a := c.worst(own, ww, wr, rw); a != nil {
		return a
	}
	c.clockEdges()
	return c.worst(own, ww, wr, rw, clock)
}

// moments makes the nodes of a transaction and finds the node of each of its reads.
func (c *checker) moments(t *Txn) {
	from := t.Begin
	if t.Outcome == Committed {
		from = t.Commit
	}
	t.last = c.add(node{t: t, what: "commit", from: from, to: t.End})
	t.view = t.last
	stmt := -1
	for i := range t.Reads {
		r := &t.Reads[i]
		switch {
		case t.Level == Serializable, r.Current && t.Level != Snapshot:
			r.node = t.last
			continue
		case r.Current && t.view == t.last: // no view yet: it locks what is newest, and a view that comes later is of the same
			r.node = t.last
			continue
		case t.view == t.last || t.Level == ReadCommitted && r.Stmt != stmt:
			before := t.view
			t.view = c.add(node{t: t, what: fmt.Sprintf("view of statement %d", r.Stmt), from: r.Begin, to: r.End})
			if before != t.last {
				c.edge(before, edge{to: t.view, kind: own})
			}
			c.edge(t.view, edge{to: t.last, kind: own})
			stmt = r.Stmt
		}
		r.node = t.view
		if r.Own > 0 && !strings.HasPrefix(r.Key, "set") && t.Level != Snapshot { // the row is the transaction's own version
			r.node = t.last
		}
	}
}

// written is the moment that what a transaction's write replaces must have been before.
func (t *Txn) written() int {
	if t.Level == Snapshot {
		return t.view
	}
	return t.last
}

// orderEdges makes the edges between writes.
func (c *checker) orderEdges() {
	for key, order := range c.orders {
		for i := 1; i < len(order); i++ {
			a, b := c.writer[place{key, order[i-1]}], c.writer[place{key, order[i]}]
			if a != b {
				c.edge(a.last, edge{to: b.written(), kind: ww, key: key, elem: order[i]})
			}
		}
	}
}

// readEdges makes the edges between writes and reads.
func (c *checker) readEdges() {
	committed := map[string][]int{} // elements of sets; those of lists that nobody saw
	at := map[place]int{}           // in orders
	for key, order := range c.orders {
		for i, e := range order {
			at[place{key, e}] = i
		}
	}
	for p, t := range c.writer {
		if _, ordered := at[p]; t.Outcome == Committed && !isRegister(p.key) && !ordered {
			committed[p.key] = append(committed[p.key], p.elem)
		}
	}
	for _, t := range c.txns {
		for i := range t.Reads {
			r := &t.Reads[i]
			switch {
			case isRegister(r.Key):
				c.sawRegister(r, t, at)
			case isList(r.Key):
				c.sawList(r, t)
				for _, e := range committed[r.Key] {
					c.saw(r, t, e, false)
				}
			default:
				found := map[int]bool{}
				for _, e := range r.Elems {
					found[e] = true
				}
				for _, e := range committed[r.Key] {
					c.saw(r, t, e, found[e])
				}
			}
		}
	}
}

// sawList makes the edges of the last element seen, and of the first not seen: the order tells the
// others.
func (c *checker) sawList(r *Read, t *Txn) {
	for i := len(r.Elems) - 1; i >= 0; i-- {
		if c.writer[place{r.Key, r.Elems[i]}] != t {
			c.saw(r, t, r.Elems[i], true)
			break
		}
	}
	if order := c.orders[r.Key]; len(r.Elems) < len(order) && (r.Own == 0 || t.Outcome == Committed) {
		c.saw(r, t, order[len(r.Elems)], false)
	}
}

func (c *checker) sawRegister(r *Read, t *Txn, at map[place]int) {
	for _, e := range r.Elems {
		c.saw(r, t, e, true)
		if i, ok := at[place{r.Key, e}]; ok && i+1 < len(c.orders[r.Key]) {
			c.saw(r, t, c.orders[r.Key][i+1], false)
		}
	}
}

// saw makes the edge between a read and a write.
func (c *checker) saw(r *Read, t *Txn, elem int, yes bool) {
	by := c.writer[place{r.Key, elem}]
	switch {
	case by == t:
	case yes:
		c.edge(by.last, edge{to: r.node, kind: wr, key: r.Key, elem: elem, stmt: r.Stmt})
	default:
		c.edge(r.node, edge{to: by.last, kind: rw, key: r.Key, elem: elem, stmt: r.Stmt})
	}
}

// clockEdges makes the edges from what had ended to what began later: by a chain of moments, since
// they are many.
func (c *checker) clockEdges() {
	count := len(c.nodes)
	ends := make([]int, 0, count)
	for i := range count {
		if c.nodes[i].to < Never {
			ends = append(ends, i)
		}
	}
	slices.SortFunc(ends, func(a, b int) int { return cmp.Compare(c.nodes[a].to, c.nodes[b].to) })
	moments := make([]int, len(ends))
	for i, n := range ends {
		moments[i] = c.add(node{from: c.nodes[n].to})
		c.edge(n, edge{to: moments[i], kind: clock})
		if i > 0 {
			c.edge(moments[i-1], edge{to: moments[i], kind: clock})
		}
	}
	for n := range count {
		at, _ := slices.BinarySearchFunc(moments, c.nodes[n].from, func(m int, from int64) int { return cmp.Compare(c.nodes[m].from, from) })
		if at > 0 {
			c.edge(moments[at-1], edge{to: n, kind: clock})
		}
	}
}
