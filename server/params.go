package server

// Prepared parameters that stand for an unsigned column.
//
// MySQL gives a parameter the type of the column it is assigned to or compared with, and reads the bits the client has sent as that type. Drivers without
// unsigned types count on it: Connector/J sends 18446744073709551615 as the signed 64-bit integer -1. So a negative integer becomes, in its own width, the
// unsigned one with its bits, where
//
//	INSERT, REPLACE    the parameter is the value of an unsigned column, in VALUES, in SET or in the list of a SELECT
//	UPDATE             an unsigned column is set to it
//	anywhere           it is the other side of a comparison or of + - * / % with an unsigned column

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer"
)

// signParams gives negative parameters of unsigned columns the value MySQL reads.
func (x *execution) signParams(ctx *sql.Context, p *mysql.PrepareData) {
	var negative []string
	for name, b := range p.BindVars {
		if b != nil && b.Type == sqltypes.Int64 && len(b.Value) > 0 && b.Value[0] == '-' {
			negative = append(negative, name)
		}
	}
	if negative == nil {
		return
	}
	stmt, err := sqlparser.ParseWithOptions(ctx, sqllayer.ReplaceForShare(x.query), sql.LoadSqlMode(ctx).ParserOptions())
	if err != nil {
		return // the execution will tell
	}
	u := unsignedParams{x: x, ctx: ctx, found: make(map[string]bool)}
	_ = sqlparser.Walk(u.visit, stmt)
	for _, name := range negative {
		var i int
		if _, err := fmt.Sscanf(name, "v%d", &i); err != nil || !u.found[name] || i > len(p.ParamsType) {
			continue
		}
		if v, err := strconv.ParseInt(string(p.BindVars[name].Value), 10, 64); err == nil {
			p.BindVars[name] = sqltypes.ValueBindVariable(sqltypes.NewUint64(bitsOf(v, querypb.Type(p.ParamsType[i-1]))))
		}
	}
}

// bitsOf reads a signed integer of a parameter's type as unsigned.
func bitsOf(v int64, t querypb.Type) uint64 {
	switch t {
	case sqltypes.Int8:
		return uint64(uint8(v))
	case sqltypes.Int16:
		return uint64(uint16(v))
	case sqltypes.Int24, sqltypes.Int32:
		return uint64(uint32(v))
	}
	return uint64(v)
}

// unsignedParams looks for the parameters of a statement that stand for unsigned columns.
type unsignedParams struct {
	x      *execution
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
	t, _, err := u.x.h.e.Analyzer.Catalog.Table(u.ctx, db, name.Name.String())
	if err != nil {
		return nil
	}
	schema := t.Schema(u.ctx)
	u.tables = append(u.tables, paramTable{as, schema})
	return schema
}
