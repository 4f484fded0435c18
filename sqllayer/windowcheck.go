package sqllayer

import (
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// placesOfCalls refuses aggregates and window functions where MySQL has no place for them. GMS's
// planner answers wrongly there, fails, or never ends.
func placesOfCalls(stmt ast.Statement) error {
	if err := conditionPlaces(stmt, false); err != nil {
		return err
	}
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.With:
			return true, uniqueExpressions(n)
		case *ast.Select:
			return true, selectPlaces(n)
		case *ast.Update:
			return true, nowhere(n.Exprs, n.Where)
		case *ast.Delete:
			return true, nowhere(n.Where)
		case *ast.Insert:
			if _, query := n.Rows.(ast.SelectStatement); !query {
				return true, nowhere(n.Rows)
			}
		}
		return true, nil
	}, stmt)
}

// conditionPlaces refuses aggregates in the WHERE of queries under a node. around: the query that
// the node is a part of may aggregate there, so that an aggregate may be one of that query's,
// unless its columns are said to be of the tables beside the WHERE.
func conditionPlaces(node ast.SQLNode, around bool) error {
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		s, ok := n.(*ast.Select)
		if !ok {
			return true, nil
		}
		err := calls(func(f *ast.FuncExpr) error {
			if around && !aggregatesOver(f, tablesOf(s.From)) {
				return nil
			}
			return aggregateNowhere(f)
		}, s.Where)
		for _, part := range []ast.SQLNode{s.With, s.From} {
			if err == nil {
				err = conditionPlaces(part, false)
			}
		}
		if err == nil && s.Where != nil {
			err = conditionPlaces(s.Where.Expr, around)
		}
		for _, part := range []ast.SQLNode{s.SelectExprs, s.GroupBy, s.Having, s.OrderBy} {
			if err == nil {
				err = conditionPlaces(part, true)
			}
		}
		return false, err
	}, node)
}

// aggregatesOver tells whether a call has columns, all of which are said to be of these tables.
func aggregatesOver(f *ast.FuncExpr, tables []target) bool {
	columns, others := 0, 0
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.ColName); ok {
			if slices.ContainsFunc(tables, func(t target) bool { return strings.EqualFold(c.Qualifier.Name.String(), t.shown) }) {
				columns++
			} else {
				others++
			}
		}
		return true, nil
	}, f.Exprs)
	return columns > 0 && others == 0
}

// selectPlaces looks at the clauses of one SELECT.
func selectPlaces(s *ast.Select) error {
	if err := calls(windowOnly, s.From, s.Where, s.GroupBy, s.Having); err != nil {
		return err
	}
	if err := calls(aggregateNowhere, s.GroupBy); err != nil {
		return err
	}
	windows, err := namedWindows(s.Window)
	if err != nil {
		return err
	}
	return calls(func(f *ast.FuncExpr) error { return callPlaces(f, windows) }, s.SelectExprs, s.OrderBy, s.Having)
}

// callPlaces looks at an aggregate or window function of a SELECT's list or order; windows are
// those of its WINDOW.
func callPlaces(f *ast.FuncExpr, windows map[string]*ast.WindowDef) error {
	switch {
	case f.Over == nil && f.IsAggregate():
		return nowhere(f.Exprs)
	case f.Over == nil:
		return nil
	case f.Distinct:
		return NewError(1235, "This version of MySQL doesn't yet support '<window function>(DISTINCT ..)'")
	}
	if err := calls(windowOnly, f.Exprs); err != nil {
		return err
	}
	return checkWindow((*ast.WindowDef)(f.Over), windows)
}

// nowhere refuses aggregates and window functions in nodes, but for those of subqueries.
func nowhere(nodes ...ast.SQLNode) error {
	return calls(func(f *ast.FuncExpr) error {
		if err := windowOnly(f); err != nil {
			return err
		}
		return aggregateNowhere(f)
	}, nodes...)
}

func windowOnly(f *ast.FuncExpr) error {
	if f.Over != nil {
		return NewError(3593, "You cannot use the window function '%s' in this context.'", f.Name.Lowered())
	}
	return nil
}

func aggregateNowhere(f *ast.FuncExpr) error {
	if f.IsAggregate() && f.Over == nil {
		return NewError(1111, "Invalid use of group function")
	}
	return nil
}

// calls visits the calls of functions in nodes, but for those of subqueries.
func calls(visit func(*ast.FuncExpr) error, nodes ...ast.SQLNode) error {
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery, *ast.ParenSelect:
			return false, nil
		case *ast.FuncExpr:
			return true, visit(n)
		}
		return true, nil
	}, nodes...)
}
