package temporal

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// dated is the argument of a function that takes a date. What is no date, of a text or number, is
// NULL with a warning; go-mysql-server takes the longest beginning that it can read, and knows
// fewer forms.
type dated struct {
	operand.Like
	what  string // WantsDate or WantsMoment
	take  taking
	zeros bool // a number that is none is the date of zeros, not NULL
}

// taking tells which dates that the calendar lacks a function takes of a text or number.
type taking uint8

const (
	takesReal taking = iota // none
	takesMode               // those that sql_mode takes
	takesAny
)

// takes tells whether a date that was read is one for the function. Of numbers, MySQL takes more.
func (d *dated) takes(ctx *sql.Context, m own.Moment, number bool) bool {
	dates := operand.DatesOf(ctx)
	switch {
	case m.Real() || d.take == takesAny && number:
		return true
	case d.take == takesReal && m != (own.Moment{}):
		return false
	case d.take == takesAny && m != (own.Moment{}):
		dates.NoZeroIn = false
	}
	return dates.Take(m)
}

// The functions around the operands of CAST, EXTRACT and TIMESTAMPDIFF, which the parser reads, and
// what warnings call the values.
const (
	WantsDate   = "date of "
	WantsMoment = "datetime of "
)

// dateArguments are the functions of dates, by how warnings call the values. Arguments that are no
// dates stand behind.
var dateArguments = map[string]struct {
	what  string
	dates int
	take  taking
}{
	"date": {WantsDate, 1, takesMode}, "last_day": {WantsDate, 1, takesAny}, "to_days": {WantsDate, 1, takesMode}, "datediff": {WantsDate, 2, takesMode},
	"year": {WantsDate, 1, takesAny}, "quarter": {WantsDate, 1, takesAny}, "month": {WantsDate, 1, takesAny}, "day": {WantsDate, 1, takesAny},
	"dayofmonth": {WantsDate, 1, takesAny}, "dayofweek": {WantsDate, 1, takesReal}, "dayofyear": {WantsDate, 1, takesReal},
	"weekday": {WantsDate, 1, takesReal}, "week": {WantsDate, 1, takesReal}, "yearweek": {WantsDate, 1, takesReal},
	"dayname": {WantsDate, 1, takesReal}, "monthname": {WantsDate, 1, takesAny},
	"adddate": {WantsMoment, 1, takesReal}, "subdate": {WantsMoment, 1, takesReal}, "date_add": {WantsMoment, 1, takesReal},
	"date_sub": {WantsMoment, 1, takesReal}, "date_format": {WantsMoment, 1, takesAny}, "to_seconds": {WantsMoment, 1, takesMode},
	"convert_tz": {WantsMoment, 1, takesMode}, "timestamp": {WantsMoment, 1, takesMode},
}

// DatesParted is the function around the operand of EXTRACT, which may be any date.
const DatesParted = "any date of "

func init() {
	operand.Register(sql.Function1{Name: DatesParted, Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
		return newDated(ctx, e, WantsMoment, takesAny)
	}})
	for _, what := range []string{WantsDate, WantsMoment} {
		operand.Register(sql.Function1{Name: what, Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
			return ofToday(ctx, newDated(ctx, e, what, takesMode))
		}})
	}
}

func init() {
	operand.Surround(operand.OverDates, func(name string) bool { return dateArguments[name].dates > 0 || unrealAnswers[name] != nil }, withDates)
}

// withDates is f with arguments that are read as MySQL reads dates.
func withDates(name string, f sql.Function) sql.Function {
	reads := dateArguments[name]
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		for i := range args[:min(len(args), reads.dates)] {
			args[i] = newDated(ctx, args[i], reads.what, reads.take)
			if !shifts[name] {
				args[i] = ofToday(ctx, args[i])
			}
		}
		e, err := f.NewInstance(ctx, args)
		if err != nil {
			return nil, err
		}
		return withUnreal(name, e), nil
	}}
}

// shifts are the functions of dates that shift a TIME as well.
var shifts = map[string]bool{"adddate": true, "subdate": true, "date_add": true, "date_sub": true}

// ofToday makes the moment of a TIME: a function that wants a date takes the current day's.
func ofToday(ctx *sql.Context, e sql.Expression) sql.Expression {
	if e.Resolved() && types.IsTimespan(e.Type(ctx)) {
		return &operand.Dated{One: operand.Over(e)}
	}
	return e
}

func newDated(ctx *sql.Context, e sql.Expression, what string, take taking) sql.Expression {
	if e.Resolved() {
		if t := e.Type(ctx); types.IsTime(t) || types.IsTimespan(t) {
			return e
		}
	}
	return &dated{Like: operand.LikeOf(e), what: what, take: take}
}

// Type implements sql.Expression.
func (d *dated) Type(ctx *sql.Context) sql.Type {
	if t := d.Child.Type(ctx); !types.IsNumber(t) {
		return t
	}
	return types.LongText
}

// IsNullable implements sql.Expression.
func (*dated) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (d *dated) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(d, children)
}

// Eval implements sql.Expression.
func (d *dated) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := d.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	text, isText, err := operand.TextOf(ctx, v)
	if err != nil {
		return nil, err
	}
	if !isText {
		number, ok := wholeDigits(v)
		if !ok {
			return v, nil
		}
		if m, ok := numberMoment(number); ok && d.takes(ctx, m, true) {
			if !m.Real() {
				return operand.TimeOf(m), nil
			}
			if number = longDate(number); len(number) >= 12 {
				if _, fraction, exact := strings.Cut(numberText(ctx, v), "."); exact {
					number += "." + fraction
				}
			}
			day, _, _ := operand.ReadDate(number)
			return day, nil
		}
		ctx.Warn(1292, "Incorrect datetime value: '%s'", number)
		if d.zeros {
			return types.ZeroTime, nil
		}
		return nil, nil
	}
	operand.WarnOfDelimiter(ctx, text, 1)
	day, cut, ok := "", false, false
	read, is := own.ReadMoment(text)
	if is = is && d.takes(ctx, read.Moment, false); is && !read.Real() && d.take != takesReal {
		if read.Cut {
			ctx.Warn(1292, "Truncated incorrect date value: '%s'", text)
		}
		return operand.TimeOf(read.Moment), nil
	} else if is && read.HasZone && read.Real() { // as the session's clock shows it
		at, _, _ := operand.ReadMoment(text, operand.DatesOf(ctx), operand.Zone(ctx))
		return at, nil
	} else if is {
		day, cut, ok = operand.ReadDate(text)
	}
	switch {
	case !ok:
		if d.what == WantsDate {
			ctx.Warn(1292, "Truncated incorrect date value: '%s'", text)
		} else {
			ctx.Warn(1292, "Incorrect datetime value: '%s'", text)
		}
		return nil, nil
	case cut && (d.what == WantsDate || len(day) == len(time.DateOnly)):
		ctx.Warn(1292, "Truncated incorrect date value: '%s'", text)
	case cut:
		ctx.Warn(1292, "Truncated incorrect datetime value: '%s'", text)
	}
	return day, nil
}

// wholeDigits is the whole part of a number; ok is false for what is none.
func wholeDigits(v any) (digits string, ok bool) {
	switch n := v.(type) {
	case int8, int16, int32, int64, int, uint8, uint16, uint32, uint64, uint:
		return fmt.Sprint(n), true
	case float32:
		digits = strconv.FormatFloat(float64(n), 'f', -1, 32)
	case float64:
		digits = strconv.FormatFloat(n, 'f', -1, 64)
	case *apd.Decimal:
		digits = n.Text('f')
	default:
		return "", false
	}
	digits, _, _ = strings.Cut(digits, ".")
	return digits, true
}

// longDate fills a number up to the six, eight, twelve or fourteen digits of a date; 101 is the
// first of January 2000.
func longDate(digits string) string {
	for _, length := range []int{6, 8, 12, 14} {
		if len(digits) <= length {
			if length == 6 && len(digits) < 3 && digits != "0" || length == 8 && len(digits) == 7 || length == 14 && len(digits) == 13 {
				return ""
			}
			return strings.Repeat("0", length-len(digits)) + digits
		}
	}
	return ""
}
