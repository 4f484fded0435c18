package fn

import (
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
func dateOf(args []Expr, dates types.Dates) (Expr, error) {
	k := args[0].Type().Kind
	if k != types.Date && k != types.DateTime {
		return nil, Refuse(ByType, "the date of what is none")
	}
	return call("date", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			if out.I[i] = types.DateOnly(args[0].I[i]); !dates.TakePacked(out.I[i]) {
				out.SetNull(i)
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
