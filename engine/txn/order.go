package txn

// Transactions in the binary log become visible in its order, and those of a replica in that of
// their Turns, so that no view sees one whose predecessor there it does not see. One sync makes many
// of them durable; who comes first of those takes all of them along, and nobody waits for a
// goroutine that has not run yet.

import (
	"context"
	"sync"
	"sync/atomic"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// turn is a committing transaction's place in the order of visibility.
type turn struct {
	t      *Trx // nil: it is not going to be visible
	number base.TrxID
	lsn    base.LSN // end of its group in redo
	waits  bool     // its own goroutine says when it may be seen
	ready  bool     // as it has done; guarded by turns, as what follows
	passed atomic.Bool
}

// turns are the places of transactions that are in redo and not visible yet, in order. Redo has
// those of the binary log in the same order, those without events may stand before others.
type turns struct {
	invariants.Mutex[invariants.TxnTurns]
	queue []*turn
	moved sync.Cond
}

// takeTurn is called in the order of the binary log or of the Turns. o is its memory; t is nil for what is no commit.
func (s *System) takeTurn(o *turn, t *Trx, g *group) *turn {
	q := &s.turns
	q.Lock()
	defer q.Unlock()
	o.t, o.number, o.lsn, o.waits, o.ready = t, g.number, g.lsn, g.acks != nil, false
	o.passed.Store(false)
	q.queue = append(q.queue, o)
	return o
}

// passTurn tells the binary log that redo is as durable as g's transaction asked, and makes it
// visible as soon as all before it are: it returns when that has happened. Those at the head of the
// queue that redo has made durable become visible with it.
func (s *System) passTurn(g *group) {
	o := g.place
	if o.passed.Load() {
		return
	}
	durable := s.log.Durable() // of all who shared the sync
	if g.log != nil {
		g.log.Durable(max(g.lsn, durable))
	}
	if g.acks != nil {
		(*g.acks)(g.end)
	}
	q := &s.turns
	q.Lock()
	defer q.Unlock()
	o.ready = true
	s.advanceTurns(durable)
	for !o.passed.Load() {
		q.moved.Wait()
	}
}

// WaitVisible waits until the transactions of the binary log up to a place in redo are visible, which
// are durable already. Those that wait for replicas are not waited for.
func (s *System) WaitVisible(ctx context.Context, lsn base.LSN) error {
	q := &s.turns
	defer context.AfterFunc(ctx, func() {
		q.Lock()
		defer q.Unlock()
		q.moved.Broadcast()
	})()
	q.Lock()
	defer q.Unlock()
	for q.hides(lsn) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.log.Failure().Err(); err != nil {
			return err
		}
		q.moved.Wait()
	}
	return nil
}

// hides tells whether a transaction up to a place in redo is not visible yet, and does not wait for
// replicas, nor for another that does.
// REQUIRES: q is locked.
func (q *turns) hides(lsn base.LSN) bool {
	for _, o := range q.queue {
		switch {
		case o.waits && !o.ready:
			return false
		case o.lsn <= lsn:
			return true
		}
	}
	return false
}

// giveUpTurn ends o's turn without making its transaction visible, unless it is already: true.
func (s *System) giveUpTurn(o *turn) bool {
	q := &s.turns
	q.Lock()
	defer q.Unlock()
	if o.passed.Load() {
		return o.t != nil
	}
	o.t, o.ready = nil, true
	s.advanceTurns(0)
	return false
}

// advanceTurns takes those off the head of the queue that are ready, or durable and wait for
// nobody.
// REQUIRES: turns is locked.
func (s *System) advanceTurns(durable base.LSN) {
	q := &s.turns
	n := 0
	for ; n < len(q.queue); n++ {
		first := q.queue[n]
		if !first.ready && (first.waits || first.lsn > durable) {
			break
		}
		if first.t != nil {
			s.depart(first.t, first.number)
		}
		first.passed.Store(true) // its goroutine may use the memory again
	}
	if n > 0 {
		left := copy(q.queue, q.queue[n:])
		clear(q.queue[left:])
		q.queue = q.queue[:left]
		q.moved.Broadcast()
	}
}
