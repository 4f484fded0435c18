package store

import (
	"strconv"
	"strings"
	"time"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// clockValue makes of a date or time what MySQL stores of it in a column of another kind: its
// digits in a number, its text in a text, the year in a YEAR, the time of day in a TIME. A TIME
// becomes that time of the day on which the statement runs.
func clockValue(ctx *sql.Context, c *sql.Column, from sql.Type, v any) any {
	switch v := v.(type) {
	case time.Time:
		return momentValue(c, from, v)
	case types.Timespan:
		return spanValue(ctx, c, v)
	}
	return v
}

func momentValue(c *sql.Column, from sql.Type, at time.Time) any {
	zero := at.Equal(types.ZeroTime)
	switch t := c.Type; {
	case types.IsYear(t):
		return int64(operand.MomentOf(at).Year)
	case types.IsTimespan(t):
		if zero {
			return types.Timespan(0)
		}
		return spanOf(at)
	case takesDigits(t):
		if zero {
			return int64(0)
		}
		if types.IsInteger(t) {
			at = at.Round(time.Second)
		}
		m := operand.MomentOf(at)
		day := int64(m.Year)*10_000 + int64(m.Month)*100 + int64(m.Day)
		if from != nil && types.IsDateType(from) {
			return day
		}
		return withMicros(day*1_000_000+int64(m.Hour)*10_000+int64(m.Minute)*100+int64(m.Second), m.Micros)
	case isText(t), types.IsEnum(t), types.IsSet(t), types.IsBit(t):
		return MomentText(from, at)
	}
	return at
}

// MomentText writes a date or time as its type shows it. Without a type it has the digits it needs.
func MomentText(from sql.Type, at time.Time) string {
	date, digits := false, 0
	if from != nil {
		date = types.IsDateType(from)
	}
	if d, ok := from.(sql.DatetimeType); ok {
		digits = d.Precision()
	} else if at.Nanosecond() != 0 {
		digits = 6
	}
	return operand.ShownMoment(at, date, digits)
}

func spanValue(ctx *sql.Context, c *sql.Column, v types.Timespan) any {
	switch t := c.Type; {
	case types.IsYear(t):
		return int64(today(ctx).Year())
	case types.IsTime(t) && !types.IsTimespan(t):
		return today(ctx).Add(time.Duration(v) * time.Microsecond)
	case takesDigits(t):
		micros, negative := int64(v), v < 0
		if negative {
			micros = -micros
		}
		if types.IsInteger(t) {
			micros = own.RoundTime(micros, 0)
		}
		seconds := micros / 1e6
		n := withMicros(seconds/3600*10_000+seconds/60%60*100+seconds%60, int(micros%1e6))
		n.Negative = negative && !n.IsZero()
		return n
	case isText(t), types.IsEnum(t), types.IsSet(t), types.IsBit(t):
		text := v.String()
		if strings.Contains(text, ".") {
			text = strings.TrimRight(text, "0")
		}
		return text
	}
	return v
}

// spanOf is the time of day.
func spanOf(at time.Time) types.Timespan {
	return types.Timespan(at.Sub(at.Truncate(24*time.Hour)) / time.Microsecond)
}

// clockFloat makes a decimal of a floating-point number that has as many digits as a date with its
// time.
func clockFloat(v any) any {
	f, ok := v.(float64)
	if !ok || f < 0 || f > mostNumber {
		return v
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if _, fraction, _ := strings.Cut(text, "."); len(fraction) > 6 {
		text = strconv.FormatFloat(f, 'f', 6, 64)
	}
	if d, _, err := apd.NewFromString(text); err == nil {
		return d
	}
	return v
}

// takesDigits tells the types of numbers, but for BIT and YEAR.
func takesDigits(t sql.Type) bool {
	return types.IsInteger(t) || types.IsDecimal(t) || types.IsFloat(t)
}

func isText(t sql.Type) bool {
	_, ok := t.(sql.StringType)
	return ok
}

// withMicros is a whole number with microseconds behind the point.
func withMicros(whole int64, micros int) *apd.Decimal {
	if micros == 0 {
		return apd.New(whole, 0)
	}
	d, _, err := apd.NewFromString(strconv.FormatInt(whole, 10) + "." + strconv.Itoa(1_000_000 + micros)[1:])
	if err != nil {
		return apd.New(whole, 0)
	}
	return d
}

// today is the day on which the statement runs, in the session's time zone.
func today(ctx *sql.Context) time.Time {
	now := time.UnixMicro(LocalMicros(ZoneOf(ctx), ctx.QueryTime().UnixMicro()))
	return now.UTC().Truncate(24 * time.Hour)
}

// GivenTypes tell the types of the values of an INSERT as they are given. The projection above them
// has the types of the columns they are for.
type GivenTypes struct {
	Fields  []int              // of the projection, by columns; -1: another expression than a field
	Columns sql.Schema         // of a SELECT
	Rows    [][]sql.Expression // of VALUES
}

// Of is the type of the value for column at of a row, counted from 1; nil if nothing tells.
func (g *GivenTypes) Of(ctx *sql.Context, row int64, at int) sql.Type {
	if at >= len(g.Fields) || g.Fields[at] < 0 {
		return nil
	}
	field := g.Fields[at]
	switch {
	case field < len(g.Columns):
		return g.Columns[field].Type
	case row > 0 && row <= int64(len(g.Rows)) && field < len(g.Rows[row-1]):
		return g.Rows[row-1][field].Type(ctx)
	}
	return nil
}
