package texts

import (
	"math/big"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// The functions that give a number in place of one that a system variable cannot have; their names
// are no identifiers.
const (
	cutSigned   = "\x00cut"
	cutUnsigned = "\x00cut unsigned"
)

// CutCall is the call that gives the number and leaves a warning.
func CutCall(variable, written string, number *big.Int) ast.Expr {
	name := cutSigned
	if !number.IsInt64() {
		name = cutUnsigned
	}
	text := func(s string) ast.SelectExpr { return &ast.AliasedExpr{Expr: ast.NewStrVal([]byte(s))} }
	return &ast.FuncExpr{Name: ast.NewColIdent(name), Exprs: ast.SelectExprs{text(variable), text(written), text(number.String())}}
}

func init() {
	cut := func(of sql.Type) func(ctx *sql.Context, args []any) (any, error) {
		return func(ctx *sql.Context, args []any) (any, error) {
			variable, _ := args[0].(string)
			written, _ := args[1].(string)
			ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1292, Message: "Truncated incorrect " + variable + " value: '" + written + "'"})
			n, _, err := of.Convert(ctx, args[2])
			return n, err
		}
	}
	operand.Register(operand.NewScalar(cutSigned, 3, 3, types.Int64, cut(types.Int64)), operand.NewScalar(cutUnsigned, 3, 3, types.Uint64, cut(types.Uint64)))
}
