package trial

import (
	"context"
	"fmt"
	"sync"
	"time"

	"emberdb/bench/measure"
)

// drivers are clients that run a workload in the background, across restarts of the server, until
// they are stopped.
type drivers struct {
	s      *Server
	line   *measure.Timeline
	cancel context.CancelFunc
	done   chan struct{}
	err    error // valid when done is closed
}

// forever is longer than any bench.
const forever = 1000 * time.Hour

// drivers starts clients and returns when the first transaction of theirs is done.
func (l *Load) drivers(ctx context.Context, s *Server, workload string, threads int) (*drivers, error) {
	ctx, cancel := context.WithCancel(ctx)
	d := &drivers{s: s, line: measure.NewTimeline(time.Now(), bin), cancel: cancel, done: make(chan struct{})}
	first, once := make(chan struct{}), sync.Once{}
	go func() {
		defer close(d.done)
		_, err := l.drive(ctx, s, runSpec{workload: workload, threads: threads, duration: forever, observe: func(at time.Time) {
			d.line.Add(at)
			once.Do(func() { close(first) })
		}})
		if ctx.Err() == nil {
			d.err = fmt.Errorf("%s: the clients gave up: %w", s.Name, err)
		}
	}()
	select {
	case <-first:
		return d, nil
	case <-d.done:
		cancel()
		if d.err == nil {
			d.err = ctx.Err()
		}
		return nil, d.err
	}
}

// stop ends the clients and waits for them. One that waits for an answer ends with its server, or
// after its timeout.
func (d *drivers) stop() {
	d.cancel()
	<-d.done
}

// wait lets the clients run until a moment.
func (d *drivers) wait(ctx context.Context, until time.Time) error {
	select {
	case <-time.After(time.Until(until)):
		return nil
	case <-d.done:
		return d.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Throughput is steady when a stretch of time brought at most so much more than the one before.
const (
	steadyGrowth  = 1.03
	steadyStretch = 10 * time.Second
)

// steady waits at least so long, then until throughput no longer grows, and returns it.
func (d *drivers) steady(ctx context.Context, least, most time.Duration) (float64, error) {
	stretch := min(steadyStretch, least/2).Truncate(bin)
	from := time.Now()
	if err := d.wait(ctx, from.Add(least)); err != nil {
		return 0, err
	}
	for {
		now := time.Now()
		last, before := d.mean(now, stretch), d.mean(now.Add(-stretch), stretch)
		if last > 0 && last <= steadyGrowth*before || now.Sub(from) >= most {
			return last, nil
		}
		if err := d.wait(ctx, now.Add(stretch)); err != nil {
			return 0, err
		}
	}
}

// mean is the throughput of the stretch that ended at a moment.
func (d *drivers) mean(at time.Time, stretch time.Duration) float64 {
	return measure.Mean(d.line.PerSecond(at.Add(-stretch), stretch))
}
