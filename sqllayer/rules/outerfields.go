package rules

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// GMS takes every column that a filter over a table compares for a column of that table, by its
// name alone: in EXISTS (SELECT 1 FROM t WHERE o.id > 5) it reads the rows of t whose id is more
// than 5. While it chooses indexes, columns of other tables are hidden from it.

// outerField is a column of a query around.
type outerField struct{ expression.UnaryExpressionStub }

func (o *outerField) String() string { return o.Child.String() }

// Type implements sql.Expression.
func (o *outerField) Type(ctx *sql.Context) sql.Type { return o.Child.Type(ctx) }

// CollationCoercibility implements sql.CollationCoercible.
func (o *outerField) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, o.Child)
}

// Eval implements sql.Expression.
func (o *outerField) Eval(ctx *sql.Context, row sql.Row) (any, error) { return o.Child.Eval(ctx, row) }

// WithChildren implements sql.Expression.
func (o *outerField) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(o, len(children), 1)
	}
	return &outerField{expression.UnaryExpressionStub{Child: children[0]}}, nil
}

// hideOuterFields hides the columns in filters that belong to none of the tables below.
func hideOuterFields(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.Node(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		f, ok := n.(*plan.Filter)
		if !ok {
			return n, transform.SameTree, nil
		}
		below := make(map[sql.TableId]bool)
		transform.Inspect(f.Child, func(n sql.Node) bool {
			if t, ok := n.(plan.TableIdNode); ok {
				below[t.Id()] = true
			}
			return true
		})
		e, changed, err := hidden(ctx, f.Expression, below)
		if err != nil || !changed {
			return n, transform.SameTree, err
		}
		return plan.NewFilter(ctx, e, f.Child), transform.NewTree, nil
	})
}

// hidden hides the outer columns that e compares with no inner column: an equality of both kinds is
// a lookup.
func hidden(ctx *sql.Context, e sql.Expression, below map[sql.TableId]bool) (sql.Expression, bool, error) {
	children := e.Children()
	var out []sql.Expression
	replace := func(at int, by sql.Expression) {
		if out == nil {
			out = append(out, children...)
		}
		out[at] = by
	}
	for i, c := range children {
		if f, ok := c.(*expression.GetField); ok {
			if isOuter(f, below) && !readsInner(e, below) {
				replace(i, &outerField{expression.UnaryExpressionStub{Child: f}})
			}
			continue
		}
		changed, is, err := hidden(ctx, c, below)
		if err != nil {
			return nil, false, err
		}
		if is {
			replace(i, changed)
		}
	}
	if out == nil {
		return e, false, nil
	}
	e, err := e.WithChildren(ctx, out...)
	return e, true, err
}

func isOuter(f *expression.GetField, below map[sql.TableId]bool) bool {
	return f.TableId() != 0 && !below[f.TableId()]
}

func readsInner(e sql.Expression, below map[sql.TableId]bool) (reads bool) {
	transform.InspectExpr(nil, e, func(_ *sql.Context, e sql.Expression) bool {
		f, ok := e.(*expression.GetField)
		reads = reads || ok && !isOuter(f, below)
		return reads
	})
	return reads
}

// showOuterFields undoes hideOuterFields.
func showOuterFields(ctx *sql.Context, n sql.Node) (sql.Node, error) {
	n, _, err := transform.NodeExprs(ctx, n, func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		if o, ok := e.(*outerField); ok {
			return o.Child, transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
	return n, err
}
