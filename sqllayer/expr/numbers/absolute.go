package numbers

import (
	"math"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// Absolute is ABS. go-mysql-server takes the seconds since 1970 of a date, and gives the least BIGINT
// back as it is.
type Absolute struct{ operand.One }

var _ sql.FunctionExpression = (*Absolute)(nil)
var _ sql.CollationCoercible = (*Absolute)(nil)

func init() {
	operand.Register(sql.Function1{Name: "abs", Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &Absolute{operand.Over(e)} }})
}

// FunctionName implements sql.FunctionExpression.
func (*Absolute) FunctionName() string { return "abs" }

// Description implements sql.FunctionExpression.
func (*Absolute) Description() string { return "returns the absolute value of a number." }

func (a *Absolute) String() string { return "abs(" + a.Child.String() + ")" }

// WithChildren implements sql.Expression.
func (a *Absolute) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(a, children)
}

// shape is that of the number; a date or time is a DOUBLE.
func (a *Absolute) shape(ctx *sql.Context) operand.Shape {
	s := operand.ShapeOf(ctx, a.Child)
	if t := a.Child.Type(ctx); t == types.Null || types.IsTimespan(t) || types.IsTime(t) {
		s.Kind = operand.Double
	}
	return s
}

// Type implements sql.Expression.
func (a *Absolute) Type(ctx *sql.Context) sql.Type { return a.shape(ctx).Typ() }

// Eval implements sql.Expression.
func (a *Absolute) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	x, null, err := operand.NumberAt(ctx, a.Child, row)
	if err != nil || null {
		return nil, err
	}
	switch s := a.shape(ctx); {
	case s.Kind == operand.Double:
		return math.Abs(x.AsFloat()), nil
	case s.Kind == operand.Integer && x.Kind == operand.Integer:
		negative, m := x.Magnitude()
		switch {
		case s.Unsigned:
			return m, nil
		case negative && m > math.MaxInt64:
			return nil, mysql.NewSQLError(1690, "22003", "BIGINT value is out of range in 'abs(%s)'", Shown(a.Child))
		case m > math.MaxInt64:
			return m, nil
		}
		return int64(m), nil
	}
	d, err := x.AsDecimal()
	if err != nil {
		return nil, err
	}
	return new(apd.Decimal).Abs(d), nil
}
