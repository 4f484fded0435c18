package plan

import (
	"emberdb/sql/bind"
	"emberdb/sql/fn"
)

// merge puts the tables of derived tables that are nothing but a selection of columns and rows in
// their place.
func merge(q *bind.Query) {
	for _, u := range inner(q) {
		merge(u)
	}
	each(q, func(e fn.Expr) {
		fn.Walk(e, func(x fn.Expr) bool {
			if s, ok := x.(*bind.Subquery); ok {
				merge(s.Query)
			}
			return true
		})
	}, func(d *bind.Derived) { merge(d.Query) })
	if q.Union == nil && q.Recursion == nil && q.From != nil {
		q.From = mergeSource(q, q.From)
	}
}

// mergeSource merges the derived tables of a source whose rows are never missing.
func mergeSource(q *bind.Query, s bind.Source) bind.Source {
	switch s := s.(type) {
	case *bind.Join:
		s.L = mergeSource(q, s.L)
		if s.Kind == bind.Inner {
			s.R = mergeSource(q, s.R)
		}
	case *bind.Derived:
		if d := s.Query; plain(d) && d.From != nil && len(d.Order) == 0 && !watched(q, s) && !quotients(q, s) {
			replace(q, s)
			q.Where = append(q.Where, d.Where...)
			return d.From
		}
	}
	return s
}

// plain tells a query that is nothing but a selection of columns and rows.
func plain(q *bind.Query) bool {
	return q.Union == nil && q.Recursion == nil && !q.Grouped && !q.Distinct && q.Limit < 0 && len(q.Having) == 0 && len(q.Windows) == 0
}

// watched tells whether a subquery depends on columns of a derived table, or one of its columns is
// a subquery.
func watched(q *bind.Query, d *bind.Derived) (yes bool) {
	for i := range d.Query.Items {
		yes = yes || hasSubquery(d.Query.Items[i].Expr)
	}
	each(q, func(e fn.Expr) {
		fn.Walk(e, func(x fn.Expr) bool {
			if s, ok := x.(*bind.Subquery); ok {
				for _, id := range s.Query.Outer {
					yes = yes || id >= d.First && id < d.First+len(d.Query.Items)
				}
			}
			return true
		})
	}, func(*bind.Derived) {})
	return yes
}

// quotients tells whether the groups of a query are made by quotients of a derived table. These have
// the digits of their type only where they are kept.
func quotients(q *bind.Query, d *bind.Derived) (yes bool) {
	for i := range q.Groups {
		for id := range columnsOf(q.Groups[i].Expr) {
			if id < d.First || id >= d.First+len(d.Query.Items) {
				continue
			}
			fn.Walk(d.Query.Items[id-d.First].Expr, func(e fn.Expr) bool {
				call, ok := e.(*fn.Call)
				yes = yes || ok && call.Name == "/"
				return !yes
			})
		}
	}
	return yes
}

// replace puts the expressions of a derived table in the place of its columns. What is computed
// behind groups refers to these, whose keys keep the IDs of the columns.
func replace(q *bind.Query, d *bind.Derived) {
	over := func(e fn.Expr) fn.Expr {
		return fn.Rewrite(e, func(x fn.Expr) fn.Expr {
			if c, ok := x.(*fn.Column); ok && c.ID >= d.First && c.ID < d.First+len(d.Query.Items) {
				return fn.Clone(d.Query.Items[c.ID-d.First].Expr)
			}
			return nil
		})
	}
	var from func(s bind.Source)
	from = func(s bind.Source) {
		if j, ok := s.(*bind.Join); ok {
			from(j.L)
			from(j.R)
			if j.On != nil {
				j.On = over(j.On)
			}
		}
	}
	from(q.From)
	all := func(list []fn.Expr) {
		for i := range list {
			list[i] = over(list[i])
		}
	}
	all(q.Where)
	for i := range q.Groups {
		q.Groups[i].Expr = over(q.Groups[i].Expr)
	}
	for _, a := range q.Aggs {
		if a.Arg != nil {
			a.Arg = over(a.Arg)
		}
		for i := range a.Order {
			a.Order[i].Expr = over(a.Order[i].Expr)
		}
	}
	if q.Grouped {
		return
	}
	all(q.Having)
	for _, w := range q.Windows {
		w.EachExpr(over)
	}
	for i := range q.Items {
		q.Items[i].Expr = over(q.Items[i].Expr)
	}
	for i := range q.Order {
		q.Order[i].Expr = over(q.Order[i].Expr)
	}
}
