package planner

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
	"emberdb/sqllayer/rules"
)

// choosers are GMS's rules that choose indexes by what their keys are.
var choosers = [...]string{"optimizeJoins", "applyIndexesFromOuterScope", "replaceAgg", "replaceIdxSort"}

// hideIndexes hides invisible indexes from those rules. What they leave to the costs of a scan goes
// by the indexes' conditions, see tabledef.Index.Predicate.
func hideIndexes(a *analyzer.Analyzer) error {
	for _, name := range choosers {
		if err := rules.WrapAgain(a, name, "invisible indexes", choosing); err != nil {
			return err
		}
	}
	return nil
}

func choosing(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
		sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if s := sqllayer.SessionOf(ctx); s != nil {
			before := s.Stmt.Choosing
			s.Stmt.Choosing = true
			defer func() { s.Stmt.Choosing = before }()
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}
