package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/row"
	"emberdb/sqllayer/expr/aggregate"
	"emberdb/sqllayer/tabledef"
)

// Columns of tables that a query reads through queries in its FROM: through views, derived tables
// and common table expressions.

// behindColumn is the table's column that a column of a result shows.
type behindColumn struct {
	base     *sql.Column
	def      *tabledef.TableDef // nil: of a table that is not one of the engine's
	at       int                // of the column in def
	nullable bool               // the result may have NULLs where the table has none
	through  int                // queries in FROM between the result and the table
	merged   bool               // the outermost of them is read in place
	extreme  bool               // the value is the least or the greatest one of the column
}

// behindColumns finds the table's column behind each of the n columns of a query; nil: none.
func behindColumns(ctx *sql.Context, query sql.Node, n int) []*behindColumn {
	out := make([]*behindColumn, n)
	if _, set := query.(*plan.SetOp); set {
		return out
	}
	sources := make(map[string]behindSource)
	collectBehind(ctx, query, false, sources)
	exprs := ResultExprs(ctx, query, n)
	if schema := query.Schema(ctx); exprs == nil && len(schema) == n { // the columns of its table
		for _, c := range schema {
			exprs = append(exprs, expression.NewGetFieldWithTable(0, 0, c.Type, c.DatabaseSource, c.Source, c.Name, c.Nullable))
		}
	}
	for i, e := range exprs {
		extreme := false
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		switch e.(type) {
		case *aggregate.Max, *aggregate.Min:
			e, extreme = e.Children()[0], true
		}
		f, ok := e.(*expression.GetField)
		if !ok {
			continue
		}
		if c := sources[strings.ToLower(f.Table())].column(ctx, f.Name()); c != nil {
			c.extreme = c.extreme || extreme
			out[i] = c
		}
	}
	return out
}

// selected is a column like it that CREATE TABLE ... SELECT makes. Columns of queries that are read
// in place lose their defaults, those of temporary tables keep constants.
func (b *behindColumn) selected() *sql.Column {
	c := likeColumn(b.base, b.nullable)
	switch d := c.Default; {
	case d == nil || strings.HasPrefix(d.Expr.String(), "("):
	case tabledef.IsCurrentTime(tabledef.CurrentTime(d.String())), c.Nullable && b.merged:
		c.Default = nil
	case b.merged && !types.IsBit(c.Type):
		c.Default = tabledef.ZeroDefault(c.Type)
	}
	c.OnUpdate = nil
	return c
}

// shownDefault is its default as the listing of a view's columns has it; c is the column with that
// default. The time of a change is only that of a table's own column.
func (b *behindColumn) shownDefault(ctx *sql.Context, c *sql.Column) any {
	switch {
	case c.Default == nil:
		return nil
	case b.def == nil || types.IsBit(c.Type) || c.AutoIncrement || b.base.AutoIncrement:
		return tabledef.ViewDefault(ctx, c, true, &row.Column{})
	}
	v, literal := tabledef.ShownDefault(ctx, b.def, b.at)
	switch {
	case v == nil || b.through > 0 && tabledef.IsCurrentTime(*v):
		return nil
	case !literal:
		return tabledef.QuoteEscaped.Replace(*v)
	}
	return *v
}

// behindSource is a table of a query, or a query in its FROM.
type behindSource struct {
	table    sourceTable
	query    *plan.SubqueryAlias // nil: a table
	nullable bool
}

// column finds a column by name; nil if no table has it.
func (s behindSource) column(ctx *sql.Context, name string) *behindColumn {
	if s.query == nil {
		at := s.table.schema.IndexOfColName(name)
		if at < 0 {
			return nil
		}
		return &behindColumn{base: s.table.schema[at], def: s.table.def, at: at, nullable: s.nullable}
	}
	schema := s.query.Schema(ctx)
	at := schema.IndexOfColName(name)
	if at < 0 {
		return nil
	}
	c := behindColumns(ctx, s.query.Child, len(schema))[at]
	if c != nil {
		c.nullable = c.nullable || s.nullable
		c.through++
		c.merged = readInPlace(s.query.Child)
	}
	return c
}

// collectBehind finds what a query reads, by alias. inner: on the side of an outer join that may be
// missing.
func collectBehind(ctx *sql.Context, n sql.Node, inner bool, into map[string]behindSource) {
	add := func(name string, s behindSource) {
		name = strings.ToLower(name)
		if _, taken := into[name]; !taken {
			into[name] = s
		}
	}
	tables := make(map[string]sourceTable)
	switch n := n.(type) {
	case *plan.SubqueryAlias:
		add(n.Name(), behindSource{query: n, nullable: inner})
	case *plan.TableAlias:
		if q, ok := n.Child.(*plan.SubqueryAlias); ok {
			add(n.Name(), behindSource{query: q, nullable: inner})
			return
		}
		collectTables(ctx, n, inner, tables)
	case *plan.ResolvedTable, *plan.IndexedTableAccess:
		collectTables(ctx, n, inner, tables)
	case *plan.JoinNode:
		collectBehind(ctx, n.Left(), inner || n.Op.IsFullOuter(), into)
		collectBehind(ctx, n.Right(), inner || n.Op.IsLeftOuter() || n.Op.IsFullOuter(), into)
	case *plan.InsertInto, *plan.SetOp:
	default:
		for _, c := range n.Children() {
			collectBehind(ctx, c, inner, into)
		}
	}
	for name, t := range tables {
		add(name, behindSource{table: t, nullable: inner})
	}
}

// readInPlace tells a query in FROM that needs no temporary table.
func readInPlace(n sql.Node) bool {
	switch n := n.(type) {
	case *plan.Project, *plan.Filter:
		return readInPlace(n.Children()[0])
	case *plan.JoinNode:
		return true
	case *plan.TableAlias, *plan.ResolvedTable, *plan.IndexedTableAccess, *plan.SubqueryAlias:
		return true
	}
	return false
}
