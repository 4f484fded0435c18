package expr

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/encodings"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// convertUsing is CONVERT(x USING charset). Every text in memory is UTF-8, whatever its character
// set, so a conversion of a text only replaces the characters that the other set lacks. Bytes
// become the text that they are in the character set, and CONVERT(x USING binary) gives the bytes
// of x in the character set of x.
type convertUsing struct {
	One
	charset sql.CharacterSetID
}

var _ sql.CollationCoercible = (*convertUsing)(nil)

// usingCharset is the name of the function that Replace calls for CONVERT(x USING charset).
const usingCharset = "convert using "

func init() {
	register(sql.FunctionN{Name: usingCharset, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		name, _ := args[1].(*expression.Literal).Value().(string)
		charset, err := sql.ParseCharacterSet(name)
		if err == nil && charset.Encoder() == nil {
			err = sql.ErrCharSetNotYetImplementedTemp.New(name)
		}
		return &convertUsing{Over(text(ctx, args[0], anything)), charset}, err
	}})
}

// usingCall is the call of the function.
func usingCall(e *ast.ConvertUsingExpr) *ast.FuncExpr {
	return callOf(usingCharset, e.Expr, ast.NewStrVal([]byte(e.Type)))
}

// inCharset converts the result of CAST(x AS CHAR CHARACTER SET charset).
func inCharset(result *ast.FuncExpr, t *ast.ConvertType) *ast.FuncExpr {
	if t.Charset == "" {
		return result
	}
	return callOf(usingCharset, result, ast.NewStrVal([]byte(t.Charset)))
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
	return WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *convertUsing) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := c.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	value, err := shownText(ctx, v)
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
		return replaceUnknown(ctx, c.charset, value)
	}
}

// from is the character set of the operand.
func (c *convertUsing) from(ctx *sql.Context) sql.CharacterSetID {
	collation, _ := sql.GetCoercibility(ctx, c.Child)
	if isBinary(c.Child.Type(ctx)) || collation == sql.Collation_binary {
		return sql.CharacterSet_binary
	}
	return collation.CharacterSet()
}

// decode is the text that bytes are in the character set; NULL with warning 1300 if they are none.
// Bytes that are missing before the first character are zeros.
func (c *convertUsing) decode(ctx *sql.Context, value string) (any, error) {
	width := 1
	switch c.charset {
	case sql.CharacterSet_utf16:
		width = 2
	case sql.CharacterSet_utf32:
		width = 4
	}
	if short := len(value) % width; short != 0 {
		value = strings.Repeat("\x00", width-short) + value
	}
	var out strings.Builder
	for s := (interrupts{ctx: ctx}); value != ""; {
		if err := s.next(); err != nil {
			return nil, err
		}
		n := chunkOf(c.charset, value)
		decoded, ok := c.charset.Encoder().Decode([]byte(value[:n]))
		if !ok || !utf8.Valid(decoded) {
			ctx.Warn(1300, "Invalid %s character string: '%X'", c.charset.Name(), shownBytes(value))
			return nil, nil
		}
		out.Write(decoded)
		value = value[n:]
	}
	return out.String(), nil
}

// shownBytes are the bytes that a warning shows of a text that is invalid.
func shownBytes(value string) string { return value[:min(len(value), 6)] }

// chunkSize is how many bytes are decoded between two looks at the statement, at most.
const chunkSize = 4096

// chunkOf is how many bytes of an encoded text are decoded together: whole characters.
func chunkOf(charset sql.CharacterSetID, value string) int {
	n := chunkSize
	if n >= len(value) {
		return len(value)
	}
	switch charset {
	case sql.CharacterSet_utf8mb4, sql.CharacterSet_utf8mb3:
		for back := 0; back < utf8.UTFMax && !utf8.RuneStart(value[n]); back++ {
			n--
		}
	case sql.CharacterSet_utf16:
		if high := value[n-2]; high >= 0xD8 && high < 0xDC { // the first half of a character
			n -= 2
		}
	}
	return n
}

// replaceUnknown is a text with a question mark for each character that the character set lacks.
func replaceUnknown(ctx *sql.Context, charset sql.CharacterSetID, value string) (string, error) {
	switch charset {
	case sql.CharacterSet_utf8mb4, sql.CharacterSet_utf16, sql.CharacterSet_utf32:
		return value, nil
	}
	known := knownRunes{encoder: charset.Encoder(), of: map[rune]bool{}}
	s := interrupts{ctx: ctx}
	from := 0 // what stands before is in out
	var out strings.Builder
	for at, r := range value {
		if err := s.next(); err != nil {
			return "", err
		}
		if r >= utf8.RuneSelf && !known.has(r) {
			out.WriteString(value[from:at])
			out.WriteByte('?')
			_, n := utf8.DecodeRuneInString(value[at:])
			from = at + n
		}
	}
	if from == 0 {
		return value, nil
	}
	out.WriteString(value[from:])
	return out.String(), nil
}

// knownRunes remembers which characters a character set has.
type knownRunes struct {
	encoder encodings.Encoder
	of      map[rune]bool
}

func (k knownRunes) has(r rune) bool {
	known, ok := k.of[r]
	if !ok {
		_, known = k.encoder.EncodeRune([]byte(string(r)))
		k.of[r] = known
	}
	return known
}

// encodeText gives the bytes of a text in a character set; NULL if they are more than
// max_allowed_packet.
func encodeText(ctx *sql.Context, charset sql.CharacterSetID, value string) (any, error) {
	encoder := charset.Encoder()
	if encoder == nil || charset == sql.CharacterSet_utf8mb4 || charset == sql.CharacterSet_utf8mb3 {
		return []byte(value), nil
	}
	encoded := map[rune][]byte{}
	var out bytes.Buffer
	s := interrupts{ctx: ctx}
	for _, r := range value {
		if err := s.next(); err != nil {
			return nil, err
		}
		b, ok := encoded[r]
		if !ok {
			if b, ok = encoder.EncodeRune([]byte(string(r))); !ok {
				b = encoder.EncodeReplaceUnknown([]byte("?"))
			}
			encoded[r] = bytes.Clone(b)
		}
		out.Write(b)
		if out.Len() > leastPacket && over(ctx, int64(out.Len())) {
			return tooLarge(ctx, "convert")
		}
	}
	return out.Bytes(), nil
}
