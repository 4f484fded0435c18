package types

import "strconv"

// floatDigits is the number of significant digits a FLOAT is shown with.
const floatDigits = 6

// AppendFloat writes a FLOAT (bits 32) or DOUBLE (64) as MySQL shows it: a DOUBLE with the fewest
// digits that read back as the same number, a FLOAT with six; with an exponent below 1e-15 and from
// 1e15 on, unless the number has digits behind its point.
func AppendFloat(to []byte, v float64, bits int) []byte {
	return AppendFloatWithin(to, v, bits, anyWidth)
}

// How many characters a number has that an expression takes for a text.
const (
	anyWidth    = 100 // more than any number takes: a DOUBLE column
	floatColumn = 12  // a FLOAT column
	computed    = 22  // anything else
)

// FloatText is the text that an expression takes a FLOAT (bits 32) or DOUBLE (64) for.
func FloatText(to []byte, v float64, bits int, column bool) []byte {
	switch {
	case !column:
		return AppendFloatWithin(to, v, bits, computed)
	case bits == 32:
		return AppendFloatWithin(to, v, bits, floatColumn)
	}
	return AppendFloat(to, v, bits)
}

// AppendFloatWithin is AppendFloat for a text of so many characters, at least 10: a number that is
// longer has an exponent, and fewer digits where that is too long, too.
func AppendFloatWithin(to []byte, v float64, bits, width int) []byte {
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
	begin := len(to)
	if negative {
		to = append(to, '-')
	}
	if point := exp + 1; point <= 15 && exp >= -15 || point < len(digits) && exp > 0 {
		if out := appendPlain(to, digits, point); len(out)-begin <= width {
			return out
		}
	}
	to = append(to, digits[0])
	if len(digits) > 1 {
		to = append(append(to, '.'), digits[1:]...)
	}
	to = strconv.AppendInt(append(to, 'e'), int64(exp), 10)
	if over := len(to) - begin - width; over > 0 && len(digits)-over > 1 {
		shorter, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', len(digits)-over-1, 64), 64)
		return AppendFloatWithin(to[:begin], shorter, bits, width)
	}
	return to
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
