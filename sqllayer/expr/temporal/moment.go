package temporal

import (
	"cmp"
	"fmt"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer/expr/operand"
)

// Latest is LEAST and GREATEST of dates and times. A TIME beside dates is one of today; texts and
// numbers beside dates are read as dates, and the result is a text.
type Latest struct {
	operand.Many
	name    string
	as      sql.Type // what is compared: TIME, DATE or DATETIME
	written bool     // the result is a text
}

var _ sql.FunctionExpression = (*Latest)(nil)
var _ sql.CollationCoercible = (*Latest)(nil)

func NewLatest(ctx *sql.Context, name string, args []sql.Expression) *Latest {
	l := &Latest{Many: operand.OverMany(args), name: name, as: types.Date}
	moments, clocks, precision := false, false, 0
	for _, e := range args {
		t := e.Type(ctx)
		switch operand.ArgumentOf(t) {
		case operand.ClockArgument:
			clocks = true
		case operand.MomentArgument:
			moments = true
			if d, ok := t.(sql.DatetimeType); ok && !types.IsDateType(t) {
				precision = max(precision, d.Precision())
				l.as = types.Datetime
			}
		case operand.NullArgument:
		default:
			l.written = true
		}
	}
	switch {
	case l.as == types.Datetime:
		l.as = types.MustCreateDatetimeType(sqltypes.Datetime, precision)
	case !moments:
		l.as = types.Time
	case clocks && !l.written:
		l.as = types.Datetime
	}
	return l
}

// FunctionName implements sql.FunctionExpression.
func (l *Latest) FunctionName() string { return l.name }

// Operator tells the calls of one type apart, see operand.Operated.
func (l *Latest) Operator() string { return l.name }

// Description implements sql.FunctionExpression.
func (l *Latest) Description() string { return "the " + l.name + " of dates and times" }

func (l *Latest) String() string { return l.name + expression.Tuple(l.ChildExpressions).String() }

// CollationCoercibility implements sql.CollationCoercible.
func (l *Latest) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if l.written {
		return ctx.GetCollation(), 4
	}
	return sql.Collation_binary, 5
}

// WithChildren implements sql.Expression.
func (l *Latest) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(l, children)
}

// Type implements sql.Expression.
func (l *Latest) Type(*sql.Context) sql.Type {
	if l.written {
		return types.LongText
	}
	return l.as
}

// Eval implements sql.Expression. What is no date leaves a warning and is not compared.
func (l *Latest) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	var best any
	for _, e := range l.ChildExpressions {
		v, err := e.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		if v, err = l.read(ctx, e, v); err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		n := -1
		if best != nil {
			if n, err = l.compare(ctx, v, best); err != nil {
				return nil, err
			}
		}
		if best == nil || l.name == "least" && n < 0 || l.name == "greatest" && n > 0 {
			best = v
		}
	}
	if best == nil || !l.written {
		return best, nil
	}
	if at, ok := best.(time.Time); ok {
		digits := 0
		if d, ok := l.as.(sql.DatetimeType); ok {
			digits = d.Precision()
		}
		return operand.ShownMoment(at, types.IsDateType(l.as), digits), nil
	}
	out, err := l.as.SQL(ctx, nil, best)
	return out.ToString(), err
}

// compare compares two values of the common type.
func (l *Latest) compare(ctx *sql.Context, a, b any) (int, error) {
	x, okX := a.(time.Time)
	y, okY := b.(time.Time)
	if okX && okY {
		return cmp.Compare(operand.Packed(x), operand.Packed(y)), nil
	}
	return l.as.Compare(ctx, a, b)
}

// read brings a value to the type that is compared, nil for what is none.
func (l *Latest) read(ctx *sql.Context, e sql.Expression, v any) (any, error) {
	if span, ok := v.(types.Timespan); ok && l.as != types.Time {
		v = operand.OnToday(ctx, span)
	}
	if types.IsInteger(e.Type(ctx)) { // such as 20240131
		if n, _, err := types.Int64.Convert(ctx, v); err == nil && n.(int64) >= 0 {
			v = fmt.Sprintf("%04d-%02d-%02d", n.(int64)/10000, n.(int64)/100%100, n.(int64)%100)
		}
	}
	if at, ok := v.(time.Time); ok && operand.Unreal(at) {
		if at, ok = operand.RoundUnreal(l.as, at); ok {
			return at, nil
		}
	}
	out, _, err := l.as.Convert(ctx, v)
	if err != nil || out == nil {
		text, err := e.Type(ctx).SQL(ctx, nil, v)
		ctx.Warn(1292, "%s", fmt.Sprintf("Truncated incorrect date value: '%s'", text.ToString()))
		return nil, err
	}
	return out, nil
}
