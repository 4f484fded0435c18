package temporal

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// lastInstant is the last second that MySQL converts between zones; the first is that behind the epoch.
var lastInstant = time.Date(3001, 1, 18, 23, 59, 59, 999999999, time.UTC)

// convertZone is CONVERT_TZ. A time that is none between the first and the last instant stays as it is.
func convertZone(ctx *sql.Context, a []any) (any, error) {
	at, err := types.DatetimeMaxPrecision.ConvertWithoutRangeCheck(ctx, a[0])
	if err != nil {
		return nil, nil
	}
	var zones [2]string
	for i, v := range a[1:] {
		if zones[i], err = operand.ShownText(ctx, v); err != nil {
			return nil, err
		}
		if zones[i] == "SYSTEM" {
			zones[i] = sql.SystemTimezoneOffset()
		}
	}
	instant, known := sql.ConvertTimeZone(at, zones[0], "+00:00")
	other, also := sql.ConvertTimeZone(at, zones[1], "+00:00")
	if !known || !also || !isOffset(at.Sub(instant)) || !isOffset(at.Sub(other)) {
		return nil, nil
	}
	if instant.Before(time.Unix(1, 0)) || instant.After(lastInstant) {
		return at, nil
	}
	out, known := sql.ConvertTimeZone(at, zones[0], zones[1])
	if !known {
		return nil, nil
	}
	return out, nil
}

// isOffset tells whether a zone may be so far ahead of UTC.
func isOffset(d time.Duration) bool { return d > -14*time.Hour && d <= 14*time.Hour }
