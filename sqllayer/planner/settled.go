package planner

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/rules"
)

// settledRule is the id of settledLeaves: no rule of GMS has it.
const settledRule analyzer.RuleId = rules.LimitRule + 1

// settledLeaves lets functions and variables that depend on no row stand beside COUNT and its kin:
// GMS takes whatever has no operands, and is no literal, for a column that is not aggregated.
func settledLeaves(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !analyzer.FlagIsSet(flags, sql.QFlagAggregation) {
		return n, transform.SameTree, nil
	}
	return transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		switch n.(type) {
		case *plan.Project, *plan.GroupBy:
			return transform.OneNodeExpressions(ctx, n, settle)
		}
		return n, transform.SameTree, nil
	})
}

func settle(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	if len(e.Children()) > 0 {
		return e, transform.SameTree, nil
	}
	switch e.(type) {
	case sql.Aggregation, sql.WindowAdaptableExpression:
	case *expression.UserVar, *expression.SystemVar, *expr.Variable, sql.FunctionExpression:
		return &sqllayer.Settled{UnaryExpressionStub: expression.UnaryExpressionStub{Child: e}}, transform.NewTree, nil
	}
	return e, transform.SameTree, nil
}
