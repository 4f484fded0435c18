package plan

import (
	"slices"

	"emberdb/sql/bind"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// filter lets rows pass for which conditions hold, which may have subqueries.
func (p *planner) filter(op exec.Op, rows float64, conds []fn.Expr) (exec.Op, error) {
	var plain []fn.Expr
	var err error
	for _, c := range conds {
		if !hasSubquery(c) {
			plain = append(plain, c)
		}
	}
	if op, err = p.pass(op, plain); err != nil {
		return nil, err
	}
	for _, c := range conds {
		if !hasSubquery(c) {
			continue
		}
		if call, ok := c.(*fn.Call); ok && call.Name == "not" {
			if q, ok := call.Args[0].(*bind.Subquery); ok && q.Kind != bind.Scalar {
				n := *q
				n.Not = !n.Not
				c = &n
			}
		}
		if q, ok := c.(*bind.Subquery); ok && q.Kind != bind.Scalar {
			if op, err = p.semi(op, rows, q); err != nil {
				return nil, err
			}
			rows = max(rows*0.5, 1)
			continue
		}
		var value fn.Expr
		if op, value, err = p.values(op, rows, c); err != nil {
			return nil, err
		}
		if op, err = p.pass(op, []fn.Expr{value}); err != nil {
			return nil, err
		}
		rows = max(rows*0.4, 1)
	}
	return op, nil
}

func (p *planner) pass(op exec.Op, conds []fn.Expr) (exec.Op, error) {
	if len(conds) == 0 {
		return op, nil
	}
	placed, err := exec.PlaceAll(conds, op.IDs(), p.cells)
	if err != nil {
		return nil, err
	}
	return &exec.Filter{In: op, Conds: placed}, nil
}

// values makes the subqueries of an expression columns of the operator.
func (p *planner) values(op exec.Op, rows float64, e fn.Expr) (exec.Op, fn.Expr, error) {
	if !hasSubquery(e) {
		return op, e, nil
	}
	var err error
	out := fn.Rewrite(e, func(x fn.Expr) fn.Expr {
		q, ok := x.(*bind.Subquery)
		if !ok || err != nil {
			return nil
		}
		if q.Kind != bind.Scalar {
			var e fn.Expr
			if op, e, err = p.truth(op, rows, q); err != nil {
				return nil
			}
			return e
		}
		a := p.applyGroups(op, rows, q.Query)
		if a == nil {
			if a, err = p.apply(exec.ApplyScalar, op, rows, q.Query); err != nil {
				return nil
			}
		}
		id := p.id()
		p.types[id] = q.T
		a.T, a.Ids = q.T, append(append([]int(nil), op.IDs()...), id)
		op = a
		return &fn.Column{ID: id, T: q.T}
	})
	return op, out, err
}

// truth makes a column of EXISTS or IN: for each row whether it holds.
func (p *planner) truth(op exec.Op, rows float64, q *bind.Subquery) (exec.Op, fn.Expr, error) {
	mark := func(inner *bind.Query) (fn.Expr, error) {
		a, err := p.apply(exec.ApplyMark, op, rows, inner)
		if err != nil {
			return nil, err
		}
		id, t := p.id(), types.BoolType(false)
		p.types[id] = t
		a.T, a.Ids = t, append(append([]int(nil), op.IDs()...), id)
		op = a
		return &fn.Column{ID: id, T: t}, nil
	}
	before := p.cost
	var holds fn.Expr
	var err error
	if q.Kind == bind.Exists {
		holds, err = mark(q.Query)
	} else {
		var equal, unknown *bind.Query
		if equal, err = p.matching(q, func(eq fn.Expr) (fn.Expr, error) { return eq, nil }); err != nil {
			return nil, nil, err
		}
		if unknown, err = p.matching(q, func(eq fn.Expr) (fn.Expr, error) { return fn.IsNull(eq), nil }); err != nil {
			return nil, nil, err
		}
		var some, maybe fn.Expr
		if some, err = mark(equal); err != nil {
			return nil, nil, err
		}
		if maybe, err = mark(unknown); err != nil {
			return nil, nil, err
		}
		holds, err = fn.NewCase([]fn.Expr{some, maybe}, []fn.Expr{fn.IntConst(1), fn.NullConst(), fn.IntConst(0)})
	}
	if err == nil && q.Not {
		holds, err = fn.Not(holds)
	}
	if err == nil {
		err = p.repeated(q, before)
	}
	return op, holds, err
}

// mostRepeated is how many rows a query that depends on no row may look at in all, where it runs
// for each value anew.
const mostRepeated = 2e6

// repeated refuses a query that would better run once.
func (p *planner) repeated(q *bind.Subquery, before float64) error {
	if q.Kind == bind.InQuery && len(q.Query.Outer) == 0 && p.cost-before > mostRepeated {
		return fn.Refuse(fn.BySubquery, "IN of many rows for many values")
	}
	return nil
}

// matching are the rows of the query of IN for which what cond makes of the equality holds.
func (p *planner) matching(q *bind.Subquery, cond func(eq fn.Expr) (fn.Expr, error)) (*bind.Query, error) {
	if hasSubquery(q.X) {
		return nil, fn.Refuse(fn.BySubquery, "IN of a value that is a subquery")
	}
	d := &bind.Derived{Query: q.Query, First: p.id()}
	item := &fn.Column{ID: d.First, T: q.Query.Items[0].Expr.Type()}
	p.types[d.First] = item.T
	eq, err := fn.Compare("=", fn.Clone(q.X), item)
	if err != nil {
		return nil, err
	}
	if eq, err = cond(eq); err != nil {
		return nil, err
	}
	outer := columnsOf(q.X)
	outer.add(setOf(q.Query.Outer))
	w := &bind.Query{From: d, Where: []fn.Expr{eq}, Limit: -1, Items: []bind.Item{{Expr: fn.IntConst(1)}}}
	for id := range outer {
		w.Outer = append(w.Outer, id)
	}
	slices.Sort(w.Outer)
	return w, nil
}

// apply runs a query for each value of the columns that it depends on.
func (p *planner) apply(kind exec.ApplyKind, op exec.Op, rows float64, q *bind.Query) (*exec.Apply, error) {
	a := &exec.Apply{Kind: kind, L: op, Ids: op.IDs()}
	var err error
	if a.Outer, err = p.outer(op, q.Outer); err != nil {
		return nil, err
	}
	before := p.cost
	inner, _, err := p.query(q)
	if err != nil {
		return nil, err
	}
	if len(a.Bind) > 0 {
		p.cost += (p.cost - before) * min(rows, 1e6)
	}
	a.Inner = inner
	return a, nil
}

// outer gives the columns of an operator that a query depends on cells.
func (p *planner) outer(op exec.Op, ids []int) (out exec.Outer, err error) {
	out.Cells = p.cells
	mine := setOf(op.IDs())
	for _, id := range ids {
		if !mine[id] {
			if _, further := p.cells[id]; !further {
				return out, fn.Refuse(fn.BySubquery, "a query that depends on columns out of reach")
			}
			continue
		}
		p.cells[id] = nil
		e, err := exec.Place(&fn.Column{ID: id, T: p.types[id]}, op.IDs(), p.cells)
		if err != nil {
			return out, err
		}
		out.Bind, out.Exprs = append(out.Bind, id), append(out.Exprs, e)
	}
	return out, nil
}

// semi lets rows pass for which a query has rows, or has none.
func (p *planner) semi(op exec.Op, rows float64, q *bind.Subquery) (exec.Op, error) {
	in := q.Query
	kind := exec.Semi
	if q.Not {
		kind = exec.Anti
	}
	outer := setOf(in.Outer)
	if !plain(in) || in.From == nil {
		if q.Kind == bind.InQuery && len(in.Outer) == 0 {
			return p.inRows(op, rows, q, kind)
		}
		return p.exists(op, rows, q)
	}
	var local, on []fn.Expr
	for _, c := range in.Where {
		if columnsOf(c).meets(outer) {
			if hasSubquery(c) {
				return p.exists(op, rows, q)
			}
			on = append(on, c)
		} else {
			local = append(local, c)
		}
	}
	if joinsDepend(in.From, outer) || q.Kind == bind.Exists && len(on) == 0 {
		return p.exists(op, rows, q)
	}
	if !setOf(in.Outer).in(setOf(op.IDs())) {
		return p.exists(op, rows, q)
	}
	if q.Kind == bind.InQuery {
		item := in.Items[0].Expr
		if hasSubquery(item) || hasSubquery(q.X) || columnsOf(item).meets(outer) {
			return p.exists(op, rows, q)
		}
		if q.Not && (q.X.Type().Nullable || item.Type().Nullable) {
			if len(on) > 0 {
				return p.exists(op, rows, q)
			}
			kind = exec.NotIn
		}
		eq, err := fn.Compare("=", q.X, item)
		if err != nil {
			return nil, err
		}
		on = append(on, eq)
	}
	rels, err := p.flatten(nil, in.From, &local)
	if err != nil {
		return nil, err
	}
	s, err := p.side(rels, factor(local))
	if err != nil {
		return nil, err
	}
	if kind == exec.NotIn {
		if w := p.way(kind, rows, setOf(op.IDs()), s, on); len(w.on) > 0 || len(w.left) != 1 {
			return p.exists(op, rows, q)
		}
	}
	joined, _, err := p.attach(kind, op, rows, s, on)
	return joined, err
}

// joinsDepend tells whether the conditions of joins, or derived tables, depend on outer columns.
func joinsDepend(s bind.Source, outer idSet) bool {
	if d, ok := s.(*bind.Derived); ok {
		return setOf(d.Query.Outer).meets(outer)
	}
	j, ok := s.(*bind.Join)
	if !ok {
		return false
	}
	if j.On != nil && columnsOf(j.On).meets(outer) {
		return true
	}
	return joinsDepend(j.L, outer) || joinsDepend(j.R, outer)
}

// exists runs a query for each value of the columns that it depends on, and asks whether it has
// rows.
func (p *planner) exists(op exec.Op, rows float64, q *bind.Subquery) (exec.Op, error) {
	kind, inner := exec.ApplySemi, q.Query
	if q.Not {
		kind = exec.ApplyAnti
	}
	if q.Kind == bind.InQuery {
		var err error
		inner, err = p.matching(q, func(eq fn.Expr) (fn.Expr, error) {
			if q.Not { // an equality that is unknown is enough for NOT IN not to hold
				return fn.Not(fn.Is(eq, false))
			}
			return eq, nil
		})
		if err != nil {
			return nil, err
		}
	}
	before := p.cost
	a, err := p.apply(kind, op, rows, inner)
	if err == nil {
		err = p.repeated(q, before)
	}
	return a, err
}

// inRows is IN of a query that depends on no row.
func (p *planner) inRows(op exec.Op, rows float64, q *bind.Subquery, kind exec.JoinKind) (exec.Op, error) {
	inner, n, err := p.query(q.Query)
	if err != nil {
		return nil, err
	}
	t := q.Query.Items[0].Expr.Type()
	if hasSubquery(q.X) {
		return nil, fn.Refuse(fn.BySubquery, "IN of a value that is a subquery")
	}
	if q.Not && (q.X.Type().Nullable || t.Nullable) {
		kind = exec.NotIn
	}
	item := &fn.Column{ID: inner.IDs()[0], T: t}
	eq, err := fn.Compare("=", q.X, item)
	if err != nil {
		return nil, err
	}
	s := &side{op: inner, set: setOf(inner.IDs()), rows: n}
	joined, _, err := p.attach(kind, op, rows, s, []fn.Expr{eq})
	return joined, err
}
