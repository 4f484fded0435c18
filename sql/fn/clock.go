package fn

import (
	"strconv"

	"emberdb/sql/types"
)

// Extract is EXTRACT(unit FROM a) of a date, and the functions that are named after units.
func Extract(unit string, a Expr) (Expr, error) {
	k := a.Type().Kind
	if k != types.Date && k != types.DateTime {
		return nil, Refuse(ByType, "a part of what is no date")
	}
	part, ok := parts[unit]
	if !ok {
		return nil, Refuse(ByFunction, "EXTRACT of "+unit)
	}
	return call("extract "+unit, partKernel(part.of), types.IntType(part.length, true), a), nil
}

type datePart struct {
	length uint32
	of     func(m *types.Moment) int
}

var parts = map[string]datePart{
	"year":    {5, func(m *types.Moment) int { return m.Year }},
	"month":   {3, func(m *types.Moment) int { return m.Month }},
	"day":     {3, func(m *types.Moment) int { return m.Day }},
	"quarter": {2, func(m *types.Moment) int { return (m.Month + 2) / 3 }},
	"hour":    {3, func(m *types.Moment) int { return m.Hour }},
	"minute":  {3, func(m *types.Moment) int { return m.Minute }},
	"second":  {3, func(m *types.Moment) int { return m.Second }},
}

func partKernel(part func(m *types.Moment) int) Kernel {
	return func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			m := types.Unpack(args[0].I[i])
			out.I[i] = int64(part(&m))
		}
		return nil
	}
}

// partOf is YEAR, MONTH, DAYOFMONTH, ...
func partOf(unit string) func(args []Expr) (Expr, error) {
	return func(args []Expr) (Expr, error) {
		e, err := Extract(unit, args[0])
		if err != nil {
			return nil, err
		}
		t := e.Type()
		if unit == "year" {
			t = yearType()
		}
		switch e := e.(type) {
		case *Call:
			e.T = t
		case *Const:
			e.V.Kind, e.T = t.Kind, t
		}
		return e, nil
	}
}

func yearType() types.Type {
	t := types.UintType(4, true)
	t.Wire = types.WireYear
	return t
}

// dateOf is DATE(a).
func dateOf(args []Expr) (Expr, error) {
	k := args[0].Type().Kind
	if k != types.Date && k != types.DateTime {
		return nil, Refuse(ByType, "the date of what is none")
	}
	return call("date", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if !out.IsNull(i) {
				out.I[i] = types.DateOnly(args[0].I[i])
			}
		}
		return nil
	}, types.DateType(true), args[0]), nil
}

// dayDifference is DATEDIFF(a, b).
func dayDifference(args []Expr) (Expr, error) {
	for _, a := range args {
		if k := a.Type().Kind; k != types.Date && k != types.DateTime {
			return nil, Refuse(ByType, "the difference of what is no date")
		}
	}
	return call("datediff", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			a, b := types.Unpack(args[0].I[i]), types.Unpack(args[1].I[i])
			if !a.Real() || !b.Real() {
				return Refuse(ByRow, "a date that is not of the calendar")
			}
			out.I[i] = int64(types.DayNumber(a.Year, a.Month, a.Day) - types.DayNumber(b.Year, b.Month, b.Day))
		}
		return nil
	}, types.IntType(9, true), args...), nil
}

// AddInterval is a date with so many units added; the unit is one of SECOND, MINUTE, HOUR, DAY,
// WEEK, MONTH, QUARTER, YEAR.
func AddInterval(date Expr, amount int64, unit string) (Expr, error) {
	t := date.Type()
	if t.Kind != types.Date && t.Kind != types.DateTime {
		return nil, Refuse(ByType, "an interval added to what is no date")
	}
	months, days, micros := 0, 0, int64(0)
	if max(amount, -amount) > 1e6 {
		return nil, Refuse(ByType, "a long interval")
	}
	switch n := int(amount); unit {
	case "second":
		micros = 1e6 * amount
	case "minute":
		micros = 60e6 * amount
	case "hour":
		micros = 3600e6 * amount
	case "day":
		days = n
	case "week":
		days = 7 * n
	case "month":
		months = n
	case "quarter":
		months = 3 * n
	case "year":
		months = 12 * n
	default:
		return nil, Refuse(ByFunction, "an interval of "+unit)
	}
	out := types.DateType(true)
	if t.Kind == types.DateTime || unit == "second" || unit == "minute" || unit == "hour" {
		out = types.DateTimeType(t.Scale, true)
	}
	name := "add " + itoa(months) + "," + itoa(days) + "," + strconv.FormatInt(micros, 10)
	return call(name, func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			moved, ok := move(args[0].I[i], months, days, micros)
			if !ok {
				return Refuse(ByRow, "a date out of range")
			}
			out.I[i] = moved
		}
		return nil
	}, out, date), nil
}

// move adds months, days or microseconds to a date; ok is false where MySQL would warn.
func move(n int64, months, days int, micros int64) (int64, bool) {
	m := types.Unpack(n)
	if !m.Real() {
		return 0, false
	}
	if months != 0 {
		all := m.Year*12 + m.Month - 1 + months
		if all < 12 || all >= 120_000 {
			return 0, false
		}
		m.Year, m.Month = all/12, all%12+1
		m.Day = min(m.Day, types.DaysOf(m.Year, m.Month))
	} else {
		if micros != 0 {
			clock := (int64(m.Hour*60+m.Minute)*60+int64(m.Second))*1e6 + int64(m.Micros) + micros
			const day = 86400e6
			days = int(clock / day)
			if clock %= day; clock < 0 {
				clock, days = clock+day, days-1
			}
			m.Micros, m.Second, m.Minute, m.Hour = int(clock%1e6), int(clock/1e6%60), int(clock/60e6%60), int(clock/3600e6)
		}
		m.Year, m.Month, m.Day = types.FromDayNumber(types.DayNumber(m.Year, m.Month, m.Day) + days)
	}
	if m.Year < 1 || m.Year > 9999 {
		return 0, false
	}
	return types.Pack(m), true
}
