package expr

import (
	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// goesOn is a function that is its operand, as long as the statement has not ended. It stands
// around some constants of long lists: go-mysql-server makes its expressions of a list of any
// length without a look at the statement.
const goesOn = "\x00goes on"

// pacedBy is how many elements of lists there are from one call of it to the next.
const pacedBy = 1024

func init() {
	operand.Register(sql.FunctionN{Name: goesOn, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return args[0], nil
	}})
}

// Paced puts the calls into a statement with long lists.
func Paced(stmt ast.Statement) {
	seen := 0
	pace := func(e ast.Expr) ast.Expr {
		if seen++; seen%pacedBy != 0 {
			return e
		}
		v, ok := e.(*ast.SQLVal)
		if !ok || v.Type != ast.IntVal && v.Type != ast.StrVal {
			seen--
			return e
		}
		return operand.CallOf(goesOn, v)
	}
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case ast.ValTuple:
			for i, e := range n {
				n[i] = pace(e)
			}
		case *ast.Select:
			paceAll(n.SelectExprs, pace)
		case *ast.FuncExpr: // of few operands some are constants by their nature
			if len(n.Exprs) >= pacedBy {
				paceAll(n.Exprs, pace)
			}
		}
		return true, nil
	}, stmt)
}

func paceAll(list ast.SelectExprs, pace func(ast.Expr) ast.Expr) {
	for _, s := range list {
		if a, ok := s.(*ast.AliasedExpr); ok {
			a.Expr = pace(a.Expr)
		}
	}
}
