package history

import (
	"fmt"
	"slices"
	"strings"
)

// worst finds a cycle of the given kinds of edges, of the worst kind there is.
func (c *checker) worst(of ...kind) *Anomaly {
	suffix := ""
	if slices.Contains(of, clock) {
		suffix = " clock"
	}
	var in [kinds]bool
	for _, k := range of {
		in[k] = true
	}
	parts, count := c.components(in)
	if count == 0 {
		return nil
	}
	without := func(out ...kind) (some [kinds]bool) {
		some = in
		for _, k := range out {
			some[k] = false
		}
		return some
	}
	for _, try := range []struct {
		name   string
		by     [kinds]bool
		begins kind // the cycle's first edge; own: any
	}{{"G0", without(wr, rw), own}, {"G1c", without(rw), own}, {"G-single", without(rw), rw}, {"G2", in, own}} {
		if way := c.shortest(parts, try.by, try.begins); way != nil {
			return anomaly(try.name+suffix, "each of these was before the next, and the last before the first:%s", c.tell(way))
		}
	}
	return nil
}

// components numbers the strongly connected components of more than one node, Tarjan's way without
// recursion. parts holds a node's number, 0 where it is alone.
func (c *checker) components(in [kinds]bool) (parts []int, count int) {
	n := len(c.nodes)
	parts = make([]int, n)
	index, low := make([]int, n), make([]int, n) // index 0: not visited
	onStack := make([]bool, n)
	type frame struct{ node, edge int }
	var stack []int
	var calls []frame
	next := 0
	visit := func(v int) {
		next++
		index[v], low[v] = next, next
		stack = append(stack, v)
		onStack[v] = true
		calls = append(calls, frame{node: v})
	}
	for start := range n {
		if index[start] != 0 {
			continue
		}
		visit(start)
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			v := f.node
			if f.edge < len(c.nodes[v].out) {
				e := c.nodes[v].out[f.edge]
				f.edge++
				switch {
				case !in[e.kind]:
				case index[e.to] == 0:
					visit(e.to)
				case onStack[e.to]:
					low[v] = min(low[v], index[e.to])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].node
				low[up] = min(low[up], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			at := len(stack) - 1
			for stack[at] != v {
				at--
			}
			if alone := at == len(stack)-1; !alone {
				count++
			}
			for _, w := range stack[at:] {
				onStack[w] = false
				if at < len(stack)-1 {
					parts[w] = count
				}
			}
			stack = stack[:at]
		}
	}
	return parts, count
}

// stage is an edge of a way.
type stage struct {
	from int
	edge edge
}

// shortest is a short cycle within a component by edges of the given kinds; its first edge is of
// kind first, of any of them where that is own. nil: there is none.
func (c *checker) shortest(parts []int, by [kinds]bool, first kind) (best []stage) {
	tried := 0
	for from := range c.nodes {
		if parts[from] == 0 || c.nodes[from].t == nil {
			continue
		}
		for _, e := range c.nodes[from].out {
			if parts[e.to] != parts[from] || first == own && !by[e.kind] || first != own && e.kind != first {
				continue
			}
			if way := c.way(parts, by, e.to, from); way != nil && (best == nil || len(way)+1 < len(best)) {
				best = append([]stage{{from, e}}, way...)
			}
			if tried++; best != nil && (len(best) <= 3 || tried > 1000) {
				return best
			}
		}
	}
	return best
}

// way is the shortest way between two nodes of a component, nil if there is none.
func (c *checker) way(parts []int, by [kinds]bool, from, to int) []stage {
	came := map[int]stage{from: {from: -1}}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for _, e := range c.nodes[queue[0]].out {
			if _, known := came[e.to]; known || !by[e.kind] || parts[e.to] != parts[from] {
				continue
			}
			came[e.to] = stage{queue[0], e}
			if e.to != to {
				queue = append(queue, e.to)
				continue
			}
			var way []stage
			for at := to; at != from; at = came[at].from {
				way = append(way, came[at])
			}
			slices.Reverse(way)
			return way
		}
	}
	return nil
}

func (c *checker) tell(way []stage) string {
	var b strings.Builder
	for _, s := range way {
		n, e := c.nodes[s.from], s.edge
		if n.t == nil {
			continue
		}
		fmt.Fprintf(&b, "\n\t%s (%s), %s of %d..%d us", n.t.Name, n.t.Level, n.what, n.from/1000, n.to/1000)
		switch e.kind {
		case own, clock:
			fmt.Fprintf(&b, ": %s", e.kind)
		default:
			fmt.Fprintf(&b, ": %s by %d in %s, statement %d", e.kind, e.elem, e.key, e.stmt)
		}
	}
	return b.String()
}
