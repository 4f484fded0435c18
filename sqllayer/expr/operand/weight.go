package operand

import (
	"context"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// weight is the key of a text: bytes that are ordered as the texts are.
type weight struct {
	One
	by Collated
}

var _ sql.CollationCoercible = (*weight)(nil)

// ByWeight makes of a text its key; go-mysql-server sorts and groups by the weights of characters,
// without padding.
func ByWeight(ctx *sql.Context, e sql.Expression) sql.Expression {
	if t, ok := e.Type(ctx).(sql.StringType); ok && IsText(t) {
		return WeightUnder(e, Collate(t.Collation()))
	}
	return e
}

// WeightUnder is ByWeight of a text under a collation.
func WeightUnder(e sql.Expression, by Collated) sql.Expression { return &weight{Over(e), by} }

// String implements sql.Expression.
func (w *weight) String() string { return w.Child.String() }

// Type implements sql.Expression.
func (*weight) Type(*sql.Context) sql.Type { return types.LongBlob }

// CollationCoercibility implements sql.CollationCoercible.
func (*weight) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 4
}

// WithChildren implements sql.Expression.
func (w *weight) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(w, children)
}

// Eval implements sql.Expression.
func (w *weight) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := w.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	text, err := ShownText(ctx, v)
	return w.by.Append(nil, text), err
}

// comparedText is a type of texts that compare by what they weigh.
type comparedText struct {
	sql.StringType
	by Collated
}

// Compare implements sql.Type.
func (t comparedText) Compare(ctx context.Context, a, b any) (int, error) {
	x, okX := a.(string)
	y, okY := b.(string)
	if !okX || !okY {
		return t.StringType.Compare(ctx, a, b)
	}
	return t.by.Compare(x, y), nil
}

// comparing is a text whose type compares by what texts weigh.
type comparing struct{ Like }

// Comparing gives a text a type that compares as MySQL does; go-mysql-server's compares by the
// weights of characters, without padding.
func Comparing(ctx *sql.Context, e sql.Expression) sql.Expression {
	if t, ok := e.Type(ctx).(sql.StringType); ok && IsText(t) {
		return &comparing{LikeOf(e)}
	}
	return e
}

// Type implements sql.Expression.
func (c *comparing) Type(ctx *sql.Context) sql.Type {
	t, ok := c.Child.Type(ctx).(sql.StringType)
	if !ok {
		return c.Child.Type(ctx)
	}
	return comparedText{t, Collate(t.Collation())}
}

// WithChildren implements sql.Expression.
func (c *comparing) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *comparing) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := c.Child.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	return sql.UnwrapAny(ctx, v)
}
