package row

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// A key is the encoding of its parts, one after the other. On disk; fixed.
//
//	part     = 0x00                   NULL
//	         | 0x01 body              otherwise; a part that sorts descending has all its bytes inverted, the first one too
//	body     = integer                big-endian, the column's width; the sign bit of signed ones flipped
//	         | float                  big-endian IEEE bits; positive: sign bit flipped, negative: all bits; -0 is stored as 0
//	         | decimal                MySQL's binary form, which sorts as it is
//	         | BINARY(n)              n bytes, or the prefix's, filled up with 0x00
//	         | string                 escaped weights, end
//	string   : a 0x00 in the weights becomes 0x00 0xFF; the end is 0x00 0x01, which sorts below every continuation
//	PAD SPACE: trailing spaces are cut; the end is the weights of a space, 0x00 0x01: the string
//	continues, as it compares, with spaces.
//	           A space before a character that sorts below a space is written as its weights, 0x00
//	           0x00: so
//	           "a" < "a b", but "a\t" < "a \t" < "a", as if "a" had spaces without end.
//
// Whole codes (WholeCode) are written as they are: they hold a 0x00 only as 0x00 0xFF, or 0x00 0x00
// behind such a space.
//
// The marker byte stands before NOT NULL columns as well, so that making a column nullable leaves
// its indexes alone.
const (
	markNull  = 0x00
	markValue = 0x01

	escByte  = 0x00
	escZero  = 0xFF // 0x00 0xFF: a zero byte
	escEnd   = 0x01 // 0x00 0x01: end of the string
	escBelow = 0x00 // 0x00 0x00: the space before it is followed by something that sorts below a space
)

// AppendKey appends the key of the parts; vals are indexed by the table's columns.
func AppendKey(dst []byte, cols []Column, parts []KeyPart, vals []Value) []byte {
	for _, p := range parts {
		dst = AppendKeyPart(dst, cols[p.Column], p, vals[p.Column])
	}
	return dst
}

// AppendKeyPart appends one part. For range bounds: the bytes of the leading parts are a prefix of
// every key that has these values.
func AppendKeyPart(dst []byte, c Column, p KeyPart, v Value) []byte {
	from := len(dst)
	if v.Kind == Null {
		dst = append(dst, markNull)
	} else {
		dst = append(dst, markValue)
		dst = appendBody(dst, &c, p, v)
	}
	if p.Desc {
		invert(dst[from:])
	}
	return dst
}

// AppendBeginning appends what the keys of all texts that begin like a text have in common.
func AppendBeginning(dst []byte, c Column, p KeyPart, text []byte) []byte {
	if p.Prefix > 0 {
		text = cutChars(text, int(p.Prefix))
	}
	from := len(dst)
	dst = append(dst, markValue)
	switch {
	case !c.character():
		dst = appendEscaped(dst, text)
	case c.Codes == WholeCodes:
		dst = keyCollation(&c).Whole.AppendBeginning(dst, text)
	default:
		coll := keyCollation(&c)
		dst = appendText(dst, coll, text)
		dst = dst[:len(dst)-len(appendText(nil, coll, nil))]
	}
	if p.Desc {
		invert(dst[from:])
	}
	return dst
}

// PrefixEnd returns the smallest key above every key that starts with prefix; nil when there is
// none.
func PrefixEnd(prefix []byte) []byte { return PrefixEndIn(nil, prefix) }

// PrefixEndIn is PrefixEnd in the memory of buf.
func PrefixEndIn(buf, prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xFF {
			end := append(buf[:0], prefix[:i+1]...)
			end[i]++
			return end
		}
	}
	return nil
}

func appendBody(dst []byte, c *Column, p KeyPart, v Value) []byte {
	if v.Kind != c.Type.kind() {
		panic(fmt.Sprintf("row: value kind %d for column type %d", v.Kind, c.Type))
	}
	switch v.Kind {
	case Int:
		w := c.width()
		return appendBE(dst, v.N^1<<(8*w-1), w)
	case Uint:
		return appendBE(dst, v.N, c.width())
	case Float:
		return appendFloat(dst, v.Float(), c.Type == TFloat32)
	}
	switch c.Type {
	case TDecimal:
		mustDecimal(c, v.B)
		return append(dst, v.B...)
	case TBinary:
		return appendFixed(dst, v.B, partWidth(c, p))
	}
	s := v.B
	if !c.character() {
		if n := int(p.Prefix); n > 0 && len(s) > n {
			s = s[:n]
		}
		return append(appendEscaped(dst, s), escByte, escEnd)
	}
	if p.Prefix > 0 {
		s = cutChars(s, int(p.Prefix))
	}
	coll := keyCollation(c)
	if c.Codes == WholeCodes {
		return append(coll.Whole.AppendText(dst, s), escByte, escEnd)
	}
	return appendText(dst, coll, s)
}

// partWidth is the width of a fixed-width part: a prefix of a BINARY column is shorter than the
// column.
func partWidth(c *Column, p KeyPart) int {
	w := c.width()
	if c.Type == TBinary && p.Prefix > 0 && int(p.Prefix) < w {
		return int(p.Prefix)
	}
	return w
}

func appendText(dst []byte, coll *Collation, s []byte) []byte {
	if !coll.PadSpace {
		return append(appendWeights(dst, coll, s), escByte, escEnd)
	}
	s = coll.trim(s)
	from := 0
	for i := 0; i < len(s)-1; i++ {
		// Only control characters and, under some collations, a few others sort below a space.
		if s[i] != ' ' || s[i+1] > ' ' && s[i+1] < 0x80 {
			continue
		}
		run := i
		for s[i] == ' ' { // ends: s is trimmed
			i++
		}
		if !coll.belowSpace(s[i:]) {
			continue
		}
		dst = appendWeights(dst, coll, s[from:run])
		for ; run < i; run++ {
			dst = append(appendEscaped(dst, coll.space()), escByte, escBelow)
		}
		from = i
	}
	dst = appendWeights(dst, coll, s[from:])
	return append(appendEscaped(dst, coll.space()), escByte, escEnd)
}

// appendWeights appends the escaped weights of s.
func appendWeights(dst []byte, coll *Collation, s []byte) []byte {
	if coll.identity {
		return appendEscaped(dst, s)
	}
	from := len(dst)
	dst = coll.AppendWeights(dst, s)
	zeros := bytes.Count(dst[from:], []byte{escByte})
	if zeros == 0 {
		return dst
	}
	// Make room and spread from the end.
	r := len(dst) - 1
	for range zeros {
		dst = append(dst, 0)
	}
	for w := len(dst) - 1; w > r; w, r = w-1, r-1 {
		if dst[r] == escByte {
			dst[w] = escZero
			w--
		}
		dst[w] = dst[r]
	}
	return dst
}

func appendEscaped(dst, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, escByte)
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(append(dst, s[:i]...), escByte, escZero)
		s = s[i+1:]
	}
}

func appendBE(dst []byte, n uint64, width int) []byte {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	return append(dst, b[8-width:]...)
}

func appendFloat(dst []byte, f float64, single bool) []byte {
	if f == 0 {
		f = 0 // -0 equals 0
	}
	if single {
		u := math.Float32bits(float32(f))
		if u>>31 != 0 {
			u = ^u
		} else {
			u ^= 1 << 31
		}
		return binary.BigEndian.AppendUint32(dst, u)
	}
	u := math.Float64bits(f)
	if u>>63 != 0 {
		u = ^u
	} else {
		u ^= 1 << 63
	}
	return binary.BigEndian.AppendUint64(dst, u)
}

// appendFixed appends exactly width bytes: s cut, or filled up with zeros.
func appendFixed(dst, s []byte, width int) []byte {
	if len(s) > width {
		s = s[:width]
	}
	dst = append(dst, s...)
	for n := len(s); n < width; n++ {
		dst = append(dst, 0)
	}
	return dst
}

func mustDecimal(c *Column, b []byte) {
	if len(b) != c.width() {
		panic(fmt.Sprintf("row: DECIMAL(%d,%d) of %d bytes", c.Precision, c.Scale, len(b)))
	}
}

func invert(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}
