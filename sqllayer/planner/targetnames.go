package planner

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
	"emberdb/sqllayer/rules"
)

// mendDeletes lets a DELETE change tables of several schemas. What else GMS refuses about the
// targets of a DELETE is told before, in MySQL's words.
func mendDeletes(a *analyzer.Analyzer) error {
	return rules.Wrap(a, "validateDeleteFrom", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
			sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			if s := sqllayer.SessionOf(ctx); s != nil && !s.Layer().Opts.Plain {
				return n, transform.SameTree, nil
			}
			return rule(ctx, a, n, scope, sel, flags)
		}
	})
}
