package texts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/binlog"
	"emberdb/sqllayer/expr/operand"
)

// Functions of GTID sets.

// WaitForGTIDs waits until the session's server has executed the set; package sqllayer knows how.
var WaitForGTIDs func(wait context.Context, ctx *sql.Context, set *binlog.Set) error

// WaitForSource waits for a channel of the session's server; see sqllayer.Layer.
var WaitForSource func(wait context.Context, ctx *sql.Context, channel, file string, position uint32) (transactions int64, running bool)

func floatOf(v any) (float64, error) {
	var f float64
	_, err := fmt.Sscan(fmt.Sprint(v), &f)
	return f, err
}

// waitOf is how long a function waits: the seconds of its next argument; 0, or none, is for ever.
func waitOf(ctx *sql.Context, args []any, function string) (wait context.Context, stop context.CancelFunc, err error) {
	seconds := 0.0
	if len(args) > 0 {
		seconds, err = floatOf(args[0])
	}
	switch {
	case err != nil || seconds < 0:
		return nil, nil, mysql.NewSQLError(1210, "HY000", "Incorrect arguments to %s", function)
	case seconds > 0:
		wait, stop = context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
		return wait, stop, nil
	}
	return ctx, func() {}, nil
}

func init() {
	operand.Register(
		operand.NewScalar("gtid_subset", 2, 2, types.Int64, func(_ *sql.Context, args []any) (any, error) {
			sets, err := gtidSets(args)
			if err != nil {
				return nil, err
			}
			if sets[1].ContainsSet(sets[0]) {
				return int64(1), nil
			}
			return int64(0), nil
		}),
		operand.NewScalar("gtid_subtract", 2, 2, nil, func(_ *sql.Context, args []any) (any, error) {
			sets, err := gtidSets(args)
			if err != nil {
				return nil, err
			}
			sets[0].Subtract(sets[1])
			return sets[0].Shown(), nil
		}),
		operand.NewScalar("wait_for_executed_gtid_set", 1, 2, types.Int64, func(ctx *sql.Context, args []any) (any, error) {
			sets, err := gtidSets(args[:1])
			if err != nil {
				return nil, err
			}
			wait, stop, err := waitOf(ctx, args[1:], "wait_for_executed_gtid_set")
			if err != nil {
				return nil, err
			}
			defer stop()
			defer operand.Stage(ctx, "Waiting for GTID to be committed")()
			switch err := WaitForGTIDs(wait, ctx, sets[0]); {
			case err == nil:
				return int64(0), nil
			case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
				return int64(1), nil
			default:
				return nil, err
			}
		}),
		operand.NewScalar("source_pos_wait", 2, 4, types.Int64, sourcePosWait),
		operand.NewScalar("master_pos_wait", 2, 4, types.Int64, func(ctx *sql.Context, args []any) (any, error) {
			ctx.Warn(1287, "'MASTER_POS_WAIT' is deprecated and will be removed in a future release. Please use SOURCE_POS_WAIT instead")
			return sourcePosWait(ctx, args)
		}),
	)
}

// sourcePosWait is SOURCE_POS_WAIT(file, position, seconds, channel): the transactions waited for,
// -1 if the time is over, NULL if nothing is applied.
func sourcePosWait(ctx *sql.Context, args []any) (any, error) {
	wait, stop, err := waitOf(ctx, args[2:], "SOURCE_POS_WAIT.")
	if err != nil {
		return nil, err
	}
	defer stop()
	position, err := floatOf(args[1])
	if err != nil || position < 0 || position > math.MaxUint32 {
		return nil, nil
	}
	channel := ""
	if len(args) > 3 {
		channel = plainText(args[3])
	}
	defer operand.Stage(ctx, "Waiting for the replica SQL thread to advance position")()
	n, running := WaitForSource(wait, ctx, channel, plainText(args[0]), uint32(position))
	switch {
	case ctx.Err() != nil || !running:
		return nil, nil
	case wait.Err() != nil:
		return int64(-1), nil
	}
	return n, nil
}

func plainText(v any) string {
	if b, ok := v.([]byte); ok {
		return string(b)
	}
	return fmt.Sprint(v)
}

func gtidSets(args []any) ([]*binlog.Set, error) {
	sets := make([]*binlog.Set, len(args))
	for i, a := range args {
		text := plainText(a)
		var err error
		if sets[i], err = binlog.ParseSet(text); err != nil {
			return nil, mysql.NewSQLError(1772, "HY000", "Malformed GTID set specification '%s'.", text)
		}
	}
	return sets, nil
}
