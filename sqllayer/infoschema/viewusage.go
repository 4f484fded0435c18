package infoschema

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
)

// viewTablesRows is information_schema.VIEW_TABLE_USAGE: the tables that the texts of views name,
// whether they are there or not.
func viewTablesRows(ctx *sql.Context, cat sql.Catalog, add func(map[string]any)) error {
	return viewsUsing(ctx, cat, func(d *sqllayer.Database, view string, tree ast.Statement) error {
		for _, t := range tablesOf(tree, d.Name()) {
			if sqllayer.PrivilegesOf(ctx).SeesTable(t.Schema, t.Name) {
				d.ViewComment(ctx, cat, view) // warns of a view that cannot be read
				add(map[string]any{"view_catalog": "def", "view_schema": d.Name(), "view_name": view,
					"table_catalog": "def", "table_schema": t.Schema, "table_name": t.Name})
			}
		}
		return nil
	})
}

// viewRoutinesRows is information_schema.VIEW_ROUTINE_USAGE: the stored functions that views call.
func viewRoutinesRows(ctx *sql.Context, cat sql.Catalog, add func(map[string]any)) error {
	s := sqllayer.SessionOf(ctx)
	return viewsUsing(ctx, cat, func(d *sqllayer.Database, view string, tree ast.Statement) error {
		for _, r := range callsOf(tree, d.Name()) {
			found, err := cat.Database(ctx, r.Schema)
			in, own := sqllayer.OwnDatabase(found)
			if err != nil || !own {
				continue // it was dropped
			}
			f, ok, err := sqllayer.Find[sqllayer.StoredFunction](ctx, in, catalog.KindFunction, r.Name)
			if err != nil {
				return err
			}
			if ok && s.SeesRoutine(ctx, r.Schema, f.Name, false, f.Definer) {
				d.ViewComment(ctx, cat, view)
				add(map[string]any{"table_catalog": "def", "table_schema": d.Name(), "table_name": view,
					"specific_catalog": "def", "specific_schema": r.Schema, "specific_name": f.Name})
			}
		}
		return nil
	})
}

// viewsUsing visits the views that the session may see, with the trees of their queries.
func viewsUsing(ctx *sql.Context, cat sql.Catalog, visit func(d *sqllayer.Database, view string, tree ast.Statement) error) error {
	none := func(string, sql.Table, *sqllayer.Table) error { return nil }
	return sqllayer.EachTable(ctx, cat, none, func(db sql.Database, def sql.ViewDefinition) error {
		d, ok := sqllayer.OwnDatabase(db)
		if !ok {
			return nil
		}
		stored, ok, err := sqllayer.Find[sqllayer.StoredView](ctx, d, catalog.KindView, def.Name)
		if err != nil || !ok {
			return err
		}
		tree := d.Layer.ViewTree(ctx, d, stored)
		if tree == nil {
			return nil
		}
		return visit(d, stored.Name, tree)
	})
}

// tablesOf are the tables that a query reads, each once. Those without a schema are of the view's.
func tablesOf(tree ast.Statement, schema string) []tabledef.TableName {
	common := map[string]bool{}
	names := newNameSet(schema)
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CommonTable:
			common[n.Name.Name] = true
		case *ast.TableSource:
			if n.Name.Schema.Given() || !common[n.Name.Name.Name] {
				names.add(n.Name.Schema, n.Name.Name)
			}
		}
		return true
	})
	return names.list
}

// callsOf are the functions that a query calls by a name that may be a stored function's.
func callsOf(tree ast.Statement, schema string) []tabledef.TableName {
	names := newNameSet(schema)
	ast.Inspect(tree, func(n ast.Node) bool {
		if f, ok := n.(*ast.Func); ok && !f.Keyword {
			names.add(f.Schema, f.Name)
		}
		return true
	})
	return names.list
}

// nameSet is a list of qualified names without doubles.
type nameSet struct {
	schema string
	seen   map[string]bool
	list   []tabledef.TableName
}

func newNameSet(schema string) *nameSet { return &nameSet{schema: schema, seen: map[string]bool{}} }

func (s *nameSet) add(schema, name ast.Ident) {
	t := tabledef.TableName{Schema: s.schema, Name: name.Name}
	if schema.Given() {
		t.Schema = schema.Name
	}
	if key := t.Schema + "\x00" + strings.ToLower(t.Name); !s.seen[key] {
		s.seen[key] = true
		s.list = append(s.list, t)
	}
}
