package trees

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

func ItemNamed(list ast.SelectExprs, name ast.ColIdent) *ast.AliasedExpr {
	for _, e := range list {
		if a, ok := e.(*ast.AliasedExpr); ok && a.As.Equal(name) {
			return a
		}
	}
	return nil
}

// ComputedOverRows tells whether an expression calls an aggregate or a window function.
func ComputedOverRows(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			return false, nil
		case *ast.FuncExpr:
			found = found || n.Over != nil || n.IsAggregate()
		case *ast.GroupConcatExpr:
			found = true
		}
		return !found, nil
	}, e)
	return found
}
