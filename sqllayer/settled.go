package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

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
		return &settled{expression.UnaryExpressionStub{Child: e}}, transform.NewTree, nil
	}
	return e, transform.SameTree, nil
}

// unsettle is the way back, when the plan is run.
func unsettle(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	if s, ok := e.(*settled); ok {
		mended, _, err := expr.Mend(ctx, s.Child)
		return mended, transform.NewTree, err
	}
	if m, ok := e.(*expression.MatchAgainst); ok {
		own, err := newMatch(m)
		return own, transform.NewTree, err
	}
	return expr.Mend(ctx, e)
}

// settled is an expression that shows a literal as its operand.
type settled struct{ expression.UnaryExpressionStub }

func (e *settled) String() string { return e.Child.String() }

// CollationCoercibility implements sql.CollationCoercible.
func (e *settled) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, e.Child)
}

// Children implements sql.Expression.
func (e *settled) Children() []sql.Expression {
	return []sql.Expression{expression.NewLiteral(nil, nil)}
}

// WithChildren implements sql.Expression.
func (e *settled) WithChildren(*sql.Context, ...sql.Expression) (sql.Expression, error) {
	return e, nil
}

// Type implements sql.Expression.
func (e *settled) Type(ctx *sql.Context) sql.Type { return e.Child.Type(ctx) }

// Eval implements sql.Expression.
func (e *settled) Eval(ctx *sql.Context, row sql.Row) (any, error) { return e.Child.Eval(ctx, row) }
