package binlog

// Character sets. Rows hold text as UTF-8 whatever the column's character set; a row image holds it
// in the column's own. The sets MySQL's users meet are built in; whoever links the log registers
// others before it opens the log.

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"unicode/utf16"
	"unicode/utf8"

	"emberdb/engine/row"
)

// Charset is how a character set is written.
type Charset struct {
	Name string
	// MaxLen is the number of bytes its longest character takes.
	MaxLen int
	// Append appends the UTF-8 string s in this character set. nil: the bytes as they are.
	Append func(dst, s []byte) []byte
}

const maxCollation = 2048

var charsets [maxCollation]atomic.Pointer[Charset]

// RegisterCharset tells how columns with one of these collations are written.
func RegisterCharset(c Charset, collations ...uint16) {
	for _, id := range collations {
		if id == 0 || id >= maxCollation || c.MaxLen < 1 {
			panic(fmt.Sprintf("binlog: bad character set %q, collation %d", c.Name, id))
		}
		charsets[id].Store(&c)
	}
}

func lookupCharset(collation uint16) *Charset {
	if collation >= maxCollation {
		return nil
	}
	return charsets[collation].Load()
}

// collations of the built-in sets: first and last id of each run. MySQL's numbers; fixed.
func init() {
	register := func(name string, maxLen int, app func(dst, s []byte) []byte, runs ...[2]uint16) {
		for _, r := range runs {
			for id := r[0]; id <= r[1]; id++ {
				RegisterCharset(Charset{name, maxLen, app}, id)
			}
		}
	}
	one := func(id uint16) [2]uint16 { return [2]uint16{id, id} }
	register("binary", 1, nil, one(row.CollationBinary))
	register("utf8mb4", 4, nil, [2]uint16{45, 46}, [2]uint16{224, 247}, [2]uint16{255, 323})
	register("utf8mb3", 3, nil, one(33), one(76), one(83), [2]uint16{192, 215}, one(223))
	register("ascii", 1, nil, one(11), one(65))
	register("latin1", 1, appendLatin1, one(5), one(8), one(15), one(31), [2]uint16{47, 49}, one(94))
	register("ucs2", 2, appendUCS2, one(35), one(90), [2]uint16{128, 151}, one(159))
	register("utf16", 4, appendUTF16, [2]uint16{54, 55}, [2]uint16{101, 124})
	register("utf16le", 4, appendUTF16LE, one(56), one(62))
	register("utf32", 4, appendUTF32, [2]uint16{60, 61}, [2]uint16{160, 183})
}

// cp1252 is what MySQL's latin1 holds at 0x80 to 0x9F; unassigned codes stand for themselves.
var cp1252 = [32]rune{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
}

func appendLatin1(dst, s []byte) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		dst = append(dst, latin1(r))
	}
	return dst
}

func latin1(r rune) byte {
	if r < 0x80 || r >= 0xA0 && r <= 0xFF {
		return byte(r)
	}
	for i, c := range cp1252 {
		if c == r {
			return byte(0x80 + i)
		}
	}
	return '?'
}

func appendUCS2(dst, s []byte) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		if r > 0xFFFF {
			r = '?'
		}
		dst = binary.BigEndian.AppendUint16(dst, uint16(r))
	}
	return dst
}

func appendUTF16(dst, s []byte) []byte   { return appendUnits(binary.BigEndian, dst, s) }
func appendUTF16LE(dst, s []byte) []byte { return appendUnits(binary.LittleEndian, dst, s) }

// appendUnits appends s as UTF-16 code units.
func appendUnits(order binary.AppendByteOrder, dst, s []byte) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		if r > 0xFFFF {
			hi, lo := utf16.EncodeRune(r)
			dst, r = order.AppendUint16(dst, uint16(hi)), lo
		}
		dst = order.AppendUint16(dst, uint16(r))
	}
	return dst
}

func appendUTF32(dst, s []byte) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		dst = binary.BigEndian.AppendUint32(dst, uint32(r))
	}
	return dst
}
