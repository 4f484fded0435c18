package rules

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// GuardSorts keeps GMS's rule that leaves out a sort whose order an index has from joins whose
// order it mistakes:
//   - Of a table with itself. The rule goes by the names of tables, not by their aliases: ORDER BY
//     e.id was left out where a join of employees e and their managers m went along m.id.
//   - Along an index of either side where rows of the left one alone have NULLs on the right: they
//     come where their left columns belong.
func GuardSorts(a *analyzer.Analyzer) error { return Wrap(a, "replaceIdxSort", unlessMistaken) }

func unlessMistaken(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
		sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if mistaken(n) {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}

// mistaken tells whether n has such a join.
func mistaken(n sql.Node) (found bool) {
	transform.Inspect(n, func(n sql.Node) bool {
		if j, ok := n.(*plan.JoinNode); ok {
			found = found || j.JoinType() == plan.JoinTypeLeftOuterMerge || readsTwice(j)
		}
		return !found
	})
	return found
}

// readsTwice tells whether n reads tables of one name twice. Databases do not count: the rule does
// not know them.
func readsTwice(n sql.Node) (found bool) {
	names := map[string]bool{}
	transform.Inspect(n, func(n sql.Node) bool {
		t, ok := n.(sql.TableNode)
		if !ok {
			return true
		}
		name := strings.ToLower(t.UnderlyingTable().Name())
		found = found || names[name]
		names[name] = true
		return false // the table under an index access is not another one
	})
	return found
}
