package fn

import (
	"math"
	"math/bits"

	"emberdb/sql/types"
)

var errOverflow = Refuse(ByRow, "an integer out of range")

// intKernel computes signed integers; op tells whether the result is one.
func intKernel(op func(a, b int64) (int64, bool)) Kernel {
	return func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		a, b := args[0].I[:n], args[1].I[:n]
		for i := range n {
			r, ok := op(a[i], b[i])
			if out.I[i] = r; !ok && !out.IsNull(i) {
				return errOverflow
			}
		}
		return nil
	}
}

func add64(a, b int64) (int64, bool) { r := a + b; return r, (a^b) < 0 || (a^r) >= 0 }
func sub64(a, b int64) (int64, bool) { r := a - b; return r, (a^b) >= 0 || (a^r) >= 0 }
func mul64(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	top := int64(hi) - (a >> 63 & b) - (b >> 63 & a)
	return int64(lo), top == int64(lo)>>63
}

var intOps = map[string]Kernel{"+": intKernel(add64), "-": intKernel(sub64), "*": intKernel(mul64)}

// uintKernel computes integers of which one is unsigned: the result is unsigned, and not below
// zero.
func uintKernel(op func(a, b types.Int128) (types.Int128, bool)) Kernel {
	return func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			r, ok := op(args[0].Wide(i), args[1].Wide(i))
			if !ok || r.Hi != 0 {
				return errOverflow
			}
			out.I[i] = int64(r.Lo)
		}
		return nil
	}
}

var uintOps = map[string]Kernel{"+": uintKernel(types.Int128.Add), "-": uintKernel(types.Int128.Sub), "*": uintKernel(types.Int128.Mul)}

func divInt(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
	nulls(n, args, out)
	for i := range n {
		if out.IsNull(i) {
			continue
		}
		a, b := args[0].I[i], args[1].I[i]
		switch {
		case b == 0:
			return errZero
		case b == -1 && a == math.MinInt64:
			return errOverflow
		}
		out.I[i] = a / b
	}
	return nil
}

func modInt(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
	nulls(n, args, out)
	for i := range n {
		if out.IsNull(i) {
			continue
		}
		switch b := args[1].I[i]; b {
		case 0:
			return errZero
		case -1:
			out.I[i] = 0
		default:
			out.I[i] = args[0].I[i] % b
		}
	}
	return nil
}

func negInt(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
	nulls(n, args, out)
	for i, x := range args[0].I[:n] {
		if out.I[i] = -x; x == math.MinInt64 && !out.IsNull(i) {
			return errOverflow
		}
	}
	return nil
}

// narrow tells whether all values of exact numbers lie in I as signed integers.
func narrow(n int, args []*types.Vec) bool {
	for _, a := range args {
		if a.W != nil {
			return false
		}
		if a.Kind == types.Uint {
			for i, x := range a.I[:n] {
				if x < 0 && !a.IsNull(i) {
					return false
				}
			}
		}
	}
	return true
}

// exactKernel computes DECIMALs. It tries 64 bits first; from the first batch that does not fit on
// it uses 128.
func exactKernel(scale func(a, b int) int, align bool, small func(a, b int64) (int64, bool), wide func(a, b types.Int128) (types.Int128, bool)) Kernel {
	return func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		a, b := args[0], args[1]
		out.Scale = scale(a.Scale, b.Scale)
		upA, upB := 0, 0
		if align {
			upA, upB = out.Scale-a.Scale, out.Scale-b.Scale
		}
		if upA <= 18 && upB <= 18 && narrow(n, args) && exactSmall(n, a.I, b.I, types.Pow10(upA), types.Pow10(upB), small, out) {
			return nil
		}
		out.W = make([]types.Int128, n)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			x, ok1 := types.Rescale(a.Wide(i), 0, upA)
			y, ok2 := types.Rescale(b.Wide(i), 0, upB)
			r, ok3 := wide(x, y)
			if !ok1 || !ok2 || !ok3 {
				return types.ErrRange
			}
			out.W[i] = r
		}
		return nil
	}
}

// exactSmall is exactKernel in 64 bits; false: a value does not fit.
func exactSmall(n int, a, b []int64, upA, upB int64, op func(a, b int64) (int64, bool), out *types.Vec) bool {
	a, b = a[:n], b[:n]
	to := out.I[:n]
	if upA == 1 && upB == 1 {
		for i := range to {
			r, ok := op(a[i], b[i])
			if to[i] = r; !ok && !out.IsNull(i) {
				return false
			}
		}
		return true
	}
	for i := range to {
		x, ok1 := mul64(a[i], upA)
		y, ok2 := mul64(b[i], upB)
		r, ok3 := op(x, y)
		if to[i] = r; !(ok1 && ok2 && ok3) && !out.IsNull(i) {
			return false
		}
	}
	return true
}

func higher(a, b int) int { return max(a, b) }
func both(a, b int) int   { return a + b }

var exactOps = map[string]Kernel{
	"+": exactKernel(higher, true, add64, types.Int128.Add),
	"-": exactKernel(higher, true, sub64, types.Int128.Sub),
	"*": exactKernel(both, false, mul64, types.Int128.Mul),
}

// divExact is a quotient: it is computed to as many digits as MySQL computes, and rounded to those
// of its type.
func divExact(c *Context, n int, args []*types.Vec, t *types.Type, out *types.Vec) error {
	nulls(n, args, out)
	a, b := args[0], args[1]
	scale := types.QuotientScale(a.Scale, b.Scale, c.DivIncrement)
	out.W = make([]types.Int128, n)
	for i := range n {
		if out.IsNull(i) {
			continue
		}
		y := b.Wide(i)
		if y.IsZero() {
			return errZero
		}
		q, err := types.Divide(a.Wide(i), a.Scale, y, b.Scale, scale)
		if err != nil {
			return err
		}
		var ok bool
		if out.W[i], ok = types.Rescale(q, scale, int(t.Scale)); !ok {
			return types.ErrRange
		}
	}
	return nil
}

// modExact is the remainder of two exact numbers, divWhole the whole part of their quotient.
func modExact(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
	out.Scale = max(args[0].Scale, args[1].Scale)
	return aligned(n, args, out, func(a, b int64) int64 { return a % b })
}

func divWhole(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
	return aligned(n, args, out, func(a, b int64) int64 { return a / b })
}

// aligned calls op with the digits of two exact numbers of one scale, which fit 64 bits.
func aligned(n int, args []*types.Vec, out *types.Vec, op func(a, b int64) int64) error {
	nulls(n, args, out)
	a, b := args[0], args[1]
	scale := max(a.Scale, b.Scale)
	if !narrow(n, args) || scale-a.Scale > 18 || scale-b.Scale > 18 {
		return types.ErrRange
	}
	upA, upB := types.Pow10(scale-a.Scale), types.Pow10(scale-b.Scale)
	for i := range n {
		if out.IsNull(i) {
			continue
		}
		x, ok1 := mul64(a.I[i], upA)
		y, ok2 := mul64(b.I[i], upB)
		switch {
		case !ok1 || !ok2:
			return types.ErrRange
		case y == 0:
			return errZero
		}
		out.I[i] = op(x, y)
	}
	return nil
}

func negExact(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
	nulls(n, args, out)
	a := args[0]
	out.Scale = a.Scale
	if a.W == nil {
		for i, x := range a.I[:n] {
			out.I[i] = -x
		}
		return nil
	}
	out.W = make([]types.Int128, n)
	for i, x := range a.W[:n] {
		out.W[i] = x.Neg()
	}
	return nil
}
