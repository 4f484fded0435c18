package operand

import (
	"context"
	"fmt"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "emberdb/sql/types"
)

// Dates that the calendar lacks, such as 2020-00-01, and 2020-02-31 under ALLOW_INVALID_DATES.
//
// go-mysql-server has a time.Time for every date, and one of the year -1 for the date of zeros. So
// a date that the calendar lacks is a time.Time too, beyond the years that MySQL has:
//
//	the year 20000 + (year*13+month)*32+day days + the time of day
//
// TimeOf makes it of a moment and MomentOf is the way back. Equal dates are equal times. The order
// is another one: who compares dates in order compares them packed (Packed). go-mysql-server refuses
// these times where it makes a value of a type of them, as they lie outside of its bounds.

// unrealYear is the first year of the dates that the calendar lacks.
const unrealYear = 20000

var unrealStart = time.Date(unrealYear, 1, 1, 0, 0, 0, 0, time.UTC)

// Unreal tells a date that the calendar lacks, other than the date of zeros.
func Unreal(at time.Time) bool { return at.Year() >= unrealYear }

// TimeOf is the value of a moment, whether the calendar has its day or not.
func TimeOf(m own.Moment) time.Time {
	clock := time.Duration(m.Hour*3600+m.Minute*60+m.Second)*time.Second + time.Duration(m.Micros)*time.Microsecond
	switch {
	case m == own.Moment{}:
		return types.ZeroTime
	case m.Real():
		return time.Date(m.Year, time.Month(m.Month), m.Day, 0, 0, 0, 0, time.UTC).Add(clock)
	}
	return unrealStart.AddDate(0, 0, int(own.PackDate(m.Year, m.Month, m.Day)>>41)).Add(clock)
}

// MomentOf is what a value shows.
func MomentOf(at time.Time) own.Moment {
	switch {
	case at.Equal(types.ZeroTime):
		return own.Moment{}
	case !Unreal(at):
		return own.MomentOf(at.UTC())
	}
	m := own.MomentOf(at.UTC())
	days := int64(own.DayNumber(m.Year, m.Month, m.Day) - own.DayNumber(unrealYear, 1, 1))
	day := own.Unpack(days << 41)
	m.Year, m.Month, m.Day = day.Year, day.Month, day.Day
	return m
}

// Packed is a value in MySQL's packed form, by which all dates are in order.
func Packed(at time.Time) int64 { return own.Pack(MomentOf(at)) }

// DatesOf are the dates that the session takes.
func DatesOf(ctx *sql.Context) own.Dates {
	mode := Mode(ctx)
	return own.Dates{NoZero: mode.ModeEnabled("NO_ZERO_DATE"), NoZeroIn: mode.ModeEnabled("NO_ZERO_IN_DATE"), Invalid: mode.ModeEnabled("ALLOW_INVALID_DATES")}
}

// ShownMoment writes a date, or a date with its time and so many digits of the second.
func ShownMoment(at time.Time, date bool, digits int) string {
	m := MomentOf(at)
	day := own.AppendMomentText(nil, own.Moment{Year: m.Year, Month: m.Month, Day: m.Day}, false)
	if date {
		return string(day)
	}
	text := fmt.Appendf(day, " %02d:%02d:%02d", m.Hour, m.Minute, m.Second)
	if digits > 0 {
		text = fmt.Appendf(text, ".%06d", m.Micros)
		text = text[:len(text)-6+digits]
	}
	return string(text)
}

// RoundUnreal makes a date that the calendar lacks one of a type, which is no TIMESTAMP. ok is false
// where its next day would begin, or where it has no month or day and would be rounded up.
func RoundUnreal(t sql.Type, at time.Time) (rounded time.Time, ok bool) {
	d, ok := t.(sql.DatetimeType)
	if !ok {
		return at, false
	}
	unit := time.Second / time.Duration(own.Pow10(d.Precision()))
	if types.IsDateType(t) {
		unit = time.Second
	}
	day := at.Truncate(24 * time.Hour)
	if rounded = at.Round(unit); !rounded.Truncate(24 * time.Hour).Equal(day) {
		return at, false
	}
	if m := MomentOf(day); rounded.After(at) && !types.IsDateType(t) && (m.Month == 0 || m.Day == 0) {
		return at, false
	}
	if types.IsDateType(t) {
		rounded = TimeOf(dayOf(MomentOf(day)))
	}
	return rounded, true
}

func dayOf(m own.Moment) own.Moment { return own.Moment{Year: m.Year, Month: m.Month, Day: m.Day} }

// wideMoment is a type of dates that keeps those that the calendar lacks.
type wideMoment struct{ sql.DatetimeType }

// Convert implements sql.Type.
func (t wideMoment) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	if at, ok := v.(time.Time); ok && Unreal(at) {
		return v, sql.InRange, nil
	}
	return t.DatetimeType.Convert(ctx, v)
}

// Wide is the type of a column into which values go that were read for it: go-mysql-server converts
// them once more. ok tells a DATE or a DATETIME: only of those it is another
// type than t.
func Wide(t sql.Type) (wide sql.Type, ok bool) {
	if d, ok := t.(sql.DatetimeType); ok && types.IsTime(t) && !types.IsTimestampType(t) {
		return wideMoment{d}, true
	}
	return t, false
}
