package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// HANDLER, and what other statements do to the tables that it has opened.

// tableHandler is HANDLER.
func (x *execution) tableHandler(ctx *sql.Context, n *ast.Handler) error {
	s, ok := ctx.Session.(*sqllayer.Session)
	if !ok {
		return x.unsupported()
	}
	switch n.Action {
	case ast.HandlerClose:
		return s.CloseHandler(n.Table.Name.Name)
	case ast.HandlerOpen:
		if err := x.h.s.mayUnrun(ctx, n); err != nil {
			return err
		}
		t, err := x.nameOf(ctx, &n.Table)
		if err != nil {
			return err
		}
		name := t.name
		if n.Alias.Given() {
			name = n.Alias.Name
		}
		db, err := x.h.e.Analyzer.Catalog.Database(ctx, t.db)
		if err != nil {
			return err
		}
		return s.OpenHandler(ctx, db, t.name, name)
	}
	return x.readHandler(ctx, s, n)
}

// readHandler is HANDLER ... READ.
func (x *execution) readHandler(ctx *sql.Context, s *sqllayer.Session, n *ast.Handler) error {
	key, err := x.handlerKey(ctx, n.Values)
	if err != nil {
		return err
	}
	name := n.Table.Name.Name
	db, table, done, err := s.ReadHandler(ctx, name, sqllayer.HandlerRead{Index: n.Index.Name, Action: n.Action, Op: n.Op, Key: key})
	if err != nil {
		return err
	}
	defer done()
	text := "SELECT * FROM " + tableName{db, table}.quoted() + " AS " + quoteIdent(name)
	if n.Where != nil {
		if err := ownColumns(name, n.Where); err != nil {
			return err
		}
		text += " WHERE " + x.printed(n.Where)
	}
	if n.Limit != nil {
		text += " " + x.printed(n.Limit)
	} else {
		text += " LIMIT 1"
	}
	err = x.viaLayer(ctx, text, nil)
	if err == nil {
		return nil
	}
	if e := sqlerr.Translate(err, db); e.Num == 1054 {
		return sqlerr.NewError(1054, "%s", strings.Replace(e.Message, "'where clause'", "'field list'", 1))
	}
	return err
}

// handlerKey evaluates the values of a key. They are known before a row is read.
func (x *execution) handlerKey(ctx *sql.Context, values []ast.Expr) ([]tabledef.HandlerValue, error) {
	out := make([]tabledef.HandlerValue, len(values))
	var texts []string
	var at []int
	for i, v := range values {
		if _, out[i].Default = v.(*ast.DefaultValue); out[i].Default {
			continue
		}
		if err := isConstant(v); err != nil {
			return nil, err
		}
		texts, at = append(texts, x.printed(v)), append(at, i)
	}
	if len(texts) == 0 {
		return out, nil
	}
	columns, rows, err := x.resultOf(x.nested(ctx), "SELECT "+strings.Join(texts, ", "))
	if err != nil {
		return nil, err
	}
	for i, to := range at {
		out[to].Value, out[to].Type = rows[0][i], columns[i].Type
	}
	return out, nil
}

// ownColumns is the error of a condition that names a column of another table than the handler's.
func ownColumns(name string, where ast.Expr) (err error) {
	ast.Inspect(where, func(n ast.Node) bool {
		c, is := n.(*ast.Column)
		if is && (c.Schema.Given() || c.Table.Given() && !strings.EqualFold(c.Table.Name, name)) {
			full := c.Table.Name + "." + c.Name.Name
			if c.Schema.Given() {
				full = c.Schema.Name + "." + full
			}
			err = sqlerr.NewError(1054, "Unknown column '%s' in 'field list'", full)
		}
		return err == nil
	})
	return err
}

// isConstant is the error of an expression that is no constant.
func isConstant(v ast.Expr) (err error) {
	ast.Inspect(v, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.Aggregate:
			err = sqlerr.NewError(1111, "Invalid use of group function")
		case *ast.Column, *ast.UserVar:
			err = sqlerr.NewError(1210, "Incorrect arguments to HANDLER ... READ")
		}
		return err == nil
	})
	return err
}

// closeTableHandlers closes the session's handlers of the tables that its statement defines anew,
// drops or maintains.
func (x *execution) closeTableHandlers(ctx *sql.Context) {
	s, ok := ctx.Session.(*sqllayer.Session)
	if !ok || !s.HasHandlers() {
		return
	}
	if n, drops := x.stmt.Tree.(*ast.DropDatabase); drops {
		s.CloseHandlersOf(n.Name.Name, "")
	}
	for _, name := range definedTables(x.stmt.Tree) {
		if t, err := x.nameOf(ctx, &name); err == nil {
			s.CloseHandlersOf(t.db, t.name)
		}
	}
}

// definedTables are the tables that a statement defines anew, drops or maintains.
func definedTables(tree ast.Statement) []ast.TableName {
	switch n := tree.(type) {
	case *ast.CreateTable:
		return []ast.TableName{n.Name}
	case *ast.AlterTable:
		return []ast.TableName{n.Table}
	case *ast.DropTable:
		return n.Tables
	case *ast.TruncateTable:
		return []ast.TableName{n.Table}
	case *ast.CreateIndex:
		return []ast.TableName{n.Table}
	case *ast.DropIndex:
		return []ast.TableName{n.Table}
	case *ast.CreateTrigger:
		return []ast.TableName{n.Table}
	case *ast.MaintainTables:
		return n.Tables
	case *ast.RenameTable:
		var names []ast.TableName
		for _, r := range n.Renames {
			names = append(names, r.From, r.To)
		}
		return names
	}
	return nil
}

// rewindTableHandlers makes the session's handlers of tables that are flushed begin anew; without
// names, all of them.
func (x *execution) rewindTableHandlers(names []tableName) {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return
	}
	if len(names) == 0 {
		s.RewindHandlers("", "")
	}
	for _, n := range names {
		s.RewindHandlers(n.db, n.name)
	}
}

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
