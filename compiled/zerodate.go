package compiled

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
)

// noZeroDates gives up a condition that asks whether dates are NULL which never are: WHERE finds
// dates of zeros so.
func (c *compiler) noZeroDates(e ast.Expr) {
	_ = ast.Walk(func(node ast.SQLNode) (bool, error) {
		var of ast.Expr
		switch n := node.(type) {
		case *ast.IsExpr:
			if of = n.Expr; n == e && n.Operator == ast.IsNotNullStr {
				return true, nil
			}
		case *ast.FuncExpr:
			if a, ok := firstArgument(n); ok && n.Name.EqualString("isnull") {
				of = a
			}
		}
		if name, ok := of.(*ast.ColName); ok {
			k := &c.p.cols[c.column(name)]
			need(k.Nullable || k.Type != row.TDate && k.Type != row.TDateTime)
		}
		return true, nil
	}, e)
}

func firstArgument(f *ast.FuncExpr) (ast.Expr, bool) {
	if len(f.Exprs) == 0 {
		return nil, false
	}
	a, ok := f.Exprs[0].(*ast.AliasedExpr)
	if !ok {
		return nil, false
	}
	return a.Expr, true
}
