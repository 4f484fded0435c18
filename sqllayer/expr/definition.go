package expr

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// Defined is the function that an expression of a table's definition becomes: of its text, as
// package ast prints it, and of itself.
const Defined = "\x00defined"

// Definition is an expression of a table's definition, which is kept as its text.
type Definition struct {
	operand.Like
	text string
}

func init() {
	operand.Register(sql.Function2{Name: Defined, Fn: func(_ *sql.Context, text, e sql.Expression) sql.Expression {
		d := &Definition{Like: operand.LikeOf(e)}
		if l, ok := text.(*expression.Literal); ok {
			d.text, _ = l.Value().(string)
		}
		return d
	}})
}

// Eval implements sql.Expression.
func (d *Definition) Eval(ctx *sql.Context, r sql.Row) (any, error) { return d.Child.Eval(ctx, r) }

// WithChildren implements sql.Expression.
func (d *Definition) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(d, children)
}

func (d *Definition) String() string { return "(" + d.text + ")" }

// DefinitionIn is the expression of a definition below e; nil if there is none.
func DefinitionIn(e sql.Expression) (d *Definition) {
	transform.InspectExpr(nil, e, func(_ *sql.Context, e sql.Expression) bool {
		if d == nil {
			d, _ = e.(*Definition)
		}
		return d != nil
	})
	return d
}

// DefinedText is the text that a call of Defined carries, and the expression.
func DefinedText(n *vt.FuncExpr) (text string, x vt.Expr, ok bool) {
	if n.Name.String() != Defined || len(n.Exprs) != 2 {
		return "", nil, false
	}
	value, _ := n.Exprs[0].(*vt.AliasedExpr).Expr.(*vt.SQLVal)
	return string(value.Val), n.Exprs[1].(*vt.AliasedExpr).Expr, true
}
