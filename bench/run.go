package bench

import (
	"context"
	"io"
	"time"
)

// Run is what the workloads' options to run have in common: whom they load, how, for how long, and
// who is told.
type Run struct {
	Target         Target
	Threads        int
	Warmup         time.Duration
	Duration       time.Duration // measured, after the warm-up
	ReportInterval time.Duration // 0: summary only
	Prepared       bool
	JSON           bool
	Init           []string        // statements for every new connection
	Seed           uint64          // 0: random
	Observe        func(time.Time) // told of each transaction's commit; nil: nobody wants to know
	Out            io.Writer       // report
	Log            io.Writer       // errors and progress
}

// Back-off between attempts to connect. Short, so that the first second of a restarted server is
// seen.
const (
	reconnectFirst = 10 * time.Millisecond
	ReconnectMost  = 100 * time.Millisecond
)

// Connect tries until it succeeds or the time is over, and tells failed of what went wrong.
func Connect(ctx context.Context, end time.Time, try func() error, failed func(error)) bool {
	for pause := reconnectFirst; ; pause = min(2*pause, ReconnectMost) {
		err := try()
		if err == nil {
			return true
		}
		failed(err)
		if !time.Now().Add(pause).Before(end) || ctx.Err() != nil {
			return false
		}
		time.Sleep(pause)
	}
}
