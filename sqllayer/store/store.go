package store

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sql/charset"
	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/spatial"
	"emberdb/sqllayer/expr/vectors"
	"emberdb/sqllayer/sqlerr"
)

// Values on their way into a column, as sql_mode wants them: in strict mode a value that does not
// fit is an error that names column and row; otherwise, and with IGNORE, it is brought into the
// column's range and a warning is left. GMS clamps silently in UPDATE, knows no lenient mode, and
// its errors name no column; so every value passes storer.value before GMS converts it to the
// column's Go type.

// Storer converts the values of one statement.
type Storer struct {
	Strict  bool      // a value that does not fit is an error
	dates   own.Dates // that sql_mode takes
	Row     int64
	Origin  string          // the column or function that a value comes from
	Nulls   map[string]bool // of an INSERT: columns whose NULLs were told of, each once
	from    sql.Type        // of the value as it is given; nil: not known
	bytes   bool            // the session's strings are bytes
	Joined  bool            // rows come of a join: conditions may be tried on rows that MySQL does not come to
	NoNulls bool            // a NULL for a column that is NOT NULL is an error, whatever the mode
}

// byteStrings is a session that may be under SET NAMES binary.
type byteStrings interface{ BytesAreStrings() bool }

func NewStorer(ctx *sql.Context, ignore bool) Storer {
	mode := operand.Mode(ctx)
	strict := mode.ModeEnabled("STRICT_TRANS_TABLES") || mode.ModeEnabled("STRICT_ALL_TABLES")
	s, known := ctx.Session.(byteStrings)
	return Storer{bytes: known && s.BytesAreStrings(), Strict: strict && !ignore, dates: operand.DatesOf(ctx)}
}

// Complain is an error in strict mode, else a warning.
func (s *Storer) Complain(ctx *sql.Context, code int, format string, args ...any) error {
	if s.Strict {
		return sqlerr.NewError(code, format, args...)
	}
	ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: code, Message: fmt.Sprintf(format, args...)})
	return nil
}

// Null tells that something else is stored in place of a NULL.
func (s *Storer) Null(ctx *sql.Context, c *sql.Column) {
	if s.Nulls[c.Name] {
		return
	}
	if s.Nulls != nil {
		s.Nulls[c.Name] = true
	}
	ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: mysql.ERBadNullError, Message: NoNull(c).Message})
}

const (
	erNoGeometry = 1416
	erNoneInNull = 3673
)

// NoNull is the error of a NULL for a column that takes none.
func NoNull(c *sql.Column) *mysql.SQLError {
	code := mysql.ERBadNullError
	if NeedsValue(c) {
		code = erNoneInNull
	}
	return sqlerr.NewError(code, "Column '%s' cannot be null", c.Name)
}

// Implied is what a column without a default holds where none is an error: NULL, the first member of
// an ENUM, else a zero.
func Implied(c *sql.Column) any {
	switch {
	case c.Nullable:
		return nil
	case types.IsEnum(c.Type):
		return uint16(1)
	}
	return c.Type.Zero()
}

// NeedsValue tells a column that takes no NULL in any mode: no geometry stands for none.
func NeedsValue(c *sql.Column) bool { return !c.Nullable && operand.IsSpatial(c.Type) }

// Warned makes the first warning of a statement that changes rows its error in strict mode, if
// MySQL does so. before is the number of warnings before the values and conditions of a row were
// computed; those since are taken back, as the error stands for them.
func (s *Storer) Warned(ctx *sql.Context, before uint16) error {
	now := ctx.Session.WarningCount()
	if !s.Strict || now <= before {
		return nil
	}
	list := ctx.Session.Warnings()
	for _, w := range list[min(int(before), len(list)):] {
		if w.Level == "Warning" && s.strict(w.Code) {
			if f, ok := ctx.Session.(forgetter); ok {
				f.ForgetWarnings(int(now - before))
			}
			return sqlerr.NewError(w.Code, "%s", w.Message)
		}
	}
	return nil
}

// strict tells whether a warning is an error in strict mode. Texts that are no numbers or dates are
// common beside conditions of a join that keep them out.
func (s *Storer) strict(code int) bool {
	if s.Joined && (code == 1292 || code == 1411) {
		return false
	}
	return slices.Contains(strictCodes[:], code)
}

// forgetter is a session that takes its last n warnings back.
type forgetter interface{ ForgetWarnings(n int) }

// strictCodes are the warnings of expressions that are errors in strict mode.
var strictCodes = [...]int{
	1260, // GROUP_CONCAT was cut
	1264, // out of range
	1292, // a text that is no number, date or time, or more than one
	1301, // longer than max_allowed_packet
	1365, // division by zero
	1366, // no text of the character set
	1411, // not what a function takes
	1441, // a date beyond the calendar
	3020, // a logarithm that there is not
}

func (s *Storer) outOfRange(ctx *sql.Context, c *sql.Column) error {
	return s.Complain(ctx, mysql.ERWarnDataOutOfRange, "Out of range value for column '%s' at row %d", c.Name, s.Row)
}

func (s *Storer) truncated(ctx *sql.Context, c *sql.Column) error {
	return s.Complain(ctx, mysql.ERWarnDataTruncated, "Data truncated for column '%s' at row %d", c.Name, s.Row)
}

// note tells of a loss that is none in any mode.
func (s *Storer) note(ctx *sql.Context, c *sql.Column) {
	ctx.Session.Warn(&sql.Warning{Level: "Note", Code: mysql.ERWarnDataTruncated, Message: fmt.Sprintf("Data truncated for column '%s' at row %d", c.Name, s.Row)})
}

// Given is value of one that has a type; nil: it is not known.
func (s *Storer) Given(ctx *sql.Context, c *sql.Column, from sql.Type, v any) (any, error) {
	s.from = from
	if text, ok := v.(string); ok && s.fromBytes() {
		v = []byte(text)
	}
	return s.Value(ctx, c, clockValue(ctx, c, from, v))
}

// Value makes v one that the column's type converts without loss.
func (s *Storer) Value(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	t := c.Type
	if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return nil, sqlerr.NewError(mysql.ERWarnDataOutOfRange, "Out of range value for column '%s' at row %d", c.Name, s.Row)
	}
	if b, ok := v.(operand.Bytes); ok {
		if v = []byte(b); types.IsNumber(t) && !types.IsBit(t) {
			v = b.Number()
		}
	}
	v, err := s.ofBytes(ctx, c, v)
	if err == nil && !types.IsJSON(t) {
		v, err = s.ofDocument(ctx, c, v)
	}
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
		return s.document(ctx, c, v)
	case vectors.Is(t):
		return s.vector(ctx, c, v)
	case operand.IsSpatial(t):
		return geometryValue(ctx, c, v)
	}
	return v, nil
}

// geometryValue is a geometry of the column's kind and spatial reference.
func geometryValue(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	v, err := spatial.Geometry(ctx, c.Type, v)
	if err != nil {
		return nil, err
	}
	switch _, _, err := c.Type.Convert(ctx, v); {
	case sql.ErrNotMatchingSRID.Is(err):
		return nil, sql.ErrNotMatchingSRIDWithColName.New(c.Name, err)
	case err != nil:
		return nil, sqlerr.NewError(erNoGeometry, "Cannot get geometry object from data you send to the GEOMETRY field")
	}
	return v, nil
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

// text cuts a string to the column's length. Spaces that are lost are no loss.
func (s *Storer) text(ctx *sql.Context, c *sql.Column, t sql.StringType, v any) (any, error) {
	if n, ok := Signed(v); ok {
		v = strconv.FormatInt(n, 10)
	} else if n, ok := Unsigned(v); ok {
		v = strconv.FormatUint(n, 10)
	} else if f, ok := v.(float64); ok {
		v = string(operand.AppendFloat(nil, f, 64))
	} else if f, ok := v.(float32); ok {
		bits := 64 // a FLOAT is a DOUBLE on its way into CHAR and VARCHAR
		if kind := t.Type(); kind == sqltypes.Text || kind == sqltypes.Blob {
			bits = 32
		}
		v = string(operand.AppendFloat(nil, float64(f), bits))
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
func (s *Storer) characters(ctx *sql.Context, c *sql.Column, t sql.StringType, v any) (any, error) {
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
		characters := v
		if set.Name() == "ascii" { // its other bytes are no characters, though a text may hold them
			if at := bytes.IndexFunc(v, func(r rune) bool { return r >= utf8.RuneSelf }); at >= 0 {
				characters = v[:at]
			}
		}
		text, read := set.Decode(make([]byte, 0, len(characters)), characters)
		if read == len(v) {
			return string(text), nil
		}
		return string(text), s.notText(ctx, c, v[read:])
	}
	return v, nil
}

// fromBytes tells whether a string is bytes of no character set, as those behind _binary are.
func (s *Storer) fromBytes() bool {
	from, ok := s.from.(sql.StringType)
	return ok && from.Collation() == sql.Collation_binary
}

// vector takes bytes into a VECTOR, and nothing else. One of too many numbers is none.
func (s *Storer) vector(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	if !vectors.Whole(v) {
		return nil, vectors.NotOne(v)
	}
	stored, _, err := c.Type.Convert(ctx, v)
	if b, ok := stored.([]byte); ok && len(b) > c.Type.(vectors.Type).Bytes() {
		return []byte{}, s.Complain(ctx, mysql.ERDataTooLong, "Data too long for column '%s' at row %d", c.Name, s.Row)
	}
	return stored, err
}

// converted is a text in which the column's character set may lack characters: they become question
// marks.
func (s *Storer) converted(ctx *sql.Context, c *sql.Column, set *charset.Set, text string) (string, error) {
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
func (s *Storer) notText(ctx *sql.Context, c *sql.Column, rest []byte) error {
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
	return s.Complain(ctx, mysql.ERTruncatedWrongValueForField, "Incorrect string value: '%s' for column '%s' at row %d", shown.String(), c.Name, s.Row)
}

func (s *Storer) cut(ctx *sql.Context, c *sql.Column, char bool, kept, lost string, binary bool) (any, error) {
	switch {
	case !binary && strings.Trim(lost, " ") == "":
		if !char {
			s.note(ctx, c)
		}
	case s.Strict:
		return nil, sqlerr.NewError(mysql.ERDataTooLong, "Data too long for column '%s' at row %d", c.Name, s.Row)
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

func (s *Storer) bit(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	if _, _, err := c.Type.Convert(ctx, v); err == nil {
		return v, nil
	}
	width := c.Type.(types.BitType).NumberOfBits()
	most := uint64(1)<<width - 1
	if NewStorer(ctx, false).Strict { // also where IGNORE makes a warning of it
		return most, s.Complain(ctx, mysql.ERDataTooLong, "Data too long for column '%s' at row %d", c.Name, s.Row)
	}
	return most, s.outOfRange(ctx, c)
}

// year makes a year of a number: two digits stand for 1970 to 2069, and so does the text of a zero
// that has not four characters.
func (s *Storer) year(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	whole, ok := Signed(v)
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
func (s *Storer) yearNumber(ctx *sql.Context, c *sql.Column, v any) (whole int64, ok bool, err error) {
	switch x := v.(type) {
	case float32:
		v = cutYear(float64(x))
	case float64:
		v = cutYear(x)
	case []byte:
		v = string(x)
	}
	if n, ok := Unsigned(v); ok {
		return int64(min(n, math.MaxInt64)), true, nil
	}
	d, rest, err := s.number(ctx, c, v, "integer")
	if err == nil && rest {
		err = s.truncated(ctx, c)
	}
	if err != nil || d == nil {
		return 0, false, err
	}
	if d, err = operand.Rounded(d, 0); err != nil {
		return -1, true, nil
	}
	if whole, err = strconv.ParseInt(d.Text('f'), 10, 64); err != nil {
		return -1, true, nil
	}
	if text, isText := v.(string); isText && whole == 0 && len(text) != len("0000") && operand.NumberPrefix(strings.TrimSpace(text)) > 0 {
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

func (s *Storer) member(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	if d, ok := v.(*apd.Decimal); ok {
		v = types.DecimalTruncatedIntPart(d) // as MySQL cuts doubles too
	}
	n, number := Signed(v)
	none := number && n == 0 && types.IsEnum(c.Type) // the number of no member; a column's own is no such number
	if converted, in, err := c.Type.Convert(ctx, asMembers(ctx, c.Type, v)); err == nil && in == sql.InRange && !none {
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
	if n, ok := Signed(v); ok {
		return uint64(n) & all, nil
	}
	if n, ok := Unsigned(v); ok {
		return n & all, nil
	}
	text, isText := v.(string)
	if !isText {
		return c.Type.Zero(), nil
	}
	var known []string
	for _, m := range strings.Split(text, ",") {
		if isMember(ctx, set, m) {
			known = append(known, m)
		}
	}
	return strings.Join(known, ","), nil
}

// RowBytes is what a column counts against the 65,535 bytes of a row.
func RowBytes(t sql.Type) int64 {
	if s, ok := t.(sql.StringType); ok && !types.IsTextBlob(t) {
		n := s.MaxByteLength()
		if n > 255 {
			return n + 2
		}
		return n + 1
	}
	c, err := StorageColumn(t, true)
	if err != nil || c.Overflows() {
		return 12 // TEXT, BLOB and their like
	}
	return 8
}

// Kept is a value as a variable of the column's type has it.
func (s *Storer) Kept(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = s.Value(ctx, c, v); err != nil || v == nil {
		return nil, err
	}
	v, _, err = c.Type.Convert(ctx, v)
	return v, err
}
