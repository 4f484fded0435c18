package trees

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sql/resolve"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// UniqueColumns refuses a view or derived table with two columns of one name. MySQL makes the names
// of a view's unnamed expressions unique.
func UniqueColumns(ctx *sql.Context, t *plan.SubqueryAlias, unnamed []bool) error {
	seen := make(map[string]bool)
	for i, c := range t.Schema(ctx) {
		if i < len(unnamed) && unnamed[i] {
			continue
		}
		name := strings.ToLower(c.Name)
		if seen[name] {
			return sqlerr.NewError(mysql.ERDupFieldName, "Duplicate column name '%s'", strings.TrimSpace(c.Name))
		}
		seen[name] = true
	}
	return nil
}

// ProperColumns refuses names that no column of a view may have.
func ProperColumns(ctx *sql.Context, t *plan.SubqueryAlias, unnamed []bool) error {
	for i, c := range t.Schema(ctx) {
		if i < len(unnamed) && unnamed[i] {
			continue
		}
		if err := tabledef.CheckColumnName(c.Name); err != nil {
			return err
		}
	}
	return nil
}

// Unnamed tells which columns of a view are expressions without an alias. The first SELECT of a
// UNION names the columns. A star stands for as many columns as the others leave of n.
func Unnamed(view *sqlast.CreateView, n int) (out []bool) {
	if view == nil || len(view.Columns) > 0 {
		return nil
	}
	first := resolve.FirstSelect(view.Query)
	if first == nil {
		return nil
	}
	stars, rest := 0, n-len(first.Items)
	for i := range first.Items {
		switch first.Items[i].X.(type) {
		case *sqlast.Star:
			if stars++; stars == 1 && rest >= 0 {
				out = append(out, make([]bool, rest+1)...)
			}
		case *sqlast.Column:
			out = append(out, false)
		default:
			out = append(out, !first.Items[i].Alias.Given())
		}
	}
	if stars > 1 {
		return nil
	}
	return out
}

// uniqueExpressions refuses a WITH of two common table expressions of one name.
func uniqueExpressions(w *ast.With) error {
	if w == nil {
		return nil
	}
	seen := make(map[string]bool)
	for _, e := range w.Ctes {
		name := e.As.String()
		if seen[strings.ToLower(name)] {
			return sqlerr.NewError(mysql.ERNonUniqTable, "Not unique table/alias: '%s'", name)
		}
		seen[strings.ToLower(name)] = true
	}
	return nil
}
