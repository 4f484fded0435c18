package fn

import (
	"strings"
	"time"

	"emberdb/sql/types"
)

// AsNumber is a date or time as the number that MySQL computes with: YYYYMMDD, YYYYMMDDhhmmss or
// hhmmss, with the digits behind the point that the type has. What is no date or time stays.
// Source: MySQL's manual, "Conversion Between Date and Time Types".
func AsNumber(e Expr) Expr {
	from := e.Type()
	if !from.Kind.Temporal() {
		return numberOfDigits(e)
	}
	digits := map[types.Kind]int{types.Date: 8, types.DateTime: 14, types.Time: 7}[from.Kind]
	scale := fraction(from)
	t := types.IntType(uint32(digits+1), from.Nullable)
	if scale > 0 {
		t = types.DecimalType(digits+scale, scale, from.Nullable)
	}
	return call("number of a time", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		wide := digits+scale > 18
		if wide {
			out.W = make([]types.Int128, n)
		}
		unit := types.Pow10(6 - scale)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			whole, micros := clockNumber(from.Kind, args[0].I[i])
			if !wide {
				out.I[i] = whole*types.Pow10(scale) + micros/unit
				continue
			}
			up, _ := types.Rescale(types.FromInt64(whole), 0, scale)
			out.W[i], _ = up.Add(types.FromInt64(micros / unit))
		}
		return nil
	}, t, e)
}

// fraction is how many digits of the second a type has.
func fraction(t types.Type) int {
	if t.Kind != types.Time && t.Kind != types.DateTime {
		return 0
	}
	return int(t.Scale)
}

// clockNumber is a value of a kind in digits: the number before the point, and microseconds of the
// same sign.
func clockNumber(k types.Kind, v int64) (whole, micros int64) {
	if k == types.Time {
		seconds := v / 1e6
		return seconds/3600*10000 + seconds/60%60*100 + seconds%60, v % 1e6
	}
	m := types.Unpack(v)
	whole = int64(m.Year*10000 + m.Month*100 + m.Day)
	if k == types.DateTime {
		whole = whole*1e6 + int64(m.Hour*10000+m.Minute*100+m.Second)
	}
	return whole, int64(m.Micros)
}

// floatLike is DOUBLE with the digits behind the point that a type is shown with.
func floatLike(t types.Type) types.Type {
	out := types.FloatType(t.Nullable)
	out.Length, out.Scale = max(out.Length, t.Length), t.Scale
	return out
}

// asFixed is a date or time as a DOUBLE that is shown with the digits of its type.
func asFixed(e Expr) Expr {
	t := types.FloatType(e.Type().Nullable)
	t.Length, t.Scale = 22, uint8(fraction(e.Type()))
	f := ToFloat(AsNumber(e))
	return call("double of a time", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		copy(out.F, args[0].F[:n])
		return nil
	}, t, f)
}

// mostClock is the greatest TIME, 838:59:59, in microseconds.
const mostClock = ((838*60+59)*60 + 59) * 1e6

// ClockConst is the constant TIME that a text is, with so many digits of the fraction; -1: as many
// as the text has. It is not ok for texts that are cut or have a date, and for times out of range.
func ClockConst(text string, digits int) (*Const, bool) {
	c, ok := types.ReadClock(text)
	if !ok || c.Cut || c.Dated || c.Nanos != 0 || c.Hours > 838 {
		return nil, false
	}
	if digits < 0 {
		_, fraction, _ := strings.Cut(strings.TrimSpace(text), ".")
		digits = min(len(fraction), 6)
	}
	micros := int64((int(c.Hours)*60+c.Minute)*60+c.Second)*1e6 + int64(c.Micros)
	if micros = types.RoundTime(micros, uint8(digits)); micros > mostClock {
		return nil, false
	}
	if c.Negative {
		micros = -micros
	}
	v := types.NewVec(types.Time, 1)
	v.I[0] = micros
	return NewConst(v, types.TimeType(uint8(digits), false)), true
}

// CastClock is CAST(a AS TIME(digits)).
func (s *Setting) CastClock(a Expr, digits int) (Expr, error) {
	if e, err := castClock(a, digits); err == nil {
		return e, nil
	}
	return s.routine("time of "+itoa(digits), []Expr{a}, types.TimeType(uint8(digits), true))
}

// castClock is CastClock of a time, of a date with or without one, and of a constant text.
func castClock(a Expr, digits int) (Expr, error) {
	from := a.Type()
	if c, ok := a.(*Const); ok && from.Kind == types.String && !c.IsNull() {
		if clock, ok := ClockConst(string(c.V.S[0]), digits); ok {
			clock.T.Nullable = true
			return clock, nil
		}
	}
	if !from.Kind.Temporal() {
		return nil, Refuse(ByType, "a cast to TIME")
	}
	return call("time"+itoa(digits), func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			micros := args[0].I[i]
			if from.Kind != types.Time {
				m := types.Unpack(micros)
				micros = int64((m.Hour*60+m.Minute)*60+m.Second)*1e6 + int64(m.Micros)
			}
			out.I[i] = min(max(types.RoundTime(micros, uint8(digits)), -mostClock), mostClock)
		}
		return nil
	}, types.TimeType(uint8(digits), true), a), nil
}

// LongerMoment is a date, or a DATETIME of no more digits, as DATETIME(digits).
func LongerMoment(a Expr, digits int, dates types.Dates) Expr {
	return call("datetime"+itoa(digits), func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i, v := range args[0].I[:n] {
			if out.I[i] = v; !out.IsNull(i) && !dates.TakePacked(v) {
				out.SetNull(i)
			}
		}
		return nil
	}, types.DateTimeType(uint8(digits), true), a)
}

// stampOf is TIMESTAMP(a) of a date or a DATETIME.
func stampOf(args []Expr, dates types.Dates) (Expr, error) {
	if k := args[0].Type().Kind; k != types.Date && k != types.DateTime {
		return nil, Refuse(ByType, "a moment of what is no date")
	}
	return LongerMoment(args[0], fraction(args[0].Type()), dates), nil
}

// clockOf is TIME(a) of a date or time.
func clockOf(args []Expr) (Expr, error) {
	return castClock(args[0], int(secondDigits(args[0])))
}

// wholeSeconds is a date or time without digits of a fraction: it is rounded before it becomes an
// integer, so that the second after 23:59:59 is midnight. What is no date or time stays.
func wholeSeconds(a Expr) Expr {
	from := a.Type()
	if fraction(from) == 0 {
		return a
	}
	t := types.TimeType(0, from.Nullable)
	if from.Kind == types.DateTime {
		t = types.DateTimeType(0, from.Nullable)
	}
	return call("seconds", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			switch v := args[0].I[i]; {
			case out.IsNull(i):
			case from.Kind == types.Time:
				out.I[i] = types.RoundTime(v, 0)
			default:
				out.I[i] = roundMoment(v)
			}
		}
		return nil
	}, t, a)
}

// roundMoment rounds a packed DATETIME to seconds. One with parts that are zero loses its fraction.
func roundMoment(v int64) int64 {
	m := types.Unpack(v)
	up := m.Micros >= 500000
	if m.Micros = 0; !up || !m.Real() {
		return types.Pack(m)
	}
	t := time.Date(m.Year, time.Month(m.Month), m.Day, m.Hour, m.Minute, m.Second+1, 0, time.UTC)
	return types.FromUnix(t.UnixMicro())
}
