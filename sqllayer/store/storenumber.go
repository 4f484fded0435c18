package store

// Numbers on their way into a column (see store.go): brought into the column's range and to its
// decimals.

import (
	"math"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer/expr/operand"
)

// bounds of the integer types.
var integerBounds = map[any]struct {
	min int64
	max uint64
}{
	sqltypes.Int8: {math.MinInt8, math.MaxInt8}, sqltypes.Int16: {math.MinInt16, math.MaxInt16}, sqltypes.Int24: {-1 << 23, 1<<23 - 1},
	sqltypes.Int32: {math.MinInt32, math.MaxInt32}, sqltypes.Int64: {math.MinInt64, math.MaxInt64}, sqltypes.Uint8: {0, math.MaxUint8},
	sqltypes.Uint16: {0, math.MaxUint16}, sqltypes.Uint24: {0, 1<<24 - 1}, sqltypes.Uint32: {0, math.MaxUint32}, sqltypes.Uint64: {0, math.MaxUint64},
}

func (s *Storer) integer(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	b := integerBounds[c.Type.Type()]
	if n, ok := Signed(v); ok {
		return s.clampInteger(ctx, c, n < 0, uint64(n), b.min, b.max)
	}
	if n, ok := Unsigned(v); ok {
		return s.clampInteger(ctx, c, false, n, b.min, b.max)
	}
	switch f := v.(type) {
	case float64:
		return s.wholeFloat(ctx, c, f, b.min, b.max)
	case float32:
		return s.wholeFloat(ctx, c, float64(f), b.min, b.max)
	}
	d, rest, err := s.number(ctx, c, v, "integer")
	if err != nil || d == nil {
		return v, err
	}
	if d, err = operand.Rounded(d, 0); err != nil {
		return v, err
	}
	clamped, fits := clampText(d.Text('f'), b.min, b.max)
	switch {
	case !fits: // whatever follows the number
		return clamped, s.outOfRange(ctx, c)
	case rest:
		return clamped, s.truncated(ctx, c)
	}
	return clamped, nil
}

// wholeFloat takes a double by its exact value, not by its shortest text, and halves to the even
// neighbour; those of decimals go away from zero.
func (s *Storer) wholeFloat(ctx *sql.Context, c *sql.Column, f float64, low int64, high uint64) (any, error) {
	clamped, fits := clampText(strconv.FormatFloat(math.RoundToEven(f), 'f', 0, 64), low, high)
	if !fits {
		return clamped, s.outOfRange(ctx, c)
	}
	return clamped, nil
}

// clampText brings the digits of a whole number into a range.
func clampText(digits string, low int64, high uint64) (clamped any, fits bool) {
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return clamp(n < 0, uint64(n), low, high)
	}
	if n, err := strconv.ParseUint(digits, 10, 64); err == nil {
		return clamp(false, n, low, high)
	}
	if digits[0] == '-' {
		return low, false
	}
	return high, false
}

func (s *Storer) clampInteger(ctx *sql.Context, c *sql.Column, negative bool, n uint64, low int64, high uint64) (any, error) {
	clamped, fits := clamp(negative, n, low, high)
	if !fits {
		return clamped, s.outOfRange(ctx, c)
	}
	return clamped, nil
}

// clamp takes a number as its sign and its two's complement.
func clamp(negative bool, n uint64, low int64, high uint64) (clamped any, fits bool) {
	switch {
	case negative && int64(n) < low:
		return low, false
	case !negative && n > high:
		return high, false
	case negative:
		return int64(n), true
	}
	return n, true
}

// number reads a decimal out of anything that is no integer. nil: GMS shall convert the value.
// rest: more follows the number in a text, which is the caller's to tell.
func (s *Storer) number(ctx *sql.Context, c *sql.Column, v any, kind string) (d *apd.Decimal, rest bool, err error) {
	var text string
	switch v := v.(type) {
	case *apd.Decimal:
		return v, false, nil
	case float64:
		d, err = floatDecimal(v)
		return d, false, err
	case float32:
		d, err = floatDecimal(float64(v))
		return d, false, err
	case string:
		text = v
	case []byte:
		text = string(v)
	default:
		return nil, false, nil
	}
	trimmed := strings.Trim(text, " \t\n\r\v\f")
	end := operand.NumberPrefix(trimmed)
	if end == 0 {
		return new(apd.Decimal), false, s.incorrect(ctx, c, kind, text)
	}
	d, err = operand.ParseDecimal(trimmed[:end])
	return d, end < len(trimmed), err
}

// incorrect tells of a text that is no number of the column's kind.
func (s *Storer) incorrect(ctx *sql.Context, c *sql.Column, kind string, v any) error {
	text, _ := Texted(v)
	return s.Complain(ctx, mysql.ERTruncatedWrongValueForField, "Incorrect %s value: '%s' for column '%s' at row %d", kind, shownBytes(text), c.Name, s.Row)
}

func floatDecimal(f float64) (*apd.Decimal, error) {
	d := new(apd.Decimal)
	_, err := d.SetFloat64(f)
	return d, err
}

func (s *Storer) decimal(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	t, ok := c.Type.(sql.DecimalType)
	if !ok {
		return v, nil
	}
	if n, ok := Signed(v); ok {
		v = apd.New(n, 0)
	} else if n, ok := Unsigned(v); ok {
		d := new(apd.Decimal)
		d.Coeff.SetUint64(n)
		v = d
	}
	d, rest, err := s.number(ctx, c, v, "decimal")
	if err != nil || d == nil {
		return v, err
	}
	if rest && s.Strict {
		return nil, s.incorrect(ctx, c, "decimal", v)
	}
	if !d.IsZero() && d.NumDigits()+int64(d.Exponent) > int64(t.Precision())-int64(t.Scale()) {
		return s.largest(ctx, c, t, d.Negative, rest)
	}
	rounded, err := operand.Rounded(d, int32(t.Scale()))
	if err != nil {
		return v, nil
	}
	if d.Negative && !d.IsZero() && ColumnAttributes(c).Unsigned {
		return new(apd.Decimal), s.outOfRange(ctx, c)
	}
	if !rounded.IsZero() && rounded.NumDigits()+int64(rounded.Exponent) > int64(t.Precision())-int64(t.Scale()) {
		return s.largest(ctx, c, t, d.Negative, rest)
	}
	if rest || rounded.Cmp(d) != 0 {
		s.note(ctx, c)
	}
	return rounded, nil
}

// largest stands for a number with too many digits, where that is no error.
func (s *Storer) largest(ctx *sql.Context, c *sql.Column, t sql.DecimalType, negative, rest bool) (any, error) {
	if negative && ColumnAttributes(c).Unsigned {
		return new(apd.Decimal), s.outOfRange(ctx, c)
	}
	if err := s.outOfRange(ctx, c); err != nil {
		return nil, err
	}
	if rest {
		s.note(ctx, c)
	}
	limit, _, err := apd.NewFromString(strings.Repeat("9", int(t.Precision())) + "e-" + strconv.Itoa(int(t.Scale())))
	if err != nil {
		return nil, err
	}
	limit.Negative = negative
	return limit, nil
}

func (s *Storer) float(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	a := ColumnAttributes(c)
	if d, ok := v.(*apd.Decimal); ok && d.IsZero() {
		v = 0.0 // without a sign, as decimals have none
	}
	var f float64
	switch x := v.(type) {
	case float64:
		f = x
	case string, []byte:
		kind := strings.ToUpper(c.Type.String())
		d, rest, err := s.number(ctx, c, x, kind)
		if err != nil || d == nil {
			return v, err
		}
		if rest {
			if err := s.incorrect(ctx, c, kind, x); err != nil {
				return nil, err
			}
		}
		if f, err = d.Float64(); err != nil {
			f = math.Inf(1)
		}
	case *apd.Decimal:
		var err error
		if f, err = x.Float64(); err != nil {
			f = math.Inf(1)
		}
	default:
		if a == (Attributes{}) {
			return v, nil
		}
		converted, _, err := types.Float64.Convert(ctx, v)
		if err != nil {
			return nil, err
		}
		f = converted.(float64)
	}
	return s.attributed(ctx, c, a, f)
}
