package operand

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Diagnostics gives an item of the diagnostics area: of the statement, or of the condition of that
// number; stacked: of the area of a handler. Package sqllayer knows them.
var Diagnostics func(ctx *sql.Context, item string, number int64, stacked bool) (any, error)

// The functions that GET DIAGNOSTICS becomes calls of; their names are no identifiers.
const (
	diagnosticNumber = "\x00diagnostics number"
	diagnosticCount  = "\x00diagnostics count"
	diagnosticText   = "\x00diagnostics text"
)

var statementItems = map[string]bool{"NUMBER": true, "ROW_COUNT": true}

// conditionItems are MySQL's; true: a number.
var conditionItems = map[string]bool{"CLASS_ORIGIN": false, "SUBCLASS_ORIGIN": false, "RETURNED_SQLSTATE": false, "MESSAGE_TEXT": false, "MYSQL_ERRNO": true,
	"CONSTRAINT_CATALOG": false, "CONSTRAINT_SCHEMA": false, "CONSTRAINT_NAME": false, "CATALOG_NAME": false, "SCHEMA_NAME": false, "TABLE_NAME": false,
	"COLUMN_NAME": false, "CURSOR_NAME": false}

// DiagnosticCall returns the call that gives an item; nil if there is no such item. condition is
// the number of a condition, nil for the statement's items.
func DiagnosticCall(item string, condition ast.Expr, stacked bool) ast.Expr {
	name := diagnosticNumber
	if condition == nil {
		if !statementItems[item] {
			return nil
		}
		if condition = ast.NewIntVal([]byte("0")); item == "ROW_COUNT" {
			name = diagnosticCount
		}
	} else if number, known := conditionItems[item]; !known {
		return nil
	} else if !number {
		name = diagnosticText
	}
	arguments := ast.SelectExprs{}
	for _, e := range []ast.Expr{ast.NewStrVal([]byte(item)), condition, ast.BoolVal(stacked)} {
		arguments = append(arguments, &ast.AliasedExpr{Expr: e})
	}
	return &ast.FuncExpr{Name: ast.NewColIdent(name), Exprs: arguments}
}

// IsDiagnostic tells whether an expression is such a call.
func IsDiagnostic(e ast.Expr) bool {
	f, ok := e.(*ast.FuncExpr)
	return ok && strings.HasPrefix(f.Name.String(), "\x00diagnostics ")
}

func init() {
	item := func(ctx *sql.Context, args []any) (any, error) {
		n, _, err := types.Int64.Convert(ctx, args[1])
		if err != nil {
			return nil, err
		}
		name, _ := args[0].(string)
		number, _ := n.(int64)
		stacked, err := sql.ConvertToBool(ctx, args[2])
		if err != nil {
			return nil, err
		}
		return Diagnostics(ctx, name, number, stacked)
	}
	Register(NewScalar(diagnosticNumber, 3, 3, types.Uint64, item), NewScalar(diagnosticCount, 3, 3, types.Int64, item), NewScalar(diagnosticText, 3, 3, nil, item))
}
