package trees

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
)

// UniqueColumns looks at the names that a statement gives; MySQL makes the others of a view unique.
func UniqueColumns(ctx *sql.Context, t *plan.SubqueryAlias) error {
	schema := t.Schema(ctx)
	var computed []sql.Expression
	if p, ok := t.Child.(*plan.Project); ok && len(t.ColumnNames) == 0 {
		computed = p.Projections
	}
	seen := make(map[string]bool)
	for i, c := range schema {
		if i < len(computed) && !isNamed(computed[i]) {
			continue
		}
		name := strings.ToLower(c.Name)
		if seen[name] {
			return sqlerr.NewError(mysql.ERDupFieldName, "Duplicate column name '%s'", c.Name)
		}
		seen[name] = true
	}
	return nil
}

func isNamed(e sql.Expression) bool {
	switch e := e.(type) {
	case *expression.GetField:
		return true
	case *expression.Alias:
		return !e.Unreferencable()
	}
	return false
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
