package replication

import (
	"context"
	"errors"
	"sync"
	"time"

	"emberdb/engine/lock"
	"emberdb/internal/base"
)

// A sequence has the transactions of a channel committed in the order in which the source committed
// them, though several are applied at once. A transaction that is on its way to the log waits for
// its turn, and gives the turn on as soon as its place in the log is certain: those that follow
// share its sync.
//
// A transaction that holds a lock for which an earlier one waits cannot get its turn. It is made to
// yield: its commit fails like that of a deadlock's victim, and it is applied again.
type sequence struct {
	mu    sync.Mutex
	next  uint64 // whose turn it is
	ended bool   // nobody else gets a turn
	moved sync.Cond
}

func newSequence() *sequence {
	s := &sequence{next: 1}
	s.moved.L = &s.mu
	return s
}

var errEnded = errors.New("the applier was stopped")

// end gives nobody a turn any more.
func (s *sequence) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.moved.Broadcast()
}

func (s *sequence) isOver() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// Turn is the place of one transaction in a sequence.
type Turn struct {
	s      *sequence
	n      uint64
	yields bool // guarded by the sequence
}

func (s *sequence) turn(n uint64) *Turn { return &Turn{s: s, n: n} }

// Before tells whether t comes before another turn of the same channel.
func (t *Turn) Before(o lock.Ordered) bool {
	other, ok := o.(*Turn)
	return ok && other.s == t.s && t.n < other.n
}

// Wait waits for the turn.
func (t *Turn) Wait() error {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	return t.waitLocked()
}

func (t *Turn) waitLocked() error {
	s := t.s
	for s.next < t.n && !s.ended && !t.yields {
		s.moved.Wait()
	}
	switch {
	case s.next >= t.n:
		return nil
	case t.yields:
		return base.ErrDeadlock
	}
	return errEnded
}

// Pass gives the turn on. Only who has it can.
func (t *Turn) Pass() {
	s := t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == t.n {
		s.next++
	}
	s.moved.Broadcast()
}

// Yield has the transaction make room for an earlier one.
func (t *Turn) Yield() {
	s := t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	t.yields = true
	s.moved.Broadcast()
}

// come waits for the turn whatever the transaction was asked for.
// REQUIRES: the transaction holds no lock, be it rolled back or ended, so that nobody waits for it.
func (t *Turn) come() error {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	for {
		t.yields = false
		if err := t.waitLocked(); err != base.ErrDeadlock {
			return err
		}
	}
}

// persist tries until the transaction is applied: again after a deadlock or a lock wait that took
// too long. It begins again when those before it have committed, so that it meets none of their
// locks, and those that follow yield. So the first try costs nothing; each that fails behind it
// fails for other sessions, which are given longer and longer to end, and that a number of times.
// undo takes back what a failed try has done.
func (t *Turn) persist(ctx context.Context, retries int, try func() error, undo, retried func()) error {
	for n := 0; ; n++ {
		early := !t.has()
		err := try()
		if err == nil {
			return nil
		}
		undo()
		code := codeOf(err)
		if ctx.Err() != nil || code == codeInterrupted && t.s.isOver() {
			return errEnded
		}
		if code != codeDeadlock && code != codeTimeout || n >= retries && !early {
			return err
		}
		retried()
		if err := t.come(); err != nil {
			return err
		}
		if early {
			n--
		} else if err := pause(ctx, n); err != nil {
			return err
		}
	}
}

// pause is what the n-th retry waits for transactions of other sessions.
func pause(ctx context.Context, n int) error {
	select {
	case <-time.After(min(time.Millisecond<<min(n, 10), longestPause)):
		return nil
	case <-ctx.Done():
		return errEnded
	}
}

// longestPause bounds it.
const longestPause = time.Second

// has tells whether the turn has come.
func (t *Turn) has() bool {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	return t.s.next >= t.n
}
