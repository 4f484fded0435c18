package histogram

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"emberdb/engine/row"
	"emberdb/sql/types"
)

// Column is what a histogram needs to know of its column.
type Column struct {
	row.Column
	Words uint16 // the collation of ENUM and SET
}

// mostCharacters are those of a text that a histogram tells apart.
const mostCharacters = 42

const textMark = "base64:type254:"

// DataType is MySQL's name for the values of a column; empty: it can have no histogram.
func (c *Column) DataType() string {
	switch c.Type {
	case row.TInt8, row.TInt16, row.TInt24, row.TInt32, row.TInt64, row.TYear, row.TBit:
		return "int"
	case row.TUint8, row.TUint16, row.TUint24, row.TUint32, row.TUint64:
		return "uint"
	case row.TFloat32, row.TFloat64:
		return "double"
	case row.TDecimal:
		if c.Precision <= 38 {
			return "decimal"
		}
	case row.TDate:
		return "date"
	case row.TDateTime, row.TTimestamp:
		return "datetime"
	case row.TTime:
		return "time"
	case row.TEnum:
		return "enum"
	case row.TSet:
		return "set"
	case row.TChar, row.TVarchar, row.TText, row.TBinary, row.TVarbinary, row.TBlob:
		return "string"
	}
	return ""
}

// latin1 is the collation that MySQL gives to numbers and times.
const latin1 = 8

// CollationID is the collation of the values, as MySQL numbers it.
func (c *Column) CollationID() uint16 {
	switch c.Type {
	case row.TEnum, row.TSet:
		return c.Words
	case row.TChar, row.TVarchar, row.TText:
		return c.Collation
	case row.TBinary, row.TVarbinary, row.TBlob, row.TBit:
		return types.Binary
	}
	return latin1
}

// cut shortens texts to what is told apart.
func (c *Column) cut(v row.Value) row.Value {
	if len(v.B) <= mostCharacters || c.DataType() != "string" {
		return v
	}
	if c.CollationID() == types.Binary {
		v.B = v.B[:mostCharacters]
		return v
	}
	end := 0
	for range mostCharacters {
		_, size := utf8.DecodeRune(v.B[end:])
		end += size
	}
	v.B = v.B[:end]
	return v
}

// literal is a value in JSON.
func (c *Column) literal(v row.Value) string {
	switch c.DataType() {
	case "int":
		return strconv.FormatInt(int64(v.N), 10)
	case "uint", "enum", "set":
		return strconv.FormatUint(v.N, 10)
	case "double":
		return number(v.Float())
	case "decimal":
		w, _ := types.DecodeDecimal(v.B, int(c.Precision), int(c.Scale))
		return string(types.AppendDecimal(nil, w, int(c.Scale)))
	case "date":
		n := v.Int()
		return fmt.Sprintf(`"%04d-%02d-%02d"`, n>>9, n>>5&15, n&31)
	case "datetime":
		n := v.Int()
		if c.Type == row.TTimestamp && n != 0 {
			n = types.FromUnix(n)
		}
		m := types.Unpack(n)
		return fmt.Sprintf(`"%04d-%02d-%02d %02d:%02d:%02d.%06d"`, m.Year, m.Month, m.Day, m.Hour, m.Minute, m.Second, m.Micros)
	case "time":
		n, sign := v.Int(), ""
		if n < 0 {
			n, sign = -n, "-"
		}
		return fmt.Sprintf(`"%s%02d:%02d:%02d.%06d"`, sign, n/3600e6, n/60e6%60, n/1e6%60, n%1e6)
	}
	return `"` + textMark + base64.StdEncoding.EncodeToString(v.B) + `"`
}

// number is a double in JSON, with a point or an exponent.
func number(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if mantissa, exponent, ok := strings.Cut(s, "e"); ok {
		if n, _ := strconv.Atoi(exponent); n < -5 || n > 14 {
			return mantissa + "e" + strconv.Itoa(n)
		}
		s = strconv.FormatFloat(f, 'f', -1, 64)
	}
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// Point is the place of a value in the order of its column: a number, or the sort key of a text.
type Point struct {
	n    float64
	key  []byte
	text bool
}

func (p Point) compare(q Point) int {
	switch {
	case p.text:
		return strings.Compare(string(p.key), string(q.key))
	case p.n < q.n:
		return -1
	case p.n > q.n:
		return 1
	}
	return 0
}

func textPoint(collation uint16, b []byte) (Point, bool) {
	if collation == types.Binary {
		return Point{key: b, text: true}, true
	}
	c := types.CollatorOf(collation)
	if c == nil {
		return Point{}, false
	}
	return Point{key: c.AppendKey(nil, b), text: true}, true
}

func momentPoint(m types.Moment) Point {
	t := time.Date(m.Year, time.Month(m.Month), m.Day, m.Hour, m.Minute, m.Second, 0, time.UTC)
	return Point{n: float64(t.Unix()) + float64(m.Micros)/1e6}
}

// fault is why a literal is no value of the column.
type fault uint8

const (
	noFault fault = iota
	wrongType
	outOfRange
)

// point reads a literal.
func (c *Column) point(v any) (Point, fault) {
	text, isText := v.(string)
	if n, ok := v.(jsonNumber); ok {
		return c.numberPoint(string(n))
	}
	if !isText {
		return Point{}, wrongType
	}
	switch c.DataType() {
	case "date", "datetime":
		m, ok := types.ReadMoment(text)
		if !ok || m.Cut {
			return Point{}, wrongType
		}
		return momentPoint(m.Moment), noFault
	case "time":
		rest, negative := strings.CutPrefix(text, "-")
		var hour, minute, second, micros float64
		if n, err := fmt.Sscanf(rest, "%f:%f:%f.%f", &hour, &minute, &second, &micros); n < 3 && err != nil {
			return Point{}, wrongType
		}
		p := Point{n: hour*3600 + minute*60 + second}
		if negative {
			p.n = -p.n
		}
		return p, noFault
	case "string":
		coded, ok := strings.CutPrefix(text, textMark)
		b, err := base64.StdEncoding.DecodeString(coded)
		if !ok || err != nil {
			return Point{}, wrongType
		}
		if p, ok := textPoint(c.CollationID(), b); ok {
			return p, noFault
		}
	}
	return Point{}, wrongType
}

func (c *Column) numberPoint(text string) (Point, fault) {
	whole := !strings.ContainsAny(text, ".eE")
	f, err := strconv.ParseFloat(text, 64)
	switch c.DataType() {
	case "int", "uint", "enum", "set":
		if !whole {
			return Point{}, wrongType
		}
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && c.DataType() == "int" && c.Type != row.TBit && c.Type != row.TYear {
			if !c.Fits(row.IntValue(n)) {
				return Point{}, outOfRange
			}
		} else if u, err := strconv.ParseUint(text, 10, 64); err != nil || c.DataType() == "uint" && !c.Fits(row.UintValue(u)) {
			return Point{}, outOfRange
		}
	case "double":
		if whole {
			return Point{}, wrongType
		}
	case "decimal":
		if math.Abs(f) >= math.Pow10(int(c.Precision)-int(c.Scale)) {
			return Point{}, outOfRange
		}
	default:
		return Point{}, wrongType
	}
	if err != nil {
		return Point{}, outOfRange
	}
	return Point{n: f}, noFault
}

// Point is the place of a value that a column of this histogram is compared with; false: the two are
// not of one kind.
func (h *Histogram) Point(v *types.Vec, i int) (Point, bool) {
	if v.Kind == types.Null || v.IsNull(i) {
		return Point{}, false
	}
	switch h.Type {
	case "int", "uint", "double", "decimal":
		switch v.Kind {
		case types.Int:
			return Point{n: float64(v.I[i])}, true
		case types.Uint:
			return Point{n: float64(uint64(v.I[i]))}, true
		case types.Float:
			return Point{n: v.F[i]}, true
		case types.Decimal:
			f, err := strconv.ParseFloat(string(types.AppendDecimal(nil, v.Wide(i), v.Scale)), 64)
			return Point{n: f}, err == nil
		}
	case "date", "datetime":
		if v.Kind == types.Date || v.Kind == types.DateTime {
			return momentPoint(types.Unpack(v.I[i])), true
		}
	case "time":
		if v.Kind == types.Time {
			return Point{n: float64(v.I[i]) / 1e6}, true
		}
	case "enum", "set":
		if v.Kind.Integer() || v.Kind == types.Enum {
			return Point{n: float64(v.I[i])}, true
		}
	case "string":
		if v.Kind == types.String {
			return textPoint(h.Collation, v.S[i])
		}
	}
	return Point{}, false
}
