package plan

import (
	"slices"

	"emberdb/engine/table"
	"emberdb/sql/bind"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Rows that FOR UPDATE or FOR SHARE locks keep others waiting, so that it counts which rows a plan
// reads.

// locked tells whether rows of a table among these are locked by a clause of its block, and not to
// be changed.
func locked(src bind.Source) bool {
	switch s := src.(type) {
	case *bind.Base:
		return s.Locking.Lock != table.None && s.KeyID == 0
	case *bind.Join:
		return locked(s.L) || locked(s.R)
	}
	return false
}

// few refuses the first rows of a join in an order where rows are locked: MySQL may find them before
// it reads the others.
func few(q *bind.Query) error {
	if _, joins := q.From.(*bind.Join); joins && q.Limit >= 0 && len(q.Order) > 0 && !q.Grouped && locked(q.From) {
		return fn.Refuse(fn.ByStatement, "the first rows of a join that are locked")
	}
	return nil
}

// joinNamed joins the different values that IN or EXISTS names, where rows are locked: so the rows of
// the tables can be found by them. It returns nil if the query is another one.
func (p *planner) joinNamed(rels []*relation, q *bind.Subquery) (r *relation, eq fn.Expr, err error) {
	if locks := func(r *relation) bool { return r.base != nil && locked(r.base) }; !slices.ContainsFunc(rels, locks) || q.Not {
		return nil, nil, nil
	}
	if q.Kind == bind.Exists {
		q = asIn(q, all(rels))
	}
	if q == nil || q.Kind != bind.InQuery || len(q.Query.Outer) > 0 || !plain(q.Query) || q.Query.From == nil || hasSubquery(q.X) {
		return nil, nil, nil
	}
	item, x := q.Query.Items[0].Expr.Type(), q.X.Type()
	if !keyed(x, item) || x.Kind == types.Enum || item.Kind == types.String && item.Collation != x.Collation {
		return nil, nil, nil
	}
	inner := *q.Query
	inner.Distinct, inner.Order = true, nil
	d := &bind.Derived{Query: &inner, First: p.id()}
	p.types[d.First], p.uses[d.First] = item, 1
	if r, err = p.derived(d); err != nil {
		return nil, nil, err
	}
	eq, err = fn.Compare("=", fn.Clone(q.X), &fn.Column{ID: d.First, T: item})
	return r, eq, err
}

// asIn is EXISTS of a query that depends on columns of rels by one equality alone, as IN; nil: it is
// another one.
func asIn(q *bind.Subquery, rels idSet) *bind.Subquery {
	in := *q.Query
	outer := setOf(in.Outer)
	if !plain(&in) || in.From == nil || joinsDepend(in.From, outer) || !outer.in(rels) {
		return nil
	}
	var x, item fn.Expr
	in.Where = nil
	for _, c := range q.Query.Where {
		if !columnsOf(c).meets(outer) {
			in.Where = append(in.Where, c)
			continue
		}
		a, b, ok := equality(c)
		if columnsOf(a).meets(outer) {
			a, b = b, a
		}
		if !ok || x != nil || columnsOf(a).meets(outer) || !columnsOf(b).in(outer) {
			return nil
		}
		item, x = a, b
	}
	if x == nil {
		return nil
	}
	in.Items, in.Outer = []bind.Item{{Expr: item}}, nil
	return &bind.Subquery{Kind: bind.InQuery, Query: &in, X: x, T: q.T}
}
