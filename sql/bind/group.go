package bind

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// groupBy binds GROUP BY.
func (b *binder) groupBy(s *scope, out *Query, g *ast.GroupBy) error {
	if g == nil {
		return nil
	}
	if g.Rollup != ast.NoRollup {
		return fn.Refuse(fn.ByGroup, "ROLLUP")
	}
	out.Grouped = true
	aggs := out.Aggs
	for i := range g.Items {
		it := &g.Items[i]
		if it.Direction != ast.NoDirection {
			return fn.Refuse(fn.ByGroup, "GROUP BY in an order")
		}
		var e fn.Expr
		if n, ok, err := ordinal(it.X, len(out.Items)); err != nil {
			return err
		} else if ok {
			e = fn.Clone(out.Items[n].Expr)
		} else if e, err = b.expr(&exprs{scope: s, items: out.Items}, it.X); err != nil {
			return err
		}
		if err := groupable(e, aggs); err != nil {
			return err
		}
		if _, constant := e.(*fn.Const); constant {
			return fn.Refuse(fn.ByGroup, "a group by a constant")
		}
		out.Groups = append(out.Groups, Group{b.ids(1), e})
	}
	return nil
}

// groupable refuses what groups are not made by: aggregates, subqueries, quotients, whose digits depend on how groups are made.
func groupable(e fn.Expr, aggs []*Aggregate) (err error) {
	fn.Walk(e, func(x fn.Expr) bool {
		switch x := x.(type) {
		case *Subquery:
			err = fn.Refuse(fn.ByGroup, "a group by a subquery")
		case *fn.Call:
			if x.Name == "/" && x.T.Kind == types.Decimal {
				err = fn.Refuse(fn.ByGroup, "a group by a quotient")
			}
		case *fn.Column:
			for _, a := range aggs {
				if a.ID == x.ID {
					err = fn.Refuse(fn.ByGroup, "a group by an aggregate")
				}
			}
		}
		return err == nil
	})
	return err
}

// regroup makes what is computed behind GROUP BY refer to groups and aggregates.
func (b *binder) regroup(s *scope, out *Query) (err error) {
	if out.Grouped = out.Grouped || len(out.Aggs) > 0; !out.Grouped {
		if len(out.Having) > 0 {
			return fn.Refuse(fn.ByGroup, "HAVING without groups")
		}
		return nil
	}
	keys := make(map[string]*Group)
	for i := range out.Groups {
		keys[fn.Key(out.Groups[i].Expr)] = &out.Groups[i]
	}
	over := func(e fn.Expr) fn.Expr {
		return fn.Rewrite(e, func(x fn.Expr) fn.Expr {
			if g := keys[fn.Key(x)]; g != nil {
				return &fn.Column{ID: g.ID, T: g.Expr.Type()}
			}
			switch x := x.(type) {
			case *fn.Column:
				if s.owns(x.ID) {
					err = fn.Refuse(fn.ByGroup, "a column that is not grouped by")
				}
			case *Subquery:
				for _, id := range x.Query.Outer {
					if s.owns(id) {
						err = fn.Refuse(fn.ByGroup, "a subquery that depends on rows of a group")
					}
				}
			}
			return nil
		})
	}
	for i := range out.Items {
		out.Items[i].Expr = over(out.Items[i].Expr)
		out.Items[i].Origin.Kept = true
	}
	for i := range out.Having {
		out.Having[i] = over(out.Having[i])
	}
	for i := range out.Order {
		out.Order[i].Expr = over(out.Order[i].Expr)
	}
	return err
}

// owns tells columns of the block's own tables.
func (s *scope) owns(id int) bool {
	for _, t := range s.tables {
		if id >= t.first && id < t.first+len(t.columns) {
			return true
		}
	}
	return false
}

var aggregateKinds = map[string]fn.AggregateKind{"count": fn.Count, "sum": fn.Sum, "avg": fn.Avg, "min": fn.Min, "max": fn.Max}

// aggregate binds an aggregate function.
func (b *binder) aggregate(x *exprs, n *ast.Aggregate) (fn.Expr, error) {
	kind, known := aggregateKinds[strings.ToLower(n.Name.Name)]
	switch {
	case n.Over != nil:
		return nil, fn.Refuse(fn.ByWindow, "an aggregate over a window")
	case x.aggs == nil || !known || len(n.Args) != 1:
		return nil, fn.Refuse(fn.ByGroup, "an aggregate function")
	}
	a := &Aggregate{Kind: kind, Distinct: n.Distinct}
	if _, star := n.Args[0].(*ast.Star); star {
		a.Kind, a.T = fn.CountRows, types.IntType(21, false)
		return b.addAggregate(x, a)
	}
	arg, err := b.expr(&exprs{scope: x.scope}, n.Args[0])
	if err != nil {
		return nil, err
	}
	fn.Walk(arg, func(e fn.Expr) bool {
		switch e := e.(type) {
		case *fn.Column:
			if !x.scope.owns(e.ID) {
				err = fn.Refuse(fn.ByGroup, "an aggregate of outer columns")
			}
		case *Subquery:
			err = fn.Refuse(fn.ByGroup, "an aggregate of a subquery")
		}
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	a.Arg = arg
	if a.T, err = aggregateType(kind, arg.Type()); err != nil {
		return nil, err
	}
	return b.addAggregate(x, a)
}

func (b *binder) addAggregate(x *exprs, a *Aggregate) (fn.Expr, error) {
	for _, have := range *x.aggs {
		if have.Kind == a.Kind && have.Distinct == a.Distinct && (a.Arg == nil || fn.Key(have.Arg) == fn.Key(a.Arg)) {
			return &fn.Column{ID: have.ID, T: have.T}, nil
		}
	}
	a.ID = b.ids(1)
	*x.aggs = append(*x.aggs, a)
	return &fn.Column{ID: a.ID, T: a.T}, nil
}

func aggregateType(kind fn.AggregateKind, t types.Type) (types.Type, error) {
	switch kind {
	case fn.Count:
		return types.IntType(21, false), nil
	case fn.Min, fn.Max:
		if t.Kind == types.Null {
			return t, fn.Refuse(fn.ByType, "an aggregate of NULL")
		}
		return t.Nullify(true), nil
	}
	switch {
	case t.Kind == types.Float:
		return types.FloatType(true), nil
	case !t.Kind.Number():
		return t, fn.Refuse(fn.ByType, "a sum of what is no number")
	case kind == fn.Sum:
		return types.DecimalType(t.Digits()+22, t.Decimals(), true), nil
	}
	return types.DecimalType(t.Digits()+4, t.Decimals()+4, true), nil
}
