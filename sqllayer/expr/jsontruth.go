package expr

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/compare"
	"emberdb/sqllayer/expr/operand"
)

const warnJSONTruth = 3986

// A document that is a condition holds unless it is the number 0. Where IF and CASE ask for its truth,
// it is a double. A date or time holds unless its number is 0.

// Condition is a condition of a type that go-mysql-server knows the truth of; nil: e is one already.
func Condition(ctx *sql.Context, e sql.Expression) sql.Expression {
	if e == nil || !e.Resolved() {
		return nil
	}
	if t := e.Type(ctx); types.IsTime(t) || types.IsTimespan(t) {
		return &operand.Truth{One: operand.Over(e)}
	} else if !types.IsJSON(t) {
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
