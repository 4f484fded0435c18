package run

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer/store"
)

// givenRows lets the values of an INSERT read those further left in their rows, where they name
// columns of the target.
func givenRows(ctx *sql.Context, n *plan.InsertInto) (sql.Node, error) {
	schema := n.Destination.Schema(ctx)
	source, _, err := transform.Node(ctx, n.Source, func(ctx *sql.Context, below sql.Node) (sql.Node, transform.TreeIdentity, error) {
		v, ok := below.(*plan.Values)
		if !ok || !slices.ContainsFunc(v.ExpressionTuples, func(row []sql.Expression) bool { return namesGiven(ctx, row) }) {
			return below, transform.SameTree, nil
		}
		made := *v
		made.ExpressionTuples = slices.Clone(v.ExpressionTuples)
		for i, row := range made.ExpressionTuples {
			if !namesGiven(ctx, row) {
				continue
			}
			tied, err := tiedRow(ctx, n.ColumnNames, schema, row)
			if err != nil {
				return nil, transform.SameTree, err
			}
			made.ExpressionTuples[i] = tied
		}
		return &made, transform.NewTree, nil
	})
	return source, err
}

func namesGiven(ctx *sql.Context, row []sql.Expression) bool {
	return slices.ContainsFunc(row, func(e sql.Expression) bool {
		return transform.InspectExpr(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
			_, ok := e.(*store.GivenColumn)
			return ok
		})
	})
}

// tiedRow ties the values of a row to each other. A DEFAULT stays as it is: GMS looks for it.
func tiedRow(ctx *sql.Context, names []string, schema sql.Schema, row []sql.Expression) ([]sql.Expression, error) {
	given, out := store.NewGivenRow(ctx, schema), slices.Clone(row)
	for i, e := range row {
		tied, _, err := transform.Expr(ctx, e, func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			if c, ok := e.(*store.GivenColumn); ok {
				return given.Of(c), transform.NewTree, nil
			}
			return e, transform.SameTree, nil
		})
		if err != nil {
			return nil, err
		}
		_, isDefault := e.(*expression.Wrapper)
		if at := schema.IndexOfColName(names[i]); at >= 0 && !isDefault {
			tied = given.Keeping(tied, at)
		}
		out[i] = tied
	}
	return out, nil
}
