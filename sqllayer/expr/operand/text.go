package operand

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	own "emberdb/sql/types"
)

// Text gives a value that is no string as MySQL writes it: go-mysql-server writes every date with a
// time, large and small floats without an exponent, bits as a number, and its functions of texts do
// not know all types.
type Text struct{ One }

var _ sql.CollationCoercible = (*Text)(nil)

// wanted are the kinds of values that become texts.
type wanted uint8

const (
	Clocks      wanted = 1 << iota // dates and times
	MemberTexts                    // of ENUM and SET
	Documents                      // JSON
	Numbers
	Bitfields
	filled // BINARY(n): what is made of it has another length

	Anything = Clocks | MemberTexts | Documents | Numbers | Bitfields | filled
)

// KindOf is the kind of a type's values; 0: they are texts already.
func KindOf(t sql.Type) wanted {
	switch {
	case types.IsTime(t), types.IsTimespan(t):
		return Clocks
	case types.IsEnum(t), types.IsSet(t):
		return MemberTexts
	case types.IsJSON(t):
		return Documents
	case types.IsBit(t):
		return Bitfields
	case types.IsNumber(t), types.IsYear(t):
		return Numbers
	case t.Type() == sqltypes.Binary:
		return filled
	}
	return 0
}

// NewText wraps an expression whose values are of a kind that is wanted as text.
func NewText(ctx *sql.Context, e sql.Expression, want wanted) sql.Expression {
	if !e.Resolved() || KindOf(e.Type(ctx))&want == 0 {
		return e
	}
	return &Text{Over(e)}
}

// isColumn tells whether an expression is a column's value.
func isColumn(e sql.Expression) bool {
	if f, ok := e.(*Field); ok {
		return isColumn(f.Child)
	}
	_, ok := e.(*expression.GetField)
	return ok
}

// Texts does so with all arguments.
func Texts(ctx *sql.Context, args []sql.Expression, want wanted) []sql.Expression {
	out := make([]sql.Expression, len(args))
	for i, e := range args {
		out[i] = NewText(ctx, e, want)
	}
	return out
}

// Type implements sql.Expression.
func (t *Text) Type(ctx *sql.Context) sql.Type {
	if of := t.Child.Type(ctx); types.IsBit(of) || IsBinary(of) {
		return types.LongBlob
	} else if KindOf(of) == MemberTexts {
		collation, _ := sql.GetCoercibility(ctx, t.Child)
		return types.CreateLongText(collation)
	}
	return types.LongText
}

// CollationCoercibility implements sql.CollationCoercible.
func (t *Text) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	of := t.Child.Type(ctx)
	switch {
	case types.IsJSON(of):
		return sql.Collation_utf8mb4_bin, 2
	case types.IsBit(of):
		return sql.Collation_binary, 2
	case KindOf(of)&(MemberTexts|filled) != 0:
		return sql.GetCoercibility(ctx, t.Child)
	}
	return ctx.GetCollation(), 4
}

// WithChildren implements sql.Expression.
func (t *Text) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(t, children)
}

// Eval implements sql.Expression.
func (t *Text) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return v, err
	}
	typ := t.Child.Type(ctx)
	column := isColumn(t.Child)
	switch v := v.(type) {
	case float64:
		return string(own.FloatText(nil, v, 64, column)), nil
	case float32:
		return string(own.FloatText(nil, float64(v), 32, column)), nil
	case uint16:
		if of, ok := typ.(sql.EnumType); ok {
			text, _ := of.At(int(v))
			return text, nil
		}
	case uint64:
		if of, ok := typ.(sql.SetType); ok {
			return of.BitsToString(v)
		}
		if of, ok := typ.(types.BitType); ok {
			return BitBytes(v, int(of.NumberOfBits())), nil
		}
	case sql.JSONWrapper:
		text, err := AppendDocument(ctx, nil, v)
		return string(text), err
	case time.Time:
		if v.Equal(types.ZeroTime) {
			break
		}
		digits := 0
		if d, ok := typ.(sql.DatetimeType); ok && (column || v.Nanosecond() != 0) {
			digits = d.Precision()
		}
		return ShownMoment(v, types.IsDateType(typ), digits), nil
	case types.Timespan:
		if int64(v)%1e6 == 0 {
			return v.String()[:len(v.String())-len(FractionOf(v.String()))], nil
		}
	}
	out, err := typ.SQL(ctx, nil, v)
	return out.ToString(), err
}

// BitBytes are the bytes of a number of bits, the highest first.
func BitBytes(v uint64, bits int) []byte {
	all := binary.BigEndian.AppendUint64(nil, v)
	return all[8-(bits+7)/8:]
}

// FractionOf is the point and what stands behind it.
func FractionOf(text string) string {
	for i := range text {
		if text[i] == '.' {
			return text[i:]
		}
	}
	return ""
}

// TextArguments tells what the arguments of a function are: t a text, w a text unless it is a
// number, d a text unless it is bits, v a value that JSON has as text, . something else. The last
// letter is that of all arguments that follow.
var TextArguments = map[string]string{"aes_decrypt": "t", "aes_encrypt": "t", "ascii": "t", "bit_length": "t", "char_length": "t", "character_length": "t", "compress": "t",
	"concat": "t", "concat_ws": "t", "conv": "d.", "crc32": "t", "elt": ".t", "export_set": ".ttt.", "field": "w", "find_in_set": "t", "hex": "w", "inet_aton": "t", "insert": "t..t",
	"instr": "t", "json_array": "v", "json_object": "v", "lcase": "t", "left": "t.", "length": "t", "locate": "tt.", "lower": "t", "lpad": "t.t", "ltrim": "t",
	"make_set": ".t", "md5": "t", "mid": "t.", "octet_length": "t", "ord": "t", "regexp_instr": "tt...t", "regexp_like": "t", "regexp_replace": "ttt..t",
	"regexp_substr": "tt..t", "repeat": "t.", "replace": "t", "reverse": "t", "right": "t.", "rpad": "t.t", "rtrim": "t", "sha": "t", "sha1": "t", "sha2": "t.",
	"soundex": "t", "strcmp": "t", "substr": "t.", "substring": "t.", "substring_index": "tt.", "to_base64": "t", "ucase": "t", "unhex": "t", "upper": "t", TrimBoth: "t", TrimLeading: "t", TrimTrailing: "t"}

// inDocument is the letter of arguments that become parts of documents.
const inDocument = 'v'

// kindsOfArgument are what the letters of TextArguments want as text.
var kindsOfArgument = map[byte]wanted{'t': Anything, 'w': Anything &^ (Numbers | Bitfields), 'd': Anything &^ Bitfields, inDocument: Clocks | MemberTexts}

// ofBytes is how many arguments of a function, from the first, are the bytes that they have in their
// character sets.
var ofBytes = map[string]int{"aes_encrypt": 2, "aes_decrypt": 2, "ascii": 1, "bit_length": 1, "compress": 1, "crc32": 1, "md5": 1, "sha": 1, "sha1": 1, "sha2": 1, "to_base64": 1}

// LetterOf is the letter of an argument.
func LetterOf(letters string, at int) byte { return letters[min(at, len(letters)-1)] }

// writtenText is the name of the function that Replace puts around operands that are texts and
// stand where no function is called.
const writtenText = "text of "

func init() {
	Surround(takingTexts, func(name string) bool { return TextArguments[name] != "" }, takeTexts)
	inBase("bin", 2)
	inBase("oct", 8)
	Register(sql.Function1{Name: "quote", Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
		return &Quoted{LikeOf(NewText(ctx, e, Anything))}
	}})
	Surround(makingTexts, makesText, collateResult)
	Register(sql.Function1{Name: ResultText, Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression { return InCollation(ctx, e) }})
	Register(sql.FunctionN{Name: shortenedText, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		to, err := castLength(args[1])
		if err == nil && to > math.MaxUint32/utf8.UTFMax {
			err = mysql.NewSQLError(mysql.ERDataOutOfRange, "22003", "char(n) value is out of range in 'cast_as_char'")
		}
		return &Shortened{LikeOf(args[0]), to}, err
	}})
	Register(sql.FunctionN{Name: filledBytes, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		to, err := castLength(args[1])
		return &filledCast{LikeOf(args[0]), to}, err
	}})
	Register(sql.Function1{Name: writtenText, Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
		return NewText(ctx, e, Anything)
	}})
}

// takeTexts makes texts of the arguments of a function.
func takeTexts(name string, f sql.Function) sql.Function {
	letters := TextArguments[name]
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		wrapped := make([]sql.Expression, len(args))
		for i, e := range args {
			if letter := LetterOf(letters, i); letter == inDocument {
				wrapped[i] = NewText(ctx, NewPart(ctx, e), kindsOfArgument[letter])
			} else {
				wrapped[i] = NewText(ctx, e, kindsOfArgument[letter])
			}
		}
		agree(ctx, name, letters, wrapped)
		for i := range min(ofBytes[name], len(args)) {
			wrapped[i] = encoded(ctx, wrapped[i])
		}
		return f.NewInstance(ctx, wrapped)
	}}
}

// inBase registers a function that writes a number in another base.
func inBase(name string, base int8) {
	Register(sql.Function1{Name: name, Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
		conv, _ := Lookup("conv")
		out, err := conv.NewInstance(ctx, []sql.Expression{e, expression.NewLiteral(int8(10), types.Int8), expression.NewLiteral(base, types.Int8)})
		if err != nil {
			return e
		}
		return out
	}})
}

// TextOperand is e where a text is wanted.
func TextOperand(e ast.Expr) ast.Expr {
	return CallOf(writtenText, e)
}

// WantsText makes texts of the operands of an expression that is no call, in place.
func WantsText(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ConvertExpr:
		switch strings.ToLower(e.Type.Type) {
		case "char", "nchar", "binary":
			e.Expr = TextOperand(e.Expr)
		}
	}
}

// shortenedText is the name of the function that Replace puts around CAST(x AS CHAR(n)), with n.
const shortenedText = "characters of "

// ShortenedCast takes the length out of a CAST and puts it around.
func ShortenedCast(e *ast.ConvertExpr) ast.Expr {
	length := e.Type.Length
	if length == nil {
		return e
	}
	e.Type.Length = nil
	return CallOf(shortenedText, e, length)
}

// Shortened is CAST(x AS CHAR(n)): go-mysql-server counts bytes, and keeps a LONGTEXT whole.
type Shortened struct {
	Like
	to int64
}

const erDisplayWidth = 1439

// castLength is the length of a CAST's type.
func castLength(e sql.Expression) (int64, error) {
	n, err := strconv.ParseInt(e.String(), 10, 64)
	if err != nil || n > math.MaxUint32 {
		return 0, mysql.NewSQLError(erDisplayWidth, "42000", "Display width out of range for column 'cast as char' (max = %d)", uint32(math.MaxUint32))
	}
	return n, nil
}

// filledBytes is the name of the function that Replace puts around CAST(x AS BINARY(n)), with n.
const filledBytes = "bytes of "

// FilledCast takes the length out of a CAST to bytes and puts it around.
func FilledCast(e *ast.ConvertExpr) ast.Expr {
	length := e.Type.Length
	e.Type.Length = nil
	return CallOf(filledBytes, e, length)
}

// filledCast is CAST(x AS BINARY(n)), which has as many bytes as its type says.
type filledCast struct {
	Like
	to int64
}

// CollationCoercibility implements sql.CollationCoercible.
func (*filledCast) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, ofColumns
}

// WithChildren implements sql.Expression.
func (f *filledCast) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(f, children)
}

// Eval implements sql.Expression.
func (f *filledCast) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if TooLong(ctx, f.to) {
		return TooLarge(ctx, "cast_as_binary")
	}
	v, err := f.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	text, isText, err := TextOf(ctx, v)
	if err != nil || !isText {
		return v, err
	}
	if int64(len(text)) > f.to {
		ctx.Warn(1292, "Truncated incorrect BINARY(%d) value: '%s'", f.to, ShownBytes(text))
		return []byte(text[:f.to]), nil
	}
	out := make([]byte, f.to)
	copy(out, text)
	return out, nil
}

// Type implements sql.Expression.
func (f *filledCast) Type(ctx *sql.Context) sql.Type {
	if f.to >= types.TextBlobMax {
		return f.Child.Type(ctx)
	}
	return types.MustCreateBinary(sqltypes.VarBinary, f.to)
}

func (f *filledCast) String() string {
	of := f.Child
	if c, ok := of.(*expression.Convert); ok {
		of = c.Child
	}
	return fmt.Sprintf("convert(%s, binary(%d))", of, f.to)
}

// ShownBytes is how errors show bytes that are no text.
func ShownBytes(b string) string {
	var out strings.Builder
	for _, c := range []byte(b) {
		if c < ' ' || c >= utf8.RuneSelf {
			fmt.Fprintf(&out, "\\x%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

func (s *Shortened) String() string {
	of := s.Child
	if c, ok := of.(*expression.Convert); ok {
		of = c.Child
	}
	return fmt.Sprintf("convert(%s, char(%d))", of, s.to)
}

// WithChildren implements sql.Expression.
func (s *Shortened) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(s, children)
}

// Eval implements sql.Expression.
func (s *Shortened) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if TooLong(ctx, s.to) {
		return TooLarge(ctx, "cast_as_char")
	}
	v, err := s.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	text, err := ShownText(ctx, v)
	if err != nil || Length(text, true) <= s.to {
		return text, err
	}
	short := Cut(text, 0, s.to, true)
	ctx.Warn(1292, "Truncated incorrect CHAR(%d) value: '%s'", len(short), text) // MySQL names the bytes that are left
	return short, nil
}

// Quoted is QUOTE: what it gives for NULL is the word.
type Quoted struct{ Like }

func (q *Quoted) String() string { return "quote(" + q.Child.String() + ")" }

// Type implements sql.Expression.
func (*Quoted) Type(*sql.Context) sql.Type {
	return types.LongText
}

// IsNullable implements sql.Expression.
func (*Quoted) IsNullable(*sql.Context) bool { return false }

// WithChildren implements sql.Expression.
func (q *Quoted) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(q, children)
}

// Eval implements sql.Expression.
func (q *Quoted) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := q.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return "NULL", err
	}
	text, err := ShownText(ctx, v)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	out.Grow(len(text) + 2)
	out.WriteByte('\'')
	for i := range len(text) {
		if c := QuotedAs(text[i]); c != 0 {
			out.WriteByte('\\')
			out.WriteByte(c)
		} else {
			out.WriteByte(text[i])
		}
	}
	out.WriteByte('\'')
	return out.String(), nil
}

// QuotedAs is what QUOTE writes behind a backslash for a character; 0 for one that it writes as it
// is.
func QuotedAs(c byte) byte {
	switch c {
	case 0:
		return '0'
	case '\x1a':
		return 'Z'
	case '\'', '\\':
		return c
	}
	return 0
}
