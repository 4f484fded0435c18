package operand

import (
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Members makes comparisons of an ENUM or a SET with a text comparisons of texts, as MySQL does:
// go-mysql-server goes by the members' numbers. What the text says does not count: a statement's
// next execution puts another one in.
func Members(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *expression.Equals, *expression.NullSafeEquals, *expression.LessThan, *expression.LessThanOrEqual, *expression.GreaterThan, *expression.GreaterThanOrEqual:
		return byText(ctx, e, e.Children())
	case *expression.Between:
		if IsNamed(e.Val.Type(ctx)) && IsText(e.Lower.Type(ctx)) && IsText(e.Upper.Type(ctx)) {
			return expression.NewBetween(&Member{Over(e.Val)}, e.Lower, e.Upper), transform.NewTree, nil
		}
	case *expression.InTuple, *expression.HashInTuple:
		left := e.Children()[0]
		list, ok := e.Children()[1].(expression.Tuple)
		if !ok || !IsNamed(left.Type(ctx)) {
			break
		}
		for _, one := range list {
			if t := one.Type(ctx); !IsText(t) && t != types.Null {
				return e, transform.SameTree, nil
			}
		}
		return expression.NewInTuple(&Member{Over(left)}, list), transform.NewTree, nil
	}
	return e, transform.SameTree, nil
}

// IsNamed tells types whose values are numbers with names.
func IsNamed(t sql.Type) bool { return types.IsEnum(t) || types.IsSet(t) }

// MemberOf is the number of the member that a text is, 0 for none. The type's own IndexOf takes a
// number for the member of that number.
func MemberOf(t sql.EnumType, text string) int {
	n := t.IndexOf(text)
	if member, _ := t.At(n); n <= 0 || member != text && isDigits(text) {
		return 0
	}
	return n
}

func isDigits(text string) bool {
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil
}

// byText puts the text in the place of an ENUM or SET that is compared with a text.
func byText(ctx *sql.Context, e sql.Expression, sides []sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	left, right := sides[0].Type(ctx), sides[1].Type(ctx)
	at := 0
	switch {
	case IsNamed(left) && IsText(right):
	case IsText(left) && IsNamed(right):
		at = 1
	default:
		return e, transform.SameTree, nil
	}
	changed := []sql.Expression{sides[0], sides[1]}
	changed[at] = &Member{Over(sides[at])}
	out, err := e.WithChildren(ctx, changed...)
	return out, transform.NewTree, err
}

// Member is the text of an ENUM's member, or of a SET.
type Member struct{ One }

var _ sql.CollationCoercible = (*Member)(nil)

// Type implements sql.Expression.
func (m *Member) Type(ctx *sql.Context) sql.Type {
	if t, ok := m.Child.Type(ctx).(sql.TypeWithCollation); ok {
		return types.CreateLongText(t.Collation())
	}
	return types.LongText
}

// CollationCoercibility implements sql.CollationCoercible.
func (m *Member) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if t, ok := m.Child.Type(ctx).(sql.TypeWithCollation); ok {
		return t.Collation(), 2
	}
	return sql.GetCoercibility(ctx, m.Child)
}

// WithChildren implements sql.Expression.
func (m *Member) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(m, children)
}

// Eval implements sql.Expression.
func (m *Member) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := m.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	switch t := m.Child.Type(ctx).(type) {
	case sql.EnumType:
		if n, ok := v.(uint16); ok {
			text, _ := t.At(int(n)) // the empty text for 0
			return text, nil
		}
	case sql.SetType:
		if bits, ok := v.(uint64); ok {
			return t.BitsToString(bits)
		}
	}
	return v, nil
}
