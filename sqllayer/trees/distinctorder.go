package trees

import (
	"strconv"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// DistinctOrder writes the alias where SELECT DISTINCT is ordered by the number of a computed
// column: GMS looks for it in the rows before DISTINCT.
func DistinctOrder(n *ast.Select) {
	if !n.QueryOpts.Distinct {
		return
	}
	for _, o := range n.OrderBy {
		number, ok := o.Expr.(*ast.SQLVal)
		if !ok || number.Type != ast.IntVal {
			continue
		}
		at, err := strconv.Atoi(string(number.Val))
		if err != nil || at < 1 || at > len(n.SelectExprs) || HasStar(n.SelectExprs[:at]) {
			continue
		}
		e, ok := n.SelectExprs[at-1].(*ast.AliasedExpr)
		if !ok || e.As.IsEmpty() {
			continue
		}
		if _, column := e.Expr.(*ast.ColName); !column {
			o.Expr = &ast.ColName{Name: e.As}
		}
	}
}

func HasStar(list ast.SelectExprs) bool {
	for _, e := range list {
		if _, ok := e.(*ast.StarExpr); ok {
			return true
		}
	}
	return false
}

// NamedForOrder are the columns that give a UNION its names and are ordered by, if they have none
// but what is written: GMS would order by the first query's constant instead of the column. They
// get what is written as an alias.
func NamedForOrder(n *ast.SetOp) (named []*ast.AliasedExpr) {
	if len(n.OrderBy) == 0 {
		return nil
	}
	var first ast.SelectStatement = n
	for {
		switch s := first.(type) {
		case *ast.SetOp:
			first = s.Left
			continue
		case *ast.ParenSelect:
			first = s.Select
			continue
		case *ast.Select:
			for _, e := range s.SelectExprs {
				a, ok := e.(*ast.AliasedExpr)
				if !ok || !a.As.IsEmpty() {
					continue
				}
				if _, column := a.Expr.(*ast.ColName); !column {
					named = append(named, a)
				}
			}
		}
		return named
	}
}
