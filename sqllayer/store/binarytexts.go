package store

import (
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/charset"
)

// ofBytes makes a text of bytes on their way into a column of texts, an ENUM or a SET. Zeros stand
// before the bytes of a character that is cut short.
func (s *Storer) ofBytes(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	t, ok := c.Type.(sql.TypeWithCollation)
	if !s.bytes || !ok {
		return v, nil
	}
	b, ok := v.([]byte)
	if text, is := v.(string); is && !utf8.ValidString(text) {
		b, ok = []byte(text), true
	}
	set := charset.Find(t.Collation().CharacterSet().Name())
	if !ok || set == nil {
		return v, nil
	}
	if short := len(b) % set.MinLen(); short > 0 {
		b = append(make([]byte, set.MinLen()-short), b...)
	}
	out, read := set.Decode(make([]byte, 0, len(b)), b)
	if read < len(b) {
		return string(out), s.notText(ctx, c, b[read:])
	}
	return string(out), nil
}
