package bind

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
)

// mayVary tells whether varying functions may stand here: in the statement's own block, and in a
// derived table of one row, which MySQL makes once.
func (b *binder) mayVary() bool {
	return !b.inView && (b.depth == 1 || b.depth == 2 && b.alone)
}

// assignedBy are the user variables that a query assigns; nil: none.
func assignedBy(q *ast.Query) (names map[string]bool) {
	ast.Inspect(q, func(n ast.Node) bool {
		if a, ok := n.(*ast.Assignment); ok {
			if names == nil {
				names = make(map[string]bool)
			}
			names[strings.ToLower(a.Var.Name.Name)] = true
		}
		return true
	})
	return names
}

// assigns refuses a query that assigns variables unless its rows come in the order in which MySQL
// computes them: those of one table, in its order or sorted before anything is selected.
func (b *binder) assigns(q *Query) error {
	if len(b.assigned) == 0 {
		return nil
	}
	for name := range b.assigned {
		q.Assigned = append(q.Assigned, name)
	}
	selected, all := 0, 0
	for i := range q.Items {
		selected += asOne(fn.ByRows(q.Items[i].Expr))
	}
	q.EachExpr(func(e fn.Expr) { all += asOne(fn.ByRows(e)) })
	if all > selected || q.Union != nil || q.Recursion != nil || q.Grouped || q.Distinct || len(q.Windows) > 0 || q.Offset > 0 || tablesOf(q.From) > 1 {
		return fn.Refuse(fn.ByVariable, "an assignment to rows whose order is not known")
	}
	return nil
}

func asOne(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// tablesOf counts what rows come from, but for derived tables without FROM.
func tablesOf(s Source) int {
	switch s := s.(type) {
	case nil:
		return 0
	case *Join:
		return tablesOf(s.L) + tablesOf(s.R)
	case *Derived:
		if s.Query.From == nil && s.Query.Union == nil && s.Query.Recursion == nil {
			return 0
		}
	}
	return 1
}

// vary refuses a block that asks for a varying call twice, or where the planner may ask more often
// than once for a row: in windows, joins and orders within groups. What is selected and what is
// ordered by is one place.
func (q *Query) vary() error {
	all, known := make(map[int]int), make(map[int]int)
	branches := false
	q.EachExpr(func(e fn.Expr) {
		fn.CallsOf(e, all)
		branches = branches || fn.Branches(e, false)
	})
	if q.Varies = len(all) > 0; !q.Varies {
		return nil
	}
	for i := range q.Groups {
		fn.CallsOf(q.Groups[i].Expr, known)
	}
	for _, a := range q.Aggs {
		if a.Arg != nil && !a.Distinct {
			fn.CallsOf(a.Arg, known)
		}
	}
	for _, e := range q.Having {
		fn.CallsOf(e, known)
	}
	for _, e := range q.Where {
		if yes, seeded := fn.Varies(e); yes && (seeded && len(q.Where) > 1 || holdsQuery(e)) {
			return fn.Refuse(fn.ByFunction, "a condition on a sequence of random numbers")
		}
		fn.CallsOf(e, known)
	}
	for i := range q.Items {
		fn.CallsOf(q.Items[i].Expr, known)
	}
	for i := range q.Order {
		if !among(q.Items, q.Order[i].Expr) {
			fn.CallsOf(q.Order[i].Expr, known)
		}
	}
	for n := range all {
		if known[n] != 1 || branches {
			return fn.Refuse(fn.ByFunction, "a value that is another one each time")
		}
	}
	return nil
}

func holdsQuery(e fn.Expr) (yes bool) {
	fn.Walk(e, func(x fn.Expr) bool {
		_, is := x.(*Subquery)
		yes = yes || is
		return !yes
	})
	return yes
}
