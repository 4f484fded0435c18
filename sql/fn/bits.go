package fn

import (
	"emberdb/sql/types"
)

var bitOps = map[string]func(a, b uint64) uint64{
	"|":  func(a, b uint64) uint64 { return a | b },
	"&":  func(a, b uint64) uint64 { return a & b },
	"^":  func(a, b uint64) uint64 { return a ^ b },
	"<<": func(a, b uint64) uint64 { return a << b },
	">>": func(a, b uint64) uint64 { return a >> b },
}

// Bits is a op b for one of | & ^ << >> of integers, whose bits are those of BIGINT UNSIGNED.
func Bits(op string, a, b Expr) (Expr, error) {
	a, b = bitsOfTime(a), bitsOfTime(b)
	for _, e := range []Expr{a, b} {
		if !e.Type().Kind.Integer() {
			return nil, Refuse(ByType, "bits of what is no integer")
		}
	}
	f := bitOps[op]
	return call(op, func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			out.I[i] = int64(f(uint64(args[0].I[i]), uint64(args[1].I[i])))
		}
		return nil
	}, types.UintType(21, anyNull([]Expr{a, b})), a, b), nil
}

// bitsOfTime is a date or time, or a constant of digits, as the integer whose bits count.
func bitsOfTime(a Expr) Expr {
	if !a.Type().Kind.Temporal() {
		return numberOfDigits(a)
	}
	if n, err := CastInteger(a, false); err == nil {
		return n
	}
	return a
}

// Invert is ~a.
func Invert(a Expr) (Expr, error) {
	a = bitsOfTime(a)
	if !a.Type().Kind.Integer() {
		return nil, Refuse(ByType, "bits of what is no integer")
	}
	return call("~", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			out.I[i] = ^args[0].I[i]
		}
		return nil
	}, types.UintType(21, a.Type().Nullable), a), nil
}

// numberOfDigits is the number that a constant of hexadecimal or binary digits is; other expressions
// stay.
func numberOfDigits(e Expr) Expr {
	c, ok := e.(*Const)
	if !ok || c.Digits == 0 || len(c.V.S[0]) > 8 {
		return e
	}
	v := types.NewVec(types.Uint, 1)
	for _, b := range c.V.S[0] {
		v.I[0] = v.I[0]<<8 | int64(b)
	}
	return NewConst(v, types.UintType(21, false))
}
