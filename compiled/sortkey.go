package compiled

import (
	"math/big"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/row"
	values "emberdb/sqllayer/expr/operand"
)

// sortPart is what rows are sorted by: a column, or a formula.
type sortPart struct {
	col, formula int // the other is -1
	desc         bool
}

// Bytes that stand for values of GMS and sort as they do:
//
//	integers, floating, texts   as a column's
//	decimals                    1, the number of its type's smallest unit plus 2^250 in 32 bytes
//	dates and times             microseconds, as an integer column's; the text that DATE() makes as itself
var (
	signedKey   = row.Column{Type: row.TInt64}
	unsignedKey = row.Column{Type: row.TUint64}
	floatKey    = row.Column{Type: row.TFloat64}
	textKey     = row.Column{Type: row.TVarbinary}
)

// decimalOffset makes decimals positive.
var decimalOffset = new(big.Int).Lsh(big.NewInt(1), 250)

// sortKey appends what stands for the value of an expression. Types that are no column's are GMS's.
func (x *Exec) sortKey(b []byte, e sql.Expression, v any, desc bool) ([]byte, error) {
	t, part := e.Type(x.sc), row.KeyPart{Desc: desc}
	if v == nil {
		return row.AppendKeyPart(b, signedKey, part, row.NullValue), nil
	}
	switch {
	case types.IsDecimal(t):
		return decimalKey(b, t, v, desc)
	case types.IsUnsigned(t):
		if n, ok := v.(uint64); ok {
			return row.AppendKeyPart(b, unsignedKey, part, row.UintValue(n)), nil
		}
	case types.IsSigned(t) || types.IsYear(t) || types.IsBoolean(t):
		if n, ok := signed(v); ok {
			return row.AppendKeyPart(b, signedKey, part, row.IntValue(n)), nil
		}
	case types.IsFloat(t):
		if f, ok := v.(float64); ok {
			return row.AppendKeyPart(b, floatKey, part, row.FloatValue(f)), nil
		}
	case types.IsTextOnly(t):
		own, _ := sql.GetCoercibility(x.sc, e)
		text, ok := v.(string)
		switch c := t.(sql.StringType).Collation(); {
		case ok && c != own && digitsOnly(text): // whatever the collation is
			return row.AppendKeyPart(b, textKey, part, row.BytesValue([]byte(text))), nil
		case ok && c == own && row.LookupCollation(uint16(c)) != nil:
			return row.AppendKeyPart(b, row.Column{Type: row.TVarchar, Collation: uint16(c), Codes: row.NewestCodes(uint16(c))}, part, row.BytesValue([]byte(text))), nil
		}
	case types.IsTime(t):
		if _, made := e.(*function.Date); made {
			if text, ok := v.(string); ok {
				return row.AppendKeyPart(b, textKey, part, row.BytesValue([]byte(text))), nil
			}
		} else if at, ok := v.(time.Time); ok {
			return row.AppendKeyPart(b, signedKey, part, row.IntValue(values.Packed(at))), nil
		}
	}
	return b, errNotMine
}

// digitsOnly tells texts that all collations compare by their bytes: what DATE_FORMAT mostly makes.
func digitsOnly(s string) bool {
	return strings.Trim(s, "0123456789-/.") == ""
}

// signed is an integer.
func signed(v any) (int64, bool) {
	switch n := v.(type) {
	case int64:
		return n, true
	case int:
		return int64(n), true
	case int32:
		return int64(n), true
	case int16:
		return int64(n), true
	case int8:
		return int64(n), true
	case bool:
		if n {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

func decimalKey(b []byte, t sql.Type, v any, desc bool) ([]byte, error) {
	d, ok := v.(*apd.Decimal)
	dt, typed := t.(sql.DecimalType)
	if !ok || !typed || d.Form != apd.Finite || d.Negative && d.IsZero() { // whether -0 is shown depends on the order of the rows
		return b, errNotMine
	}
	n, up := d.Coeff.MathBigInt(), int64(dt.Scale())+int64(d.Exponent)
	if up < 0 || up > 65 {
		return b, errNotMine
	}
	if d.Negative {
		n.Neg(n)
	}
	n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(up), nil))
	if n.Add(n, decimalOffset); n.Sign() < 0 || n.BitLen() > 256 {
		return b, errNotMine
	}
	from := len(b)
	b = append(b, 1)
	b = append(b, n.FillBytes(make([]byte, 32))...)
	if desc {
		for i := from; i < len(b); i++ {
			b[i] = ^b[i]
		}
	}
	return b, nil
}
