package server

// Prepared parameters that stand for an unsigned column.
//
// MySQL tells of them when the statement is prepared, and drivers without unsigned types count on it: Connector/J sends 18446744073709551615 as the bits of
// the integer -1, and marks it as unsigned where the parameter was told to be. So a parameter is told to be unsigned where
//
//	INSERT, REPLACE    it is the value of an unsigned column, in VALUES, in SET or in the list of a SELECT
//	UPDATE             an unsigned column is set to it
//	anywhere           it is the other side of a comparison or of + - * / % with an unsigned column
//
// A number that comes is what its own type says: -1 is no value of an unsigned column.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer"
)

// unsignedOf tells which of a statement's n parameters are unsigned; nil: none.
func (h *handler) unsignedOf(ctx *sql.Context, query string, n int) []bool {
	if n == 0 {
		return nil
	}
	stmt, err := sqlparser.ParseWithOptions(ctx, sqllayer.ReplaceForShare(query), sql.LoadSqlMode(ctx).ParserOptions())
	if err != nil {
		return nil
	}
	u := unsignedParams{h: h, ctx: ctx, found: make(map[string]bool)}
	_ = sqlparser.Walk(u.visit, stmt)
	if len(u.found) == 0 {
		return nil
	}
	out := make([]bool, n)
	for i := range out {
		out[i] = u.found[fmt.Sprintf("v%d", i+1)]
	}
	return out
}

// unsignedParams looks for the parameters of a statement that stand for unsigned columns.
type unsignedParams struct {
	h      *handler
	ctx    *sql.Context
	tables []paramTable
	found  map[string]bool
}

// paramTable is a table of the statement and the name its columns go by.
type paramTable struct {
	name   string
	schema sql.Schema
}

func (u *unsignedParams) visit(n sqlparser.SQLNode) (bool, error) {
	switch n := n.(type) {
	case *sqlparser.Insert:
		u.insert(n)
	case *sqlparser.Update:
		u.from(n.TableExprs)
		u.assign(n.Exprs)
	case *sqlparser.Delete:
		u.from(n.TableExprs)
	case *sqlparser.Select:
		u.from(n.From)
	case *sqlparser.ComparisonExpr:
		u.pair(n.Left, n.Right)
	case *sqlparser.BinaryExpr:
		u.pair(n.Left, n.Right)
	case *sqlparser.RangeCond:
		u.pair(n.Left, n.From)
		u.pair(n.Left, n.To)
	}
	return true, nil
}

// insert finds the parameters that are values of unsigned columns.
func (u *unsignedParams) insert(n *sqlparser.Insert) {
	schema := u.add(n.Table, n.Table.Name.String())
	var columns []*sql.Column
	for _, c := range n.Columns {
		i := slices.IndexFunc(schema, func(col *sql.Column) bool { return strings.EqualFold(col.Name, c.String()) })
		if i < 0 {
			return
		}
		columns = append(columns, schema[i])
	}
	if columns == nil {
		columns = schema
	}
	mark := func(i int, e sqlparser.Expr) {
		if i < len(columns) && types.IsUnsigned(columns[i].Type) {
			u.mark(e)
		}
	}
	switch rows := n.Rows.(type) {
	case *sqlparser.AliasedValues:
		for _, tuple := range rows.Values {
			for i, e := range tuple {
				mark(i, e)
			}
		}
	case *sqlparser.Select:
		for i, e := range rows.SelectExprs {
			if a, ok := e.(*sqlparser.AliasedExpr); ok {
				mark(i, a.Expr)
			}
		}
	}
	u.assign(sqlparser.AssignmentExprs(n.OnDup))
}

func (u *unsignedParams) assign(exprs sqlparser.AssignmentExprs) {
	for _, a := range exprs {
		u.pair(a.Name, a.Expr)
	}
}

// pair marks the parameters on one side when the other is an unsigned column.
func (u *unsignedParams) pair(a, b sqlparser.Expr) {
	if u.isUnsigned(a) {
		u.mark(b)
	}
	if u.isUnsigned(b) {
		u.mark(a)
	}
}

func (u *unsignedParams) mark(e sqlparser.Expr) {
	switch e := e.(type) {
	case *sqlparser.ParenExpr:
		u.mark(e.Expr)
	case *sqlparser.SQLVal:
		if e.Type == sqlparser.ValArg {
			u.found[strings.TrimPrefix(string(e.Val), ":")] = true
		}
	case sqlparser.ValTuple:
		for _, part := range e {
			u.mark(part)
		}
	}
}

// isUnsigned tells whether e is an unsigned integer column of one of the tables seen so far.
func (u *unsignedParams) isUnsigned(e sqlparser.Expr) bool {
	c, ok := e.(*sqlparser.ColName)
	if !ok {
		return false
	}
	for _, t := range u.tables {
		if q := c.Qualifier.Name.String(); q != "" && !strings.EqualFold(q, t.name) {
			continue
		}
		for _, col := range t.schema {
			if strings.EqualFold(col.Name, c.Name.String()) {
				return types.IsUnsigned(col.Type)
			}
		}
	}
	return false
}

func (u *unsignedParams) from(exprs sqlparser.TableExprs) {
	_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *sqlparser.Subquery:
			return false, nil
		case *sqlparser.AliasedTableExpr:
			if name, ok := n.Expr.(sqlparser.TableName); ok {
				as := n.As.String()
				if as == "" {
					as = name.Name.String()
				}
				u.add(name, as)
			}
		}
		return true, nil
	}, exprs)
}

// add makes a table's columns known.
func (u *unsignedParams) add(name sqlparser.TableName, as string) sql.Schema {
	db := name.DbQualifier.String()
	if db == "" {
		db = u.ctx.GetCurrentDatabase()
	}
	t, _, err := u.h.e.Analyzer.Catalog.Table(u.ctx, db, name.Name.String())
	if err != nil {
		return nil
	}
	schema := t.Schema(u.ctx)
	u.tables = append(u.tables, paramTable{as, schema})
	return schema
}
