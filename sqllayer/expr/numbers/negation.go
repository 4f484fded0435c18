package numbers

import (
	"math"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// Negation is a minus before what is no literal. go-mysql-server negates an unsigned number in the
// width that it has: -(134) is 122 to it.
type Negation struct{ operand.One }

var _ sql.Expression = (*Negation)(nil)
var _ sql.CollationCoercible = (*Negation)(nil)

// Negate is the name of the minus.
const Negate = "- "

func init() {
	operand.Register(sql.Function1{Name: Negate, Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &Negation{operand.Over(e)} }})
}

// IsNegation leaves numbers with their sign to go-mysql-server.
func IsNegation(e *ast.UnaryExpr) bool {
	v, literal := e.Expr.(*ast.SQLVal)
	return e.Operator == ast.UMinusStr && (!literal || v.Type == ast.ValArg || IsBits(v))
}

func (n *Negation) String() string { return "-" + n.Child.String() }

// WithChildren implements sql.Expression.
func (n *Negation) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(n, children)
}

// shape is that of the number, with a sign: a literal that has no negative BIGINT is a DECIMAL,
// what is no number a DOUBLE.
func (n *Negation) shape(ctx *sql.Context) operand.Shape {
	s := operand.ShapeOf(ctx, n.Child)
	if t := n.Child.Type(ctx); t == types.Null || types.IsTimespan(t) || types.IsTime(t) {
		s.Kind = operand.Double
	}
	if l, ok := n.Child.(*expression.Literal); ok && s.Unsigned {
		if u, ok := l.Value().(uint64); ok && u > 1<<63 {
			s.Kind = operand.Decimal
		}
	}
	s.Unsigned = false
	return s
}

// Type implements sql.Expression.
func (n *Negation) Type(ctx *sql.Context) sql.Type { return n.shape(ctx).Typ() }

// Eval implements sql.Expression.
func (n *Negation) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	x, null, err := operand.NumberAt(ctx, n.Child, row)
	if err != nil || null {
		return nil, err
	}
	switch s := n.shape(ctx); {
	case s.Kind == operand.Double:
		return -x.AsFloat(), nil
	case s.Kind == operand.Integer && x.Kind == operand.Integer:
		negative, m := x.Magnitude()
		switch {
		case negative && m > math.MaxInt64, m > 1<<63:
			return nil, mysql.NewSQLError(1690, "22003", "BIGINT value is out of range in '-(%s)'", Shown(n.Child))
		case negative:
			return int64(m), nil
		}
		return -int64(m), nil
	}
	d, err := x.AsDecimal()
	if err != nil {
		return nil, err
	}
	return new(apd.Decimal).Neg(d), nil
}
