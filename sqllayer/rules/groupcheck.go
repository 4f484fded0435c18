package rules

import (
	"errors"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// MendGroupCheck lets subqueries stand beside GROUP BY under ONLY_FULL_GROUP_BY. GMS takes each for
// a column that no group has: SELECT a, AVG(b) > (SELECT AVG(b) FROM t) FROM t GROUP BY a.
// follow is asked of a query that GMS refuses: whether its columns follow from its groups.
func MendGroupCheck(a *analyzer.Analyzer, follow func(*sql.Context) bool) error {
	return Wrap(a, "validateGroupBy", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		rule = besideSubqueries(rule)
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
			sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			checked, same, err := rule(ctx, a, n, scope, sel, flags)
			if err != nil && follow(ctx) {
				return n, transform.SameTree, nil
			}
			return checked, same, err
		}
	})
}

// mended are the rules that were put into others. Some of GMS's lists belong to all analyzers of a
// process, and to parts of the analysis that no analyzer lists.
var mended = struct {
	sync.Mutex
	rules map[wrapped]bool
}{rules: make(map[wrapped]bool)}

// wrapped is a rule that was put into another one, and what for.
type wrapped struct {
	rule *analyzer.Rule
	why  string
}

// Wrap puts a rule of GMS's into another one, once.
func Wrap(a *analyzer.Analyzer, name string, around func(analyzer.RuleFunc) analyzer.RuleFunc) error {
	return WrapAgain(a, name, "", around)
}

// WrapAgain is Wrap for a rule that may be in another one already, once for each purpose.
func WrapAgain(a *analyzer.Analyzer, name, why string, around func(analyzer.RuleFunc) analyzer.RuleFunc) error {
	mended.Lock()
	defer mended.Unlock()
	r, err := Rule(a, name)
	if err != nil {
		return err
	}
	if at := (wrapped{r, why}); !mended.rules[at] {
		r.Apply, mended.rules[at] = around(r.Apply), true
	}
	return nil
}

// Rule is the analyzer's rule of a name.
func Rule(a *analyzer.Analyzer, name string) (*analyzer.Rule, error) {
	for _, batch := range a.Batches {
		for i := range batch.Rules {
			if r := &batch.Rules[i]; r.Id.String() == name {
				return r, nil
			}
		}
	}
	return nil, errors.New("the analyzer has no rule " + name)
}

// MendPruning keeps the columns of what a query gives. GMS counts those that nodes above a table
// name, and takes all others away, also where none is above: SELECT * FROM (SELECT * FROM t) x
// LIMIT 1.
func MendPruning(a *analyzer.Analyzer) error {
	return Wrap(a, "pruneTables", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
			sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			pruned, same, err := rule(ctx, a, n, scope, sel, flags)
			if err != nil || same || len(pruned.Schema(ctx)) == len(n.Schema(ctx)) {
				return pruned, same, err
			}
			return n, transform.SameTree, nil
		}
	})
}

// besideSubqueries asks the rule again for the columns of the query that the subqueries use, where
// it has refused.
func besideSubqueries(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
		sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		_, _, refused := rule(ctx, a, n, scope, sel, flags)
		if refused == nil {
			return n, transform.SameTree, nil
		}
		written, unaliased, err := orderWritten(ctx, n)
		if err != nil {
			return nil, transform.SameTree, err
		}
		without, same, err := transform.NodeExprsWithOpaque(ctx, written,
			func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
				if s, ok := e.(*plan.Subquery); ok {
					return UsedColumns(ctx, s), transform.NewTree, nil
				}
				return e, transform.SameTree, nil
			})
		if err != nil || same && unaliased {
			return nil, transform.SameTree, refused
		}
		_, _, refused = rule(ctx, a, without, scope, sel, flags)
		return n, transform.SameTree, refused
	}
}

// orderWritten writes the expressions where ORDER BY names aliases of the list. Above HAVING, the
// rule does not know what they stand for: SELECT a + 1 p FROM t GROUP BY a + 1 HAVING p > 2 ORDER
// BY p.
func orderWritten(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		sort, ok := n.(*plan.Sort)
		if !ok {
			return n, transform.SameTree, nil
		}
		having, ok := sort.Child.(*plan.Having)
		if !ok {
			return n, transform.SameTree, nil
		}
		list, ok := having.Child.(*plan.Project)
		if !ok {
			return n, transform.SameTree, nil
		}
		return transform.OneNodeExpressions(ctx, sort,
			func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
				if f, ok := e.(*expression.GetField); ok {
					for _, p := range list.Projections {
						if a, ok := p.(*expression.Alias); ok && a.Id() == f.Id() {
							return a.Child, transform.NewTree, nil
						}
					}
				}
				return e, transform.SameTree, nil
			})
	})
}

// UsedColumns is a tuple of the columns of other queries that a subquery reads.
func UsedColumns(ctx *sql.Context, s *plan.Subquery) sql.Expression {
	used, outer := []sql.Expression{expression.NewLiteral(int8(1), types.Int8)}, s.Correlated()
	transform.InspectExpressions(ctx, s.Query, func(_ *sql.Context, e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok && outer.Contains(f.Id()) {
			used = append(used, f)
		}
		return true
	})
	return expression.NewTuple(used...)
}
