package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// limitRule is the id of nullLimits: no rule of GMS has it.
const limitRule analyzer.RuleId = escapeRule + 1

// nullLimits makes 0 of a parameter of LIMIT or OFFSET that is NULL, as MySQL does. GMS's next rule takes it for a number.
func nullLimits(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	zero := expression.NewLiteral(int64(0), types.Int64)
	return transform.NodeWithOpaque(ctx, n, func(_ *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		switch n := n.(type) {
		case *plan.Limit:
			if isNull(n.Limit) {
				return plan.NewLimit(zero, n.Child), transform.NewTree, nil
			}
		case *plan.Offset:
			if isNull(n.Offset) {
				return plan.NewOffset(zero, n.Child), transform.NewTree, nil
			}
		}
		return n, transform.SameTree, nil
	})
}

func isNull(e sql.Expression) bool {
	l, ok := e.(*expression.Literal)
	return ok && l.Value() == nil
}
