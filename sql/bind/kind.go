package bind

import "emberdb/sql/fn"

// Involved tells whether a query is more than tables that are joined, grouped and sorted, with IN
// and EXISTS over rows of one table, or that columns follow from the keys of its groups in a way of
// their own. Such a query has no compiled program, so the executor runs it at any size.
func Involved(q *Query) bool {
	if q.Union != nil || q.Recursion != nil || len(q.Windows) > 0 || q.Rollup || q.follows || involvedSource(q.From) {
		return true
	}
	yes := false
	q.EachExpr(func(e fn.Expr) {
		fn.Walk(e, func(x fn.Expr) bool {
			if s, ok := x.(*Subquery); ok {
				yes = yes || s.involved()
			}
			return !yes
		})
	})
	for i := range q.Items {
		fn.Walk(q.Items[i].Expr, func(x fn.Expr) bool {
			_, is := x.(*Subquery)
			yes = yes || is
			return !yes
		})
	}
	return yes
}

// involvedSource tells derived tables, and joins by names within other joins.
func involvedSource(s Source) bool {
	j, ok := s.(*Join)
	if !ok {
		_, table := s.(*Base)
		return !table && s != nil
	}
	for _, in := range []Source{j.L, j.R} {
		inner, nested := in.(*Join)
		if involvedSource(in) || nested && (j.ByNames || inner.ByNames) {
			return true
		}
	}
	return false
}

// involved tells all subqueries but IN and EXISTS over rows of one table.
func (e *Subquery) involved() bool {
	in := *e.Query
	if e.Kind == Exists && in.Limit > 0 && in.Offset == 0 { // the first row decides
		in.Limit = -1
	}
	_, table := in.From.(*Base)
	return e.Kind == Scalar || !table || !selective(&in) || Involved(&in)
}
