package expr

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// kind of a number.
type kind uint8

const (
	integer kind = iota
	decimal
	double
)

// Limits of DECIMAL.
const (
	maxPrecision = 65
	maxScale     = 30
)

// shape is the type of an operand as a number.
type shape struct {
	kind     kind
	unsigned bool
	scale    int32 // of a decimal
	digits   int32 // before the point
}

// shapeOf tells what kind of number an expression gives.
func shapeOf(ctx *sql.Context, e sql.Expression) shape {
	t := e.Type(ctx)
	if v, ok := e.(*expression.UserVar); ok && ctx != nil && ctx.Session != nil {
		if known, _, err := ctx.GetUserVariable(ctx, v.Name); err == nil && known != nil {
			t = known
		}
	}
	s := shapeOfType(ctx, t)
	if l, ok := e.(*expression.Literal); ok && s.kind == integer && types.IsInteger(t) {
		u, wide := l.Value().(uint64)
		s.unsigned = wide && u > math.MaxInt64 // go-mysql-server gives a literal the smallest type, which may be an unsigned one
	}
	return s
}

func shapeOfType(ctx *sql.Context, t sql.Type) shape {
	switch {
	case t == types.Null:
		return shape{kind: integer, digits: 1}
	case types.IsYear(t):
		return shape{kind: integer, unsigned: true, digits: 4}
	case types.IsBit(t):
		return shape{kind: integer, unsigned: true, digits: 20}
	case types.IsInteger(t):
		return shape{kind: integer, unsigned: types.IsUnsigned(t), digits: integerDigits(ctx, t)}
	case types.IsDecimal(t):
		if d, ok := t.(sql.DecimalType); ok {
			return shape{kind: decimal, scale: int32(d.Scale()), digits: int32(d.Precision()) - int32(d.Scale())}
		}
		return shape{kind: decimal, digits: maxPrecision - maxScale, scale: maxScale}
	case types.IsTimespan(t):
		return shape{kind: integer, digits: 7}
	case types.IsTime(t):
		if d, ok := t.(sql.DatetimeType); ok && d.Precision() > 0 {
			return shape{kind: decimal, scale: int32(d.Precision()), digits: 14}
		}
		return shape{kind: integer, digits: 14}
	}
	return shape{kind: double}
}

func integerDigits(ctx *sql.Context, t sql.Type) int32 {
	return int32(t.MaxTextResponseByteLength(ctx))
}

// number is a value as a number of one kind. Exactly one of the fields counts; whole is a signed
// value unless large is set.
type number struct {
	kind  kind
	whole int64
	large bool // the integer is uint64(whole)
	dec   *apd.Decimal
	float float64
}

// numberOf reads a value. null: it is NULL.
func numberOf(ctx *sql.Context, v any, t sql.Type) (n number, null bool, err error) {
	if v, err = sql.UnwrapAny(ctx, v); err != nil || v == nil {
		return n, true, err
	}
	switch v := v.(type) {
	case int8, int16, int32, int64, int, bool:
		return number{whole: signed(v)}, false, nil
	case uint8:
		return number{whole: int64(v)}, false, nil
	case uint16:
		return number{whole: int64(v)}, false, nil
	case uint32:
		return number{whole: int64(v)}, false, nil
	case uint64:
		return number{whole: int64(v), large: v > math.MaxInt64}, false, nil
	case float32:
		return number{kind: double, float: float64(v)}, false, nil
	case float64:
		return number{kind: double, float: v}, false, nil
	case *apd.Decimal:
		return number{kind: decimal, dec: v}, false, nil
	case string:
		return textNumber(ctx, v, t)
	case []byte:
		return textNumber(ctx, string(v), t)
	case time.Time:
		return timeNumber(v, t), false, nil
	case types.Timespan:
		return timespanNumber(int64(v)), false, nil
	}
	f, _, err := types.Float64.Convert(ctx, v)
	if err != nil || f == nil {
		return n, f == nil, err
	}
	return number{kind: double, float: f.(float64)}, false, nil
}

func signed(v any) int64 {
	switch v := v.(type) {
	case int8:
		return int64(v)
	case int16:
		return int64(v)
	case int32:
		return int64(v)
	case int64:
		return v
	case int:
		return int64(v)
	case bool:
		if v {
			return 1
		}
	}
	return 0
}

// Digits that are read of a decimal number: more than the 65 that a value has.
const mostDigits = 90

// ParseDecimal reads a decimal number. Of more digits than any value has, the ones that do not
// count are left out; the time that the library takes is square in their number. An exponent beyond
// all values makes the number zero, or one that is out of every range.
func ParseDecimal(text string) (*apd.Decimal, error) {
	if len(text) > mostDigits {
		mantissa, exponent := text, ""
		if at := strings.IndexAny(text, "eE"); at >= 0 {
			mantissa, exponent = text[:at], text[at:]
		}
		sign := ""
		if mantissa != "" && (mantissa[0] == '-' || mantissa[0] == '+') {
			sign, mantissa = mantissa[:1], mantissa[1:]
		}
		whole, fraction, _ := strings.Cut(mantissa, ".")
		if whole = strings.TrimLeft(whole, "0"); len(whole) > mostDigits && exponent == "" {
			whole, fraction = whole[:mostDigits], ""
		}
		if len(fraction) > mostDigits && exponent == "" {
			fraction = fraction[:mostDigits]
		}
		text = sign + "0" + whole + "." + fraction + "0" + exponent
	}
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		n, _ := strconv.ParseInt(text[at+1:], 10, 64) // the nearest number of too many digits
		if n += int64(at); n > 2*mostDigits || n < -2*mostDigits || at > 2*mostDigits {
			f, _ := strconv.ParseFloat(text, 64) // the nearest number of too many digits
			f = max(min(f, 1e90), -1e90)
			text = strconv.FormatFloat(f, 'e', -1, 64)
			if math.Abs(f) < 1e-90 {
				text = "0"
			}
		}
	}
	d, _, err := apd.NewFromString(text)
	return d, err
}

// textNumber reads the number a text begins with. Decimal literals come as text, too.
func textNumber(ctx *sql.Context, text string, t sql.Type) (number, bool, error) {
	if types.IsDecimal(t) {
		d, err := ParseDecimal(text)
		return number{kind: decimal, dec: d}, false, err
	}
	trimmed := strings.TrimLeft(text, " \t\n\r\v\f")
	end := NumberPrefix(trimmed)
	if rest := strings.TrimRight(trimmed[end:], " \t\n\r\v\f"); rest != "" || end == 0 && trimmed != "" {
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1292, Message: fmt.Sprintf("Truncated incorrect DOUBLE value: '%s'", text)})
	}
	f, _ := strconv.ParseFloat(trimmed[:end], 64)
	if math.IsInf(f, 0) {
		f = math.Copysign(math.MaxFloat64, f)
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1292, Message: fmt.Sprintf("Truncated incorrect DOUBLE value: '%s'", text)})
	}
	return number{kind: double, float: f}, false, nil
}

// NumberPrefix is the length of the number that text begins with.
func NumberPrefix(text string) int {
	i, digits := 0, 0
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		i++
	}
	for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
		digits++
	}
	if i < len(text) && text[i] == '.' {
		for i++; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
			digits++
		}
	}
	if digits == 0 {
		return 0
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		j := i + 1
		if j < len(text) && (text[j] == '-' || text[j] == '+') {
			j++
		}
		first := j
		for j < len(text) && text[j] >= '0' && text[j] <= '9' {
			j++
		}
		if j > first {
			i = j
		}
	}
	return i
}

// timeNumber writes a date as YYYYMMDD, a time as YYYYMMDDhhmmss.
func timeNumber(v time.Time, t sql.Type) number {
	if v.Equal(types.ZeroTime) {
		return number{}
	}
	y, mo, d := v.Date()
	n := int64(y)*10000 + int64(mo)*100 + int64(d)
	if types.IsDateType(t) {
		return number{whole: n}
	}
	h, mi, s := v.Clock()
	n = n*1000000 + int64(h)*10000 + int64(mi)*100 + int64(s)
	if micros := int64(v.Nanosecond() / 1000); micros != 0 {
		d := apd.New(n, 0)
		d.Coeff.Mul(&d.Coeff, apd.NewBigInt(1e6)).Add(&d.Coeff, apd.NewBigInt(micros))
		d.Exponent = -6
		return number{kind: decimal, dec: d}
	}
	return number{whole: n}
}

// timespanNumber writes a TIME of microseconds as hhmmss.
func timespanNumber(micros int64) number {
	sign := int64(1)
	if micros < 0 {
		sign, micros = -1, -micros
	}
	s := micros / 1e6
	n := sign * (s/3600*10000 + s/60%60*100 + s%60)
	if fraction := micros % 1e6; fraction != 0 {
		return number{kind: decimal, dec: apd.New(n*1e6+sign*fraction, -6)}
	}
	return number{whole: n}
}

func (n number) asFloat() float64 {
	switch n.kind {
	case double:
		return n.float
	case decimal:
		f, _ := n.dec.Float64()
		return f
	}
	if n.large {
		return float64(uint64(n.whole))
	}
	return float64(n.whole)
}

func (n number) asDecimal() (*apd.Decimal, error) {
	switch n.kind {
	case decimal:
		return n.dec, nil
	case double:
		d := new(apd.Decimal)
		_, err := d.SetFloat64(n.float)
		return d, err
	}
	d := apd.New(n.whole, 0)
	if n.large {
		d.Coeff.SetUint64(uint64(n.whole))
		d.Negative = false
	}
	return d, nil
}

// asInteger rounds to a whole number; ok is false out of range.
func (n number) asInteger() (whole int64, large, ok bool) {
	switch n.kind {
	case integer:
		return n.whole, n.large, true
	case double:
		f := math.RoundToEven(n.float)
		if f >= math.MaxInt64 || f <= math.MinInt64 {
			return 0, false, false
		}
		return int64(f), false, true
	}
	rounded := new(apd.Decimal)
	if _, err := exact.Quantize(rounded, n.dec, 0); err != nil {
		return 0, false, false
	}
	if i, err := rounded.Int64(); err == nil {
		return i, false, true
	}
	u, err := strconv.ParseUint(rounded.Text('f'), 10, 64)
	return int64(u), true, err == nil
}

// exact computes decimals wider than any result, rounding halves away from zero as MySQL does.
var exact = func() *apd.Context {
	c := apd.BaseContext.WithPrecision(200)
	c.Rounding = apd.RoundHalfUp
	return c
}()

// Rounded brings a decimal to a number of digits behind the point. Its zero has no sign.
func Rounded(d *apd.Decimal, scale int32) (*apd.Decimal, error) {
	out := new(apd.Decimal)
	_, err := exact.Quantize(out, d, -scale)
	out.Negative = out.Negative && !out.IsZero()
	return out, err
}

// decimalType is DECIMAL with the given digits before and behind the point, within MySQL's limits.
func decimalType(digits, scale int32) sql.Type {
	scale = min(scale, maxScale)
	precision := min(max(digits+scale, 1), maxPrecision)
	return types.MustCreateDecimalType(uint8(max(precision, scale)), uint8(scale))
}
