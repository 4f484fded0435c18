package sqllayer

import (
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
)

// newRows is the table of the rows that are inserted, and begins the names of its columns: GMS
// mistakes columns of one name in both tables.
const newRows = "\x00new"

// rowAlias refuses the columns of an alias of new rows that are not as many as the rows' columns,
// or not different. GMS takes each column's name from the list without looking at its length.
func (r *rewriterAST) rowAlias(n *ast.Insert) error {
	rows, ok := n.Rows.(*ast.AliasedValues)
	if !ok || len(rows.Columns) == 0 {
		return nil
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
			return NewError(erColumnCountMismatch, "Column count doesn't match value count at row %d", i+1)
		}
	}
	if len(rows.Columns) != columns {
		return NewError(erViewColumnCount, "In definition of view, derived table or common table expression, SELECT list and column names list have different column counts")
	}
	seen := make(map[string]bool, columns)
	for _, c := range rows.Columns {
		if seen[c.Lowered()] {
			return NewError(mysql.ERDupFieldName, "Duplicate column name '%s'", c.String())
		}
		seen[c.Lowered()] = true
	}
	return nil
}

// insertSelect makes INSERT ... SELECT ... ON DUPLICATE KEY UPDATE one whose updates read the table
// and the new rows only, as GMS knows VALUES(column) of given rows only, and of the columns of the
// SELECT's tables those that are inserted. The others are kept beside the rows, see expr/kept.go:
//
//	INSERT INTO t (a, b) SELECT s.x, s.y FROM s ON DUPLICATE KEY UPDATE b = VALUES(b) + s.x + s.z
//	INSERT INTO t (a, b) SELECT * FROM (SELECT a, keep(1, b, c0) FROM (SELECT s.x, s.y, s.z FROM
//	s) new (a, b, c0)) new (a, b)
//		ON DUPLICATE KEY UPDATE b = new.b + new.a + kept(1, 0)
func (r *rewriterAST) insertSelect(n *ast.Insert) {
	query, ok := n.Rows.(ast.SelectStatement)
	if !ok {
		givenRows(n)
		return
	}
	w := &selectedRows{target: n.Table.Name.String(), own: r.columnsOf(n.Table), columns: n.Columns}
	if len(w.columns) == 0 {
		w.columns = w.own
	}
	w.look(query)
	if len(w.columns) == 0 || !w.asked(n.OnDup) {
		return
	}
	expr.ReplaceColumns(ast.AssignmentExprs(n.OnDup), w.stand)
	names := make(ast.Columns, len(w.columns))
	for i, c := range w.columns {
		names[i] = ast.NewColIdent(newRows + c.String())
	}
	if len(w.kept) > 0 {
		query = w.keeping(names)
	}
	n.Rows = &ast.Select{SelectExprs: ast.SelectExprs{&ast.StarExpr{}}, From: derivedRows(query, names)}
}

func derivedRows(query ast.SelectStatement, names ast.Columns) ast.TableExprs {
	derived := &ast.AliasedTableExpr{Expr: &ast.Subquery{Select: query, Columns: names}, As: ast.NewTableIdent(newRows)}
	derived.Auth.AuthType = ast.AuthType_IGNORE
	return ast.TableExprs{derived}
}

// givenRows prepares ON DUPLICATE KEY UPDATE with subqueries behind VALUES: VALUES(column) within
// one is NULL, as in MySQL, and one row's value is put into parentheses, as GMS's analyzer passes
// by statements whose rows are literals.
func givenRows(n *ast.Insert) {
	if !readsQueries(ast.AssignmentExprs(n.OnDup)) {
		return
	}
	expr.ReplaceColumns(ast.AssignmentExprs(n.OnDup), func(e ast.Expr, in *ast.Subquery) ast.Expr {
		if _, ok := e.(*ast.ValuesFuncExpr); ok && in != nil {
			return &ast.NullVal{}
		}
		return e
	})
	rows, ok := n.Rows.(*ast.AliasedValues)
	if !ok {
		return
	}
	for _, row := range rows.Values {
		for i, v := range row {
			if _, literal := v.(*ast.SQLVal); literal {
				row[i] = &ast.ParenExpr{Expr: v}
				return
			}
		}
	}
}

func readsQueries(n ast.SQLNode) bool {
	return within(n, func(n ast.SQLNode) bool {
		_, ok := n.(*ast.Subquery)
		return ok
	})
}

// within looks for a node below another.
func within(n ast.SQLNode, is func(ast.SQLNode) bool) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		found = found || is(n)
		return !found, nil
	}, n)
	return found
}

// selectedRows are the rows of a SELECT that are inserted.
type selectedRows struct {
	target  string      // the table
	own     ast.Columns // its columns
	columns ast.Columns // those that get values

	query  *ast.Select     // whose tables the updates may read; nil: none
	tables map[string]bool // their names
	kept   []*ast.ColName  // columns that are read and not inserted
	id     int64
}

// look finds out what the updates may read.
func (w *selectedRows) look(query ast.SelectStatement) {
	s, ok := query.(*ast.Select)
	if !ok || len(s.GroupBy) > 0 || s.Having != nil || s.QueryOpts.Distinct {
		return
	}
	w.query, w.tables = s, expr.NamesOf(s.From)
	delete(w.tables, strings.ToLower(w.target))
}

// asked tells whether there is something to do: VALUES(), a subquery, or a column of the SELECT's
// tables.
func (w *selectedRows) asked(updates ast.OnDup) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.ValuesFuncExpr, *ast.Subquery:
			found = true
		case *ast.AssignmentExpr:
			return true, ast.Walk(func(n ast.SQLNode) (bool, error) {
				c, ok := n.(*ast.ColName)
				found = found || ok && w.reads(c, nil)
				return !found, nil
			}, n.Expr)
		}
		return !found, nil
	}, ast.AssignmentExprs(updates))
	return found
}

// reads tells whether a column is one of the SELECT's tables. Those of a subquery's own tables are
// not.
func (w *selectedRows) reads(c *ast.ColName, in *ast.Subquery) bool {
	table := strings.ToLower(c.Qualifier.Name.String())
	switch {
	case w.query == nil:
		return false
	case table == "":
		return in == nil && len(w.own) > 0 && w.own.FindColumn(c.Name) < 0
	}
	return w.tables[table] && (in == nil || !expr.NamesOf(in)[table])
}

// stand is what stands for VALUES(column), and for columns of the SELECT's tables, which the
// derived table hides.
func (w *selectedRows) stand(e ast.Expr, in *ast.Subquery) ast.Expr {
	c, ok := e.(*ast.ColName)
	if !ok {
		if in != nil {
			return &ast.NullVal{}
		}
		return w.named(e.(*ast.ValuesFuncExpr).Name.Name)
	}
	if !w.reads(c, in) {
		return e
	}
	for i, s := range w.query.SelectExprs {
		a, ok := s.(*ast.AliasedExpr)
		if !ok || in != nil || len(w.query.SelectExprs) != len(w.columns) {
			break
		}
		of, ok := a.Expr.(*ast.ColName)
		if ok && of.Name.Equal(c.Name) && (of.Qualifier.IsEmpty() || c.Qualifier.IsEmpty() || strings.EqualFold(of.Qualifier.Name.String(), c.Qualifier.Name.String())) {
			return w.named(w.columns[i])
		}
	}
	return w.keep(c)
}

// named is a column of the new rows.
func (w *selectedRows) named(name ast.ColIdent) ast.Expr {
	return &ast.ColName{Name: ast.NewColIdent(newRows + name.String()), Qualifier: ast.TableName{Name: ast.NewTableIdent(newRows)}}
}

// keptIDs are the numbers of statements that keep columns.
var keptIDs atomic.Int64

// keep is the call that reads a column that is kept.
func (w *selectedRows) keep(c *ast.ColName) ast.Expr {
	if w.id == 0 {
		w.id = keptIDs.Add(1)
	}
	at := 0
	for at < len(w.kept) && !w.kept[at].Equal(c) {
		at++
	}
	if at == len(w.kept) {
		w.kept = append(w.kept, c)
	}
	return expr.Kept(w.id, at, w.named(w.columns[0]))
}

// keeping is the query that gives the columns of those names, and keeps the others.
func (w *selectedRows) keeping(names ast.Columns) ast.SelectStatement {
	list, all := make(ast.SelectExprs, len(names)), names[:len(names):len(names)]
	for i, name := range names {
		list[i] = &ast.AliasedExpr{Expr: &ast.ColName{Name: name}}
	}
	var others []ast.Expr
	for i, c := range w.kept {
		w.query.SelectExprs = append(w.query.SelectExprs, &ast.AliasedExpr{Expr: c})
		all = append(all, ast.NewColIdent(newRows+"\x00"+strconv.Itoa(i)))
		others = append(others, &ast.ColName{Name: all[len(all)-1]})
	}
	last := list[len(list)-1].(*ast.AliasedExpr)
	last.Expr = expr.Keep(w.id, last.Expr, others...)
	return &ast.Select{SelectExprs: list, From: derivedRows(w.query, all)}
}

func init() { expr.KeptRowOf = keptRowOf }

// keptRowOf is where the statement of that number keeps columns.
func keptRowOf(ctx *sql.Context, statement string) *expr.KeptRow {
	s := sessionOf(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stmt.kept == nil {
		s.stmt.kept = make(map[string]*expr.KeptRow)
	}
	if s.stmt.kept[statement] == nil {
		s.stmt.kept[statement] = &expr.KeptRow{}
	}
	return s.stmt.kept[statement]
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
