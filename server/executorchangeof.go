package server

// What an UPDATE or a DELETE changes, as its tree says: the query that finds the rows, the tables that
// are changed and their columns. Names are looked up before the statement begins, in definitions that
// may be old by then: package compiled and the binder find that out.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/compiled"
	"emberdb/engine/catalog"
	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sqllayer"
)

// null stands in the place of an item for NULL.
const null = -1

// changeOf reads a statement; nil: it is none of the executor's.
func (x *execution) changeOf(ctx *sql.Context, s *sqllayer.Session) *rowChange {
	r := &rowChange{x: x, ctx: ctx, s: s, cat: &executorCatalog{ctx: ctx, s: s, stmt: x.stmt.Tree}}
	sel := &ast.Select{}
	r.query = &ast.Query{Body: sel}
	switch n := x.stmt.Tree.(type) {
	case *ast.Update:
		if n.Ignore || n.Hints != nil || n.Limit != nil || len(n.OrderBy) > 0 || n.Priority != 0 {
			return nil
		}
		r.set, sel.From, sel.Where, r.query.With, r.query.Span, sel.Span = n.Set, n.Tables, n.Where, n.With, n.Span, n.Span
		for _, a := range n.Set {
			if _, usual := a.Value.(*ast.DefaultValue); usual {
				return nil
			}
			if isNull(a.Value) { // which no query has for a column
				a.Value = one(a.Span)
			}
			sel.Items = append(sel.Items, ast.SelectItem{Span: a.Span, X: a.Value})
		}
	case *ast.Delete:
		if n.Ignore || n.Quick || n.Hints != nil || n.Limit != nil || len(n.OrderBy) > 0 || n.Priority != 0 {
			return nil
		}
		r.deletes, sel.From, sel.Where, r.query.With, r.query.Span, sel.Span = n.Targets, n.Source, n.Where, n.With, n.Span, n.Span
		if n.Source == nil {
			t := n.Targets[0]
			sel.From = []ast.TableRef{&ast.TableSource{Span: t.Span, Name: t.Name, Partitions: t.Partitions, Alias: t.Alias}}
		}
		sel.Items = []ast.SelectItem{{Span: n.Span, X: one(n.Span)}}
	default:
		return nil
	}
	r.tables(sel.From)
	return r
}

func one(at ast.Span) ast.Expr { return &ast.Literal{Span: at, Kind: ast.IntLiteral, Text: "1"} }

func isNull(e ast.Expr) bool {
	l, ok := e.(*ast.Literal)
	return ok && l.Kind == ast.NullLiteral
}

// tables lists the tables that FROM names.
func (r *rowChange) tables(refs []ast.TableRef) {
	for _, ref := range refs {
		switch t := ref.(type) {
		case *ast.TableSource:
			n := namedTable{alias: t.Name.Name.Name, schema: t.Name.Schema.Name}
			if n.schema == "" {
				n.schema = r.ctx.GetCurrentDatabase()
			}
			n.def = r.s.Layer().StorageEngine().CachedTable(n.schema, t.Name.Name.Name)
			if t.Alias.Given() {
				n.alias, n.aliased = t.Alias.Name, true
			}
			r.named = append(r.named, n)
		case *ast.TableList:
			r.tables(t.Tables)
		case *ast.Join:
			r.tables([]ast.TableRef{t.L, t.R})
		}
	}
}

// named reports whether two tables have one name. A schema tells them apart unless one has an alias.
func (n namedTable) named(m namedTable) bool {
	return strings.EqualFold(m.alias, n.alias) && (m.schema == n.schema || m.aliased || n.aliased)
}

// prepare implements rowsStored: it finds the tables that are changed, and compiles what changes them.
func (r *rowChange) prepare() error {
	for i, n := range r.named {
		if slices.ContainsFunc(r.named[:i], n.named) {
			return fn.Refuse(fn.ByName, "two tables of one name")
		}
	}
	for _, d := range r.deletes {
		at := slices.IndexFunc(r.named, func(n namedTable) bool { return r.deletesFrom(d, n) })
		if at < 0 || r.target(r.named[at]) < len(r.of)-1 {
			return fn.Refuse(fn.ByName, "a table to delete from")
		}
	}
	for i, a := range r.set {
		n, col := r.column(a.Column)
		if n == nil {
			return fn.Refuse(fn.ByName, "a column to set")
		}
		if def := &n.def.Columns[col]; def.Generated != "" && len(r.named) > 1 { // the library looks for the table by its name
			return sql.ErrGeneratedColumnValue.New(def.Name, n.alias)
		}
		t := r.of[r.target(*n)]
		t.columns = append(t.columns, col)
		if isNull(a.Value) {
			i = null
		}
		t.items = append(t.items, i)
	}
	for _, t := range r.of {
		if err := r.compile(t); err != nil {
			return err
		}
	}
	return nil
}

// deletesFrom tells whether a table of FROM is one that rows are deleted from. Without a schema a target
// is an alias, or a table of the current database.
func (r *rowChange) deletesFrom(d ast.DeleteTarget, n namedTable) bool {
	if d.Alias.Given() {
		return strings.EqualFold(n.alias, d.Alias.Name) // the only table
	}
	schema := d.Name.Schema.Name
	if schema == "" && r.ctx.GetCurrentDatabase() == "" {
		return false // the library tells
	}
	if !n.aliased && schema == "" {
		schema = r.ctx.GetCurrentDatabase()
	}
	return strings.EqualFold(n.alias, d.Name.Name.Name) && (n.aliased && schema == "" || !n.aliased && schema == n.schema)
}

// column finds a column that is set, in the one table that has it.
func (r *rowChange) column(n *ast.Column) (of *namedTable, col int) {
	for i := range r.named {
		t := &r.named[i]
		if n.Table.Given() && !strings.EqualFold(t.alias, n.Table.Name) || n.Schema.Given() && n.Schema.Name != t.schema || t.def == nil {
			continue
		}
		if at := slices.IndexFunc(t.def.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, n.Name.Name) }); at >= 0 {
			if of != nil {
				return nil, 0
			}
			of, col = t, at
		}
	}
	return of, col
}

// target is the place of a table among those that are changed.
func (r *rowChange) target(n namedTable) int {
	at := slices.IndexFunc(r.of, func(t *changedTable) bool { return n.named(t.namedTable) })
	if at < 0 {
		at = len(r.of)
		r.of = append(r.of, &changedTable{namedTable: n})
	}
	return at
}

// compile compiles what changes a table.
func (r *rowChange) compile(t *changedTable) error {
	right := sql.PrivilegeType_Update
	if r.deletes != nil {
		right = sql.PrivilegeType_Delete
	}
	if t.def == nil || !mayRead(r.ctx, t.def.Schema, t.def.Name, right) {
		return fn.Refuse(fn.ByRights, t.alias)
	}
	p, why := compiled.Changing(r.ctx, r.s, t.def.Schema, t.def.Name, t.columns, r.deletes != nil)
	if why == compiled.Mine && !t.changer.Prepare(r.ctx, r.ctx, r.s, p) {
		why = compiled.ByGenerated
	}
	if why != compiled.Mine {
		return fn.Refuse(fn.ByTable, "a change that no program makes: "+why.String())
	}
	return nil
}
