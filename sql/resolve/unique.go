package resolve

import (
	"strconv"
	"strings"

	"emberdb/sql/ast"
)

// uniqueNames gives other names to the unnamed expressions of a view whose names are taken. The
// first SELECT of a UNION names the columns.
func (r *resolver) uniqueNames(q *ast.Query) {
	first := FirstSelect(q)
	if first == nil {
		return
	}
	items := first.Items
	for i := range items {
		for j := range items[:i] {
			switch {
			case !strings.EqualFold(items[i].Alias.Name, items[j].Alias.Name):
			case r.unnamed[items[i].X]:
				items[i].Alias.Name = freeName(items, items[i].Alias.Name)
			case r.unnamed[items[j].X]:
				items[j].Alias.Name = freeName(items, items[j].Alias.Name)
			}
		}
	}
}

// freeName is a name that no item has: Name_exp_x, Name_exp_1_x and so on.
func freeName(items []ast.SelectItem, name string) string {
	for n := 0; ; n++ {
		free := "Name_exp_" + name
		if n > 0 {
			free = "Name_exp_" + strconv.Itoa(n) + "_" + name
		}
		if letters := []rune(free); len(letters) > longestName {
			free = string(letters[:longestName])
		}
		taken := false
		for i := range items {
			taken = taken || strings.EqualFold(items[i].Alias.Name, free)
		}
		if !taken {
			return free
		}
	}
}

// FirstSelect is the SELECT that names the columns of a query, or nil.
func FirstSelect(body ast.QueryBody) *ast.Select {
	for {
		switch q := body.(type) {
		case *ast.Query:
			body = q.Body
		case *ast.SetOp:
			body = q.L
		case *ast.Select:
			return q
		default:
			return nil
		}
	}
}
