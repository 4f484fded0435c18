package planner

import (
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
	"emberdb/sqllayer/rules"
	"emberdb/sqllayer/run"
)

// guardComparisons lets GMS's rule see subqueries of one row only.
func guardComparisons(a *analyzer.Analyzer) error {
	var ids freeIDs
	return rules.Wrap(a, "unnestInSubqueries", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			if !flags.SubqueryIsSet() {
				return rule(ctx, a, n, scope, sel, flags)
			}
			guarded, same, err := ids.guard(ctx, n)
			if err != nil {
				return n, transform.SameTree, err
			}
			unnested, sameRule, err := rule(ctx, a, guarded, scope, sel, flags)
			return unnested, same && sameRule, err
		}
	})
}

// freeIDs gives tables and columns of the analyzer's ids that no other has in a statement: the
// planner counts from 1.
type freeIDs struct{ given atomic.Uint32 }

const (
	firstFreeID = 1 << 15
	mostColumns = 1 << 12
)

// take gives the first of n ids that follow each other.
func (f *freeIDs) take(n int) int {
	return firstFreeID + int(f.given.Add(uint32(n)))%(firstFreeID-mostColumns)
}

// guard changes the subqueries of conditions, also of those within subqueries, which the rule may
// merge with n.
func (f *freeIDs) guard(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.Node(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		if _, ok := n.(*plan.Filter); !ok {
			return n, transform.SameTree, nil
		}
		return transform.OneNodeExpressions(ctx, n, f.guardExpression)
	})
}

func (f *freeIDs) guardExpression(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *plan.Subquery:
		query, same, err := f.guard(ctx, e.Query)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return e.WithQuery(query), transform.NewTree, nil
	case expression.Comparer:
		q, ok := e.Right().(*plan.Subquery)
		if !ok || !q.CanCacheResults() || hasOneRow(q.Query) {
			return e, transform.SameTree, nil
		}
		compared, err := e.WithChildren(ctx, e.Left(), q.WithQuery(f.oneRow(ctx, q.Query)))
		return compared, transform.NewTree, err
	}
	return e, transform.SameTree, nil
}

// hasOneRow tells queries that need no change: those without a table, and changed ones.
func hasOneRow(n sql.Node) bool {
	switch n := n.(type) {
	case *plan.Project:
		return hasOneRow(n.Child)
	case *plan.ResolvedTable:
		return sqllayer.IsDual(n.Table)
	case *plan.SubqueryAlias:
		return hasOneRow(n.Child)
	case *run.OneRow:
		return true
	}
	return false
}

// OneRow makes a derived table of a query, whose columns have names and ids to join by.
func (f *freeIDs) oneRow(ctx *sql.Context, query sql.Node) sql.Node {
	guarded := run.NewOneRow(query)
	columns := len(query.Schema(ctx))
	first := f.take(columns)
	var set sql.ColSet
	for i := range columns {
		set.Add(sql.ColumnId(first + i))
	}
	return plan.NewSubqueryAlias("subquery", "", guarded).WithId(sql.TableId(first)).WithColumns(set)
}
