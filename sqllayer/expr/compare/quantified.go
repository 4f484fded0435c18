package compare

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// Quantified makes a comparison with ALL or ANY of a subquery one that the library plans; nil for
// others. = ANY is IN, <> ALL is NOT IN, the others look at what the comparison gives for all rows:
//
//	x > ALL (SELECT ...)     (SELECT CASE WHEN COUNT(*) = 0 THEN 1 WHEN MIN(x > v) = 0 THEN 0 WHEN COUNT(x > v) < COUNT(*) THEN NULL ELSE 1 END FROM (SELECT ...) q (v))
//	x > ANY (SELECT ...)     (SELECT CASE WHEN COUNT(*) = 0 THEN 0 WHEN MAX(x > v) = 1 THEN 1 WHEN COUNT(x > v) < COUNT(*) THEN NULL ELSE 0 END FROM (SELECT ...) q (v))
func Quantified(e *ast.ComparisonExpr) ast.Expr {
	call, ok := e.Right.(*ast.FuncExpr)
	if !ok || len(call.Exprs) != 1 {
		return nil
	}
	name := call.Name.Lowered()
	arg, ok := call.Exprs[0].(*ast.AliasedExpr)
	if !ok || name != operand.AllOf && name != operand.AnyOf {
		return nil
	}
	inner := arg.Expr
	for paren, ok := inner.(*ast.ParenExpr); ok; paren, ok = inner.(*ast.ParenExpr) {
		inner = paren.Expr
	}
	of, ok := inner.(*ast.Subquery)
	if !ok {
		return nil
	}
	switch {
	case name == operand.AnyOf && e.Operator == ast.EqualStr:
		return &ast.ComparisonExpr{Operator: ast.InStr, Left: e.Left, Right: of}
	case name == operand.AllOf && e.Operator == ast.NotEqualStr:
		in := &ast.ComparisonExpr{Operator: ast.NotInStr, Left: e.Left, Right: of}
		if call := NotInCall(in); call != nil {
			return call
		}
		return in
	}
	template := "select case when count(*) = 0 then 1 when min(`\x00x` = `\x00q`.`\x00v`) = 0 then 0 when count(`\x00x` = `\x00q`.`\x00v`) < count(*) then null else 1 end from (select 1) as `\x00q` (`\x00v`)"
	if name == operand.AnyOf {
		template = strings.NewReplacer("then 1 when min", "then 0 when max", "= 0 then 0", "= 1 then 1", "else 1", "else 0").Replace(template)
	}
	stmt, err := ast.Parse(template)
	if err != nil {
		return nil
	}
	sel := stmt.(*ast.Select)
	sel.From[0].(*ast.AliasedTableExpr).Expr.(*ast.Subquery).Select = of.Select
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.ComparisonExpr); ok {
			if left, ok := c.Left.(*ast.ColName); ok && left.Name.Lowered() == "\x00x" {
				c.Left, c.Operator = e.Left, e.Operator
			}
		}
		return true, nil
	}, sel.SelectExprs)
	return &ast.Subquery{Select: sel}
}

func IsQuantified(n ast.SQLNode) bool {
	c, ok := n.(*ast.ComparisonExpr)
	if !ok {
		return false
	}
	call, ok := c.Right.(*ast.FuncExpr)
	return ok && (call.Name.Lowered() == operand.AllOf || call.Name.Lowered() == operand.AnyOf)
}

func init() {
	operand.Register(sql.Function2{Name: operand.CollatedOf, Fn: func(ctx *sql.Context, e, name sql.Expression) sql.Expression {
		if l, ok := name.(*expression.Literal); ok {
			if id, err := sql.ParseCollation("", fmt.Sprint(l.Value()), false); err == nil {
				return expression.NewCollatedExpression(e, id)
			}
		}
		return e
	}})
	operand.Register(sql.FunctionN{Name: operand.IntervalOf, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) < 2 {
			return nil, sql.ErrInvalidArgumentNumber.New("INTERVAL", "2 or more", len(args))
		}
		return &Position{operand.OverMany(args)}, nil
	}})
}

// Position is INTERVAL(n, a, b, ...): how many of the numbers behind n, which ascend, are not
// greater than it; -1 for NULL.
type Position struct{ operand.Many }

var _ sql.CollationCoercible = (*Position)(nil)

func (p *Position) String() string {
	args := make([]string, len(p.ChildExpressions))
	for i, e := range p.ChildExpressions {
		args[i] = e.String()
	}
	return "interval(" + strings.Join(args, ",") + ")"
}

// Type implements sql.Expression.
func (*Position) Type(*sql.Context) sql.Type { return types.Int64 }

// IsNullable implements sql.Expression.
func (*Position) IsNullable(*sql.Context) bool { return false }

// WithChildren implements sql.Expression.
func (p *Position) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(p, children)
}

// Eval implements sql.Expression.
func (p *Position) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	var n operand.Number
	for i, e := range p.ChildExpressions {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if v == nil {
			if i == 0 {
				return int64(-1), nil
			}
			continue
		}
		if v, err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, err
		}
		bound, null, err := operand.NumberOf(ctx, v, e.Type(ctx))
		if err != nil {
			return nil, err
		}
		if i == 0 {
			if n = bound; null {
				return int64(-1), nil
			}
			continue
		}
		above, err := bound.Compare(n)
		if err != nil {
			return nil, err
		}
		if !null && above > 0 {
			return int64(i - 1), nil
		}
	}
	return int64(len(p.ChildExpressions) - 1), nil
}
