package run

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/hash"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/sqlerr"
)

// recursive runs a recursive expression; nil leaves those with ORDER BY or LIMIT of their own to
// GMS, and those of GMS's own suites.
func (b *Builder) recursive(ctx *sql.Context, n *plan.RecursiveCte, r sql.Row) (sql.RowIter, error) {
	if b.Layer.Opts.Plain || n.Working == nil || n.Union().Limit != nil || len(n.Union().SortConditions) > 0 {
		return nil, nil
	}
	limit := uint64(1000)
	if v, err := ctx.GetSessionVariable(ctx, "cte_max_recursion_depth"); err == nil {
		limit = sqllayer.AsCount(v)
	}
	it := &recursion{b: b, n: n, outer: r, limit: limit, now: memory.Keep(ctx), seenKept: memory.Keep(ctx)}
	if n.Union().Distinct {
		it.seen = make(map[uint64]bool)
	}
	var err error
	it.rows, err = b.Base.Build(ctx, n.Left(), r)
	return it, err
}

// recursion gives the rows of the first part, then those of the second part over the rows of the
// time before, until there are none.
type recursion struct {
	b            *Builder
	n            *plan.RecursiveCte
	outer        sql.Row
	rows         sql.RowIter
	found        []sql.Row       // this time
	seen         map[uint64]bool // all rows, if equal ones are one
	times, limit uint64
	now, before  memory.Kept // rows of this time and of the one before
	seenKept     memory.Kept // of seen
}

// Next implements sql.RowIter.
func (it *recursion) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row, err := it.rows.Next(ctx)
		if err == io.EOF && len(it.found) > 0 {
			if err := it.again(ctx); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if it.seen != nil {
			key, err := hash.HashOf(ctx, nil, row)
			if err != nil {
				return nil, err
			}
			if it.seen[key] {
				continue
			}
			it.seen[key] = true
			if err := it.seenKept.Add(memory.HashSize); err != nil {
				return nil, err
			}
		}
		if err := it.now.Add(memory.RowSize(row)); err != nil {
			return nil, err
		}
		it.found = append(it.found, row)
		return row, nil
	}
}

// again runs the second part over what was found.
func (it *recursion) again(ctx *sql.Context) error {
	if it.times++; it.times > it.limit {
		return sqlerr.NewError(3636, "Recursive query aborted after %d iterations. Try increasing @@cte_max_recursion_depth to a larger value.", it.times)
	}
	it.n.Working.Buf, it.found = it.found, nil
	it.before.Release()
	it.before, it.now = it.now, memory.Keep(ctx)
	if err := it.rows.Close(ctx); err != nil {
		return err
	}
	var err error
	it.rows, err = it.b.Base.Build(ctx, it.n.Right(), it.outer)
	return err
}

// Close implements sql.RowIter.
func (it *recursion) Close(ctx *sql.Context) error {
	it.n.Working.Buf, it.found, it.seen = nil, nil, nil
	it.before.Release()
	it.now.Release()
	it.seenKept.Release()
	if it.rows == nil {
		return nil
	}
	return it.rows.Close(ctx)
}
