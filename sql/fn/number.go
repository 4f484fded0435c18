package fn

import (
	"math"

	"emberdb/sql/types"
)

// round is ROUND(a[, digits]) of an exact number.
func round(args []Expr) (Expr, error) {
	t := args[0].Type()
	digits := int64(0)
	if len(args) == 2 {
		var err error
		if digits, err = integer(args[1]); err != nil {
			return nil, err
		}
	}
	if t.Kind == types.Int && digits == 0 {
		return nil, Refuse(ByFunction, "ROUND of an integer")
	}
	if t.Kind != types.Decimal || digits < 0 || digits > int64(t.Scale) {
		return nil, Refuse(ByType, "ROUND of what is no DECIMAL of more digits")
	}
	scale := int(digits)
	precision := int(t.Precision)
	if scale < int(t.Scale) {
		precision += scale - int(t.Scale) + 1
	}
	return call("round"+itoa(scale), rescaled(scale), types.DecimalType(precision, scale, t.Nullable), args[0]), nil
}

// rescaled brings exact numbers to a scale.
func rescaled(scale int) Kernel {
	return func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		out.Scale = scale
		a := args[0]
		if a.Scale == scale && a.W == nil && a.Kind != types.Uint {
			copy(out.I, a.I[:n])
			return nil
		}
		out.W = make([]types.Int128, n)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			w, ok := types.Rescale(a.Wide(i), a.Scale, scale)
			if !ok {
				return types.ErrRange
			}
			out.W[i] = w
		}
		return nil
	}
}

// absolute is ABS(a).
func absolute(args []Expr) (Expr, error) {
	if args[0].Type().Kind.Temporal() {
		args = []Expr{asFixed(args[0])}
	}
	t := args[0].Type()
	switch t.Kind {
	case types.Decimal:
		return call("abs", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
			nulls(n, args, out)
			a := args[0]
			out.Scale, out.W = a.Scale, make([]types.Int128, n)
			for i := range n {
				if w := a.Wide(i); w.Negative() {
					out.W[i] = w.Neg()
				} else {
					out.W[i] = w
				}
			}
			return nil
		}, types.DecimalType(int(t.Precision), int(t.Scale), t.Nullable), args[0]), nil
	case types.Float:
		return call("abs", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
			nulls(n, args, out)
			for i, f := range args[0].F[:n] {
				out.F[i] = math.Abs(f)
			}
			return nil
		}, floatLike(t), args[0]), nil
	}
	return nil, Refuse(ByType, "ABS of an integer")
}
