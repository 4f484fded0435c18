package planner

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer/expr"
)

// lateralRule is the id of lateralLeft: no rule of GMS has it.
const lateralRule analyzer.RuleId = settledRule + 1

// lateralLeft gives LEFT JOIN LATERAL ... ON TRUE a condition on both sides: GMS makes an inner
// join of one that has none.
func lateralLeft(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		j, ok := n.(*plan.JoinNode)
		if !ok || j.Op != plan.JoinTypeLateralLeft {
			return n, transform.SameTree, nil
		}
		left, right := columnOf(ctx, j.Left()), columnOf(ctx, j.Right())
		if left == nil || right == nil {
			return n, transform.SameTree, nil
		}
		var condition sql.Expression = expr.NewAlways(left, right)
		if j.Filter != nil {
			condition = expression.NewAnd(j.Filter, condition)
		}
		return j.WithFilter(condition), transform.NewTree, nil
	})
}

// columnOf is a column of a table of a join.
func columnOf(ctx *sql.Context, n sql.Node) sql.Expression {
	if t, ok := n.(plan.TableIdNode); ok {
		schema := t.Schema(ctx)
		id, known := t.Columns().Next(1)
		if !known || len(schema) == 0 {
			return nil
		}
		return expression.NewGetFieldWithTable(int(id), int(t.Id()), schema[0].Type, "", t.Name(), schema[0].Name, true)
	}
	for _, c := range n.Children() {
		if e := columnOf(ctx, c); e != nil {
			return e
		}
	}
	return nil
}
