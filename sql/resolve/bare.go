package resolve

import (
	"fmt"
	"strings"

	"emberdb/sql/ast"
)

// Bare takes the schema out of a resolved query if all its tables are in it, which it reports.
func Bare(q *ast.Query, schema string) bool {
	all := true
	ast.Inspect(q, func(n ast.Node) bool {
		if t, ok := n.(*ast.TableSource); ok && t.Name.Schema.Given() {
			all = all && strings.EqualFold(t.Name.Schema.Name, schema)
		}
		return all
	})
	if !all {
		return false
	}
	ast.Inspect(q, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TableSource:
			n.Name.Schema = ast.Ident{}
		case *ast.Column:
			n.Schema = ast.Ident{}
		}
		return true
	})
	return true
}

// Names are the names of the columns of a resolved query.
func Names(q *ast.Query) (names []string) {
	b := q.Body
	for {
		switch n := b.(type) {
		case *ast.SetOp:
			b = n.L
		case *ast.Query:
			b = n.Body
		case *ast.Select:
			for i := range n.Items {
				names = append(names, n.Items[i].Alias.Name)
			}
			return names
		case *ast.Values:
			for i := range n.Rows[0].Items {
				names = append(names, fmt.Sprintf("column_%d", i))
			}
			return names
		default:
			return nil
		}
	}
}
