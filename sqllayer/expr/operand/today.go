package operand

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// OnToday is a TIME as the moment at that distance from the beginning of the session's day, as which
// it stands beside dates.
func OnToday(ctx *sql.Context, span types.Timespan) time.Time {
	now := ctx.QueryTime()
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC).Add(time.Duration(span) * time.Microsecond)
}

// Dated is a TIME as that moment. It belongs to no index over the column of the TIME.
type Dated struct{ One }

func (e *Dated) String() string { return e.Child.String() }

// Type implements sql.Expression.
func (*Dated) Type(*sql.Context) sql.Type { return types.DatetimeMaxPrecision }

// WithChildren implements sql.Expression.
func (e *Dated) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(e, children)
}

// Eval implements sql.Expression.
func (e *Dated) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := e.Child.Eval(ctx, row)
	if span, ok := v.(types.Timespan); ok && err == nil {
		return OnToday(ctx, span), nil
	}
	return v, err
}
