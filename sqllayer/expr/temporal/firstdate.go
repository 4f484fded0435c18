package temporal

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// firstDate is COALESCE of dates with and without times of day, which is a DATETIME with the digits
// of all. go-mysql-server makes a text of it.
type firstDate struct {
	operand.Many
	as sql.Type
}

var _ sql.FunctionExpression = (*firstDate)(nil)

// FirstDate is COALESCE of dates; nil if not all of them are.
func FirstDate(ctx *sql.Context, args []sql.Expression) sql.Expression {
	digits, date, moment := 0, false, false
	for _, e := range args {
		if !e.Resolved() {
			return nil
		}
		d, ok := e.Type(ctx).(sql.DatetimeType)
		if !ok || !types.IsTime(d) {
			return nil
		}
		if types.IsDateType(d) {
			date = true
			continue
		}
		moment, digits = true, max(digits, d.Precision())
	}
	if !date || !moment {
		return nil
	}
	return &firstDate{operand.OverMany(args), types.MustCreateDatetimeType(types.Datetime.Type(), digits)}
}

// FunctionName implements sql.FunctionExpression.
func (*firstDate) FunctionName() string { return "coalesce" }

// Description implements sql.FunctionExpression.
func (*firstDate) Description() string { return "the first date that is not NULL" }

func (f *firstDate) String() string {
	return "coalesce" + expression.Tuple(f.ChildExpressions).String()
}

// Type implements sql.Expression.
func (f *firstDate) Type(*sql.Context) sql.Type { return f.as }

// WithChildren implements sql.Expression.
func (f *firstDate) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(f, children)
}

// Eval implements sql.Expression.
func (f *firstDate) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	for _, e := range f.ChildExpressions {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		if at, ok := v.(time.Time); ok {
			return at, nil
		}
		v, _, err = f.as.Convert(ctx, v)
		return v, err
	}
	return nil, nil
}
