package store

import (
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	sqltype "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// Attributes of a column; the zero value is a column without any.
type Attributes struct {
	Digits   uint8 // TIME: digits of the fraction; FLOAT, DOUBLE: M, 0 without (M,D)
	Scale    uint8 // D
	Unsigned bool  // of a type whose storage knows no sign bit
	Zerofill uint8 // the width that is filled with zeros, 0 without ZEROFILL
}

// AttributeMark begins and ends the text of a type where it travels. A client that writes such a
// comment gets the attributes it names.
const AttributeMark = "\x00type\x00"

// Words behind the text of a type where it travels.
const (
	charsetWord   = " charset"   // the column has a character set or collation of its own
	requiredWord  = " required"  // the default of the column, which may be NULL, was dropped
	binaryWord    = " binary"    // the attribute BINARY: the character set's binary collation
	InvisibleWord = " invisible" // ends the text of a column that is declared INVISIBLE
)

// TextWords are the words of a column that is being declared.
func TextWords(ct *ast.ColumnType) (words string) {
	switch strings.ToLower(ct.Type) {
	case "nchar", "nvarchar":
		words = charsetWord
	case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set":
		if ct.Charset != "" || ct.Collate != "" {
			words = charsetWord
		}
		if bool(ct.BinaryCollate) && ct.Charset == "" {
			words += binaryWord
		}
	}
	return words
}

// OwnCharset tells whether the character set or the collation of a column was written with it.
func OwnCharset(c *sql.Column) bool {
	typ, _ := SplitComment(c.Comment)
	return strings.Contains(typ, charsetWord) || hasMark(c, charsetWord)
}

// hasMark tells whether the Extra of a column of a table has a word.
func hasMark(c *sql.Column, word string) bool {
	words, marked := strings.CutPrefix(c.Extra, AttributeMark)
	return marked && strings.Contains(words, word)
}

// IsRequired tells whether a column that may be NULL has lost its default.
func IsRequired(c *sql.Column) bool { return hasMark(c, requiredWord) }

// Require marks a column as one that has lost its default.
func Require(c *sql.Column) {
	if !strings.HasPrefix(c.Extra, AttributeMark) {
		c.Extra = AttributeMark
	}
	if !IsRequired(c) {
		c.Extra += requiredWord
	}
}

// Extra is what a column of a table has for Extra: the text of its type, where that has attributes,
// and words.
func Extra(c *catalog.Column) string {
	text := ""
	if AttributesIn(c.SQLType) != (Attributes{}) {
		text = c.SQLType
	}
	if c.OwnCharset {
		text += charsetWord
	}
	if c.Required {
		text += requiredWord
	}
	if text == "" {
		return ""
	}
	return AttributeMark + text
}

// IsBinaryText tells whether a column is being declared BINARY without a character set.
func IsBinaryText(c *sql.Column) bool {
	typ, _ := SplitComment(c.Comment)
	return strings.Contains(typ, binaryWord)
}

// IsInvisible tells whether a column of a table, or one that is being declared, is INVISIBLE.
func IsInvisible(c *sql.Column) bool {
	typ, _ := SplitComment(c.Comment)
	return c.Hidden || strings.HasSuffix(typ, InvisibleWord)
}

// NumberKinds are the types that have attributes: the width ZEROFILL fills unless it is given, and
// whether the storage has a sign of its own.
var NumberKinds = map[string]struct {
	Name   string
	Width  uint8
	Signed bool // UNSIGNED is an attribute, not another storage type
}{
	"tinyint": {"tinyint", 3, false}, "smallint": {"smallint", 5, false}, "mediumint": {"mediumint", 8, false}, "int": {"int", 10, false}, "integer": {"int", 10, false},
	"bigint": {"bigint", 20, false}, "decimal": {"decimal", 0, true}, "numeric": {"decimal", 0, true}, "dec": {"decimal", 0, true}, "fixed": {"decimal", 0, true},
	"float": {"float", 12, true}, "double": {"double", 22, true}, "real": {"double", 22, true}, "double precision": {"double", 22, true},
}

// Declaration is the type's text for AttributesIn.
func (a Attributes) Declaration(ct *ast.ColumnType) string {
	name := strings.ToLower(ct.Type)
	if k, ok := NumberKinds[name]; ok {
		name = k.Name
		if name == "decimal" && ct.Length != nil {
			name += "(" + string(ct.Length.Val)
			if ct.Scale != nil {
				name += "," + string(ct.Scale.Val)
			}
			name += ")"
		}
	}
	return a.Text(name)
}

// Text is the type as MySQL shows it; plain is its text without attributes.
func (a Attributes) Text(plain string) string {
	name, tail, _ := strings.Cut(plain, " ") // "unsigned" may follow
	switch {
	case strings.HasPrefix(name, "time"):
		return TimeText(a.Digits)
	case a.Digits > 0 || a.Scale > 0:
		name += "(" + strconv.Itoa(int(a.Digits)) + "," + strconv.Itoa(int(a.Scale)) + ")"
	case a.Zerofill > 0 && strings.HasSuffix(name, "int"):
		name += "(" + strconv.Itoa(int(a.Zerofill)) + ")"
	}
	if a.Unsigned || a.Zerofill > 0 || tail == "unsigned" {
		name += " unsigned"
	}
	if a.Zerofill > 0 {
		name += " zerofill"
	}
	return name
}

// AttributesIn reads the attributes in a type's text.
func AttributesIn(text string) (a Attributes) {
	name, rest := text, ""
	if at := strings.IndexAny(text, "( "); at >= 0 {
		name, rest = text[:at], text[at:]
	}
	var length, scale int
	if inside, after, ok := strings.Cut(rest, ")"); ok && strings.HasPrefix(inside, "(") {
		l, s, _ := strings.Cut(inside[1:], ",")
		length, _ = strconv.Atoi(l)
		scale, _ = strconv.Atoi(s)
		rest = after
	}
	if name == "time" {
		return Attributes{Digits: uint8(length)}
	}
	k, ok := NumberKinds[name]
	if !ok {
		return a
	}
	a.Unsigned = k.Signed && strings.Contains(rest, "unsigned")
	zerofill := strings.Contains(rest, "zerofill")
	if zerofill {
		a.Zerofill = k.Width
	}
	switch {
	case name == "float" || name == "double":
		if a.Digits, a.Scale = uint8(length), uint8(scale); zerofill && length > 0 {
			a.Zerofill = a.Digits
		}
	case zerofill && name == "decimal":
		if a.Zerofill = uint8(length); length == 0 {
			a.Zerofill = 10
		}
		if scale > 0 {
			a.Zerofill++
		}
	case zerofill && length > 0:
		a.Zerofill = uint8(length)
	}
	return a
}

// Apply puts the attributes into a column's storage.
func (a Attributes) Apply(c *row.Column) {
	switch c.Type {
	case row.TTime, row.TFloat32, row.TFloat64:
		c.Precision, c.Scale = a.Digits, a.Scale
	}
	c.Unsigned, c.Zerofill = a.Unsigned, a.Zerofill
}

// ColumnAttributes are those of a column of a table, or of one that is being declared.
func ColumnAttributes(c *sql.Column) Attributes {
	if text, ok := strings.CutPrefix(c.Extra, AttributeMark); ok {
		return AttributesIn(text)
	}
	text, _ := SplitComment(c.Comment)
	return AttributesIn(text)
}

// SplitComment takes the type's text off a comment.
func SplitComment(comment string) (typ, rest string) {
	if tail, ok := strings.CutPrefix(comment, AttributeMark); ok {
		if typ, rest, ok = strings.Cut(tail, AttributeMark); ok {
			return typ, rest
		}
	}
	return "", comment
}

// AppendColumnFloat writes the value of a FLOAT or DOUBLE column.
func AppendColumnFloat(to []byte, v float64, c *row.Column) []byte {
	switch {
	case c.Precision > 0:
		return sqltype.AppendFixed(to, v, int(c.Scale))
	case c.Type == row.TFloat32:
		return operand.AppendFloat(to, v, 32)
	}
	return operand.AppendFloat(to, v, 64)
}

// ZeroFill puts a column's zeros in front of the number that stands in b from at on.
func ZeroFill(b []byte, at int, c *row.Column) []byte {
	missing := int(c.Zerofill) - (len(b) - at)
	for range missing {
		b = append(b, '0')
	}
	if missing > 0 {
		copy(b[at+missing:], b[at:])
		for i := range missing {
			b[at+i] = '0'
		}
	}
	return b
}

// attributed fits a number to UNSIGNED of its DECIMAL, FLOAT or DOUBLE column, and to (M,D).
func (s *Storer) attributed(ctx *sql.Context, c *sql.Column, a Attributes, f float64) (float64, error) {
	if a.Unsigned && f < 0 {
		return 0, s.outOfRange(ctx, c)
	}
	limit := math.MaxFloat64
	if c.Type.Type() == sqltypes.Float32 {
		limit = math.MaxFloat32
	}
	if a.Digits > 0 {
		unit := math.Pow10(int(a.Scale))
		limit = math.Pow10(int(a.Digits)-int(a.Scale)) - 1/unit
		if !math.IsInf(f, 0) {
			whole := math.Floor(f)
			f = whole + math.RoundToEven((f-whole)*unit)/unit
		}
	}
	if math.Abs(f) > limit {
		return math.Copysign(limit, f), s.outOfRange(ctx, c)
	}
	return f, nil
}
