package sqllayer

import (
	"cmp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// viewOverTemporary refuses a view that reads a temporary table, which only this session has. A
// table that is missed is told of first, by whoever looks for it.
func (r *rewriterAST) viewOverTemporary() (refused error) {
	ctx, ok := r.ctx.(*sql.Context)
	view, is := r.tree.(*sqlast.CreateView)
	if !ok || !is || view.Query == nil {
		return nil
	}
	s := SessionOf(ctx)
	if s == nil || s.planning != nil || !s.HasTemporary() { // PREPARE does not look
		return nil
	}
	read := map[string]string{} // temporary tables, and what they are called
	complete := true
	sqlast.Inspect(view.Query, func(n sqlast.Node) bool {
		t, ok := n.(*sqlast.TableSource)
		if !ok || !complete {
			return complete
		}
		schema, name := t.Name.Schema.Name, t.Name.Name.Name
		if schema == "" && r.ctes[strings.ToLower(name)] {
			return true
		}
		schema = cmp.Or(schema, ctx.GetCurrentDatabase())
		if !s.IsTemporary(schema, name) {
			complete = r.isThere(ctx, s, schema, name)
			return complete
		}
		id := strings.ToLower(schema + "." + name)
		before, twice := read[id]
		if read[id] = cmp.Or(t.Alias.Name, name); twice {
			refused = sqlerr.NewError(1137, "Can't reopen table: '%s'", before)
		} else if refused == nil {
			refused = sqlerr.NewError(1352, "View's SELECT refers to a temporary table '%s'", name)
		}
		return true
	})
	if !complete {
		return nil
	}
	return refused
}

// isThere tells whether there is a table or view of that name.
func (r *rewriterAST) isThere(ctx *sql.Context, s *Session, schema, name string) bool {
	d, err := s.layer.Provider.Database(ctx, schema)
	if err != nil {
		return false
	}
	if _, ok, err := d.GetTableInsensitive(ctx, name); err != nil || ok {
		return err == nil
	}
	views, ok := d.(sql.ViewDatabase)
	if !ok {
		return false
	}
	_, ok, err = views.GetViewDefinition(ctx, name)
	return err == nil && ok
}

// IsView tells whether a name is that of a view, which no temporary table hides.
func (s *Session) IsView(ctx *sql.Context, schema, name string) bool {
	if s.IsTemporary(schema, name) {
		return false
	}
	d, err := s.layer.Provider.Database(ctx, schema)
	views, ok := d.(sql.ViewDatabase)
	if err != nil || !ok {
		return false
	}
	_, ok, err = views.GetViewDefinition(ctx, name)
	return err == nil && ok
}

// notView is the error of SHOW CREATE VIEW over a table; nil for other statements and tables that
// there are not.
func notView(ctx *sql.Context) *mysql.SQLError {
	s := SessionOf(ctx)
	if s == nil || s.current == nil {
		return nil
	}
	show, ok := s.current.Tree.(*sqlast.ShowCreate)
	if !ok || show.Kind != sqlast.ShowCreateView {
		return nil
	}
	schema, name := cmp.Or(show.Name.Schema.Name, ctx.GetCurrentDatabase()), show.Name.Name.Name
	d, err := s.layer.Provider.Database(ctx, schema)
	if err != nil {
		return nil
	}
	if _, ok, err := d.GetTableInsensitive(ctx, name); err != nil || !ok {
		return nil
	}
	return sqlerr.NewError(1347, "'%s.%s' is not VIEW", schema, name)
}
