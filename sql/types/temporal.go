package types

import (
	"time"
)

// Moment is a date and a time of day.
type Moment struct{ Year, Month, Day, Hour, Minute, Second, Micros int }

// MomentOf is what a clock in the time's own zone shows.
func MomentOf(t time.Time) Moment {
	return Moment{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond() / 1000}
}

// Pack makes the packed form: ((year*13+month)<<5|day)<<41 | hour<<36 | minute<<30 | second<<24 |
// microseconds.
func Pack(m Moment) int64 {
	ymd := int64(m.Year*13+m.Month)<<5 | int64(m.Day)
	return (ymd<<17|int64(m.Hour)<<12|int64(m.Minute)<<6|int64(m.Second))<<24 | int64(m.Micros)
}

// PackDate makes the packed form of a day.
func PackDate(year, month, day int) int64 { return (int64(year*13+month)<<5 | int64(day)) << 41 }

// Unpack reads the packed form.
func Unpack(n int64) Moment {
	ymd, clock := n>>41, n>>24&(1<<17-1)
	ym := ymd >> 5
	return Moment{int(ym / 13), int(ym % 13), int(ymd & 31), int(clock >> 12), int(clock >> 6 & 63), int(clock & 63), int(n & (1<<24 - 1))}
}

// DateOnly is the packed form without the time of day.
func DateOnly(n int64) int64 { return n >> 41 << 41 }

// FromUnix packs a time in microseconds since 1970 as a clock at UTC shows it.
func FromUnix(micros int64) int64 {
	t := time.UnixMicro(micros).UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	return Pack(Moment{year, int(month), day, hour, minute, second, t.Nanosecond() / 1000})
}

// daysIn are the days of the months of a year that is no leap year.
var daysIn = [13]int{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// DaysOf is the number of days of a month. The year 0 is no leap year.
func DaysOf(year, month int) int {
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0 && year != 0) {
		return 29
	}
	return daysIn[month]
}

// Real tells a date of the calendar: no part of it is zero and the month has the day.
func (m Moment) Real() bool {
	return m.Month >= 1 && m.Month <= 12 && m.Day >= 1 && m.Day <= DaysOf(m.Year, m.Month)
}

// Dates are those that a session takes beside the days of the calendar, by its sql_mode.
type Dates struct {
	NoZero   bool // NO_ZERO_DATE: not the date of zeros
	NoZeroIn bool // NO_ZERO_IN_DATE: no other date without a month or a day
	Invalid  bool // ALLOW_INVALID_DATES: days that their month lacks
}

// Take tells whether there is such a date. Its month is at most 12, its day at most 31.
func (d Dates) Take(m Moment) bool {
	switch {
	case m == Moment{}:
		return !d.NoZero
	case m.Month == 0 || m.Day == 0:
		return !d.NoZeroIn
	}
	return d.Invalid || m.Real()
}

// TakePacked is Take of a date in packed form.
func (d Dates) TakePacked(n int64) bool {
	day, month := n>>41&31, n>>46%13
	return month > 0 && day > 0 && day <= 28 || d.Take(Unpack(n))
}

// DayNumber counts days; the first of January of the year 1 is 366 as for MySQL's TO_DAYS.
// REQUIRES: Real.
func DayNumber(year, month, day int) int {
	n := int(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix()/86400) + 719528
	if year == 0 && month <= 2 { // the year 0 is no leap year
		n++
	}
	return n
}

// FromDayNumber is the inverse of DayNumber.
func FromDayNumber(n int) (year, month, day int) {
	if n < 60 { // before March of the year 0
		n--
	}
	y, m, d := time.Unix(int64(n-719528)*86400, 0).UTC().Date()
	return y, int(m), d
}

// ParseMoment reads "YYYY-MM-DD" with an optional " hh:mm:ss[.ffffff]". Other forms that MySQL
// reads, and dates that are not of the calendar, are not ok.
func ParseMoment(text string) (m Moment, clock bool, ok bool) {
	number := func(from, to int) (n int) {
		for _, c := range []byte(text[from:to]) {
			if c < '0' || c > '9' {
				ok = false
				return 0
			}
			n = n*10 + int(c-'0')
		}
		return n
	}
	if ok = len(text) >= 10 && text[4] == '-' && text[7] == '-'; !ok {
		return m, false, false
	}
	m = Moment{Year: number(0, 4), Month: number(5, 7), Day: number(8, 10)}
	if len(text) == 10 {
		return m, false, ok && m.Real() && m.Year > 0
	}
	if len(text) < 19 || text[10] != ' ' || text[13] != ':' || text[16] != ':' {
		return m, false, false
	}
	m.Hour, m.Minute, m.Second = number(11, 13), number(14, 16), number(17, 19)
	if n := len(text) - 20; len(text) > 19 {
		if text[19] != '.' || n < 1 || n > 6 {
			return m, false, false
		}
		m.Micros = number(20, len(text))
		for ; n < 6; n++ {
			m.Micros *= 10
		}
	}
	return m, true, ok && m.Real() && m.Year > 0 && m.Hour < 24 && m.Minute < 60 && m.Second < 60
}

// RoundTime rounds microseconds to a number of digits of the second, halves away from zero.
func RoundTime(micros int64, digits uint8) int64 {
	if micros < 0 {
		return -RoundTime(-micros, digits)
	}
	unit := Pow10(6 - int(min(digits, 6)))
	return (micros + unit/2) / unit * unit
}
