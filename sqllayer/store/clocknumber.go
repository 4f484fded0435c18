package store

import (
	"fmt"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// clockText writes the date and time that a number stands for: YYYYMMDD, YYMMDD, and both with
// hhmmss behind. ok is false of anything else, 0 among it.
func clockText(v any) (text string, ok bool) {
	n, isNumber := Signed(v)
	fraction := ""
	if u, is := Unsigned(v); is && !isNumber {
		n, isNumber = int64(u), u <= 99991231235959
	}
	if d, is := v.(*apd.Decimal); is {
		var whole string
		whole, fraction, _ = strings.Cut(d.Text('f'), ".")
		_, err := fmt.Sscan(whole, &n)
		isNumber = err == nil
	}
	const day = 1_000_000
	switch {
	case !isNumber || n < 101:
		return "", false
	case n < 70*10000: // two digits of the year, from 2000 on
		n = (n + 2000*10000) * day
	case n >= 70*10000+101 && n <= 99*10000+1231:
		n = (n + 1900*10000) * day
	case n >= 1000*10000+101 && n <= 9999*10000+1231:
		n *= day
	case n < 101*day: // too many digits for a date, too few for a time
		return "", false
	case n < 70*10000*day:
		n += 2000 * 10000 * day
	case n >= (70*10000+101)*day && n < 100*10000*day:
		n += 1900 * 10000 * day
	case n < 1000*10000*day || n >= 10000*10000*day:
		return "", false
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d%s", n/(10000*day), n/(100*day)%100, n/day%100, n/10000%100, n/100%100, n%100, fraction), true
}
