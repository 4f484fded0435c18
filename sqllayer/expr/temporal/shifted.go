package temporal

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

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
	unit string
}

var _ sql.CollationCoercible = (*Shifted)(nil)

// The parts of a date that intervals count.
const (
	yearPart = iota
	monthPart
	dayPart
	hourPart
	minutePart
	secondPart
	microPart
)

// secondsOf are the seconds in a part; those before it count months.
var secondsOf = [...]int64{dayPart: 86400, hourPart: 3600, minutePart: 60, secondPart: 1}

// intervalUnit is the first and the last of the parts that an interval has numbers of, and how many
// of them its number stands for.
type intervalUnit struct {
	first, last int
	times       int64
}

var intervalUnits = map[string]intervalUnit{
	"year": {yearPart, yearPart, 1}, "quarter": {monthPart, monthPart, 3}, "month": {monthPart, monthPart, 1}, "week": {dayPart, dayPart, 7}, "day": {dayPart, dayPart, 1},
	"hour": {hourPart, hourPart, 1}, "minute": {minutePart, minutePart, 1}, "second": {secondPart, secondPart, 1}, "microsecond": {microPart, microPart, 1},
	"year_month": {yearPart, monthPart, 1}, "day_hour": {dayPart, hourPart, 1}, "day_minute": {dayPart, minutePart, 1}, "day_second": {dayPart, secondPart, 1},
	"day_microsecond": {dayPart, microPart, 1}, "hour_minute": {hourPart, minutePart, 1}, "hour_second": {hourPart, secondPart, 1},
	"hour_microsecond": {hourPart, microPart, 1}, "minute_second": {minutePart, secondPart, 1}, "minute_microsecond": {minutePart, microPart, 1},
	"second_microsecond": {secondPart, microPart, 1},
}

// IsIntervalUnit tells the words that end an interval; several: its text has several numbers.
func IsIntervalUnit(word string) (is, several bool) {
	u, ok := intervalUnits[strings.ToLower(word)]
	return ok, u.first != u.last
}

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
	if is, _ := IsIntervalUnit(by.Unit); !is {
		return nil, fmt.Errorf("invalid interval unit: %s", by.Unit)
	}
	return &Shifted{operand.OverTwo(date, by.Child), name, strings.ToLower(by.Unit)}, nil
}

func (s *Shifted) String() string {
	return fmt.Sprintf("%s(%s,INTERVAL %s %s)", s.name, s.LeftChild, s.RightChild, strings.ToUpper(s.unit))
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
	u := intervalUnits[s.unit]
	t := s.LeftChild.Type(ctx)
	if types.IsTimespan(t) {
		if u.first >= hourPart {
			return types.Time
		}
		return types.DatetimeMaxPrecision
	}
	d, ok := t.(sql.DatetimeType)
	switch {
	case !ok:
		return types.LongText
	case types.IsDateType(t) && u.last <= dayPart:
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
	switch intervalUnits[s.unit] {
	case intervalUnits["second"]:
		switch by := operand.ShapeOf(ctx, s.RightChild); by.Kind {
		case operand.Integer:
			return 0
		case operand.Decimal:
			return min(int(by.Scale), 6)
		}
		return 6
	}
	if intervalUnits[s.unit].last == microPart {
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
	parts, ok, err := s.parts(ctx, by)
	if err != nil || !ok {
		return nil, err
	}
	months, seconds := parts[yearPart]*12+parts[monthPart], parts[microPart]/1e6
	for part := dayPart; part < microPart; part++ {
		seconds += parts[part] * secondsOf[part]
	}
	micros := parts[microPart] % 1e6
	typ := s.Type(ctx)
	if span, ok := date.(types.Timespan); ok {
		if typ == types.Time {
			if seconds > 2*operand.MaxTime/1e6 || seconds < -2*operand.MaxTime/1e6 {
				return nil, nil
			}
			if micros += int64(span) + seconds*1e6; micros > operand.MaxTime || micros < -operand.MaxTime {
				return nil, nil
			}
			return types.Timespan(micros), nil
		}
	}
	at, ok := momentOf(ctx, date)
	if !ok {
		ctx.Warn(1292, "Incorrect datetime value: '%v'", date)
		return nil, nil
	}
	if at, ok = moved(at, months, seconds, micros); !ok {
		ctx.Warn(1441, "Datetime function: datetime field overflow")
		return nil, nil
	}
	if !types.IsText(typ) {
		return at, nil
	}
	text, isText := date.(string)
	switch {
	case at.Nanosecond() != 0:
		return at.Format("2006-01-02 15:04:05.000000"), nil
	case isText && len(text) == len(time.DateOnly) && intervalUnits[s.unit].last <= dayPart:
		return at.Format(time.DateOnly), nil
	}
	return at.Format(time.DateTime), nil
}

// momentOf reads a date and time; a TIME is one of today. ok is false for what is none.
func momentOf(ctx *sql.Context, v any) (at time.Time, ok bool) {
	if span, ok := v.(types.Timespan); ok {
		return ctx.QueryTime().UTC().Truncate(24 * time.Hour).Add(time.Duration(span) * time.Microsecond), true
	}
	read, _, err := types.DatetimeMaxRange.Convert(ctx, v)
	at, ok = read.(time.Time)
	return at, ok && err == nil && !at.Equal(types.ZeroTime)
}

// moved is a time so much later; ok is false where there are no dates. A month that is shorter has
// its last day.
func moved(at time.Time, months, seconds, micros int64) (time.Time, bool) {
	const mostMonths, mostSeconds = 10000 * 12, 10000 * 366 * 86400
	if months > mostMonths || months < -mostMonths || seconds > mostSeconds || seconds < -mostSeconds {
		return at, false
	}
	at = expression.TimeDelta{Months: months}.Add(at)
	at = time.Unix(at.Unix()+seconds, int64(at.Nanosecond())+micros*1000).UTC()
	return at, types.ValidateTime(at) != nil
}

// parts reads an interval; ok is false for one that is NULL. All have the sign of the interval, and
// that of DATE_SUB.
func (s *Shifted) parts(ctx *sql.Context, by any) (parts [microPart + 1]int64, ok bool, err error) {
	u, typ := intervalUnits[s.unit], s.RightChild.Type(ctx)
	sign := u.times
	if s.name == "date_sub" {
		sign = -sign
	}
	switch {
	case u.first != u.last:
		text, err := operand.ShownText(ctx, by)
		if err != nil {
			return parts, false, err
		}
		parts, ok = splitInterval(text, u.first, u.last)
	case u.first == secondPart:
		text, err := secondsText(ctx, by, typ)
		if err != nil {
			return parts, false, err
		}
		parts, ok = splitInterval(text, secondPart, microPart)
	default:
		parts[u.first], ok, err = operand.WholeOf(ctx, by, typ)
	}
	for i := range parts {
		if i < microPart {
			parts[i] = max(min(parts[i], operand.MostOfPart), -operand.MostOfPart)
		}
		parts[i] *= sign
	}
	return parts, ok, err
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

// splitInterval reads the numbers of an interval, whatever stands between them. Those that are
// missing are the first ones; microseconds are a fraction, whose zeros at the end may be missing.
// ok is false if there are too many.
func splitInterval(text string, first, last int) (parts [microPart + 1]int64, ok bool) {
	digits := func(c rune) bool { return c >= '0' && c <= '9' }
	numbers := strings.FieldsFunc(text, func(c rune) bool { return !digits(c) })
	if len(numbers) > last-first+1 {
		return parts, false
	}
	sign := int64(1)
	if strings.HasPrefix(strings.TrimSpace(text), "-") {
		sign = -1
	}
	for i, number := range numbers {
		n, _ := strconv.ParseInt(number, 10, 64) // the largest of too many digits
		part := last - len(numbers) + 1 + i
		if part == microPart && len(number) < 6 {
			n, _ = strconv.ParseInt((number + "000000")[:6], 10, 64)
		}
		parts[part] = sign * n
	}
	return parts, true
}
