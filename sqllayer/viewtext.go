package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
	"emberdb/sql/resolve"
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
	if d, own := ownDatabase(db); own {
		if v, found, err := find[storedView](c.ctx, d, catalog.KindView, name); err == nil && found {
			return c.viewColumns(d, v), true
		}
	}
	t, ok, err := db.GetTableInsensitive(c.ctx, name)
	if err != nil || !ok {
		return nil, false
	}
	if own, is := sql.GetUnderlyingTable(t).(*Table); is {
		for i := range own.def.def.Columns {
			col := &own.def.def.Columns[i]
			out = append(out, resolve.Column{Name: col.Name, Hidden: col.Invisible})
		}
		return out, true
	}
	for _, col := range t.Schema(c.ctx) {
		out = append(out, resolve.Column{Name: col.Name})
	}
	return out, true
}

// viewColumns are the columns of a view.
func (c resolveCatalog) viewColumns(d *Database, v storedView) (out []resolve.Column) {
	text, _ := parseView(v.CreateViewStatement)
	names := text.columns
	if len(names) == 0 {
		if found, err := parse.Parse(d.layer.viewBody(c.ctx, d, v), parse.Options{Version: VersionNumber}); err == nil {
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

// resolvedView is the query of a view with all names written out; "" if it cannot be told.
func (l *Layer) resolvedView(ctx *sql.Context, schema, create, mode string) string {
	found, err := parse.Parse(create, parse.Options{Mode: modeOf(mode), Version: VersionNumber})
	if err != nil {
		return ""
	}
	n, ok := found.Statement.(*sqlast.CreateView)
	if !ok || n.Query == nil {
		return ""
	}
	charset := "utf8mb4"
	if s := sessionOf(ctx); s != nil {
		charset = s.text("character_set_connection")
	}
	_, err = resolve.Query(n.Query, resolve.Options{Catalog: resolveCatalog{ctx, l}, Schema: schema, Text: create, Charset: charset, View: true})
	if err != nil {
		return ""
	}
	return sqlast.Print(n.Query, sqlast.Options{Canonical: true})
}

// viewBody is the query of a view with all names written out, or as it was written if that cannot
// be told.
func (l *Layer) viewBody(ctx *sql.Context, d *Database, v storedView) string {
	if v.Resolved != "" {
		return v.Resolved
	}
	if text := l.resolvedView(ctx, d.name, v.CreateViewStatement, v.SqlMode); text != "" {
		return text
	}
	text, _ := parseView(v.CreateViewStatement)
	return text.body
}

// shownView is the name and the query of a view for SHOW CREATE VIEW. The current database is not
// told: before the view's name, nor before those of its tables if all are in it.
func (l *Layer) shownView(ctx *sql.Context, d *Database, v storedView) (name, body string) {
	name, body = quoteName(v.Name), l.viewBody(ctx, d, v)
	current := ctx.GetCurrentDatabase()
	if !strings.EqualFold(current, d.name) {
		name = quoteName(d.name) + "." + name
	}
	if current == "" {
		return name, body
	}
	found, err := parse.Parse(body, parse.Options{Version: VersionNumber})
	if err != nil {
		return name, body
	}
	if q, ok := found.Statement.(*sqlast.Query); ok && resolve.Bare(q, current) {
		body = sqlast.Print(q, sqlast.Options{Canonical: true})
	}
	return name, body
}
