package plan

import (
	"math"
	"slices"

	"emberdb/sql/bind"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// applyGroups plans a query of aggregates that depends on columns of op, such as
//
//	SELECT SUM(a) FROM t WHERE t.k = op.k
//
// for many of their values at once: these values are joined with the tables of the query, and the
// rows of each combination make a group. nil: the query is not of that kind.
func (p *planner) applyGroups(op exec.Op, rows float64, q *bind.Query) *exec.Apply {
	if !p.groupable(op, q) {
		return nil
	}
	cost, reads, fails := p.cost, p.reads, p.fails
	a, err := p.planGroups(op, rows, q)
	if err != nil { // it may be planned the other way
		p.cost, p.reads, p.fails = cost, reads, fails
		return nil
	}
	return a
}

// groupable tells queries whose groups can be made together.
func (p *planner) groupable(op exec.Op, q *bind.Query) bool {
	in := *q
	in.Grouped = false
	if !q.Grouped || len(q.Groups) > 0 || q.Rollup || !plain(&in) || q.From == nil || len(q.Items) != 1 || len(q.Outer) == 0 {
		return false
	}
	outer := setOf(q.Outer)
	if !outer.in(setOf(op.IDs())) || columnsOf(q.Items[0].Expr).meets(outer) || joinsDepend(q.From, outer) {
		return false
	}
	if slices.ContainsFunc(q.Aggs, func(a *bind.Aggregate) bool { return a.Kind == fn.JSONArray }) {
		return false // its elements come in the order of the rows
	}
	queries := fn.Uneven(q.Items[0].Expr)
	q.EachExpr(func(e fn.Expr) { queries = queries || hasSubquery(e) })
	return !queries && baseTables(q.From)
}

// baseTables tells sources that are joins of tables alone.
func baseTables(s bind.Source) bool {
	switch s := s.(type) {
	case *bind.Base:
		return true
	case *bind.Join:
		return !isLateral(s) && baseTables(s.L) && baseTables(s.R)
	}
	return false
}

func (p *planner) planGroups(op exec.Op, rows float64, q *bind.Query) (*exec.Apply, error) {
	a := &exec.Apply{Kind: exec.ApplyScalar, L: op, Given: &exec.Given{}}
	var err error
	combinations := p.combinations(rows, q.Outer)
	given := &relation{op: a.Given, set: make(idSet), rows: max(min(combinations, types.BatchRows), 1)}
	given.total, given.cost = given.rows, given.rows
	add := func(t types.Type) *fn.Column {
		c := &fn.Column{ID: p.id(), T: t}
		p.types[c.ID], p.uses[c.ID] = t, math.MaxInt // all are needed
		given.ids, given.set[c.ID] = append(given.ids, c.ID), true
		return c
	}
	inner := make(map[int]*fn.Column)
	for _, id := range q.Outer {
		inner[id] = add(p.types[id])
		e, err := exec.Place(&fn.Column{ID: id, T: p.types[id]}, op.IDs(), nil)
		if err != nil {
			return nil, err
		}
		a.Exprs = append(a.Exprs, e)
	}
	number := add(types.IntType(8, false))
	a.Given.Ids = given.ids
	one := withColumns(q, inner)
	one.Groups = []bind.Group{{Expr: number, ID: p.id()}}
	p.types[one.Groups[0].ID] = number.T

	conds := one.Where
	rels, err := p.flatten([]*relation{given}, q.From, &conds)
	if err != nil {
		return nil, err
	}
	before := p.cost
	joined, n, err := p.joined(rels, factor(conds))
	if err != nil {
		return nil, err
	}
	p.cost += (p.cost - before) * max(min(combinations, 1e6)/types.BatchRows-1, 0)
	if joined, _, err = p.group(one, joined, n); err != nil {
		return nil, err
	}
	item := one.Items[0].Expr
	if a.Inner, err = p.project(joined, []fn.Expr{&fn.Column{ID: one.Groups[0].ID, T: number.T}, item}); err != nil {
		return nil, err
	}
	if a.Empty, err = p.emptyGroup(q); err != nil {
		return nil, err
	}
	return a, nil
}

// combinations is about how many different values some columns have in so many rows: no more than
// the relations that they are of have rows.
func (p *planner) combinations(rows float64, ids []int) float64 {
	most := 1.0
	counted := make(map[*relation]bool)
	for _, id := range ids {
		r := p.owners[id]
		if r == nil {
			return rows
		}
		if !counted[r] {
			counted[r], most = true, most*r.rows
		}
	}
	return min(rows, most)
}

// emptyGroup plans a query of aggregates as if no row came to it.
func (p *planner) emptyGroup(q *bind.Query) (exec.Op, error) {
	named := make(idSet)
	for _, a := range q.Aggs {
		if a.Arg != nil {
			named.add(columnsOf(a.Arg))
		}
		for _, o := range a.Order {
			named.add(columnsOf(o.Expr))
		}
	}
	none := &exec.Given{}
	for id := range named {
		none.Ids = append(none.Ids, id)
	}
	op, _, err := p.group(q, none, 1)
	if err != nil {
		return nil, err
	}
	return p.project(op, []fn.Expr{q.Items[0].Expr})
}

// withColumns is a query with other columns in place of some.
func withColumns(q *bind.Query, cols map[int]*fn.Column) *bind.Query {
	over := func(e fn.Expr) fn.Expr {
		return fn.Rewrite(e, func(x fn.Expr) fn.Expr {
			if c, ok := x.(*fn.Column); ok && cols[c.ID] != nil {
				return fn.Clone(cols[c.ID])
			}
			return nil
		})
	}
	out := *q
	out.Where, out.Aggs, out.Outer = nil, nil, nil
	for _, c := range q.Where {
		out.Where = append(out.Where, over(c))
	}
	for _, a := range q.Aggs {
		agg := *a
		if a.Arg != nil {
			agg.Arg = over(a.Arg)
		}
		agg.Order = nil
		for _, o := range a.Order {
			o.Expr = over(o.Expr)
			agg.Order = append(agg.Order, o)
		}
		out.Aggs = append(out.Aggs, &agg)
	}
	return &out
}
