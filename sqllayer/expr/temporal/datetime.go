package temporal

import (
	"fmt"
	"math"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

func init() {
	operand.Register(
		operand.NewScalar("utc_date", 0, 0, types.Date, func(ctx *sql.Context, _ []any) (any, error) {
			return ctx.QueryTime().UTC().Truncate(24 * time.Hour), nil
		}),
		operand.NewScalar("curdate", 0, 0, types.Date, today), operand.NewScalar("current_date", 0, 0, types.Date, today),
		dayClock("utc_time", func(ctx *sql.Context) time.Time { return ctx.QueryTime().UTC() }),
		dayClock("curtime", (*sql.Context).QueryTime), dayClock("current_time", (*sql.Context).QueryTime),
		operand.NewScalar("dayname", 1, 1, nil, func(ctx *sql.Context, a []any) (any, error) {
			t, ok := toTime(ctx, a[0])
			if !ok {
				return nil, nil
			}
			return operand.Names(ctx).Day(weekday(t)), nil
		}),
		operand.NewScalar("monthname", 1, 1, nil, func(ctx *sql.Context, a []any) (any, error) {
			at, ok := a[0].(time.Time)
			if !ok {
				at, ok = toTime(ctx, a[0])
			}
			month := operand.MomentOf(at).Month
			if !ok || month == 0 {
				return nil, nil
			}
			return operand.Names(ctx).Month(time.Month(month)), nil
		}),
		operand.NewScalar("datediff", 2, 2, types.Int64, func(ctx *sql.Context, a []any) (any, error) {
			x, okX := dayNumber(ctx, a[0])
			y, okY := dayNumber(ctx, a[1])
			if !okX || !okY {
				return nil, nil
			}
			return x - y, nil
		}),
		operand.NewScalar("to_seconds", 1, 1, types.Int64, toSeconds),
		operand.NewScalar("sec_to_time", 1, 1, types.Time, secToTime),
		operand.NewScalar("maketime", 3, 3, types.Time, makeTime),
		operand.NewScalar("makedate", 2, 2, types.Date, makeDate),
		operand.NewScalar("period_add", 2, 2, types.Int64, periodAdd),
		operand.NewScalar("period_diff", 2, 2, types.Int64, periodDiff),
		operand.NewScalar("convert_tz", 3, 3, types.DatetimeMaxPrecision, convertZone),
	)
}

// dayClock is a function that tells the time of day with as many digits as are asked for.
func dayClock(name string, now func(*sql.Context) time.Time) sql.Function {
	return operand.NewScalar(name, 0, 1, types.Time, func(ctx *sql.Context, a []any) (any, error) {
		t, unit := now(ctx), int64(1e6)
		if len(a) == 1 {
			digits, ok, err := integers(ctx, a)
			if err != nil || !ok || digits[0] < 0 || digits[0] > 6 {
				return nil, err
			}
			unit = own.Pow10(6 - int(digits[0]))
		}
		micros := int64((t.Hour()*60+t.Minute())*60+t.Second())*1e6 + int64(t.Nanosecond()/1000)
		return types.Timespan(micros - micros%unit), nil
	})
}

// toTime reads a date and time; ok is false for what is none.
func toTime(ctx *sql.Context, v any) (time.Time, bool) {
	out, _, err := types.DatetimeMaxPrecision.Convert(ctx, v)
	if err != nil || out == nil {
		return time.Time{}, false
	}
	t, ok := out.(time.Time)
	return t, ok && t.Year() >= 0
}

// dayNumber counts the days before a date.
func dayNumber(ctx *sql.Context, v any) (int64, bool) {
	at, ok := v.(time.Time)
	if !ok {
		at, ok = toTime(ctx, v)
	}
	m := operand.MomentOf(at)
	if !ok || m.Month == 0 || m.Day == 0 {
		return 0, false
	}
	return int64(own.DayNumber(m.Year, m.Month, m.Day)), true
}

// daysBeforeUnix is the number of days from the year 0 to 1970.
const daysBeforeUnix = 719528

func toSeconds(ctx *sql.Context, a []any) (any, error) {
	t, ok := toTime(ctx, a[0])
	if !ok {
		return nil, nil
	}
	return t.Unix() + daysBeforeUnix*86400, nil
}

func secToTime(ctx *sql.Context, a []any) (any, error) {
	n, null, err := operand.NumberOf(ctx, a[0], types.Text)
	if null || err != nil {
		return nil, err
	}
	f := n.AsFloat()
	if math.Abs(f*1e6) > operand.MaxTime {
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1292, Message: fmt.Sprintf("Truncated incorrect time value: '%v'", a[0])})
		return operand.ClampTime(int64(math.Copysign(operand.MaxTime, f))), nil
	}
	return types.Timespan(int64(math.Round(f * 1e6))), nil
}

// integers reads the arguments as whole numbers.
func integers(ctx *sql.Context, a []any) ([]int64, bool, error) {
	out := make([]int64, len(a))
	for i, v := range a {
		n, null, err := operand.NumberOf(ctx, v, types.Text)
		if null || err != nil {
			return nil, false, err
		}
		whole, large, ok := n.AsInteger()
		if !ok || large {
			return nil, false, nil
		}
		out[i] = whole
	}
	return out, true, nil
}

func makeTime(ctx *sql.Context, a []any) (any, error) {
	sec, null, err := operand.NumberOf(ctx, a[2], types.Text)
	if null || err != nil {
		return nil, err
	}
	n, ok, err := integers(ctx, a[:2])
	s := sec.AsFloat()
	if err != nil || !ok || n[1] < 0 || n[1] > 59 || s < 0 || s >= 60 {
		return nil, err
	}
	hours, sign := n[0], int64(1)
	if hours < 0 {
		hours, sign = -hours, -1
	}
	if hours > 838 {
		return operand.ClampTime(sign * operand.MaxTime), nil
	}
	return operand.ClampTime(sign * ((hours*3600+n[1]*60)*1e6 + int64(math.Round(s*1e6)))), nil
}

func makeDate(ctx *sql.Context, a []any) (any, error) {
	n, ok, err := integers(ctx, a)
	if err != nil || !ok || n[1] <= 0 || n[0] < 0 || n[0] > 9999 {
		return nil, err
	}
	year := n[0]
	if year < 70 {
		year += 2000
	} else if year < 100 {
		year += 1900
	}
	t := time.Date(int(year), 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(n[1]-1))
	if t.Year() > 9999 {
		return nil, nil
	}
	return t, nil
}

// months counts the months of a period, YYYYMM or YYMM.
func months(period int64) int64 {
	return int64(fullYear(uint64(period/100)))*12 + period%100 - 1
}

// fullYear is a year of two digits between 1970 and 2069.
func fullYear(year uint64) uint64 {
	switch {
	case year < 70:
		return year + 2000
	case year < 100:
		return year + 1900
	}
	return year
}

func periodAdd(ctx *sql.Context, a []any) (any, error) {
	n, ok, err := integers(ctx, a)
	if err != nil || !ok {
		return nil, err
	}
	if !isPeriod(n[0]) {
		return nil, badPeriod("period_add")
	}
	m := uint64(months(n[0]) + n[1])
	return int64(fullYear(m/12)*100 + m%12 + 1), nil
}

func periodDiff(ctx *sql.Context, a []any) (any, error) {
	n, ok, err := integers(ctx, a)
	if err != nil || !ok {
		return nil, err
	}
	if !isPeriod(n[0]) || !isPeriod(n[1]) {
		return nil, badPeriod("period_diff")
	}
	return months(n[0]) - months(n[1]), nil
}

// isPeriod tells numbers that end with a month.
func isPeriod(n int64) bool { return n > 0 && n%100 >= 1 && n%100 <= 12 }

func badPeriod(function string) error {
	return mysql.NewSQLError(mysql.ERWrongArguments, "HY000", "Incorrect arguments to %s", function)
}

// toSpan reads a TIME.
func toSpan(ctx *sql.Context, v any) (int64, bool) {
	out, _, err := types.Time.Convert(ctx, v)
	if err != nil || out == nil {
		return 0, false
	}
	span, ok := out.(types.Timespan)
	return int64(span), ok
}

// today is the date in the session's time zone, as NOW() has it.
func today(ctx *sql.Context, _ []any) (any, error) {
	now := ctx.QueryTime()
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC), nil
}
