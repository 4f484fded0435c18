package sqllayer

// Values on their way into a column, as sql_mode wants them: in strict mode a value that does not
// fit is an error that names column and row; otherwise, and with IGNORE, it is brought into the
// column's range and a warning is left. GMS clamps silently in UPDATE, knows no lenient mode, and
// its errors name no column; so every value passes storer.value before GMS converts it to the
// column's Go type.

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sql/charset"
	"emberdb/sqllayer/expr"
)

// storer converts the values of one statement.
type storer struct {
	strict  bool // a value that does not fit is an error
	noZero  bool // NO_ZERO_DATE
	noParts bool // NO_ZERO_IN_DATE
	row     int64
	nulls   map[string]bool // of an INSERT: columns whose NULLs were told of, each once
	from    sql.Type        // of the value as it is given; nil: not known
	bytes   bool            // the session's strings are bytes
	noNulls bool            // a NULL for a column that is NOT NULL is an error, whatever the mode
}

// byteStrings is a session that may be under SET NAMES binary.
type byteStrings interface{ BytesAreStrings() bool }

func newStorer(ctx *sql.Context, ignore bool) storer {
	mode := expr.Mode(ctx)
	strict := mode.ModeEnabled("STRICT_TRANS_TABLES") || mode.ModeEnabled("STRICT_ALL_TABLES")
	s, known := ctx.Session.(byteStrings)
	return storer{bytes: known && s.BytesAreStrings(), strict: strict && !ignore, noZero: mode.ModeEnabled("NO_ZERO_DATE"), noParts: mode.ModeEnabled("NO_ZERO_IN_DATE")}
}

// complain is an error in strict mode, else a warning.
func (s *storer) complain(ctx *sql.Context, code int, format string, args ...any) error {
	if s.strict {
		return NewError(code, format, args...)
	}
	ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: code, Message: fmt.Sprintf(format, args...)})
	return nil
}

// null tells that something else is stored in place of a NULL.
func (s *storer) null(ctx *sql.Context, c *sql.Column) {
	if s.nulls[c.Name] {
		return
	}
	if s.nulls != nil {
		s.nulls[c.Name] = true
	}
	ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: mysql.ERBadNullError, Message: fmt.Sprintf(noNull, c.Name)})
}

const (
	erNoGeometry = 1416
	erNoVector   = 6136
)

const noNull = "Column '%s' cannot be null"

// divided makes the warning of a division by zero, or of a logarithm that there is not, an error in
// strict mode. before is the number of warnings before the values were computed.
func (s *storer) divided(ctx *sql.Context, before uint16) error {
	if !s.strict || ctx.Session.WarningCount() == before {
		return nil
	}
	for _, w := range ctx.Session.Warnings() {
		if w.Code == erDivisionByZero || w.Code == erLogarithm {
			return NewError(w.Code, "%s", w.Message)
		}
	}
	return nil
}

const (
	erDivisionByZero = 1365
	erLogarithm      = 3020
)

func (s *storer) outOfRange(ctx *sql.Context, c *sql.Column) error {
	return s.complain(ctx, mysql.ERWarnDataOutOfRange, "Out of range value for column '%s' at row %d", c.Name, s.row)
}

func (s *storer) truncated(ctx *sql.Context, c *sql.Column) error {
	return s.complain(ctx, mysql.ERWarnDataTruncated, "Data truncated for column '%s' at row %d", c.Name, s.row)
}

// note tells of a loss that is none in any mode.
func (s *storer) note(ctx *sql.Context, c *sql.Column) {
	ctx.Session.Warn(&sql.Warning{Level: "Note", Code: mysql.ERWarnDataTruncated, Message: fmt.Sprintf("Data truncated for column '%s' at row %d", c.Name, s.row)})
}

// given is value of one that has a type; nil: it is not known.
func (s *storer) given(ctx *sql.Context, c *sql.Column, from sql.Type, v any) (any, error) {
	s.from = from
	return s.value(ctx, c, clockValue(ctx, c, from, v))
}

// value makes v one that the column's type converts without loss.
func (s *storer) value(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	t := c.Type
	if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return nil, NewError(mysql.ERWarnDataOutOfRange, "Out of range value for column '%s' at row %d", c.Name, s.row)
	}
	if b, ok := v.(expr.Bytes); ok {
		if v = []byte(b); types.IsNumber(t) && !types.IsBit(t) {
			v = b.Number()
		}
	}
	v, err := s.ofBytes(ctx, c, v)
	if err != nil {
		return nil, err
	}
	switch {
	case types.IsBit(t):
		return s.bit(ctx, c, v)
	case types.IsYear(t):
		return s.year(ctx, c, v)
	case types.IsInteger(t):
		return s.integer(ctx, c, v)
	case types.IsDecimal(t):
		return s.decimal(ctx, c, v)
	case types.IsFloat(t):
		return s.float(ctx, c, v)
	case types.IsEnum(t), types.IsSet(t):
		return s.member(ctx, c, v)
	case types.IsTimespan(t):
		return s.timespan(ctx, c, v)
	case types.IsTime(t):
		return s.time(ctx, c, v)
	}
	if st, ok := t.(sql.StringType); ok {
		if v, err := s.text(ctx, c, st, v); err != nil {
			return nil, err
		} else if text, ok := v.(string); ok {
			return oneByte(st, text), nil
		} else {
			return v, nil
		}
	}
	switch {
	case types.IsJSON(t):
		return s.document(c, v)
	case t.Type() == sqltypes.Vector:
		return s.vector(v)
	case types.IsGeometry(t):
		if _, _, err := t.Convert(ctx, v); err != nil {
			return nil, NewError(erNoGeometry, "Cannot get geometry object from data you send to the GEOMETRY field")
		}
	}
	return expr.Geometry(ctx, t, v)
}

// oneByte writes a text for a column whose character set has one byte for each character in that
// set, where the library would take its UTF-8 for too long: it counts bytes, and then makes UTF-8
// of what is none.
func oneByte(t sql.StringType, text string) string {
	if t.Type() == sqltypes.Text || t.CharacterSet().MaxLength() != 1 || t.CharacterSet() == sql.CharacterSet_binary || int64(len(text)) <= t.MaxCharacterLength() {
		return text
	}
	if b, _ := charset.Find(t.CharacterSet().Name()).Encode(nil, []byte(text)); !utf8.Valid(b) {
		return string(b)
	}
	return text
}

// document reads a text with the numbers that stand in it. Numbers themselves are no documents, and
// neither are bytes of no character set.
func (s *storer) document(c *sql.Column, v any) (any, error) {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case []byte:
		if s.from != nil && types.IsBinaryType(s.from) {
			return nil, NewError(mysql.ERInvalidJSONCharset, "Cannot create a JSON value from a string with CHARACTER SET 'binary'.")
		}
		text = string(v)
	case bool, int8, int16, int32, int64, int, uint8, uint16, uint32, uint64, uint, float32, float64, *apd.Decimal, time.Time, types.Timespan:
		return nil, noDocument(c, "not a JSON text, may need CAST", 0)
	default:
		return v, nil
	}
	parsed, err := expr.ParseDocument([]byte(text))
	if expr.IsJSONDepth(err) {
		return nil, err
	}
	if err != nil {
		fault, at := expr.DocumentFault(text)
		return nil, noDocument(c, fault, at)
	}
	return types.JSONDocument{Val: parsed}, nil
}

func noDocument(c *sql.Column, fault string, at int) error {
	return NewError(mysql.ERInvalidJSONText, "Invalid JSON text: \"%s\" at position %d in value for column '%s.%s'.", fault, at, c.Source, c.Name)
}

// text cuts a string to the column's length. Spaces that are lost are no loss.
func (s *storer) text(ctx *sql.Context, c *sql.Column, t sql.StringType, v any) (any, error) {
	if n, ok := signed(v); ok {
		v = strconv.FormatInt(n, 10)
	} else if n, ok := unsigned(v); ok {
		v = strconv.FormatUint(n, 10)
	} else if f, ok := v.(float64); ok {
		v = string(expr.AppendFloat(nil, f, 64))
	} else if f, ok := v.(float32); ok {
		bits := 64 // a FLOAT is a DOUBLE on its way into CHAR and VARCHAR
		if kind := t.Type(); kind == sqltypes.Text || kind == sqltypes.Blob {
			bits = 32
		}
		v = string(expr.AppendFloat(nil, float64(f), bits))
	}
	v, err := s.characters(ctx, c, t, v)
	if err != nil {
		return nil, err
	}
	switch x := v.(type) {
	case string:
		limit := t.MaxCharacterLength()
		kind := t.Type()
		if kind == sqltypes.Char && t.CharacterSet() != sql.CharacterSet_binary {
			x = strings.TrimRight(x, " ") // as it is stored: an UPDATE compares
			v = x
		}
		byBytes := kind == sqltypes.Text || kind == sqltypes.Blob || t.CharacterSet() == sql.CharacterSet_binary
		if byBytes {
			limit = t.MaxByteLength()
		}
		if int64(len(x)) <= limit {
			return v, nil
		}
		keep := len(x)
		if byBytes {
			keep = int(limit)
			for keep > 0 && t.CharacterSet() != sql.CharacterSet_binary && !utf8.RuneStart(x[keep]) {
				keep--
			}
		} else if n := int64(utf8.RuneCountInString(x)); n > limit {
			keep = prefixBytes(x, limit)
		}
		if keep == len(x) {
			return v, nil
		}
		return s.cut(ctx, c, kind == sqltypes.Char, x[:keep], x[keep:], t.CharacterSet() == sql.CharacterSet_binary)
	case []byte:
		if limit := t.MaxByteLength(); int64(len(x)) > limit && t.CharacterSet() == sql.CharacterSet_binary {
			cut, err := s.cut(ctx, c, false, string(x[:limit]), string(x[limit:]), true)
			if err != nil {
				return nil, err
			}
			return []byte(cut.(string)), nil
		}
	}
	return v, nil
}

// characters makes a text of what is on its way into a column of texts: one that the column's
// character set has.
func (s *storer) characters(ctx *sql.Context, c *sql.Column, t sql.StringType, v any) (any, error) {
	if t.CharacterSet() == sql.CharacterSet_binary {
		return v, nil
	}
	set := charset.Find(t.CharacterSet().Name())
	switch v := v.(type) {
	case string:
		if set.Holds(v) {
			return v, nil
		}
		return s.converted(ctx, c, set, v)
	case []byte:
		text, read := set.Decode(make([]byte, 0, len(v)), v)
		if read == len(v) {
			return string(text), nil
		}
		return string(text), s.notText(ctx, c, v[read:])
	}
	return v, nil
}

// fromBytes tells whether a string is bytes of no character set, as those behind _binary are.
func (s *storer) fromBytes() bool {
	from, ok := s.from.(sql.StringType)
	return ok && from.Collation() == sql.Collation_binary
}

// vector makes bytes of what is on its way into a VECTOR: nothing else is one.
func (s *storer) vector(v any) (any, error) {
	text, ok := v.(string)
	if !ok {
		return v, nil
	}
	if !s.fromBytes() || len(text) == 0 || len(text)%4 != 0 {
		return nil, NewError(erNoVector, "Value of type 'string, size: %d' cannot be converted to 'vector' type.", len(text))
	}
	return []byte(text), nil
}

// converted is a text in which the column's character set may lack characters: they become question
// marks.
func (s *storer) converted(ctx *sql.Context, c *sql.Column, set *charset.Set, text string) (string, error) {
	from := charset.Find("utf8mb4")
	if of, ok := s.from.(sql.TypeWithCollation); ok {
		if known := charset.Find(of.Collation().CharacterSet().Name()); known != nil {
			from = known
		}
	}
	if from == set {
		return text, nil
	}
	var out []byte
	bad := -1
	for at, r := range text {
		r = from.Unicode(r)
		if !set.Has(r) {
			if r = '?'; bad < 0 {
				bad = at
			}
		}
		out = utf8.AppendRune(out, r)
	}
	if bad < 0 {
		return string(out), nil
	}
	shown, _ := from.Encode(nil, []byte(text[bad:min(len(text), bad+32)]))
	return string(out), s.notText(ctx, c, shown)
}

// notText complains of bytes that are no characters of a column.
func (s *storer) notText(ctx *sql.Context, c *sql.Column, rest []byte) error {
	var shown strings.Builder
	for _, x := range rest[:min(len(rest), 6)] {
		if x >= 0x20 && x < 0x7f {
			shown.WriteByte(x)
		} else {
			fmt.Fprintf(&shown, "\\x%02X", x)
		}
	}
	if len(rest) > 6 {
		shown.WriteString("...")
	}
	return s.complain(ctx, mysql.ERTruncatedWrongValueForField, "Incorrect string value: '%s' for column '%s' at row %d", shown.String(), c.Name, s.row)
}

func (s *storer) cut(ctx *sql.Context, c *sql.Column, char bool, kept, lost string, binary bool) (any, error) {
	switch {
	case !binary && strings.Trim(lost, " ") == "":
		if !char {
			s.note(ctx, c)
		}
	case s.strict:
		return nil, NewError(mysql.ERDataTooLong, "Data too long for column '%s' at row %d", c.Name, s.row)
	default:
		_ = s.truncated(ctx, c) // a warning here
	}
	if char {
		kept = strings.TrimRight(kept, " ") // which stood inside of the text
	}
	return kept, nil
}

// prefixBytes is the length of the first n characters.
func prefixBytes(text string, n int64) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

func (s *storer) bit(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	if _, _, err := c.Type.Convert(ctx, v); err == nil {
		return v, nil
	}
	width := c.Type.(types.BitType).NumberOfBits()
	most := uint64(1)<<width - 1
	if newStorer(ctx, false).strict { // also where IGNORE makes a warning of it
		return most, s.complain(ctx, mysql.ERDataTooLong, "Data too long for column '%s' at row %d", c.Name, s.row)
	}
	return most, s.outOfRange(ctx, c)
}

// year makes a year of a number: two digits stand for 1970 to 2069, and so does the text of a zero
// that has not four characters.
func (s *storer) year(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	whole, ok := signed(v)
	if !ok {
		var err error
		if whole, ok, err = s.yearNumber(ctx, c, v); err != nil {
			return nil, err
		}
		if !ok {
			if _, _, err := c.Type.Convert(ctx, v); err == nil {
				return v, nil
			}
			whole = -1
		}
	}
	switch {
	case whole < 0, whole >= 100 && whole <= 1900, whole > 2155:
		return int64(0), s.outOfRange(ctx, c)
	case whole > 0 && whole < 70:
		whole += 2000
	case whole >= 70 && whole < 100:
		whole += 1900
	}
	return whole, nil
}

// yearNumber reads a year that is no signed integer; ok is false if go-mysql-server shall. MySQL
// rounds texts and decimals, but cuts doubles.
func (s *storer) yearNumber(ctx *sql.Context, c *sql.Column, v any) (whole int64, ok bool, err error) {
	switch x := v.(type) {
	case float32:
		v = cutYear(float64(x))
	case float64:
		v = cutYear(x)
	case []byte:
		v = string(x)
	}
	if n, ok := unsigned(v); ok {
		return int64(min(n, math.MaxInt64)), true, nil
	}
	d, rest, err := s.number(ctx, c, v, "integer")
	if err == nil && rest {
		err = s.truncated(ctx, c)
	}
	if err != nil || d == nil {
		return 0, false, err
	}
	if d, err = expr.Rounded(d, 0); err != nil {
		return -1, true, nil
	}
	if whole, err = strconv.ParseInt(d.Text('f'), 10, 64); err != nil {
		return -1, true, nil
	}
	if text, isText := v.(string); isText && whole == 0 && len(text) != len("0000") && expr.NumberPrefix(strings.TrimSpace(text)) > 0 {
		whole = 2000
	}
	return whole, true, nil
}

// cutYear cuts the fraction of a year; a negative number is none.
func cutYear(f float64) float64 {
	if f < 0 {
		return math.Floor(f)
	}
	return math.Trunc(f)
}

func (s *storer) member(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	if d, ok := v.(*apd.Decimal); ok {
		v = types.DecimalTruncatedIntPart(d) // as MySQL cuts doubles too
	}
	n, number := signed(v)
	none := number && n == 0 && types.IsEnum(c.Type) // the number of no member; a column's own is no such number
	if converted, in, err := c.Type.Convert(ctx, v); err == nil && in == sql.InRange && !none {
		return converted, nil
	}
	if err := s.truncated(ctx, c); err != nil {
		return nil, err
	}
	set, ok := c.Type.(types.SetType)
	if !ok {
		return c.Type.Zero(), nil
	}
	all := uint64(math.MaxUint64) >> (64 - set.NumberOfElements())
	if n, ok := signed(v); ok {
		return uint64(n) & all, nil
	}
	if n, ok := unsigned(v); ok {
		return n & all, nil
	}
	text, isText := v.(string)
	if !isText {
		return c.Type.Zero(), nil
	}
	var known []string
	for _, m := range strings.Split(text, ",") {
		if _, _, err := set.Convert(ctx, m); err == nil {
			known = append(known, m)
		}
	}
	return strings.Join(known, ","), nil
}
