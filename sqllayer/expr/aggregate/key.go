package aggregate

import (
	"encoding/binary"
	"strings"
	"time"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// Kinds of parts of a key.
const (
	nullPart = iota
	textPart
	otherPart
	documentPart
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
	if j, ok := v.(sql.JSONWrapper); ok && types.IsJSON(t) {
		return appendDocument(ctx, dst, j)
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

// ordered is a date as a number, by which dates that the calendar lacks stand where they belong.
type ordered struct{ operand.One }

// InOrder makes of an expression one that go-mysql-server sorts as MySQL does.
func InOrder(ctx *sql.Context, e sql.Expression) sql.Expression {
	if types.IsTime(e.Type(ctx)) {
		return &ordered{operand.Over(e)}
	}
	return Unpad(ctx, e)
}

// String implements sql.Expression.
func (o *ordered) String() string { return o.Child.String() }

// Type implements sql.Expression.
func (*ordered) Type(*sql.Context) sql.Type { return types.Int64 }

// WithChildren implements sql.Expression.
func (o *ordered) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(o, children)
}

// Eval implements sql.Expression.
func (o *ordered) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := o.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	if at, ok := v.(time.Time); ok {
		return operand.Packed(at), nil
	}
	if text, ok := v.(string); ok {
		if at, _, is := operand.ReadMoment(text, own.Dates{Invalid: true}, time.UTC); is == operand.AMoment {
			return operand.Packed(at), nil
		}
	}
	v, _, err = types.DatetimeMaxPrecision.Convert(ctx, v) // go-mysql-server gives some dates as texts
	if at, ok := v.(time.Time); ok && err == nil {
		return operand.Packed(at), nil
	}
	return nil, err
}
