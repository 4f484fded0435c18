package fn

import (
	"strconv"

	"emberdb/sql/types"
)

// Constants beside dates in comparisons.

// Dated gives those constants that stand beside a date as dates which are texts of dates that the
// calendar lacks, and numbers beside a column. Other texts are read where they are compared.
func (s *Setting) Dated(beside Expr, constants ...Expr) {
	kind := beside.Type().Kind
	if kind != types.Date && kind != types.DateTime {
		return
	}
	column, named := beside.(*Column)
	for i, e := range constants {
		c, ok := e.(*Const)
		if !ok || c.IsNull() {
			continue
		}
		if c.T.Kind == types.Int && named && column.Name != "" {
			if date := dateOfDigits(kind, c.V.I[0]); date != nil {
				constants[i] = date
			}
		}
		if c.T.Kind != types.String {
			continue
		}
		m, ok := types.ReadMoment(string(c.V.S[0]))
		if ok && !m.Cut && !m.HasZone && m.Nanos == 0 && !m.Real() && s.Dates.Take(m.Moment) {
			constants[i] = momentOf(m.Moment, m.Clock)
		}
	}
}

// dateOfDigits is the date that the digits of a number are, as a column of dates takes it; nil: they
// are none, or lose something there.
func dateOfDigits(kind types.Kind, n int64) Expr {
	digits := strconv.FormatInt(n, 10)
	switch len(digits) {
	case 6, 8, 12, 14:
	default:
		return nil
	}
	m, ok := types.ReadMoment(digits)
	lost := kind == types.Date && (m.Hour != 0 || m.Minute != 0 || m.Second != 0)
	if n < 0 || !ok || m.Cut || m.HasZone || m.Nanos != 0 || m.Micros != 0 || !m.Real() || lost {
		return nil
	}
	return momentOf(m.Moment, m.Clock)
}

// momentConst makes a constant text a date or time.
func momentConst(k types.Kind, e Expr) (Expr, error) {
	c, ok := e.(*Const)
	if !ok {
		return nil, Refuse(ByType, "a date or time beside a text")
	}
	if c.IsNull() {
		return NullConst(), nil
	}
	if k == types.Time {
		if clock, ok := ClockConst(string(c.V.S[0]), -1); ok {
			return clock, nil
		}
		return nil, Refuse(ByType, "a text that is no plain time")
	}
	m, clock, ok := types.ParseMoment(string(c.V.S[0]))
	if !ok {
		return nil, Refuse(ByType, "a text that is no plain date")
	}
	return momentOf(m, clock), nil
}

func momentOf(m types.Moment, clock bool) Expr {
	v := types.NewVec(types.DateTime, 1)
	v.I[0] = types.Pack(m)
	t := types.DateTimeType(0, false)
	if m.Micros != 0 {
		t = types.DateTimeType(6, false)
	}
	if !clock {
		v.Kind, t = types.Date, types.DateType(false)
	}
	return NewConst(v, t)
}

// asDigits is what is computed of dates as a number, if it stands beside an integer that is written.
func asDigits(e, beside Expr) Expr {
	c, written := beside.(*Const)
	column, is := e.(*Column)
	if k := e.Type().Kind; (k == types.Date || k == types.DateTime) && written && c.T.Kind == types.Int && !c.IsNull() && !(is && column.Name != "") {
		return AsNumber(e)
	}
	return e
}
