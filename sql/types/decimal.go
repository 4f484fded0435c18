package types

import (
	"math/big"
	"strconv"
)

// pow10 are the powers of ten that 64 bits hold.
var pow10 = [19]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// Pow10 is 10^n for n up to 18.
func Pow10(n int) int64 { return pow10[n] }

// Rescale brings an unscaled value to another scale, rounding half away from zero. ok is false on
// overflow.
func Rescale(v Int128, from, to int) (Int128, bool) {
	for to > from {
		step := min(to-from, 18)
		var ok bool
		if v, ok = v.Mul(FromInt64(pow10[step])); !ok {
			return v, false
		}
		from += step
	}
	if to == from {
		return v, true
	}
	negative := v.Negative()
	hi, lo := v.abs()
	drop, last := from-to, uint64(0)
	for drop > 1 { // all but the last digit are cut off, which does not change how half is rounded
		step := min(drop-1, 18)
		hi, lo, _ = divSmall(hi, lo, uint64(pow10[step]))
		drop -= step
	}
	hi, lo, last = divSmall(hi, lo, 10)
	out := Int128{int64(hi), lo}
	if last >= 5 {
		out, _ = out.Add(Int128{0, 1})
	}
	if negative {
		out = out.Neg()
	}
	return out, true
}

// Truncate cuts digits off.
func Truncate(v Int128, from, to int) Int128 {
	negative := v.Negative()
	hi, lo := v.abs()
	for drop := from - to; drop > 0; {
		step := min(drop, 18)
		hi, lo, _ = divSmall(hi, lo, uint64(pow10[step]))
		drop -= step
	}
	out := Int128{int64(hi), lo}
	if negative {
		out = out.Neg()
	}
	return out
}

// words is the number of groups of nine digits that MySQL stores n digits in.
func words(n int) int { return (n + 8) / 9 }

// QuotientScale is how many digits behind the point MySQL computes of a quotient.
func QuotientScale(scale1, scale2, increment int) int {
	f1, f2 := words(scale1)*9, words(scale2)*9
	more := max(increment-(f1-scale1+f2-scale2), 0)
	return words(f1+f2+more) * 9
}

// Divide is a quotient cut off at a scale. REQUIRES: b is not zero.
func Divide(a Int128, scale1 int, b Int128, scale2, scale int) (Int128, error) {
	x, y := a.Big(), b.Big()
	up := scale + scale2 - scale1
	if up >= 0 {
		x.Mul(x, bigPow10(up))
	} else {
		y.Mul(y, bigPow10(-up))
	}
	q, ok := FromBig(x.Quo(x, y))
	if !ok {
		return q, ErrRange
	}
	return q, nil
}

func bigPow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// AppendDecimal appends the text of a value whose last digits are behind the point.
func AppendDecimal(dst []byte, v Int128, scale int) []byte {
	if n, ok := v.Int64(); ok && n >= 0 && scale <= 18 {
		return appendSmall(dst, uint64(n), scale)
	}
	if v.Negative() {
		dst = append(dst, '-')
	}
	var buf [48]byte
	hi, lo := v.abs()
	at := len(buf)
	for hi != 0 || lo != 0 || len(buf)-at <= scale {
		var rem uint64
		hi, lo, rem = divSmall(hi, lo, 1e18)
		for range 18 {
			at--
			buf[at] = byte('0' + rem%10)
			if rem /= 10; at == 0 || rem == 0 && hi == 0 && lo == 0 && len(buf)-at > scale {
				break
			}
		}
	}
	dst = append(dst, buf[at:len(buf)-scale]...)
	if scale > 0 {
		dst = append(append(dst, '.'), buf[len(buf)-scale:]...)
	}
	return dst
}

func appendSmall(dst []byte, n uint64, scale int) []byte {
	unit := uint64(pow10[scale])
	dst = strconv.AppendUint(dst, n/unit, 10)
	if scale == 0 {
		return dst
	}
	dst = append(dst, '.')
	rest := n % unit
	for i := scale - 1; i >= 0; i-- {
		dst = append(dst, byte('0'+rest/uint64(pow10[i])%10))
	}
	return dst
}

// ParseDecimal reads digits with an optional sign and point. ok is false for anything else, and for
// what does not fit.
func ParseDecimal(text string) (v Int128, scale int, ok bool) {
	negative := false
	if text != "" && (text[0] == '-' || text[0] == '+') {
		negative, text = text[0] == '-', text[1:]
	}
	digits, point := 0, false
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '.' && !point:
			point = true
		case c >= '0' && c <= '9':
			if v, ok = v.Mul(Int128{0, 10}); !ok {
				return v, 0, false
			}
			if v, ok = v.Add(Int128{0, uint64(c - '0')}); !ok {
				return v, 0, false
			}
			digits++
			if point {
				scale++
			}
		default:
			return v, 0, false
		}
	}
	if negative {
		v = v.Neg()
	}
	return v, scale, digits > 0
}

// GroupBytes is the size of a group of n digits, at most nine, in MySQL's binary form.
var GroupBytes = [10]int{0, 1, 1, 2, 2, 3, 3, 4, 4, 4}

// PackDecimal appends MySQL's binary form of the digits of a DECIMAL(precision, scale): precision of
// them, from '0' to '9', left of them before the point. Groups of nine take four bytes, the others
// GroupBytes. The bytes of a negative number are inverted, the first bit of every number is.
func PackDecimal(dst, digits []byte, left int, negative bool) []byte {
	from := len(dst)
	dst = packGroup(dst, digits[:left%9])
	for i := left % 9; i < left; i += 9 {
		dst = packGroup(dst, digits[i:i+9])
	}
	i := left
	for ; i+9 <= len(digits); i += 9 {
		dst = packGroup(dst, digits[i:i+9])
	}
	dst = packGroup(dst, digits[i:])
	if negative {
		for i := from; i < len(dst); i++ {
			dst[i] = ^dst[i]
		}
	}
	dst[from] ^= 0x80
	return dst
}

// PackNumber appends the binary form of a number of the unit 10^-scale as a DECIMAL(precision,
// scale); false if it has more digits.
func PackNumber(dst []byte, v Int128, precision, scale int) ([]byte, bool) {
	var text [80]byte
	negative := v.Negative()
	if negative {
		v = v.Neg()
	}
	digits := AppendDecimal(text[:0], v, 0)
	if len(digits) > precision {
		return dst, false
	}
	var all [MaxPrecision]byte
	d := all[:precision]
	for i := range d {
		d[i] = '0'
	}
	copy(d[precision-len(digits):], digits)
	return PackDecimal(dst, d, precision-scale, negative), true
}

func packGroup(dst, digits []byte) []byte {
	n := uint32(0)
	for _, c := range digits {
		n = n*10 + uint32(c-'0')
	}
	for shift := 8 * (GroupBytes[len(digits)] - 1); shift >= 0; shift -= 8 {
		dst = append(dst, byte(n>>shift))
	}
	return dst
}

// DecodeDecimal reads MySQL's binary form of DECIMAL(precision, scale). ok is false if the value
// does not fit 128 bits.
func DecodeDecimal(b []byte, precision, scale int) (v Int128, ok bool) {
	var mask byte
	negative := b[0]&0x80 == 0
	if negative {
		mask = 0xFF
	}
	first := byte(0x80)
	small, wide := int64(0), precision > 18
	group := func(n int) bool {
		g := uint64(0)
		for range GroupBytes[n] {
			g = g<<8 | uint64(b[0]^mask^first)
			first = 0
			b = b[1:]
		}
		if !wide {
			small = small*pow10[n] + int64(g)
			return true
		}
		p, fits := v.Mul(FromInt64(pow10[n]))
		if fits {
			v, fits = p.Add(Int128{0, g})
		}
		return fits
	}
	whole := precision - scale
	ok = true
	if n := whole % 9; n > 0 {
		ok = group(n)
	}
	for range whole/9 + scale/9 {
		ok = ok && group(9)
	}
	if n := scale % 9; n > 0 {
		ok = ok && group(n)
	}
	if !wide {
		v = FromInt64(small)
	}
	if negative {
		v = v.Neg()
	}
	return v, ok
}

// DecimalForm is MySQL's binary form of a DECIMAL of up to 18 digits: its groups of digits.
type DecimalForm struct {
	groups []decimalGroup
	bytes  int
}

// decimalGroup is some digits of a DECIMAL: bytes of it, and how far they stand from the end.
type decimalGroup struct {
	shift uint
	mask  uint64
	unit  int64
}

// NewDecimalForm is the form of DECIMAL(precision, scale). REQUIRES: precision is at most 18.
func NewDecimalForm(precision, scale int) (f DecimalForm) {
	var sizes []int
	add := func(digits int) {
		if digits > 0 {
			n := GroupBytes[digits]
			f.groups = append(f.groups, decimalGroup{mask: 1<<(8*n) - 1, unit: pow10[digits]})
			sizes = append(sizes, n)
			f.bytes += n
		}
	}
	whole := precision - scale
	add(whole % 9)
	for range whole / 9 {
		add(9)
	}
	for range scale / 9 {
		add(9)
	}
	add(scale % 9)
	behind := 0
	for i := len(sizes) - 1; i >= 0; i-- {
		f.groups[i].shift = uint(8 * behind)
		behind += sizes[i]
	}
	return f
}

// Decode reads a value, unscaled. The first bit is set in values that are not negative; the bytes
// of negative ones are inverted.
func (f *DecimalForm) Decode(b []byte) int64 {
	b = b[:f.bytes]
	head, tail := uint64(0), b // bytes beyond the eighth from the end, and the others
	if n := len(b) - 8; n > 0 {
		for _, c := range b[:n] {
			head = head<<8 | uint64(c)
		}
		tail = b[n:]
	}
	word := uint64(0)
	for _, c := range tail {
		word = word<<8 | uint64(c)
	}
	negative := b[0]&0x80 == 0
	if negative {
		head, word = ^head, ^word
	}
	out, top := int64(0), f.bytes*8-1
	for i := range f.groups {
		g := &f.groups[i]
		v := word >> g.shift
		if top >= 64 {
			v |= head << (64 - g.shift)
		}
		v &= g.mask
		if i == 0 {
			v &^= 1 << (uint(top) - g.shift)
		}
		out = out*g.unit + int64(v)
	}
	if negative {
		return -out
	}
	return out
}

// FloatOf is a DECIMAL as a floating-point number: its text read, as MySQL does.
func FloatOf(v Int128, scale int) float64 {
	if n, ok := v.Int64(); ok && n > -1<<53 && n < 1<<53 && scale <= 18 {
		return float64(n) / float64(pow10[scale]) // both exact, so the quotient is the nearest number
	}
	f, _ := strconv.ParseFloat(string(AppendDecimal(nil, v, scale)), 64)
	return f
}
