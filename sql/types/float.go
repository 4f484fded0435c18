package types

import "strconv"

// floatDigits is the number of significant digits a FLOAT is shown with.
const floatDigits = 6

// AppendFloat writes a FLOAT (bits 32) or DOUBLE (64) as MySQL shows it: a DOUBLE with the fewest
// digits that read back as the same number, a FLOAT with six; with an exponent below 1e-15 and from
// 1e15 on, unless the number has digits behind its point.
func AppendFloat(to []byte, v float64, bits int) []byte {
	precision := -1
	if bits == 32 {
		precision = floatDigits - 1
	}
	var scratch [32]byte
	text := strconv.AppendFloat(scratch[:0], v, 'e', precision, 64)
	digits, exp, negative, ok := splitFloat(text)
	if !ok {
		return append(to, text...) // no number
	}
	if negative {
		to = append(to, '-')
	}
	switch point := exp + 1; {
	case point <= 15 && exp >= -15 || point < len(digits) && exp > 0:
		return appendPlain(to, digits, point)
	default:
		to = append(to, digits[0])
		if len(digits) > 1 {
			to = append(append(to, '.'), digits[1:]...)
		}
		return strconv.AppendInt(append(to, 'e'), int64(exp), 10)
	}
}

// splitFloat takes "-d.ddde±xx" apart; digits are without trailing zeros.
func splitFloat(text []byte) (digits []byte, exp int, negative, ok bool) {
	if text[0] == '-' {
		negative, text = true, text[1:]
	}
	for i, c := range text {
		switch {
		case c >= '0' && c <= '9':
			digits = append(digits, c)
		case c == 'e':
			exp, _ = strconv.Atoi(string(text[i+1:]))
			for len(digits) > 1 && digits[len(digits)-1] == '0' {
				digits = digits[:len(digits)-1]
			}
			return digits, exp, negative, true
		case c != '.':
			return nil, 0, false, false
		}
	}
	return nil, 0, false, false
}

// appendPlain writes digits with a point behind the first point of them.
func appendPlain(to, digits []byte, point int) []byte {
	if point <= 0 {
		to = append(to, '0', '.')
		for ; point < 0; point++ {
			to = append(to, '0')
		}
		return append(to, digits...)
	}
	for len(digits) < point {
		digits = append(digits, '0')
	}
	to = append(to, digits[:point]...)
	if len(digits) > point {
		to = append(append(to, '.'), digits[point:]...)
	}
	return to
}
