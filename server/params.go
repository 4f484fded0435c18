package server

// Prepared parameters that stand for an unsigned column.
//
// MySQL tells of them when the statement is prepared, and drivers without unsigned types count on
// it: Connector/J sends 18446744073709551615 as the bits of the integer -1, and marks it as
// unsigned where the parameter was told to be. So a parameter is told to be unsigned where
//
//	INSERT, REPLACE    it is the value of an unsigned column, in VALUES, in SET or in the list of a SELECT
//	UPDATE             an unsigned column is set to it
//	anywhere           it is the other side of a comparison or of + - * / % with an unsigned column
//
// A number that comes is what its own type says: -1 is no value of an unsigned column.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sql/ast"
	"emberdb/sql/statement"
)

// unsignedOf tells which of a statement's parameters are unsigned; nil: none.
func (h *handler) unsignedOf(ctx *sql.Context, st *statement.Statement) []bool {
	if st.Params == 0 {
		return nil
	}
	u := unsignedParams{h: h, ctx: ctx, found: make([]bool, st.Params)}
	ast.Inspect(st.Tree, u.visit)
	if !slices.Contains(u.found, true) {
		return nil
	}
	return u.found
}

// unsignedParams looks for the parameters of a statement that stand for unsigned columns.
type unsignedParams struct {
	h      *handler
	ctx    *sql.Context
	tables []paramTable
	found  []bool
}

// paramTable is a table of the statement and the name its columns go by.
type paramTable struct {
	name   string
	schema sql.Schema
}

func (u *unsignedParams) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Insert:
		u.insert(n)
	case *ast.Update:
		u.from(n.Tables)
		u.assign(n.Set)
	case *ast.Delete:
		u.from(n.Source)
		for i := range n.Targets {
			u.add(&n.Targets[i].Name, n.Targets[i].Alias)
		}
	case *ast.Select:
		u.from(n.From)
	case *ast.BinaryExpr:
		u.pair(n.L, n.R)
	case *ast.In:
		for _, x := range n.List {
			u.pair(n.X, x)
		}
	case *ast.Between:
		u.pair(n.X, n.Low)
		u.pair(n.X, n.High)
	}
	return true
}

// insert finds the parameters that are values of unsigned columns.
func (u *unsignedParams) insert(n *ast.Insert) {
	schema := u.add(&n.Table, ast.Ident{})
	var columns []*sql.Column
	for _, c := range n.Columns {
		i := slices.IndexFunc(schema, func(col *sql.Column) bool { return strings.EqualFold(col.Name, c.Name.Name) })
		if i < 0 {
			return
		}
		columns = append(columns, schema[i])
	}
	if columns == nil {
		columns = schema
	}
	mark := func(i int, x ast.Expr) {
		if i < len(columns) && types.IsUnsigned(columns[i].Type) {
			u.mark(x)
		}
	}
	for _, row := range n.Rows {
		for i, x := range row.Items {
			mark(i, x)
		}
	}
	if n.Query != nil {
		if s, ok := n.Query.Body.(*ast.Select); ok {
			for i := range s.Items {
				mark(i, s.Items[i].X)
			}
		}
	}
	u.assign(n.Set)
	u.assign(n.OnConflict)
}

func (u *unsignedParams) assign(list []ast.Assign) {
	for _, a := range list {
		u.pair(a.Column, a.Value)
	}
}

// pair marks the parameters on one side when the other is an unsigned column.
func (u *unsignedParams) pair(a, b ast.Expr) {
	if u.isUnsigned(a) {
		u.mark(b)
	}
	if u.isUnsigned(b) {
		u.mark(a)
	}
}

func (u *unsignedParams) mark(x ast.Expr) {
	if p, ok := x.(*ast.Param); ok && p.Index < len(u.found) {
		u.found[p.Index] = true
	}
}

// isUnsigned tells whether x is an unsigned integer column of one of the tables seen so far.
func (u *unsignedParams) isUnsigned(x ast.Expr) bool {
	c, ok := x.(*ast.Column)
	if !ok {
		return false
	}
	for _, t := range u.tables {
		if c.Table.Given() && !strings.EqualFold(c.Table.Name, t.name) {
			continue
		}
		for _, col := range t.schema {
			if strings.EqualFold(col.Name, c.Name.Name) {
				return types.IsUnsigned(col.Type)
			}
		}
	}
	return false
}

func (u *unsignedParams) from(refs []ast.TableRef) {
	for _, r := range refs {
		switch r := r.(type) {
		case *ast.TableSource:
			u.add(&r.Name, r.Alias)
		case *ast.Join:
			u.from([]ast.TableRef{r.L, r.R})
		case *ast.TableList:
			u.from(r.Tables)
		}
	}
}

// Add makes a table's columns known.
func (u *unsignedParams) add(name *ast.TableName, alias ast.Ident) sql.Schema {
	db, as := name.Schema.Name, name.Name.Name
	if db == "" {
		db = u.ctx.GetCurrentDatabase()
	}
	if alias.Given() {
		as = alias.Name
	}
	t, _, err := u.h.e.Analyzer.Catalog.Table(u.ctx, db, name.Name.Name)
	if err != nil {
		return nil
	}
	schema := t.Schema(u.ctx)
	u.tables = append(u.tables, paramTable{as, schema})
	return schema
}
