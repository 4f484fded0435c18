package trees

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer/rules"
	"emberdb/sqllayer/sqlerr"
)

// CheckDistincts checks all parts of a statement but those whose order MySQL does not keep: parts
// of a UNION and subqueries of expressions, unless LIMIT needs it.
func CheckDistincts(ctx *sql.Context, n sql.Node, kept bool) (err error) {
	switch n := n.(type) {
	case *plan.CreateView:
		return nil // it is refused to those who read it
	case *plan.SetOp:
		kept = false
	case *plan.Limit:
		kept = true
	case *plan.SubqueryAlias:
		kept = !strings.HasPrefix(n.Name(), "\x00") // else it was written for the subquery of an expression
	case *plan.Distinct:
		if kept {
			err = checkOrder(ctx, n)
		}
	}
	if e, ok := n.(sql.Expressioner); ok {
		for _, e := range e.Expressions() {
			sql.Inspect(ctx, e, func(ctx *sql.Context, e sql.Expression) bool {
				if s, ok := e.(*plan.Subquery); ok && err == nil {
					err = CheckDistincts(ctx, s.Query, false)
				}
				_, exists := e.(*plan.ExistsSubquery)
				return !exists
			})
		}
	}
	for _, child := range n.Children() {
		if err == nil {
			err = CheckDistincts(ctx, child, kept)
		}
	}
	return err
}

// checkOrder looks at the ORDER BY of a SELECT DISTINCT. GMS has put it above DISTINCT where it
// can.
func checkOrder(ctx *sql.Context, n *plan.Distinct) error {
	list, ok := n.Child.(*plan.Project)
	if !ok {
		return nil
	}
	sort, ok := list.Child.(*plan.Sort)
	if !ok {
		return nil
	}
	given, groups := distinctList{list}, groupsBelow(sort)
	if groups != nil && given.hasAll(groups.GroupByExprs) {
		return nil // no two groups give the same row
	}
	for i, c := range sort.SortConditions {
		if given.has(c.Expr) {
			continue
		}
		if err := given.refuse(ctx, i+1, c.Expr, groups != nil); err != nil {
			return err
		}
	}
	return nil
}

// groupsBelow is the grouping of the SELECT whose ORDER BY is given; nil if it has none.
func groupsBelow(n sql.Node) *plan.GroupBy {
	for {
		switch below := n.(type) {
		case *plan.GroupBy:
			return below
		case *plan.Sort, *plan.Having, *plan.Project:
			n = n.Children()[0]
		default:
			return nil
		}
	}
}

// distinctList is what a SELECT DISTINCT gives.
type distinctList struct{ *plan.Project }

// has tells whether an expression is one of the list, or names one.
func (l distinctList) has(e sql.Expression) bool {
	if l.names(e) {
		return true
	}
	text := unaliased(e).String()
	for _, given := range l.Projections {
		if strings.EqualFold(unaliased(given).String(), text) {
			return true
		}
	}
	return false
}

// names tells whether an expression is the alias of one of the list.
func (l distinctList) names(e sql.Expression) bool {
	f, ok := e.(*expression.GetField)
	if !ok {
		return false
	}
	for _, given := range l.Projections {
		if a, ok := given.(*expression.Alias); ok && a.Id() == f.Id() {
			return true
		}
	}
	return false
}

func (l distinctList) hasAll(list []sql.Expression) bool {
	for _, e := range list {
		if !l.has(e) {
			return false
		}
	}
	return true
}

func unaliased(e sql.Expression) sql.Expression {
	if a, ok := e.(*expression.Alias); ok {
		return a.Child
	}
	return e
}

// refuse is the error of an expression of ORDER BY that is none of the list; nil if all its columns
// are, or their aliases, and it has no aggregate. Aggregates are columns of no table by now.
func (l distinctList) refuse(ctx *sql.Context, place int, e sql.Expression, grouped bool) (err error) {
	sql.Inspect(ctx, e, func(ctx *sql.Context, e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.Alias:
			return false
		case *plan.Subquery:
			if err == nil {
				err = l.refuse(ctx, place, rules.UsedColumns(ctx, e), grouped)
			}
		case *expression.GetField:
			switch {
			case err != nil || l.names(e):
			case e.Table() != "" && !l.has(e):
				err = sqlerr.NewError(3065, "Expression #%d of ORDER BY clause is not in SELECT list, references column '%s' which is not in SELECT list; this is incompatible with DISTINCT", place, l.written(e))
			case e.Table() == "" && grouped:
				err = sqlerr.NewError(3066, "Expression #%d of ORDER BY clause is not in SELECT list, contains aggregate function; this is incompatible with DISTINCT", place)
			}
		}
		return true
	})
	return err
}

// written is the full name of a column in errors: derived tables have no database.
func (l distinctList) written(f *expression.GetField) string {
	name := f.Database() + "." + f.Table()
	transform.Inspect(l.Project, func(n sql.Node) bool {
		t, ok := n.(plan.TableIdNode)
		if !ok || !strings.EqualFold(t.Name(), f.Table()) {
			return true
		}
		if _, derived := n.(*plan.SubqueryAlias); derived {
			name = t.Name()
		} else {
			name = f.Database() + "." + t.Name()
		}
		return false
	})
	return name + "." + f.Name()
}
