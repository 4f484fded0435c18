package temporal

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sql/fn"
	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// strToDate is STR_TO_DATE.
type strToDate struct{ operand.Two }

func init() {
	operand.Register(sql.FunctionN{Name: "str_to_date", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 2 {
			return nil, sql.ErrInvalidArgumentNumber.New("STR_TO_DATE", 2, len(args))
		}
		return &strToDate{operand.OverTwo(asWritten(ctx, args[0]), asWritten(ctx, args[1]))}, nil
	}})
}

// asWritten makes a text of what is none, once its type is known.
func asWritten(ctx *sql.Context, e sql.Expression) sql.Expression {
	if !e.Resolved() || types.IsText(e.Type(ctx)) {
		return e
	}
	return operand.Written(ctx, e)
}

func (s *strToDate) String() string {
	return "str_to_date(" + s.LeftChild.String() + "," + s.RightChild.String() + ")"
}

// IsNullable implements sql.Expression.
func (*strToDate) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (s *strToDate) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(s, children)
}

// Type implements sql.Expression. A format that is not known yet may have everything.
func (s *strToDate) Type(*sql.Context) sql.Type {
	format, ok := s.RightChild.(*expression.Literal)
	text, isText := "", false
	if ok {
		text, isText = format.Value().(string)
	}
	if !isText {
		return types.DatetimeMaxPrecision
	}
	switch kind, digits := fn.FormatKind(text); {
	case kind == own.Time:
		return types.Time
	case kind == own.Date:
		return types.Date
	case digits > 0:
		return types.DatetimeMaxPrecision
	}
	return types.Datetime
}

// Eval implements sql.Expression.
func (s *strToDate) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	l, err := s.LeftChild.Eval(ctx, row)
	if err != nil || l == nil {
		return nil, err
	}
	r, err := s.RightChild.Eval(ctx, row)
	if err != nil || r == nil {
		return nil, err
	}
	text, _, err := operand.TextOf(ctx, l)
	if err != nil {
		return nil, err
	}
	format, _, err := operand.TextOf(ctx, r)
	if err != nil {
		return nil, err
	}
	typ := s.Type(ctx)
	f := &formatted{rest: text}
	if !f.read(format) || !f.settle() || (f.day > 0 || !types.IsTimespan(typ)) && !f.isDay(ctx) {
		ctx.Warn(1411, "Incorrect datetime value: '%s' for function str_to_date", text)
		return nil, nil
	}
	if strings.TrimSpace(f.rest) != "" {
		what := map[bool]string{true: "date", false: "datetime"}[types.IsDateType(typ)]
		if types.IsTimespan(typ) {
			what = "time"
		}
		ctx.Warn(1292, "Truncated incorrect "+what+" value: '%s'", text)
	}
	return f.value(typ), nil
}

// value is what was read, as a value of a type.
func (f *formatted) value(typ sql.Type) any {
	clock := time.Duration(f.hour*3600+f.minute*60+f.second)*time.Second + time.Duration(f.micros)*time.Microsecond
	if types.IsTimespan(typ) {
		clock += time.Duration(f.day) * 24 * time.Hour
		return types.Timespan(clock.Microseconds())
	}
	return operand.TimeOf(f.moment())
}

// moment is the date and time that were read.
func (f *formatted) moment() own.Moment {
	return own.Moment{Year: f.year, Month: f.month, Day: f.day, Hour: f.hour, Minute: f.minute, Second: f.second, Micros: f.micros}
}

// isDay tells whether there is the day that was read, in the session's sql_mode.
func (f *formatted) isDay(ctx *sql.Context) bool { return operand.DatesOf(ctx).Take(f.moment()) }
