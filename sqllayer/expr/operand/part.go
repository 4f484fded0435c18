package operand

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Part is a value that becomes a part of a document where the library makes another one of it: a
// double without a fraction keeps its digit behind the point, a geometry becomes GeoJSON.
type Part struct{ Like }

// NewPart is e as a part of a document.
func NewPart(ctx *sql.Context, e sql.Expression) sql.Expression {
	if e.Resolved() && !types.IsFloat(e.Type(ctx)) && !types.IsGeometry(e.Type(ctx)) {
		return e
	}
	return &Part{LikeOf(e)}
}

// WithChildren implements sql.Expression.
func (d *Part) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(d, children)
}

// Eval implements sql.Expression.
func (d *Part) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := d.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if types.IsGeometry(d.Child.Type(ctx)) {
		if v, err = types.UnwrapGeometry(ctx, v); err != nil {
			return nil, err
		}
	}
	return DocumentPart(v), nil
}

// longestWhole is where the texts of doubles get exponents.
const longestWhole = 1e15

// DocumentPart is a value as a part of a document.
func DocumentPart(v any) any {
	var f float64
	switch n := v.(type) {
	case float64:
		f = n
	case float32:
		f = float64(n)
	case types.GeometryValue:
		return geoDocument(n)
	default:
		return v
	}
	if f == math.Trunc(f) && math.Abs(f) <= ExactDoubles {
		return apdOf(f)
	}
	return f
}
