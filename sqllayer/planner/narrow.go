package planner

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/rules"
)

// narrowLists tells the tables of information_schema what a plan asks of them, once its conditions
// stand at the tables.
func narrowLists(a *analyzer.Analyzer) error {
	return rules.WrapAgain(a, "assignExecIndexes", "lists", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
			sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			narrowed, _, err := infoschema.Narrow(ctx, n)
			if err != nil {
				return n, transform.SameTree, err
			}
			return rule(ctx, a, narrowed, scope, sel, flags)
		}
	})
}
