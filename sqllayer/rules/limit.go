package rules

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// LimitRule is the id of NullLimits: no rule of GMS has it.
const LimitRule analyzer.RuleId = EscapeRule + 1

// endless is a LIMIT that stands for none: clients write LIMIT 18446744073709551615 before an
// OFFSET, and the sum of both is no integer of GMS.
const endless = 1 << 32

// NullLimits makes 0 of a parameter of LIMIT or OFFSET that is NULL, as MySQL does, and removes an
// endless LIMIT. GMS's next rule takes both for numbers.
func NullLimits(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	zero := expression.NewLiteral(int64(0), types.Int64)
	return transform.NodeWithOpaque(ctx, n, func(_ *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		switch n := n.(type) {
		case *plan.Limit:
			if isNull(n.Limit) {
				return plan.NewLimit(zero, n.Child), transform.NewTree, nil
			}
			if isEndless(n.Limit) && !n.CalcFoundRows {
				return n.Child, transform.NewTree, nil
			}
		case *plan.Offset:
			if isNull(n.Offset) {
				return plan.NewOffset(zero, n.Child), transform.NewTree, nil
			}
		}
		return n, transform.SameTree, nil
	})
}

func isEndless(e sql.Expression) bool {
	l, ok := e.(*expression.Literal)
	if !ok {
		return false
	}
	switch n := l.Value().(type) {
	case uint64:
		return n >= endless
	case int64:
		return n >= endless
	}
	return false
}

func isNull(e sql.Expression) bool {
	l, ok := e.(*expression.Literal)
	return ok && l.Value() == nil
}
