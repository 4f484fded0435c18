package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer"
	"emberdb/sqllayer/memory"
)

// retained stands for a node whose rows are kept by the node above it.
type retained struct {
	wrapper
	most int64 // rows that are kept; below zero: all of them
	long bool  // for the rest of the statement, not as long as they are read
}

// WithChildren implements sql.Node.
func (n *retained) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *retained) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.Child)
}

// retain stands for child below a node that keeps its rows.
func retain(child sql.Node, most int64, long bool) (sql.Node, bool) {
	if _, done := child.(*retained); done {
		return child, false
	}
	return &retained{Around(child), most, long}, true
}

func (n *retained) build(ctx *sql.Context, b *Builder, r sql.Row) (sql.RowIter, error) {
	child, err := b.Base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	return &memory.RetainedIter{RowIter: child, Kept: memory.Keep(ctx), Left: n.most, Long: n.long}, nil
}

// keeping builds nodes that keep rows; nil leaves the node to GMS.
func (b *Builder) keeping(ctx *sql.Context, n sql.Node, r sql.Row) (sql.RowIter, error) {
	switch n := n.(type) {
	case *retained:
		return n.build(ctx, b, r)
	case *plan.Sort:
		return b.sort(ctx, n, r)
	case *plan.HashLookup:
		// The rows found stay with the node, which must remain the same.
		n.Child, _ = retain(n.Child, -1, !sqllayer.SessionOf(ctx).Stmt.Repeats)
	case *plan.CachedResults:
		n.Child, _ = retain(n.Child, -1, !sqllayer.SessionOf(ctx).Stmt.Repeats)
	case *plan.Window:
		if child, changed := retain(n.Child, -1, false); changed {
			above, err := n.WithChildren(ctx, child)
			if err != nil {
				return nil, err
			}
			return b.Base.Build(ctx, above, r)
		}
	case *plan.Into:
		if child, changed := retain(n.Child, -1, false); changed {
			above, err := n.WithChildren(ctx, child)
			if err != nil {
				return nil, err
			}
			iter, err := b.Base.Build(ctx, above, r)
			if err != nil || n.Outfile != "" || n.Dumpfile != "" {
				return iter, err
			}
			return &intoIter{iter}, nil
		}
	case *plan.TopN:
		most, err := iters.GetInt64Value(ctx, n.Limit)
		if err != nil {
			return nil, err
		}
		if child, changed := retain(n.Child, most, false); changed {
			above := *n
			above.Child = child
			return b.Base.Build(ctx, &above, r)
		}
	}
	return nil, nil
}

// intoIter answers a SELECT ... INTO of variables; it warns if there was no row.
type intoIter struct{ sql.RowIter }

// Next implements sql.RowIter.
func (i *intoIter) Next(ctx *sql.Context) (sql.Row, error) {
	r, err := i.RowIter.Next(ctx)
	if err == nil && len(r) == 1 {
		if ok, is := r[0].(types.OkResult); is && ok.RowsAffected == 0 {
			ctx.Warn(erNoData, "No data - zero rows fetched, selected, or processed")
		}
	}
	return r, err
}

const erNoData = 1329

// sort runs ORDER BY.
func (b *Builder) sort(ctx *sql.Context, n *plan.Sort, r sql.Row) (sql.RowIter, error) {
	child, err := b.Base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	return &memory.SortIter{RowIter: child, By: n.SortConditions, Kept: memory.Keep(ctx)}, nil
}
