package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// uniqueNamesRule is the id of uniqueNames: no rule of GMS has it.
const uniqueNamesRule = upsertRule + 1

// uniqueNames refuses views, derived tables and common table expressions with two columns of one
// name. It sees each new view, and what that replaces.
func (l *Layer) uniqueNames(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if l.opts.Plain {
		return n, transform.SameTree, nil
	}
	var err error
	if view, ok := n.(*plan.CreateView); ok {
		if view, err = l.replaceView(ctx, view); err == nil {
			err = uniqueColumns(ctx, view.Definition)
		}
		n = view
	}
	if flags.SubqueryIsSet() {
		transform.InspectWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) bool {
			if t, ok := n.(*plan.SubqueryAlias); ok && err == nil {
				err = uniqueColumns(ctx, t)
			}
			return err == nil
		})
	}
	return n, transform.SameTree, err
}

// uniqueColumns looks at the names that a statement gives; MySQL makes the others of a view unique.
func uniqueColumns(ctx *sql.Context, t *plan.SubqueryAlias) error {
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
			return NewError(mysql.ERDupFieldName, "Duplicate column name '%s'", c.Name)
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
			return NewError(mysql.ERNonUniqTable, "Not unique table/alias: '%s'", name)
		}
		seen[strings.ToLower(name)] = true
	}
	return nil
}
