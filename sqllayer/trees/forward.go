package trees

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// RefersForward tells whether a subquery in the select list of a SELECT uses a name that is no more
// than the alias of a column of that list, which it cannot be known by before.
func RefersForward(stmt ast.SQLNode, name string) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		s, ok := n.(*ast.Select)
		if ok && !found {
			found = listRefers(s, name)
		}
		return !found, nil
	}, stmt)
	return found
}

func listRefers(s *ast.Select, name string) bool {
	alias, used := false, false
	for _, e := range s.SelectExprs {
		a, ok := e.(*ast.AliasedExpr)
		if !ok {
			continue
		}
		alias = alias || strings.EqualFold(a.As.String(), name)
		_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
			q, ok := n.(*ast.Subquery)
			used = used || ok && Mentions(q, name)
			return !used, nil
		}, a.Expr)
	}
	return alias && used
}
