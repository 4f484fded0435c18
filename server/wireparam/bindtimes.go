package wireparam

import (
	"strconv"
)

// MaxHours is the hours of the longest TIME.
const MaxHours = 838

// AppendClock writes a time of day, with a fraction if there is one.
func AppendClock(b []byte, hour, minute, second, micros int) []byte {
	b = AppendDigits(b, hour, 2)
	b = AppendDigits(append(b, ':'), minute, 2)
	b = AppendDigits(append(b, ':'), second, 2)
	if micros > 0 {
		b = AppendDigits(append(b, '.'), micros, 6)
	}
	return b
}

// AppendDigits writes a number of at least so many digits.
func AppendDigits(b []byte, n, width int) []byte {
	for limit := 10; width > 1; width, limit = width-1, limit*10 {
		if n < limit {
			for range width - 1 {
				b = append(b, '0')
			}
			break
		}
	}
	return strconv.AppendInt(b, int64(n), 10)
}

// Limits of a DECIMAL while it is computed with: nine groups of nine digits, of which one that does
// not fit becomes 65 nines.
const (
	DecimalGroup  = 9
	DecimalGroups = 9
	decimalNines  = 65
)

// numeral is a decimal number as its text has it: digits, of which the first whole stand before the
// point. whole may lie outside the digits.
type numeral struct {
	Negative bool
	digits   []byte
	whole    int
}

// ScanNumeral reads blanks, a sign, digits with a point among them, and an exponent.
func ScanNumeral(text []byte) (n numeral) {
	i := 0
	at := func(set string) bool {
		return i < len(text) && len(set) > 0 && containsByte(set, text[i])
	}
	for at(" \t\r\n\f\v") {
		i++
	}
	if at("+-") {
		n.Negative = text[i] == '-'
		i++
	}
	n.digits = make([]byte, 0, len(text)-i)
	n.whole = -1
	for ; at("0123456789") || n.whole < 0 && at("."); i++ {
		if text[i] == '.' {
			n.whole = len(n.digits)
			continue
		}
		n.digits = append(n.digits, text[i])
	}
	if n.whole < 0 {
		n.whole = len(n.digits)
	}
	if len(n.digits) == 0 || !at("eE") {
		return n
	}
	i++
	down := at("-")
	if at("+-") {
		i++
	}
	exponent := 0
	for ; at("0123456789"); i++ {
		exponent = min(exponent*10+int(text[i]-'0'), 1<<20)
	}
	if down {
		exponent = -exponent
	}
	n.whole += exponent
	return n
}

func containsByte(set string, ch byte) bool {
	for i := range len(set) {
		if set[i] == ch {
			return true
		}
	}
	return false
}

func (n *numeral) Zero() bool {
	for _, d := range n.digits {
		if d != '0' {
			return false
		}
	}
	return true
}

// Append writes the number without exponent.
func (n *numeral) Append(to []byte) []byte {
	digits, whole := n.digits, n.whole
	for len(digits) > 0 && whole > 0 && digits[0] == '0' {
		digits, whole = digits[1:], whole-1
	}
	if n.Zero() {
		whole = min(max(whole, 0), len(digits))
	}
	groups := (max(whole, 0) + DecimalGroup - 1) / DecimalGroup
	if groups > DecimalGroups {
		for range decimalNines {
			to = append(to, '9')
		}
		return to
	}
	fraction := min(len(digits)-whole, (DecimalGroups-groups)*DecimalGroup)
	digit := func(i int) byte {
		if i < 0 || i >= len(digits) {
			return '0'
		}
		return digits[i]
	}
	if whole <= 0 {
		to = append(to, '0')
	}
	for i := range max(whole, 0) {
		to = append(to, digit(i))
	}
	if fraction > 0 {
		to = append(to, '.')
		for i := range fraction {
			to = append(to, digit(whole+i))
		}
	}
	return to
}
