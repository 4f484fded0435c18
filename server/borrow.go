package server

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
)

// qualifier is the schema that a statement's first table is named with, for statements for which
// go-mysql-server wants a current database although they name theirs; "": it is another statement,
// or names none.
func qualifier(statement ast.Statement) string {
	first := func(names []ast.TableName) string {
		if len(names) == 0 {
			return ""
		}
		return names[0].Schema.Name
	}
	switch n := statement.(type) {
	case *ast.CreateView:
		return n.Name.Schema.Name
	case *ast.DropView:
		return first(n.Views)
	case *ast.AlterTable:
		return n.Table.Schema.Name
	case *ast.RenameTable:
		return n.Renames[0].From.Schema.Name
	case *ast.MaintainTables:
		return first(n.Tables)
	case *ast.Show:
		if n.Kind == ast.ShowEvents {
			return n.Schema.Name
		}
	case *ast.Explain:
		if d, ok := n.Statement.(*ast.Delete); ok {
			return tableOf(d).Schema.Name
		}
	}
	return ""
}

// tableOf is the first table that DELETE names.
func tableOf(d *ast.Delete) (name ast.TableName) {
	found := false
	ast.Inspect(d, func(n ast.Node) bool {
		if t, ok := n.(*ast.TableName); ok && !found {
			name, found = *t, true
		}
		return !found
	})
	return name
}

// borrowDatabase makes the database of a qualified name the current one if there is none; the
// returned function takes it back.
func (h *handler) borrowDatabase(ctx *sql.Context, tree ast.Statement) func() {
	if ctx.GetCurrentDatabase() != "" {
		return func() {}
	}
	return h.lend(ctx, qualifier(tree))
}

// lend makes a database the current one.
func (h *handler) lend(ctx *sql.Context, name string) func() {
	if name == "" || !h.e.Analyzer.Catalog.HasDatabase(ctx, name) {
		return func() {}
	}
	ctx.SetCurrentDatabase(name)
	return func() { ctx.SetCurrentDatabase("") }
}
