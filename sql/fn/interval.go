package fn

import (
	"emberdb/sql/types"
)

// Interval is INTERVAL amount unit; the sign of DATE_SUB is Sub.
type Interval struct {
	Amount Expr
	Unit   string // in any case
	Sub    bool
	// Clock tells that the text that it is added to is a date with a time, whatever the text shows:
	// that is so where the text is itself a date with an interval added.
	Clock bool
}

// shownMoment is how many characters the text of a date and time may have.
const shownMoment = 29

// AddInterval is a date, a time or the text of a date, with an interval added. A text, or a number,
// becomes a text in the connection's character set.
// Source: MySQL 9.7 Reference Manual, "Date and Time Functions", DATE_ADD.
func AddInterval(date Expr, by Interval, collation uint16) (Expr, error) {
	unit, ok := types.IntervalUnitOf(by.Unit)
	if !ok {
		return nil, Refuse(ByFunction, "an interval of "+by.Unit)
	}
	length, digits, err := by.reader(unit)
	if err != nil {
		return nil, err
	}
	from := date.Type()
	out, add, err := shifted(from, unit, digits, collation, by.Clock)
	if err != nil {
		return nil, err
	}
	sign := "+ "
	if by.Sub {
		sign = "- "
	}
	return call("interval "+sign+by.Unit, func(c *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			s, ok := length(args[1], i)
			if by.Sub {
				s = s.Negated()
			}
			if !ok || !add(args[0], i, s, out) {
				return Refuse(ByRow, "an interval that MySQL warns of")
			}
		}
		return nil
	}, out, date, by.Amount), nil
}

// reader is what reads the amount, and how many digits of the second it has.
func (by Interval) reader(unit types.IntervalUnit) (length func(v *types.Vec, i int) (types.Span, bool), digits uint8, err error) {
	if unit.Micros() {
		digits = 6
	}
	t := by.Amount.Type()
	switch {
	case t.Kind == types.Null:
		return func(*types.Vec, int) (s types.Span, ok bool) { return s, false }, digits, nil
	case t.Kind == types.Int && !unit.Several():
		return func(v *types.Vec, i int) (types.Span, bool) { return unit.Of(v.I[i]), true }, digits, nil
	case t.Kind == types.Uint && !unit.Several():
		return func(v *types.Vec, i int) (types.Span, bool) { return unit.Of(v.I[i]), v.I[i] >= 0 }, digits, nil
	case t.Kind == types.Decimal && unit.Fractional():
		return func(v *types.Vec, i int) (types.Span, bool) {
			return unit.Read(string(microsText(v, i)))
		}, min(t.Scale, 6), nil
	case t.Kind == types.Int || t.Kind == types.Decimal && unit.Several():
		return func(v *types.Vec, i int) (s types.Span, ok bool) {
			text, err := types.AppendText(nil, &t, v, i)
			if err != nil {
				return s, false
			}
			return unit.Read(string(text))
		}, digits, nil
	case t.Kind == types.String && t.Collation != types.Binary:
		if unit.Fractional() {
			digits = 6
		}
		return func(v *types.Vec, i int) (types.Span, bool) { return readAmount(unit, v.S[i]) }, digits, nil
	}
	return nil, 0, Refuse(ByType, "an interval that is no number")
}

// microsText is a number of seconds that is written with six digits of its fraction.
func microsText(v *types.Vec, i int) []byte {
	w, ok := types.Rescale(v.Wide(i), v.Scale, 6)
	if !ok {
		return nil
	}
	return types.AppendDecimal(nil, w, 6)
}

// readAmount reads a text. One number is written with digits alone; a text that has more is told of
// by MySQL, and not ok here.
func readAmount(unit types.IntervalUnit, text []byte) (s types.Span, ok bool) {
	if unit.Several() {
		return unit.Read(string(text))
	}
	v, scale, ok := types.ParseDecimal(string(text))
	if !ok {
		return s, false
	}
	if unit.Fractional() {
		w, ok := types.Rescale(v, scale, 6)
		if !ok {
			return s, false
		}
		return unit.Read(string(types.AppendDecimal(nil, w, 6)))
	}
	n, small := v.Int64()
	return unit.Of(n), small && scale == 0
}

// shifted is the type of a date with an interval added, and the addition; it is not ok where there
// is no such date, and for a text that is no date.
func shifted(from types.Type, unit types.IntervalUnit, digits uint8, collation uint16, clock bool) (to types.Type, add func(v *types.Vec, i int, by types.Span, out *types.Vec) bool, err error) {
	switch from.Kind {
	case types.Date, types.DateTime:
		to = types.DateTimeType(max(from.Scale, digits), true)
		if from.Kind == types.Date && unit.OfDays() {
			to = types.DateType(true)
		}
		return to, addToMoment, nil
	case types.Time:
		if !unit.OfClock() {
			return to, nil, Refuse(ByType, "days added to a time")
		}
		return types.TimeType(max(from.Scale, digits), true), addToTime, nil
	case types.String, types.Int, types.Uint:
		if from.Collation == types.Binary && from.Kind == types.String {
			break
		}
		to = types.StringType(shownMoment, collation, types.Literal, true)
		return to, addToText(from, clock || !unit.OfDays()), nil
	}
	return to, nil, Refuse(ByType, "an interval added to what is no date")
}

func addToMoment(v *types.Vec, i int, by types.Span, out *types.Vec) bool {
	m := types.Unpack(v.I[i])
	if !m.Real() {
		return false
	}
	later, ok := m.Add(by)
	out.I[i] = types.Pack(later)
	return ok
}

func addToTime(v *types.Vec, i int, by types.Span, out *types.Vec) bool {
	if by.Seconds > 2*mostClock/1e6 || by.Seconds < -2*mostClock/1e6 {
		return false
	}
	out.I[i] = v.I[i] + by.Seconds*1e6 + by.Micros
	return out.I[i] <= mostClock && out.I[i] >= -mostClock
}

// addToText adds to dates that are written as MySQL writes them, or as digits. The sum shows a time of
// day if they do, or if clock says so.
func addToText(from types.Type, clock bool) func(v *types.Vec, i int, by types.Span, out *types.Vec) bool {
	return func(v *types.Vec, i int, by types.Span, out *types.Vec) bool {
		text, err := types.AppendText(nil, &from, v, i)
		if err != nil {
			return false
		}
		m, ok := types.ReadMoment(string(text))
		if !ok || m.Cut || m.HasZone || m.Nanos != 0 || !m.Real() || m.Year == 0 {
			return false
		}
		later, ok := m.Add(by)
		out.S[i] = types.AppendMomentText(nil, later, m.Clock || clock)
		return ok
	}
}
