package fn

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"

	"emberdb/sql/types"
)

// Conversions that a statement asks for: CAST, CONVERT. What MySQL would warn of is refused.

// CastText is CAST(a AS CHAR[(most)]); most is below zero if there is no length.
func (s *Setting) CastText(a Expr, most int) (Expr, error) {
	text, err := ToText(a, s.Collation)
	if err != nil {
		return nil, err
	}
	from := text.Type()
	if from.Collation != s.Collation && (!types.UTF8(from.Collation) || from.Collation == types.Binary && !types.UTF8(s.Collation)) {
		return nil, Refuse(ByType, "a text of another character set")
	}
	t := types.StringType(from.Length, s.Collation, types.Implicit, true)
	if most >= 0 {
		t.Length = uint32(most)
	}
	return call("char"+itoa(most), func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			if out.S[i] = args[0].S[i]; most >= 0 && utf8.RuneCount(out.S[i]) > most {
				return Refuse(ByRow, "a text that is cut")
			}
		}
		return nil
	}, t, text), nil
}

// CastBytes is CAST(a AS BINARY[(most)]), filled with zeros to that length; most is below zero if
// there is none.
func (s *Setting) CastBytes(a Expr, most int) (Expr, error) {
	from := a.Type()
	text := a
	if from.Kind != types.String {
		var err error
		if text, err = ToText(a, s.Collation); err != nil {
			return nil, err
		}
	} else if !types.UTF8(from.Collation) {
		return nil, Refuse(ByType, "a text of another character set")
	}
	return call("binary"+itoa(most), func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			if out.S[i] = args[0].S[i]; most >= 0 && len(out.S[i]) > most {
				return Refuse(ByRow, "bytes that are cut")
			} else if len(out.S[i]) < most {
				out.S[i] = append(bytes.Clone(out.S[i]), make([]byte, most-len(out.S[i]))...)
			}
		}
		return nil
	}, s.Recast(from, types.Binary, most), text), nil
}

// CastInteger is CAST(a AS SIGNED) or UNSIGNED.
func CastInteger(a Expr, unsigned bool) (Expr, error) {
	a = AsNumber(wholeSeconds(a))
	from := a.Type()
	t := types.IntType(21, from.Nullable)
	if unsigned {
		t = types.UintType(21, from.Nullable)
	}
	var read func(v *types.Vec, i int) (types.Int128, bool)
	switch from.Kind {
	case types.Int, types.Uint:
		read = func(v *types.Vec, i int) (types.Int128, bool) { return v.Wide(i), true }
	case types.Decimal:
		read = func(v *types.Vec, i int) (types.Int128, bool) { return types.Rescale(v.Wide(i), v.Scale, 0) }
	case types.Float:
		read = func(v *types.Vec, i int) (types.Int128, bool) {
			f := math.RoundToEven(v.F[i])
			return types.FromInt64(int64(f)), f >= -1<<63 && f < 1<<63
		}
	case types.String:
		if err := texts(a); err != nil {
			return nil, err
		}
		read = func(v *types.Vec, i int) (types.Int128, bool) {
			n, err := strconv.ParseInt(string(v.S[i]), 10, 64)
			return types.FromInt64(n), err == nil
		}
	default:
		return nil, Refuse(ByType, "a date as a number")
	}
	return call(either(unsigned, "unsigned", "signed"), func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			w, ok := read(args[0], i)
			if unsigned && w.Negative() && (args[0].Kind == types.Int || args[0].Kind == types.Uint) {
				w.Hi = 0 // its bits
			}
			n, small := w.Int64()
			if out.I[i] = n; unsigned {
				small = w.Hi == 0
				out.I[i] = int64(w.Lo)
			}
			if !ok || !small {
				return Refuse(ByRow, "a number out of the range of a cast")
			}
		}
		return nil
	}, t, a), nil
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// CastDecimal is CAST(a AS DECIMAL(precision, scale)).
func CastDecimal(a Expr, precision, scale int) (Expr, error) {
	a = AsNumber(a)
	from := a.Type()
	if precision > 38 || scale > precision || from.Kind != types.Decimal && !from.Kind.Integer() && from.Kind != types.String {
		return nil, Refuse(ByType, "a cast to DECIMAL")
	}
	if from.Kind == types.String {
		if err := texts(a); err != nil {
			return nil, err
		}
	}
	most, _ := types.Rescale(types.FromInt64(1), 0, precision)
	return call("decimal "+itoa(precision)+","+itoa(scale), func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		out.Scale, out.W = scale, make([]types.Int128, n)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			w, digits, ok := types.Int128{}, args[0].Scale, true
			if from.Kind == types.String {
				w, digits, ok = types.ParseDecimal(string(args[0].S[i]))
				ok = ok && digits <= scale
			} else {
				w = args[0].Wide(i)
			}
			if ok {
				w, ok = types.Rescale(w, digits, scale)
			}
			if !ok || w.Cmp(most) >= 0 || w.Neg().Cmp(most) >= 0 {
				return Refuse(ByRow, "a number out of the range of a cast")
			}
			out.W[i] = w
		}
		return nil
	}, types.DecimalType(precision, scale, from.Nullable), a), nil
}

// CastFloat is CAST(a AS DOUBLE).
func CastFloat(a Expr) (Expr, error) {
	a = AsNumber(a)
	t := a.Type()
	if t.Kind == types.String && t.Collation != types.Binary {
		return TextFloat(a), nil
	}
	if !t.Kind.Number() {
		return nil, Refuse(ByType, "a cast to DOUBLE")
	}
	return call("double", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		copy(out.F, floats(args[0], n))
		return nil
	}, types.FloatType(t.Nullable), a), nil
}

// TextFloat is the number that a text is; one that is none is refused.
func TextFloat(a Expr) Expr {
	return call("number of text", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			f, ok := textFloat(args[0].S[i])
			if !ok {
				return Refuse(ByRow, "a text that is no number")
			}
			out.F[i] = f
		}
		return nil
	}, types.FloatType(a.Type().Nullable), a)
}

// textFloat reads a text of digits, with a point, a sign and an exponent.
func textFloat(s []byte) (float64, bool) {
	if len(s) == 0 || len(s) > 64 || len(bytes.Trim(s, "0123456789+-.eE")) > 0 {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(s), 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// CastMoment is CAST(a AS DATE), or AS DATETIME without digits of the fraction.
func (s *Setting) CastMoment(a Expr, clock bool) (Expr, error) {
	t := a.Type()
	switch {
	case !clock:
		return s.Function("date", []Expr{a})
	case t.Kind == types.Date, t.Kind == types.DateTime && t.Scale == 0:
		return LongerMoment(a, 0, s.Dates), nil
	}
	return nil, Refuse(ByType, "a cast to DATETIME")
}

// InCollation is a COLLATE name.
func InCollation(a Expr, collation uint16) (Expr, error) {
	if err := texts(a); err != nil {
		return nil, err
	}
	t := a.Type()
	if !types.UTF8(collation) || !types.SameCharset(t.Collation, collation) || types.CollatorOf(collation) == nil {
		return nil, Refuse(ByType, "a collation of another character set")
	}
	to := types.StringType(t.Length, collation, types.Explicit, t.Nullable)
	return call("collate "+itoa(int(collation)), func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		copy(out.S, args[0].S[:n])
		return nil
	}, to, a), nil
}
