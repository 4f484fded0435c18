package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
	"emberdb/sqllayer/store"
)

// Strict mode makes warnings of a statement's conditions its error, as it does those of values:
// a text that is no number beside one, a division by zero, a date beyond the calendar.

// strictly builds a node whose rows are computed as st wants it.
func (b *Builder) strictly(ctx *sql.Context, n sql.Node, st store.Storer, r sql.Row) (sql.RowIter, error) {
	before := ctx.Session.WarningCount()
	iter, err := b.Base.Build(ctx, n, r)
	if err != nil || !st.Strict {
		return iter, err
	}
	if err := st.Warned(ctx, before); err != nil {
		_ = iter.Close(ctx)
		return nil, err
	}
	return &strictIter{from: iter, storer: st}, nil
}

type strictIter struct {
	from   sql.RowIter
	storer store.Storer
}

// Next implements sql.RowIter.
func (i *strictIter) Next(ctx *sql.Context) (sql.Row, error) {
	before := ctx.Session.WarningCount()
	row, err := i.from.Next(ctx)
	if told := i.storer.Warned(ctx, before); told != nil {
		return nil, told
	}
	return row, err
}

// Close implements sql.RowIter.
func (i *strictIter) Close(ctx *sql.Context) error { return i.from.Close(ctx) }

// watching builds a DELETE whose rows are found strictly; nil for one that is built so already.
func (b *Builder) watching(ctx *sql.Context, n *plan.DeleteFrom, r sql.Row) (sql.RowIter, error) {
	child := n.Child
	if g, ok := child.(*gathered); ok {
		child = g.Child
	}
	if _, done := child.(*watched); done {
		return nil, nil
	}
	changed := *n
	changed.Child = &watched{Around(n.Child)}
	if g, ok := n.Child.(*gathered); ok {
		changed.Child = &gathered{Around(&watched{Around(g.Child)})}
	}
	return b.Base.Build(ctx, &changed, r)
}

// watched is a node whose rows are found strictly.
type watched struct{ wrapper }

// Schema implements sql.Node.
func (n *watched) Schema(ctx *sql.Context) sql.Schema { return n.Child.Schema(ctx) }

func (n *watched) build(ctx *sql.Context, b *Builder, r sql.Row) (sql.RowIter, error) {
	st := store.NewStorer(ctx, sqllayer.SessionOf(ctx).Ignores(ctx))
	st.Joined = joins(n.Child)
	return b.strictly(ctx, n.Child, st, r)
}

// WithChildren implements sql.Node.
func (n *watched) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}
