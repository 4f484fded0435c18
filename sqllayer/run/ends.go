package run

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/aggregate"
)

// end reads MAX or MIN of a column, if nothing else is asked for, off one end of an index. Texts
// are left to GMS: of equal ones it takes another.
func (b *Builder) end(ctx *sql.Context, n *plan.GroupBy, r sql.Row) (sql.RowIter, error) {
	if len(n.GroupByExprs) > 0 || len(n.SelectDeps) != 1 {
		return nil, nil
	}
	column, greatest := aggregate.EndOf(n.SelectDeps[0])
	if column == nil || types.IsText(column.Type(ctx)) {
		return nil, nil
	}
	order := sql.SortConditions{{Expr: column, Order: sql.Ascending}}
	if greatest {
		order[0].Order = sql.Descending
	}
	child, ok, err := alongIndex(ctx, n.Child, order)
	if !ok || err != nil {
		return nil, err
	}
	iter, err := b.Base.Build(ctx, child, r)
	if err != nil {
		return nil, err
	}
	return &endIter{child: iter, column: column}, nil
}

// endIter has one row: the column of the first row of its child where it is not NULL.
type endIter struct {
	child  sql.RowIter
	column *expression.GetField
	done   bool
}

// Next implements sql.RowIter.
func (i *endIter) Next(ctx *sql.Context) (sql.Row, error) {
	if i.done {
		return nil, io.EOF
	}
	i.done = true
	for {
		row, err := i.child.Next(ctx)
		if err == io.EOF { //nolint:errorlint // iterators end with io.EOF itself
			return sql.NewRow(nil), nil
		}
		if err != nil {
			return nil, err
		}
		if v, err := i.column.Eval(ctx, row); v != nil || err != nil {
			return sql.NewRow(v), err
		}
	}
}

// Close implements sql.RowIter.
func (i *endIter) Close(ctx *sql.Context) error { return i.child.Close(ctx) }
