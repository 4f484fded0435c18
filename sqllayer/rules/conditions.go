package rules

import (
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// mostConditions is how many conditions of a filter GMS moves one by one.
const mostConditions = 256

// BindConditions keeps GMS from comparing each of many conditions with each other one while it moves
// them to their tables: 100,000 of them took hours, and KILL did not end them. Those of the same
// tables are one condition meanwhile.
func BindConditions(a *analyzer.Analyzer) error {
	return Wrap(a, "pushFilters", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
			sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			bound, none, err := transform.Node(ctx, n, bindConditions)
			if err != nil || none {
				return rule(ctx, a, n, scope, sel, flags)
			}
			out, same, err := rule(ctx, a, bound, scope, sel, flags)
			if err != nil || same {
				return n, transform.SameTree, err
			}
			out, _, err = transform.NodeExprs(ctx, out, looseConditions)
			return out, transform.NewTree, err
		}
	})
}

// bundle is many conditions that GMS takes for one.
type bundle struct{ expression.UnaryExpressionStub }

func (b *bundle) String() string { return "many conditions" }

// Type implements sql.Expression.
func (b *bundle) Type(ctx *sql.Context) sql.Type { return b.Child.Type(ctx) }

// CollationCoercibility implements sql.CollationCoercible.
func (b *bundle) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, b.Child)
}

// Eval implements sql.Expression.
func (b *bundle) Eval(ctx *sql.Context, row sql.Row) (any, error) { return b.Child.Eval(ctx, row) }

// WithChildren implements sql.Expression.
func (b *bundle) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(b, len(children), 1)
	}
	return &bundle{expression.UnaryExpressionStub{Child: children[0]}}, nil
}

// looseConditions undoes bindConditions.
func looseConditions(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	if b, ok := e.(*bundle); ok {
		return b.Child, transform.NewTree, nil
	}
	return e, transform.SameTree, nil
}

// bindConditions binds the conditions of a filter or a join, if there are many.
func bindConditions(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	switch n := n.(type) {
	case *plan.Filter:
		if e, many := bundled(ctx, n.Expression); many {
			return plan.NewFilter(ctx, e, n.Child), transform.NewTree, nil
		}
	case *plan.JoinNode:
		if e, many := bundled(ctx, n.Filter); many {
			out, err := n.WithExpressions(ctx, e)
			return out, transform.NewTree, err
		}
	}
	return n, transform.SameTree, nil
}

// bundled is a condition of many with a bundle for each set of tables. Conditions with subqueries
// stay as they are.
func bundled(ctx *sql.Context, e sql.Expression) (out sql.Expression, many bool) {
	all := conjuncts(e)
	if len(all) <= mostConditions {
		return e, false
	}
	var first, free []sql.Expression
	of := make(map[string][]sql.Expression)
	var keys []string
	for _, c := range all {
		key, ok := tablesOf(ctx, c)
		if !ok {
			free = append(free, c)
			continue
		}
		if _, met := of[key]; !met {
			keys = append(keys, key)
		}
		of[key] = append(of[key], c)
	}
	for _, key := range keys {
		c := balanced(of[key])
		if len(of[key]) > 1 {
			c = &bundle{expression.UnaryExpressionStub{Child: c}}
		}
		first = append(first, c)
	}
	return balanced(append(first, free...)), true
}

// conjuncts are the conditions that AND joins.
func conjuncts(e sql.Expression) (all []sql.Expression) {
	for rest := []sql.Expression{e}; len(rest) > 0; {
		e := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if and, ok := e.(*expression.And); ok {
			rest = append(rest, and.RightChild, and.LeftChild)
		} else if e != nil {
			all = append(all, e)
		}
	}
	return all
}

// balanced joins conditions by AND in a tree of few levels.
func balanced(all []sql.Expression) sql.Expression {
	if len(all) == 1 {
		return all[0]
	}
	return expression.NewAnd(balanced(all[:len(all)/2]), balanced(all[len(all)/2:]))
}

// tablesOf names the columns' tables of an expression. False: it has a subquery.
func tablesOf(ctx *sql.Context, e sql.Expression) (key string, ok bool) {
	var tables []sql.TableId
	ok = true
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		switch e := e.(type) {
		case *plan.Subquery:
			ok = false
		case *expression.GetField:
			if id := e.TableId(); !slices.Contains(tables, id) {
				tables = append(tables, id)
			}
		}
		return ok
	})
	slices.Sort(tables)
	return fmt.Sprint(tables), ok
}
