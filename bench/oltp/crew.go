package oltp

import (
	"context"
	"errors"
	"sync"
	"time"

	"emberdb/bench"
	"emberdb/bench/measure"
)

// Crew is threads that stay connected and work when they are told to. What is measured in turns of
// a fraction of a second is measured by the same machine, however much its speed changes from one
// second to the next.
type Crew struct{ threads []*thread }

// Spell is what a crew did in one go.
type Spell struct {
	Time    time.Duration // to the end of the last transaction
	Latency *measure.Histogram
	Counters
}

// Add adds what a crew did in another spell.
func (s *Spell) Add(o Spell) {
	if s.Latency == nil {
		s.Latency = measure.NewHistogram()
	}
	s.Time += o.Time
	s.Latency.Add(o.Latency)
	s.add(o.Counters)
}

// NewCrew connects a crew. Of o, Warmup, Duration and the report have no meaning here.
func NewCrew(ctx context.Context, o RunOptions) (*Crew, error) {
	o.Duration = max(o.Duration, 1)
	w, err := o.check()
	if err != nil {
		return nil, err
	}
	c := new(Crew)
	for i := range o.Threads {
		t := newThread(&o, w, i)
		if err := t.dial(ctx); err != nil {
			c.Close()
			return nil, err
		}
		c.threads = append(c.threads, t)
	}
	return c, nil
}

// Close disconnects the crew.
func (c *Crew) Close() {
	for _, t := range c.threads {
		t.disconnect()
	}
}

// Tell runs a statement on each connection.
func (c *Crew) Tell(text string) error {
	for _, t := range c.threads {
		if _, err := t.conn.Exec(text); err != nil {
			return err
		}
	}
	return nil
}

// Work runs transactions for so long. Any error but a deadlock or a lock wait timeout ends it.
func (c *Crew) Work(ctx context.Context, d time.Duration) (Spell, error) {
	s := Spell{Latency: measure.NewHistogram()}
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	start := time.Now()
	end := start.Add(d)
	for _, t := range c.threads {
		wg.Go(func() {
			m := &meter{hist: measure.NewHistogram()}
			err := t.spell(ctx, end, m)
			mu.Lock()
			defer mu.Unlock()
			s.Latency.Add(m.hist)
			s.add(m.count)
			failed = errors.Join(failed, err)
		})
	}
	wg.Wait()
	s.Time = time.Since(start)
	return s, errors.Join(failed, ctx.Err())
}

// spell runs the thread's transactions.
func (t *thread) spell(ctx context.Context, end time.Time, m *meter) error {
	for start := time.Now(); start.Before(end) && ctx.Err() == nil; {
		err := t.transaction()
		now := time.Now()
		switch {
		case err == nil:
			m.done(now.Sub(start), t.statements, t.rows)
		case bench.IsRetriable(err):
			m.retried()
		default:
			return err
		}
		start = now
	}
	return nil
}
