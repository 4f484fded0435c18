package sqllayer

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/types"
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/bind"
	"emberdb/sql/parse"
	"emberdb/sql/resolve"
	"emberdb/sql/token"
	sqltype "emberdb/sql/types"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// Resolved texts: the query of a view as SHOW and information_schema show it, and the statement in
// the note of EXPLAIN. Package resolve makes them; the tables that it asks for are here.

// resolveCatalog tells package resolve of the server's tables and views.
type resolveCatalog struct {
	ctx *sql.Context
	l   *Layer
}

// Columns implements resolve.Catalog.
func (c resolveCatalog) Columns(schema, name string) (out []resolve.Column, ok bool) {
	db, err := c.l.Provider.Database(c.ctx, schema)
	if err != nil {
		return nil, false
	}
	if d, own := OwnDatabase(db); own {
		if v, found, err := Find[StoredView](c.ctx, d, catalog.KindView, name); err == nil && found {
			return c.viewColumns(d, v), true
		}
	}
	t, ok, err := db.GetTableInsensitive(c.ctx, name)
	if err != nil || !ok {
		return nil, false
	}
	if own, is := sql.GetUnderlyingTable(t).(*Table); is {
		for i := range own.Def.Def.Columns {
			col := &own.Def.Def.Columns[i]
			out = append(out, resolve.Column{Name: col.Name, Hidden: !col.Listed()})
		}
		return out, true
	}
	for _, col := range t.Schema(c.ctx) {
		out = append(out, resolve.Column{Name: col.Name})
	}
	return out, true
}

// viewColumns are the columns of a view.
func (c resolveCatalog) viewColumns(d *Database, v StoredView) (out []resolve.Column) {
	text, _ := ParseView(v.CreateViewStatement)
	names := text.columns
	if len(names) == 0 {
		if found, err := parse.Parse(d.Layer.ViewBody(c.ctx, d, v), parse.Options{Version: tabledef.VersionNumber}); err == nil {
			if q, ok := found.Statement.(*sqlast.Query); ok {
				names = resolve.Names(q)
			}
		}
	}
	for _, name := range names {
		out = append(out, resolve.Column{Name: name})
	}
	return out
}

// viewGives tells whether a name is that of a view with such a column.
func (r *rewriterAST) viewGives(view vt.TableName, column vt.ColIdent) bool {
	ctx, ok := r.ctx.(*sql.Context)
	if !ok || SessionOf(ctx) == nil {
		return false
	}
	columns, _ := resolveCatalog{ctx, SessionOf(ctx).layer}.Columns(r.database(view), view.Name.String())
	return slices.ContainsFunc(columns, func(c resolve.Column) bool {
		return strings.EqualFold(c.Name, column.String())
	})
}

// resolvedView is the query of a view with all names written out; "" if it cannot be told.
func (l *Layer) resolvedView(ctx *sql.Context, schema, create, mode string) string {
	found, err := parse.Parse(create, parse.Options{Mode: trees.ModeOf(mode), Version: tabledef.VersionNumber})
	if err != nil {
		return ""
	}
	n, ok := found.Statement.(*sqlast.CreateView)
	if !ok || n.Query == nil {
		return ""
	}
	charset := "utf8mb4"
	if s := SessionOf(ctx); s != nil {
		charset = s.text("character_set_connection")
	}
	_, err = resolve.Query(n.Query, resolve.Options{Catalog: resolveCatalog{ctx, l}, Schema: schema, Text: create, Charset: charset, View: true})
	if err != nil {
		return ""
	}
	return sqlast.Print(n.Query, sqlast.Options{Canonical: true})
}

// ViewBody is the query of a view with all names written out, or as it was written if that cannot
// be told.
func (l *Layer) ViewBody(ctx *sql.Context, d *Database, v StoredView) string {
	if v.Resolved != "" {
		return v.Resolved
	}
	if text := l.resolvedView(ctx, d.name, v.CreateViewStatement, v.SqlMode); text != "" {
		return text
	}
	text, _ := ParseView(v.CreateViewStatement)
	return text.body
}

// ViewTree is the tree of a view's query; nil if its text cannot be read.
func (l *Layer) ViewTree(ctx *sql.Context, d *Database, v StoredView) sqlast.Statement {
	return trees.StoredTree(l.ViewBody(ctx, d, v))
}

// WholeView is a definition of a view that means the same whatever the current schema is. No
// error: ok tells whether there is such a view.
func (d *Database) WholeView(ctx *sql.Context, name string) (text string, ok bool, err error) {
	v, ok, err := Find[StoredView](ctx, d, catalog.KindView, name)
	if err != nil || !ok {
		return "", false, err
	}
	columns := ""
	if said, _ := ParseView(v.CreateViewStatement); len(said.columns) > 0 {
		var names []string
		for _, c := range said.columns {
			names = append(names, tabledef.QuoteName(c))
		}
		columns = " (" + strings.Join(names, ", ") + ")"
	}
	return "CREATE VIEW " + tabledef.QuoteName(d.name) + "." + tabledef.QuoteName(v.Name) + columns + " AS " + d.Layer.ViewBody(ctx, d, v), true, nil
}

// ShownView is the name and the query of a view for SHOW CREATE VIEW. The current database is not
// told: before the view's name, nor before those of its tables if all are in it.
func (l *Layer) ShownView(ctx *sql.Context, d *Database, v StoredView) (name, body string) {
	name, body = tabledef.QuoteName(v.Name), l.ViewBody(ctx, d, v)
	current := ctx.GetCurrentDatabase()
	if !strings.EqualFold(current, d.name) {
		name = tabledef.QuoteName(d.name) + "." + name
	}
	if current == "" {
		return name, body
	}
	found, err := parse.Parse(body, parse.Options{Version: tabledef.VersionNumber})
	if err != nil {
		return name, body
	}
	if q, ok := found.Statement.(*sqlast.Query); ok && resolve.Bare(q, current) {
		body = sqlast.Print(q, sqlast.Options{Canonical: true})
	}
	return name, body
}

// Columns of views as SHOW COLUMNS and information_schema list them: those of a table that is made
// of the view's query, without keys.

// ViewColumns are the columns of a view; an error 1356 if it reads something that is gone.
func (d *Database) ViewColumns(ctx *sql.Context, cat sql.Catalog, name string) ([]tabledef.ViewColumn, error) {
	create, err := d.plannedView(ctx, cat, name)
	if err != nil || create == nil {
		return nil, err
	}
	return d.viewColumns(ctx, name, create.Definition.Child, create.TargetSchema()), nil
}

// ViewComment is what lists of tables say of a view. One that reads something that is gone gives a
// warning.
func (d *Database) ViewComment(ctx *sql.Context, cat sql.Catalog, name string) string {
	if _, err := d.plannedView(ctx, cat, name); err != nil {
		return WarnOfView(ctx, d.name, name)
	}
	return "VIEW"
}

// WarnOfView warns of a view that reads something that is gone.
func WarnOfView(ctx *sql.Context, schema, name string) string {
	text := fmt.Sprintf(invalidView, schema, name)
	ctx.Warn(sqlerr.ErViewInvalid, "%s", text)
	return text
}

// plannedView is a statement that makes a view; nil if there is none of that name.
func (d *Database) plannedView(ctx *sql.Context, cat sql.Catalog, name string) (*plan.CreateView, error) {
	text, ok, err := d.WholeView(ctx, name)
	if err != nil || !ok {
		return nil, err
	}
	b := planbuilder.New(ctx, cat, nil)
	b.ViewCtx().DbName = d.Name()         // GMS wants a current schema
	defer SessionOf(ctx).borrowRights()() // whoever lists a view need not be able to make it, or to read what is behind it
	node, _, _, _, err := b.Parse(text, nil, false)
	create, ok := node.(*plan.CreateView)
	if err != nil || !ok {
		return nil, InvalidView(d.name, name)
	}
	return create, nil
}

// viewColumns are the columns of a view whose query and columns are given.
func (d *Database) viewColumns(ctx *sql.Context, name string, query sql.Node, schema sql.Schema) []tabledef.ViewColumn {
	behind, exprs := behindColumns(ctx, query, len(schema)), ResultExprs(ctx, query, len(schema))
	_, set := query.(*plan.SetOp)
	var out []tabledef.ViewColumn
	bound := d.viewTypes(ctx, name, len(schema))
	for i, c := range SelectedColumns(ctx, query, bound) {
		if i >= len(schema) {
			break
		}
		b := behind[i]
		if b != nil && !b.extreme {
			c = likeColumn(b.base, b.nullable)
		}
		shown := tabledef.ViewColumn{Column: c.Copy(), Text: tabledef.ShownType(c.Type)}
		if a := store.ColumnAttributes(c); a != (store.Attributes{}) {
			shown.Text = a.Text(c.Type.String())
		}
		known := i < len(bound) && bound[i] != nil
		switch {
		case b != nil && !b.extreme:
			shown.Value = b.shownDefault(ctx, c)
		case !set && !known && (i >= len(exprs) || tabledef.IsColumn(exprs[i])): // of an unknown query
		case c.Default != nil:
			shown.Value = tabledef.ViewDefault(ctx, c, false, &row.Column{})
		case !c.Nullable && types.IsTime(c.Type) && !types.IsTimespan(c.Type):
			shown.Value = tabledef.ZeroMoment(shown.Text)
		}
		shown.Name, shown.Nullable = schema[i].Name, c.Nullable
		if b == nil && !known {
			shown.Nullable = shown.Nullable || schema[i].Nullable
		}
		shown.Comment = ""
		if b != nil {
			shown.Comment = b.base.Comment
		}
		out = append(out, shown)
	}
	return out
}

// viewTypes are the types of a view's columns, nil for those that package bind does not know.
func (d *Database) viewTypes(ctx *sql.Context, name string, n int) []*sqltype.Type {
	v, ok, err := Find[StoredView](ctx, d, catalog.KindView, name)
	if err != nil || !ok {
		return nil
	}
	text := d.Layer.ViewBody(ctx, d, v)
	found, err := parse.Parse(text, parse.Options{Version: tabledef.VersionNumber})
	if err != nil {
		return nil
	}
	q, ok := found.Statement.(*sqlast.Query)
	if !ok {
		return nil
	}
	return QueryTypes(ctx, q, text, v.Connection, n)
}

// ViewDirect describes a view to package bind, but for its catalog. If the rights of its definer
// count in it, which are those of the account with its default roles, may tells whether that account
// may read a table. The view is nil if there is none of that name, or none whose query is kept with
// all names written out.
// REQUIRES: between BeginDirect and FinishDirect.
func (s *Session) ViewDirect(ctx *sql.Context, schema, name string) (v *bind.View, may func(schema, table string) bool, err error) {
	stored, v, err := s.viewForBind(ctx, schema, name)
	if err != nil || v == nil {
		return nil, nil, err
	}
	if text, _ := ParseView(stored.CreateViewStatement); text.invoker || !s.layer.checksRights() {
		return v, nil, nil
	}
	definer := RoleOf(stored.Definer)
	if !s.layer.hasAccount(definer) {
		return nil, nil, nil
	}
	rights := s.layer.RightsOf(definer)
	return v, func(schema, table string) bool { return rights.OnTable(schema, table, sql.PrivilegeType_Select) }, nil
}

// viewForBind describes a view to package bind, but for its catalog; nil if there is none of that
// name, or none whose query is kept with all names written out.
func (s *Session) viewForBind(ctx *sql.Context, schema, name string) (StoredView, *bind.View, error) {
	stored, ok, err := s.layer.storedView(ctx, schema, name)
	if err != nil || !ok || stored.Resolved == "" || stored.Definer == "" || trees.ModeOf(stored.SqlMode)&token.NoBackslashEscapes != 0 { // its patterns of LIKE have no escapes
		return stored, nil, err
	}
	found, err := parse.Parse(stored.Resolved, parse.Options{Version: tabledef.VersionNumber})
	if err != nil {
		return stored, nil, nil
	}
	q, ok := found.Statement.(*sqlast.Query)
	text, read := ParseView(stored.CreateViewStatement)
	collation, err := sql.ParseCollation("", stored.Connection, false)
	if !ok || !read || err != nil {
		return stored, nil, nil
	}
	return stored, &bind.View{Schema: schema, Name: stored.Name, Query: q, Text: stored.Resolved, Columns: text.columns, Collation: uint16(collation),
		Temporary: text.algorithm == "TEMPTABLE"}, nil
}

// StoredView finds a view as it is committed.
func (l *Layer) storedView(ctx *sql.Context, schema, name string) (v StoredView, ok bool, err error) {
	all, err := l.objects(ctx, nil, catalog.KindView, schema)
	name = strings.ToLower(name)
	i := sort.Search(len(all), func(i int) bool { return all[i].Name >= name })
	if err != nil || i == len(all) || all[i].Name != name {
		return v, false, err
	}
	return v, true, json.Unmarshal(all[i].Data, &v)
}

// replaceView looks at what a view replaces, which must be one. ALTER VIEW is a CREATE OR REPLACE
// VIEW to GMS: the view is there, and keeps what the statement does not say.
func (l *Layer) replaceView(ctx *sql.Context, n *plan.CreateView) (*plan.CreateView, error) {
	text := n.CreateViewString
	said, ok := trees.StoredTree(text).(*sqlast.CreateView)
	alters := ok && said.Alter
	db, own := OwnDatabase(n.Database())
	if !own || !n.IsReplace {
		return n, nil
	}
	old, found, err := Find[StoredView](ctx, db, catalog.KindView, n.Name)
	if err != nil || found && !alters {
		return n, err
	}
	if !found {
		_, is, err := db.GetTableInsensitive(ctx, n.Name)
		switch {
		case err == nil && is:
			err = sqlerr.NewError(1347, "'%s.%s' is not VIEW", db.Name(), n.Name)
		case err == nil && alters:
			err = sqlerr.NewError(1146, "Table '%s.%s' doesn't exist", db.Name(), n.Name)
		}
		return n, err
	}
	kept, _ := ParseView(old.CreateViewStatement)
	now := viewTextOf(text, said)
	if said.Algorithm == sqlast.NoViewAlgorithm {
		now.algorithm = kept.algorithm
	}
	if now.Definer == "" {
		now.Definer = RoleOf(old.Completed(db, kept.Definer).Definer).Quoted()
	}
	if said.Security == sqlast.NoSecurity {
		now.invoker = kept.invoker
	}
	changed := *n
	changed.CreateViewString = "CREATE OR REPLACE ALGORITHM=" + now.algorithm + " DEFINER=" + now.Definer + " SQL SECURITY " + now.Security() + " VIEW " +
		text[said.Name.Pos():]
	return &changed, nil
}
