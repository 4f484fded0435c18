package temporal

import (
	"math"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// fromUnix is FROM_UNIXTIME(seconds).
type fromUnix struct{ operand.One }

var _ sql.Expression = (*fromUnix)(nil)

func (f *fromUnix) String() string { return "from_unixtime(" + f.Child.String() + ")" }

// Type implements sql.Expression.
func (f *fromUnix) Type(ctx *sql.Context) sql.Type {
	return types.MustCreateDatetimeType(types.Datetime.Type(), secondDigits(ctx, f.Child, true))
}

// IsNullable implements sql.Expression.
func (*fromUnix) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (f *fromUnix) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(f, children)
}

// Eval implements sql.Expression.
func (f *fromUnix) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := f.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	at, ok := unixMoment(ctx, v)
	if !ok {
		return nil, nil
	}
	return at, nil
}

// unixTime is the moment so many seconds after the start of 1970, in the zone of the session.
func unixTime(ctx *sql.Context, v any) (calendar, bool) {
	at, ok := unixMoment(ctx, v)
	return calendarOf(at), ok
}

func unixMoment(ctx *sql.Context, v any) (at time.Time, ok bool) {
	n, null, err := operand.NumberOf(ctx, v, types.Text)
	if null || err != nil {
		return at, false
	}
	whole, fraction := math.Modf(n.AsFloat())
	if n.AsFloat() < 0 || whole > function.MaxUnixTimeSecs {
		return at, false
	}
	zone, err := function.SessionTimeZone(ctx)
	if err != nil {
		return at, false
	}
	at, _ = sql.ConvertTimeZone(time.Unix(int64(whole), int64(math.Round(fraction*1e6))*1000).UTC(), "UTC", zone)
	return at, true
}
