package operand

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Argument is what LEAST and GREATEST want to know of an argument.
type Argument int

const (
	NullArgument Argument = iota
	NumberArgument
	TextArgument
	MomentArgument // DATE, DATETIME, TIMESTAMP
	ClockArgument  // TIME
	OtherArgument
)

func ArgumentOf(t sql.Type) Argument {
	switch {
	case t == types.Null:
		return NullArgument
	case types.IsTimespan(t):
		return ClockArgument
	case types.IsTime(t):
		return MomentArgument
	case types.IsText(t), IsNamed(t), types.IsJSON(t):
		return TextArgument
	case types.IsNumber(t):
		return NumberArgument
	}
	return OtherArgument
}

// Written makes a text of what is none.
func Written(ctx *sql.Context, e sql.Expression) sql.Expression {
	switch t := e.Type(ctx); {
	case types.IsText(t), t == types.Null:
		return e
	case IsNamed(t):
		return &Member{Over(e)}
	}
	return &Text{Over(e)}
}

// CommonCollation is the collation by which texts compare with each other.
func CommonCollation(ctx *sql.Context, args []sql.Expression) sql.CollationID {
	c, n := sql.GetCoercibility(ctx, args[0])
	for _, e := range args {
		if t := e.Type(ctx); types.IsText(t) && IsBinary(t) {
			return sql.Collation_binary
		}
	}
	for _, e := range args[1:] {
		c2, n2 := sql.GetCoercibility(ctx, e)
		if both, m := sql.ResolveCoercibility(c, n, c2, n2); both != sql.Collation_Unspecified {
			c, n = both, m
		}
	}
	return c
}

// Typ is the type of a number of this shape.
func (s Shape) Typ() sql.Type {
	switch {
	case s.Kind == Double:
		return types.Float64
	case s.Kind == Decimal:
		return DecimalType(s.Digits, s.Scale)
	case s.Unsigned:
		return types.Uint64
	}
	return types.Int64
}

// Compare compares numbers of any kind.
func (n Number) Compare(m Number) (int, error) {
	switch {
	case n.Kind == Double || m.Kind == Double:
		a, b := n.AsFloat(), m.AsFloat()
		if a < b {
			return -1, nil
		}
		if a > b {
			return 1, nil
		}
		return 0, nil
	case n.Kind == Integer && m.Kind == Integer:
		return n.CompareInteger(m), nil
	}
	a, err := n.AsDecimal()
	if err != nil {
		return 0, err
	}
	b, err := m.AsDecimal()
	if err != nil {
		return 0, err
	}
	return a.Cmp(b), nil
}

// As gives a number the form of a shape's values.
func (n Number) As(s Shape) (any, error) {
	switch s.Kind {
	case Double:
		return n.AsFloat(), nil
	case Decimal:
		d, err := n.AsDecimal()
		if err != nil {
			return nil, err
		}
		return Rounded(d, min(s.Scale, MaxScale))
	}
	if s.Unsigned {
		return uint64(n.Whole), nil
	}
	return n.Whole, nil
}
