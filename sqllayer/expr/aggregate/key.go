package aggregate

import (
	"encoding/binary"
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

// ordered is a date as a number, by which dates that the calendar lacks stand where they belong.
type ordered struct{ operand.One }

// InOrder makes of an expression one that go-mysql-server sorts as MySQL does.
func InOrder(ctx *sql.Context, e sql.Expression) sql.Expression {
	if types.IsTime(e.Type(ctx)) {
		return &ordered{operand.Over(e)}
	}
	return operand.ByWeight(ctx, e)
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
