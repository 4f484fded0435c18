package temporal

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/expr/operand"
)

// lastDay is TO_DAYS('9999-12-31').
const lastDay = 3652424

// FromDays is FROM_DAYS. go-mysql-server knows no days of the year 0.
type FromDays struct{ operand.One }

var _ sql.FunctionExpression = (*FromDays)(nil)
var _ sql.CollationCoercible = (*FromDays)(nil)

func init() {
	operand.Register(sql.Function1{Name: "from_days", Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &FromDays{operand.Over(e)} }})
}

// FunctionName implements sql.FunctionExpression.
func (*FromDays) FunctionName() string { return "from_days" }

// Description implements sql.FunctionExpression.
func (*FromDays) Description() string {
	return "returns the date of a number of days since the year 0."
}

func (f *FromDays) String() string { return "from_days(" + f.Child.String() + ")" }

// Type implements sql.Expression.
func (*FromDays) Type(*sql.Context) sql.Type { return types.Date }

// IsNullable implements sql.Expression.
func (*FromDays) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (f *FromDays) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(f, children)
}

// Eval implements sql.Expression. The year 0 has 365 days for MySQL.
func (f *FromDays) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	x, null, err := operand.NumberAt(ctx, f.Child, row)
	if err != nil || null {
		return nil, err
	}
	n, large, ok := x.AsInteger()
	if large || !ok || n < 1 || n > lastDay {
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 6527, Message: "DATE value is out of range in 'from_days(" + numbers.Shown(f.Child) + ")'"})
		return nil, nil
	}
	if n > 365 {
		return time.Date(1, 1, int(n)-365, 0, 0, 0, 0, time.UTC), nil
	}
	_, month, day := time.Date(1, 1, int(n), 0, 0, 0, 0, time.UTC).Date()
	return time.Date(0, month, day, 0, 0, 0, 0, time.UTC), nil
}
