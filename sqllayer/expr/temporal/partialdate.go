package temporal

import (
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// unrealAnswers are what functions say of the date of zeros, and of dates that the calendar lacks.
// m is the first argument that is one. go-mysql-server and the functions around answer for all other
// dates.
var unrealAnswers = map[string]func(ctx *sql.Context, m own.Moment) any{
	"year":    func(_ *sql.Context, m own.Moment) any { return int64(m.Year) },
	"quarter": func(_ *sql.Context, m own.Moment) any { return int64(m.Month+2) / 3 },
	"month":   func(_ *sql.Context, m own.Moment) any { return int64(m.Month) },
	"day":     func(_ *sql.Context, m own.Moment) any { return int64(m.Day) }, "dayofmonth": func(_ *sql.Context, m own.Moment) any { return int64(m.Day) },
	DateParts + "year_month": func(_ *sql.Context, m own.Moment) any { return int64(m.Year*100 + m.Month) },
	"last_day":               lastOfMonth, "date": dateAsWritten, CastDate: castUnreal(types.Date),
	"to_days": func(_ *sql.Context, m own.Moment) any {
		if m.Month == 0 || m.Day == 0 {
			return nil
		}
		return int64(own.DayNumber(m.Year, m.Month, m.Day))
	},
	"unix_timestamp": func(*sql.Context, own.Moment) any { return int64(0) },
	"to_seconds":     none, "dayofweek": none, "dayofyear": none, "weekday": none, "week": none, "yearweek": none, "dayname": none,
	"convert_tz": none, "addtime": none, "subtime": none, DateParts + "timestampdiff": none,
}

func init() {
	for _, unit := range []string{"year", "quarter", "month", "day", "week"} {
		unrealAnswers[DateParts+unit] = unrealAnswers[unit]
	}
	for digits := range 7 {
		unrealAnswers[CastMoment(strconv.Itoa(digits))] = castUnreal(types.MustCreateDatetimeType(types.Datetime.Type(), digits))
	}
	for name := range unrealAnswers {
		if name == CastDate || strings.HasPrefix(name, castMoments) || strings.HasPrefix(name, DateParts) {
			operand.Register(sql.Function1{Name: name, Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return withUnreal(name, e) }})
		}
	}
	operand.Register(operand.NewScalar("date", 1, 1, types.Date, func(ctx *sql.Context, a []any) (any, error) {
		at, ok := momentOf(ctx, a[0])
		if !ok {
			return nil, nil
		}
		return at.Truncate(24 * time.Hour), nil
	}))
}

// The names of the functions around CAST to DATE and to DATETIME, of which the digits follow; and
// around EXTRACT, of which the unit follows.
const (
	CastDate    = "cast to date"
	castMoments = "cast to datetime "
	DateParts   = "part of date "
)

// CastMoment is the name of the function around a CAST to DATETIME.
func CastMoment(digits string) string { return castMoments + digits }

func none(*sql.Context, own.Moment) any { return nil }

// dateAsWritten is DATE, which is a text in go-mysql-server.
func dateAsWritten(ctx *sql.Context, m own.Moment) any {
	day := own.Moment{Year: m.Year, Month: m.Month, Day: m.Day}
	if !operand.DatesOf(ctx).Take(day) {
		return nil
	}
	return operand.TimeOf(day)
}

// lastOfMonth is LAST_DAY, which does not look at the day.
func lastOfMonth(ctx *sql.Context, m own.Moment) any {
	if m.Month == 0 {
		ctx.Warn(1292, "Truncated incorrect date value: '%s'", operand.ShownMoment(operand.TimeOf(m), m.Hour|m.Minute|m.Second == 0, 0))
		return nil
	}
	m.Day = own.DaysOf(m.Year, m.Month)
	return operand.TimeOf(own.Moment{Year: m.Year, Month: m.Month, Day: m.Day})
}

// castUnreal is CAST to a type.
func castUnreal(to sql.Type) func(ctx *sql.Context, m own.Moment) any {
	return func(ctx *sql.Context, m own.Moment) any {
		at, ok := operand.RoundUnreal(to, operand.TimeOf(m))
		if !ok || !operand.DatesOf(ctx).Take(operand.MomentOf(at)) {
			return nil
		}
		return at
	}
}

// unreal is a function that answers for dates that the calendar lacks as unrealAnswers say.
type unreal struct {
	operand.Like
	answer func(ctx *sql.Context, m own.Moment) any
}

// unrealFunction is an unreal that keeps its function's name.
type unrealFunction struct{ unreal }

var _ sql.FunctionExpression = (*unrealFunction)(nil)

// withUnreal is f as such a function, if there is an answer of its name.
func withUnreal(name string, f sql.Expression) sql.Expression {
	answer := unrealAnswers[name]
	if answer == nil {
		return f
	}
	u := unreal{operand.LikeOf(f), answer}
	if _, named := f.(sql.FunctionExpression); named {
		return &unrealFunction{u}
	}
	return &u
}

// FunctionName implements sql.FunctionExpression.
func (u *unrealFunction) FunctionName() string { return u.function().FunctionName() }

// Operator tells the calls of one type apart, see operand.Operated.
func (u *unrealFunction) Operator() string { return u.FunctionName() }

// Description implements sql.FunctionExpression.
func (u *unrealFunction) Description() string { return u.function().Description() }

func (u *unrealFunction) function() sql.FunctionExpression {
	return u.Child.(sql.FunctionExpression)
}

// WithChildren implements sql.Expression.
func (u *unrealFunction) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	f, err := u.Child.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &unrealFunction{unreal{operand.LikeOf(f), u.answer}}, nil
}

// Children implements sql.Expression: they are the function's.
func (u *unreal) Children() []sql.Expression { return u.Child.Children() }

// WithChildren implements sql.Expression.
func (u *unreal) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	f, err := u.Child.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &unreal{operand.LikeOf(f), u.answer}, nil
}

// Eval implements sql.Expression. Each argument is computed once, but for columns and constants.
func (u *unreal) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	args := u.Child.Children()
	values, plain := make([]sql.Expression, len(args)), true
	var found *own.Moment
	for i, arg := range args {
		switch arg.(type) {
		case *expression.GetField, *expression.Literal:
		default:
			plain = false
		}
		v, err := arg.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if at, ok := v.(time.Time); ok && found == nil && (operand.Unreal(at) || at.Equal(types.ZeroTime)) {
			m := operand.MomentOf(at)
			found = &m
		}
		values[i] = expression.NewLiteral(v, arg.Type(ctx))
	}
	if found != nil {
		v := u.answer(ctx, *found)
		if _, whole := v.(int64); !whole {
			return v, nil
		}
		v, _, err := u.Child.Type(ctx).Convert(ctx, v)
		return v, err
	}
	if plain {
		return u.Child.Eval(ctx, row)
	}
	f, err := u.Child.WithChildren(ctx, values...)
	if err != nil {
		return nil, err
	}
	return f.Eval(ctx, nil)
}

// numberMoment reads a number that begins with a date. Of two digits or less there is the date of
// zeros alone.
func numberMoment(digits string) (m own.Moment, ok bool) {
	text := longDate(digits)
	if text == "" && len(digits) < 3 {
		text = strings.Repeat("0", 6-len(digits)) + digits
	}
	read, ok := own.ReadMoment(text)
	return read.Moment, ok
}

// keeping is a conversion of dates to another type of dates, which go-mysql-server makes where
// columns of two queries become one.
type keeping struct{ operand.Like }

// KeepingUnreal is a conversion that keeps dates that the calendar lacks.
func KeepingUnreal(_ *sql.Context, e *expression.Convert) sql.Expression {
	return &keeping{operand.LikeOf(e)}
}

// WithChildren implements sql.Expression.
func (k *keeping) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(k, children)
}

// Eval implements sql.Expression.
func (k *keeping) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := k.Child.Children()[0].Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if at, ok := v.(time.Time); ok && operand.Unreal(at) {
		at, _ = operand.RoundUnreal(k.Type(ctx), at)
		return at, nil
	}
	f, err := k.Child.WithChildren(ctx, expression.NewLiteral(v, k.Child.Children()[0].Type(ctx)))
	if err != nil {
		return nil, err
	}
	return f.Eval(ctx, nil)
}
