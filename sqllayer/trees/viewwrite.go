package trees

import (
	"slices"
	"strconv"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// WritableView is a view of one table, or one of the tables of a join view.
type WritableView struct {
	Schema, Name string
	Table        tabledef.TableName // at the bottom
	Columns      []WritableColumn
	Where        []ast.Expr // over the table's columns
	Checks       []ast.Expr
	Levels       []ViewLevel
	Leaf         int // of the tables of a join view, from 1; 0: the view is of one
}

type WritableColumn struct {
	Name string
	Expr ast.Expr // over the table's columns

	Invisible bool // of the table itself
}

// Base is the table's column that a view's column is; "": it is computed.
func (c *WritableColumn) Base() string {
	if n, ok := c.Expr.(*ast.ColName); ok {
		return n.Name.String()
	}
	return ""
}

// ViewLevel is what a view's definer needs rights on.
type ViewLevel struct {
	Definer Role
	Invoker bool
	On      tabledef.TableName
}

func (v *WritableView) column(name string) *WritableColumn {
	return columnOf(v.Columns, name)
}

// Inserts tells whether rows can be inserted: every column is another one of the table's.
func (v *WritableView) Inserts() bool {
	seen := make(map[string]bool)
	for _, c := range v.Columns {
		name := strings.ToLower(c.Base())
		if name == "" || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

// PlainSelect gives a SELECT of rows of one table as they are.
func PlainSelect(stmt ast.SelectStatement) (*ast.Select, *ast.AliasedTableExpr) {
	sel := PlainQuery(stmt)
	if sel == nil || len(sel.From) != 1 {
		return nil, nil
	}
	from, ok := sel.From[0].(*ast.AliasedTableExpr)
	if !ok {
		return nil, nil
	}
	if _, ok := from.Expr.(ast.TableName); !ok {
		return nil, nil
	}
	return sel, from
}

// List reads the columns of a view.
func (v *WritableView) List(exprs ast.SelectExprs, below *WritableView, names []string) bool {
	for _, e := range exprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			hidden := func(c WritableColumn) bool { return c.Invisible }
			v.Columns = append(v.Columns, slices.DeleteFunc(slices.Clone(below.Columns), hidden)...)
		case *ast.AliasedExpr:
			c := WritableColumn{Name: e.As.String(), Expr: below.Over(e.Expr, "", "")}
			if n, ok := e.Expr.(*ast.ColName); ok && c.Name == "" {
				c.Name = n.Name.String()
			} else if c.Name == "" {
				c.Name = e.InputExpression
			}
			v.Columns = append(v.Columns, c)
		default:
			return false
		}
	}
	for i := range names {
		if i < len(v.Columns) {
			v.Columns[i].Name = names[i]
		}
	}
	return true
}

// Over writes an expression over the view's columns as one over the table's, called so. Of
// qualified names only those of the view are meant, if it has an alias.
func (v *WritableView) Over(e ast.Expr, alias, table string) ast.Expr {
	replaced := make(map[*ast.ColName]ast.Expr)
	inner := 0
	var look func(n ast.SQLNode) (bool, error)
	look = func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			inner++
			err := ast.Walk(look, n.Select)
			inner--
			return false, err
		case *ast.ColName:
			if n.StoredProcVal != nil {
				return false, nil // a program's variable
			}
			q := n.Qualifier.Name.String()
			c := v.column(n.Name.String())
			if c == nil || q != "" && alias != "" && !strings.EqualFold(q, alias) || q == "" && inner > 0 && strings.EqualFold(c.Base(), c.Name) {
				return false, nil
			}
			replaced[n] = called(c.Expr, table)
		}
		return true, nil
	}
	_ = ast.Walk(look, e)
	for from, to := range replaced {
		if base, ok := to.(*ast.ColName); ok {
			from.Name, from.Qualifier = base.Name, base.Qualifier
		} else {
			e = ast.ReplaceExpr(e, from, to)
		}
	}
	return e
}

// called is a copy of an expression over a table's columns with the name that the table has in the
// statement.
func called(e ast.Expr, table string) ast.Expr {
	e = copied(e)
	if table != "" {
		_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
			if c, ok := n.(*ast.ColName); ok && c.Qualifier.IsEmpty() {
				c.Qualifier = ast.TableName{Name: ast.NewTableIdent(table)}
			}
			_, sub := n.(*ast.Subquery)
			return !sub, nil
		}, e)
	}
	return e
}

// copied parses the text of an expression.
func copied(e ast.Expr) ast.Expr {
	stmt, err := ast.Parse("SELECT " + ast.String(e))
	if sel, ok := stmt.(*ast.Select); err == nil && ok && len(sel.SelectExprs) == 1 {
		if one, ok := sel.SelectExprs[0].(*ast.AliasedExpr); ok {
			return one.Expr
		}
	}
	return e
}

// ThroughView is what a statement's authorization knows of the view that it changes a table
// through.
type ThroughView struct {
	Schema, Name string
	table        tabledef.TableName // with its mark
	Levels       []ViewLevel
}

// Target is the table in the place of the view.
func (v *WritableView) Target() (ast.TableName, ThroughView) {
	name := v.Table.Name + sqlerr.ViewMark + v.Schema + sqlerr.ViewMark + v.Name
	if v.Leaf > 0 {
		name += sqlerr.ViewMark + strconv.Itoa(v.Leaf)
	}
	return ast.TableName{Name: ast.NewTableIdent(name), DbQualifier: ast.NewTableIdent(v.Table.Schema)},
		ThroughView{Schema: v.Schema, Name: v.Name, table: tabledef.TableName{Schema: v.Table.Schema, Name: name}, Levels: v.Levels}
}
