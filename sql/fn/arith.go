package fn

import (
	"fmt"
	"math"
	"strconv"

	"emberdb/sql/types"
)

func itoa(n int) string { return strconv.Itoa(n) }

func constKey(e *Const) string {
	if e.IsNull() {
		return "null"
	}
	v := e.V
	switch v.Kind {
	case types.Float:
		return fmt.Sprintf("f%x", math.Float64bits(v.F[0]))
	case types.String:
		return fmt.Sprintf("s%d%q", e.T.Collation, v.S[0])
	case types.Decimal:
		return fmt.Sprintf("d%v,%d", v.Wide(0), v.Scale)
	}
	return fmt.Sprintf("k%d:%d", v.Kind, v.I[0])
}

// numeric refuses operands that are no numbers. NULL is one.
func numeric(args ...Expr) error {
	for _, a := range args {
		if k := a.Type().Kind; k != types.Null && !k.Number() {
			return Refuse(ByType, "arithmetic of what is no number")
		}
	}
	return nil
}

// result finds the kind that an operation on numbers gives.
func result(a, b types.Type) types.Kind {
	switch {
	case a.Kind == types.Float || b.Kind == types.Float:
		return types.Float
	case a.Kind == types.Decimal || b.Kind == types.Decimal:
		return types.Decimal
	case a.Kind == types.Uint || b.Kind == types.Uint:
		return types.Uint
	}
	return types.Int
}

// shown is how many digits behind the point a DOUBLE made of two numbers is shown with.
func shown(a, b types.Type) int { return max(a.Shown(), b.Shown()) }

// Arith is a op b for one of + - * / DIV %.
func Arith(op string, a, b Expr) (Expr, error) {
	a, b = addend(a), addend(b)
	if err := numeric(a, b); err != nil {
		return nil, err
	}
	ta, tb := a.Type(), b.Type()
	if ta.Kind == types.Null || tb.Kind == types.Null {
		return nil, Refuse(ByType, "arithmetic with NULL")
	}
	null := ta.Nullable || tb.Nullable
	kind := result(ta, tb)
	switch op {
	case "+", "-":
		whole := max(ta.Digits()-ta.Decimals(), tb.Digits()-tb.Decimals()) + 1
		return arithCall(op, kind, whole, max(ta.Decimals(), tb.Decimals()), null, a, b)
	case "*":
		scale := ta.Decimals() + tb.Decimals()
		return arithCall(op, kind, ta.Digits()+tb.Digits()-scale, scale, null, a, b)
	case "/":
		if kind == types.Float {
			return call(op, divFloat, types.FixedFloat(shown(ta, tb)+defaultIncrement, true), a, b), nil
		}
		scale := min(ta.Decimals()+defaultIncrement, types.MaxScale)
		return call(op, divExact, types.DecimalType(ta.Digits()+tb.Decimals()+defaultIncrement, scale, true), a, b), nil
	case "div", "%":
		return integerDivision(op, kind, a, b)
	}
	return nil, Refuse(ByFunction, op)
}

// addend is an operand as a number. A text is a DOUBLE.
func addend(e Expr) Expr {
	if e = AsNumber(e); texts(e) == nil {
		return TextFloat(e)
	}
	return e
}

// arithCall makes + - *. The digits before the point are those of an exact result.
func arithCall(op string, kind types.Kind, whole, scale int, null bool, a, b Expr) (Expr, error) {
	switch kind {
	case types.Float:
		return call(op, floatOps[op], types.FixedFloat(shown(a.Type(), b.Type()), null), a, b), nil
	case types.Decimal:
		if scale > types.MaxScale {
			return nil, Refuse(ByType, "a DECIMAL with more digits than MySQL keeps")
		}
		whole = min(whole, types.MaxPrecision-scale)
		return call(op, exactOps[op], types.DecimalType(whole+scale, scale, null), a, b), nil
	case types.Uint:
		return call(op, uintOps[op], types.UintType(uint32(whole), null), a, b), nil
	}
	return call(op, intOps[op], types.IntType(uint32(whole+1), null), a, b), nil
}

func integerDivision(op string, kind types.Kind, a, b Expr) (Expr, error) {
	ta := a.Type()
	if kind == types.Decimal {
		if op == "div" {
			return call(op, divWhole, types.IntType(uint32(ta.Digits()-ta.Decimals()+1), true), a, b), nil
		}
		tb := b.Type()
		scale := max(ta.Decimals(), tb.Decimals())
		whole := max(ta.Digits()-ta.Decimals(), tb.Digits()-tb.Decimals())
		return call(op, modExact, types.DecimalType(whole+scale, scale, true), a, b), nil
	}
	if kind == types.Float && op == "%" {
		return call(op, modFloat, types.FixedFloat(shown(ta, b.Type()), true), a, b), nil
	}
	if kind != types.Int {
		return nil, Refuse(ByType, "an integer quotient of what is no signed integer")
	}
	f := divInt
	if op == "%" {
		f = modInt
	}
	length := ta.Length
	if op == "%" {
		length = max(length, b.Type().Length)
	}
	return call(op, f, types.IntType(length, true), a, b), nil
}

// Minus is -a.
func Minus(a Expr) (Expr, error) {
	if a.Type().Kind.Temporal() {
		a = asFixed(a)
	}
	t := a.Type()
	switch t.Kind {
	case types.Int:
		if c, ok := a.(*Const); ok && c.V.I[0] != math.MinInt64 {
			neg := IntConst(-c.V.I[0])
			neg.T.Length = t.Length
			return neg, nil
		}
		length := t.Length
		return call("neg", negInt, types.IntType(max(length, 1), t.Nullable), a), nil
	case types.Decimal:
		return call("neg", negExact, types.DecimalType(int(t.Precision), int(t.Scale), t.Nullable), a), nil
	case types.Float:
		return call("neg", negFloat, floatLike(t), a), nil
	}
	return nil, Refuse(ByType, "the negative of what is no signed number")
}

// nulls makes out NULL where an operand is. any tells whether there are such rows.
func nulls(n int, args []*types.Vec, out *types.Vec) (any bool) {
	for _, a := range args {
		if a.Null == nil {
			continue
		}
		if out.Null == nil {
			out.Null = make([]bool, out.Len())
		}
		for i, x := range a.Null[:n] {
			if x {
				out.Null[i], any = true, true
			}
		}
	}
	return any
}

// floats is a number as floating-point numbers.
func floats(v *types.Vec, n int) []float64 {
	if v.Kind == types.Float {
		return v.F[:n]
	}
	out := make([]float64, n)
	for i := range out {
		if !v.IsNull(i) {
			out[i] = floatAt(v, i)
		}
	}
	return out
}

// FloatAt is a number as DOUBLE. REQUIRES: it is not NULL.
func FloatAt(v *types.Vec, i int) float64 { return floatAt(v, i) }

func floatAt(v *types.Vec, i int) float64 {
	switch v.Kind {
	case types.Float:
		return v.F[i]
	case types.Int:
		return float64(v.I[i])
	case types.Uint:
		return float64(uint64(v.I[i]))
	}
	return types.FloatOf(v.Wide(i), v.Scale)
}

// floatKernel computes floats; a result that is none is an error of MySQL.
func floatKernel(op func(a, b float64) float64) Kernel {
	return func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		a, b := floats(args[0], n), floats(args[1], n)
		for i := range n {
			f := op(a[i], b[i])
			if out.F[i] = f; f-f != 0 && !out.IsNull(i) {
				return Refuse(ByRow, "a DOUBLE out of range")
			}
		}
		return nil
	}
}

var floatOps = map[string]Kernel{
	"+": floatKernel(func(a, b float64) float64 { return a + b }),
	"-": floatKernel(func(a, b float64) float64 { return a - b }),
	"*": floatKernel(func(a, b float64) float64 { return a * b }),
}

var (
	divFloat = floatQuotient(func(a, b float64) float64 { return a / b })
	modFloat = floatQuotient(math.Mod)
)

// floatQuotient computes an operation that has no result for a second operand of zero.
func floatQuotient(op func(a, b float64) float64) Kernel {
	return func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		a, b := floats(args[0], n), floats(args[1], n)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			if b[i] == 0 {
				return errZero
			}
			if out.F[i] = op(a[i], b[i]); math.IsInf(out.F[i], 0) {
				return Refuse(ByRow, "a DOUBLE out of range")
			}
		}
		return nil
	}
}

func negFloat(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
	nulls(n, args, out)
	for i, f := range args[0].F[:n] {
		out.F[i] = -f
	}
	return nil
}
