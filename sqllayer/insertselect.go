package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/window"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/trees"
)

// rowAlias refuses the columns of an alias of new rows that are not as many as the rows' columns,
// not different, or not listed by the statement. GMS takes each column's name from the list without looking at its length.
func (r *rewriterAST) rowAlias(n *ast.Insert) error {
	rows, ok := n.Rows.(*ast.AliasedValues)
	if !ok {
		return nil
	}
	if len(rows.Columns) == 0 {
		return unlisted(n, rows)
	}
	columns := len(n.Columns)
	if columns == 0 {
		columns = len(r.columnsOf(n.Table))
	}
	if columns == 0 {
		return nil // the table is missing, and GMS says so
	}
	for i, row := range rows.Values {
		if len(row) != columns && (len(row) > 0 || len(n.Columns) > 0) {
			return sqlerr.NewError(sqlerr.ErColumnCountMismatch, "Column count doesn't match value count at row %d", i+1)
		}
	}
	if len(rows.Columns) != columns {
		return sqlerr.NewError(sqlerr.ErViewColumnCount, "In definition of view, derived table or common table expression, SELECT list and column names list have different column counts")
	}
	seen := make(map[string]bool, columns)
	for _, c := range rows.Columns {
		if seen[c.Lowered()] {
			return sqlerr.NewError(mysql.ERDupFieldName, "Duplicate column name '%s'", c.String())
		}
		seen[c.Lowered()] = true
	}
	return nil
}

// unlisted refuses updates that read columns of the new rows that the statement does not list.
func unlisted(n *ast.Insert, rows *ast.AliasedValues) error {
	if rows.As.IsEmpty() || len(n.Columns) == 0 {
		return nil
	}
	return ast.Walk(func(node ast.SQLNode) (bool, error) {
		c, ok := node.(*ast.ColName)
		if ok && strings.EqualFold(c.Qualifier.Name.String(), rows.As.String()) && n.Columns.FindColumn(c.Name) < 0 {
			return false, sqlerr.NewError(mysql.ERBadFieldError, "Unknown column '%s' in 'field list'", ast.String(c))
		}
		return true, nil
	}, ast.AssignmentExprs(n.OnDup))
}

// insertSelect makes INSERT ... SELECT ... ON DUPLICATE KEY UPDATE one whose updates read the table
// and the new rows only, as GMS knows VALUES(column) of given rows only, and of the columns of the
// SELECT's tables those that are inserted. The others are kept beside the rows, see expr/kept.go:
//
//	INSERT INTO t (a, b) SELECT s.x, s.y FROM s ON DUPLICATE KEY UPDATE b = VALUES(b) + s.x + s.z
//	INSERT INTO t (a, b) SELECT * FROM (SELECT a, keep(1, b, c0) FROM (SELECT s.x, s.y, s.z FROM
//	s) new (a, b, c0)) new (a, b)
//		ON DUPLICATE KEY UPDATE b = new.b + new.a + kept(1, 0)
func (r *rewriterAST) insertSelect(n *ast.Insert) error {
	query, ok := n.Rows.(ast.SelectStatement)
	if !ok {
		trees.GivenRows(n)
		return nil
	}
	w := &trees.SelectedRows{Target: n.Table.Name.String(), Own: r.columnsOf(n.Table), Columns: n.Columns}
	if len(w.Columns) == 0 {
		w.Columns = w.Own
	}
	w.Look(query)
	if c := w.Hidden(n.OnDup); c != nil && r.root == ast.SQLNode(n) { // names in a program may be variables
		return sqlerr.NewError(mysql.ERBadFieldError, "Unknown column '%s' in 'field list'", ast.String(c))
	}
	if len(w.Columns) == 0 || !w.Asked(n.OnDup) {
		return nil
	}
	window.ReplaceColumns(ast.AssignmentExprs(n.OnDup), w.Stand)
	names := make(ast.Columns, len(w.Columns))
	for i, c := range w.Columns {
		names[i] = ast.NewColIdent(trees.NewRows + c.String())
	}
	if len(w.Kept) > 0 {
		query = w.Keeping(names)
	}
	n.Rows = &ast.Select{SelectExprs: ast.SelectExprs{&ast.StarExpr{}}, From: trees.DerivedRows(query, names)}
	return nil
}

func init() { expr.KeptRowOf = keptRowOf }

// keptRowOf is where the statement of that number keeps columns.
func keptRowOf(ctx *sql.Context, statement string) *expr.KeptRow {
	s := SessionOf(ctx)
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Stmt.kept == nil {
		s.Stmt.kept = make(map[string]*expr.KeptRow)
	}
	if s.Stmt.kept[statement] == nil {
		s.Stmt.kept[statement] = &expr.KeptRow{}
	}
	return s.Stmt.kept[statement]
}

// columnsOf are the names of a table's columns; nil if there is no such table.
func (r *rewriterAST) columnsOf(name ast.TableName) (out ast.Columns) {
	ctx, ok := r.ctx.(*sql.Context)
	if !ok || SessionOf(ctx) == nil {
		return nil
	}
	d, err := SessionOf(ctx).layer.Provider.Database(ctx, r.database(name))
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
