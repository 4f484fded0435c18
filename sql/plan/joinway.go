package plan

import (
	"emberdb/engine/catalog"
	"emberdb/engine/txn"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// side is the right side of a join.
type side struct {
	rel  *relation // nil: op
	op   exec.Op
	set  idSet
	rows float64
}

func (s *side) columns() idSet {
	if s.rel != nil {
		return s.rel.set
	}
	return s.set
}

// side plans the right side of an outer, semi or anti join.
func (p *planner) side(rels []*relation, conds []fn.Expr) (*side, error) {
	if len(rels) == 1 && rels[0].base != nil {
		rest, queries := split(rels, conds)
		if len(rest) == 0 && len(queries) == 0 {
			return &side{rel: rels[0], rows: rels[0].rows}, p.prepare(rels[0])
		}
		conds = append(append(rest, queries...), rels[0].conds...)
		rels[0].conds, rels[0].own = nil, nil
	}
	op, rows, err := p.joined(rels, conds)
	if err != nil {
		return nil, err
	}
	return &side{op: op, set: all(rels), rows: rows}, nil
}

// way is how a join is made.
type way struct {
	index  *catalog.Index // not nil: look-ups
	keys   []fn.Expr      // of the left side, in the order of the index's columns
	left   []fn.Expr      // hash join
	right  []fn.Expr
	keyers []types.Keyer
	on     []fn.Expr // what is asked about pairs beside the keys
	swap   bool      // the left side is kept
	first  bool      // the left side is read first
	rows   float64
	cost   float64
}

// way finds the cheapest way to join a side by some conditions.
func (p *planner) way(kind exec.JoinKind, rows float64, have idSet, s *side, on []fn.Expr) *way {
	w := &way{}
	cols := s.columns()
	var eqs []pair
	for _, c := range on {
		if a, b, ok := equality(c); ok {
			if e, ok := sides(a, b, have, cols); ok {
				e.cond = c
				eqs = append(eqs, e)
				w.left, w.right, w.keyers = append(w.left, e.left), append(w.right, e.right), append(w.keyers, e.keyer)
				continue
			}
		}
		w.on = append(w.on, c)
	}
	w.rows = p.pairs(rows, s, eqs)
	for range w.on {
		w.rows *= 0.6
	}
	sideCost := 0.0
	if s.rel != nil {
		sideCost = s.rel.cost
	}
	w.cost = sideCost + s.rows*costBuild + p.probes(kind, rows, w)
	if kind == exec.Inner && rows < s.rows {
		w.swap = true
		w.cost = sideCost + rows*costBuild + p.probes(kind, s.rows, w)
	}
	if kind != exec.Inner && kind != exec.NotIn && len(w.left) == 1 && w.right[0].Type().Kind.Integer() {
		found := min(w.rows, s.rows)
		if cost := sideCost + rows*(costBuild+costProbe) + found*costBuild + (s.rows-found)*costSift; cost < w.cost {
			w.cost, w.first = cost, true
		}
	}
	if kind != exec.NotIn && s.rel != nil && s.rel.base != nil {
		p.lookups(kind, w, rows, s, eqs, on)
	}
	w.cost += w.rows * costResult
	if kind > exec.Left {
		w.rows = max(rows*0.5, 1)
	}
	return w
}

// probes is what it costs to look rows up in a hash table. Those without a partner may be dropped
// where their keys are read.
func (p *planner) probes(kind exec.JoinKind, rows float64, w *way) float64 {
	if (kind == exec.Inner || kind == exec.Semi) && len(w.left) == 1 && w.left[0].Type().Kind.Integer() {
		found := min(w.rows, rows)
		return found*costProbe + (rows-found)*costSift
	}
	return rows * costProbe
}

// pair is an equality of the two sides of a join.
type pair struct {
	left, right fn.Expr
	plainLeft   fn.Expr
	plainRight  fn.Expr
	keyer       types.Keyer
	cond        fn.Expr
}

// sides tells which side of an equality belongs to which side of the join.
func sides(a, b fn.Expr, have, cols idSet) (e pair, ok bool) {
	ca, cb := columnsOf(a), columnsOf(b)
	if !ca.meets(cols) && cb.in(cols) && len(cb) > 0 {
	} else if !cb.meets(cols) && ca.in(cols) && len(ca) > 0 {
		a, b = b, a
	} else {
		return e, false
	}
	l, r, t, err := fn.Keys(a, b)
	if err != nil {
		return e, false
	}
	return pair{left: l, right: r, plainLeft: a, plainRight: b, keyer: types.KeyerOf(t)}, true
}

// pairs is about how many rows a join by equalities gives.
func (p *planner) pairs(rows float64, s *side, eqs []pair) float64 {
	out := rows * s.rows
	if len(eqs) == 0 {
		return max(out, 1)
	}
	if s.rel == nil || s.rel.base == nil {
		return max(min(out/max(s.rows, 1), out), 1)
	}
	best := 0.0
	for _, ix := range s.rel.base.Table.Def.Indexes {
		if !usable(ix) {
			continue
		}
		keys, _, fixed := p.matched(s.rel, ix, eqs)
		if len(keys) == 0 {
			continue
		}
		if fan, err := p.stats.fanout(s.rel.base.Table.Handle, ix, len(keys)); err != nil {
			continue
		} else if fixed {
			best = max(best, s.rows/fan)
		} else {
			best = max(best, s.rel.total/fan)
		}
	}
	best = max(best, p.fewer(eqs))
	if best == 0 {
		best = s.rel.total / 10 // distinct values where nothing is known
	}
	return max(out/max(best, 1), 1)
}

// matched are what gives the leading columns of an index their values: equalities with the other
// side, at least one, and values that conditions of the table itself fix. met are the equalities
// that hold for all rows that have the keys: those of integers.
func (p *planner) matched(r *relation, ix *catalog.Index, eqs []pair) (keys, met []fn.Expr, fixed bool) {
	joins := false
	for _, part := range ix.Parts {
		if part.Prefix > 0 {
			break
		}
		var key fn.Expr
		for _, e := range eqs {
			if key == nil && column(e.plainRight) == r.base.First+part.Column && keyed(e.plainRight.Type(), e.plainLeft.Type()) {
				if key, joins = e.plainLeft, true; key.Type().Kind.Integer() {
					met = append(met, e.cond)
				}
			}
		}
		if key == nil {
			if key = p.compared(r, r.conds, part.Column, "="); key == nil {
				break
			}
			fixed = true
		}
		keys = append(keys, key)
	}
	if !joins {
		return nil, nil, false
	}
	return keys, met, fixed
}

// lookups makes w look-ups in an index if that is cheaper.
func (p *planner) lookups(kind exec.JoinKind, w *way, rows float64, s *side, eqs []pair, on []fn.Expr) {
	def := s.rel.base.Table.Def
	for _, ix := range def.Indexes {
		if !s.rel.finds(ix) {
			continue
		}
		keys, met, _ := p.matched(s.rel, ix, eqs)
		if len(keys) == 0 {
			continue
		}
		fan, err := p.stats.fanout(s.rel.base.Table.Handle, ix, len(keys))
		if err != nil {
			continue
		}
		asked := without(on, met)
		if kind > exec.Left && len(asked) == 0 && len(s.rel.conds) == 0 {
			fan = 1 // the first one decides
		}
		one := costSeek + fan
		if !ix.Clustered && !covers(def, ix, s.rel.cols) {
			one += fan * costFetch
		}
		if cost := rows * one; cost < w.cost {
			w.cost, w.index, w.swap, w.first, w.keys = cost, ix, false, false, keys
			w.on = asked
		}
	}
}

// attach joins a side to an operator.
func (p *planner) attach(kind exec.JoinKind, l exec.Op, rows float64, s *side, on []fn.Expr) (exec.Op, float64, error) {
	w := p.way(kind, rows, setOf(l.IDs()), s, on)
	p.cost += w.cost
	if w.index != nil {
		op, err := p.lookupJoin(kind, l, s.rel, w)
		return op, w.rows, err
	}
	r := s.op
	if s.rel != nil {
		var err error
		if r, err = p.reader(s.rel); err != nil {
			return nil, 0, err
		}
		if s.rel.base != nil && s.rel.access.Index == nil {
			p.reads = append(p.reads, txn.SelectFullJoin)
		}
	}
	if len(w.left) == 0 {
		w.left, w.right, w.keyers = []fn.Expr{fn.IntConst(1)}, []fn.Expr{fn.IntConst(1)}, []types.Keyer{{}}
	}
	if w.swap {
		l, r, w.left, w.right = r, l, w.right, w.left
	}
	j := &exec.HashJoin{Kind: kind, L: l, R: r, Keyers: w.keyers, LeftFirst: w.first}
	var err error
	if j.LKeys, err = exec.PlaceAll(w.left, l.IDs(), p.cells); err != nil {
		return nil, 0, err
	}
	if j.RKeys, err = exec.PlaceAll(w.right, r.IDs(), p.cells); err != nil {
		return nil, 0, err
	}
	both := append(append([]int(nil), l.IDs()...), r.IDs()...)
	if j.On, err = exec.PlaceAll(w.on, both, p.cells); err != nil {
		return nil, 0, err
	}
	if j.Ids = both; kind > exec.Left {
		j.Ids = l.IDs()
	}
	for _, id := range r.IDs() {
		j.RightTypes = append(j.RightTypes, p.types[id])
	}
	return j, w.rows, nil
}

// lookupJoin joins a table by look-ups in an index.
func (p *planner) lookupJoin(kind exec.JoinKind, l exec.Op, r *relation, w *way) (exec.Op, error) {
	j := &exec.LookupJoin{Kind: kind, L: l, Table: r.base.Table.Handle, Index: w.index, Cols: r.cols, KeyID: r.base.KeyID, Locking: r.base.Locking}
	var err error
	if j.Keys, err = exec.PlaceAll(w.keys, l.IDs(), p.cells); err != nil {
		return nil, err
	}
	both := append(append([]int(nil), l.IDs()...), r.ids...)
	if j.KeyID != 0 {
		both = append(both, j.KeyID)
	}
	if j.On, err = exec.PlaceAll(append(append([]fn.Expr(nil), r.conds...), w.on...), both, p.cells); err != nil {
		return nil, err
	}
	if j.Ids = both; kind > exec.Left {
		j.Ids = l.IDs()
	}
	return j, nil
}
