package temporal

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sql/locale"
	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// DATE_FORMAT, TIME_FORMAT and FROM_UNIXTIME with a format.

func init() {
	operand.Register(
		formatting("date_format", func(ctx *sql.Context, v any) (calendar, bool) {
			if at, ok := v.(time.Time); ok {
				return calendarOf(at), true
			}
			at, _, err := types.DatetimeMaxPrecision.Convert(ctx, v)
			if err != nil || at == nil {
				return calendar{}, false
			}
			return calendarOf(at.(time.Time)), true
		}),
		formatting("time_format", func(ctx *sql.Context, v any) (calendar, bool) {
			micros, ok := clockOf(ctx, v)
			parts := clockParts(micros)
			return calendar{hour: parts[0], minute: parts[1], second: parts[2], micros: parts[3], clock: true, negative: micros < 0}, ok
		}),
	)
	withFormat := formatting("from_unixtime", unixTime)
	operand.Register(sql.FunctionN{Name: "from_unixtime", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) == 2 {
			return withFormat.NewInstance(ctx, args)
		}
		if len(args) != 1 {
			return nil, sql.ErrInvalidArgumentNumber.New("FROM_UNIXTIME", "1 or 2", len(args))
		}
		return &fromUnix{operand.Over(args[0])}, nil
	}})
}

// formatting is the function that shows the time which of makes of its first argument.
func formatting(name string, of func(*sql.Context, any) (calendar, bool)) sql.Function {
	return operand.NewScalar(name, 2, 2, types.LongText, func(ctx *sql.Context, args []any) (any, error) {
		format, err := operand.ShownText(ctx, args[1])
		if err != nil || format == "" {
			return nil, err
		}
		at, ok := of(ctx, args[0])
		if !ok {
			return nil, nil
		}
		return at.format(ctx, format)
	})
}

// calendar is what a format shows the parts of. A time of day has no date, and its hours go beyond
// 23.
type calendar struct {
	date                         time.Time  // of one that the calendar lacks, the day that follows from its numbers
	shown                        own.Moment // the numbers
	hour, minute, second, micros int64
	zero                         bool // the date of zeros
	clock, negative              bool // a time of day
	names                        *locale.Locale
}

func calendarOf(at time.Time) calendar {
	m := operand.MomentOf(at)
	day := time.Date(m.Year, time.Month(m.Month), m.Day, 0, 0, 0, 0, time.UTC)
	return calendar{date: day, shown: m, hour: int64(at.Hour()), minute: int64(at.Minute()), second: int64(at.Second()),
		micros: int64(at.Nanosecond() / 1000), zero: at.Equal(types.ZeroTime)}
}

// format is the format with each letter behind a percent sign replaced. It is NULL if the format
// wants a name, or a week, that there is none of.
func (s calendar) format(ctx *sql.Context, format string) (any, error) {
	var out []byte
	if s.negative {
		out = append(out, '-')
	}
	s.names = operand.Names(ctx)
	steps := operand.Interrupts{Ctx: ctx}
	for i := 0; i < len(format); i++ {
		if err := steps.Next(); err != nil {
			return nil, err
		}
		if format[i] != '%' || i+1 == len(format) {
			out = append(out, format[i])
			continue
		}
		i++
		grown, ok := s.append(out, format[i])
		if !ok {
			return nil, nil
		}
		out = grown
	}
	return string(out), nil
}

// append writes what a letter stands for.
func (s calendar) append(dst []byte, letter byte) (out []byte, ok bool) {
	switch letter {
	case 'f':
		return fmt.Appendf(dst, "%06d", s.micros), true
	case 'H':
		return fmt.Appendf(dst, "%02d", s.hour), true
	case 'k':
		return strconv.AppendInt(dst, s.hour, 10), true
	case 'h', 'I':
		return fmt.Appendf(dst, "%02d", s.hourOfHalf()), true
	case 'l':
		return strconv.AppendInt(dst, s.hourOfHalf(), 10), true
	case 'i':
		return fmt.Appendf(dst, "%02d", s.minute), true
	case 'S', 's':
		return fmt.Appendf(dst, "%02d", s.second), true
	case 'p':
		return append(dst, s.half()...), true
	case 'r':
		return fmt.Appendf(dst, "%02d:%02d:%02d %s", s.hourOfHalf(), s.minute, s.second, s.half()), true
	case 'T':
		return fmt.Appendf(dst, "%02d:%02d:%02d", s.hour, s.minute, s.second), true
	}
	named := letter == 'M' || letter == 'b'
	switch {
	case s.clock || s.zero:
		return s.appendNoDate(dst, letter)
	case named && s.shown.Month == 0, s.shown.Month == 0 && s.shown.Year == 0 && strings.IndexByte("Waw", letter) >= 0:
		return nil, false
	}
	return s.appendDate(dst, letter), true
}

// hourOfHalf is the hour of half a day, from 1 to 12.
func (s calendar) hourOfHalf() int64 { return (s.hour+11)%12 + 1 }

func (s calendar) half() string {
	if s.hour%24 < 12 {
		return "AM"
	}
	return "PM"
}

// appendNoDate writes the parts of a date of zeros, or of the date that a time of day does not
// have.
func (s calendar) appendNoDate(dst []byte, letter byte) (out []byte, ok bool) {
	switch letter {
	case 'Y':
		return append(dst, "0000"...), true
	case 'y', 'm', 'd':
		return append(dst, "00"...), true
	case 'c', 'e':
		return append(dst, '0'), true
	case 'W', 'M', 'a', 'b', 'w', 'U', 'u', 'V', 'v', 'X', 'x':
		return nil, false
	case 'D':
		return append(dst, "0th"...), !s.clock
	case 'j':
		return append(dst, "000"...), !s.clock
	}
	return append(dst, letter), true
}

func (s calendar) appendDate(dst []byte, letter byte) []byte {
	year, month, day := s.shown.Year, time.Month(s.shown.Month), s.shown.Day
	switch letter {
	case 'Y':
		return fmt.Appendf(dst, "%04d", year)
	case 'y':
		return fmt.Appendf(dst, "%02d", year%100)
	case 'M':
		return append(dst, s.names.Month(month)...)
	case 'b':
		return append(dst, s.names.ShortMonth(month)...)
	case 'm':
		return fmt.Appendf(dst, "%02d", month)
	case 'c':
		return strconv.AppendInt(dst, int64(month), 10)
	case 'd':
		return fmt.Appendf(dst, "%02d", day)
	case 'e':
		return strconv.AppendInt(dst, int64(day), 10)
	case 'D':
		return append(strconv.AppendInt(dst, int64(day), 10), ordinal(day)...)
	case 'j':
		return fmt.Appendf(dst, "%03d", int(s.date.Sub(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC))/(24*time.Hour))+1)
	case 'W':
		return append(dst, s.names.Day(weekday(s.date))...)
	case 'a':
		return append(dst, s.names.ShortDay(weekday(s.date))...)
	case 'w':
		return strconv.AppendInt(dst, int64(weekday(s.date)), 10)
	case 'U', 'u':
		return fmt.Appendf(dst, "%02d", weekWithin(s.date, letter == 'u'))
	case 'V', 'v':
		_, week := weekOf(s.date, letter == 'v')
		return fmt.Appendf(dst, "%02d", week)
	case 'X', 'x':
		of, _ := weekOf(s.date, letter == 'x')
		return fmt.Appendf(dst, "%04d", of)
	}
	return append(dst, letter)
}

// weekday is the day of the week. The year 0 has no 29th of February in MySQL.
func weekday(t time.Time) time.Weekday {
	if t.Year() == 0 && t.Month() <= time.February {
		return (t.Weekday() + 1) % 7
	}
	return t.Weekday()
}

// ordinal is what follows the number of a day.
func ordinal(day int) string {
	if day < 10 || day > 20 {
		switch day % 10 {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}

// weekOf is the week of a day and the year that the week belongs to. With iso, a week begins on
// Monday and belongs to the year that most of its days are in. Else it begins on Sunday and belongs
// to the year of that Sunday.
func weekOf(day time.Time, iso bool) (year, week int) {
	back := int(day.Weekday())
	if iso {
		back = (back + 6) % 7
	}
	decides := day.AddDate(0, 0, -back)
	if iso {
		decides = decides.AddDate(0, 0, 3)
	}
	return decides.Year(), (decides.YearDay()-1)/7 + 1
}

// weekWithin is the week in the year of the day itself, from 0 to 53.
func weekWithin(day time.Time, iso bool) int {
	year, week := weekOf(day, iso)
	switch {
	case year < day.Year():
		return 0
	case year > day.Year():
		return 53
	}
	return week
}
