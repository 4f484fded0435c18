package documents

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// InArray stands in a parsed text for MEMBER OF: x = a call of it is x MEMBER OF (...).
const InArray = "\x00member"

// MemberOf makes the comparison a call of the function; nil for others.
func MemberOf(e *ast.ComparisonExpr) ast.Expr {
	call, ok := e.Right.(*ast.FuncExpr)
	if !ok || e.Operator != ast.EqualStr || len(call.Exprs) != 1 || call.Name.Lowered() != InArray {
		return nil
	}
	return &ast.FuncExpr{Name: call.Name, Exprs: append(ast.SelectExprs{&ast.AliasedExpr{Expr: e.Left}}, call.Exprs...)}
}

func IsMemberOf(n ast.SQLNode) bool {
	c, ok := n.(*ast.ComparisonExpr)
	return ok && MemberOf(c) != nil
}

func init() { operand.Register(sql.FunctionN{Name: InArray, Fn: newInArray}) }

// inArray is x MEMBER OF (document): JSON_OVERLAPS of an array of x and the document, but for NULL.
type inArray struct {
	operand.Two
	inner sql.Expression
}

var _ sql.CollationCoercible = (*inArray)(nil)

func newInArray(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	array, ok := operand.Builtin("json_array")
	overlaps, known := operand.Lookup("json_overlaps")
	if !ok || !known || len(args) != 2 {
		return nil, sql.ErrInvalidArgumentNumber.New("MEMBER OF", 2, len(args))
	}
	one, err := array.NewInstance(ctx, args[:1])
	if err != nil {
		return nil, err
	}
	inner, err := overlaps.NewInstance(ctx, []sql.Expression{one, args[1]})
	if err != nil {
		return nil, err
	}
	return &inArray{operand.OverTwo(args[0], args[1]), inner}, nil
}

func (m *inArray) String() string {
	return m.LeftChild.String() + " member of(" + m.RightChild.String() + ")"
}

// Type implements sql.Expression.
func (*inArray) Type(*sql.Context) sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (*inArray) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (*inArray) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return newInArray(ctx, children...)
}

// Eval implements sql.Expression.
func (m *inArray) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if v, err := m.LeftChild.Eval(ctx, row); v == nil || err != nil {
		return nil, err
	}
	return m.inner.Eval(ctx, row)
}
