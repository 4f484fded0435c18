package trees

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer/expr"
)

// Grouped are the expressions of a SELECT of groups.
type Grouped struct {
	Calls    []sql.Aggregation // functions over the rows of a group
	Keys     []sql.Expression  // of GROUP BY
	List     []sql.Expression  // in which field first+i without a table is Calls[i]
	Literals map[string]sql.Expression
}

// AsRun makes of expressions what is made of them before a plan is run.
func AsRun(ctx *sql.Context, planned []sql.Expression) (exprs []sql.Expression, err error) {
	for _, e := range planned {
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		if e, _, err = transform.Expr(ctx, e, splitBetween); err == nil {
			e, _, err = transform.Expr(ctx, e, expr.Mend)
		}
		if err != nil {
			return nil, err
		}
		exprs = append(exprs, e)
	}
	return exprs, nil
}

// splitBetween makes of BETWEEN what GMS's analyzer makes of it.
func splitBetween(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	b, ok := e.(*expression.Between)
	if !ok {
		return e, transform.SameTree, nil
	}
	return expression.NewAnd(expression.NewGreaterThanOrEqual(b.Val, b.Lower), expression.NewLessThanOrEqual(b.Val, b.Upper)), transform.NewTree, nil
}
