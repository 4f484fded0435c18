package sqllayer

// What lenient mode makes of a date or time that is none. MySQL tells a value that was cut (1265)
// from one that is outside of what there is (1264).

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

var (
	datePrefix = regexp.MustCompile(`^\d{1,4}[-/.:](\d{1,2})[-/.:](\d{1,2})([ T](\d{1,2}):(\d{1,2})(:(\d{1,2})(\.\d+)?)?)?`)
	dateDigits = regexp.MustCompile(`^(?:\d\d)?\d\d(\d\d)(\d\d)(()(\d\d)(\d\d)(\d\d))?$`)
	timePrefix = regexp.MustCompile(`^-?(\d+)(:\d+){0,2}(\.\d+)?`)
)

// mostSeconds is the longest TIME, and mostClock how it is written as a number.
const (
	mostSeconds = 838*3600 + 59*60 + 59
	mostClock   = 8385959
	leastMoment = 9999999999     // numbers beyond it are dates with their times, not times
	mostNumber  = 99999999999999 // of 14 digits, as many as a date with its time has
)

// looseDate is the date of a value that type t does not convert. cut: what was lost is no date;
// else there is no such day.
func looseDate(ctx *sql.Context, t sql.Type, v any) (at time.Time, cut bool) {
	text, ok := texted(v)
	if !ok {
		n, known := asFloat(v)
		return types.ZeroTime, known && n >= 1 && n <= mostNumber
	}
	text = strings.TrimSpace(text)
	if text != "" && strings.Trim(text, "0") == "" {
		return types.ZeroTime, false
	}
	parts := datePrefix.FindStringSubmatch(text)
	if parts == nil {
		parts = dateDigits.FindStringSubmatch(text)
	}
	if parts == nil {
		return types.ZeroTime, true
	}
	if len(parts[0]) < len(text) {
		if converted, in, err := t.Convert(ctx, parts[0]); err == nil && in == sql.InRange {
			if at, ok := converted.(time.Time); ok {
				return at, true
			}
		}
	}
	fits := func(part string, below int) bool {
		n, _ := strconv.Atoi(part)
		return n < below
	}
	clock := parts[len(parts)-4:]
	if len(parts) == 9 { // with the fraction, and the seconds with their colon
		clock = []string{parts[4], parts[5], parts[7]}
	} else {
		clock = clock[1:]
	}
	return types.ZeroTime, !fits(parts[1], 13) || !fits(parts[2], 32) || !fits(clock[0], 24) || !fits(clock[1], 60) || !fits(clock[2], 60)
}

// withoutDays writes a TIME that begins with days, '1 2:03:04' or '1 2', in hours. Any other value is
// given back.
func withoutDays(v any) any {
	text, _ := texted(v)
	before, clock, found := strings.Cut(strings.TrimLeft(text, " "), " ")
	before, negative := strings.CutPrefix(before, "-")
	clock = strings.TrimLeft(clock, " ")
	end := digitCount(clock)
	days, err := strconv.ParseUint(before, 10, 24)
	hours, errHours := strconv.ParseUint(clock[:end], 10, 24)
	if !found || err != nil || errHours != nil {
		return v
	}
	out := strconv.FormatUint(days*24+hours, 10)
	if negative {
		out = "-" + out
	}
	for range 2 { // minutes and seconds
		if n := digitCount(strings.TrimPrefix(clock[end:], ":")); n > 0 && clock[end] == ':' {
			out += clock[end : end+1+n]
			end += 1 + n
		} else {
			out += ":00"
		}
	}
	return out + clock[end:]
}

// digitCount is how many digits a text begins with.
func digitCount(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// looseTime is the TIME of a value that type t does not convert: the nearest of what is too long,
// the beginning of a text. cut: the rest was lost; else there is no such time.
func looseTime(ctx *sql.Context, t sql.Type, v any) (span types.Timespan, cut bool) {
	text, ok := texted(v)
	if !ok {
		n, _ := asFloat(v)
		return longest(n, mostClock), false
	}
	text = strings.TrimSpace(text)
	parts := timePrefix.FindStringSubmatch(text)
	if _, moment := clockOf(v); moment || parts == nil {
		return 0, true
	}
	if len(parts[0]) < len(text) {
		if converted, in, err := t.Convert(ctx, parts[0]); err == nil && in == sql.InRange {
			if span, ok := converted.(types.Timespan); ok {
				return span, true
			}
		}
		return 0, false
	}
	n, _ := strconv.ParseFloat(parts[1], 64)
	if text[0] == '-' {
		n = -n
	}
	if parts[2] == "" {
		return longest(n, mostClock), false
	}
	return longest(n, mostClock/10000), false
}

// tooLong tells a TIME beyond the longest, which go-mysql-server shortens, or takes for another
// number.
func tooLong(v any) bool {
	text, ok := texted(v)
	if !ok {
		n, _ := asFloat(v)
		return n > mostClock || n < -mostClock
	}
	hours, _, ok := strings.Cut(strings.TrimLeft(text, " -"), ":")
	n, err := strconv.Atoi(hours)
	return ok && err == nil && n > mostClock/10000
}

// clockOf is the time of day in the text of a date and time.
func clockOf(v any) (clock string, ok bool) {
	text, _ := texted(v)
	parts := datePrefix.FindStringSubmatch(text)
	if parts == nil || parts[3] == "" {
		return "", false
	}
	return parts[3][1:], len(parts[0]) == len(text)
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

func texted(v any) (string, bool) {
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
	if i, ok := signed(v); ok {
		return float64(i), true
	}
	if u, ok := unsigned(v); ok {
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
