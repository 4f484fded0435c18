package partition

import (
	"strconv"
	"strings"
	"time"

	"emberdb/engine/row"
)

// moment is a date and time as it is written; parts of the date may be zero.
type moment struct {
	year, month, day     int
	hour, minute, second int
	micro                int
	negative             bool // of a TIME
}

func (m moment) zeroDate() bool { return m.year == 0 && m.month == 0 && m.day == 0 }

// momentOf reads a value of a column of dates or times.
func momentOf(t row.Type, v row.Value) moment {
	n := v.Int()
	switch t {
	case row.TDate:
		return moment{year: int(n >> 9), month: int(n >> 5 & 15), day: int(n & 31)}
	case row.TDateTime:
		m := moment{micro: int(n & (1<<24 - 1))}
		n >>= 24
		m.hour, m.minute, m.second = int(n>>12&31), int(n>>6&63), int(n&63)
		ymd := n >> 17
		m.year, m.month, m.day = int(ymd>>5)/13, int(ymd>>5)%13, int(ymd&31)
		return m
	}
	m := moment{negative: n < 0}
	if n < 0 {
		n = -n
	}
	m.micro, n = int(n%1e6), n/1e6
	m.hour, m.minute, m.second = int(n/3600), int(n/60%60), int(n%60)
	return m
}

// parseMoment reads a date, with a time or without.
func parseMoment(text string) (m moment, ok bool) {
	date, clock, timed := strings.Cut(strings.TrimSpace(text), " ")
	if !timed {
		date, clock, timed = strings.Cut(date, "T")
	}
	fields := strings.FieldsFunc(date, func(r rune) bool { return r < '0' || r > '9' })
	if len(fields) == 1 && len(fields[0]) == 8 {
		d := fields[0]
		fields = []string{d[:4], d[4:6], d[6:]}
	}
	if len(fields) != 3 {
		return m, false
	}
	for i, to := range []*int{&m.year, &m.month, &m.day} {
		n, err := strconv.Atoi(fields[i])
		if err != nil || len(fields[i]) > 4 {
			return m, false
		}
		*to = n
	}
	if len(fields[0]) == 2 {
		m.year += 1900
		if m.year < 1970 {
			m.year += 100
		}
	}
	if timed {
		clock, fraction, _ := strings.Cut(clock, ".")
		parts := strings.Split(clock, ":")
		for i, to := range []*int{&m.hour, &m.minute, &m.second} {
			if i >= len(parts) {
				break
			}
			n, err := strconv.Atoi(parts[i])
			if err != nil {
				return m, false
			}
			*to = n
		}
		if fraction != "" {
			n, err := strconv.Atoi((fraction + "000000")[:6])
			if err != nil {
				return m, false
			}
			m.micro = n
		}
	}
	return m, m.month <= 12 && m.day <= daysIn(m.year, m.month) && m.hour < 24 && m.minute < 60 && m.second < 60
}

func daysIn(year, month int) int {
	if month == 0 {
		return 31
	}
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// dayNumber counts days from year 0, as TO_DAYS does.
func (m moment) dayNumber() int64 {
	if m.year == 0 && m.month == 0 {
		return 0
	}
	days := 365*int64(m.year) + 31*int64(m.month-1) + int64(m.day)
	year := int64(m.year)
	if m.month <= 2 {
		year--
	} else {
		days -= int64(m.month*4+23) / 10
	}
	return days + year/4 - (year/100+1)*3/4
}

// seconds are those of the day.
func (m moment) seconds() int64 {
	s := int64(m.hour)*3600 + int64(m.minute)*60 + int64(m.second)
	if m.negative {
		return -s
	}
	return s
}

func (m moment) whole() time.Time {
	return time.Date(m.year, time.Month(m.month), m.day, 0, 0, 0, 0, time.UTC)
}

// temporalFunc is a function of one date or time; ok is false where it is NULL.
type temporalFunc struct {
	date, clock bool // what of its argument it looks at
	rising      bool // never falls as the argument rises
	exact       bool // tells different dates apart
	of          func(m moment) (n int64, ok bool)
}

// ofDate is a function of whole dates: NULL for others.
func ofDate(of func(m moment) int64) func(m moment) (int64, bool) {
	return func(m moment) (int64, bool) {
		if m.month == 0 || m.day == 0 {
			return 0, false
		}
		return of(m), true
	}
}

func ofAny(of func(m moment) int64) func(m moment) (int64, bool) {
	return func(m moment) (int64, bool) { return of(m), true }
}

// temporalFuncs are the functions of dates and times that may partition.
var temporalFuncs = map[string]temporalFunc{
	"to_days": {date: true, rising: true, exact: true, of: func(m moment) (int64, bool) {
		return m.dayNumber(), !m.zeroDate()
	}},
	"to_seconds": {date: true, clock: true, rising: true, exact: true, of: func(m moment) (int64, bool) {
		return m.dayNumber()*86400 + m.seconds(), !m.zeroDate()
	}},
	"year":        {date: true, rising: true, of: ofAny(func(m moment) int64 { return int64(m.year) })},
	"month":       {date: true, of: ofAny(func(m moment) int64 { return int64(m.month) })},
	"day":         {date: true, of: ofAny(func(m moment) int64 { return int64(m.day) })},
	"dayofmonth":  {date: true, of: ofAny(func(m moment) int64 { return int64(m.day) })},
	"quarter":     {date: true, of: ofAny(func(m moment) int64 { return int64(m.month+2) / 3 })},
	"dayofyear":   {date: true, of: ofDate(func(m moment) int64 { return int64(m.whole().YearDay()) })},
	"dayofweek":   {date: true, of: ofDate(func(m moment) int64 { return int64(m.whole().Weekday()) + 1 })},
	"weekday":     {date: true, of: ofDate(func(m moment) int64 { return int64(m.whole().Weekday()+6) % 7 })},
	"yearweek":    {date: true, rising: true, of: ofDate(yearWeek)},
	"hour":        {clock: true, of: ofAny(func(m moment) int64 { return int64(m.hour) })},
	"minute":      {clock: true, of: ofAny(func(m moment) int64 { return int64(m.minute) })},
	"second":      {clock: true, of: ofAny(func(m moment) int64 { return int64(m.second) })},
	"microsecond": {clock: true, of: ofAny(func(m moment) int64 { return int64(m.micro) })},
	"time_to_sec": {clock: true, of: ofAny(moment.seconds)},
}

// yearWeek is YEARWEEK in mode 0: weeks begin on Sundays, and the first one is the first that
// begins in the year.
func yearWeek(m moment) int64 {
	day := m.whole()
	year := m.year
	first := func(y int) time.Time {
		d := time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC)
		return d.AddDate(0, 0, int(7-d.Weekday())%7)
	}
	if day.Before(first(year)) {
		year--
	}
	return int64(year)*100 + int64(day.Sub(first(year)).Hours())/24/7 + 1
}
