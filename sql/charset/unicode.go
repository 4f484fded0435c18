package charset

import (
	"encoding/binary"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

var unicodeForms = []struct {
	name     string
	min, max int
	form     form
}{
	{"utf8mb4", 1, 4, utf8Form{last: unicode.MaxRune}},
	{"utf8mb3", 1, 3, utf8Form{last: lastBasic}},
	{"ucs2", 2, 2, utf16Form{order: binary.BigEndian, last: lastBasic}},
	{"utf16", 2, 4, utf16Form{order: binary.BigEndian, last: unicode.MaxRune}},
	{"utf16le", 2, 4, utf16Form{order: binary.LittleEndian, last: unicode.MaxRune}},
	{"utf32", 4, 4, utf32Form{}},
}

// lastBasic is the last code point of the basic plane.
const lastBasic = 0xFFFF

type unicodeCases struct{}

func (unicodeCases) upper(r rune) rune { return unicode.ToUpper(r) }
func (unicodeCases) lower(r rune) rune { return unicode.ToLower(r) }

type utf8Form struct {
	unicodeCases
	last rune
}

func (f utf8Form) decode(b []byte) (rune, int) {
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n == 1 || r > f.last {
		return 0, 0
	}
	return r, n
}

func (f utf8Form) append(dst []byte, r rune) ([]byte, bool) {
	if r > f.last {
		return dst, false
	}
	return utf8.AppendRune(dst, r), true
}

type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// utf16Form is UTF-16, or UCS-2 if it ends with the basic plane.
type utf16Form struct {
	unicodeCases
	order byteOrder
	last  rune
}

func (f utf16Form) decode(b []byte) (rune, int) {
	if len(b) < 2 {
		return 0, 0
	}
	r := rune(f.order.Uint16(b))
	if !utf16.IsSurrogate(r) {
		return r, 2
	}
	if len(b) < 4 || f.last == lastBasic {
		return 0, 0
	}
	if r = utf16.DecodeRune(r, rune(f.order.Uint16(b[2:]))); r == utf8.RuneError {
		return 0, 0
	}
	return r, 4
}

func (f utf16Form) append(dst []byte, r rune) ([]byte, bool) {
	switch {
	case r > f.last:
		return dst, false
	case r > lastBasic:
		high, low := utf16.EncodeRune(r)
		return f.order.AppendUint16(f.order.AppendUint16(dst, uint16(high)), uint16(low)), true
	}
	return f.order.AppendUint16(dst, uint16(r)), true
}

type utf32Form struct{ unicodeCases }

func (utf32Form) decode(b []byte) (rune, int) {
	if len(b) < 4 {
		return 0, 0
	}
	n := binary.BigEndian.Uint32(b)
	if n > unicode.MaxRune || !utf8.ValidRune(rune(n)) {
		return 0, 0
	}
	return rune(n), 4
}

func (utf32Form) append(dst []byte, r rune) ([]byte, bool) {
	return binary.BigEndian.AppendUint32(dst, uint32(r)), true
}
