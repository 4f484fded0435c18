package sqllayer

import (
	"bytes"
	"context"
	"math/big"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/row"
)

// wideType is the type that GMS takes a column for when it makes ranges: its values are not rounded to the column, which would move a bound.
type wideType struct {
	columnType
	wide sql.Type // nil: the column's own, whose errors mean that nothing is equal
}

type columnType = sql.Type // has a method Type, which an embedded field of that name would hide

// wideDecimal is the same for DECIMAL, whose scale GMS asks for.
type wideDecimal struct{ sql.DecimalType }

// boundType is the type of the bounds of a column's ranges.
func boundType(c *codec) sql.Type {
	switch c.col.Type {
	case row.TDate, row.TDateTime, row.TTimestamp:
		return wideType{c.typ, types.DatetimeMaxPrecision}
	case row.TDecimal:
		if t, ok := c.typ.(sql.DecimalType); ok {
			return wideDecimal{t}
		}
	case row.TEnum, row.TSet:
		return wideType{c.typ, nil}
	}
	return c.typ
}

// bare is the column's type behind the type of a bound.
func bare(t sql.Type) sql.Type {
	switch t := t.(type) {
	case wideType:
		return t.columnType
	case wideDecimal:
		return t.DecimalType
	}
	return t
}

// Convert implements sql.Type.
func (t wideType) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	if t.wide == nil {
		out, fits, err := t.columnType.Convert(ctx, v)
		if err != nil {
			return nil, sql.Underflow, nil // GMS takes it for less than all members
		}
		return out, fits, nil
	}
	return t.wide.Convert(ctx, v)
}

// Compare implements sql.Type.
func (t wideType) Compare(ctx context.Context, a, b any) (int, error) {
	if t.wide == nil {
		return t.columnType.Compare(ctx, a, b)
	}
	return t.wide.Compare(ctx, a, b)
}

// Equals implements sql.Type.
func (t wideType) Equals(other sql.Type) bool { return t.columnType.Equals(bare(other)) }

// Convert implements sql.Type.
func (t wideDecimal) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	return types.InternalDecimalType.Convert(ctx, v)
}

// Compare implements sql.Type.
func (t wideDecimal) Compare(ctx context.Context, a, b any) (int, error) {
	return types.InternalDecimalType.Compare(ctx, a, b)
}

// Equals implements sql.Type.
func (t wideDecimal) Equals(other sql.Type) bool { return t.DecimalType.Equals(bare(other)) }

// edge is where a bound lies among the keys of a column.
type edge struct {
	key  []byte             // nil if the bound lies outside the column's domain
	side int                // -1: just below key, which is the next larger value; 1: just above, it is the next smaller one
	fits sql.ConvertInRange // on which side of the domain
}

// edge finds the place of a bound. A bound that the column cannot hold lies between two values, or outside all. What cannot be converted at all
// equals nothing: Overflow for a lower bound empties the interval.
func (x *Index) edge(ctx *sql.Context, p row.KeyPart, bound any) edge {
	nowhere := edge{fits: sql.Overflow}
	c := &x.table.codecs[p.Column]
	bound, err := sql.UnwrapAny(ctx, bound)
	if err != nil || bound == nil {
		return nowhere
	}
	v, ok, err := c.encodeExact(ctx, bound)
	if err != nil {
		return nowhere
	}
	converts := !ok
	if converts {
		converted, fits, err := c.typ.Convert(ctx, bound)
		if err != nil && !sql.ErrTruncatedIncorrect.Is(err) || converted == nil {
			if n := exactNumber(bound); n != nil && n.Sign() < 0 {
				return edge{fits: sql.Underflow}
			}
			return nowhere
		}
		if fits != sql.InRange {
			return edge{fits: fits}
		}
		if v, ok, err = c.encodeExact(ctx, converted); !ok || err != nil {
			return nowhere
		}
	}
	side := 0
	switch c.col.Type {
	case row.TBinary: // values of another length equal none of the column
		switch n := len(v.B); {
		case n < int(c.col.Length):
			side = -1
		case n > int(c.col.Length):
			v.B, side = v.B[:c.col.Length], 1
		}
	case row.TChar: // spaces at the end, which no value has, count under collations that do not pad
		if text, ok := bound.(string); ok {
			v.B = append(bytes.Clone(v.B), text[len(strings.TrimRight(text, " ")):]...)
		}
	case row.TDecimal, row.TFloat32, row.TDate:
		side = c.compare(bound, v)
	default:
		if converts {
			side = c.compare(bound, v)
		}
	}
	return edge{key: row.AppendKeyPart(nil, c.col, p, v), side: side}
}

// compare tells whether a bound is below or above the value it was turned into. Only numbers and times are rounded.
func (c *codec) compare(bound any, v row.Value) int {
	value, err := c.decode(v)
	if err != nil {
		return 0
	}
	if t, ok := bound.(time.Time); ok {
		if d, ok := value.(time.Time); ok {
			return t.Compare(d)
		}
		return 0
	}
	a, b := exactNumber(bound), exactNumber(value)
	if a == nil || b == nil {
		return 0
	}
	return a.Cmp(b)
}

// exactNumber gives a number as a fraction, nil if v is none.
func exactNumber(v any) *big.Rat {
	if n, ok := signed(v); ok {
		return new(big.Rat).SetInt64(n)
	}
	if n, ok := unsigned(v); ok {
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
