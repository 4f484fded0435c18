package fn

import (
	"unicode/utf8"

	"emberdb/sql/types"
)

// ToDecimal is an exact number as a DECIMAL of a scale, for keys that meet those of another
// expression.
func ToDecimal(a Expr, precision, scale int) Expr {
	t := a.Type()
	if t.Kind == types.Decimal && int(t.Scale) == scale {
		return a
	}
	return call("decimal"+itoa(scale), rescaled(scale), types.DecimalType(precision, scale, t.Nullable), a)
}

// ToFloat is a number as DOUBLE.
func ToFloat(a Expr) Expr {
	if a.Type().Kind == types.Float {
		return a
	}
	return call("float", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if !out.IsNull(i) {
				out.F[i] = floatAt(args[0], i)
			}
		}
		return nil
	}, types.FloatType(a.Type().Nullable), a)
}

// NullOf is NULL of a type.
func NullOf(t types.Type) Expr {
	v := types.NewVec(t.Kind, 1)
	v.Scale = int(t.Scale)
	v.SetNull(0)
	return NewConst(v, t.Nullify(true))
}

// Convert brings a value to the type that Unify has found for it and others.
func Convert(a Expr, t types.Type) Expr {
	if a.Type().Kind == types.Null {
		return NullOf(t)
	}
	switch t.Kind {
	case types.String:
		if text, err := ToText(a, t.Collation); err == nil {
			return text
		}
	case types.Decimal:
		if from := a.Type(); from.Kind != t.Kind || from.Scale != t.Scale {
			return ToDecimal(a, int(t.Precision), int(t.Scale))
		}
	case types.Float:
		return ToFloat(a)
	case types.DateTime:
		if a.Type().Kind == types.Date {
			return midnight(a)
		}
	}
	return a
}

// midnight is a date as a DATETIME.
func midnight(a Expr) Expr {
	return call("midnight", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		copy(out.I, args[0].I[:n])
		return nil
	}, types.DateTimeType(0, a.Type().Nullable), a)
}

// ToText is a value as a text; a text stays what it is.
func ToText(a Expr, collation uint16) (Expr, error) {
	t := a.Type()
	if t.Kind == types.String {
		return a, texts(a)
	}
	coerce := types.Literal
	if t.Kind == types.Enum {
		collation, coerce = t.Collation, t.Coerce
	}
	length, err := textLength(t)
	if err != nil {
		return nil, err
	}
	_, column := a.(*Column)
	return call("text", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			text, err := shownText(&t, args[0], i, column)
			if err != nil {
				return err
			}
			out.S[i] = text
		}
		return nil
	}, types.StringType(length, collation, coerce, t.Nullable), a), nil
}

// shownText is the text that an expression takes a value for: as it is shown, but for long numbers.
func shownText(t *types.Type, v *types.Vec, i int, column bool) ([]byte, error) {
	if v.Kind != types.Float || t.Scale < types.NotFixed {
		return types.AppendText(nil, t, v, i)
	}
	bits := 64
	if t.Wire == types.WireFloat {
		bits = 32
	}
	return types.FloatText(nil, v.F[i], bits, column), nil
}

// textLength is how many characters the text of a value has at most.
func textLength(t types.Type) (uint32, error) {
	switch t.Kind {
	case types.Null:
		return 0, Refuse(ByType, "the text of NULL")
	case types.Decimal:
		return t.Width(), nil
	}
	return t.Length, nil
}

// Store is a value that a column keeps. A value that does not fit is an error.
func Store(a Expr, t types.Type, column string) (Expr, error) {
	from := a.Type()
	if from.Kind == types.Null {
		return a, nil
	}
	if u, err := unify(t, from); err != nil || u.Kind != t.Kind {
		return nil, Refuse(ByType, "a value of another kind than its column")
	}
	a = Convert(a, t)
	return call("store", func(_ *Context, n int, args []*types.Vec, t *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		v := args[0]
		*out = types.Vec{Kind: t.Kind, Scale: v.Scale, Null: out.Null, I: v.I, F: v.F, W: v.W, S: v.S}
		for i := range n {
			if !v.IsNull(i) && !fits(v, i, t) {
				if t.Kind == types.String {
					return &Fault{Code: 1406, Text: "Data too long for column '" + column + "' at row 1"}
				}
				return &Fault{Code: 1264, Text: "Out of range value for column '" + column + "' at row 1"}
			}
		}
		return nil
	}, t.Nullify(true), a), nil
}

// whole are the bits of integers that are kept in fewer than 64.
var whole = map[uint8]int{types.WireTiny: 8, types.WireShort: 16, types.WireInt24: 24, types.WireLong: 32}

// fits tells whether a column of type t keeps the value at i.
func fits(v *types.Vec, i int, t *types.Type) bool {
	switch t.Kind {
	case types.Int:
		bits, small := whole[t.Wire]
		return !small || v.I[i]>>(bits-1) == v.I[i]>>63
	case types.Uint:
		bits, small := whole[t.Wire]
		return !small || uint64(v.I[i])>>bits == 0
	case types.Decimal:
		hi, ok := types.Rescale(types.FromInt64(1), 0, int(t.Precision)-int(t.Scale)+v.Scale)
		w := v.Wide(i)
		return ok && w.Cmp(hi) < 0 && w.Neg().Cmp(hi) < 0
	case types.String:
		return utf8.RuneCount(v.S[i]) <= int(t.Length)
	}
	return true
}

// Keys brings the two sides of an equality to types whose keys compare as the values do: for hash
// joins and look-ups.
func Keys(a, b Expr) (x, y Expr, t types.Type, err error) {
	x, y, coll, err := Comparable(a, b)
	if err != nil {
		return nil, nil, t, err
	}
	ta, tb := x.Type(), y.Type()
	switch {
	case ta.Kind == types.Null || tb.Kind == types.Null:
		return nil, nil, t, Refuse(ByType, "a key that is NULL")
	case ta.Kind == types.String:
		ta.Collation = coll
		return x, y, ta, nil
	case ta.Kind.Integer() && tb.Kind.Integer(), ta.Kind.Temporal():
		return x, y, ta, nil
	case ta.Kind == types.Float || tb.Kind == types.Float:
		return ToFloat(x), ToFloat(y), types.FloatType(true), nil
	}
	t = types.DecimalType(types.MaxPrecision, max(ta.Decimals(), tb.Decimals()), true)
	return asDecimal(x, t), asDecimal(y, t), t, nil
}

// asDecimal makes an integer a DECIMAL; one of another scale is brought to it by the keyer.
func asDecimal(e Expr, t types.Type) Expr {
	if e.Type().Kind == types.Decimal {
		return e
	}
	return ToDecimal(e, int(t.Precision), int(t.Scale))
}

// Keep is a DECIMAL as a table would keep it: with the digits of its type.
func Keep(a Expr) Expr {
	t := a.Type()
	return call("keep", rescaled(int(t.Scale)), t, a)
}
