package bind

import (
	"slices"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// MySQL describes a column of the result by where it reads the value last: in the table, in the
// expression, or in a temporary table. Clients see the difference: a temporary table keeps no keys,
// and its integers are INT or BIGINT. Which queries go through a temporary table depends on MySQL's
// plan; usesTemporary knows the usual ones.

// describe notes which items of a block MySQL reads from a temporary table. The first keys of its
// groups are those of GROUP BY.
func (q *Query) describe(keys int) {
	temporary := q.usesTemporary(keys)
	for i := range q.Items {
		it := &q.Items[i]
		column := it.Origin.OrgName != ""
		switch {
		case q.Rollup && column:
			it.Origin, it.Stored = Origin{}, temporary
		case column:
			it.Origin.Kept = it.Origin.Kept || temporary
		case temporary:
			it.Stored = q.stores(it.Expr)
		}
	}
}

// usesTemporary tells whether the rows of a block go through a temporary table.
func (q *Query) usesTemporary(keys int) bool {
	switch {
	case len(q.Windows) > 0, slices.ContainsFunc(q.Order, func(o Order) bool { yes, _ := fn.Varies(o.Expr); return yes }):
		return true
	case q.Rollup:
		_, join := q.From.(*Join)
		return join || q.Distinct || len(q.Order) > 0
	case keys > 0 && len(q.Aggs) == 0 && q.unique(q.groupIDs()): // each row is a group
		return false
	case keys > 0:
		return q.Distinct || !q.streams(keys)
	case q.Distinct && !q.Grouped:
		return !q.unique(q.itemIDs())
	}
	return false
}

// stores tells whether a temporary table has a column for an expression: for what is computed
// before groups are made, and for anything with a window function in it. DISTINCT stores all but
// constants and plain aggregates.
func (q *Query) stores(e fn.Expr) bool {
	aggregates := false
	fn.Walk(e, func(x fn.Expr) bool {
		for _, a := range q.Aggs {
			aggregates = aggregates || a.ID == columnID(x)
		}
		return true
	})
	switch e.(type) {
	case *fn.Const:
		return false
	case *fn.Column:
		return !aggregates
	}
	return !aggregates || q.Distinct || usesWindow(e, q.Windows)
}

// streams tells whether groups come one after the other along an index of the first table, the
// others being looked up.
func (q *Query) streams(keys int) bool {
	first := q.From
	for {
		j, ok := first.(*Join)
		if !ok {
			break
		}
		if r, ok := j.R.(*Base); !ok || !q.lookedUp(r, j.On) {
			return false
		}
		first = j.L
	}
	b, ok := first.(*Base)
	if !ok || len(q.Order) > keys {
		return false
	}
	for i := range q.Order {
		if fn.Key(q.Order[i].Expr) != fn.Key(q.Groups[i].Expr) {
			return false
		}
	}
	for _, ix := range b.Table.Def.Indexes {
		if ordinary(ix) && len(ix.Parts) >= keys && q.groupedBy(b, ix.Parts[:keys]) {
			return true
		}
	}
	return false
}

// ordinary tells an index that reads may use as it is.
func ordinary(ix *catalog.Index) bool { return ix.Kind == "" && !ix.Invisible && !ix.Building }

func (q *Query) groupedBy(b *Base, parts []row.KeyPart) bool {
	for _, p := range parts {
		if p.Prefix > 0 || !grouped(q, b.First+p.Column) {
			return false
		}
	}
	return true
}

// lookedUp tells whether an index of a table begins with a column that a condition equals with
// another one.
func (q *Query) lookedUp(r *Base, on fn.Expr) bool {
	conds := q.Where
	if on != nil {
		conds = fn.Conjuncts(conds[:len(conds):len(conds)], on)
	}
	for _, c := range conds {
		call, ok := c.(*fn.Call)
		if !ok || call.Name != "=" {
			continue
		}
		for _, ix := range r.Table.Def.Indexes {
			if first := r.First; ordinary(ix) && len(ix.Parts) > 0 {
				first += ix.Parts[0].Column
				if columnID(call.Args[0]) == first || columnID(call.Args[1]) == first {
					return true
				}
			}
		}
	}
	return false
}

// unique tells whether columns have a unique key of the only table among them, so that no two rows
// are the same.
func (q *Query) unique(ids map[int]bool) bool {
	b, ok := q.From.(*Base)
	if !ok {
		return false
	}
	for _, ix := range b.Table.Def.Indexes {
		all := ordinary(ix) && ix.Unique && len(ix.Parts) > 0
		for _, p := range ix.Parts {
			all = all && p.Prefix == 0 && ids[b.First+p.Column] && !b.Table.Def.Columns[p.Column].Nullable
		}
		if all {
			return true
		}
	}
	return false
}

func (q *Query) itemIDs() map[int]bool {
	ids := make(map[int]bool)
	for i := range q.Items {
		ids[columnID(q.Items[i].Expr)] = true
	}
	return ids
}

func (q *Query) groupIDs() map[int]bool {
	ids := make(map[int]bool)
	for i := range q.Groups {
		ids[columnID(q.Groups[i].Expr)] = true
	}
	return ids
}

// columnID is the ID of a column, 0 for another expression.
func columnID(e fn.Expr) int {
	if c, ok := e.(*fn.Column); ok {
		return c.ID
	}
	return 0
}

// merges tells a derived table that MySQL reads in place, without a temporary table.
func (q *Query) merges() bool {
	return q.From != nil && q.Union == nil && q.Recursion == nil && !q.Grouped && !q.Distinct && q.Limit < 0 &&
		len(q.Having) == 0 && len(q.Windows) == 0
}

// Described is the type that clients are told.
func (it *Item) Described() types.Type {
	if it.Stored {
		return it.Expr.Type().Stored()
	}
	return it.Expr.Type()
}
