package txn

import (
	"fmt"
	"slices"

	"emberdb/binlog"
	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// A commit is four things in one order: a place in the binary log, a redo group, a sync,
// visibility. All of it is told here; what a transaction brings is data: its undo log, and the
// events and the decision about their name (gtid_next) that its Journal holds.
//
//	1 complete the events (Journal.ready): read back what is on disk, sync the file of a large
//	transaction; this may take long
//	2 wait for log room, latch the page of the log header
//	3 take the binary log's order: GTID and position are known
//	4 take a commit number; from here to 7 it is in committing, so that no view made meanwhile
//	lets purge pass it
//	5 log state, number and events: one redo group, so all or nothing; queue for visibility
//	(order.go), give the order back
//	6 make the group as durable as asked; commits that wait together share one sync
//	7 wait for replicas if asked (Acks), then become visible: leave the active set, transactions
//	with events or a Turn in the order of 5
//	8 hand the undo log to purge, the stream to the next taker; release the locks: who waited for
//	them finds the changes committed
//
// Durable comes before visible, so nobody acts on a change that a crash could take back (except
// with SyncNone and SyncWrite, which accept that). What fails before 5 has changed nothing: the
// transaction is rolled back, a prepared one stays prepared. If 5 is refused or 6 fails, the engine
// has failed (base.Failure), and the transaction stays in the active set as if aborted, invisible:
// a refused one is not committed, the outcome of a logged one is unknown until recovery reads the
// log. Releasing locks already at 5 would let the next transaction join the same sync; it was left
// out because a reader could then see, and tell the world, what is not yet durable.
//
// Commit numbers need not follow the order of the groups in the log: two committers may pass each
// other between 4 and 5. They never depend on each other, since each still holds its locks.
//
// A transaction with a Turn waits for it ahead of 2, and gives it on after 5.
//
// XA: Prepare is 1 to 7 with another state, without a number, and shows nothing (prepare.go).
// EndPrepared is all of it for a transaction without a session.

// Commit ends t in every case.
func (s *System) Commit(t *Trx, sync SyncMode) error {
	defer t.Journal.Leave()
	err := t.whole()
	if err != nil {
		return fmt.Errorf("commit: %w", orRollbackError(err, s.Rollback(t)))
	}
	logs, err := t.Journal.ready()
	if err != nil {
		if undone := s.Rollback(t); undone != nil {
			return undone
		}
		return err
	}
	return s.commit(t, sync, logs)
}

// commit is 2 to 8. A prepared transaction stays prepared if nothing was logged, any other ends.
func (s *System) commit(t *Trx, sync SyncMode, logs bool) error {
	if t.log == 0 && !logs {
		s.finish(t, 0)
		s.stats.readOnly.Add(1)
		return nil
	}
	g, err := s.logEnd(t, stateCommitted, logs)
	if err == nil {
		err = s.harden(g.lsn, t.syncMode(sync, logs))
	} else if s.log.Failure().Err() == nil {
		if t.branch != nil {
			return err
		}
		return fmt.Errorf("commit: %w", orRollbackError(err, s.Rollback(t)))
	}
	if err != nil {
		if g.place != nil && s.giveUpTurn(g.place) {
			s.release(t, g.number) // it was durable, and somebody else knew that
		} else {
			s.lose(t)
		}
		return err
	}
	if g.place != nil {
		s.passTurn(&g)
	} else {
		s.depart(t, g.number)
	}
	s.release(t, g.number)
	s.stats.commits.Add(1)
	return nil
}

// group is a redo group that ends a transaction, or prepares it.
type group struct {
	number base.TrxID  // of a commit
	lsn    base.LSN    // its end
	place  *turn       // in the order of visibility; nil: it has no events, and no Turn
	log    *binlog.Log // that has the events; nil: there are none
	acks   *Acks       // nil: nobody is waited for
	end    binlog.Position
}

// lose ends t, whose outcome only recovery can tell: the engine has failed.
func (s *System) lose(t *Trx) {
	if t.ID() != 0 {
		s.condemn(t)
	}
	t.end()
}

func orRollbackError(err, rollback error) error {
	if rollback != nil {
		return fmt.Errorf("%w (and rolling back: %w)", err, rollback)
	}
	return err
}

// logEnd is 2 to 5; a state that is no commit takes no number.
func (s *System) logEnd(t *Trx, state uint8, logs bool) (g group, err error) {
	if t.Turn != nil {
		s.locks.MakeRoom() // t keeps its locks while it waits
		if err := t.Turn.Wait(); err != nil {
			return g, err
		}
		defer func() {
			if err == nil {
				t.Turn.Pass()
			}
		}()
	}
	m := s.pool.Begin()
	var pg buffer.Page
	var o *binlog.Order
	if t.log != 0 {
		pg, err = pinUndo(m, t.stream, t.log.Page(), buffer.Exclusive)
	} else {
		err = m.Ready()
	}
	if err == nil && logs {
		o, err = t.Journal.order()
	}
	if err == nil && t.log != 0 && state == stateCommitted {
		g.number, err = s.takeNumber()
	}
	if err == nil && t.log != 0 {
		flags := uint8(0)
		if t.work {
			flags = logWork
		}
		body := encodeLogState(int(t.log.Offset()), state, flags, g.number)
		m.Apply(pg, opLogState, body[:])
	}
	if err == nil && o != nil {
		logEvents(m, o)
	}
	lsn, refused := m.Commit()
	if err == nil {
		err = refused
	}
	if g.lsn = lsn; o == nil {
		if err == nil && t.Turn != nil && t.log != 0 && state == stateCommitted {
			g.place = s.takeTurn(&t.turn, t, &g)
		}
		return g, err
	}
	if err != nil {
		o.Abandon()
		return g, err
	}
	s.queue(t, &g, state, o)
	t.Journal.placed(o, lsn)
	return g, nil
}

// queue puts the transaction where it will become visible.
// REQUIRES: it holds the binary log's order.
func (s *System) queue(t *Trx, g *group, state uint8, o *binlog.Order) {
	g.log = t.Journal.all.log
	if g.acks = t.Journal.all.acks.Load(); g.acks != nil {
		g.end = o.End()
	}
	seen := t
	if state != stateCommitted {
		seen = nil
	}
	g.place = s.takeTurn(&t.turn, seen, g)
}

// syncMode is how durable the commit of t has to be.
func (t *Trx) syncMode(mode SyncMode, logs bool) SyncMode {
	if logs {
		return t.Journal.all.syncMode(mode)
	}
	return mode
}

// takeNumber hands out a commit number and notes it as committing.
func (s *System) takeNumber() (base.TrxID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	number, err := s.nextLocked()
	if err == nil {
		s.mu.committing = append(s.mu.committing, number)
	}
	return number, err
}

// harden makes the log up to lsn as durable as asked.
func (s *System) harden(lsn base.LSN, sync SyncMode) (err error) {
	switch sync {
	case SyncFlush:
		err = s.log.FlushTo(lsn)
	case SyncWrite:
		err = s.log.WriteTo(lsn)
	default:
		err = s.log.Failure().Err()
	}
	if err != nil {
		return fmt.Errorf("%w: the outcome of the transaction is unknown: %w", base.ErrFailed, err)
	}
	return nil
}

// finish is 7 and 8, for a commit with its number, and for a transaction without a log or rolled
// back (number 0).
func (s *System) finish(t *Trx, number base.TrxID) {
	s.depart(t, number)
	s.release(t, number)
}

// depart is 7.
func (s *System) depart(t *Trx, number base.TrxID) {
	if t.ID() != 0 {
		s.mu.Lock()
		if number != 0 {
			i := slices.Index(s.mu.committing, number)
			s.mu.committing = slices.Delete(s.mu.committing, i, i+1)
		}
		s.leaveLocked(t)
		s.mu.Unlock()
	}
}

// release is 8.
func (s *System) release(t *Trx, number base.TrxID) {
	s.returnStream(t, number)
	t.end()
}

// returnStream hands t's log to purge and its stream to the next taker.
func (s *System) returnStream(t *Trx, number base.TrxID) {
	if t.stream == nil {
		return
	}
	if t.log != 0 {
		s.purge.finished(t.stream, number)
	}
	s.streams.put(t.stream)
	t.stream = nil
}
