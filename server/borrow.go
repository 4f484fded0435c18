package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
)

// qualifier is the schema that a statement's first table is named with, for statements for which go-mysql-server wants a current database although they name theirs;
// "": it is another statement, or names none.
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

// borrowDatabase makes the database of a qualified name the current one if there is none; the returned function takes it back.
func (x *execution) borrowDatabase(ctx *sql.Context) func() {
	if x.db != "" || x.verb.reads && !x.verb.admin {
		return func() {}
	}
	if x.verb.counter == com("execute_sql") {
		if stmt := executed(ctx, x.query); stmt != nil {
			return x.h.lend(ctx, qualifierOf(stmt))
		}
	}
	return x.h.borrowFor(ctx, x.w, x.plannedText(ctx))
}

// qualifierOf is qualifier of a statement that go-mysql-server has prepared.
func qualifierOf(stmt sqlparser.Statement) string {
	switch n := stmt.(type) {
	case *sqlparser.DDL:
		if n.ViewSpec != nil {
			return n.ViewSpec.ViewName.DbQualifier.String()
		}
		for _, t := range append(sqlparser.TableNames{n.Table}, n.FromTables...) {
			if q := t.DbQualifier.String(); q != "" {
				return q
			}
		}
	case *sqlparser.AlterTable:
		return n.Table.DbQualifier.String()
	case *sqlparser.Show:
		if o := n.ShowTablesOpt; strings.EqualFold(n.Type, "events") && n.Database == "" && o != nil {
			return o.DbName
		} else if strings.EqualFold(n.Type, "events") {
			return n.Database
		}
	case *sqlparser.Explain:
		if d, ok := n.Statement.(*sqlparser.Delete); ok && len(d.TableExprs) > 0 {
			if t, ok := d.TableExprs[0].(*sqlparser.AliasedTableExpr); ok {
				name, _ := t.Expr.(sqlparser.TableName)
				return name.DbQualifier.String()
			}
		}
	}
	return ""
}

// plannedText is the text of the statement that is planned: what PREPARE prepares, or what the server itself runs by EXECUTE, or the statement itself.
func (x *execution) plannedText(ctx *sql.Context) string {
	if !x.verb.named {
		return x.query
	}
	statement, err := parseStatement(x.w, x.query, true)
	if err != nil {
		return x.query
	}
	switch n := statement.(type) {
	case *ast.Prepare:
		switch from := n.From.(type) {
		case *ast.Literal:
			return from.Text
		case *ast.UserVar:
			_, v, _ := ctx.Session.GetUserVariable(ctx, from.Name.Name)
			text, _ := v.(string)
			return text
		}
	case *ast.Execute:
		return x.w.texts[strings.ToLower(n.Name.Name)]
	}
	return x.query
}

// borrowFor is borrowDatabase for a text.
func (h *handler) borrowFor(ctx *sql.Context, w *wireConn, text string) func() {
	if ctx.GetCurrentDatabase() != "" {
		return func() {}
	}
	statement, err := parseStatement(w, text, true)
	if err != nil {
		return func() {}
	}
	return h.lend(ctx, qualifier(statement))
}

// lend makes a database the current one.
func (h *handler) lend(ctx *sql.Context, name string) func() {
	if name == "" || !h.e.Analyzer.Catalog.HasDatabase(ctx, name) {
		return func() {}
	}
	ctx.SetCurrentDatabase(name)
	return func() { ctx.SetCurrentDatabase("") }
}
