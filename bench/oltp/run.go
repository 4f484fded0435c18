package oltp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"

	"emberdb/bench"
	"emberdb/bench/wire"
)

// RunOptions says how Run loads the server.
type RunOptions struct {
	bench.Run
	Workload     string
	Tables       int
	TableSize    int64
	RangeSize    int
	Distribution string
	cfg          *mysql.Config // of Target
}

// check completes the options, too.
func (o *RunOptions) check() (workload, error) {
	w, err := lookUp(o.Workload)
	switch {
	case err != nil:
	case o.Tables < 1:
		err = fmt.Errorf("--tables %d: at least 1", o.Tables)
	case o.TableSize < 1:
		err = fmt.Errorf("--table-size %d: at least 1", o.TableSize)
	case o.RangeSize < 1:
		err = fmt.Errorf("--range-size %d: at least 1", o.RangeSize)
	case o.Threads < 1:
		err = fmt.Errorf("--threads %d: at least 1", o.Threads)
	case o.Duration <= 0:
		err = errors.New("--seconds: more than 0")
	default:
		err = checkDistribution(o.Distribution)
	}
	if err == nil {
		o.cfg, err = o.Target.Config(false)
	}
	if o.Seed == 0 {
		o.Seed = uint64(time.Now().UnixNano())
	}
	return w, err
}

// newThread makes thread i of those that run w, not connected yet.
func newThread(o *RunOptions, w workload, i int) *thread {
	return &thread{o: o, w: w, r: newGen(o.Seed, uint64(i), o.TableSize, o.Distribution), stmt: make([][kinds]wire.Statement, o.Tables)}
}

// Run drives the workload until the time is over and returns the summary it also printed. A server
// that does not answer at the start is an error; one that is lost later is not: threads connect
// again until the time is over.
func Run(ctx context.Context, o RunOptions) (Summary, error) {
	w, err := o.check()
	if err != nil {
		return Summary{}, err
	}
	first, err := wire.Dial(ctx, o.cfg)
	if err != nil {
		return Summary{}, err
	}
	defer first.Close()
	if _, err := first.Exec(fmt.Sprintf("SELECT id FROM sbtest%d LIMIT 1", o.Tables)); err != nil {
		return Summary{}, fmt.Errorf("%w (is the prepared data there?)", err)
	}
	rep := newReporter(&o, first.PeerPID())
	end := rep.start.Add(o.Warmup + o.Duration)
	var wg sync.WaitGroup
	for i, m := range rep.meters {
		t := newThread(&o, w, i)
		wg.Go(func() { t.loop(ctx, end, m) })
	}
	stopped := make(chan struct{})
	go func() { wg.Wait(); close(stopped) }()
	rep.loop(stopped)
	sum := rep.summary()
	return sum, rep.print(sum)
}

// loop runs transactions until the time is over.
func (t *thread) loop(ctx context.Context, end time.Time, m *meter) {
	defer t.disconnect()
	start := time.Now()
	for start.Before(end) && ctx.Err() == nil {
		if t.conn == nil {
			if !t.connect(ctx, end, m) {
				return
			}
			start = time.Now()
		}
		err := t.transaction()
		now := time.Now()
		switch {
		case err == nil:
			m.done(now.Sub(start), t.statements, t.rows)
			if t.o.Observe != nil {
				t.o.Observe(now)
			}
		case bench.IsConnectionLost(err):
			m.lost()
			t.disconnect()
		case bench.IsRetriable(err):
			m.retried()
		default:
			m.failed(err)
		}
		start = now
	}
}

// connect tries until it succeeds or the time is over.
func (t *thread) connect(ctx context.Context, end time.Time, m *meter) bool {
	return bench.Connect(ctx, end, func() error { return t.dial(ctx) }, m.connectFailed)
}

func (t *thread) dial(ctx context.Context) error {
	conn, err := wire.Dial(ctx, t.o.cfg)
	for i := 0; err == nil && i < len(t.o.Init); i++ {
		if _, err = conn.Exec(t.o.Init[i]); err != nil {
			conn.Close()
		}
	}
	if err == nil {
		t.conn = conn
	}
	return err
}

// disconnect drops the connection and the statements made on it.
func (t *thread) disconnect() {
	if t.conn == nil {
		return
	}
	t.conn.Close()
	t.conn = nil
	clear(t.stmt)
}
