package operand

import (
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sql/charset"
)

// SetOf is a character set as its texts are converted. What has none is taken for UTF-8.
func SetOf(id sql.CharacterSetID) *charset.Set {
	if s := charset.Find(id.Name()); s != nil {
		return s
	}
	return charset.Find("utf8mb4")
}

// ownBytes are the bytes of a text in its character set. A text that is no UTF-8 is bytes already.
func ownBytes(id sql.CharacterSetID, text string) string {
	if set := SetOf(id); !set.IsUTF8() && utf8.ValidString(text) {
		out, _ := set.Encode(make([]byte, 0, len(text)), []byte(text))
		return string(out)
	}
	return text
}

// encodedText is a text as the bytes that it has in its character set.
type encodedText struct{ One }

// encoded wraps a text whose bytes in its character set are not those of UTF-8.
func encoded(ctx *sql.Context, e sql.Expression) sql.Expression {
	if !e.Resolved() {
		return e
	}
	if t, ok := e.Type(ctx).(sql.StringType); !ok || IsBinary(t) || OfSubquery(ctx, e) || SetOf(CharsetOf(ctx, e)).IsUTF8() {
		return e
	}
	return &encodedText{Over(e)}
}

// Type implements sql.Expression.
func (*encodedText) Type(*sql.Context) sql.Type { return types.LongBlob }

// CharsetOf is the character set of a text.
func CharsetOf(ctx *sql.Context, e sql.Expression) sql.CharacterSetID {
	collation, _ := sql.GetCoercibility(ctx, e)
	return collation.CharacterSet()
}

// WithChildren implements sql.Expression.
func (e *encodedText) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(e, len(children), 1)
	}
	return encoded(ctx, children[0]), nil
}

// Eval implements sql.Expression.
func (e *encodedText) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := e.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return v, err
	}
	text, err := ShownText(ctx, v)
	return []byte(ownBytes(CharsetOf(ctx, e.Child), text)), err
}
