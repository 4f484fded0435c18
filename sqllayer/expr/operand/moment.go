package operand

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "emberdb/sql/types"
)

// MomentRead is what became of a text that should be a date, with or without a time of day.
type MomentRead int

const (
	NoMoment  MomentRead = iota // it is none
	NoSuchDay                   // it is written like one, of a day that dates do not take
	CutMoment                   // it is one with something behind
	AMoment
)

// halfMicro is from how many nanoseconds on a microsecond is rounded up.
const halfMicro = 500

// ReadMoment reads one of dates. Texts with a zone are moments; zone is where their clock is shown.
func ReadMoment(text string, dates own.Dates, zone *time.Location) (at time.Time, clock bool, is MomentRead) {
	m, ok := own.ReadMoment(text)
	if !ok {
		return types.ZeroTime, false, NoMoment
	}
	is = AMoment
	if m.Cut {
		is = CutMoment
	}
	if m.Moment == (own.Moment{}) {
		return types.ZeroTime, m.Clock, is
	}
	if !dates.Take(m.Moment) || m.Nanos >= halfMicro && (m.Month == 0 || m.Day == 0) { // no day is rounded to the next moment that is none
		return types.ZeroTime, m.Clock, NoSuchDay
	}
	at = TimeOf(m.Moment).Add(time.Duration(m.Nanos))
	if m.HasZone && !Unreal(at) {
		_, offset := at.Add(-time.Duration(m.Zone) * time.Minute).In(zone).Zone()
		at = at.Add(time.Duration(offset)*time.Second - time.Duration(m.Zone)*time.Minute)
	}
	return at, m.Clock, is
}

// ReadClock reads a TIME in microseconds. It may be longer than a TIME can be.
func ReadClock(text string) (micros int64, c own.ClockText, ok bool) {
	c, ok = own.ReadClock(text)
	if !ok {
		return 0, c, false
	}
	micros = int64(min(c.Hours, math.MaxInt32))*3600e6 + int64(c.Minute)*60e6 + int64(c.Second)*1e6 + int64(c.Micros)
	if c.Nanos >= halfMicro || c.Negative && c.Nanos > 0 {
		micros++
	}
	if c.Negative {
		micros = -micros
	}
	return micros, c, true
}

// ReadDate gives the date that a text begins with, and its time of day if there is one, as
// go-mysql-server reads them. cut: there is more in the text.
func ReadDate(text string) (day string, cut, ok bool) {
	m, ok := own.ReadMoment(text)
	switch {
	case !ok:
		return "", false, false
	case m.Moment == (own.Moment{}):
		day = NoDate
	case !m.Real():
		return "", false, false
	default:
		day = fmt.Sprintf("%04d-%02d-%02d", m.Year, m.Month, m.Day)
	}
	if m.Clock {
		day += fmt.Sprintf(" %02d:%02d:%02d", m.Hour, m.Minute, m.Second)
		if fraction := m.Micros*1000 + m.Nanos; fraction != 0 {
			day += fmt.Sprintf(".%09d", fraction)
		}
	}
	if m.HasZone {
		sign := '+'
		if m.Zone < 0 {
			sign, m.Zone = '-', -m.Zone
		}
		day += fmt.Sprintf("%c%02d:%02d", sign, m.Zone/60, m.Zone%60)
	}
	return day, m.Cut, true
}

// TypedLiteral begins the names of the functions that stand for DATE '...', TIME '...' and
// TIMESTAMP '...' in a text that the parser reads: it drops the word. The word as it was written
// follows.
const TypedLiteral = "\x00literal "

// MomentLiteral is a DATE, or a DATETIME with as many digits as the text has.
func MomentLiteral(ctx *sql.Context, date bool, text string, at time.Time) (sql.Expression, error) {
	if date {
		return expression.NewLiteral(at, types.Date), nil
	}
	typ := types.MustCreateDatetimeType(types.Datetime.Type(), fractionDigits(text))
	if Unreal(at) {
		return expression.NewLiteral(at.Truncate(time.Microsecond), typ), nil
	}
	v, _, err := typ.Convert(ctx, at)
	return expression.NewLiteral(v, typ), err
}

// fractionDigits counts the digits behind the last point of a text, at most six.
func fractionDigits(text string) int {
	fraction := text[strings.LastIndexByte(text, '.')+1:]
	if len(fraction) == len(text) {
		return 0
	}
	numbers := strings.FieldsFunc(text[:len(text)-len(fraction)], func(r rune) bool { return r < '0' || r > '9' })
	if n := len(numbers); n > 2 && n < 6 { // the point stands between other numbers; a date of one or two is compact
		return 0
	}
	return min(len(fraction)-len(strings.TrimLeft(fraction, "0123456789")), 6)
}

// NoDate is the date of zeros.
const NoDate = "0000-00-00"

// MaxTime is the largest TIME, 838:59:59, in microseconds.
const MaxTime = (838*3600 + 59*60 + 59) * 1e6

func ClampTime(micros int64) types.Timespan {
	return types.Timespan(max(min(micros, MaxTime), -MaxTime))
}
