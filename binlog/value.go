package binlog

// One value of a row image, by the type the table map gives the column. On disk; fixed (MySQL's row
// format).
//
//	type        code  metadata                    image
//	integers    1 2 9 3 8   -                     1 2 3 4 8 bytes little-endian, two's complement
//	FLOAT DOUBLE      4 5   1 size                IEEE 754 little-endian
//	DECIMAL     246   1 precision 1 scale         binary decimal
//	YEAR        13    -                           1 year - 1900, 0 for 0000
//	DATE        10    -                           3 year*512 + month*32 + day
//	TIME        19    1 fsp                       3 big-endian 0x800000 + hour<<12 | minute<<6 | second, then the fraction; see appendTime
//	DATETIME    18    1 fsp                       5 big-endian 0x8000000000 + packed, then the fraction
//	TIMESTAMP   17    1 fsp                       4 big-endian seconds, then the fraction
//	BIT         16    1 bits%8 1 bytes            (n+7)/8 bytes big-endian
//	ENUM SET    254   1 code 247 or 248 1 size    1 or 2; 1 2 3 4 8 little-endian
//	CHAR BINARY 254   2 code 254 and max bytes    length (1 or 2 bytes as the maximum needs), bytes without trailing spaces or zeros
//	VARCHAR VARBINARY 15    2 max bytes           length (1 or 2 bytes), bytes
//	TEXT BLOB   252   1 size of the length        length, bytes
//	JSON GEOMETRY VECTOR  245 255 242   1 (4)     4 length, bytes
//
// A fraction of fsp digits takes (fsp+1)/2 bytes, big-endian, in units of 10^-2, 10^-4 or 10^-6
// seconds.

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// Column types of table maps. On disk; fixed.
const (
	typeTiny       = 1
	typeShort      = 2
	typeLong       = 3
	typeFloat      = 4
	typeDouble     = 5
	typeLongLong   = 8
	typeInt24      = 9
	typeDate       = 10
	typeYear       = 13
	typeVarchar    = 15
	typeBit        = 16
	typeTimestamp2 = 17
	typeDatetime2  = 18
	typeTime2      = 19
	typeVector     = 242
	typeJSON       = 245
	typeNewDecimal = 246
	typeEnum       = 247
	typeSet        = 248
	typeBlob       = 252
	typeString     = 254
	typeGeometry   = 255
)

// field is a column prepared for the log.
type field struct {
	col     row.Type
	code    byte
	meta    [2]byte
	metaLen uint8
	size    uint8 // bytes of a fixed image, or of the length before the bytes
	fsp     uint8
	charset *Charset // text whose bytes change
	members []string // of ENUM and SET
	arg     string   // what stands in the parentheses of the type
}

// prepare finds out how a column is logged.
func prepare(c *catalog.Column) (field, error) {
	name, arg := splitType(c.SQLType)
	f := field{col: c.Type, arg: arg}
	switch c.Type {
	case row.TInt8, row.TUint8:
		f.code, f.size = typeTiny, 1
	case row.TInt16, row.TUint16:
		f.code, f.size = typeShort, 2
	case row.TInt24, row.TUint24:
		f.code, f.size = typeInt24, 3
	case row.TInt32, row.TUint32:
		f.code, f.size = typeLong, 4
	case row.TInt64, row.TUint64:
		f.code, f.size = typeLongLong, 8
	case row.TFloat32:
		f.code, f.size = typeFloat, 4
		f.setMeta(4)
	case row.TFloat64:
		f.code, f.size = typeDouble, 8
		f.setMeta(8)
	case row.TDecimal:
		f.code = typeNewDecimal
		f.setMeta(c.Precision, c.Scale)
	case row.TDate:
		f.code, f.size = typeDate, 3
	case row.TYear:
		f.code, f.size = typeYear, 1
	case row.TTime, row.TDateTime, row.TTimestamp:
		return f.prepareTime(arg)
	case row.TBit:
		f.code, f.size = typeBit, uint8((c.Length+7)/8)
		f.setMeta(uint8(c.Length%8), uint8(c.Length/8))
	case row.TEnum, row.TSet:
		return f.prepareMembers(c, arg)
	case row.TChar, row.TVarchar, row.TText, row.TBinary, row.TVarbinary, row.TBlob:
		return f.prepareString(c, name)
	case row.TJSON:
		f.code, f.size = typeJSON, 4
		f.setMeta(4)
	case row.TGeometry:
		f.code, f.size = typeGeometry, 4
		f.setMeta(4)
	default:
		return f, fmt.Errorf("column %s: storage type %d has no form in the binary log", c.Name, c.Type)
	}
	return f, nil
}

func (f *field) setMeta(b ...byte) { f.metaLen = uint8(copy(f.meta[:], b)) }

// splitType takes "decimal(10,2) unsigned" apart into "decimal" and "10,2".
func splitType(sqlType string) (name, arg string) {
	i := strings.IndexAny(sqlType, "( ")
	if i < 0 {
		return strings.ToLower(sqlType), ""
	}
	name = strings.ToLower(sqlType[:i])
	if sqlType[i] == '(' {
		if j := strings.LastIndexByte(sqlType, ')'); j > i {
			arg = sqlType[i+1 : j]
		}
	}
	return name, arg
}

func (f field) prepareTime(arg string) (field, error) {
	if len(arg) == 1 && arg[0] >= '0' && arg[0] <= '6' {
		f.fsp = arg[0] - '0'
	}
	f.setMeta(f.fsp)
	switch f.col {
	case row.TTime:
		f.code = typeTime2
	case row.TDateTime:
		f.code = typeDatetime2
	default:
		f.code = typeTimestamp2
	}
	return f, nil
}

func (f field) prepareMembers(c *catalog.Column, arg string) (field, error) {
	var err error
	if f.members, err = parseMembers(arg); err != nil {
		return f, fmt.Errorf("column %s: type %s: %w", c.Name, c.SQLType, err)
	}
	f.code = typeString
	n := len(f.members)
	if f.col == row.TEnum {
		f.size = 1
		if n > math.MaxUint8 {
			f.size = 2
		}
		f.setMeta(typeEnum, f.size)
		return f, nil
	}
	if f.size = uint8((n + 7) / 8); f.size > 4 {
		f.size = 8
	}
	f.setMeta(typeSet, f.size)
	return f, nil
}

// parseMembers reads 'a','b' as the catalog writes it: quotes doubled, backslash escapes.
func parseMembers(s string) ([]string, error) {
	var members []string
	for len(s) > 0 {
		if s[0] == ' ' {
			s = s[1:]
			continue
		}
		if s[0] != '\'' {
			return nil, fmt.Errorf("%q does not begin with a quote", s)
		}
		var b strings.Builder
		i, closed := 1, false
		for ; i < len(s) && !closed; i++ {
			switch {
			case s[i] == '\\' && i+1 < len(s):
				i++
				b.WriteByte(unescape(s[i]))
			case s[i] != '\'':
				b.WriteByte(s[i])
			case i+1 < len(s) && s[i+1] == '\'':
				b.WriteByte('\'')
				i++
			default:
				closed = true
			}
		}
		if !closed {
			return nil, fmt.Errorf("%q has no closing quote", s)
		}
		members = append(members, b.String())
		s = strings.TrimPrefix(strings.TrimLeft(s[i:], " "), ",")
	}
	return members, nil
}

func unescape(c byte) byte {
	switch c {
	case '0':
		return 0
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

func (f field) prepareString(c *catalog.Column, name string) (field, error) {
	cs := lookupCharset(c.Collation)
	if cs == nil {
		return f, fmt.Errorf("column %s: collation %d has no character set in the binary log", c.Name, c.Collation)
	}
	if cs.Append != nil {
		f.charset = cs
	}
	maxBytes := uint64(c.Length) * uint64(cs.MaxLen)
	switch c.Type {
	case row.TChar, row.TBinary:
		f.code, f.size = typeString, lengthSize(maxBytes)
		f.setMeta(typeString^byte(maxBytes>>8&3)<<4, byte(maxBytes))
	case row.TVarchar, row.TVarbinary:
		f.code, f.size = typeVarchar, lengthSize(maxBytes)
		f.setMeta(byte(maxBytes), byte(maxBytes>>8))
	default:
		f.code, f.size = typeBlob, blobSize(name, c.Length)
		if name == "vector" {
			f.code, f.size = typeVector, 4
		}
		f.setMeta(f.size)
	}
	return f, nil
}

func lengthSize(maxBytes uint64) uint8 {
	if maxBytes < 256 {
		return 1
	}
	return 2
}

// blobSize is the size of the length of a TEXT or BLOB type.
func blobSize(name string, length uint32) uint8 {
	switch {
	case strings.HasPrefix(name, "tiny"):
		return 1
	case strings.HasPrefix(name, "medium"):
		return 3
	case strings.HasPrefix(name, "long"):
		return 4
	case name == "text" || name == "blob":
		return 2
	case length == 0 || length >= 1<<24:
		return 4
	case length >= 1<<16:
		return 3
	}
	return 2
}

// append appends the image of a value that is not NULL.
func (f *field) append(dst []byte, v row.Value, scratch *jsonEncoder) ([]byte, error) {
	switch f.col {
	case row.TFloat32:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(v.Float()))), nil
	case row.TFloat64:
		return binary.LittleEndian.AppendUint64(dst, v.N), nil
	case row.TDecimal:
		return append(dst, v.B...), nil
	case row.TYear:
		if v.N == 0 {
			return append(dst, 0), nil
		}
		return append(dst, byte(v.N-1900)), nil
	case row.TTime:
		return appendTime(dst, v.Int(), f.fsp), nil
	case row.TDateTime:
		dst = appendUintBE(dst, uint64(v.Int()>>24)+1<<39, 5)
		return appendFraction(dst, v.Int()&(1<<24-1), f.fsp), nil
	case row.TTimestamp:
		s := floorDiv(v.Int(), 1e6)
		dst = appendUintBE(dst, uint64(s), 4)
		return appendFraction(dst, v.Int()-s*1e6, f.fsp), nil
	case row.TBit:
		return appendUintBE(dst, v.N, int(f.size)), nil
	case row.TJSON:
		return f.appendJSON(dst, v.B, scratch)
	case row.TChar, row.TVarchar, row.TText, row.TBinary, row.TVarbinary, row.TBlob, row.TGeometry:
		return f.appendBytes(dst, v.B), nil
	}
	return appendUint(dst, v.N, int(f.size)), nil
}

// appendBytes appends length and bytes in the column's character set.
func (f *field) appendBytes(dst, b []byte) []byte {
	switch f.col {
	case row.TChar:
		for len(b) > 0 && b[len(b)-1] == ' ' {
			b = b[:len(b)-1]
		}
	case row.TBinary:
		for len(b) > 0 && b[len(b)-1] == 0 {
			b = b[:len(b)-1]
		}
	}
	start := len(dst)
	dst = appendUint(dst, uint64(len(b)), int(f.size))
	if f.charset == nil {
		return append(dst, b...)
	}
	dst = f.charset.Append(dst, b)
	f.putLength(dst, start)
	return dst
}

func (f *field) appendJSON(dst, text []byte, e *jsonEncoder) ([]byte, error) {
	start := len(dst)
	dst, err := e.append(append(dst, 0, 0, 0, 0), text)
	if err != nil {
		return dst, err
	}
	f.putLength(dst, start)
	return dst, nil
}

// putLength writes the length of what was appended behind the length bytes at start.
func (f *field) putLength(dst []byte, start int) {
	n := len(dst) - start - int(f.size)
	for i := range int(f.size) {
		dst[start+i] = byte(n >> (8 * i))
	}
}

// appendTime writes microseconds as TIME(fsp). The packed number is sign * (hour<<12 | minute<<6 |
// second)<<24 + fraction, taken as a whole, so a negative time with a fraction has an integer part
// one below. A fraction beyond fsp is dropped towards zero.
func appendTime(dst []byte, micros int64, fsp uint8) []byte {
	negative := micros < 0
	if negative {
		micros = -micros
	}
	s, frac := micros/1e6, micros%1e6
	unit := fractionUnit(fsp)
	frac = frac / unit // in units of the stored fraction
	packed := s/3600<<12 | s/60%60<<6 | s%60
	bytes := int(fsp+1) / 2
	n := packed<<(8*bytes) | frac
	if negative {
		n = -n
	}
	return appendUintBE(dst, uint64(n)+0x800000<<(8*bytes), 3+bytes)
}

// fractionUnit is how many microseconds one unit of a stored fraction is.
func fractionUnit(fsp uint8) int64 {
	switch (fsp + 1) / 2 {
	case 0:
		return 1e6
	case 1:
		return 1e4
	case 2:
		return 1e2
	}
	return 1
}

func appendFraction(dst []byte, micros int64, fsp uint8) []byte {
	return appendUintBE(dst, uint64(micros/fractionUnit(fsp)), int(fsp+1)/2)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
