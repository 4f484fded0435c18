package texts

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/charset"
	"emberdb/sqllayer/expr/operand"
)

// convertUsing is CONVERT(x USING charset). Every text in memory is UTF-8, whatever its character
// set, so a conversion of a text only replaces the characters that the other set lacks. Bytes
// become the text that they are in the character set, and CONVERT(x USING binary) gives the bytes
// of x in the character set of x.
type convertUsing struct {
	operand.One
	charset sql.CharacterSetID
}

var _ sql.CollationCoercible = (*convertUsing)(nil)

// usingCharset is the name of the function that Replace calls for CONVERT(x USING charset).
const usingCharset = "convert using "

func init() {
	operand.Register(sql.Function1{Name: "ord", Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
		return &ordOf{operand.Over(operand.NewText(ctx, e, operand.Anything))}
	}})
	operand.Register(sql.FunctionN{Name: usingCharset, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		name, _ := args[1].(*expression.Literal).Value().(string)
		id, err := sql.ParseCharacterSet(name)
		return &convertUsing{operand.Over(operand.NewText(ctx, args[0], operand.Anything)), id}, err
	}})
}

// UsingCall is the call of the function.
func UsingCall(e *ast.ConvertUsingExpr) *ast.FuncExpr {
	return operand.CallOf(usingCharset, e.Expr, ast.NewStrVal([]byte(e.Type)))
}

// InCharset converts the result of CAST(x AS CHAR CHARACTER SET charset).
func InCharset(result *ast.FuncExpr, t *ast.ConvertType) *ast.FuncExpr {
	if t.Charset == "" {
		return result
	}
	return operand.CallOf(usingCharset, result, ast.NewStrVal([]byte(t.Charset)))
}

func (c *convertUsing) String() string {
	return fmt.Sprintf("convert(%s using %s)", c.Child, c.charset.Name())
}

// Type implements sql.Expression.
func (c *convertUsing) Type(*sql.Context) sql.Type {
	if c.charset == sql.CharacterSet_binary {
		return types.LongBlob
	}
	return types.CreateLongText(c.charset.DefaultCollation())
}

// IsNullable implements sql.Expression.
func (*convertUsing) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (c *convertUsing) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return c.charset.DefaultCollation(), 2
}

// WithChildren implements sql.Expression.
func (c *convertUsing) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *convertUsing) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := c.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	value, err := operand.ShownText(ctx, v)
	if err != nil {
		return nil, err
	}
	switch from := c.from(ctx); {
	case from == c.charset && from == sql.CharacterSet_binary:
		return []byte(value), nil
	case c.charset == sql.CharacterSet_binary:
		return encodeText(ctx, from, value)
	case from == sql.CharacterSet_binary:
		return c.decode(ctx, value)
	default:
		return convertText(ctx, from, c.charset, value)
	}
}

// from is the character set of the operand.
func (c *convertUsing) from(ctx *sql.Context) sql.CharacterSetID {
	collation, _ := sql.GetCoercibility(ctx, c.Child)
	if operand.IsBinary(c.Child.Type(ctx)) || collation == sql.Collation_binary {
		return sql.CharacterSet_binary
	}
	return collation.CharacterSet()
}

// decode is the text that bytes are in the character set; NULL with warning 1300 if they are none.
// Bytes that are missing before the first character are zeros. A byte that an eight-bit set has no
// character for stays what it is, with the same warning.
func (c *convertUsing) decode(ctx *sql.Context, value string) (any, error) {
	set := operand.SetOf(c.charset)
	if short := len(value) % set.MinLen(); short != 0 {
		value = strings.Repeat("\x00", set.MinLen()-short) + value
	}
	var out []byte
	warned := false
	for s := (operand.Interrupts{Ctx: ctx}); value != ""; {
		if err := s.Next(); err != nil {
			return nil, err
		}
		from := len(out)
		var read int
		out, read = set.Decode(out, []byte(value[:min(len(value), chunkSize)]))
		if read == 0 {
			ctx.Warn(1300, "Invalid %s character string: '%X'", c.charset.Name(), shownBytes(value))
			return nil, nil
		}
		if at := bytes.IndexFunc(out[from:], charset.Foreign); at >= 0 && set.MaxLen() == 1 && !warned {
			ctx.Warn(1300, "Invalid %s character string: '%X'", c.charset.Name(), shownBytes(value[utf8.RuneCount(out[from:from+at]):]))
			warned = true
		}
		value = value[read:]
	}
	return string(out), nil
}

// shownBytes are the bytes that a warning shows of a text that is invalid.
func shownBytes(value string) string { return value[:min(len(value), 6)] }

// chunkSize is how many bytes are decoded between two looks at the statement, at most.
const chunkSize = 4096

// ordOf is ORD(x): the bytes of the first character, as a number.
type ordOf struct{ operand.One }

func (o *ordOf) String() string { return "ord(" + o.Child.String() + ")" }

// Type implements sql.Expression.
func (*ordOf) Type(*sql.Context) sql.Type { return types.Int64 }

// WithChildren implements sql.Expression.
func (o *ordOf) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(o, children)
}

// Eval implements sql.Expression.
func (o *ordOf) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := o.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	text, err := operand.ShownText(ctx, v)
	if err != nil || text == "" {
		return int64(0), err
	}
	r, n := utf8.DecodeRuneInString(text)
	if operand.IsBinary(o.Child.Type(ctx)) || r == utf8.RuneError && n == 1 {
		return int64(text[0]), nil
	}
	code, _ := operand.SetOf(operand.CharsetOf(ctx, o.Child)).AppendRune(nil, r)
	sum := int64(0)
	for _, b := range code {
		sum = sum<<8 | int64(b)
	}
	return sum, nil
}

// Unicode returns a text of a character set as other sets have it: characters that only the set
// itself knows become what they are in Unicode, or question marks.
func Unicode(id sql.CharacterSetID, text string) string {
	if strings.IndexFunc(text, charset.Foreign) < 0 {
		return text
	}
	return strings.Map(operand.SetOf(id).Unicode, text)
}

// convertText is a text with a question mark for each character that the character set lacks.
func convertText(ctx *sql.Context, from, to sql.CharacterSetID, value string) (string, error) {
	if from == to {
		return value, nil
	}
	if value = Unicode(from, value); to == sql.CharacterSet_utf8mb4 {
		return value, nil
	}
	set := operand.SetOf(to)
	s := operand.Interrupts{Ctx: ctx}
	start := 0 // what stands before is in out
	var out strings.Builder
	var buf [4]byte
	for at, r := range value {
		if err := s.Next(); err != nil {
			return "", err
		}
		if r < utf8.RuneSelf && set.ASCII() {
			continue
		}
		if _, known := set.AppendRune(buf[:0], r); !known {
			out.WriteString(value[start:at])
			out.WriteByte('?')
			_, n := utf8.DecodeRuneInString(value[at:])
			start = at + n
		}
	}
	if start == 0 {
		return value, nil
	}
	out.WriteString(value[start:])
	return out.String(), nil
}

// encodeText gives the bytes of a text in a character set; NULL if they are more than
// max_allowed_packet.
func encodeText(ctx *sql.Context, id sql.CharacterSetID, value string) (any, error) {
	set := operand.SetOf(id)
	if set.IsUTF8() {
		return []byte(value), nil
	}
	var out []byte
	s := operand.Interrupts{Ctx: ctx}
	for _, r := range value {
		if err := s.Next(); err != nil {
			return nil, err
		}
		out, _ = set.AppendRune(out, r)
		if len(out) > operand.LeastPacket && operand.TooLong(ctx, int64(len(out))) {
			return operand.TooLarge(ctx, "convert")
		}
	}
	return out, nil
}
