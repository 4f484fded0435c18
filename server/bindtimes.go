package server

// Dates, times and decimals among the parameters of COM_STMT_EXECUTE, which become their texts.

import (
	"strconv"

	"github.com/dolthub/vitess/go/mysql"

	"emberdb/compiled"
	"emberdb/server/wire"
)

// momentParam reads a DATE, DATETIME or TIMESTAMP:
//
//	length u8: 0, 4, 7, 11, 13 | year u16 | month u8 | day u8 | hour u8 | minute u8 | second u8 |
//	microseconds u32 | minutes from UTC i16
func (cs *compiledConn) momentParam(c *wire.Cursor, kind paramKind) (v compiled.Param, err *mysql.SQLError) {
	length := c.Uint8()
	switch {
	case length == 0 || length == 4:
	case kind == paramMoment && (length == 7 || length == 11 || length == 13):
	default:
		c.Bad = true
		return v, nil
	}
	f := wire.Cursor{Rest: c.Bytes(int(length))}
	if c.Bad {
		return v, nil
	}
	year, month, day := int(f.Uint16()), int(f.Uint8()), int(f.Uint8())
	hour, minute, second, micros := int(f.Uint8()), int(f.Uint8()), int(f.Uint8()), int(f.Uint32())
	zone, zoned := int(int16(f.Uint16())), length == 13
	what := "DATETIME"
	if kind == paramDate {
		what = "DATE"
	}
	if year > 9999 || month > 12 || day > 31 || hour > 23 || minute > 59 || second > 59 || micros > 999_999 || zone < -14*60 || zone > 14*60 {
		return v, outOfRange(what)
	}
	from := len(cs.arena)
	b := appendDigits(cs.arena, year, 4)
	b = appendDigits(append(b, '-'), month, 2)
	b = appendDigits(append(b, '-'), day, 2)
	if kind == paramMoment {
		b = appendClock(append(b, ' '), hour, minute, second, micros)
	}
	if zoned && zone != 0 {
		sign := byte('+')
		if zone < 0 {
			sign, zone = '-', -zone
		}
		b = appendDigits(append(b, sign), zone/60, 2)
		b = appendDigits(append(b, ':'), zone%60, 2)
	}
	cs.arena = b
	return compiled.Param{Kind: compiled.KindTime, B: b[from:len(b):len(b)]}, nil
}

// maxHours is the hours of the longest TIME.
const maxHours = 838

// spanParam reads a TIME:
//
//	length u8: 0, 8, 12 | negative u8 | days u32 | hour u8 | minute u8 | second u8 | microseconds
//	u32
func (cs *compiledConn) spanParam(c *wire.Cursor) (v compiled.Param, err *mysql.SQLError) {
	length := c.Uint8()
	if length != 0 && length != 8 && length != 12 {
		c.Bad = true
		return v, nil
	}
	f := wire.Cursor{Rest: c.Bytes(int(length))}
	if c.Bad {
		return v, nil
	}
	negative, days := f.Uint8() != 0, int64(f.Uint32())
	hour, minute, second, micros := int64(f.Uint8()), int(f.Uint8()), int(f.Uint8()), int(f.Uint32())
	hours := days*24 + hour
	if minute > 59 || second > 59 || micros > 999_999 || hours > maxHours || hours == maxHours && minute == 59 && second == 59 && micros > 0 {
		return v, outOfRange("TIME")
	}
	from := len(cs.arena)
	b := cs.arena
	if negative && (hours > 0 || minute > 0 || second > 0 || micros > 0) {
		b = append(b, '-')
	}
	b = appendClock(b, int(hours), minute, second, micros)
	cs.arena = b
	return compiled.Param{Kind: compiled.KindTime, B: b[from:len(b):len(b)]}, nil
}

// appendClock writes a time of day, with a fraction if there is one.
func appendClock(b []byte, hour, minute, second, micros int) []byte {
	b = appendDigits(b, hour, 2)
	b = appendDigits(append(b, ':'), minute, 2)
	b = appendDigits(append(b, ':'), second, 2)
	if micros > 0 {
		b = appendDigits(append(b, '.'), micros, 6)
	}
	return b
}

// appendDigits writes a number of at least so many digits.
func appendDigits(b []byte, n, width int) []byte {
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
	decimalGroup  = 9
	decimalGroups = 9
	decimalNines  = 65
)

// decimalParam reads the number at the start of a text. What is no number is 0, and what is too
// large becomes the largest DECIMAL, without a word, as in MySQL.
func (cs *compiledConn) decimalParam(text []byte) compiled.Param {
	n := scanNumeral(text)
	from := len(cs.arena)
	b := cs.arena
	if n.negative && !n.zero() {
		b = append(b, '-')
	}
	b = n.append(b)
	cs.arena = b
	return compiled.Param{Kind: compiled.KindDecimal, B: b[from:len(b):len(b)]}
}

// numeral is a decimal number as its text has it: digits, of which the first whole stand before the
// point. whole may lie outside the digits.
type numeral struct {
	negative bool
	digits   []byte
	whole    int
}

// scanNumeral reads blanks, a sign, digits with a point among them, and an exponent.
func scanNumeral(text []byte) (n numeral) {
	i := 0
	at := func(set string) bool {
		return i < len(text) && len(set) > 0 && containsByte(set, text[i])
	}
	for at(" \t\r\n\f\v") {
		i++
	}
	if at("+-") {
		n.negative = text[i] == '-'
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

func (n *numeral) zero() bool {
	for _, d := range n.digits {
		if d != '0' {
			return false
		}
	}
	return true
}

// append writes the number without exponent.
func (n *numeral) append(to []byte) []byte {
	digits, whole := n.digits, n.whole
	for len(digits) > 0 && whole > 0 && digits[0] == '0' {
		digits, whole = digits[1:], whole-1
	}
	if n.zero() {
		whole = min(max(whole, 0), len(digits))
	}
	groups := (max(whole, 0) + decimalGroup - 1) / decimalGroup
	if groups > decimalGroups {
		for range decimalNines {
			to = append(to, '9')
		}
		return to
	}
	fraction := min(len(digits)-whole, (decimalGroups-groups)*decimalGroup)
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
