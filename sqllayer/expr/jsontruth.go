package expr

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/compare"
)

const warnJSONTruth = 3986

// A document that is a condition holds unless it is the number 0. Where IF and CASE ask for its truth,
// it is a double.

// Condition is a condition that is no document; nil: e is none already.
func Condition(ctx *sql.Context, e sql.Expression) sql.Expression {
	if e == nil || !e.Resolved() || !types.IsJSON(e.Type(ctx)) {
		return nil
	}
	ctx.Warn(warnJSONTruth, "Evaluating a JSON value in SQL boolean context does an implicit comparison against JSON integer 0; if this is not what you want, consider converting JSON to a SQL numeric type with JSON_VALUE RETURNING")
	zero := expression.NewLiteral(int64(0), types.Int64)
	equal := compare.NewComparison(ctx, "=", e, zero)
	if equal == nil {
		equal = expression.NewEquals(e, zero)
	}
	return expression.NewNot(equal)
}

// asDouble converts a document to a number; nil: e is none.
func asDouble(ctx *sql.Context, e sql.Expression) sql.Expression {
	if !e.Resolved() || !types.IsJSON(e.Type(ctx)) {
		return nil
	}
	return expression.NewConvert(e, expression.ConvertToDouble)
}

// mendTruth gives an operation operands that are conditions, the first of them at least; nil: they are.
func mendTruth(ctx *sql.Context, e sql.Expression, asked int, as func(*sql.Context, sql.Expression) sql.Expression) (sql.Expression, error) {
	own, changed := append([]sql.Expression(nil), e.Children()...), false
	for i := range asked {
		if cond := as(ctx, own[i]); cond != nil {
			own[i], changed = cond, true
		}
	}
	if !changed {
		return nil, nil
	}
	return e.WithChildren(ctx, own...)
}
