package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
)

// newRows is the table of the rows that are inserted, and begins the names of its columns: GMS mistakes columns of one name in both tables.
const newRows = "\x00new"

// insertSelect makes INSERT ... SELECT ... ON DUPLICATE KEY UPDATE with VALUES(column) one without: GMS knows VALUES(column) of given rows only:
//
//	INSERT INTO t (a, b) SELECT s.x, s.y FROM s ON DUPLICATE KEY UPDATE b = VALUES(b) + s.x
//	INSERT INTO t (a, b) SELECT * FROM (SELECT s.x, s.y FROM s) new (a, b) ON DUPLICATE KEY UPDATE b = new.b + new.a
func (r *rewriterAST) insertSelect(n *ast.Insert) {
	query, ok := n.Rows.(ast.SelectStatement)
	if !ok || !usesValues(n.OnDup) {
		return
	}
	columns := n.Columns
	if len(columns) == 0 {
		columns = r.columnsOf(n.Table)
	}
	if len(columns) == 0 {
		return
	}
	var from ast.SelectExprs
	if s, ok := query.(*ast.Select); ok && len(s.SelectExprs) == len(columns) {
		from = s.SelectExprs
	}
	expr.ReplaceColumns(ast.AssignmentExprs(n.OnDup), func(e ast.Expr) ast.Expr {
		if c, ok := e.(*ast.ColName); ok && strings.EqualFold(c.Qualifier.Name.String(), n.Table.Name.String()) {
			return e
		}
		return newRowsColumn(e, from, columns)
	})
	inner := make(ast.Columns, len(columns))
	for i, c := range columns {
		inner[i] = ast.NewColIdent(newRows + c.String())
	}
	derived := &ast.AliasedTableExpr{Expr: &ast.Subquery{Select: query, Columns: inner}, As: ast.NewTableIdent(newRows)}
	derived.Auth.AuthType = ast.AuthType_IGNORE
	n.Rows = &ast.Select{SelectExprs: ast.SelectExprs{&ast.StarExpr{}}, From: ast.TableExprs{derived}}
}

func usesValues(updates ast.OnDup) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		_, ok := n.(*ast.ValuesFuncExpr)
		found = found || ok
		return !found, nil
	}, ast.AssignmentExprs(updates))
	return found
}

// newRowsColumn is what stands for VALUES(column), and for columns of the SELECT's tables, which the derived table hides.
func newRowsColumn(e ast.Expr, from ast.SelectExprs, columns ast.Columns) ast.Expr {
	named := func(name ast.ColIdent) ast.Expr {
		return &ast.ColName{Name: ast.NewColIdent(newRows + name.String()), Qualifier: ast.TableName{Name: ast.NewTableIdent(newRows)}}
	}
	switch e := e.(type) {
	case *ast.ValuesFuncExpr:
		return named(e.Name.Name)
	case *ast.ColName:
		for i, s := range from {
			a, ok := s.(*ast.AliasedExpr)
			if !ok || e.Qualifier.IsEmpty() {
				continue
			}
			of, ok := a.Expr.(*ast.ColName)
			if ok && of.Name.Equal(e.Name) && (of.Qualifier.IsEmpty() || strings.EqualFold(of.Qualifier.Name.String(), e.Qualifier.Name.String())) {
				return named(columns[i])
			}
		}
	}
	return e
}

// columnsOf are the names of a table's columns; nil if there is no such table.
func (r *rewriterAST) columnsOf(name ast.TableName) (out ast.Columns) {
	ctx, ok := r.ctx.(*sql.Context)
	if !ok || sessionOf(ctx) == nil {
		return nil
	}
	d, err := sessionOf(ctx).layer.Provider.Database(ctx, r.database(name))
	if err != nil {
		return nil
	}
	t, ok, err := d.GetTableInsensitive(ctx, name.Name.String())
	if err != nil || !ok {
		return nil
	}
	for _, c := range t.Schema(ctx) {
		out = append(out, ast.NewColIdent(c.Name))
	}
	return out
}
