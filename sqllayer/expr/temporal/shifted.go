package temporal

import (
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// Dates plus and minus intervals. go-mysql-server makes a time with a date of every date, drops the
// fractions of seconds, and of intervals with several numbers reads only those that are complete
// and have no sign.

// Shifted is a date, a time or the text of a date, plus or minus an interval: of the first of two
// operands, the second counts the unit.
type Shifted struct {
	operand.Two
	name string // date_add or date_sub
	unit own.IntervalUnit
	word string // the unit's name
}

var _ sql.CollationCoercible = (*Shifted)(nil)

func init() {
	for _, name := range []string{"date_add", "date_sub", "adddate", "subdate"} {
		f, _ := operand.Builtin(name)
		operand.Register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			e, err := f.NewInstance(ctx, args)
			if err != nil {
				return nil, err
			}
			switch e := e.(type) {
			case *function.DateAdd:
				return newShifted("date_add", e.Date, e.Interval)
			case *function.DateSub:
				return newShifted("date_sub", e.Date, e.Interval)
			}
			return e, nil
		}})
	}
}

func newShifted(name string, date sql.Expression, by *expression.Interval) (sql.Expression, error) {
	unit, ok := own.IntervalUnitOf(by.Unit)
	if !ok {
		return nil, fmt.Errorf("invalid interval unit: %s", by.Unit)
	}
	return &Shifted{operand.OverTwo(date, by.Child), name, unit, strings.ToUpper(by.Unit)}, nil
}

func (s *Shifted) String() string {
	return fmt.Sprintf("%s(%s,INTERVAL %s %s)", s.name, s.LeftChild, s.RightChild, s.word)
}

// IsNullable implements sql.Expression.
func (*Shifted) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (s *Shifted) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(s, children)
}

// CollationCoercibility implements sql.CollationCoercible.
func (s *Shifted) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if types.IsText(s.Type(ctx)) {
		return ctx.GetCollation(), 4
	}
	return s.Two.CollationCoercibility(ctx)
}

// Type implements sql.Expression.
func (s *Shifted) Type(ctx *sql.Context) sql.Type {
	t := s.LeftChild.Type(ctx)
	if types.IsTimespan(t) {
		if s.unit.OfClock() {
			return types.Time
		}
		return types.DatetimeMaxPrecision
	}
	d, ok := t.(sql.DatetimeType)
	switch {
	case !ok:
		return types.LongText
	case types.IsDateType(t) && s.unit.OfDays():
		return types.Date
	}
	digits := s.digits(ctx)
	if !types.IsDateType(t) {
		digits = max(digits, d.Precision())
	}
	return types.MustCreateDatetimeType(types.Datetime.Type(), digits)
}

// digits is the number of digits of seconds that the interval has.
func (s *Shifted) digits(ctx *sql.Context) int {
	if s.unit.Fractional() {
		switch by := operand.ShapeOf(ctx, s.RightChild); by.Kind {
		case operand.Integer:
			return 0
		case operand.Decimal:
			return min(int(by.Scale), 6)
		}
		return 6
	}
	if s.unit.Micros() {
		return 6
	}
	return 0
}

// Eval implements sql.Expression.
func (s *Shifted) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	date, err := s.LeftChild.Eval(ctx, row)
	if err != nil || date == nil {
		return nil, err
	}
	by, err := s.RightChild.Eval(ctx, row)
	if err != nil || by == nil {
		return nil, err
	}
	length, ok, err := s.span(ctx, by)
	if err != nil || !ok {
		return nil, err
	}
	typ := s.Type(ctx)
	if span, ok := date.(types.Timespan); ok && typ == types.Time {
		return laterClock(span, length), nil
	}
	at, ok := momentOf(ctx, date)
	if _, dated := date.(time.Time); dated && !ok {
		return nil, nil // a date that the calendar lacks
	}
	if !ok {
		ctx.Warn(1292, "Incorrect datetime value: '%v'", date)
		return nil, nil
	}
	if at, ok = moved(at, length); !ok {
		ctx.Warn(1441, "Datetime function: datetime field overflow")
		return nil, nil
	}
	if !types.IsText(typ) {
		return at, nil
	}
	clock := !s.unit.OfDays() || !isDay(date) || addsToText(ctx, s.LeftChild)
	return string(own.AppendMomentText(nil, own.MomentOf(at), clock)), nil
}

// addsToText tells another addition to a text. Its value is a date with a time for who adds to it,
// whatever its text shows.
func addsToText(ctx *sql.Context, e sql.Expression) bool {
	if d, ok := e.(*dated); ok {
		e = d.Child
	}
	inner, ok := e.(*Shifted)
	return ok && types.IsText(inner.Type(ctx))
}

// isDay tells the text, or the number, of a date that has no time of day.
func isDay(date any) bool {
	text, isText := date.(string)
	if !isText {
		text = fmt.Sprint(date)
	}
	read, ok := own.ReadMoment(text)
	return ok && !read.Clock
}

// laterClock is a TIME so much later; NULL where there are no such times.
func laterClock(span types.Timespan, by own.Span) any {
	if by.Seconds > 2*operand.MaxTime/1e6 || by.Seconds < -2*operand.MaxTime/1e6 {
		return nil
	}
	micros := int64(span) + by.Seconds*1e6 + by.Micros
	if micros > operand.MaxTime || micros < -operand.MaxTime {
		return nil
	}
	return types.Timespan(micros)
}

// momentOf reads a date and time; a TIME is one of today. ok is false for what is none.
func momentOf(ctx *sql.Context, v any) (at time.Time, ok bool) {
	if span, ok := v.(types.Timespan); ok {
		return operand.OnToday(ctx, span), true
	}
	read, _, err := types.DatetimeMaxRange.Convert(ctx, v)
	at, ok = read.(time.Time)
	return at, ok && err == nil && !at.Equal(types.ZeroTime)
}

// moved is a time so much later; ok is false where there are no dates.
func moved(at time.Time, by own.Span) (time.Time, bool) {
	later, ok := own.MomentOf(at).Add(by)
	if !ok {
		return at, false
	}
	at = time.Date(later.Year, time.Month(later.Month), later.Day, later.Hour, later.Minute, later.Second, later.Micros*1000, time.UTC)
	return at, types.ValidateTime(at) != nil
}

// span reads an interval; ok is false for one that is NULL. It has the sign of DATE_SUB.
func (s *Shifted) span(ctx *sql.Context, by any) (length own.Span, ok bool, err error) {
	typ := s.RightChild.Type(ctx)
	if s.unit.Several() || s.unit.Fractional() {
		read := operand.ShownText
		if s.unit.Fractional() {
			read = func(ctx *sql.Context, v any) (string, error) { return secondsText(ctx, v, typ) }
		}
		text, err := read(ctx, by)
		if err != nil {
			return length, false, err
		}
		length, ok = s.unit.Read(text)
	} else {
		var n int64
		if n, ok, err = operand.WholeOf(ctx, by, typ); ok {
			length = s.unit.Of(n)
		}
	}
	if s.name == "date_sub" {
		length = length.Negated()
	}
	return length, ok, err
}

// secondsText is a number of seconds, written with the six digits of microseconds.
func secondsText(ctx *sql.Context, v any, t sql.Type) (string, error) {
	text, isText, err := operand.TextOf(ctx, v)
	if err != nil {
		return "", err
	}
	var n operand.Number
	if isText && types.IsText(t) {
		n, err = operand.DecimalNumber(ctx, text)
	} else {
		n, _, err = operand.NumberOf(ctx, v, t)
	}
	if err != nil {
		return "", err
	}
	d, err := n.AsDecimal()
	if err != nil {
		return "", err
	}
	whole, fraction, _ := strings.Cut(d.Text('f'), ".")
	return whole + "." + (fraction + "000000")[:6], nil
}
