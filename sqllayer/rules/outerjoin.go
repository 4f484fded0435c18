package rules

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// GMS's search for join orders loses conditions. In
//
//	(a LEFT JOIN b ON p(a, b)) JOIN c ON q(a, c) AND r(b, c)
//
// it also tries (a JOIN c) LEFT JOIN b, and forgets r there: the condition of an inner join that
// speaks of columns an outer join may have filled with NULLs. So such conditions become a filter
// above the joins before the search begins, where they mean the same. Equalities of two columns stay:
// GMS follows those, and finds hash joins by them.

// liftConditions takes the conditions that the search would lose out of the joins of a plan.
func liftConditions(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	n, lifted, same, err := lift(ctx, n)
	if err != nil || same {
		return n, transform.SameTree, err
	}
	return filtered(ctx, n, lifted), transform.NewTree, nil
}

// filtered puts conditions above a node.
func filtered(ctx *sql.Context, n sql.Node, conditions []sql.Expression) sql.Node {
	if len(conditions) == 0 {
		return n
	}
	return plan.NewFilter(ctx, expression.JoinAnd(conditions...), n)
}

// lift is liftConditions for the joins below n; lifted are the conditions that belong above it.
func lift(ctx *sql.Context, n sql.Node) (out sql.Node, lifted []sql.Expression, same transform.TreeIdentity, err error) {
	join, _ := n.(*plan.JoinNode)
	children, same := slices.Clone(n.Children()), transform.SameTree
	for i, c := range children {
		child, conditions, kept, err := lift(ctx, c)
		if err != nil {
			return nil, nil, same, err
		}
		if kept {
			continue
		}
		if same = transform.NewTree; join != nil && (join.Op.IsInner() || join.Op.IsLeftOuter() && i == 0) {
			lifted = append(lifted, conditions...)
		} else {
			child = filtered(ctx, child, conditions)
		}
		children[i] = child
	}
	if !same {
		if n, err = n.WithChildren(ctx, children...); err != nil {
			return nil, nil, same, err
		}
		join, _ = n.(*plan.JoinNode)
	}
	if join == nil || join.Op != plan.JoinTypeInner {
		return n, lifted, same, nil
	}
	rest, lost := splitLost(ctx, join)
	if len(lost) == 0 {
		return n, lifted, same, nil
	}
	reduced := *join
	if reduced.Filter = expression.JoinAnd(rest...); len(rest) == 0 {
		reduced.Op, reduced.Filter = plan.JoinTypeCross, nil
	}
	return &reduced, append(lifted, lost...), transform.NewTree, nil
}

// splitLost divides the conditions of an inner join into those that the search keeps, and those that
// it may lose.
func splitLost(ctx *sql.Context, j *plan.JoinNode) (rest, lost []sql.Expression) {
	nullable := nullableColumns(j)
	if nullable.Empty() {
		return nil, nil
	}
	for _, e := range expression.SplitConjunction(ctx, j.Filter) {
		if !equatesColumns(e) && refersTo(ctx, e, nullable) {
			lost = append(lost, e)
		} else {
			rest = append(rest, e)
		}
	}
	return rest, lost
}

// equatesColumns tells whether e is an equality of two columns.
func equatesColumns(e sql.Expression) bool {
	eq, ok := e.(*expression.Equals)
	if !ok {
		return false
	}
	_, left := eq.Left().(*expression.GetField)
	_, right := eq.Right().(*expression.GetField)
	return left && right
}

func refersTo(ctx *sql.Context, e sql.Expression, columns sql.ColSet) (found bool) {
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			found = found || columns.Contains(f.Id())
		}
		return !found
	})
	return found
}

// nullableColumns are those of the tables below n that an outer join may have filled with NULLs.
func nullableColumns(n sql.Node) (out sql.ColSet) {
	j, ok := n.(*plan.JoinNode)
	switch {
	case !ok:
		return out
	case j.Op.IsLeftOuter():
		return nullableColumns(j.Left()).Union(columnsBelow(j.Right()))
	}
	return nullableColumns(j.Left()).Union(nullableColumns(j.Right()))
}

// columnsBelow are the columns of all tables below n.
func columnsBelow(n sql.Node) (out sql.ColSet) {
	transform.Inspect(n, func(n sql.Node) bool {
		t, ok := n.(plan.TableIdNode)
		if ok {
			out = out.Union(t.Columns())
		}
		return !ok
	})
	return out
}
