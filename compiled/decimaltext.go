package compiled

import (
	"bytes"
)

// Decimals of parameters and columns: from their text, and to it.

// digitBytes is the size of a group of n decimal digits.
var digitBytes = [10]int{0, 1, 1, 2, 2, 3, 3, 4, 4, 4}

const maxDigits = 65

// appendDecimal appends the binary form of a decimal number; false if it has more digits than fit.
func appendDecimal(dst, text []byte, precision, scale int) ([]byte, bool) {
	negative := text[0] == '-'
	if negative {
		text = text[1:]
	}
	whole, fraction, _ := bytes.Cut(text, []byte{'.'})
	whole, fraction = bytes.TrimLeft(whole, "0"), bytes.TrimRight(fraction, "0")
	left := precision - scale
	if len(whole) > left || len(fraction) > scale {
		return dst, false
	}
	var all [maxDigits]byte
	d := all[:precision]
	for i := range d {
		d[i] = '0'
	}
	copy(d[left-len(whole):], whole)
	copy(d[left:], fraction)
	from := len(dst)
	dst = appendGroup(dst, d[:left%9])
	for i := left % 9; i < left; i += 9 {
		dst = appendGroup(dst, d[i:i+9])
	}
	i := left
	for ; i+9 <= precision; i += 9 {
		dst = appendGroup(dst, d[i:i+9])
	}
	dst = appendGroup(dst, d[i:])
	if negative && len(whole)+len(fraction) > 0 {
		for i := from; i < len(dst); i++ {
			dst[i] = ^dst[i]
		}
	}
	dst[from] ^= 0x80
	return dst, true
}

func appendGroup(dst, digits []byte) []byte {
	n := uint32(0)
	for _, c := range digits {
		n = n*10 + uint32(c-'0')
	}
	for shift := 8 * (digitBytes[len(digits)] - 1); shift >= 0; shift -= 8 {
		dst = append(dst, byte(n>>shift))
	}
	return dst
}

// decimalUnits reads a binary decimal of at most 18 digits as a number of its smallest unit.
func decimalUnits(b []byte, precision, scale int) (n int64) {
	negative := b[0]&0x80 == 0
	var mask byte
	if negative {
		mask = 0xFF
	}
	first := byte(0x80)
	group := func(digits int) {
		v := int64(0)
		for range digitBytes[digits] {
			v = v<<8 | int64(b[0]^mask^first)
			first = 0
			b = b[1:]
		}
		for range digits {
			n *= 10
		}
		n += v
	}
	left := precision - scale
	group(left % 9)
	for range left / 9 {
		group(9)
	}
	for range scale / 9 {
		group(9)
	}
	group(scale % 9)
	if negative {
		return -n
	}
	return n
}

// decimalText writes the text of a binary decimal, with all digits of its scale.
func decimalText(dst, b []byte, precision, scale int) []byte {
	var all [maxDigits + 9]byte
	d := all[:0]
	negative := b[0]&0x80 == 0
	var mask byte
	if negative {
		mask = 0xFF
	}
	first := byte(0x80)
	group := func(n int) {
		if n == 0 {
			return
		}
		v := uint32(0)
		for range digitBytes[n] {
			v = v<<8 | uint32(b[0]^mask^first)
			first = 0
			b = b[1:]
		}
		at := len(d)
		d = d[:at+n]
		for i := n - 1; i >= 0; i-- {
			d[at+i] = byte('0' + v%10)
			v /= 10
		}
	}
	left := precision - scale
	group(left % 9)
	for range left / 9 {
		group(9)
	}
	for range scale / 9 {
		group(9)
	}
	group(scale % 9)
	whole := bytes.TrimLeft(d[:left], "0")
	if negative {
		dst = append(dst, '-')
	}
	if len(whole) == 0 {
		dst = append(dst, '0')
	}
	dst = append(dst, whole...)
	if scale > 0 {
		dst = append(append(dst, '.'), d[left:]...)
	}
	return dst
}
