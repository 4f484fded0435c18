package operand

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Truth tells whether the number that a value is differs from 0.
type Truth struct{ One }

// Type implements sql.Expression.
func (*Truth) Type(*sql.Context) sql.Type { return types.Boolean }

// WithChildren implements sql.Expression.
func (e *Truth) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(e, children)
}

// Eval implements sql.Expression.
func (e *Truth) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := e.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	n, null, err := NumberOf(ctx, v, e.Child.Type(ctx))
	if err != nil || null {
		return nil, err
	}
	return n.AsFloat() != 0, nil
}
