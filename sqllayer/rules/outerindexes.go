package rules

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// MendOuterIndexes keeps the rows that windows and limits see. A filter compares a column with one
// of a query around. GMS reads the column's table by an index then, wherever the table is, so that
// a window or a limit between the two sees a few rows only. Such filters are hidden from GMS.
func MendOuterIndexes(a *analyzer.Analyzer) error {
	return Wrap(a, "applyIndexesFromOuterScope", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
			sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			hidden, none, err := hideFiltersOverAll(ctx, n)
			if err != nil || none {
				return rule(ctx, a, n, scope, sel, flags)
			}
			out, same, err := rule(ctx, a, hidden, scope, sel, flags)
			if err != nil || same {
				return n, transform.SameTree, err
			}
			out, err = showFiltersOverAll(ctx, out)
			return out, transform.NewTree, err
		}
	})
}

// filterOverAll is the condition of a filter over a node that needs all rows below it.
type filterOverAll struct{ expression.UnaryExpressionStub }

func (f *filterOverAll) String() string { return f.Child.String() }

// Type implements sql.Expression.
func (f *filterOverAll) Type(ctx *sql.Context) sql.Type { return f.Child.Type(ctx) }

// CollationCoercibility implements sql.CollationCoercible.
func (f *filterOverAll) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, f.Child)
}

// Eval implements sql.Expression.
func (f *filterOverAll) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	return f.Child.Eval(ctx, row)
}

// WithChildren implements sql.Expression.
func (f *filterOverAll) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(f, len(children), 1)
	}
	return &filterOverAll{expression.UnaryExpressionStub{Child: children[0]}}, nil
}

// hideFiltersOverAll hides the conditions of filters over nodes that need all rows below them.
func hideFiltersOverAll(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		f, ok := n.(*plan.Filter)
		if !ok || !needsAllBelow(f.Child) {
			return n, transform.SameTree, nil
		}
		hidden := &filterOverAll{expression.UnaryExpressionStub{Child: f.Expression}}
		return plan.NewFilter(ctx, hidden, f.Child), transform.NewTree, nil
	})
}

// showFiltersOverAll undoes hideFiltersOverAll.
func showFiltersOverAll(ctx *sql.Context, n sql.Node) (sql.Node, error) {
	n, _, err := transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		if f, ok := n.(*plan.Filter); ok {
			if hidden, ok := f.Expression.(*filterOverAll); ok {
				return plan.NewFilter(ctx, hidden.Child, f.Child), transform.NewTree, nil
			}
		}
		return n, transform.SameTree, nil
	})
	return n, err
}

// needsAllBelow tells whether a node stands over a window, a limit, or groups.
func needsAllBelow(n sql.Node) (needs bool) {
	transform.Inspect(n, func(n sql.Node) bool {
		switch n.(type) {
		case *plan.Window, *plan.Limit, *plan.Offset, *plan.TopN, *plan.GroupBy:
			needs = true
		}
		return !needs
	})
	return needs
}
