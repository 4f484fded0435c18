package txn

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"emberdb/internal/base"
)

// The aborted: transactions that were given up and whose versions still stand in rows. One worker
// restores them, first aborted first.
//
//	Rollback, large; crash ──push──> queue ──next──> at work ──clean──> gone
//	                                   ↑                │
//	                                   └──retryAfter────┘ an error: the others go on meanwhile
//
// Nobody waits for the worker: a writer that meets a row restores that row, a reader looks through.
// So the worker leaves the machine to those who do something: see pacer.

// undoQueue is what the rollback worker has to do.
type undoQueue struct {
	kick chan struct{}

	mu   sync.Mutex
	list []*Trx  // with the one at work
	rate float64 // rows a second of the last transaction that was cleaned
}

// doom is what is known of an aborted transaction's cleaning; guarded by undoQueue.mu.
type doom struct {
	since time.Time // aborted, or found after a crash
	rows  int64     // changes there were then
	began time.Time // the worker came to it; zero: not yet
	from  int64     // changes there were left then
	retry time.Time // not before, after an error
	err   error     // the last one
}

func (q *undoQueue) init() { q.kick = make(chan struct{}, 1) }

// push hands an aborted transaction to the worker.
func (q *undoQueue) push(t *Trx) {
	q.mu.Lock()
	t.doom = doom{since: time.Now(), rows: t.Weight()}
	q.list = append(q.list, t)
	q.mu.Unlock()
	select {
	case q.kick <- struct{}{}:
	default:
	}
}

// next is the transaction to clean now. nil: there is none, and none will be for that long; 0 for
// until the next push.
func (q *undoQueue) next() (t *Trx, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	for _, t := range q.list {
		if left := t.doom.retry.Sub(now); left > 0 {
			if wait == 0 || left < wait {
				wait = left
			}
			continue
		}
		t.doom.began, t.doom.from = now, t.Weight()
		return t, 0
	}
	return nil, wait
}

// done takes a cleaned transaction out.
func (q *undoQueue) done(t *Trx) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if rate := t.doom.rate(0); rate > 0 {
		q.rate = rate
	}
	q.list = slices.DeleteFunc(q.list, func(o *Trx) bool { return o == t })
}

// failed has a transaction wait.
func (q *undoQueue) failed(t *Trx, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.doom.err, t.doom.retry, t.doom.began = err, time.Now().Add(retryAfter), time.Time{}
}

// rate is how many rows a second the worker restores, with left of them to go; 0 if that is not
// known yet.
func (d *doom) rate(left int64) float64 {
	took := time.Since(d.began)
	if d.began.IsZero() || d.from == left || took < time.Millisecond {
		return 0
	}
	return float64(d.from-left) / took.Seconds()
}

// AbortedInfo describes an aborted transaction, for information_schema.EMBER_ABORTED_TRX.
type AbortedInfo struct {
	ID        base.TrxID
	Recovered bool // found unfinished when the engine was opened
	Working   bool // the worker is at it
	Since     time.Time
	Left      int64         // changes not yet taken back
	Done      int64         // since then
	Rate      float64       // a second; 0: not known
	ETA       time.Duration // until it is cleaned; negative: not known
	Err       error         // why it waits
}

// Aborted lists the aborted transactions in the order of their cleaning.
func (s *System) Aborted() (all []AbortedInfo) {
	q := &s.undone
	q.mu.Lock()
	defer q.mu.Unlock()
	rate, ahead := q.rate, int64(0)
	for _, t := range q.list {
		if now := t.doom.rate(t.Weight()); now > 0 {
			rate = now
		}
	}
	for _, t := range q.list {
		in := AbortedInfo{ID: t.ID(), Recovered: t.recovered, Working: !t.doom.began.IsZero(), Since: t.doom.since, Left: max(t.Weight(), 0), ETA: -1, Err: t.doom.err}
		in.Done = max(t.doom.rows-in.Left, 0)
		ahead += in.Left
		if in.Working {
			in.Rate = t.doom.rate(in.Left)
		}
		if rate > 0 && in.Err == nil {
			in.ETA = time.Duration(float64(ahead) / rate * float64(time.Second))
		}
		all = append(all, in)
	}
	return all
}

// pacer makes cleaning give way: while others write or commit, it rests as long as it works.
type pacer struct {
	since time.Time
	seen  int64
}

// paceSlice is how long cleaning works between two looks at the others.
const paceSlice = 10 * time.Millisecond

// yield is called after every page.
func (p *pacer) yield(s *System) {
	worked := time.Since(p.since)
	if worked < paceSlice {
		return
	}
	seen := s.stats.commits.Load() + s.stats.readOnly.Load() + s.stats.records.Load()
	if !p.since.IsZero() && seen != p.seen {
		s.rest(min(worked, 10*paceSlice))
	}
	p.since, p.seen = time.Now(), seen
}

// retryAfter is how long a background worker rests after an error.
const retryAfter = 5 * time.Second

// rollbackWorker restores the rows of aborted transactions, one transaction after the other.
func (s *System) rollbackWorker() {
	defer s.workers.Done()
	for s.stop.Err() == nil {
		t, wait := s.undone.next()
		if t == nil {
			s.awaitAborted(wait)
			continue
		}
		err := s.clean(t)
		switch {
		case err == nil, errors.Is(err, errStopped):
		case errors.Is(err, base.ErrFailed):
			s.logger.Error("rolling back in the background", "transaction", uint64(t.ID()), "error", err)
			return
		default:
			s.logger.Error("rolling back in the background; tried again", "transaction", uint64(t.ID()), "error", err, "after", retryAfter)
			s.undone.failed(t, err)
		}
	}
}

// awaitAborted sleeps until there may be something to clean.
func (s *System) awaitAborted(wait time.Duration) {
	var again <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		again = timer.C
	}
	select {
	case <-s.undone.kick:
	case <-again:
	case <-s.stop.Done():
	}
}

// rest sleeps, but not through a Close.
func (s *System) rest(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.stop.Done():
	}
}

// clean undoes an aborted transaction to its end.
func (s *System) clean(t *Trx) error {
	if err := s.undoTo(t, 0, s.stop); err != nil {
		return err
	}
	if err := s.closeLog(t, stateDone); err != nil {
		return err
	}
	s.undone.done(t)
	s.mu.Lock()
	s.mu.aborted--
	if t.unfinished {
		s.mu.found--
	}
	s.leaveLocked(t)
	close(s.mu.cleaned)
	s.mu.cleaned = make(chan struct{})
	s.mu.Unlock()
	s.returnStream(t, 0)
	s.unregister(t)
	return nil
}

// WaitCleaned returns when no aborted transaction is left to be cleaned, or none will be.
func (s *System) WaitCleaned(ctx context.Context) error { return s.waitCleaned(ctx, &s.mu.aborted) }

// WaitRecovered is WaitCleaned of the transactions that were found unfinished when the engine was
// opened.
func (s *System) WaitRecovered(ctx context.Context) error { return s.waitCleaned(ctx, &s.mu.found) }

// waitCleaned waits for a count under s.mu to be 0.
func (s *System) waitCleaned(ctx context.Context, count *int) error {
	for {
		s.mu.Lock()
		left, cleaned := *count, s.mu.cleaned
		s.mu.Unlock()
		if left == 0 || s.forced >= 3 {
			return nil
		}
		select {
		case <-cleaned:
		case <-s.log.Failure().Entered():
			return s.log.Failure().Err()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
