package expr

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Always is true whatever its operands are, which go-mysql-server does not know.
type Always struct{ many }

// NewAlways makes the expression.
func NewAlways(of ...sql.Expression) *Always { return &Always{overMany(of)} }

func (*Always) String() string { return "true" }

// Type implements sql.Expression.
func (*Always) Type(*sql.Context) sql.Type { return types.Boolean }

// WithChildren implements sql.Expression.
func (a *Always) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(a, children)
}

// Eval implements sql.Expression.
func (*Always) Eval(*sql.Context, sql.Row) (any, error) { return true, nil }
