package compiled

import (
	"bytes"

	"emberdb/sql/types"
)

// Decimals of parameters and columns: from their text, and to it.

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
	return types.PackDecimal(dst, d, left, negative && len(whole)+len(fraction) > 0), true
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
		for range types.GroupBytes[digits] {
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
		for range types.GroupBytes[n] {
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
