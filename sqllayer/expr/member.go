package expr

import (
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Members makes comparisons of an ENUM with a text comparisons of texts, as MySQL does: go-mysql-server goes by the members' numbers. Only = and IN of a member's
// own text, which are the same either way, stay.
func Members(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *expression.LessThan, *expression.LessThanOrEqual, *expression.GreaterThan, *expression.GreaterThanOrEqual:
		return byText(ctx, e, e.Children())
	case *expression.Between:
		if types.IsEnum(e.Val.Type(ctx)) && isText(e.Lower.Type(ctx)) && isText(e.Upper.Type(ctx)) {
			return expression.NewBetween(&Member{Over(e.Val)}, e.Lower, e.Upper), transform.NewTree, nil
		}
	case *expression.Equals:
		if !isMember(ctx, e.Left(), e.Right()) && !isMember(ctx, e.Right(), e.Left()) {
			return byText(ctx, e, e.Children())
		}
	case *expression.NullSafeEquals:
		if !isMember(ctx, e.Left(), e.Right()) && !isMember(ctx, e.Right(), e.Left()) {
			return byText(ctx, e, e.Children())
		}
	case *expression.InTuple:
		list, ok := e.Right().(expression.Tuple)
		if !ok || !types.IsEnum(e.Left().Type(ctx)) {
			break
		}
		for _, one := range list {
			if !isText(one.Type(ctx)) {
				return e, transform.SameTree, nil
			}
			if !isMember(ctx, e.Left(), one) {
				return expression.NewInTuple(&Member{Over(e.Left())}, list), transform.NewTree, nil
			}
		}
	}
	return e, transform.SameTree, nil
}

// isMember tells whether text is a literal that is a member of the ENUM e, in the case it is declared in.
func isMember(ctx *sql.Context, e, text sql.Expression) bool {
	t, ok := e.Type(ctx).(sql.EnumType)
	l, literal := text.(*expression.Literal)
	if !ok || !literal {
		return false
	}
	s, ok := l.Value().(string)
	return ok && MemberOf(t, s) > 0
}

// MemberOf is the number of the member that a text is, 0 for none. The type's own IndexOf takes a number for the member of that number.
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

// byText puts the text of the member in the place of an ENUM that is compared with a text.
func byText(ctx *sql.Context, e sql.Expression, sides []sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	left, right := sides[0].Type(ctx), sides[1].Type(ctx)
	at := 0
	switch {
	case types.IsEnum(left) && isText(right):
	case isText(left) && types.IsEnum(right):
		at = 1
	default:
		return e, transform.SameTree, nil
	}
	changed := []sql.Expression{sides[0], sides[1]}
	changed[at] = &Member{Over(sides[at])}
	out, err := e.WithChildren(ctx, changed...)
	return out, transform.NewTree, err
}

// Member is the text of an ENUM's member.
type Member struct{ One }

var _ sql.CollationCoercible = (*Member)(nil)

// Type implements sql.Expression.
func (m *Member) Type(ctx *sql.Context) sql.Type {
	if t, ok := m.Child.Type(ctx).(sql.EnumType); ok {
		return types.CreateLongText(t.Collation())
	}
	return types.LongText
}

// CollationCoercibility implements sql.CollationCoercible.
func (m *Member) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if t, ok := m.Child.Type(ctx).(sql.EnumType); ok {
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
	n, ok := v.(uint16)
	t, enum := m.Child.Type(ctx).(sql.EnumType)
	if !ok || !enum {
		return v, nil
	}
	text, _ := t.At(int(n)) // the empty text for 0
	return text, nil
}
