package trees

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Block is a SELECT at a place of its own.
type Block struct {
	*ast.Select
	Aggregates bool // it may aggregate here
	Inside     bool // the place is in what an aggregate takes
	Named      bool // its aliases are known here
}

// AggregatesBelow tells whether there are aggregates in the subqueries of lists, of HAVING or ORDER
// BY.
func AggregatesBelow(stmt ast.SQLNode) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		s, ok := n.(*ast.Select)
		if !ok {
			return !found, nil
		}
		_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
			if q, ok := n.(*ast.Subquery); ok {
				_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
					found = found || IsAggregate(n)
					return !found, nil
				}, q)
			}
			return !found, nil
		}, s.SelectExprs, s.Having, s.OrderBy)
		return !found, nil
	}, stmt)
	return found
}

func IsAggregate(n ast.SQLNode) bool {
	switch n := n.(type) {
	case *ast.FuncExpr:
		return n.Over == nil && n.IsAggregate()
	case *ast.GroupConcatExpr:
		return true
	}
	return false
}

// NamesColumn tells whether a list has a column of that name.
func NamesColumn(list ast.SelectExprs, name ast.ColIdent) bool {
	for _, e := range list {
		a, ok := e.(*ast.AliasedExpr)
		if !ok {
			continue
		}
		if c, plain := a.Expr.(*ast.ColName); a.As.Equal(name) || plain && a.As.IsEmpty() && c.Name.Equal(name) {
			return true
		}
	}
	return false
}
