package txn

// Transactions that a journal holds become visible in the journal's order, so that no view sees one whose predecessor there it does not see. One sync makes
// many of them durable; whoever comes while the oldest is ready takes all ready ones along.

import (
	"sync"

	"emberdb/internal/base"
)

// turn is a committing transaction's place in the journal's order.
type turn struct {
	t      *Trx // nil: it is not going to be visible
	ready  bool
	passed bool
	number base.TrxID
}

// turns are the places of transactions that are in the journal and not visible yet, in order.
type turns struct {
	sync.Mutex
	queue []*turn
	moved sync.Cond
}

// takeTurn is called in the journal's order.
func (s *System) takeTurn() *turn {
	q := &s.turns
	q.Lock()
	defer q.Unlock()
	o := new(turn)
	q.queue = append(q.queue, o)
	return o
}

// passTurn makes t visible as soon as all before it are; a nil t only gives the place up. It returns when that has happened.
func (s *System) passTurn(o *turn, t *Trx, number base.TrxID) {
	q := &s.turns
	q.Lock()
	defer q.Unlock()
	o.t, o.number, o.ready = t, number, true
	n := 0
	for ; n < len(q.queue) && q.queue[n].ready; n++ {
		first := q.queue[n]
		if first.t != nil {
			s.depart(first.t, first.number)
		}
		first.passed = true
	}
	if n > 0 {
		q.queue = append(q.queue[:0], q.queue[n:]...)
		clear(q.queue[len(q.queue):cap(q.queue)])
		q.moved.Broadcast()
	}
	for !o.passed {
		q.moved.Wait()
	}
}
