package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/internal/base"
	"emberdb/sqllayer"
	"emberdb/sqllayer/memory"
)

// gathering builds a DELETE that looks for all rows before it deletes the first: from several
// tables, or from one that it reads twice, as rows that are gone would not be found again for those
// that belong to them. nil for other statements.
func (b *Builder) gathering(ctx *sql.Context, n *plan.DeleteFrom, r sql.Row) (sql.RowIter, error) {
	if _, done := n.Child.(*gathered); done || !n.HasExplicitTargets() || len(n.GetDeleteTargets()) < 2 && !readsTableTwice(n.Child) {
		return nil, nil
	}
	changed := *n
	changed.Child = &gathered{Around(n.Child)}
	return b.Base.Build(ctx, &changed, r)
}

// readsTableTwice tells whether n reads one of the engine's tables twice.
func readsTableTwice(n sql.Node) (found bool) {
	seen := map[base.TableID]bool{}
	transform.Inspect(n, func(n sql.Node) bool {
		t, ok := n.(sql.TableNode)
		if !ok {
			return true
		}
		if own, ok := sql.GetUnderlyingTable(t.UnderlyingTable()).(*sqllayer.Table); ok {
			found = found || seen[own.Def.Def.ID]
			seen[own.Def.Def.ID] = true
		}
		return false
	})
	return found
}

// gathered is a node whose rows are read before the first is given.
type gathered struct{ wrapper }

// Schema implements sql.Node.
func (n *gathered) Schema(ctx *sql.Context) sql.Schema { return n.Child.Schema(ctx) }

// WithChildren implements sql.Node.
func (n *gathered) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

func (n *gathered) build(ctx *sql.Context, b *Builder, r sql.Row) (sql.RowIter, error) {
	iter, err := b.Base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	return &gatheredIter{from: iter, kept: memory.Keep(ctx)}, nil
}

type gatheredIter struct {
	from sql.RowIter
	rows sql.RowIter
	kept memory.Kept
}

// Next implements sql.RowIter.
func (i *gatheredIter) Next(ctx *sql.Context) (sql.Row, error) {
	if i.rows == nil {
		all, err := i.kept.Rows(ctx, i.from)
		if err != nil {
			return nil, err
		}
		i.rows = sql.RowsToRowIter(all...)
	}
	return i.rows.Next(ctx)
}

// Close implements sql.RowIter.
func (i *gatheredIter) Close(ctx *sql.Context) error {
	i.kept.Release()
	if i.rows != nil {
		return nil // with the last row
	}
	return i.from.Close(ctx)
}
