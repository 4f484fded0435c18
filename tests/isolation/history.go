package isolation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A history is what clients did to lists and sets and what they were told. Every element is added once, so a read tells of each addition whether it came before the
// read or after it. With the order of a list's elements that is a graph of what must have been before what; a cycle in it is something that the isolation level
// forbids.
//
// A transaction is one or more points in time (nodes), each somewhere within the interval that the client saw:
//
//	SERIALIZABLE      one: locks are held to the end
//	REPEATABLE READ   its view, and behind it its commit: locking reads and what a transaction sees of rows it has changed belong to the commit
//	READ COMMITTED    the view of each statement, and behind them its commit
//
// So write skew and a view that was made before somebody else's change of the same row are allowed where MySQL allows them; dirty, intermediate and torn reads, lost
// updates, lost commits, phantoms in a view and what contradicts the clock are found at every level.
type history struct {
	txns []*hTxn
}

type hOutcome uint8

const (
	aborted hOutcome = iota
	committed
	unknown // the server went away during the commit
)

// hTxn is a transaction. Times are nanoseconds.
type hTxn struct {
	name      string
	level     string // as in SET TRANSACTION
	begin     int64  // before its first statement
	commit    int64  // before its COMMIT
	end       int64  // after its last answer
	outcome   hOutcome
	reads     []hRead
	adds      []hAdd
	withdrawn []hAdd // rolled back to a savepoint
	last      int    // node of its commit
}

// hRead is what a statement saw of one list or set.
type hRead struct {
	key        string
	elems      []int
	begin, end int64
	stmt       int
	current    bool // the newest state, locked until the end of the transaction
	own        int  // elements the transaction had added to the key before
	node       int
}

type hAdd struct {
	key  string
	elem int
}

// isList tells lists, whose elements have an order, from sets.
func isList(key string) bool { return strings.HasPrefix(key, "list") }

// node is a point in time between from and to.
type node struct {
	t        *hTxn
	what     string
	from, to int64
	out      []edge
}

type edge struct {
	to  int
	why string
}

const never = int64(1) << 62

// graph is built from a history.
type graph struct {
	nodes []node
	adder map[hAdd]*hTxn
}

// check returns what is wrong with the history.
func (h *history) check() error {
	g := &graph{adder: map[hAdd]*hTxn{}}
	if err := g.addTxns(h.txns); err != nil {
		return err
	}
	orders, err := g.orders(h.txns)
	if err != nil {
		return err
	}
	g.addReads(h.txns, orders)
	g.addClock()
	return g.cycle()
}

func (g *graph) add(n node) int {
	g.nodes = append(g.nodes, n)
	return len(g.nodes) - 1
}

func (g *graph) edge(from, to int, format string, args ...any) {
	if from != to {
		g.nodes[from].out = append(g.nodes[from].out, edge{to, fmt.Sprintf(format, args...)})
	}
}

// addTxns makes the nodes, and the edges within a transaction. An unknown outcome is a commit if anybody else has seen it.
func (g *graph) addTxns(txns []*hTxn) error {
	seen := map[hAdd]bool{}
	for _, t := range txns {
		for _, r := range t.reads {
			for _, e := range r.elems {
				if a := (hAdd{r.key, e}); !slices.Contains(t.adds, a) {
					seen[a] = true
				}
			}
		}
	}
	for _, t := range txns {
		if t.outcome == unknown {
			t.outcome, t.end = aborted, never
			if slices.ContainsFunc(t.adds, func(a hAdd) bool { return seen[a] }) {
				t.outcome = committed
			}
		}
		for _, a := range t.adds {
			if g.adder[a] != nil {
				return fmt.Errorf("element %d of %s was added twice", a.elem, a.key)
			}
			g.adder[a] = t
		}
		for _, a := range t.withdrawn {
			if seen[a] {
				return fmt.Errorf("%s: element %d of %s was rolled back to a savepoint and seen all the same", t.name, a.elem, a.key)
			}
		}
		from := t.begin
		if t.outcome == committed {
			from = t.commit
		}
		t.last = g.add(node{t: t, what: "commit", from: from, to: t.end})
		g.addViews(t)
	}
	return nil
}

// addViews finds the node of each read of a transaction: it makes those of its views.
func (g *graph) addViews(t *hTxn) {
	view, stmt := -1, -1
	for i := range t.reads {
		r := &t.reads[i]
		switch {
		case t.level == "SERIALIZABLE" || r.current:
			r.node = t.last
			continue
		case view < 0 || t.level == "READ COMMITTED" && r.stmt != stmt:
			before := view
			view = g.add(node{t: t, what: fmt.Sprintf("view of statement %d", r.stmt), from: r.begin, to: r.end})
			if before >= 0 {
				g.edge(before, view, "statement %d is before %d", stmt, r.stmt)
			}
			g.edge(view, t.last, "a view is before the commit")
			stmt = r.stmt
		}
		r.node = view
		if r.own > 0 && isList(r.key) { // the statement may have made the view, but the row is the transaction's own version
			r.node = t.last
		}
	}
}

// orders finds the order of each list's elements, and verifies that every read is a beginning of it and holds nothing that is not committed.
func (g *graph) orders(txns []*hTxn) (map[string][]int, error) {
	orders := map[string][]int{}
	for _, t := range txns {
		for i := range t.reads {
			r := &t.reads[i]
			own := 0
			for _, e := range r.elems {
				by := g.adder[hAdd{r.key, e}]
				switch {
				case by == nil:
					return nil, fmt.Errorf("%s, statement %d: element %d of %s was never added", t.name, r.stmt, e, r.key)
				case by == t:
					own++
				case by.outcome != committed:
					return nil, fmt.Errorf("%s, statement %d: element %d of %s is of %s, which was rolled back", t.name, r.stmt, e, r.key, by.name)
				}
			}
			if own != r.own {
				return nil, fmt.Errorf("%s, statement %d: %d of its own elements of %s where it had added %d", t.name, r.stmt, own, r.key, r.own)
			}
			if sorted := slices.Sorted(slices.Values(r.elems)); len(slices.Compact(sorted)) != len(r.elems) {
				return nil, fmt.Errorf("%s, statement %d: an element of %s twice: %v", t.name, r.stmt, r.key, r.elems)
			}
			if !isList(r.key) || t.outcome != committed && own > 0 {
				continue
			}
			order := orders[r.key]
			n := min(len(order), len(r.elems))
			if !slices.Equal(order[:n], r.elems[:n]) {
				return nil, fmt.Errorf("%s, statement %d: %s is %v where others saw %v", t.name, r.stmt, r.key, r.elems, order)
			}
			if len(r.elems) > n {
				orders[r.key] = r.elems
			}
		}
	}
	return orders, nil
}

// addReads makes the edges between additions, and between them and reads.
func (g *graph) addReads(txns []*hTxn, orders map[string][]int) {
	for key, order := range orders {
		for i := 1; i < len(order); i++ {
			a, b := g.adder[hAdd{key, order[i-1]}], g.adder[hAdd{key, order[i]}]
			g.edge(a.last, b.last, "%d is before %d in %s", order[i-1], order[i], key)
		}
	}
	sets := map[string][]hAdd{}
	for a, t := range g.adder {
		if t.outcome == committed && !isList(a.key) {
			sets[a.key] = append(sets[a.key], a)
		}
	}
	unread := map[string][]hAdd{} // committed elements of lists that nobody saw
	for a, t := range g.adder {
		if t.outcome == committed && isList(a.key) && !slices.Contains(orders[a.key], a.elem) {
			unread[a.key] = append(unread[a.key], a)
		}
	}
	for _, t := range txns {
		for i := range t.reads {
			r := &t.reads[i]
			n := r.node
			if !isList(r.key) {
				for _, a := range sets[r.key] {
					g.saw(n, r, a, slices.Contains(r.elems, a.elem))
				}
				continue
			}
			others := slices.DeleteFunc(slices.Clone(r.elems), func(e int) bool { return g.adder[hAdd{r.key, e}] == t })
			if len(others) > 0 {
				g.saw(n, r, hAdd{r.key, others[len(others)-1]}, true)
			}
			if order := orders[r.key]; len(r.elems) < len(order) && (r.own == 0 || t.outcome == committed) {
				g.saw(n, r, hAdd{r.key, order[len(r.elems)]}, false)
			}
			for _, a := range unread[r.key] {
				g.saw(n, r, a, false)
			}
		}
	}
}

// saw makes the edge between a read and an addition.
func (g *graph) saw(n int, r *hRead, a hAdd, yes bool) {
	by := g.adder[a]
	switch {
	case by == g.nodes[n].t:
	case yes:
		g.edge(by.last, n, "statement %d of %d..%d saw %d in %s", r.stmt, r.begin/1000, r.end/1000, a.elem, a.key)
	default:
		g.edge(n, by.last, "statement %d of %d..%d did not see %d in %s", r.stmt, r.begin/1000, r.end/1000, a.elem, a.key)
	}
}

// addClock makes the edges from what had ended to what began later: by a chain of moments, since they are many.
func (g *graph) addClock() {
	count := len(g.nodes)
	ends := make([]int, 0, count)
	for i := range count {
		if g.nodes[i].to != never {
			ends = append(ends, i)
		}
	}
	slices.SortFunc(ends, func(a, b int) int { return cmp.Compare(g.nodes[a].to, g.nodes[b].to) })
	moments := make([]int, len(ends))
	for i, n := range ends {
		moments[i] = g.add(node{what: "moment", from: g.nodes[n].to})
		g.edge(n, moments[i], "had ended")
		if i > 0 {
			g.edge(moments[i-1], moments[i], "later")
		}
	}
	for n := range count {
		at, _ := slices.BinarySearchFunc(moments, g.nodes[n].from, func(m int, from int64) int { return cmp.Compare(g.nodes[m].from, from) })
		if at > 0 {
			g.edge(moments[at-1], n, "began later")
		}
	}
}

// cycle looks for a cycle and tells one of the shortest through its first node.
func (g *graph) cycle() error {
	before := make([]int, len(g.nodes))
	for i := range g.nodes {
		for _, e := range g.nodes[i].out {
			before[e.to]++
		}
	}
	var free []int
	for i, n := range before {
		if n == 0 {
			free = append(free, i)
		}
	}
	left := len(g.nodes)
	for ; len(free) > 0; left-- {
		n := free[len(free)-1]
		free = free[:len(free)-1]
		for _, e := range g.nodes[n].out {
			if before[e.to]--; before[e.to] == 0 {
				free = append(free, e.to)
			}
		}
	}
	if left == 0 {
		return nil
	}
	var shortest []stage
	for i, n := range before {
		if n > 0 && g.nodes[i].t != nil {
			if way := g.wayBack(i); way != nil && (shortest == nil || len(way) < len(shortest)) {
				shortest = way
			}
			if shortest != nil && len(shortest) <= 4 {
				break
			}
		}
	}
	var b strings.Builder
	for _, s := range shortest {
		n := g.nodes[s.from]
		if n.t == nil {
			continue
		}
		fmt.Fprintf(&b, "\n\t%s (%s), %s of %d..%d: %s", n.t.name, n.t.level, n.what, n.from/1000, n.to/1000, s.why)
	}
	return fmt.Errorf("each of these was before the next, and the last before the first:%s", b.String())
}

// stage is a way from one node to the next.
type stage struct {
	from int
	why  string
}

// wayBack is the shortest way from a node to itself, nil if there is none.
func (g *graph) wayBack(start int) []stage {
	by := map[int]stage{}
	for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
		for _, e := range g.nodes[queue[0]].out {
			if _, known := by[e.to]; known {
				continue
			}
			by[e.to] = stage{queue[0], e.why}
			if e.to != start {
				queue = append(queue, e.to)
				continue
			}
			var way []stage
			for at := start; ; {
				way = append(way, by[at])
				if at = by[at].from; at == start {
					slices.Reverse(way)
					return way
				}
			}
		}
	}
	return nil
}
