package types

import (
	"iter"
	"maps"
	"strconv"
	"strings"
)

// Span is what an interval adds to a moment. A day has 86,400 seconds.
type Span struct{ Months, Seconds, Micros int64 }

// The parts that intervals count.
const (
	YearPart = iota
	MonthPart
	DayPart
	HourPart
	MinutePart
	SecondPart
	MicroPart
	intervalParts
)

// secondsOf are the seconds in a part; those before it count months.
var secondsOf = [...]int64{DayPart: 86400, HourPart: 3600, MinutePart: 60, SecondPart: 1}

// mostOfPart is more of any part than dates have, and few enough to count.
const mostOfPart = 1e12

// IntervalUnit is the unit of an interval: the first and the last of the parts that it has numbers
// of, and how many of them its number stands for.
type IntervalUnit struct {
	first, last int
	times       int64
}

var intervalUnits = map[string]IntervalUnit{
	"year": {YearPart, YearPart, 1}, "quarter": {MonthPart, MonthPart, 3}, "month": {MonthPart, MonthPart, 1}, "week": {DayPart, DayPart, 7}, "day": {DayPart, DayPart, 1},
	"hour": {HourPart, HourPart, 1}, "minute": {MinutePart, MinutePart, 1}, "second": {SecondPart, SecondPart, 1}, "microsecond": {MicroPart, MicroPart, 1},
	"year_month": {YearPart, MonthPart, 1}, "day_hour": {DayPart, HourPart, 1}, "day_minute": {DayPart, MinutePart, 1}, "day_second": {DayPart, SecondPart, 1},
	"day_microsecond": {DayPart, MicroPart, 1}, "hour_minute": {HourPart, MinutePart, 1}, "hour_second": {HourPart, SecondPart, 1},
	"hour_microsecond": {HourPart, MicroPart, 1}, "minute_second": {MinutePart, SecondPart, 1}, "minute_microsecond": {MinutePart, MicroPart, 1},
	"second_microsecond": {SecondPart, MicroPart, 1},
}

// IntervalUnitOf finds a unit by its name, in any case: SECOND, DAY_HOUR, ...
func IntervalUnitOf(name string) (u IntervalUnit, ok bool) {
	u, ok = intervalUnits[strings.ToLower(name)]
	return u, ok
}

// IntervalUnits are the names of all units.
func IntervalUnits() iter.Seq[string] { return maps.Keys(intervalUnits) }

// Parts are the first and the last of the parts that the unit has numbers of.
func (u IntervalUnit) Parts() (first, last int) { return u.first, u.last }

// Several tells a unit whose text has several numbers.
func (u IntervalUnit) Several() bool { return u.first != u.last }

// Fractional tells SECOND, whose number may have a fraction.
func (u IntervalUnit) Fractional() bool { return u.first == SecondPart && u.last == SecondPart }

// OfDays tells a unit that leaves the time of day alone.
func (u IntervalUnit) OfDays() bool { return u.last <= DayPart }

// OfClock tells a unit that counts nothing larger than hours.
func (u IntervalUnit) OfClock() bool { return u.first >= HourPart }

// Micros tells a unit that counts microseconds.
func (u IntervalUnit) Micros() bool { return u.last == MicroPart }

// Of is an interval of so many units. REQUIRES: not Several.
func (u IntervalUnit) Of(n int64) Span {
	var parts [intervalParts]int64
	parts[u.first] = n
	return u.span(parts)
}

// Read reads the numbers of an interval, whatever stands between them; a number of SECOND may have a
// fraction. Those that are missing are the first ones; microseconds are a fraction, whose zeros at
// the end may be missing. ok is false if there are too many.
func (u IntervalUnit) Read(text string) (s Span, ok bool) {
	last := u.last
	if u.Fractional() {
		last = MicroPart
	}
	numbers := strings.FieldsFunc(text, func(c rune) bool { return c < '0' || c > '9' })
	if len(numbers) > last-u.first+1 {
		return s, false
	}
	sign := int64(1)
	if strings.HasPrefix(strings.TrimSpace(text), "-") {
		sign = -1
	}
	var parts [intervalParts]int64
	for i, number := range numbers {
		n, _ := strconv.ParseInt(number, 10, 64) // the largest of too many digits
		part := last - len(numbers) + 1 + i
		if part == MicroPart && len(number) < 6 {
			n, _ = strconv.ParseInt((number + "000000")[:6], 10, 64)
		}
		parts[part] = sign * n
	}
	return u.span(parts), true
}

// span adds up the parts.
func (u IntervalUnit) span(parts [intervalParts]int64) (s Span) {
	for i := range parts {
		if i < MicroPart {
			parts[i] = max(min(parts[i], mostOfPart), -mostOfPart)
		}
		parts[i] *= u.times
	}
	s = Span{Months: parts[YearPart]*12 + parts[MonthPart], Seconds: parts[MicroPart] / 1e6, Micros: parts[MicroPart] % 1e6}
	for part := DayPart; part < MicroPart; part++ {
		s.Seconds += parts[part] * secondsOf[part]
	}
	return s
}

// Negated is the span with the other sign.
func (s Span) Negated() Span { return Span{-s.Months, -s.Seconds, -s.Micros} }

// Add is a moment so much later; ok is false where there are no dates. A month that is shorter has
// its last day. REQUIRES: m is Real.
func (m Moment) Add(s Span) (later Moment, ok bool) {
	const mostMonths, mostSeconds, day = 10000 * 12, 10000 * 366 * 86400, 86400
	if s.Months > mostMonths || s.Months < -mostMonths || s.Seconds > mostSeconds || s.Seconds < -mostSeconds {
		return m, false
	}
	if s.Months != 0 {
		all := m.Year*12 + m.Month - 1 + int(s.Months)
		if all < 0 || all >= 120_000 {
			return m, false
		}
		m.Year, m.Month = all/12, all%12+1
		m.Day = min(m.Day, DaysOf(m.Year, m.Month))
	}
	if s.Seconds != 0 || s.Micros != 0 {
		micros, seconds := int64(m.Micros)+s.Micros, int64((m.Hour*60+m.Minute)*60+m.Second)+s.Seconds
		seconds, micros = carry(seconds, micros, 1e6)
		days, seconds := carry(int64(DayNumber(m.Year, m.Month, m.Day)), seconds, day)
		m.Year, m.Month, m.Day = FromDayNumber(int(days))
		m.Hour, m.Minute, m.Second, m.Micros = int(seconds/3600), int(seconds/60%60), int(seconds%60), int(micros)
	}
	return m, m.Year >= 0 && m.Year <= 9999
}

// carry moves whole units of low into high; what is left of low is not negative.
func carry(high, low, unit int64) (int64, int64) {
	high, low = high+low/unit, low%unit
	if low < 0 {
		return high - 1, low + unit
	}
	return high, low
}

// AppendMomentText appends "YYYY-MM-DD", with a time of day where clock is set, and with six digits
// of the second where it has microseconds: a date that is the value of a text.
func AppendMomentText(dst []byte, m Moment, clock bool) []byte {
	dst = appendDay(dst, m)
	if !clock && m.Micros == 0 {
		return dst
	}
	digits := 0
	if m.Micros != 0 {
		digits = 6
	}
	return appendClock(append(dst, ' '), m.Hour, m.Minute, m.Second, m.Micros, digits)
}
