package rules

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// MendPushdown lets filters over constants pass into derived tables. GMS moves a filter below the
// projection that names a constant, and keeps the name, which nothing below has.
func MendPushdown(a *analyzer.Analyzer) error {
	return Wrap(a, "pushdownSubqueryAliasFilters", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
			sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			folded, none, err := constantsInFilters(ctx, n)
			if err != nil || none {
				return rule(ctx, a, n, scope, sel, flags)
			}
			pushed, _, err := rule(ctx, a, folded, scope, sel, flags)
			return pushed, transform.NewTree, err
		}
	})
}

// constantsInFilters puts the constants of a projection into the filters above it.
func constantsInFilters(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.Node(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		f, ok := n.(*plan.Filter)
		if !ok {
			return n, transform.SameTree, nil
		}
		constants := constantsBelow(f.Child)
		if len(constants) == 0 {
			return n, transform.SameTree, nil
		}
		e, same, err := transform.Expr(ctx, f.Expression, func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			if c := constantOf(e, constants); c != nil {
				return c, transform.NewTree, nil
			}
			return e, transform.SameTree, nil
		})
		if err != nil || same {
			return n, transform.SameTree, err
		}
		return plan.NewFilter(ctx, e, f.Child), transform.NewTree, nil
	})
}

// constantsBelow are the literals that the nearest projection names.
func constantsBelow(n sql.Node) map[sql.ColumnId]sql.Expression {
	for {
		switch t := n.(type) {
		case *plan.Filter:
			n = t.Child
		case *plan.Sort:
			n = t.Child
		case *plan.Project:
			constants := make(map[sql.ColumnId]sql.Expression)
			for _, e := range t.Projections {
				if named, ok := e.(*expression.Alias); ok {
					if _, literal := named.Child.(*expression.Literal); literal {
						constants[named.Id()] = named.Child
					}
				}
			}
			return constants
		default:
			return nil
		}
	}
}

func constantOf(e sql.Expression, constants map[sql.ColumnId]sql.Expression) sql.Expression {
	if f, ok := e.(*expression.GetField); ok {
		return constants[f.Id()]
	}
	return nil
}
