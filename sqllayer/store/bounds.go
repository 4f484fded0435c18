package store

import (
	"cmp"
	"math"
	"math/big"
	"time"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
	"emberdb/sqllayer/expr/operand"
)

// Edge is where a bound lies among the keys of a column.
type Edge struct {
	Key  []byte             // nil if the bound lies outside the column's domain
	Side int                // -1: just below key, which is the next larger value; 1: just above, it is the next smaller one
	Fits sql.ConvertInRange // on which side of the domain
}

// EnumEdge finds the place of a number among those of an ENUM's members.
func (c *Codec) EnumEdge(p row.KeyPart, n *big.Rat) Edge {
	whole := new(big.Int).Quo(n.Num(), n.Denom())
	switch {
	case n.Sign() < 0:
		return Edge{Fits: sql.Underflow}
	case !whole.IsInt64() || whole.Int64() > math.MaxUint16:
		return Edge{Fits: sql.Overflow}
	}
	v := row.UintValue(whole.Uint64())
	return Edge{Key: row.AppendKeyPart(nil, c.Col, p, v), Side: n.Cmp(new(big.Rat).SetInt(whole))}
}

// Compare tells whether a bound is below or above the value it was turned into. Only numbers and
// times are rounded.
func (c *Codec) Compare(zone *time.Location, bound any, v row.Value) int {
	value, err := c.Decode(zone, v)
	if err != nil {
		return 0
	}
	if t, ok := bound.(time.Time); ok {
		if d, ok := value.(time.Time); ok {
			if operand.Unreal(t) || operand.Unreal(d) {
				return cmp.Compare(operand.Packed(t), operand.Packed(d))
			}
			return t.Compare(d)
		}
		return 0
	}
	a, b := ExactNumber(bound), ExactNumber(value)
	if a == nil || b == nil {
		return 0
	}
	return a.Cmp(b)
}

// ExactNumber gives a number as a fraction, nil if v is none.
func ExactNumber(v any) *big.Rat {
	if n, ok := Signed(v); ok {
		return new(big.Rat).SetInt64(n)
	}
	if n, ok := Unsigned(v); ok {
		return new(big.Rat).SetUint64(n)
	}
	switch n := v.(type) {
	case float32:
		return new(big.Rat).SetFloat64(float64(n))
	case float64:
		return new(big.Rat).SetFloat64(n)
	case *apd.Decimal:
		if r, ok := new(big.Rat).SetString(n.Text('f')); ok {
			return r
		}
	}
	return nil
}
