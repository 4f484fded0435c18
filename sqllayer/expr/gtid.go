package expr

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/binlog"
)

// Functions of GTID sets.

// WaitForGTIDs waits until the session's server has executed the set; package sqllayer knows how.
var WaitForGTIDs func(wait context.Context, ctx *sql.Context, set *binlog.Set) error

func floatOf(v any) (float64, error) {
	var f float64
	_, err := fmt.Sscan(fmt.Sprint(v), &f)
	return f, err
}

func init() {
	register(
		scalar("gtid_subset", 2, 2, types.Int64, func(_ *sql.Context, args []any) (any, error) {
			sets, err := gtidSets(args)
			if err != nil {
				return nil, err
			}
			if sets[1].ContainsSet(sets[0]) {
				return int64(1), nil
			}
			return int64(0), nil
		}),
		scalar("gtid_subtract", 2, 2, nil, func(_ *sql.Context, args []any) (any, error) {
			sets, err := gtidSets(args)
			if err != nil {
				return nil, err
			}
			sets[0].Subtract(sets[1])
			return sets[0].Shown(), nil
		}),
		scalar("wait_for_executed_gtid_set", 1, 2, types.Int64, func(ctx *sql.Context, args []any) (any, error) {
			sets, err := gtidSets(args[:1])
			if err != nil {
				return nil, err
			}
			wait := context.Context(ctx)
			if len(args) > 1 {
				seconds, err := floatOf(args[1])
				if err != nil || seconds < 0 {
					return nil, mysql.NewSQLError(1210, "HY000", "Incorrect arguments to wait_for_executed_gtid_set")
				}
				if seconds > 0 {
					var cancel context.CancelFunc
					wait, cancel = context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
					defer cancel()
				}
			}
			defer stage(ctx, "Waiting for GTID to be committed")()
			switch err := WaitForGTIDs(wait, ctx, sets[0]); {
			case err == nil:
				return int64(0), nil
			case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
				return int64(1), nil
			default:
				return nil, err
			}
		}),
	)
}

func gtidSets(args []any) ([]*binlog.Set, error) {
	sets := make([]*binlog.Set, len(args))
	for i, a := range args {
		text := fmt.Sprint(a)
		if b, ok := a.([]byte); ok {
			text = string(b)
		}
		var err error
		if sets[i], err = binlog.ParseSet(text); err != nil {
			return nil, mysql.NewSQLError(1772, "HY000", "Malformed GTID set specification '%s'.", text)
		}
	}
	return sets, nil
}
