package expr

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// Always is true whatever its operands are, which go-mysql-server does not know.
type Always struct{ operand.Many }

// NewAlways makes the expression.
func NewAlways(of ...sql.Expression) *Always { return &Always{operand.OverMany(of)} }

func (*Always) String() string { return "true" }

// Type implements sql.Expression.
func (*Always) Type(*sql.Context) sql.Type { return types.Boolean }

// WithChildren implements sql.Expression.
func (a *Always) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(a, children)
}

// Eval implements sql.Expression.
func (*Always) Eval(*sql.Context, sql.Row) (any, error) { return true, nil }
