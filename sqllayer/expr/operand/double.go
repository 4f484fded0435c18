package operand

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// PartDouble is a number that becomes a part of a document: a double without a fraction keeps its digit
// behind the point there, for the library writes it as an integer.
type PartDouble struct{ Like }

// NewDouble is e as a part of a document.
func NewDouble(ctx *sql.Context, e sql.Expression) sql.Expression {
	if e.Resolved() && !types.IsFloat(e.Type(ctx)) {
		return e
	}
	return &PartDouble{LikeOf(e)}
}

// WithChildren implements sql.Expression.
func (d *PartDouble) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(d, children)
}

// Eval implements sql.Expression.
func (d *PartDouble) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := d.Child.Eval(ctx, row)
	return DocumentNumber(v), err
}

// longestWhole is where the texts of doubles get exponents.
const longestWhole = 1e15

// DocumentNumber is a value as a part of a document.
func DocumentNumber(v any) any {
	var f float64
	switch n := v.(type) {
	case float64:
		f = n
	case float32:
		f = float64(n)
	default:
		return v
	}
	if f == math.Trunc(f) && math.Abs(f) < longestWhole {
		return apdOf(f)
	}
	return v
}
