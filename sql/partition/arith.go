package partition

import (
	"math/bits"

	"emberdb/sql/ast"
)

// calculate is an operator on two whole numbers. The result is unsigned if one of them is, as in
// MySQL; division by zero is NULL. If it does not fit, it only tells whether it is unsigned.
func calculate(op ast.BinaryOp, a, b number) (n number, fits bool) {
	if op == ast.IntDiv || op == ast.Mod {
		return divide(op, a, b)
	}
	unsigned := a.unsigned || b.unsigned
	na, ua := magnitude(a)
	nb, ub := magnitude(b)
	var over bool
	var size uint64
	negative := na
	switch op {
	case ast.Mul:
		var high uint64
		high, size = bits.Mul64(ua, ub)
		over, negative = high != 0, na != nb
	default:
		if op == ast.Sub {
			nb = !nb
		}
		switch {
		case na == nb:
			var carry uint64
			size, carry = bits.Add64(ua, ub, 0)
			over = carry != 0
		case ua >= ub:
			size = ua - ub
		default:
			size, negative = ub-ua, nb
		}
	}
	if size == 0 {
		negative = false
	}
	switch {
	case over, unsigned && negative, !unsigned && (size > 1<<63 || size == 1<<63 && !negative):
		return number{unsigned: unsigned}, false
	case negative:
		return number{n: -int64(size)}, true
	}
	return number{n: int64(size), unsigned: unsigned}, true
}

// magnitude splits a number into its sign and its size.
func magnitude(a number) (negative bool, size uint64) {
	if !a.unsigned && a.n < 0 {
		return true, -uint64(a.n)
	}
	return false, uint64(a.n)
}

func divide(op ast.BinaryOp, a, b number) (q number, fits bool) {
	na, ua := magnitude(a)
	nb, ub := magnitude(b)
	if ub == 0 {
		return null, true
	}
	n, negative := ua/ub, na != nb
	unsigned := a.unsigned || b.unsigned
	if op == ast.Mod { // the sign is that of the first
		n, negative, unsigned = ua%ub, na, a.unsigned
	}
	switch {
	case negative && n > 0 && unsigned, !negative && !unsigned && n > 1<<63-1:
		return number{unsigned: unsigned}, false
	case negative:
		return number{n: -int64(n)}, true
	}
	return number{n: int64(n), unsigned: unsigned}, true
}
