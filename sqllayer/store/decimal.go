package store

// DECIMAL(precision, scale) in MySQL's binary form, which sorts with memcmp:
//
//	integer part:  first precision-scale mod 9 digits, then groups of nine
//	fraction:      groups of nine, then scale mod 9 digits
//	a group of nine digits takes 4 bytes big-endian, one of n < 9 takes types.GroupBytes[n]
//	the first bit is flipped; of a negative number all bytes are inverted

import (
	"fmt"

	"github.com/cockroachdb/apd/v3"

	"emberdb/sql/types"
)

const maxDecimalDigits = 65

// appendDecimal appends the binary form of d. It reports an error when d has more digits than fit.
func appendDecimal(dst []byte, d *apd.Decimal, precision, scale uint8) ([]byte, error) {
	if d.Form != apd.Finite {
		return dst, fmt.Errorf("decimal %s cannot be stored", d)
	}
	var buf [maxDecimalDigits + 1]byte
	digits, err := fixedDigits(buf[:0], d, int(precision), int(scale))
	if err != nil {
		return dst, err
	}
	return types.PackDecimal(dst, digits, int(precision)-int(scale), d.Negative && !d.IsZero()), nil
}

// fixedDigits appends the decimal digits of |d| times 10^scale, filled up with zeros to precision
// digits. A fraction longer than scale must be zeros: GMS rounds values to the column before it
// hands them over.
func fixedDigits(dst []byte, d *apd.Decimal, precision, scale int) ([]byte, error) {
	var text [maxDecimalDigits + 16]byte
	digits := d.Coeff.Append(text[:0], 10)
	if d.IsZero() {
		digits = digits[:0]
	}
	exp := int(d.Exponent) + scale
	for ; exp < 0 && len(digits) > 0; exp++ {
		if digits[len(digits)-1] != '0' {
			return dst, fmt.Errorf("decimal %s has more than %d fraction digits", d, scale)
		}
		digits = digits[:len(digits)-1]
	}
	exp = max(exp, 0)
	if len(digits) == 0 {
		exp = 0
	}
	if len(digits)+exp > precision {
		return dst, fmt.Errorf("decimal %s has more than %d digits", d, precision)
	}
	for i := len(digits) + exp; i < precision; i++ {
		dst = append(dst, '0')
	}
	dst = append(dst, digits...)
	for ; exp > 0; exp-- {
		dst = append(dst, '0')
	}
	return dst, nil
}

// decodeDecimal reads the binary form.
func decodeDecimal(b []byte, precision, scale uint8) *apd.Decimal {
	negative := b[0]&0x80 == 0
	var mask byte
	if negative {
		mask = 0xFF
	}
	d := &apd.Decimal{Negative: negative, Exponent: -int32(scale)}
	var text [maxDecimalDigits]byte
	digits := text[:0]
	small, first := uint64(0), true
	group := func(n int) {
		if n == 0 {
			return
		}
		v := uint32(0)
		for range types.GroupBytes[n] {
			c := b[0] ^ mask
			if first {
				c ^= 0x80
				first = false
			}
			v = v<<8 | uint32(c)
			b = b[1:]
		}
		if precision <= 18 {
			small = small*pow10[n] + uint64(v)
			return
		}
		for i := n - 1; i >= 0; i-- {
			digits = append(digits, byte('0'+v/uint32(pow10[i])%10))
		}
	}
	whole, fraction := int(precision)-int(scale), int(scale)
	group(whole % 9)
	for range whole / 9 {
		group(9)
	}
	for range fraction / 9 {
		group(9)
	}
	group(fraction % 9)
	if precision <= 18 {
		d.Coeff.SetUint64(small)
	} else {
		d.Coeff.SetString(string(digits), 10)
	}
	return d
}

var pow10 = [10]uint64{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000}
