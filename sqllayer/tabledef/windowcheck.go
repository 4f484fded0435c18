package tabledef

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
)

// Nowhere refuses aggregates and window functions in nodes, but for those of subqueries.
func Nowhere(nodes ...ast.SQLNode) error {
	return Calls(func(f *ast.FuncExpr) error {
		if err := WindowOnly(f); err != nil {
			return err
		}
		return AggregateNowhere(f)
	}, nodes...)
}

func WindowOnly(f *ast.FuncExpr) error {
	if f.Over != nil {
		return sqlerr.NewError(3593, "You cannot use the window function '%s' in this context.'", f.Name.Lowered())
	}
	return nil
}

func AggregateNowhere(f *ast.FuncExpr) error {
	if f.IsAggregate() && f.Over == nil {
		return sqlerr.NewError(1111, "Invalid use of group function")
	}
	return nil
}

// Calls visits the calls of functions in nodes, but for those of subqueries.
func Calls(visit func(*ast.FuncExpr) error, nodes ...ast.SQLNode) error {
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery, *ast.ParenSelect:
			return false, nil
		case *ast.FuncExpr:
			return true, visit(n)
		}
		return true, nil
	}, nodes...)
}
