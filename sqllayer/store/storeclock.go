package store

// Dates and times on their way into columns, of what has another type (see store.go). MySQL tells a
// value that was cut (1265) from one that is outside of what there is (1264).

import (
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/temporal"
	"emberdb/sqllayer/sqlerr"
)

// mostSeconds is the longest TIME, and mostClock how it is written as a number.
const (
	mostSeconds = 838*3600 + 59*60 + 59
	mostClock   = 8385959
	leastMoment = 9999999999     // numbers beyond it are dates with their times, not times
	mostNumber  = 99999999999999 // of 14 digits, as many as a date with its time has
)

func (s *Storer) timespan(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	told := clockFloat(v)
	span, lost := s.readSpan(ctx, c, told)
	switch {
	case lost == nothingLost:
		return s.rounded(ctx, c, span), nil
	case s.Strict:
		return nil, sqlerr.NewError(mysql.ERTruncatedWrongValue, "Incorrect time value: '%s' for column '%s' at row %d", s.shownClock(c, told), c.Name, s.Row)
	case lost == cutOff:
		return s.rounded(ctx, c, span), s.truncated(ctx, c)
	}
	return span, s.outOfRange(ctx, c)
}

// readSpan reads a TIME: a text, a number, or the time of day of either's date. The date is lost,
// which is no loss but for a note.
func (s *Storer) readSpan(ctx *sql.Context, c *sql.Column, v any) (types.Timespan, loss) {
	if text, ok := Texted(v); ok {
		micros, read, ok := operand.ReadClock(text)
		if ok && read.Dated {
			s.note(ctx, c)
		}
		switch {
		case strings.TrimSpace(text) == "":
			return 0, nothingLost
		case !ok:
			return 0, cutOff
		case micros > mostSeconds*1e6 || micros < -mostSeconds*1e6:
			return longest(float64(micros), mostSeconds*1e6), beyond
		case read.Cut:
			return types.Timespan(micros), cutOff
		}
		return types.Timespan(micros), nothingLost
	}
	n, isNumber := asFloat(v)
	if n > leastMoment { // a date and time as a number
		text, _ := clockText(v)
		if at, _, is := operand.ReadMoment(text, operand.DatesOf(ctx), time.UTC); is == operand.AMoment {
			return spanOf(at), nothingLost
		}
	}
	given := v
	if d, ok := v.(*apd.Decimal); ok {
		given = d.Text('f') // GMS drops the fraction of a number
	}
	converted, in, err := c.Type.Convert(ctx, given)
	span, ok := converted.(types.Timespan)
	if ok && err == nil && in == sql.InRange && n <= mostClock && n >= -mostClock {
		return span, nothingLost
	}
	if !isNumber {
		return 0, cutOff
	}
	return longest(n, mostClock), beyond
}

// rounded gives a TIME the digits of its column.
func (s *Storer) rounded(ctx *sql.Context, c *sql.Column, v types.Timespan) types.Timespan {
	digits := ColumnAttributes(c).Digits
	if operand.Mode(ctx).ModeEnabled("TIME_TRUNCATE_FRACTIONAL") {
		return v - v%types.Timespan(own.Pow10(6-int(digits)))
	}
	return types.Timespan(own.RoundTime(int64(v), digits))
}

func (s *Storer) time(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	t, zone := c.Type, ZoneOf(ctx)
	moment := zone != nil && types.IsTimestampType(t)
	if moment { // its bounds are moments: what the clock shows then is another time
		t = temporal.ClockType(t)
	}
	v = clockFloat(v)
	if text, ok := Texted(v); ok {
		operand.WarnOfDelimiter(ctx, text, s.Row)
	}
	given, lost := readDate(ctx, v)
	if at, ok := given.(time.Time); ok && operand.Unreal(at) {
		if at, ok = s.unreal(t, at); ok && !types.IsTimestampType(c.Type) {
			if lost == nothingLost {
				s.clockLost(ctx, c, given, v)
				return at, nil
			} else if !s.Strict {
				return at, s.truncated(ctx, c)
			}
		}
		given, lost = nil, max(lost, beyond)
	}
	if types.IsDateType(t) {
		given = wholeSeconds(ctx, given)
	}
	if given != nil {
		converted, in, err := t.Convert(ctx, given)
		at, ok := converted.(time.Time)
		zero := ok && at.Equal(types.ZeroTime)
		switch {
		case err != nil || in != sql.InRange || !ok || zero && s.dates.NoZero:
			lost = max(lost, beyond)
		case moment && !zero && !isMoment(MomentMicros(zone, at.UnixMicro())):
			lost = max(lost, beyond)
		case lost == nothingLost:
			s.clockLost(ctx, c, given, v)
			return converted, nil
		case lost == cutOff && !s.Strict:
			return converted, s.truncated(ctx, c)
		}
	}
	kind := "datetime"
	if types.IsDateType(c.Type) {
		kind = "date"
	}
	switch {
	case s.Strict:
		return nil, sqlerr.NewError(mysql.ERTruncatedWrongValue, "Incorrect %s value: '%s' for column '%s' at row %d", kind, s.shownClock(c, v), c.Name, s.Row)
	case lost == cutOff:
		return types.ZeroTime, s.truncated(ctx, c)
	}
	return types.ZeroTime, s.outOfRange(ctx, c)
}

// unreal rounds a date that the calendar lacks to what a type holds; ok is false where there is
// none, as after the last second of its day.
func (s *Storer) unreal(t sql.Type, at time.Time) (rounded time.Time, ok bool) {
	if !s.dates.Take(operand.MomentOf(at)) {
		return at, false
	}
	if rounded, ok = operand.RoundUnreal(t, at); ok && types.IsDateType(t) {
		_, ok = operand.RoundUnreal(types.Datetime, at)
	}
	return rounded, ok && s.dates.Take(operand.MomentOf(rounded))
}

// wholeSeconds rounds what a DATE is made of: the last half second of a day is the next day.
func wholeSeconds(ctx *sql.Context, v any) any {
	converted, in, err := types.Datetime.Convert(ctx, v)
	at, ok := converted.(time.Time)
	if err != nil || in != sql.InRange || !ok || at.Equal(types.ZeroTime) || !at.Equal(at.Truncate(24*time.Hour)) {
		return v
	}
	return at
}

// loss is what a value loses on its way into a column.
type loss int

const (
	nothingLost loss = iota
	cutOff           // the end of a text, or all of it
	beyond           // it is a value that there is not
)

// readDate reads a date or time: a text, a number, or one as it is. at is nil of what is none.
func readDate(ctx *sql.Context, v any) (at any, lost loss) {
	text, isText := Texted(v)
	if !isText {
		var ok bool
		if text, ok = clockText(v); !ok {
			if n, known := asFloat(v); known && n != 0 {
				if n >= 1 && n <= mostNumber {
					return nil, cutOff
				}
				return nil, beyond
			}
			return v, nothingLost
		}
	}
	switch at, _, is := operand.ReadMoment(text, operand.DatesOf(ctx), operand.Zone(ctx)); is {
	case operand.NoMoment:
		return nil, cutOff
	case operand.NoSuchDay:
		if isText {
			return nil, beyond
		}
		return nil, cutOff
	case operand.CutMoment:
		return at, cutOff
	default:
		return at, nothingLost
	}
}

// longest is the longest TIME of a number beyond most, else none.
func longest(n, most float64) types.Timespan {
	switch {
	case n > most:
		return types.Timespan(mostSeconds * int64(time.Second/time.Microsecond))
	case n < -most:
		return -types.Timespan(mostSeconds * int64(time.Second/time.Microsecond))
	}
	return 0
}

func Texted(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []byte:
		return string(v), true
	}
	return "", false
}

// asFloat is about the number that v is.
func asFloat(v any) (n float64, ok bool) {
	if i, ok := Signed(v); ok {
		return float64(i), true
	}
	if u, ok := Unsigned(v); ok {
		return float64(u), true
	}
	switch v := v.(type) {
	case bool:
		if v {
			n = 1
		}
		return n, true
	case float32:
		return float64(v), true
	case float64:
		return v, true
	case *apd.Decimal:
		n, err := strconv.ParseFloat(v.Text('f'), 64)
		return n, err == nil
	}
	return 0, false
}
