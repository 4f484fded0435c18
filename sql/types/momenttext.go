package types

import "math"

// Texts of dates and times, as MySQL reads them.
//
//	Moment   delimited   2024-01-31 10:20:30.5   any punctuation between the numbers, T or spaces before the time
//	         compact     20240131102030.5        of 4, 8, 14 or more digits the year has four, else two
//	Clock    days        -3 10:20:30.5           days, then hours and what follows
//	         colons      10:20:30.5, 10:20       hours first
//	         compact     102030.5                the last two digits are seconds
//
// Both skip spaces in front and stop at what they cannot read: what they did read counts, and the
// caller tells of the rest (Cut).
// Source: MySQL 9.7 Reference Manual, "Date and Time Literals", and answers of a server to random
// texts (testdata/moments.txt).

// MomentText is what ReadMoment has found. Year, month and day may be zero, and the day may be one
// that the month does not have: Real tells.
type MomentText struct {
	Moment
	Clock   bool // there is a time of day
	Nanos   int  // behind the microseconds, hundreds only: the seventh digit
	HasZone bool
	Zone    int // minutes east of UTC
	Cut     bool
	Odd     OddDelimiter
}

// OddDelimiter is the first delimiter of a date that MySQL takes and warns of. Char 0: there is none.
type OddDelimiter struct {
	At       int
	Char     byte
	Standard byte // that belongs there; 0: nothing does
}

// ClockText is what ReadClock has found. Hours include days.
type ClockText struct {
	Negative               bool
	Hours                  uint64
	Minute, Second, Micros int
	Nanos                  int
	Cut                    bool
	// Dated: the text is a date with its time, of which the clock is told here.
	Dated bool
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z')
}

func skipSpaces(text string, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

// onlySpaces tells that nothing but spaces follows.
func onlySpaces(text string, at int) bool { return skipSpaces(text, at) == len(text) }

// number reads up to most digits.
func number(text string, at, most int) (n, end int) {
	for end = at; end < len(text) && end-at < most && isDigit(text[end]); end++ {
		n = min(n*10+int(text[end]-'0'), math.MaxInt32)
	}
	return n, end
}

// ReadMoment reads a date, with a time of day if there is one. It is not ok for what is no date: no
// three numbers, a month over 12, a day over 31, or a time beyond the day.
func ReadMoment(text string) (m MomentText, ok bool) {
	r := momentReader{text: text, at: skipSpaces(text, 0)}
	if r.at > 0 {
		r.odd = OddDelimiter{Char: text[0]}
	}
	return r.read()
}

// read is ReadMoment.
func (r *momentReader) read() (m MomentText, ok bool) {
	r.plan()
	r.whole = r.fields() && r.n > 0 && !r.badZone
	if !r.whole || r.n < 3 {
		return m, false
	}
	v := &r.values
	if r.yearDigits == 2 && r.nonZero {
		v[0] = FullYear(v[0])
	}
	m.Moment = Moment{v[0], v[1], v[2], v[3], v[4], v[5], v[6]}
	m.Clock = r.n > 3
	if m.Year > 9999 || m.Month > 12 || m.Day > 31 || m.Hour > 23 || m.Minute > 59 || m.Second > 59 {
		return m, false
	}
	m.Nanos, m.HasZone, m.Zone, m.Odd = r.nanos, r.hasZone, r.zone, r.odd
	m.Cut = !onlySpaces(r.text, r.at)
	return m, true
}

// momentReader goes through the numbers of a moment: year, month, day, hour, minute, second,
// fraction.
type momentReader struct {
	text       string
	at         int
	compact    bool
	yearDigits int
	values     [7]int
	n          int // numbers read
	nonZero    bool
	nanos      int
	hasZone    bool
	zone       int
	badZone    bool
	whole      bool // numbers and what parts them are as they may be
	parted     bool // by something else than T
	spaced     bool
	odd        OddDelimiter
}

// plan tells how the numbers are parted.
func (r *momentReader) plan() {
	end := r.at
	for end < len(r.text) && (isDigit(r.text[end]) || r.text[end] == 'T') {
		end++
	}
	if r.compact = end == len(r.text) || r.text[end] == '.'; r.compact {
		switch n := end - r.at; {
		case n == 4 || n == 8 || n >= 14:
			r.yearDigits = 4
		default:
			r.yearDigits = 2
		}
	}
}

// fields reads the numbers; false: a space stands where none may.
func (r *momentReader) fields() bool {
	for field := 0; field < 6 && r.at < len(r.text) && isDigit(r.text[r.at]); field++ {
		most := len(r.text)
		if r.compact {
			if most = 2; field == 0 {
				most = r.yearDigits
			}
		}
		from := r.at
		r.values[field], r.at = number(r.text, from, most)
		if !r.compact && field == 0 {
			r.yearDigits = r.at - from
		}
		r.nonZero = r.nonZero || r.values[field] != 0
		r.n = field + 1
		if r.values[field] > 999999 {
			return false
		}
		switch {
		case field == 5:
			r.fraction()
			r.offset()
		case field == 2 && r.at < len(r.text) && r.text[r.at] == 'T':
			r.at++
		case !r.delimiters(field):
			return false
		}
	}
	return true
}

// delimiters skips what stands behind a field. Spaces stand only between day and hour, and behind
// the fraction.
func (r *momentReader) delimiters(field int) bool {
	from := r.at
	for ; r.at < len(r.text) && (isPunct(r.text[r.at]) || isSpace(r.text[r.at])); r.at++ {
		r.parted = true
		r.looksOdd(field, r.at > from)
		if isSpace(r.text[r.at]) {
			r.spaced = true
			if field != 2 && field != 6 {
				return false
			}
		}
	}
	return true
}

// standard are the delimiters behind the fields.
const standard = "-- ::"

// looksOdd notes the delimiter under way if it is odd: the second behind a field, or another one
// than the standard.
func (r *momentReader) looksOdd(field int, second bool) {
	c := r.text[r.at]
	switch {
	case r.odd.Char != 0 || field >= len(standard):
	case second:
		r.odd = OddDelimiter{At: r.at, Char: c}
	case c != standard[field]:
		r.odd = OddDelimiter{r.at, c, standard[field]}
	}
}

// fraction reads the digits behind the seconds.
func (r *momentReader) fraction() {
	if r.at == len(r.text) || r.text[r.at] != '.' {
		return
	}
	from := r.at + 1
	r.values[6], r.nanos, r.at = fraction(r.text, from)
	r.nonZero = r.nonZero || r.values[6] != 0
	if r.at > from && r.at < len(r.text) && r.text[r.at] != '+' && r.text[r.at] != '-' {
		r.delimiters(6)
	}
}

// fraction reads microseconds and, of the digits behind them, the first.
func fraction(text string, at int) (micros, nanos, end int) {
	n, end := number(text, at, 6)
	for digits := end - at; digits < 6; digits++ {
		n *= 10
	}
	if end < len(text) && isDigit(text[end]) {
		nanos = int(text[end]-'0') * 100
	}
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	return n, nanos, end
}

// offset reads the zone, "+hh:mm" or "-hh:mm", which ends a text.
func (r *momentReader) offset() {
	t := r.text[r.at:]
	if t == "" || t[0] != '+' && t[0] != '-' {
		return
	}
	r.badZone = true
	if len(t) != 6 || t[3] != ':' {
		return
	}
	hours, a := number(t, 1, 2)
	minutes, b := number(t, 4, 2)
	if a != 3 || b != 6 || minutes > 59 {
		return
	}
	zone := hours*60 + minutes
	if t[0] == '-' {
		zone = -zone
	}
	if zone < -(13*60+59) || zone > 14*60 || t == "-00:00" {
		return
	}
	r.zone, r.hasZone, r.badZone, r.at = zone, true, false, len(r.text)
}

// FullYear is the year of two digits.
func FullYear(year int) int {
	if year < 70 {
		return 2000 + year
	}
	return 1900 + year
}

// ReadClock reads a TIME. It is not ok for what is none: no number in front, or minutes or seconds
// over 59. Hours may be more than a TIME holds.
func ReadClock(text string) (c ClockText, ok bool) {
	at := skipSpaces(text, 0)
	if len(text)-at >= 12 {
		r := momentReader{text: text, at: at}
		m, ok := r.read()
		if r.whole && (r.spaced || !r.parted) {
			return ClockText{Hours: uint64(m.Hour), Minute: m.Minute, Second: m.Second, Micros: m.Micros, Nanos: m.Nanos, Cut: m.Cut, Dated: true}, ok && m.Clock
		}
	}
	if at < len(text) && text[at] == '-' {
		c.Negative = true
		at++
	}
	from := at
	first, at := longNumber(text, at) // none is 0
	end, days := at, false
	at = skipSpaces(text, at)
	switch {
	case at > end && at+1 < len(text) && isDigit(text[at]):
		days, at = true, c.parts(text, at, first*24)
	case at+1 < len(text) && text[at] == ':' && isDigit(text[at+1]):
		at = c.parts(text, from, 0)
	default:
		c.Hours, c.Minute, c.Second = first/10000, int(first/100%100), int(first%100)
	}
	if at < len(text) && text[at] == '.' {
		c.Micros, c.Nanos, at = fraction(text, at+1)
	}
	if days { // MySQL does not round these
		c.Nanos = 0
	}
	if at == from || first > math.MaxUint32 || exponent(text[at:]) || c.Minute > 59 || c.Second > 59 {
		return c, false
	}
	c.Negative = c.Negative && (c.Hours > 0 || c.Minute > 0 || c.Second > 0 || c.Micros > 0 || c.Nanos > 0)
	c.Cut = !onlySpaces(text, at)
	return c, true
}

// parts reads hours, minutes and seconds with colons between them, and returns where they end.
func (c *ClockText) parts(text string, at int, hours uint64) int {
	n, at := longNumber(text, at)
	c.Hours = hours + n
	for _, part := range []*int{&c.Minute, &c.Second} {
		if at+1 >= len(text) || text[at] != ':' || !isDigit(text[at+1]) {
			break
		}
		*part, at = number(text, at+1, len(text))
	}
	return at
}

// longNumber reads digits; a number beyond 2^48 counts as that.
func longNumber(text string, at int) (n uint64, end int) {
	for end = at; end < len(text) && isDigit(text[end]); end++ {
		n = min(n*10+uint64(text[end]-'0'), 1<<48)
	}
	return n, end
}

// exponent tells that a text begins like the exponent of a number, which a TIME has not.
func exponent(text string) bool {
	if len(text) < 2 || text[0]|0x20 != 'e' {
		return false
	}
	return isDigit(text[1]) || len(text) > 2 && (text[1] == '-' || text[1] == '+') && isDigit(text[2])
}
