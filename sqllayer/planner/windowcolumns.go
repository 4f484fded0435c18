package planner

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// windowColumnsRule is the id of windowColumns: no rule of GMS has it.
const windowColumnsRule = uniqueNamesRule + 2

// windowColumns gives the subqueries beside window functions the columns that they take from the
// query around: SELECT id, RANK() OVER (...), (SELECT ... WHERE x.grp = t.grp) FROM t. GMS hands on
// only what the list itself names.
func windowColumns(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.SubqueryIsSet() {
		return n, transform.SameTree, nil
	}
	return windowColumnsOf(ctx, n)
}

// windowColumnsOf is windowColumns for a statement, and for its queries.
func windowColumnsOf(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	n, sameQueries, err := transform.NodeExprsWithOpaque(ctx, n, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		q, ok := e.(*plan.Subquery)
		if !ok {
			return e, transform.SameTree, nil
		}
		query, same, err := windowColumnsOf(ctx, q.Query)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return q.WithQuery(query), transform.NewTree, nil
	})
	if err != nil {
		return nil, transform.SameTree, err
	}
	n, same, err := transform.NodeWithOpaque(ctx, n, handOn)
	return n, sameQueries && same, err
}

// handOn gives a projection whose subqueries take columns through a window those columns. The rows
// of an INSERT are no child of it.
func handOn(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	if into, ok := n.(*plan.InsertInto); ok {
		source, same, err := windowColumnsOf(ctx, into.Source)
		if err != nil || same {
			return n, transform.SameTree, err
		}
		return into.WithSource(source), transform.NewTree, nil
	}
	above, ok := n.(*plan.Project)
	if !ok {
		return n, transform.SameTree, nil
	}
	taken := takenBySubqueries(ctx, above.Projections)
	if len(taken) == 0 {
		return n, transform.SameTree, nil
	}
	below, same := withColumns(ctx, above.Child, taken)
	if same {
		return n, transform.SameTree, nil
	}
	out, err := above.WithChildren(ctx, below)
	return out, transform.NewTree, err
}

// takenBySubqueries are the columns of the query around that subqueries in exprs read.
func takenBySubqueries(ctx *sql.Context, exprs []sql.Expression) (taken []*expression.GetField) {
	for _, e := range exprs {
		transform.InspectExpr(ctx, e, func(ctx *sql.Context, e sql.Expression) bool {
			if q, ok := e.(*plan.Subquery); ok {
				taken = append(taken, fieldsOf(ctx, q)...)
			}
			return false
		})
	}
	return taken
}

// fieldsOf are the columns that a subquery takes from around.
func fieldsOf(ctx *sql.Context, q *plan.Subquery) (fields []*expression.GetField) {
	around, seen := q.Correlated(), sql.ColSet{}
	if around.Empty() {
		return nil
	}
	transform.InspectExpressions(ctx, q.Query, func(ctx *sql.Context, e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			if around.Contains(e.Id()) && !seen.Contains(e.Id()) {
				seen.Add(e.Id())
				fields = append(fields, e)
			}
		case *plan.Subquery:
			fields = append(fields, fieldsOf(ctx, e)...)
		}
		return true
	})
	return fields
}

// withColumns adds the columns to a window, and to the projections over it.
func withColumns(ctx *sql.Context, n sql.Node, taken []*expression.GetField) (sql.Node, bool) {
	switch t := n.(type) {
	case *plan.Window:
		list, same := lacking(t.SelectExprs, taken, columnsBelow(t.Child))
		if same {
			return n, true
		}
		return plan.NewWindow(list, t.Child), false
	case *plan.Project:
		below, sameBelow := withColumns(ctx, t.Child, taken)
		if sameBelow && !overWindow(below) {
			return n, true
		}
		list, same := lacking(t.Projections, taken, columnsBelow(below))
		if same && sameBelow {
			return n, true
		}
		return plan.NewProject(ctx, list, below), false
	case *plan.Sort, *plan.Filter, *plan.Having, *plan.Limit, *plan.Offset:
		below, same := withColumns(ctx, n.Children()[0], taken)
		if same {
			return n, true
		}
		out, err := n.WithChildren(ctx, below)
		return out, err != nil
	}
	return n, true
}

// overWindow tells whether a node's rows are those of a window. The window may have the columns that
// a projection over it lacks: two projections over it have the same subqueries.
func overWindow(n sql.Node) bool {
	switch n.(type) {
	case *plan.Window:
		return true
	case *plan.Project, *plan.Sort, *plan.Filter, *plan.Having, *plan.Limit, *plan.Offset:
		return overWindow(n.Children()[0])
	}
	return false
}

// columnsBelow are the columns of the tables below a node that its rows have: groups have none.
func columnsBelow(n sql.Node) (columns sql.ColSet) {
	transform.Inspect(n, func(n sql.Node) bool {
		if _, groups := n.(*plan.GroupBy); groups {
			return false
		}
		if t, ok := n.(plan.TableIdNode); ok {
			columns = columns.Union(t.Columns())
		}
		return true
	})
	return columns
}

// lacking adds to a list the columns that it lacks and that are there.
func lacking(list []sql.Expression, taken []*expression.GetField, there sql.ColSet) (out []sql.Expression, same bool) {
	has := sql.ColSet{}
	for _, e := range list {
		if f, ok := e.(*expression.GetField); ok {
			has.Add(f.Id())
		}
	}
	out, same = append(out, list...), true
	for _, f := range taken {
		if there.Contains(f.Id()) && !has.Contains(f.Id()) {
			has.Add(f.Id())
			out, same = append(out, f), false
		}
	}
	return out, same
}
