package expr

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// GetLock is GET_LOCK whose wait ends with its statement; go-mysql-server's lasts for its time,
// whatever becomes of the statement and its connection.
type GetLock struct{ *function.GetLock }

// longestPause is how long a wait takes to find that the lock is free.
const longestPause = 5 * time.Millisecond

// Eval implements sql.Expression.
func (g *GetLock) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	limit, err := g.RightChild.Eval(ctx, row)
	if err != nil || limit == nil {
		return nil, err
	}
	if limit, _, err = types.Int64.Convert(ctx, limit); err != nil {
		return nil, err
	}
	try, err := g.GetLock.WithChildren(ctx, g.LeftChild, expression.NewLiteral(int64(0), types.Int64))
	if err != nil {
		return nil, err
	}
	seconds := float64(limit.(int64)) // fewer than none: for ever
	start := time.Now()
	shown := false
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, longestPause) {
		got, err := try.Eval(ctx, row)
		if err != nil || got != int8(0) || seconds >= 0 && time.Since(start).Seconds() >= seconds {
			return got, err
		}
		if !shown {
			shown = true
			defer stage(ctx, "User lock")()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// stage has the process list show what the statement waits for, until end is called.
func stage(ctx *sql.Context, state string) (end func()) {
	if s, ok := ctx.Session.(interface{ Stage(string) func() }); ok {
		return s.Stage(state)
	}
	return func() {}
}

// WithChildren implements sql.Expression.
func (g *GetLock) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := g.GetLock.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &GetLock{e.(*function.GetLock)}, nil
}
