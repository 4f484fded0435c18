package compare

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// notIn is the name of the function that Replace puts around x IN (subquery) for x NOT IN
// (subquery). go-mysql-server makes an anti-join of the negation, which keeps the rows whose x is
// NULL; it does not know this one.
const notIn = "not in "

// NotInCall returns nil if e is no x NOT IN (subquery).
func NotInCall(e ast.Expr) *ast.FuncExpr {
	var in *ast.ComparisonExpr
	switch n := e.(type) {
	case *ast.ComparisonExpr:
		if n.Operator != ast.NotInStr {
			return nil
		}
		changed := *n
		changed.Operator = ast.InStr
		in = &changed
	case *ast.NotExpr:
		child := n.Expr
		for paren, ok := child.(*ast.ParenExpr); ok; paren, ok = child.(*ast.ParenExpr) {
			child = paren.Expr
		}
		c, ok := child.(*ast.ComparisonExpr)
		if !ok || c.Operator != ast.InStr {
			return nil
		}
		in = c
	default:
		return nil
	}
	if _, ok := in.Right.(*ast.Subquery); !ok {
		return nil
	}
	return operand.CallOf(notIn, in)
}

func init() {
	operand.Register(sql.Function1{Name: notIn, Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
		if in, ok := e.(*plan.InSubquery); ok && in.Resolved() && !in.LeftChild.IsNullable(ctx) && !givesNull(ctx, in.RightChild) {
			return expression.NewNot(e)
		}
		return &Not{operand.Over(e)}
	}})
}

// givesNull tells whether a subquery may give NULL in one of its columns.
func givesNull(ctx *sql.Context, e sql.Expression) bool {
	q, ok := e.(*plan.Subquery)
	if !ok {
		return true
	}
	for _, c := range q.Query.Schema(ctx) {
		if c.Nullable {
			return true
		}
	}
	return false
}

// Not is NOT of a truth value.
type Not struct{ operand.One }

var _ sql.CollationCoercible = (*Not)(nil)

func (n *Not) String() string { return fmt.Sprintf("(NOT(%s))", n.Child) }

// Type implements sql.Expression.
func (*Not) Type(*sql.Context) sql.Type { return types.Boolean }

// WithChildren implements sql.Expression.
func (n *Not) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(n, children)
}

// Eval implements sql.Expression.
func (n *Not) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := n.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	yes, err := sql.ConvertToBool(ctx, v)
	return !yes, err
}
