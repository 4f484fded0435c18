package planner

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer/rules"
	"emberdb/sqllayer/store"
)

// guardExists keeps GMS's rule that makes joins of WHERE EXISTS (SELECT ...) from those which it
// mistakes: it takes the query's FROM and the parts of its WHERE, and loses columns of queries
// around in an ON, that aggregates without GROUP BY always have a row, and LIMIT 0.
func guardExists(a *analyzer.Analyzer) error {
	return rules.Wrap(a, "unnestExistsSubqueries", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			if flags.SubqueryIsSet() && mistakesExists(ctx, n) {
				return n, transform.SameTree, nil
			}
			return rule(ctx, a, n, scope, sel, flags)
		}
	})
}

// mistakesExists tells whether n has such an EXISTS.
func mistakesExists(ctx *sql.Context, n sql.Node) (found bool) {
	transform.InspectExpressions(ctx, n, func(ctx *sql.Context, e sql.Expression) bool {
		if q, ok := e.(*plan.ExistsSubquery); ok {
			found = found || moreThanJoin(ctx, q.Query)
		}
		return !found
	})
	return found
}

func moreThanJoin(ctx *sql.Context, q *plan.Subquery) (found bool) {
	outer := q.Correlated()
	transform.Inspect(q.Query, func(n sql.Node) bool {
		switch n := n.(type) {
		case *plan.GroupBy:
			found = found || len(n.GroupByExprs) == 0
		case *plan.Limit:
			rows, ok := n.Limit.(*expression.Literal)
			found = found || ok && isZero(rows.Value())
		case *plan.JoinNode:
			found = found || n.Filter != nil && transform.InspectExpr(ctx, n.Filter, func(_ *sql.Context, e sql.Expression) bool {
				f, ok := e.(*expression.GetField)
				return ok && outer.Contains(f.Id())
			})
		case *plan.SubqueryAlias:
			return false
		}
		return !found
	})
	return found
}

func isZero(v any) bool {
	n, ok := store.Signed(v)
	return ok && n == 0
}
