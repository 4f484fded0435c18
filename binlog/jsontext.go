package binlog

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// What Ember does not write but reads of others: values of SQL types inside of documents. After the
// type byte a MySQL column type, a length as of strings, and the value: DECIMAL as precision, scale
// and the binary form of columns; dates and times as a packed integer of 8 bytes; others as their
// bytes.
const (
	jsonOpaque = 0x0F

	opaqueTimestamp = 7 // columns have newer types for these three
	opaqueTime      = 11
	opaqueDatetime  = 12
)

var errJSON = errors.New("binary JSON is cut short or points outside of itself")

// JSONText gives the text of a document in MySQL's binary form, as MySQL writes it. It keeps the
// digits of decimals, and dates without a time.
func JSONText(document []byte) ([]byte, error) {
	if len(document) == 0 {
		return []byte("null"), nil // what IGNORE leaves of a NULL
	}
	r := jsonReader{most: jsonTextMost*len(document) + 1024}
	return r.value(nil, document[0], document[1:], 0)
}

// jsonTextMost is above what a byte of a document can be as text. Documents whose values lie in
// each other would be far more.
const jsonTextMost = 64

// jsonReader writes the text of a document, of most bytes.
type jsonReader struct{ most int }

// value appends a value of type typ that begins with b.
func (r *jsonReader) value(dst []byte, typ byte, b []byte, depth int) ([]byte, error) {
	if depth > jsonMaxDepth || len(dst) > r.most {
		return nil, errors.New("binary JSON is nested too deeply or in itself")
	}
	switch typ {
	case jsonSmallObject, jsonLargeObject, jsonSmallArray, jsonLargeArray:
		return r.container(dst, typ, b, depth)
	case jsonString:
		s, err := jsonBytes(b)
		return appendQuoted(dst, s), err
	case jsonOpaque:
		if len(b) == 0 {
			return nil, errJSON
		}
		v, err := jsonBytes(b[1:])
		if err != nil {
			return nil, err
		}
		return appendOpaque(dst, b[0], v)
	}
	size, ok := map[byte]int{jsonLiteral: 1, jsonInt16: 2, jsonUint16: 2, jsonInt32: 4, jsonUint32: 4, jsonInt64: 8, jsonUint64: 8, jsonDouble: 8}[typ]
	if !ok {
		return nil, fmt.Errorf("binary JSON has a value of type %d", typ)
	}
	if len(b) < size {
		return nil, errJSON
	}
	var wide [8]byte
	copy(wide[:], b[:size])
	n := binary.LittleEndian.Uint64(wide[:])
	switch typ {
	case jsonLiteral:
		if n > jsonFalse {
			return nil, fmt.Errorf("binary JSON has literal %d", n)
		}
		return append(dst, [...]string{jsonNull: "null", jsonTrue: "true", jsonFalse: "false"}[n]...), nil
	case jsonInt16:
		return strconv.AppendInt(dst, int64(int16(n)), 10), nil
	case jsonInt32:
		return strconv.AppendInt(dst, int64(int32(n)), 10), nil
	case jsonInt64:
		return strconv.AppendInt(dst, int64(n), 10), nil
	case jsonDouble:
		if f := math.Float64frombits(n); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("binary JSON has the number %v", f)
		}
		return appendDouble(dst, math.Float64frombits(n)), nil
	}
	return strconv.AppendUint(dst, n, 10), nil
}

// container appends an object or array, whose offsets count from its first byte.
func (r *jsonReader) container(dst []byte, typ byte, b []byte, depth int) ([]byte, error) {
	object, wide := typ == jsonSmallObject || typ == jsonLargeObject, 2
	if typ == jsonLargeObject || typ == jsonLargeArray {
		wide = 4
	}
	number := func(at int) int {
		if at < 0 || at+wide > len(b) {
			return math.MaxInt
		}
		if wide == 2 {
			return int(binary.LittleEndian.Uint16(b[at:]))
		}
		return int(binary.LittleEndian.Uint32(b[at:]))
	}
	count, keys, ends := number(0), 2*wide, "[]"
	values := keys
	if object {
		ends = "{}"
		values += min(count, len(b)) * (wide + 2)
	}
	if count > len(b) || values+count*(1+wide) > len(b) {
		return nil, errJSON
	}
	dst = append(dst, ends[0])
	var err error
	for i := range count {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if object {
			at := keys + i*(wide+2)
			from, size := number(at), int(binary.LittleEndian.Uint16(b[at+wide:]))
			if from > len(b)-size {
				return nil, errJSON
			}
			dst = append(appendQuoted(dst, b[from:from+size]), ": "...)
		}
		at := values + i*(1+wide)
		of, value := b[at], b[at+1:at+1+wide]
		switch {
		case of == jsonLiteral || of == jsonInt16 || of == jsonUint16 || wide == 4 && (of == jsonInt32 || of == jsonUint32): // in the entry
		case number(at+1) >= len(b):
			return nil, errJSON
		default:
			value = b[number(at+1):]
		}
		if dst, err = r.value(dst, of, value, depth+1); err != nil {
			return nil, err
		}
	}
	return append(dst, ends[1]), nil
}

// jsonBytes are the bytes behind a length.
func jsonBytes(b []byte) ([]byte, error) {
	size, n := 0, 0
	for ; ; n++ {
		if n >= len(b) || n == 5 {
			return nil, errJSON
		}
		size |= int(b[n]&0x7f) << (7 * n)
		if b[n] < 0x80 {
			break
		}
	}
	if b = b[n+1:]; size > len(b) {
		return nil, errJSON
	}
	return b[:size], nil
}

func appendQuoted(dst, s []byte) []byte {
	dst = append(dst, '"')
	for _, c := range s {
		switch i := strings.IndexByte("\"\\\b\f\n\r\t", c); {
		case i >= 0:
			dst = append(dst, '\\', `"\bfnrt`[i])
		case c < ' ':
			dst = fmt.Appendf(dst, `\u%04x`, c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// appendDouble writes a double so that it stays one: 1.0, 1e20.
func appendDouble(dst []byte, f float64) []byte {
	if a := math.Abs(f); f != 0 && (a >= 1e15 || a < 1e-5) {
		text := strconv.FormatFloat(f, 'e', -1, 64) // 1e+20, 1e-07
		mantissa, exponent, _ := strings.Cut(text, "e")
		n, _ := strconv.Atoi(exponent)
		return strconv.AppendInt(append(append(dst, mantissa...), 'e'), int64(n), 10)
	}
	if f == math.Trunc(f) {
		return strconv.AppendFloat(dst, f, 'f', 1, 64)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

func appendOpaque(dst []byte, typ byte, v []byte) ([]byte, error) {
	switch typ {
	case typeNewDecimal:
		return AppendDecimal(dst, v)
	case typeDate, opaqueDatetime, opaqueTimestamp, opaqueTime:
		if len(v) != 8 {
			return nil, errJSON
		}
		return appendMoment(dst, typ, int64(binary.LittleEndian.Uint64(v))), nil
	}
	dst = fmt.Appendf(dst, `"base64:type%d:`, typ)
	return append(base64.StdEncoding.AppendEncode(dst, v), '"'), nil
}

// appendMoment writes a packed date or time: from the high end year*13+month, day (5 bits), hour
// (5; of a TIME 10), minute (6), second (6), microseconds (24).
func appendMoment(dst []byte, typ byte, v int64) []byte {
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	micro, v := v&(1<<24-1), v>>24
	second, minute := v&63, v>>6&63
	if typ == opaqueTime {
		return fmt.Appendf(dst, `"%s%02d:%02d:%02d.%06d"`, sign, v>>12&1023, minute, second, micro)
	}
	day, month := v>>17&31, v>>22
	dst = fmt.Appendf(dst, `"%04d-%02d-%02d`, month/13, month%13, day)
	if typ != typeDate {
		dst = fmt.Appendf(dst, " %02d:%02d:%02d.%06d", v>>12&31, minute, second, micro)
	}
	return append(dst, '"')
}

// AppendDecimal writes an exact number: a byte of digits, one of those behind the point, then the
// binary form of columns.
func AppendDecimal(dst, v []byte) ([]byte, error) {
	if len(v) < 2 || v[1] > v[0] {
		return nil, errJSON
	}
	return appendDecimalText(dst, v[2:], int(v[0])-int(v[1]), int(v[1]))
}

// appendDecimalText writes a DECIMAL in the binary form of columns: groups of 9 digits in 4 bytes,
// shorter ones at the ends, big-endian, the first bit set where it is not negative, all bits turned
// where it is.
func appendDecimalText(dst, b []byte, whole, scale int) ([]byte, error) {
	if len(b) == 0 {
		return nil, errJSON
	}
	turn := byte(0)
	if b[0]&0x80 == 0 {
		turn = 0xff
		dst = append(dst, '-')
	}
	first := true
	group := func(digits int) (uint32, error) {
		size := [...]int{0, 1, 1, 2, 2, 3, 3, 4, 4, 4}[digits]
		if size > len(b) {
			return 0, errJSON
		}
		n := uint32(0)
		for _, c := range b[:size] {
			c ^= turn
			if first {
				c ^= 0x80
			}
			first = false
			n = n<<8 | uint32(c)
		}
		b = b[size:]
		return n, nil
	}
	start := len(dst)
	for left := whole; left > 0; {
		digits := (left-1)%9 + 1
		n, err := group(digits)
		if err != nil {
			return nil, err
		}
		if len(dst) > start {
			dst = fmt.Appendf(dst, "%0*d", digits, n)
		} else if n > 0 {
			dst = strconv.AppendUint(dst, uint64(n), 10)
		}
		left -= digits
	}
	if len(dst) == start {
		dst = append(dst, '0')
	}
	if scale > 0 {
		dst = append(dst, '.')
	}
	for left := scale; left > 0; {
		digits := min(left, 9)
		n, err := group(digits)
		if err != nil {
			return nil, err
		}
		dst = fmt.Appendf(dst, "%0*d", digits, n)
		left -= digits
	}
	return dst, nil
}
