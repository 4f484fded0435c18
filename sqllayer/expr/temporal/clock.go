package temporal

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer/expr/operand"
)

// Clock is a TIMESTAMP taken for the DATETIME that the session's clock shows, which is what its
// values are here. UNIX_TIMESTAMP reads it as such; of a TIMESTAMP the library's would take it for
// a time in UTC.
type Clock struct{ operand.One }

var _ sql.Expression = (*Clock)(nil)
var _ sql.CollationCoercible = (*Clock)(nil)

func init() {
	operand.Register(sql.FunctionN{Name: "unix_timestamp", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) == 1 && args[0].Resolved() && types.IsTimestampType(args[0].Type(ctx)) {
			args = []sql.Expression{&Clock{operand.Over(args[0])}}
		} else if len(args) == 1 && args[0].Resolved() && types.IsNumber(args[0].Type(ctx)) {
			date := &dated{Like: operand.LikeOf(args[0]), what: WantsMoment, take: takesMode, zeros: true}
			args = []sql.Expression{&timestamp{Many: operand.OverMany([]sql.Expression{date}), zeros: true}}
		} else if len(args) == 1 && (hasSubquery(args[0]) || isUserVar(args[0])) {
			args = []sql.Expression{&Asked{operand.Over(args[0])}}
		}
		return function.NewUnixTimestamp(ctx, args...)
	}})
}

// Type implements sql.Expression.
func (c *Clock) Type(ctx *sql.Context) sql.Type { return ClockType(c.Child.Type(ctx)) }

// ClockType is the DATETIME of what the clock shows at the moments of a TIMESTAMP type.
func ClockType(t sql.Type) sql.Type {
	d, ok := t.(sql.DatetimeType)
	if !ok {
		return types.DatetimeMaxPrecision
	}
	return types.MustCreateDatetimeType(sqltypes.Datetime, d.Precision())
}

// WithChildren implements sql.Expression.
func (c *Clock) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *Clock) Eval(ctx *sql.Context, row sql.Row) (any, error) { return c.Child.Eval(ctx, row) }

// Asked is what a subquery gives, taken for a DATETIME. The library's UNIX_TIMESTAMP evaluates an
// argument that is none to learn its own type, and has no statement to do it with.
type Asked struct{ operand.One }

var _ sql.Expression = (*Asked)(nil)
var _ sql.CollationCoercible = (*Asked)(nil)

func hasSubquery(e sql.Expression) (found bool) {
	sql.Inspect(nil, e, func(_ *sql.Context, e sql.Expression) bool {
		_, ok := e.(*plan.Subquery)
		found = found || ok
		return !found
	})
	return found
}

// Type implements sql.Expression.
func (*Asked) Type(*sql.Context) sql.Type { return types.Datetime }

// WithChildren implements sql.Expression.
func (a *Asked) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(a, children)
}

// Eval implements sql.Expression.
func (a *Asked) Eval(ctx *sql.Context, row sql.Row) (any, error) { return a.Child.Eval(ctx, row) }

func isUserVar(e sql.Expression) bool {
	_, ok := e.(*expression.UserVar)
	return ok
}
