package aggregate

import (
	"encoding/binary"
	"strings"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// Kinds of parts of a key.
const (
	nullPart = iota
	textPart
	otherPart
)

// AppendKey adds a value's part of a key to dst. Values of one type have the same part exactly if
// they are equal.
func AppendKey(ctx *sql.Context, dst []byte, v any, t sql.Type, c operand.Collated) ([]byte, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return append(dst, nullPart), nil
	}
	if operand.IsText(t) {
		text, ok, err := operand.TextOf(ctx, v)
		if err != nil {
			return nil, err
		}
		if ok {
			return c.Append(append(dst, textPart), text), nil
		}
	}
	if d, ok := v.(*apd.Decimal); ok {
		v, _ = new(apd.Decimal).Reduce(d)
	}
	shown, err := t.SQL(ctx, nil, v)
	if err != nil {
		return nil, err
	}
	dst = binary.AppendUvarint(append(dst, otherPart), uint64(shown.Len()))
	return append(dst, shown.Raw()...), nil
}

// unpadded is a text without the spaces at its end, which a collation that pads does not see.
type unpadded struct{ operand.Like }

var _ sql.CollationCoercible = (*unpadded)(nil)

// Unpad makes a text one whose bytes' weights tell what is equal to it; go-mysql-server sorts and
// groups without padding.
func Unpad(ctx *sql.Context, e sql.Expression) sql.Expression {
	if _, done := e.(*unpadded); done {
		return e
	}
	t, ok := e.Type(ctx).(sql.StringType)
	if !ok || !operand.IsText(t) || !operand.Collate(t.Collation()).Pad {
		return e
	}
	return &unpadded{operand.LikeOf(e)}
}

// Type implements sql.Expression. go-mysql-server counts the bytes of UTF-8 where a character set
// has one byte for each character, so that a column's own length is too short for its texts.
func (u *unpadded) Type(ctx *sql.Context) sql.Type {
	if t, ok := u.Child.Type(ctx).(sql.StringType); ok {
		return types.CreateLongText(t.Collation())
	}
	return u.Child.Type(ctx)
}

// WithChildren implements sql.Expression.
func (u *unpadded) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(u, children)
}

// Eval implements sql.Expression.
func (u *unpadded) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := u.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if text, ok, err := operand.TextOf(ctx, v); ok || err != nil {
		return strings.TrimRight(text, " "), err
	}
	return v, nil
}
