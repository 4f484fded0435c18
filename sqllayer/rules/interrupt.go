package rules

// What ends a statement that was killed, or whose client is gone: the context of the statement, at
// which everything that may take long looks.
//
//	planning    before each rule of the analyzer, for each plan that is costed, wherever a name is looked up
//	running     whenever a node is built, for each row read of a table, an expression, or of rows that were kept
//	waiting     for locks, time, other servers: beside what is waited for
//
// Loops over values of one row count their steps with expr.Interrupt.

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/memo"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// CheckInterrupts lets every rule of the analyzer begin only while the statement goes on. A rule
// walks the plan once; plans of many queries are analyzed query by query.
func CheckInterrupts(a *analyzer.Analyzer) {
	for _, batch := range a.Batches {
		batch.Rules = slices.Clone(batch.Rules) // other analyzers share them
		for i := range batch.Rules {
			rule := batch.Rules[i].Apply
			batch.Rules[i].Apply = func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
				sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
				if err := ctx.Err(); err != nil {
					return n, transform.SameTree, err
				}
				return rule(ctx, a, n, scope, sel, flags)
			}
		}
	}
	a.Coster = interruptedCoster{a.Coster}
}

// interruptedCoster costs plans while the statement goes on.
type interruptedCoster struct{ memo.Coster }

// EstimateCost implements memo.Coster.
func (c interruptedCoster) EstimateCost(ctx *sql.Context, n memo.RelExpr, s sql.StatsProvider) (float64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return c.Coster.EstimateCost(ctx, n, s)
}
