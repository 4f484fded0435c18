package bind

import "emberdb/sql/fn"

// vary refuses a block that asks for a varying call twice, or where the planner may ask more often
// than once for a row: in windows, joins and orders within groups. What is selected and what is
// ordered by is one place.
func (q *Query) vary() error {
	all, known := make(map[int]int), make(map[int]int)
	branches := false
	q.EachExpr(func(e fn.Expr) {
		fn.CallsOf(e, all)
		_, seeded := fn.Varies(e)
		branches = branches || seeded && fn.Branches(e)
	})
	if q.Varies = len(all) > 0; !q.Varies {
		return nil
	}
	for i := range q.Groups {
		fn.CallsOf(q.Groups[i].Expr, known)
	}
	for _, a := range q.Aggs {
		if a.Arg != nil && !a.Distinct {
			fn.CallsOf(a.Arg, known)
		}
	}
	for _, e := range q.Having {
		fn.CallsOf(e, known)
	}
	for _, e := range q.Where {
		if yes, seeded := fn.Varies(e); yes && (seeded && len(q.Where) > 1 || holdsQuery(e)) {
			return fn.Refuse(fn.ByFunction, "a condition on a sequence of random numbers")
		}
		fn.CallsOf(e, known)
	}
	for i := range q.Items {
		fn.CallsOf(q.Items[i].Expr, known)
	}
	for i := range q.Order {
		if !among(q.Items, q.Order[i].Expr) {
			fn.CallsOf(q.Order[i].Expr, known)
		}
	}
	for n := range all {
		if known[n] != 1 || branches {
			return fn.Refuse(fn.ByFunction, "a value that is another one each time")
		}
	}
	return nil
}

func holdsQuery(e fn.Expr) (yes bool) {
	fn.Walk(e, func(x fn.Expr) bool {
		_, is := x.(*Subquery)
		yes = yes || is
		return !yes
	})
	return yes
}
