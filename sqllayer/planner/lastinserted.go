package planner

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
)

// lastInsertedRule is the id of lastInserted: no rule of GMS has it.
const lastInsertedRule = zeroDatesRule + 1

// lastInserted is sql_auto_is_null: a WHERE that says IS NULL of an AUTO_INCREMENT column, and
// nothing else, finds the row that was inserted last.
func lastInserted(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s := sqllayer.SessionOf(ctx)
	if s == nil || !s.Flag("sql_auto_is_null") {
		return n, transform.SameTree, nil
	}
	return changeFilters(ctx, n, func(ctx *sql.Context, f *plan.Filter) sql.Expression {
		is, ok := f.Expression.(*expression.IsNull)
		if !ok {
			return nil
		}
		c, ok := is.Child.(*expression.GetField)
		if !ok || c.IsNullable(ctx) || !numbered(ctx, f.Child, c) {
			return nil
		}
		return expression.NewEquals(c, &function.LastInsertId{})
	})
}

// numbered tells whether a column is an AUTO_INCREMENT one of a table among the rows' sources.
func numbered(ctx *sql.Context, rows sql.Node, c *expression.GetField) bool {
	return !derives(ctx, rows) && slices.ContainsFunc(rows.Schema(ctx), func(col *sql.Column) bool {
		return col.AutoIncrement && strings.EqualFold(col.Name, c.Name()) && strings.EqualFold(col.Source, c.Table())
	})
}
