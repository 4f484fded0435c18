package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer/store"
)

// regenerated computes the generated columns of rows that BEFORE UPDATE triggers have changed: GMS
// computes them before the triggers run. A row is the old one, then the new one.
type regenerated struct {
	wrapper
	exprs []sql.Expression // assign the columns
	width int
}

// WithChildren implements sql.Node.
func (n *regenerated) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// regenerate builds an UPDATE of a table that has such columns and triggers; nil for others.
func (b *Builder) regenerate(ctx *sql.Context, n *plan.Update, r sql.Row) (sql.RowIter, error) {
	if _, triggers := n.Child.(*plan.TriggerExecutor); !triggers {
		return nil, nil
	}
	below := n.Child
	for {
		t, ok := below.(*plan.TriggerExecutor)
		if !ok {
			break
		}
		below = t.Left()
	}
	source, ok := below.(*plan.UpdateSource)
	if !ok {
		return nil, nil
	}
	schema := source.Child.Schema(ctx)
	var exprs []sql.Expression
	for _, e := range source.UpdateExprs.DerivedUpdateExprs() {
		set, ok := e.(*expression.SetField)
		if !ok {
			continue
		}
		if f, ok := set.LeftChild.(*expression.GetField); ok && f.Index() < len(schema) && schema[f.Index()].Generated != nil {
			exprs = append(exprs, e)
		}
	}
	if len(exprs) == 0 {
		return nil, nil
	}
	st := store.NewStorer(ctx, source.Ignore)
	changed, err := n.WithChildren(ctx, &regenerated{Around(n.Child), storing(ctx, exprs, schema, &st), len(schema)})
	if err != nil {
		return nil, err
	}
	return b.Base.Build(ctx, changed, r)
}

func (n *regenerated) build(ctx *sql.Context, b *Builder, r sql.Row) (sql.RowIter, error) {
	child, err := b.Base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	return &regenerateIter{child, n}, nil
}

type regenerateIter struct {
	sql.RowIter
	node *regenerated
}

// Next implements sql.RowIter.
func (i *regenerateIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil || len(row) != 2*i.node.width {
		return row, err
	}
	var changed any = row[i.node.width:]
	for _, e := range i.node.exprs {
		if changed, err = e.Eval(ctx, changed.(sql.Row)); err != nil {
			return nil, err
		}
	}
	return append(row[:i.node.width:i.node.width], changed.(sql.Row)...), nil
}
