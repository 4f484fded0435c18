package planner

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/compare"
)

// collationMixRule is the id of collationMixes: no rule of GMS has it.
const collationMixRule = lastInsertedRule + 1

// collationMixes refuses comparisons of texts whose collations do not agree.
func collationMixes(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if s := sqllayer.SessionOf(ctx); s == nil || s.Layer().Opts.Plain {
		return n, transform.SameTree, nil
	}
	return n, transform.SameTree, compare.CheckPlan(ctx, n)
}
