package operand

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Merged is an expression that gives the value of one of several others: CASE, IF, IFNULL,
// COALESCE, GREATEST, LEAST. Where these are exact numbers with a fraction, the result has the most
// digits of any of them; go-mysql-server makes it DECIMAL(65,30).
type Merged struct {
	One
	Skip int // leading arguments that are no candidates
}

var _ sql.CollationCoercible = (*Merged)(nil)

// CollationCoercibility implements sql.CollationCoercible.
func (m *Merged) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, m.Child)
}

// WithChildren implements sql.Expression.
func (m *Merged) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(m, children)
}

func (m *Merged) Candidates() []sql.Expression {
	c, ok := m.Child.(*expression.Case)
	if !ok {
		all := m.Child.Children()
		return all[min(m.Skip, len(all)):]
	}
	var out []sql.Expression
	for _, b := range c.Branches {
		out = append(out, b.Value)
	}
	if c.Else != nil {
		out = append(out, c.Else)
	}
	return out
}

// exact gives the digits of the result; ok is false if it is no exact number with a fraction.
func (m *Merged) exact(ctx *sql.Context) (s Shape, ok bool) {
	if !types.IsDecimal(m.Child.Type(ctx)) {
		return s, false
	}
	for _, e := range m.Candidates() {
		one := ShapeOf(ctx, e)
		if one.Kind == Double {
			return s, false
		}
		s.Scale, s.Digits = max(s.Scale, one.Scale), max(s.Digits, one.Digits)
	}
	return s, true
}

// Type implements sql.Expression.
func (m *Merged) Type(ctx *sql.Context) sql.Type {
	if s, ok := m.exact(ctx); ok {
		return DecimalType(s.Digits, s.Scale)
	}
	return m.Child.Type(ctx)
}

// Eval implements sql.Expression.
func (m *Merged) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := m.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return v, err
	}
	s, ok := m.exact(ctx)
	if !ok {
		return v, nil
	}
	n, null, err := NumberOf(ctx, v, m.Child.Type(ctx))
	if err != nil || null {
		return nil, err
	}
	d, err := n.AsDecimal()
	if err != nil {
		return nil, err
	}
	return Rounded(d, min(s.Scale, MaxScale))
}
