package sqllayer

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// placesOfCalls refuses aggregates and window functions where MySQL has no place for them. GMS's planner answers wrongly there, fails, or never ends.
func placesOfCalls(stmt ast.Statement) error {
	if s, ok := stmt.(*ast.Select); ok { // in the WHERE of a subquery, an aggregate may be one of the query around it
		if err := calls(aggregateNowhere, s.Where); err != nil {
			return err
		}
	}
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
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

// selectPlaces looks at the clauses of one SELECT.
func selectPlaces(s *ast.Select) error {
	if err := calls(windowOnly, s.From, s.Where, s.GroupBy, s.Having); err != nil {
		return err
	}
	if err := calls(aggregateNowhere, s.GroupBy); err != nil {
		return err
	}
	names := map[string]bool{}
	for _, w := range s.Window {
		names[w.Name.Lowered()] = true
	}
	return calls(func(f *ast.FuncExpr) error { return callPlaces(f, names) }, s.SelectExprs, s.OrderBy, s.Having)
}

// callPlaces looks at an aggregate or window function of a SELECT's list or order; names are those of its WINDOW.
func callPlaces(f *ast.FuncExpr, names map[string]bool) error {
	switch {
	case f.Over == nil && f.IsAggregate():
		return nowhere(f.Exprs)
	case f.Over == nil:
		return nil
	case f.Distinct:
		return NewError(1235, "This version of MySQL doesn't yet support '<window function>(DISTINCT ..)'")
	case !f.Over.NameRef.IsEmpty() && !names[f.Over.NameRef.Lowered()]:
		return NewError(3579, "Window name '%s' is not defined.", f.Over.NameRef.String())
	}
	if err := calls(windowOnly, f.Exprs); err != nil {
		return err
	}
	for _, e := range f.Over.OrderBy {
		if v, ok := e.Expr.(*ast.SQLVal); ok && v.Type == ast.IntVal {
			return NewError(3592, "Window '<unnamed window>': ORDER BY or PARTITION BY uses legacy position indication which is not supported, use expression.")
		}
	}
	return calls(func(f *ast.FuncExpr) error {
		if f.Over != nil {
			return NewError(3595, "You cannot nest a window function in the specification of window '<unnamed window>'.")
		}
		return nil
	}, f.Over.PartitionBy, f.Over.OrderBy)
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
