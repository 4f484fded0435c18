package plan

import (
	"math"
	"math/bits"

	"emberdb/sql/bind"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
)

// mostExact is up to how many relations all orders are tried.
const mostExact = 10

// split sorts conditions: to the one relation whose columns they have, or to what is left. Those
// with subqueries come apart.
func split(rels []*relation, conds []fn.Expr) (rest, queries []fn.Expr) {
	local := make(idSet)
	for _, r := range rels {
		local.add(r.set)
	}
	for _, c := range conds {
		if hasSubquery(c) {
			queries = append(queries, c)
			continue
		}
		cols := columnsOf(c).within(local)
		owner := (*relation)(nil)
		for _, r := range rels {
			if len(cols) > 0 && cols.in(r.set) {
				owner = r
			}
		}
		if owner != nil {
			owner.conds, owner.own = append(owner.conds, c), append(owner.own, c)
			continue
		}
		rest = append(rest, c)
		for _, r := range rels {
			if more := implied(c, r.set); more != nil && !fn.IsTrue(more) {
				r.conds = append(r.conds, more)
			}
		}
	}
	return rest, queries
}

// joined plans an inner join of relations.
func (p *planner) joined(rels []*relation, conds []fn.Expr) (exec.Op, float64, error) {
	rels, conds, err := p.joinUnique(rels, conds)
	if err != nil {
		return nil, 0, err
	}
	if len(rels) > 32 {
		return nil, 0, fn.Refuse(fn.ByTable, "many tables")
	}
	rest, queries := split(rels, conds)
	p.spread(rels, rest)
	for _, r := range rels {
		if r.base == nil {
			continue
		}
		if _, err := p.stats.size(r.base.Table.Handle); err != nil {
			return nil, 0, err
		}
	}
	wanted := p.wanted
	p.wanted = nil
	for _, r := range rels {
		if err := p.prepare(r); err != nil {
			return nil, 0, err
		}
		if wanted != nil && len(rels) == 1 && r.base != nil {
			if err := p.ordered(r, wanted); err != nil {
				return nil, 0, err
			}
		}
		for id := range r.set {
			p.owners[id] = r
		}
	}
	if queries, err = p.early(rels, rest, queries); err != nil {
		return nil, 0, err
	}
	order := p.order(rels, rest)
	op, err := p.reader(rels[order[0]])
	if err != nil {
		return nil, 0, err
	}
	p.readsFirst(rels[order[0]])
	rows := rels[order[0]].rows
	have := make(idSet)
	have.add(rels[order[0]].set)
	if op, rest, err = p.ready(op, rest, have, rels, len(order) == 1); err != nil {
		return nil, 0, err
	}
	for i, n := range order[1:] {
		r := rels[n]
		on := meeting(rest, have, r, rels)
		rest = without(rest, on)
		if op, rows, err = p.attach(exec.Inner, op, rows, &side{rel: r, rows: r.rows}, on); err != nil {
			return nil, 0, err
		}
		have.add(r.set)
		if op, rest, err = p.ready(op, rest, have, rels, i == len(order)-2); err != nil {
			return nil, 0, err
		}
	}
	op, err = p.filter(op, rows, queries)
	return op, rows, err
}

// ready filters by the conditions whose columns are there. At the end these are all.
func (p *planner) ready(op exec.Op, rest []fn.Expr, have idSet, rels []*relation, end bool) (exec.Op, []fn.Expr, error) {
	var now, later []fn.Expr
	for _, c := range rest {
		if end || columnsOf(c).within(all(rels)).in(have) {
			now = append(now, c)
		} else {
			later = append(later, c)
		}
	}
	if len(now) == 0 {
		return op, later, nil
	}
	placed, err := exec.PlaceAll(now, op.IDs(), p.cells)
	if err != nil {
		return nil, nil, err
	}
	return &exec.Filter{In: op, Conds: placed}, later, nil
}

func all(rels []*relation) idSet {
	out := make(idSet)
	for _, r := range rels {
		out.add(r.set)
	}
	return out
}

// meeting are the conditions that can be asked once r joins what is there.
func meeting(rest []fn.Expr, have idSet, r *relation, rels []*relation) (on []fn.Expr) {
	local := all(rels)
	both := make(idSet)
	both.add(have)
	both.add(r.set)
	for _, c := range rest {
		cols := columnsOf(c).within(local)
		if cols.in(both) && cols.meets(r.set) && cols.meets(have) {
			on = append(on, c)
		}
	}
	return on
}

func without(list, drop []fn.Expr) (out []fn.Expr) {
	for _, e := range list {
		gone := false
		for _, d := range drop {
			gone = gone || d == e
		}
		if !gone {
			out = append(out, e)
		}
	}
	return out
}

// step is the best way to join a set of relations.
type step struct {
	rows, cost float64
	last       int
	from       uint32
	set        idSet
	known      bool
}

// order finds the order in which relations are joined.
func (p *planner) order(rels []*relation, conds []fn.Expr) []int {
	if len(rels) > mostExact {
		return p.greedy(rels, conds)
	}
	best := make([]step, 1<<len(rels))
	for i, r := range rels {
		best[1<<i] = step{rows: r.rows, cost: r.cost, last: i, set: r.set, known: true}
	}
	for mask := uint32(1); mask < uint32(len(best)); mask++ {
		if b := &best[mask]; b.known && b.set == nil {
			b.set = make(idSet)
			for i, r := range rels {
				if mask>>i&1 == 1 {
					b.set.add(r.set)
				}
			}
		}
		connected := p.extend(best, mask, rels, conds, true)
		if !connected {
			p.extend(best, mask, rels, conds, false)
		}
	}
	var order []int
	for mask := uint32(len(best) - 1); mask != 0; mask = best[mask].from {
		order = append([]int{best[mask].last}, order...)
	}
	return order
}

// extend joins one more relation to a set: those alone that conditions connect, or any.
func (p *planner) extend(best []step, mask uint32, rels []*relation, conds []fn.Expr, connected bool) (any bool) {
	b := &best[mask]
	if !b.known {
		return true
	}
	for i, r := range rels {
		if mask>>i&1 == 1 {
			continue
		}
		on := meeting(conds, b.set, r, rels)
		if connected && len(on) == 0 {
			continue
		}
		any = true
		w := p.way(exec.Inner, b.rows, b.set, &side{rel: r, rows: r.rows}, on)
		next := &best[mask|1<<i]
		if cost := b.cost + w.cost; !next.known || cost < next.cost {
			*next = step{rows: w.rows, cost: cost, last: i, from: mask, known: true}
		}
	}
	return any
}

// greedy joins the cheapest relation next.
func (p *planner) greedy(rels []*relation, conds []fn.Expr) []int {
	var order []int
	have, rows, used := make(idSet), 0.0, uint32(0)
	for bits.OnesCount32(used) < len(rels) {
		pick, least, grown := -1, math.Inf(1), 0.0
		for i, r := range rels {
			if used>>i&1 == 1 {
				continue
			}
			cost, n := r.cost+r.rows, r.rows
			if len(order) > 0 {
				on := meeting(conds, have, r, rels)
				w := p.way(exec.Inner, rows, have, &side{rel: r, rows: r.rows}, on)
				if cost, n = w.cost+w.rows, w.rows; len(on) == 0 {
					cost *= 1000
				}
			}
			if cost < least {
				pick, least, grown = i, cost, n
			}
		}
		order, used, rows = append(order, pick), used|1<<pick, grown
		have.add(rels[pick].set)
	}
	return order
}

// early takes subqueries that depend on one relation alone to it, where it is smaller than what the
// joins give.
func (p *planner) early(rels []*relation, rest, queries []fn.Expr) (later []fn.Expr, err error) {
	if len(rels) < 2 || len(queries) == 0 {
		return queries, nil
	}
	final := p.finalRows(rels, rest)
	for _, c := range queries {
		q, ok := c.(*bind.Subquery)
		owner := (*relation)(nil)
		for _, r := range rels {
			if cols := columnsOf(c).within(all(rels)); len(cols) > 0 && cols.in(r.set) {
				owner = r
			}
		}
		if !ok || q.Kind == bind.Scalar || owner == nil || owner.rows*1.2 > final {
			later = append(later, c)
			continue
		}
		op, err := p.reader(owner)
		if err != nil {
			return nil, err
		}
		if op, err = p.filter(op, owner.rows, []fn.Expr{c}); err != nil {
			return nil, err
		}
		owner.base, owner.op, owner.ids, owner.conds, owner.own = nil, op, op.IDs(), nil, nil
		if q.Not {
			owner.rows *= 0.5
		} else {
			owner.rows = max(owner.rows*0.05, 1)
		}
		owner.cost = owner.rows
	}
	return later, nil
}

// finalRows is about how many rows the joins give.
func (p *planner) finalRows(rels []*relation, conds []fn.Expr) float64 {
	order := p.order(rels, conds)
	rows, have := rels[order[0]].rows, make(idSet)
	have.add(rels[order[0]].set)
	for _, n := range order[1:] {
		r := rels[n]
		rows = p.way(exec.Inner, rows, have, &side{rel: r, rows: r.rows}, meeting(conds, have, r, rels)).rows
		have.add(r.set)
	}
	return rows
}
