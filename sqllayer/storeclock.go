package sqllayer

// What lenient mode makes of a date or time that is none. MySQL tells a value that was cut (1265)
// from one that is outside of what there is (1264).

import (
	"strconv"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr"
)

// mostSeconds is the longest TIME, and mostClock how it is written as a number.
const (
	mostSeconds = 838*3600 + 59*60 + 59
	mostClock   = 8385959
	leastMoment = 9999999999     // numbers beyond it are dates with their times, not times
	mostNumber  = 99999999999999 // of 14 digits, as many as a date with its time has
)

// loss is what a value loses on its way into a column.
type loss int

const (
	nothingLost loss = iota
	cutOff           // the end of a text, or all of it
	beyond           // it is a value that there is not
)

// readDate reads a date or time: a text, a number, or one as it is. at is nil of what is none.
func readDate(ctx *sql.Context, v any) (at any, lost loss) {
	text, isText := texted(v)
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
	switch at, _, is := expr.ReadMoment(text, expr.Zone(ctx)); is {
	case expr.NoMoment:
		return nil, cutOff
	case expr.NoSuchDay:
		if isText {
			return nil, beyond
		}
		return nil, cutOff
	case expr.CutMoment:
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
