package partition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"emberdb/engine/row"
	"emberdb/sql/ast"
	"emberdb/sql/parse"
)

// Values of RANGE COLUMNS and LIST COLUMNS: literals that are values of the columns as they stand.

// storedValue reads a value as a definition keeps it.
func storedValue(c *row.Column, text string) (row.Value, bool) {
	x, err := parse.ParseExpr(text, parse.Options{})
	if err != nil {
		return row.NullValue, false
	}
	return literalValue(c, x)
}

// literalValue makes a literal the value of a column; ok is false if it is of another type, or if
// the column cannot hold it.
func literalValue(c *row.Column, x ast.Expr) (v row.Value, ok bool) {
	if c.Type.Integer() || c.Type == row.TYear {
		f, err := (&compiler{}).formula(x)
		if err != nil {
			return v, false
		}
		n, err := f(nil)
		if err != nil || n.null {
			return v, false
		}
		return wholeValue(c, n)
	}
	lit, is := x.(*ast.Literal)
	if !is {
		return v, false
	}
	switch lit.Kind {
	case ast.StringLiteral, ast.NationalLiteral, ast.HexLiteral, ast.BitLiteral, ast.DateLiteral, ast.TimeLiteral, ast.TimestampLiteral:
	default:
		return v, false
	}
	text := lit.Bytes()
	switch c.Type {
	case row.TChar, row.TVarchar:
		if c.Type == row.TChar {
			text = strings.TrimRight(text, " ")
		}
		return row.BytesValue([]byte(text)), utf8.ValidString(text) && utf8.RuneCountInString(text) <= int(c.Length)
	case row.TBinary, row.TVarbinary:
		b := []byte(text)
		if c.Type == row.TBinary && len(b) < int(c.Length) {
			b = append(b, make([]byte, int(c.Length)-len(b))...)
		}
		return row.BytesValue(b), len(b) <= int(c.Length)
	case row.TDate, row.TDateTime:
		m, ok := parseMoment(text)
		return m.value(c.Type), ok
	case row.TTime:
		return clockValue(text)
	}
	return v, false
}

// wholeValue makes a whole number the value of a column of them.
func wholeValue(c *row.Column, n number) (row.Value, bool) {
	v := row.IntValue(n.n)
	if c.Type >= row.TUint8 && c.Type <= row.TUint64 || c.Type == row.TYear {
		v = row.UintValue(uint64(n.n))
		if !n.unsigned && n.n < 0 {
			return v, false
		}
	} else if n.unsigned && n.n < 0 {
		return v, false
	}
	width := map[row.Type]int{row.TInt8: 8, row.TUint8: 8, row.TInt16: 16, row.TUint16: 16, row.TInt24: 24, row.TUint24: 24,
		row.TInt32: 32, row.TUint32: 32, row.TYear: 12}[c.Type]
	switch {
	case width == 0:
		return v, true
	case v.Kind == row.Uint:
		return v, v.N < 1<<width
	}
	return v, v.Int() >= -1<<(width-1) && v.Int() < 1<<(width-1)
}

// value is the moment as a column of that type stores it.
func (m moment) value(t row.Type) row.Value {
	if t == row.TDate {
		return row.IntValue(int64(m.year)<<9 | int64(m.month)<<5 | int64(m.day))
	}
	ymd := int64(m.year*13+m.month)<<5 | int64(m.day)
	hms := int64(m.hour)<<12 | int64(m.minute)<<6 | int64(m.second)
	return row.IntValue((ymd<<17|hms)<<24 | int64(m.micro))
}

// clockValue reads a TIME.
func clockValue(text string) (row.Value, bool) {
	text, negative := strings.CutPrefix(strings.TrimSpace(text), "-")
	clock, fraction, _ := strings.Cut(text, ".")
	parts := strings.Split(clock, ":")
	if len(parts) > 3 || len(parts) < 2 {
		return row.NullValue, false
	}
	sum := int64(0)
	for i, unit := range []int64{3600, 60, 1}[:len(parts)] {
		n, err := strconv.Atoi(parts[i])
		if err != nil || n < 0 || i > 0 && n > 59 || n > 838 {
			return row.NullValue, false
		}
		sum += int64(n) * unit
	}
	micro, err := strconv.Atoi((fraction + "000000")[:6])
	if err != nil {
		return row.NullValue, false
	}
	sum = sum*1e6 + int64(micro)
	if negative {
		sum = -sum
	}
	return row.IntValue(sum), true
}

// shown writes a value of a column as definitions keep and show it.
func shown(c *row.Column, v row.Value) string {
	switch {
	case v.IsNull():
		return "NULL"
	case v.Kind == row.Int && c.Type.Integer():
		return strconv.FormatInt(v.Int(), 10)
	case v.Kind == row.Uint:
		return strconv.FormatUint(v.N, 10)
	case v.Kind == row.Bytes:
		if c.Type == row.TBinary || c.Type == row.TVarbinary {
			if slices.ContainsFunc(v.B, func(b byte) bool { return b < ' ' || b > '~' }) {
				return fmt.Sprintf("0x%X", v.B)
			}
		}
		return "'" + quoted.Replace(string(v.B)) + "'"
	}
	m := momentOf(c.Type, v)
	text := fmt.Sprintf("%04d-%02d-%02d", m.year, m.month, m.day)
	clock := fmt.Sprintf("%02d:%02d:%02d", m.hour, m.minute, m.second)
	if c.Precision > 0 || m.micro > 0 {
		clock += "." + fmt.Sprintf("%06d", m.micro)[:max(int(c.Precision), 1)]
	}
	switch c.Type {
	case row.TDateTime:
		text += " " + clock
	case row.TTime:
		if text = clock; m.negative {
			text = "-" + clock
		}
	}
	return "'" + text + "'"
}

var quoted = strings.NewReplacer("'", "''", `\`, `\\`, "\n", `\n`, "\r", `\r`, "\x00", `\0`)
