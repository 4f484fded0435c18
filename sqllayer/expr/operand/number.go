package operand

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
	Integer kind = iota
	Decimal
	Double
)

// Limits of DECIMAL.
const (
	MaxPrecision = 65
	MaxScale     = 30
)

// Shape is the type of an operand as a number.
type Shape struct {
	Kind     kind
	Unsigned bool
	Scale    int32 // of a decimal
	Digits   int32 // before the point
}

// ShapeOf tells what kind of number an expression gives.
func ShapeOf(ctx *sql.Context, e sql.Expression) Shape {
	t := e.Type(ctx)
	if v, ok := e.(*expression.UserVar); ok && ctx != nil && ctx.Session != nil {
		if known, _, err := ctx.GetUserVariable(ctx, v.Name); err == nil && known != nil {
			t = known
		}
	}
	s := ShapeOfType(ctx, t)
	if l, ok := e.(*expression.Literal); ok && s.Kind == Integer && types.IsInteger(t) {
		u, wide := l.Value().(uint64)
		s.Unsigned = wide && u > math.MaxInt64 // go-mysql-server gives a literal the smallest type, which may be an unsigned one
	}
	return s
}

func ShapeOfType(ctx *sql.Context, t sql.Type) Shape {
	switch {
	case t == types.Null:
		return Shape{Kind: Integer, Digits: 1}
	case types.IsYear(t):
		return Shape{Kind: Integer, Unsigned: true, Digits: 4}
	case types.IsBit(t):
		return Shape{Kind: Integer, Unsigned: true, Digits: 20}
	case types.IsInteger(t):
		return Shape{Kind: Integer, Unsigned: types.IsUnsigned(t), Digits: integerDigits(ctx, t)}
	case types.IsDecimal(t):
		if d, ok := t.(sql.DecimalType); ok {
			return Shape{Kind: Decimal, Scale: int32(d.Scale()), Digits: int32(d.Precision()) - int32(d.Scale())}
		}
		return Shape{Kind: Decimal, Digits: MaxPrecision - MaxScale, Scale: MaxScale}
	case types.IsTimespan(t):
		return Shape{Kind: Integer, Digits: 7}
	case types.IsTime(t):
		if d, ok := t.(sql.DatetimeType); ok && d.Precision() > 0 {
			return Shape{Kind: Decimal, Scale: int32(d.Precision()), Digits: 14}
		}
		return Shape{Kind: Integer, Digits: 14}
	}
	return Shape{Kind: Double}
}

func integerDigits(ctx *sql.Context, t sql.Type) int32 {
	return int32(t.MaxTextResponseByteLength(ctx))
}

// Number is a value as a number of one kind. Exactly one of the fields counts; whole is a signed
// value unless large is set.
type Number struct {
	Kind  kind
	Whole int64
	Large bool // the integer is uint64(whole)
	Dec   *apd.Decimal
	Float float64
}

// NumberOf reads a value. null: it is NULL.
func NumberOf(ctx *sql.Context, v any, t sql.Type) (n Number, null bool, err error) {
	if v, err = sql.UnwrapAny(ctx, v); err != nil || v == nil {
		return n, true, err
	}
	switch v := v.(type) {
	case int8, int16, int32, int64, int, bool:
		return Number{Whole: signed(v)}, false, nil
	case uint8:
		return Number{Whole: int64(v)}, false, nil
	case uint16:
		return Number{Whole: int64(v)}, false, nil
	case uint32:
		return Number{Whole: int64(v)}, false, nil
	case uint64:
		return Number{Whole: int64(v), Large: v > math.MaxInt64}, false, nil
	case float32:
		return Number{Kind: Double, Float: float64(v)}, false, nil
	case float64:
		return Number{Kind: Double, Float: v}, false, nil
	case *apd.Decimal:
		return Number{Kind: Decimal, Dec: v}, false, nil
	case string:
		return textNumber(ctx, v, t)
	case []byte:
		return textNumber(ctx, string(v), t)
	case time.Time:
		return TimeNumber(v, t), false, nil
	case types.Timespan:
		return TimespanNumber(int64(v)), false, nil
	case sql.JSONWrapper:
		return documentNumber(ctx, v)
	}
	f, _, err := types.Float64.Convert(ctx, v)
	if err != nil || f == nil {
		return n, f == nil, err
	}
	return Number{Kind: Double, Float: f.(float64)}, false, nil
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
func textNumber(ctx *sql.Context, text string, t sql.Type) (Number, bool, error) {
	if types.IsDecimal(t) {
		d, err := ParseDecimal(text)
		return Number{Kind: Decimal, Dec: d}, false, err
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
	return Number{Kind: Double, Float: f}, false, nil
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

// TimeNumber writes a date as YYYYMMDD, a time as YYYYMMDDhhmmss.
func TimeNumber(v time.Time, t sql.Type) Number {
	m := MomentOf(v)
	n := int64(m.Year)*10000 + int64(m.Month)*100 + int64(m.Day)
	if types.IsDateType(t) {
		return Number{Whole: n}
	}
	n = n*1000000 + int64(m.Hour)*10000 + int64(m.Minute)*100 + int64(m.Second)
	if micros := int64(m.Micros); micros != 0 {
		d := apd.New(n, 0)
		d.Coeff.Mul(&d.Coeff, apd.NewBigInt(1e6)).Add(&d.Coeff, apd.NewBigInt(micros))
		d.Exponent = -6
		return Number{Kind: Decimal, Dec: d}
	}
	return Number{Whole: n}
}

// TimespanNumber writes a TIME of microseconds as hhmmss.
func TimespanNumber(micros int64) Number {
	sign := int64(1)
	if micros < 0 {
		sign, micros = -1, -micros
	}
	s := micros / 1e6
	n := sign * (s/3600*10000 + s/60%60*100 + s%60)
	if fraction := micros % 1e6; fraction != 0 {
		return Number{Kind: Decimal, Dec: apd.New(n*1e6+sign*fraction, -6)}
	}
	return Number{Whole: n}
}

func (n Number) AsFloat() float64 {
	switch n.Kind {
	case Double:
		return n.Float
	case Decimal:
		f, _ := n.Dec.Float64()
		return f
	}
	if n.Large {
		return float64(uint64(n.Whole))
	}
	return float64(n.Whole)
}

func (n Number) AsDecimal() (*apd.Decimal, error) {
	switch n.Kind {
	case Decimal:
		return n.Dec, nil
	case Double:
		d := new(apd.Decimal)
		_, err := d.SetFloat64(n.Float)
		return d, err
	}
	d := apd.New(n.Whole, 0)
	if n.Large {
		d.Coeff.SetUint64(uint64(n.Whole))
		d.Negative = false
	}
	return d, nil
}

// AsInteger rounds to a whole number; ok is false out of range.
func (n Number) AsInteger() (whole int64, large, ok bool) {
	switch n.Kind {
	case Integer:
		return n.Whole, n.Large, true
	case Double:
		f := math.RoundToEven(n.Float)
		if f >= math.MaxInt64 || f <= math.MinInt64 {
			return 0, false, false
		}
		return int64(f), false, true
	}
	rounded := new(apd.Decimal)
	if _, err := Exact.Quantize(rounded, n.Dec, 0); err != nil {
		return 0, false, false
	}
	if i, err := rounded.Int64(); err == nil {
		return i, false, true
	}
	u, err := strconv.ParseUint(rounded.Text('f'), 10, 64)
	return int64(u), true, err == nil
}

// Nearest rounds to a whole number; beyond BIGINT, to the nearest BIGINT.
func (n Number) Nearest() int64 {
	whole, large, ok := n.AsInteger()
	switch {
	case ok && !large:
		return whole
	case n.Kind == Double && n.Float < 0, n.Kind == Decimal && n.Dec.Negative:
		return math.MinInt64
	}
	return math.MaxInt64
}

// Exact computes decimals wider than any result, rounding halves away from zero as MySQL does.
var Exact = func() *apd.Context {
	c := apd.BaseContext.WithPrecision(200)
	c.Rounding = apd.RoundHalfUp
	return c
}()

// Rounded brings a decimal to a number of digits behind the point. Its zero has no sign.
func Rounded(d *apd.Decimal, scale int32) (*apd.Decimal, error) {
	out := new(apd.Decimal)
	_, err := Exact.Quantize(out, d, -scale)
	out.Negative = out.Negative && !out.IsZero()
	return out, err
}

// DecimalType is DECIMAL with the given digits before and behind the point, within MySQL's limits.
func DecimalType(digits, scale int32) sql.Type {
	scale = min(scale, MaxScale)
	precision := min(max(digits+scale, 1), MaxPrecision)
	return types.MustCreateDecimalType(uint8(max(precision, scale)), uint8(scale))
}

// Clamped is the nearest BIGINT to a number, and an integer itself.
func (n Number) Clamped() uint64 {
	whole, large, ok := n.AsInteger()
	if ok && (!large || n.Kind == Integer) {
		return uint64(whole)
	}
	negative := n.Kind == Double && n.Float < 0 || n.Kind == Decimal && n.Dec.Sign() < 0
	if negative {
		return 1 << 63
	}
	return math.MaxInt64
}

// NumberAt is the value of an expression as a number.
func NumberAt(ctx *sql.Context, e sql.Expression, row sql.Row) (n Number, null bool, err error) {
	v, err := e.Eval(ctx, row)
	if err != nil || v == nil {
		return Number{}, true, err
	}
	return NumberOf(ctx, v, e.Type(ctx))
}

func (n Number) Magnitude() (negative bool, m uint64) {
	if n.Large || n.Whole >= 0 {
		return false, uint64(n.Whole)
	}
	return true, -uint64(n.Whole)
}

// CastAs begins the names of the functions that make one; the type follows. The digits of a DECIMAL
// are arguments.
const CastAs = "cast as "

// ArrayOf is the function of CAST to an array: the type of the elements, and the name of the index
// that wants it, stand behind its operand.
const ArrayOf = "\x00array"

// ArrayWord parts the two in the type of such a CAST.
const ArrayWord = " array"

// DecimalNumber reads the decimal number that a text begins with.
func DecimalNumber(ctx *sql.Context, text string) (Number, error) {
	trimmed := strings.TrimSpace(text)
	end := NumberPrefix(trimmed)
	if end < len(trimmed) || end == 0 {
		ctx.Warn(1292, "Truncated incorrect DECIMAL value: '%s'", text)
	}
	if end == 0 {
		return Number{}, nil
	}
	d, err := ParseDecimal(trimmed[:end])
	return Number{Kind: Decimal, Dec: d}, err
}

func IsNumber(t sql.Type) bool {
	return types.IsInteger(t) || types.IsDecimal(t) || types.IsFloat(t)
}

func (n Number) CompareInteger(m Number) int {
	switch {
	case n.Large && m.Large:
		return sign(uint64(n.Whole), uint64(m.Whole))
	case n.Large:
		return 1
	case m.Large:
		return -1
	}
	return sign(n.Whole, m.Whole)
}

// CountOf is the whole number that a text begins with.
func CountOf(ctx *sql.Context, text string) int64 {
	trimmed := strings.TrimSpace(text)
	end := 0
	for end < len(trimmed) && (trimmed[end] >= '0' && trimmed[end] <= '9' || end == 0 && strings.ContainsAny(trimmed[:1], "+-")) {
		end++
	}
	n, err := strconv.ParseInt(trimmed[:end], 10, 64) // the nearest number of too many digits, and zero of none
	if end < len(trimmed) || err != nil {
		ctx.Warn(1292, "Truncated incorrect INTEGER value: '%s'", text)
	}
	return n
}

// mostOfCount is more than any date or time counts, and few enough to add up.
const mostOfCount = 1e12

// WholeOf reads a whole number; what is too large is the largest.
func WholeOf(ctx *sql.Context, v any, t sql.Type) (n int64, ok bool, err error) {
	if text, isText, err := TextOf(ctx, v); err != nil {
		return 0, false, err
	} else if isText && types.IsText(t) {
		return CountOf(ctx, text), true, nil
	}
	number, null, err := NumberOf(ctx, v, t)
	if null || err != nil {
		return 0, false, err
	}
	n, large, ok := number.AsInteger()
	if large || !ok {
		n = mostOfCount
	}
	return n, true, nil
}
