package planner

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// zeroDatesRule is the id of zeroDates: no rule of GMS has it.
const zeroDatesRule = datedTextsRule + 1

// zeroDates makes WHERE find dates of zeros where it asks for NULL, as package bind does: a condition
// that holds for the whole of WHERE and says IS NULL of a DATE or DATETIME column that is never NULL.
func zeroDates(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return changeFilters(ctx, n, func(ctx *sql.Context, f *plan.Filter) sql.Expression {
		if derives(ctx, f.Child) {
			return nil
		}
		return zeroDateConds(ctx, f.Expression)
	})
}

// changeFilters gives the filters of a plan, and of the subqueries in it, other conditions; nil: the
// filter stays.
func changeFilters(ctx *sql.Context, n sql.Node, change func(*sql.Context, *plan.Filter) sql.Expression) (sql.Node, transform.TreeIdentity, error) {
	n, sameRows, err := transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		f, ok := n.(*plan.Filter)
		if !ok {
			return n, transform.SameTree, nil
		}
		cond := change(ctx, f)
		if cond == nil {
			return n, transform.SameTree, nil
		}
		return plan.NewFilter(ctx, cond, f.Child), transform.NewTree, nil
	})
	if err != nil {
		return nil, transform.SameTree, err
	}
	n, same, err := transform.NodeExprsWithOpaque(ctx, n, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		q, ok := e.(*plan.Subquery)
		if !ok {
			return e, transform.SameTree, nil
		}
		query, same, err := changeFilters(ctx, q.Query, change)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return q.WithQuery(query), transform.NewTree, nil
	})
	return n, same && sameRows, err
}

// derives tells that rows come from a query in FROM, or from a view.
func derives(ctx *sql.Context, n sql.Node) (found bool) {
	transform.InspectWithOpaque(ctx, n, func(_ *sql.Context, n sql.Node) bool {
		if _, ok := n.(*plan.SubqueryAlias); ok {
			found = true
		}
		return !found
	})
	return found
}

// zeroDateConds is a condition of WHERE that finds dates of zeros; nil: it needs no change.
func zeroDateConds(ctx *sql.Context, e sql.Expression) sql.Expression {
	switch e := e.(type) {
	case *expression.And:
		l, r := zeroDateConds(ctx, e.LeftChild), zeroDateConds(ctx, e.RightChild)
		switch {
		case l == nil && r == nil:
			return nil
		case l == nil:
			l = e.LeftChild
		case r == nil:
			r = e.RightChild
		}
		return expression.NewAnd(l, r)
	case *expression.IsNull:
		c, ok := e.Child.(*expression.GetField)
		if !ok || c.IsNullable(ctx) || !types.IsDateType(c.Type(ctx)) && !types.IsDatetimeType(c.Type(ctx)) {
			return nil
		}
		return expression.NewOr(e, expression.NewEquals(c, expression.NewLiteral(types.ZeroTime, c.Type(ctx))))
	}
	return nil
}
