package types

import (
	"math"
	"math/big"
	"math/bits"
)

// Int128 is a signed integer of 128 bits, in two's complement.
type Int128 struct {
	Hi int64
	Lo uint64
}

// FromInt64 widens an integer.
func FromInt64(n int64) Int128 { return Int128{n >> 63, uint64(n)} }

// Negative tells the sign.
func (a Int128) Negative() bool { return a.Hi < 0 }

// IsZero tells zero.
func (a Int128) IsZero() bool { return a.Hi == 0 && a.Lo == 0 }

// Int64 is the value if it fits.
func (a Int128) Int64() (int64, bool) { return int64(a.Lo), a.Hi == int64(a.Lo)>>63 }

// Neg negates. The smallest value stays what it is; no value in use comes near it.
func (a Int128) Neg() Int128 {
	lo, borrow := bits.Sub64(0, a.Lo, 0)
	hi, _ := bits.Sub64(0, uint64(a.Hi), borrow)
	return Int128{int64(hi), lo}
}

// Add adds; ok is false on overflow.
func (a Int128) Add(b Int128) (sum Int128, ok bool) {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	hi, _ := bits.Add64(uint64(a.Hi), uint64(b.Hi), carry)
	sum = Int128{int64(hi), lo}
	return sum, a.Hi^b.Hi < 0 || sum.Hi^a.Hi >= 0
}

// Sub subtracts; ok is false on overflow.
func (a Int128) Sub(b Int128) (Int128, bool) {
	lo, borrow := bits.Sub64(a.Lo, b.Lo, 0)
	hi, _ := bits.Sub64(uint64(a.Hi), uint64(b.Hi), borrow)
	d := Int128{int64(hi), lo}
	return d, a.Hi^b.Hi >= 0 || d.Hi^a.Hi >= 0
}

// Cmp compares.
func (a Int128) Cmp(b Int128) int {
	switch {
	case a.Hi < b.Hi, a.Hi == b.Hi && a.Lo < b.Lo:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// abs is the magnitude.
func (a Int128) abs() (hi, lo uint64) {
	if a.Hi < 0 {
		a = a.Neg()
	}
	return uint64(a.Hi), a.Lo
}

// Mul multiplies; ok is false on overflow.
func (a Int128) Mul(b Int128) (Int128, bool) {
	ah, al := a.abs()
	bh, bl := b.abs()
	if ah != 0 && bh != 0 {
		return Int128{}, false
	}
	hi, lo := bits.Mul64(al, bl)
	c1, x1 := bits.Mul64(ah, bl)
	c2, x2 := bits.Mul64(al, bh)
	hi, carry1 := bits.Add64(hi, x1, 0)
	hi, carry2 := bits.Add64(hi, x2, 0)
	if c1|c2|carry1|carry2 != 0 || hi > math.MaxInt64 {
		return Int128{}, false
	}
	p := Int128{int64(hi), lo}
	if a.Negative() != b.Negative() {
		p = p.Neg()
	}
	return p, true
}

// Big is the value as a big integer.
func (a Int128) Big() *big.Int {
	hi, lo := a.abs()
	x := new(big.Int).SetUint64(hi)
	x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(lo))
	if a.Negative() {
		x.Neg(x)
	}
	return x
}

// FromBig narrows a big integer; ok is false if it does not fit.
func FromBig(x *big.Int) (a Int128, ok bool) {
	if x.BitLen() > 126 {
		return a, false
	}
	m := new(big.Int).Abs(x)
	lo := new(big.Int).And(m, new(big.Int).SetUint64(math.MaxUint64))
	a = Int128{int64(new(big.Int).Rsh(m, 64).Uint64()), lo.Uint64()}
	if x.Sign() < 0 {
		a = a.Neg()
	}
	return a, true
}

// divSmall divides the magnitude by d and gives the remainder.
func divSmall(hi, lo, d uint64) (qhi, qlo, rem uint64) {
	qhi, rem = hi/d, hi%d
	qlo, rem = bits.Div64(rem, lo, d)
	return qhi, qlo, rem
}
