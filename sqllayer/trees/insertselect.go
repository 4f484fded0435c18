package trees

import (
	"strconv"
	"strings"
	"sync/atomic"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/window"
)

// NewRows is the table of the rows that are inserted, and begins the names of its columns: GMS
// mistakes columns of one name in both tables.
const NewRows = "\x00new"

func DerivedRows(query ast.SelectStatement, names ast.Columns) ast.TableExprs {
	derived := &ast.AliasedTableExpr{Expr: &ast.Subquery{Select: query, Columns: names}, As: ast.NewTableIdent(NewRows)}
	derived.Auth.AuthType = ast.AuthType_IGNORE
	return ast.TableExprs{derived}
}

// GivenRows prepares ON DUPLICATE KEY UPDATE with subqueries behind VALUES: VALUES(column) within
// one is NULL, as in MySQL, and one row's value is put into parentheses, as GMS's analyzer passes
// by statements whose rows are literals.
func GivenRows(n *ast.Insert) {
	if !ReadsQueries(ast.AssignmentExprs(n.OnDup)) {
		return
	}
	window.ReplaceColumns(ast.AssignmentExprs(n.OnDup), func(e ast.Expr, in *ast.Subquery) ast.Expr {
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

func ReadsQueries(n ast.SQLNode) bool {
	return Within(n, func(n ast.SQLNode) bool {
		_, ok := n.(*ast.Subquery)
		return ok
	})
}

// Within looks for a node below another.
func Within(n ast.SQLNode, is func(ast.SQLNode) bool) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		found = found || is(n)
		return !found, nil
	}, n)
	return found
}

// SelectedRows are the rows of a SELECT that are inserted.
type SelectedRows struct {
	Target  string      // the table
	Own     ast.Columns // its columns
	Columns ast.Columns // those that get values

	aliases map[string]bool // the names that the SELECT gives what are no columns of that name
	query   *ast.Select     // whose tables the updates may read; nil: none
	tables  map[string]bool // their names
	Kept    []*ast.ColName  // columns that are read and not inserted
	id      int64
	hidden  bool // the rows are groups, or those of a set operation: no table of theirs can be read
}

// Look finds out what the updates may read.
func (w *SelectedRows) Look(query ast.SelectStatement) {
	s, ok := query.(*ast.Select)
	if ok {
		w.aliases = aliasesOf(s)
	}
	w.hidden = !ok || len(s.GroupBy) > 0 || aggregates(s.SelectExprs) || aggregates(s.Having)
	if !ok || len(s.GroupBy) > 0 || s.Having != nil || s.QueryOpts.Distinct {
		return
	}
	w.query, w.tables = s, expr.NamesOf(s.From)
	delete(w.tables, strings.ToLower(w.Target))
}

// aggregates tells whether there are aggregates in a clause, but for those of its subqueries.
func aggregates(n ast.SQLNode) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		_, query := n.(*ast.Subquery)
		found = found || IsAggregate(n)
		return !query && !found, nil
	}, n)
	return found
}

func aliasesOf(s *ast.Select) map[string]bool {
	out := map[string]bool{}
	for _, e := range s.SelectExprs {
		if a, ok := e.(*ast.AliasedExpr); ok && !a.As.IsEmpty() {
			c, column := a.Expr.(*ast.ColName)
			out[a.As.Lowered()] = !column || !c.Name.Equal(a.As)
		}
	}
	return out
}

// Hidden is a column of the SELECT that the updates cannot read; nil: there is none. Subqueries
// report theirs when they are planned.
func (w *SelectedRows) Hidden(updates ast.OnDup) (found *ast.ColName) {
	if !w.hidden || len(w.Own) == 0 {
		return nil
	}
	for _, u := range updates {
		_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
			switch n := n.(type) {
			case *ast.Subquery, *ast.ValuesFuncExpr:
				return false, nil
			case *ast.ColName:
				if n.StoredProcVal == nil && !strings.HasPrefix(n.Name.String(), "@") && !w.owns(n) {
					found = n
				}
			}
			return found == nil, nil
		}, u.Expr)
	}
	return found
}

// owns tells whether a column is the target's.
func (w *SelectedRows) owns(c *ast.ColName) bool {
	table := c.Qualifier.Name.String()
	return (table == "" || strings.EqualFold(table, w.Target)) && w.Own.FindColumn(c.Name) >= 0
}

// Asked tells whether there is something to do: VALUES(), a subquery, a column of the SELECT's
// tables, or one of the target's whose name is an alias of the SELECT, too.
func (w *SelectedRows) Asked(updates ast.OnDup) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.ValuesFuncExpr, *ast.Subquery:
			found = true
		case *ast.AssignmentExpr:
			return true, ast.Walk(func(n ast.SQLNode) (bool, error) {
				c, ok := n.(*ast.ColName)
				found = found || ok && (w.reads(c, nil) || c.Qualifier.IsEmpty() && w.aliases[c.Name.Lowered()])
				return !found, nil
			}, n.Expr)
		}
		return !found, nil
	}, ast.AssignmentExprs(updates))
	return found
}

// reads tells whether a column is one of the SELECT's tables. Those of a subquery's own tables are
// not.
func (w *SelectedRows) reads(c *ast.ColName, in *ast.Subquery) bool {
	table := strings.ToLower(c.Qualifier.Name.String())
	switch {
	case w.query == nil:
		return false
	case table == "":
		return in == nil && len(w.Own) > 0 && w.Own.FindColumn(c.Name) < 0
	}
	return w.tables[table] && (in == nil || !expr.NamesOf(in)[table])
}

// Stand is what stands for VALUES(column), and for columns of the SELECT's tables, which the
// derived table hides.
func (w *SelectedRows) Stand(e ast.Expr, in *ast.Subquery) ast.Expr {
	c, ok := e.(*ast.ColName)
	if !ok {
		if in != nil {
			return &ast.NullVal{}
		}
		if name := e.(*ast.ValuesFuncExpr).Name; w.Columns.FindColumn(name.Name) < 0 && w.Own.FindColumn(name.Name) >= 0 {
			return operand.CallOf(expr.DefaultOf, &ast.ColName{Name: name.Name, Qualifier: ast.TableName{Name: ast.NewTableIdent(w.Target)}})
		}
		return w.named(e.(*ast.ValuesFuncExpr).Name.Name)
	}
	if !w.reads(c, in) {
		return e
	}
	for i, s := range w.query.SelectExprs {
		a, ok := s.(*ast.AliasedExpr)
		if !ok || in != nil || len(w.query.SelectExprs) != len(w.Columns) {
			break
		}
		of, ok := a.Expr.(*ast.ColName)
		if ok && of.Name.Equal(c.Name) && (of.Qualifier.IsEmpty() || c.Qualifier.IsEmpty() || strings.EqualFold(of.Qualifier.Name.String(), c.Qualifier.Name.String())) {
			return w.named(w.Columns[i])
		}
	}
	return w.keep(c)
}

// named is a column of the new rows.
func (w *SelectedRows) named(name ast.ColIdent) ast.Expr {
	return &ast.ColName{Name: ast.NewColIdent(NewRows + name.String()), Qualifier: ast.TableName{Name: ast.NewTableIdent(NewRows)}}
}

// keptIDs are the numbers of statements that keep columns.
var keptIDs atomic.Int64

// keep is the call that reads a column that is kept.
func (w *SelectedRows) keep(c *ast.ColName) ast.Expr {
	if w.id == 0 {
		w.id = keptIDs.Add(1)
	}
	at := 0
	for at < len(w.Kept) && !w.Kept[at].Equal(c) {
		at++
	}
	if at == len(w.Kept) {
		w.Kept = append(w.Kept, c)
	}
	return expr.Kept(w.id, at, w.named(w.Columns[0]))
}

// Keeping is the query that gives the columns of those names, and keeps the others.
func (w *SelectedRows) Keeping(names ast.Columns) ast.SelectStatement {
	list, all := make(ast.SelectExprs, len(names)), names[:len(names):len(names)]
	for i, name := range names {
		list[i] = &ast.AliasedExpr{Expr: &ast.ColName{Name: name}}
	}
	var others []ast.Expr
	for i, c := range w.Kept {
		w.query.SelectExprs = append(w.query.SelectExprs, &ast.AliasedExpr{Expr: c})
		all = append(all, ast.NewColIdent(NewRows+"\x00"+strconv.Itoa(i)))
		others = append(others, &ast.ColName{Name: all[len(all)-1]})
	}
	last := list[len(list)-1].(*ast.AliasedExpr)
	last.Expr = expr.Keep(w.id, last.Expr, others...)
	return &ast.Select{SelectExprs: list, From: DerivedRows(w.query, all)}
}
