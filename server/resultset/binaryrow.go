package resultset

// Values of binary result rows. The library sends a value of a type it does not know as the bytes
// it has, so that everything is written here:
//
//	integers, FLOAT, DOUBLE          1, 2, 4 or 8 bytes
//	DATE, DATETIME, TIMESTAMP        length 0, 4, 7 or 11: what is zero at the end is left out
//	TIME                             length 0, 8 or 12
//	everything else                  length and bytes

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/server/wire"
)

// Raw is the type of values whose bytes are those of the protocol.
const Raw = sqltypes.Expression

// binaryRow makes the values of a row, of which text has the texts, those of the binary protocol.
// row are the values before they were written as texts.
func binaryRow(fields []*querypb.Field, row []any, text []sqltypes.Value) ([]sqltypes.Value, error) {
	size := 0
	for i := range text {
		size += text[i].Len() + binaryRoom
	}
	b := make([]byte, 0, size)
	for i, v := range text {
		if v.IsNull() {
			continue
		}
		from := len(b)
		var err error
		if b, err = AppendBinary(b, fields[i].Type, row[i], v.Raw()); err != nil {
			return nil, err
		}
		text[i] = sqltypes.MakeTrusted(Raw, b[from:len(b):len(b)])
	}
	return text, nil
}

// binaryRoom is what a value takes at most beyond the bytes of its text: a length, or a number of
// eight bytes for a text of one.
const binaryRoom = 9

// AppendBinary writes a value of a type. Numbers with a point are exact: their texts may have fewer
// digits.
func AppendBinary(b []byte, t querypb.Type, v any, text []byte) ([]byte, error) {
	switch t {
	case sqltypes.Int8, sqltypes.Int16, sqltypes.Int24, sqltypes.Int32, sqltypes.Int64:
		n, err := strconv.ParseInt(string(text), 10, 64)
		return appendInteger(b, t, uint64(n)), err
	case sqltypes.Uint8, sqltypes.Uint16, sqltypes.Uint24, sqltypes.Uint32, sqltypes.Uint64, sqltypes.Year:
		n, err := strconv.ParseUint(string(text), 10, 64)
		return appendInteger(b, t, n), err
	case sqltypes.Float32:
		f, err := floatOf(v, text, 32)
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(f))), err
	case sqltypes.Float64:
		f, err := floatOf(v, text, 64)
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(f)), err
	case sqltypes.Date, sqltypes.Datetime, sqltypes.Timestamp:
		return appendMoment(b, text)
	case sqltypes.Time:
		return appendSpan(b, text)
	}
	return append(wire.AppendLenEnc(b, uint64(len(text))), text...), nil
}

// floatOf is a floating-point number, by its text if it is computed as something else.
func floatOf(v any, text []byte, bits int) (float64, error) {
	switch f := v.(type) {
	case float32:
		return float64(f), nil
	case float64:
		return f, nil
	}
	return strconv.ParseFloat(string(text), bits)
}

func appendInteger(b []byte, t querypb.Type, n uint64) []byte {
	switch t {
	case sqltypes.Int8, sqltypes.Uint8:
		return append(b, byte(n))
	case sqltypes.Int16, sqltypes.Uint16, sqltypes.Year:
		return binary.LittleEndian.AppendUint16(b, uint16(n))
	case sqltypes.Int64, sqltypes.Uint64:
		return binary.LittleEndian.AppendUint64(b, n)
	}
	return binary.LittleEndian.AppendUint32(b, uint32(n))
}

// appendMoment writes "YYYY-MM-DD[ hh:mm:ss[.ffffff]]".
func appendMoment(b, text []byte) ([]byte, error) {
	p := partsOf(text)
	year, month, day := p.number('-'), p.number('-'), p.number(' ')
	hour, minute, second, micros := p.number(':'), p.number(':'), p.number('.'), p.fraction()
	if p.bad || len(p.text) > 0 {
		return b, fmt.Errorf("a date that is none: %q", text)
	}
	switch {
	case micros != 0:
		b = append(b, 11)
	case hour != 0 || minute != 0 || second != 0:
		b = append(b, 7)
	case year != 0 || month != 0 || day != 0:
		b = append(b, 4)
	default:
		return append(b, 0), nil
	}
	length := b[len(b)-1]
	b = append(b, byte(year), byte(year>>8), byte(month), byte(day))
	if length > 4 {
		b = append(b, byte(hour), byte(minute), byte(second))
	}
	if length > 7 {
		b = binary.LittleEndian.AppendUint32(b, uint32(micros))
	}
	return b, nil
}

// appendSpan writes "[-]h...h:mm:ss[.ffffff]".
func appendSpan(b, text []byte) ([]byte, error) {
	p := partsOf(text)
	sign := byte(0)
	if len(text) > 0 && text[0] == '-' {
		sign, p.text = 1, text[1:]
	}
	hour, minute, second, micros := p.number(':'), p.number(':'), p.number('.'), p.fraction()
	if p.bad || len(p.text) > 0 {
		return b, fmt.Errorf("a time that is none: %q", text)
	}
	switch {
	case micros != 0:
		b = append(b, 12)
	case hour != 0 || minute != 0 || second != 0:
		b = append(b, 8)
	default:
		return append(b, 0), nil
	}
	length := b[len(b)-1]
	b = binary.LittleEndian.AppendUint32(append(b, sign), uint32(hour/24))
	b = append(b, byte(hour%24), byte(minute), byte(second))
	if length > 8 {
		b = binary.LittleEndian.AppendUint32(b, uint32(micros))
	}
	return b, nil
}

// clockParts reads the numbers of the text of a date or time.
type clockParts struct {
	text []byte
	bad  bool
}

func partsOf(text []byte) *clockParts { return &clockParts{text: text} }

// number reads digits and the character behind them, which ends them; at the end of the text it is
// 0.
func (p *clockParts) number(end byte) (n int) {
	i := 0
	for ; i < len(p.text) && p.text[i] != end; i++ {
		d := p.text[i] - '0'
		if d > 9 || n > math.MaxInt32/10 {
			p.bad = true
			return 0
		}
		n = n*10 + int(d)
	}
	p.text = p.text[min(i+1, len(p.text)):]
	return n
}

// fraction reads up to six digits as microseconds.
func (p *clockParts) fraction() (micros int) {
	unit := 100_000
	for ; len(p.text) > 0 && unit > 0; p.text, unit = p.text[1:], unit/10 {
		d := p.text[0] - '0'
		if d > 9 {
			p.bad = true
			return 0
		}
		micros += int(d) * unit
	}
	return micros
}
