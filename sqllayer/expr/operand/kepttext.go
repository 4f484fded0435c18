package operand

import "github.com/dolthub/go-mysql-server/sql"

// KeptText is the name of the function that the value of SET @name = x is lowered to.
const KeptText = "kept text\x00"

func init() {
	Register(sql.Function1{Name: KeptText, Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &keptText{LikeOf(e)} }})
}

// CollatedText is the text of a user variable on its way there, with its collation, which
// go-mysql-server does not hand on.
type CollatedText struct {
	Text      string
	Collation sql.CollationID
}

// keptText gives the value of its operand. A text of no character set is bytes, and one whose
// collation is not that of literals a CollatedText.
type keptText struct{ Like }

// WithChildren implements sql.Expression.
func (k *keptText) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(k, children)
}

// Eval implements sql.Expression.
func (k *keptText) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := k.Child.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	t := k.Child.Type(ctx)
	text, ok := v.(string)
	switch {
	case !ok || !IsText(t) && !IsBinary(t):
		return v, nil
	case IsBinary(t):
		return []byte(text), nil
	}
	collation, _ := sql.GetCoercibility(ctx, k.Child)
	if collation == ctx.GetCollation() || collation == sql.Collation_binary || collation == sql.Collation_Unspecified {
		return v, nil
	}
	return CollatedText{text, collation}, nil
}
