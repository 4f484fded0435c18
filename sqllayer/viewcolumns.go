package sqllayer

// Columns of views as SHOW COLUMNS and information_schema list them: those of a table that is made
// of the view's query, without keys.

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
	sqltype "emberdb/sql/types"
)

// viewColumn is a column of a view.
type viewColumn struct {
	*sql.Column
	text  string // of its type
	value any    // its default, nil if it has none
}

// viewColumns are the columns of a view whose query and columns are given.
func (d *Database) viewColumns(ctx *sql.Context, name string, query sql.Node, schema sql.Schema) []viewColumn {
	origins, exprs := ResultColumns(ctx, query, query.Schema(ctx)), resultExprs(ctx, query, len(schema))
	_, set := query.(*plan.SetOp)
	var out []viewColumn
	for i, c := range selectedColumns(ctx, query, d.viewTypes(ctx, name, len(schema))) {
		if i >= len(schema) {
			break
		}
		base := origins[i].Base
		stored := origins[i].Stored
		if stored == nil {
			stored = &row.Column{}
		}
		shown := viewColumn{Column: c.Copy(), text: ShownType(c.Type)}
		if a := columnAttributes(c); a != (attributes{}) {
			shown.text = a.text(c.Type.String())
		}
		switch {
		case base == nil && !set && (i >= len(exprs) || isColumn(exprs[i])): // of a derived table, or of none
		case c.Default != nil:
			shown.value = viewDefault(ctx, c, base != nil, stored)
		case base == nil && !c.Nullable && types.IsTime(c.Type) && !types.IsTimespan(c.Type):
			shown.value = zeroMoment(shown.text)
		}
		shown.Name, shown.Nullable, shown.Comment = schema[i].Name, schema[i].Nullable || c.Nullable, ""
		if base != nil {
			shown.Comment = base.Comment
		}
		out = append(out, shown)
	}
	return out
}

// isColumn tells expressions that are columns.
func isColumn(e sql.Expression) bool {
	if a, ok := e.(*expression.Alias); ok {
		e = a.Child
	}
	_, ok := e.(*expression.GetField)
	return ok
}

// viewTypes are the types of a view's columns, nil for those that package bind does not know.
func (d *Database) viewTypes(ctx *sql.Context, name string, n int) []*sqltype.Type {
	v, ok, err := find[storedView](ctx, d, catalog.KindView, name)
	if err != nil || !ok {
		return nil
	}
	text := d.layer.viewBody(ctx, d, v)
	found, err := parse.Parse(text, parse.Options{Version: VersionNumber})
	if err != nil {
		return nil
	}
	q, ok := found.Statement.(*sqlast.Query)
	if !ok {
		return nil
	}
	return queryTypes(ctx, q, text, n)
}

// viewDefault is the default of a column as text; base tells that a table's column has it.
func viewDefault(ctx *sql.Context, c *sql.Column, base bool, stored *row.Column) any {
	if l, ok := c.Default.Expr.(*expression.Literal); ok && !base {
		if text, isText := l.Value().(string); isText {
			return text
		}
		if out, err := c.Type.SQL(ctx, nil, l.Value()); err == nil {
			return out.ToString()
		}
	}
	text := c.Default.String()
	if now := currentTime(text); isCurrentTime(now) {
		return now
	}
	if v, ok := literalValue(ctx, text, c.Type, stored); ok {
		return v
	}
	return nil
}

// zeroMoment is the zero of a date or time of a type.
func zeroMoment(typ string) string {
	if typ == "date" {
		return "0000-00-00"
	}
	zero := "0000-00-00 00:00:00"
	if _, digits, ok := strings.Cut(strings.TrimSuffix(typ, ")"), "("); ok {
		var n int
		if _, err := fmt.Sscan(digits, &n); err == nil && n > 0 {
			zero += "." + strings.Repeat("0", n)
		}
	}
	return zero
}

// shownTableName is the name of the table whose columns the running statement shows.
func shownTableName(ctx *sql.Context) (schema, name string) {
	schema = ctx.GetCurrentDatabase()
	var t sqlast.TableName
	switch n := queryTree(ctx).(type) {
	case *sqlast.Describe:
		t = n.Table
	case *sqlast.Show:
		if t = n.Table; n.Schema.Given() {
			schema = n.Schema.Name
		}
	}
	if t.Schema.Given() {
		schema = t.Schema.Name
	}
	return schema, t.Name.Name
}

// showViewColumns is SHOW COLUMNS of a view; nil if it is none of an ordinary database.
func (b *builder) showViewColumns(ctx *sql.Context, n *plan.ShowColumns) sql.RowIter {
	of, ok := n.Child.(*plan.SubqueryAlias)
	if !ok || b.layer.opts.Plain {
		return nil
	}
	schema, name := shownTableName(ctx)
	db, err := b.layer.Provider.Database(ctx, schema)
	if err != nil {
		return nil
	}
	d, own := ownDatabase(db)
	if !own {
		return nil
	}
	rights := privilegesOf(ctx)
	var rows []sql.Row
	for _, c := range d.viewColumns(ctx, name, of.Child, n.TargetSchema()) {
		if !rights.seesColumn(d.Name(), name, c.Name) {
			continue
		}
		null := "NO"
		if c.Nullable {
			null = "YES"
		}
		line := sql.Row{c.Name, c.text, null, "", c.value, ""}
		if n.Full {
			var coll any
			if id, ok := collationOf(c.Type); ok {
				coll = id.Name()
			}
			line = sql.Row{c.Name, c.text, coll, null, "", c.value, "", rights.listed(d.Name(), name, c.Name), c.Comment}
		}
		rows = append(rows, line)
	}
	return sql.RowsToRowIter(rows...)
}
