package run

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
)

// OneRow has its child's row, NULLs if there is none; a second one is an error.
type OneRow struct{ wrapper }

// NewOneRow guards a query.
func NewOneRow(query sql.Node) *OneRow { return &OneRow{Around(query)} }

// Schema implements sql.Node.
func (n *OneRow) Schema(ctx *sql.Context) sql.Schema { return n.Child.Schema(ctx) }

// WithChildren implements sql.Node.
func (n *OneRow) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

func (n *OneRow) build(ctx *sql.Context, b *Builder, r sql.Row) (sql.RowIter, error) {
	iter, err := b.Base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	row, err := onlyRow(ctx, iter)
	if closing := iter.Close(ctx); err == nil {
		err = closing
	}
	if err != nil {
		return nil, err
	}
	if row == nil {
		row = append(r[:len(r):len(r)], make(sql.Row, len(n.Schema(ctx)))...)
	}
	return sql.RowsToRowIter(row), nil
}

// onlyRow reads the row of an iterator that should have no second one; nil if it has none.
func onlyRow(ctx *sql.Context, iter sql.RowIter) (sql.Row, error) {
	var found sql.Row
	for {
		row, err := iter.Next(ctx)
		switch {
		case err == io.EOF: //nolint:errorlint // iterators end with io.EOF itself
			return found, nil
		case err != nil:
			return nil, err
		case found != nil:
			return nil, sql.ErrExpectedSingleRow.New()
		}
		found = row
	}
}
