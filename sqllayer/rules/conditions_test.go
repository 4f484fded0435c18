package rules

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/stretchr/testify/require"
)

// TestBundles binds the conditions of a filter over columns of two tables, and of both: few are
// left, none is lost, and they are what they were once they are loose.
func TestBundles(t *testing.T) {
	ctx := sql.NewEmptyContext()
	field := func(table int) sql.Expression {
		return expression.NewGetFieldWithTable(table, table, types.Int64, "d", "t", "c", false)
	}
	conditions := func(n int) (all []sql.Expression) {
		for i := range n {
			left, right := field(1+i%2), sql.Expression(expression.NewLiteral(int64(i), types.Int64))
			if i%3 == 0 {
				left, right = field(1), field(2)
			}
			all = append(all, expression.NewLessThan(left, right))
		}
		return all
	}
	for n, left := range map[int]int{mostConditions: mostConditions, mostConditions + 1: 3, 5000: 3} {
		all := conditions(n)
		out, _, err := transform.Node(ctx, plan.NewFilter(ctx, balanced(all), plan.NewResolvedDualTable()), bindConditions)
		require.NoError(t, err)
		require.Len(t, conjuncts(out.(*plan.Filter).Expression), left)
		out, _, err = transform.NodeExprs(ctx, out, looseConditions)
		require.NoError(t, err)
		require.ElementsMatch(t, all, conjuncts(out.(*plan.Filter).Expression))
	}
}
