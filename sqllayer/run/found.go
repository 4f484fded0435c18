package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// SQL_CALC_FOUND_ROWS: GMS does not count the rows that OFFSET leaves out, nor the first one of
// ORDER BY ... LIMIT 1.

// foundRows runs a LIMIT that counts.
func (b *Builder) foundRows(ctx *sql.Context, n *plan.Limit, r sql.Row) (sql.RowIter, error) {
	if !n.CalcFoundRows {
		return nil, nil
	}
	limit, err := iters.GetInt64Value(ctx, n.Limit)
	if err != nil {
		return nil, err
	}
	child, skip := n.Child, int64(0)
	if o, ok := child.(*plan.Offset); ok {
		child = o.Child
		if skip, err = iters.GetInt64Value(ctx, o.Offset); err != nil {
			return nil, err
		}
	}
	iter, err := b.Base.Build(ctx, child, r)
	if err != nil {
		return nil, err
	}
	return &foundIter{RowIter: iter, skip: skip, end: skip + limit}, nil
}

// foundIter gives the rows from skip up to end and counts all.
type foundIter struct {
	sql.RowIter
	at, skip, end int64
}

// Next implements sql.RowIter.
func (i *foundIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, err := i.RowIter.Next(ctx)
		if err != nil {
			return nil, err
		}
		if i.at++; i.at > i.skip && i.at <= i.end {
			return row, nil
		}
	}
}

// Close implements sql.RowIter.
func (i *foundIter) Close(ctx *sql.Context) error {
	err := i.RowIter.Close(ctx)
	ctx.GetLastQueryInfo().FoundRows.Store(i.at)
	return err
}

// foundTop runs ORDER BY ... LIMIT that counts.
func (b *Builder) foundTop(ctx *sql.Context, n *plan.TopN, r sql.Row) (sql.RowIter, error) {
	limit, err := iters.GetInt64Value(ctx, n.Limit)
	if err != nil {
		return nil, err
	}
	child, err := b.Base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	return iters.NewTopRowsIter(n.SortConditions, limit, true, child), nil
}
