package fn

import (
	"emberdb/sql/types"
)

// ToDecimal is an exact number as a DECIMAL of a scale, for keys that meet those of another expression.
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

// Convert brings a value to the type that Unify has found for it and others.
func Convert(a Expr, t types.Type) Expr {
	switch t.Kind {
	case types.Decimal:
		if from := a.Type(); from.Kind != types.Null && (from.Kind != t.Kind || from.Scale != t.Scale) {
			return ToDecimal(a, int(t.Precision), int(t.Scale))
		}
	case types.Float:
		if a.Type().Kind != types.Null {
			return ToFloat(a)
		}
	}
	return a
}

// ToText is a value as a text; a text stays what it is. A DOUBLE is refused.
func ToText(a Expr, collation uint16) (Expr, error) {
	t := a.Type()
	length := t.Length
	switch t.Kind {
	case types.String:
		return a, texts(a)
	case types.Null, types.Float:
		return nil, Refuse(ByType, "the text of a DOUBLE")
	case types.Decimal:
		length = uint32(t.Precision) + 2
	}
	return call("text", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			text, err := types.AppendText(nil, &t, args[0], i, nil)
			if err != nil {
				return err
			}
			out.S[i] = text
		}
		return nil
	}, types.StringType(length, collation, types.Literal, t.Nullable), a), nil
}

// Keys brings the two sides of an equality to types whose keys compare as the values do: for hash joins and look-ups.
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
