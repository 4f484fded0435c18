package window

import (
	"reflect"
	"strconv"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/aggregate"
	"emberdb/sqllayer/expr/operand"
)

// Window functions over groups. go-mysql-server takes GROUP BY and functions over rows, or window
// functions, in one SELECT. MySQL computes the latter over the rows of the former, and so does a
// SELECT of a SELECT:
//
//	SELECT c, SUM(x), RANK() OVER (ORDER BY SUM(x)) FROM t GROUP BY c HAVING SUM(x) > 1 ORDER BY c
//	SELECT g.1 AS c, g.2 AS `SUM(x)`, RANK() OVER (ORDER BY g.2) FROM (SELECT c AS 1, SUM(x) AS 2
//	FROM t GROUP BY c HAVING SUM(x) > 1) g ORDER BY g.1
//
// So it is with aggregates of a SELECT that stand in its subqueries, which go-mysql-server takes
// for the subqueries' own:
//
//	SELECT c FROM t GROUP BY c HAVING EXISTS (SELECT 1 FROM u WHERE u.y = SUM(t.x))
//	SELECT g.1 AS c FROM (SELECT c AS 1, SUM(t.x) AS 2 FROM t GROUP BY c) g WHERE EXISTS (SELECT 1
//	FROM u WHERE u.y = g.2)

const groupedTable = "\x00grouped"

// Owners tells of aggregates and columns in subqueries whose they are, where it is a SELECT's
// around their own one.
type Owners map[ast.Expr]*ast.Select

// aggregates tells whether an aggregate of a SELECT stands in one of its subqueries.
func (o Owners) aggregates(n *ast.Select, in ast.SQLNode) (found bool) {
	if len(o) == 0 {
		return false
	}
	_ = ast.Walk(func(node ast.SQLNode) (bool, error) {
		switch e := node.(type) {
		case *ast.FuncExpr:
			found = found || o[e] == n
		case *ast.GroupConcatExpr:
			found = found || o[e] == n
		}
		return !found, nil
	}, in)
	return found
}

// OverGroups rewrites such a SELECT in place. It is called before RollUp.
func OverGroups(n *ast.Select, owners Owners) {
	over, rows, outer := false, len(n.GroupBy) > 0, false
	look := func(node ast.SQLNode) (bool, error) {
		switch e := node.(type) {
		case *ast.Subquery:
			outer = outer || owners.aggregates(n, e)
			return false, nil
		case *ast.GroupConcatExpr:
			rows = true
		case *ast.FuncExpr:
			over = over || e.Over != nil
			rows = rows || isOverRows(e)
		}
		return true, nil
	}
	if ast.Walk(look, n.SelectExprs, n.OrderBy) != nil {
		return
	}
	late := n.Having != nil && owners.aggregates(n, n.Having)
	if outer = outer || late; !outer && (!over || !rows) {
		return
	}
	for _, e := range n.SelectExprs {
		if _, ok := e.(*ast.AliasedExpr); !ok || !outer && len(n.GroupBy) == 0 && hasPlainColumn(e) {
			return
		}
	}
	g := &grouped{of: n, owners: owners, inner: &ast.Select{From: n.From, Where: n.Where, GroupBy: n.GroupBy, Lock: n.Lock}, columns: map[string]ast.Expr{}}
	for i, k := range n.GroupBy {
		n.GroupBy[i] = aggregate.GroupedBy(n, k)
		g.keys = append(g.keys, n.GroupBy[i])
	}
	g.aliases(n, late)
	for _, e := range n.SelectExprs {
		a := e.(*ast.AliasedExpr)
		if c, ok := a.Expr.(*ast.ColName); a.As.IsEmpty() && ok {
			a.As = c.Name
		} else if a.As.IsEmpty() {
			a.As = ast.NewColIdent(a.InputExpression)
		}
		g.value(reflect.ValueOf(a).Elem())
	}
	for _, o := range n.OrderBy {
		if c, ok := o.Expr.(*ast.ColName); ok && c.Qualifier.IsEmpty() && g.isAlias(n, c.Name) {
			continue
		}
		g.value(reflect.ValueOf(o).Elem())
	}
	g.value(reflect.ValueOf(n.Window))
	where := (*ast.Where)(nil)
	if late {
		where = ast.NewWhere(ast.WhereStr, n.Having.Expr)
		g.value(reflect.ValueOf(where))
	} else {
		g.inner.Having = n.Having
	}
	if len(g.inner.SelectExprs) == 0 {
		g.column(ast.NewIntVal([]byte("1")))
	}
	derived := &ast.AliasedTableExpr{Expr: &ast.Subquery{Select: g.inner}, As: ast.NewTableIdent(groupedTable)}
	derived.Auth.AuthType = ast.AuthType_IGNORE
	n.From = ast.TableExprs{derived}
	n.Where, n.GroupBy, n.Having, n.Lock = where, nil, nil, nil
}

// hasPlainColumn tells whether there is a column outside functions over rows, which is an error
// without GROUP BY.
func hasPlainColumn(e ast.SelectExpr) (found bool) {
	plainColumns(reflect.ValueOf(e), func(c *ast.ColName) ast.Expr {
		found = true
		return c
	})
	return found
}

// plainColumns puts others in the places of columns outside functions over rows and subqueries.
func plainColumns(v reflect.Value, with func(*ast.ColName) ast.Expr) {
	operand.WalkExprs(v, func(e ast.Expr) (ast.Expr, bool) {
		switch e := e.(type) {
		case *ast.Subquery, *ast.GroupConcatExpr:
			return e, true
		case *ast.FuncExpr:
			return e, isOverRows(e)
		case *ast.ColName:
			return with(e), true
		}
		return e, false
	})
}

// isOverRows tells a function over the rows of a group.
func isOverRows(e *ast.FuncExpr) bool {
	if e.Over != nil || !e.Qualifier.IsEmpty() {
		return false
	}
	switch e.Name.Lowered() {
	case "any_value", "grouping":
		return true
	case "first_value", "last_value", "lead", "lag", "ntile", "rank", "dense_rank", "row_number", "percent_rank", "cume_dist", "nth_value":
		return false
	}
	return e.IsAggregate()
}

// grouped is the state of one rewrite.
type grouped struct {
	of      *ast.Select
	owners  Owners
	inner   *ast.Select
	keys    []ast.Expr
	columns map[string]ast.Expr // of inner, by their texts
}

// column is what stands in the outer SELECT for an expression that the inner one computes.
func (g *grouped) column(e ast.Expr) ast.Expr {
	text := ast.String(e)
	if known, ok := g.columns[text]; ok {
		return known
	}
	name := ast.NewColIdent("\x00" + strconv.Itoa(len(g.columns)+1))
	g.inner.SelectExprs = append(g.inner.SelectExprs, &ast.AliasedExpr{Expr: e, As: name})
	c := &ast.ColName{Name: name, Qualifier: ast.TableName{Name: ast.NewTableIdent(groupedTable)}}
	g.columns[text] = c
	return c
}

func (g *grouped) isAlias(n *ast.Select, name ast.ColIdent) bool {
	for _, e := range n.SelectExprs {
		if e.(*ast.AliasedExpr).As.Equal(name) {
			return true
		}
	}
	return false
}

// aliases puts into HAVING what its names stand for: the inner SELECT has other names. Of what is
// grouped by it sees computed values by name alone, unless it comes late, over the groups.
func (g *grouped) aliases(n *ast.Select, late bool) {
	if n.Having == nil {
		return
	}
	plainColumns(reflect.ValueOf(n.Having), func(c *ast.ColName) ast.Expr {
		for _, k := range g.keys {
			if aggregate.SameExpr(c, k) {
				return c
			}
		}
		to := aggregate.GroupedBy(n, c)
		for _, k := range g.keys {
			if _, column := to.(*ast.ColName); !column && !late && aggregate.SameExpr(to, k) {
				return &ast.ColName{Name: g.column(to).(*ast.ColName).Name}
			}
		}
		return to
	})
}

func (g *grouped) value(v reflect.Value) {
	operand.WalkExprs(v, func(e ast.Expr) (ast.Expr, bool) {
		for _, k := range g.keys {
			if _, literal := e.(*ast.SQLVal); !literal && aggregate.SameExpr(e, k) {
				return g.column(e), true
			}
		}
		switch e := e.(type) {
		case *ast.Subquery:
			return g.subquery(e, e)
		case *ast.ExistsExpr:
			return g.subquery(e, e.Subquery)
		case *ast.GroupConcatExpr, *ast.ColName:
			return g.column(e), true
		case *ast.FuncExpr:
			if isOverRows(e) {
				return g.column(e), true
			}
		}
		return e, false
	})
}

// subquery is what stands for an expression that is a subquery: its value, or, where it aggregates
// the SELECT's rows, itself over their groups.
func (g *grouped) subquery(e ast.Expr, q *ast.Subquery) (ast.Expr, bool) {
	if !g.owners.aggregates(g.of, q) {
		return g.column(e), true
	}
	operand.WalkExprs(reflect.ValueOf(q), func(e ast.Expr) (ast.Expr, bool) {
		switch e.(type) {
		case *ast.ColName, *ast.FuncExpr, *ast.GroupConcatExpr:
			if g.owners[e] == g.of {
				return g.column(e), true
			}
		}
		return e, false
	})
	return e, true
}

// ReplaceColumns puts other expressions in the places of columns and VALUES() of assignments, where
// they are assigned. Of those in subqueries it tells the outermost one.
func ReplaceColumns(of ast.AssignmentExprs, with func(e ast.Expr, in *ast.Subquery) ast.Expr) {
	for _, a := range of {
		_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
			query, ok := n.(*ast.Subquery)
			if ok {
				operand.WalkExprs(reflect.ValueOf(query), func(e ast.Expr) (ast.Expr, bool) { return replaceColumn(e, query, with) })
			}
			return !ok, nil
		}, a.Expr)
		operand.WalkExprs(reflect.ValueOf(a).Elem().FieldByName("Expr"), func(e ast.Expr) (ast.Expr, bool) {
			switch e.(type) {
			case *ast.Subquery, *ast.ExistsExpr:
				return e, true
			}
			return replaceColumn(e, nil, with)
		})
	}
}

func replaceColumn(e ast.Expr, in *ast.Subquery, with func(ast.Expr, *ast.Subquery) ast.Expr) (ast.Expr, bool) {
	switch e.(type) {
	case *ast.ColName, *ast.ValuesFuncExpr:
		return with(e, in), true
	}
	return e, false
}
