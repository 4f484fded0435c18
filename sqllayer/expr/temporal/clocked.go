package temporal

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// clocked is what CAST(x AS TIME(n)) takes: the time of a text or number, rounded to n digits.
type clocked struct {
	operand.One
	digits int
}

// WantsTime is the beginning of the names of the functions that make one; the number of digits
// follows.
const WantsTime = "time of "

// extracted is EXTRACT of hours and smaller units, and of days with those. Behind ExtractClock, the
// beginning of the function's name, stands the unit.
type extracted struct {
	operand.One
	unit string
}

const ExtractClock = "extract "

// OfClock tells the units that a time has.
func OfClock(unit string) bool {
	u, ok := own.IntervalUnitOf(unit)
	first, last := u.Parts()
	return ok && first >= own.DayPart && last > own.DayPart
}

func init() {
	for digits := range 7 {
		operand.Register(sql.Function1{Name: WantsTime + strconv.Itoa(digits), Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &clocked{operand.Over(e), digits} }})
	}
	for unit := range own.IntervalUnits() {
		if OfClock(unit) {
			operand.Register(sql.Function1{Name: ExtractClock + unit, Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &extracted{operand.Over(e), unit} }})
		}
	}
	part := func(name string, of func(micros int64) int64) sql.Function {
		return operand.NewScalar(name, 1, 1, types.Int64, func(ctx *sql.Context, a []any) (any, error) {
			micros, ok := clockOf(ctx, a[0])
			if !ok {
				return nil, nil
			}
			return of(micros), nil
		})
	}
	unit := func(n int) func(int64) int64 { return func(micros int64) int64 { return clockParts(micros)[n] } }
	operand.Register(part("hour", unit(0)), part("minute", unit(1)), part("second", unit(2)), part("microsecond", unit(3)),
		part("time_to_sec", func(micros int64) int64 { return micros / 1e6 }),
		operand.NewScalar("time", 1, 1, types.Time, func(ctx *sql.Context, a []any) (any, error) {
			micros, ok := clockOf(ctx, a[0])
			if !ok {
				return nil, nil
			}
			return types.Timespan(micros), nil
		}))
}

func (c *clocked) String() string {
	if c.digits == 0 {
		return "cast(" + c.Child.String() + " as time)"
	}
	return "cast(" + c.Child.String() + " as time(" + strconv.Itoa(c.digits) + "))"
}

// clockParts are the hours, minutes, seconds and microseconds of a time without its sign.
func clockParts(micros int64) [4]int64 {
	if micros < 0 {
		micros = -micros
	}
	seconds := micros / 1e6
	return [4]int64{seconds / 3600, seconds / 60 % 60, seconds % 60, micros % 1e6}
}

// Type implements sql.Expression.
func (*clocked) Type(*sql.Context) sql.Type { return types.Time }

// IsNullable implements sql.Expression.
func (*clocked) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (c *clocked) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *clocked) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	micros, ok, err := clockAt(ctx, c.Child, row)
	if err != nil || !ok {
		return nil, err
	}
	unit := math.Pow10(6 - c.digits)
	return operand.ClampTime(int64(math.Round(float64(micros)/unit) * unit)), nil
}

func (e *extracted) String() string { return "extract(" + e.unit + " from " + e.Child.String() + ")" }

// Type implements sql.Expression.
func (*extracted) Type(*sql.Context) sql.Type { return types.Int64 }

// IsNullable implements sql.Expression.
func (*extracted) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (e *extracted) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(e, children)
}

// Eval implements sql.Expression.
func (e *extracted) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := e.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	u, _ := own.IntervalUnitOf(e.unit)
	first, last := u.Parts()
	n := int64(0)
	if first == own.DayPart {
		if at, ok := dayOf(ctx, v); ok {
			v, n = at, int64(operand.MomentOf(at).Day)
		}
	}
	micros, ok := clockOf(ctx, v)
	if !ok {
		return nil, nil
	}
	for i := max(first, own.HourPart); i <= last; i++ {
		base := int64(100)
		if i == own.MicroPart {
			base = 1e6
		}
		n = n*base + clockParts(micros)[i-own.HourPart]
	}
	if micros < 0 {
		n = -n
	}
	return n, nil
}

// dayOf is the date and time in a value that is not a time alone: a number is a date, a text if it
// has a date's hyphens or digits.
func dayOf(ctx *sql.Context, v any) (at time.Time, ok bool) {
	if at, ok = v.(time.Time); ok {
		return at, true
	}
	text, isText, err := operand.TextOf(ctx, v)
	if digits, number := wholeDigits(v); number {
		text = longDate(digits)
	} else if !isText || err != nil || strings.LastIndexByte(text, '-') <= 0 && (len(text) < 12 || strings.ContainsAny(text, ": ")) {
		return at, false
	}
	day, _, ok := operand.ReadDate(text)
	if !ok {
		return at, false
	}
	return toTime(ctx, day)
}

func clockAt(ctx *sql.Context, e sql.Expression, row sql.Row) (micros int64, ok bool, err error) {
	v, err := e.Eval(ctx, row)
	if err != nil || v == nil {
		return 0, false, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return 0, false, err
	}
	micros, ok = clockOf(ctx, v)
	return micros, ok, nil
}

// clockOf is the time in a value, in microseconds, with a warning for what is none.
func clockOf(ctx *sql.Context, v any) (micros int64, ok bool) {
	switch v := v.(type) {
	case types.Timespan:
		return int64(v), true
	case time.Time:
		return v.Sub(v.Truncate(24 * time.Hour)).Microseconds(), true
	}
	text, isText, err := operand.TextOf(ctx, v)
	if err != nil {
		return 0, false
	}
	if !isText {
		if _, number := wholeDigits(v); !number {
			return toSpan(ctx, v)
		}
		text = numberText(ctx, v)
		if digits, fraction, _ := strings.Cut(text, "."); len(digits) > 10 {
			text = longDate(digits) + "." + fraction
		}
	}
	micros, c, ok := operand.ReadClock(text)
	switch beyond := micros > operand.MaxTime || micros < -operand.MaxTime; {
	case !ok, beyond && !isText:
		ctx.Warn(1292, "Truncated incorrect time value: '%s'", text)
		return 0, false
	case c.Cut, beyond:
		ctx.Warn(1292, "Truncated incorrect time value: '%s'", text)
	}
	return max(min(micros, operand.MaxTime), -operand.MaxTime), true
}

// numberText is a number as it is written without an exponent.
func numberText(ctx *sql.Context, v any) string {
	if d, exact := v.(*apd.Decimal); exact {
		return d.Text('f')
	}
	digits, _ := wholeDigits(v)
	n, null, err := operand.NumberOf(ctx, v, types.Float64)
	if null || err != nil || n.Kind == operand.Integer {
		return digits
	}
	return strconv.FormatFloat(n.AsFloat(), 'f', -1, 64)
}
