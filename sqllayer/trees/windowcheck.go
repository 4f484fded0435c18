package trees

import (
	"context"
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// PlacesOfCalls refuses aggregates and window functions where MySQL has no place for them. GMS's
// planner answers wrongly there, fails, or never ends.
func PlacesOfCalls(ctx context.Context, stmt ast.Statement) error {
	if err := conditionPlaces(ctx, stmt, false); err != nil {
		return err
	}
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		switch n := n.(type) {
		case *ast.With:
			return true, uniqueExpressions(n)
		case *ast.Select:
			return true, selectPlaces(n)
		case *ast.Update:
			return true, tabledef.Nowhere(n.Exprs, n.Where)
		case *ast.Delete:
			return true, tabledef.Nowhere(n.Where)
		case *ast.Insert:
			if _, query := n.Rows.(ast.SelectStatement); !query {
				return true, tabledef.Nowhere(n.Rows)
			}
		}
		return true, nil
	}, stmt)
}

// conditionPlaces refuses aggregates in the WHERE of queries under a node. around: the query that
// the node is a part of may aggregate there, so that an aggregate may be one of that query's,
// unless its columns are said to be of the tables beside the WHERE.
func conditionPlaces(ctx context.Context, node ast.SQLNode, around bool) error {
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		s, ok := n.(*ast.Select)
		if !ok {
			return true, ctx.Err()
		}
		err := tabledef.Calls(func(f *ast.FuncExpr) error {
			if around && !aggregatesOver(f, TablesOf(s.From)) {
				return nil
			}
			return tabledef.AggregateNowhere(f)
		}, s.Where)
		for _, part := range []ast.SQLNode{s.With, s.From} {
			if err == nil {
				err = conditionPlaces(ctx, part, false)
			}
		}
		if err == nil && s.Where != nil {
			err = conditionPlaces(ctx, s.Where.Expr, around)
		}
		for _, part := range []ast.SQLNode{s.SelectExprs, s.GroupBy, s.Having, s.OrderBy} {
			if err == nil {
				err = conditionPlaces(ctx, part, true)
			}
		}
		return false, err
	}, node)
}

// aggregatesOver tells whether a call has columns, all of which are said to be of these tables.
func aggregatesOver(f *ast.FuncExpr, tables []Target) bool {
	columns, others := 0, 0
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.ColName); ok {
			if slices.ContainsFunc(tables, func(t Target) bool { return strings.EqualFold(c.Qualifier.Name.String(), t.Shown) }) {
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
	if err := tabledef.Calls(tabledef.WindowOnly, s.From, s.Where, s.GroupBy, s.Having); err != nil {
		return err
	}
	if err := tabledef.Calls(tabledef.AggregateNowhere, s.GroupBy); err != nil {
		return err
	}
	windows, err := namedWindows(s.Window)
	if err != nil {
		return err
	}
	return tabledef.Calls(func(f *ast.FuncExpr) error { return callPlaces(f, windows) }, s.SelectExprs, s.OrderBy, s.Having)
}

// callPlaces looks at an aggregate or window function of a SELECT's list or order; windows are
// those of its WINDOW.
func callPlaces(f *ast.FuncExpr, windows map[string]*ast.WindowDef) error {
	switch {
	case f.Over == nil && f.IsAggregate():
		return tabledef.Nowhere(f.Exprs)
	case f.Over == nil:
		return nil
	case f.Distinct:
		return sqlerr.NewError(1235, "This version of MySQL doesn't yet support '<window function>(DISTINCT ..)'")
	}
	if err := tabledef.Calls(tabledef.WindowOnly, f.Exprs); err != nil {
		return err
	}
	return checkWindow((*ast.WindowDef)(f.Over), windows)
}
