package compiled

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	"emberdb/internal/base"
	"emberdb/sqllayer"
)

// Kind of a parameter: of a literal in the text, or as the client sent it.
type Kind uint8

const (
	KindNull Kind = iota
	KindInt
	KindUint
	KindFloat
	KindDecimal // B: digits, point, digits
	KindString  // B
	KindTime    // B: a date, perhaps with a time of day, or a TIME, in MySQL's canonical form
	KindBytes   // B: of no character set
	KindDefault // DEFAULT, in rows of INSERT
)

// Param is the value of a literal or parameter.
type Param struct {
	Kind Kind
	N    uint64 // KindInt as int64, KindUint, KindFloat as bits
	B    []byte

	Double bool // a number that came as a DOUBLE
}

func (p *Param) int() int64 { return int64(p.N) }

// fit tells how a parameter relates to the values of a column.
type fit uint8

const (
	fitUnsure fit = iota // not mine
	fitNull
	fitValue
	fitBelow // smaller than all values
	fitAbove
)

// column is a table's column as conversions see it.
type column struct {
	row.Column
	name      string
	table     int // position in the statement's FROM
	pos       int // in its table
	fraction  int // digits of a DATETIME's seconds
	wide      bool
	key       row.KeyPart // the column as a key of its own
	autoInc   bool
	character bool
	typ       sql.Type
}

func newColumn(c row.Column, pos int, name string, t sql.Type) column {
	out := column{Column: c, name: name, key: row.KeyPart{Column: pos}, typ: t}
	if d, ok := t.(sql.DatetimeType); ok {
		out.fraction = d.Precision()
	}
	switch c.Type {
	case row.TChar, row.TVarchar, row.TText:
		out.character = true
		cs := sql.CollationID(c.Collation).CharacterSet()
		out.wide = cs == sql.CharacterSet_utf8mb4
	}
	return out
}

// convert gives the column's value that equals p. store: p is going to be stored. buf lends memory
// for values that are made; it is returned grown.
func (c *column) convert(p *Param, store bool, buf []byte) (row.Value, fit, []byte) {
	if p.Kind == KindNull {
		return row.NullValue, fitNull, buf
	}
	if n, ok := p.whole(); ok && !store && c.Type.Integer() {
		p = &Param{Kind: KindInt, N: uint64(n)}
	}
	switch c.Type {
	case row.TInt8, row.TInt16, row.TInt24, row.TInt32, row.TInt64:
		v, f := c.integer(p)
		return v, f, buf
	case row.TUint8, row.TUint16, row.TUint24, row.TUint32, row.TUint64:
		v, f := c.unsigned(p)
		return v, f, buf
	case row.TFloat64:
		v, f := double(p)
		if store && f == fitValue && (c.Precision > 0 || !c.Fits(v)) {
			f = fitUnsure
		}
		return v, f, buf
	case row.TDecimal:
		v, f, buf := c.decimal(p, buf)
		if store && f == fitValue && !c.Fits(v) {
			f = fitUnsure
		}
		return v, f, buf
	case row.TDate, row.TDateTime:
		v, f := c.time(p)
		return v, f, buf
	case row.TTimestamp, row.TYear, row.TEnum:
		if !store {
			v, f := c.other(p)
			return v, f, buf
		}
	case row.TChar, row.TVarchar, row.TText:
		v, f := c.text(p, store)
		return v, f, buf
	case row.TBinary, row.TVarbinary, row.TBlob:
		if p.Kind != KindString && p.Kind != KindBytes || uint64(len(p.B)) > uint64(c.Length) || c.Type == row.TBinary && len(p.B) != int(c.Length) {
			return row.Value{}, fitUnsure, buf
		}
		return row.BytesValue(p.B), fitValue, buf
	}
	return row.Value{}, fitUnsure, buf
}

// whole reads a string that is an integer, written as one.
func (p *Param) whole() (n int64, ok bool) {
	if p.Kind != KindString || len(p.B) == 0 || len(p.B) > 15 {
		return 0, false
	}
	b := p.B
	if b[0] == '-' {
		b = b[1:]
	}
	n, ok = digits(b)
	if len(b) == 0 || b[0] == '0' && len(p.B) > 1 {
		return 0, false
	}
	if len(b) < len(p.B) {
		n = -n
	}
	return n, ok
}

// other takes what is compared with a TIMESTAMP, a YEAR, an ENUM.
func (c *column) other(p *Param) (row.Value, fit) {
	switch c.Type {
	case row.TYear:
		if p.Kind == KindInt && p.int() > 1901 && p.int() < 2155 {
			return row.UintValue(p.N), fitValue
		}
	case row.TEnum:
		if t, ok := c.typ.(sql.EnumType); ok && p.Kind == KindString {
			n := t.IndexOf(string(p.B)) // takes a number for the member of that number, which only a number is to MySQL
			if m, _ := t.At(n); n > 0 && (m == string(p.B) || !strings.ContainsAny(string(p.B), "0123456789")) {
				return row.UintValue(uint64(n)), fitValue
			}
		}
	case row.TTimestamp:
		v, f := c.time(p)
		if f != fitValue {
			return v, f
		}
		f1 := unpack(v.Int())
		at := time.Date(int(f1.year), time.Month(f1.month), int(f1.day), int(f1.hour), int(f1.minute), int(f1.second), int(f1.micros)*1000, time.UTC)
		if at.Year() > 1970 && at.Year() < 2038 {
			return row.IntValue(at.UnixMicro()), fitValue
		}
	}
	return row.Value{}, fitUnsure
}

func (c *column) integer(p *Param) (row.Value, fit) {
	switch {
	case p.Kind == KindUint && p.N > math.MaxInt64:
		return row.Value{}, fitAbove
	case p.Kind != KindInt && p.Kind != KindUint:
		return row.Value{}, fitUnsure
	}
	v := row.IntValue(p.int())
	switch {
	case c.Fits(v):
		return v, fitValue
	case p.int() < 0:
		return v, fitBelow
	}
	return v, fitAbove
}

func (c *column) unsigned(p *Param) (row.Value, fit) {
	switch {
	case p.Kind == KindInt && p.int() < 0:
		return row.Value{}, fitBelow
	case p.Kind != KindInt && p.Kind != KindUint:
		return row.Value{}, fitUnsure
	}
	v := row.UintValue(p.N)
	if c.Fits(v) {
		return v, fitValue
	}
	return v, fitAbove
}

func double(p *Param) (row.Value, fit) {
	const exact = 1 << 53
	switch {
	case p.Kind == KindInt && p.int() < exact && p.int() > -exact:
		return row.FloatValue(float64(p.int())), fitValue
	case p.Kind == KindUint && p.N < exact:
		return row.FloatValue(float64(p.N)), fitValue
	}
	return row.Value{}, fitUnsure
}

// text takes strings the column can hold as they are.
func (c *column) text(p *Param, store bool) (row.Value, fit) {
	if p.Kind != KindString {
		return row.Value{}, fitUnsure
	}
	b, ascii := p.B, base.IsASCII(p.B)
	if !ascii && (!c.wide || !utf8.Valid(b)) {
		return row.Value{}, fitUnsure
	}
	if uint64(len(b)) > uint64(c.Length) && (c.Type == row.TText || ascii || utf8.RuneCount(b) > int(c.Length)) {
		return row.Value{}, fitUnsure
	}
	if c.Type == row.TChar && len(b) > 0 && b[len(b)-1] == ' ' {
		if !store {
			return row.Value{}, fitUnsure // under a NO PAD collation it equals nothing
		}
		b = bytes.TrimRight(b, " ")
	}
	return row.BytesValue(b), fitValue
}

// decimal takes numbers that fit without rounding.
func (c *column) decimal(p *Param, buf []byte) (row.Value, fit, []byte) {
	var scratch [24]byte
	var text []byte
	switch p.Kind {
	case KindInt:
		text = strconv.AppendInt(scratch[:0], p.int(), 10)
	case KindUint:
		text = strconv.AppendUint(scratch[:0], p.N, 10)
	case KindDecimal:
		text = p.B
	default:
		return row.Value{}, fitUnsure, buf
	}
	from := len(buf)
	buf, ok := appendDecimal(buf, text, int(c.Precision), int(c.Scale))
	if !ok {
		return row.Value{}, fitUnsure, buf
	}
	return row.BytesValue(buf[from:len(buf):len(buf)]), fitValue, buf
}

// time reads 'YYYY-MM-DD' and 'YYYY-MM-DD HH:MM:SS[.ffffff]'.
func (c *column) time(p *Param) (row.Value, fit) {
	if p.Kind != KindString && p.Kind != KindTime {
		return row.Value{}, fitUnsure
	}
	year, month, day, ok := parseDate(p.B)
	if !ok {
		return row.Value{}, fitUnsure
	}
	if c.Type == row.TDate {
		if len(p.B) != 10 {
			return row.Value{}, fitUnsure
		}
		return row.IntValue(year*512 + month*32 + day), fitValue
	}
	var clock, micros int64
	if len(p.B) > 10 {
		if clock, micros, ok = parseClock(p.B[10:], c.fraction); !ok {
			return row.Value{}, fitUnsure
		}
	}
	return row.IntValue(((year*13+month)<<5|day)<<41 | clock<<24 | micros), fitValue
}

// parseDate reads the date at the start of b: one that exists, from the year 1000 on.
func parseDate(b []byte) (year, month, day int64, ok bool) {
	if len(b) < 10 || b[4] != '-' || b[7] != '-' || len(b) != 10 && len(b) < 19 || len(b) > 26 {
		return 0, 0, 0, false
	}
	year, ok1 := digits(b[:4])
	month, ok2 := digits(b[5:7])
	day, ok3 := digits(b[8:10])
	if !ok1 || !ok2 || !ok3 || year < 1000 || month < 1 || month > 12 || day < 1 {
		return 0, 0, 0, false
	}
	return year, month, day, day <= daysIn(year, month)
}

func daysIn(year, month int64) int64 {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// parseClock reads " HH:MM:SS[.ffffff]"; a fraction must be no longer than the column's.
func parseClock(b []byte, fraction int) (clock, micros int64, ok bool) {
	if b[0] != ' ' || b[3] != ':' || b[6] != ':' {
		return 0, 0, false
	}
	hour, ok1 := digits(b[1:3])
	minute, ok2 := digits(b[4:6])
	second, ok3 := digits(b[7:9])
	if !ok1 || !ok2 || !ok3 || hour > 23 || minute > 59 || second > 59 {
		return 0, 0, false
	}
	if len(b) > 9 {
		if b[9] != '.' || len(b) == 10 || len(b)-10 > fraction {
			return 0, 0, false
		}
		if micros, ok = digits(b[10:]); !ok {
			return 0, 0, false
		}
		for n := len(b) - 10; n < 6; n++ {
			micros *= 10
		}
	}
	return hour<<12 | minute<<6 | second, micros, true
}

func digits(b []byte) (n int64, ok bool) {
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// marker is the name of a parameter in a statement.
func marker(n int) string { return "v" + strconv.Itoa(n+1) }

// literal writes a parameter as the parser would have it.
func (p *Param) literal() (ast.Expr, bool) {
	switch p.Kind {
	case KindNull:
		return &ast.NullVal{}, true
	case KindInt:
		return ast.NewIntVal(strconv.AppendInt(nil, p.int(), 10)), true
	case KindUint:
		return ast.NewIntVal(strconv.AppendUint(nil, p.N, 10)), true
	case KindDecimal:
		return ast.NewFloatVal(bytes.Clone(p.B)), true
	case KindString:
		return ast.NewStrVal(bytes.Clone(p.B)), true
	case KindTime:
		return sqllayer.TimeLiteral(bytes.Clone(p.B)), true
	}
	return nil, false
}
