package txn

import (
	"fmt"
	"slices"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// The commit of a transaction that has written:
//
//	1 wait for log room, latch the page of its log header
//	2 take a commit number; from here to 6 it is in committing, so that no view made meanwhile lets purge pass it
//	3 log state and number, and what the journal adds (binlog events): one redo group, so all or nothing
//	4 make the group as durable as asked; commits that wait together share one sync
//	5 (visible) leave the active set, those of a journal in its order
//	6 hand the log to purge, the stream to the next taker
//	7 release the locks: who waited for them finds the changes committed
//
// Durable comes before visible, so nobody acts on a change that a crash could take back (but with SyncNone and SyncWrite, which accept that).
// If 3 is refused or 4 fails, the engine has failed (base.Failure) and the transaction stays in the active set as if aborted, invisible. A refused one
// is not committed; the outcome of one that was logged is unknown until recovery reads the log. Releasing locks already at 3 would let the next transaction join the same sync; it was left out because a reader
// could then see, and tell the world, what is not yet durable.
//
// Commit numbers need not follow the order of the groups in the log: two committers may pass each other between 2 and 3. They never depend on
// each other, since each still holds its locks.

// Commit ends t in every case. j, if not nil, is logged with it.
func (s *System) Commit(t *Trx, sync SyncMode, j Journal) error {
	if err := t.whole(); err != nil {
		return fmt.Errorf("commit: %w", orRollbackError(err, s.Rollback(t)))
	}
	if t.log == 0 && j == nil {
		s.finish(t, 0)
		s.stats.readOnly.Add(1)
		return nil
	}
	number, lsn, place, err := s.logEnd(t, stateCommitted, j)
	if err == nil {
		if err = s.harden(lsn, sync); err != nil {
			err = fmt.Errorf("%w: the outcome of the transaction is unknown: %w", base.ErrFailed, err)
		}
	} else if s.log.Failure().Err() == nil {
		// Nothing was logged: the transaction is whole and can be rolled back.
		return fmt.Errorf("commit: %w", orRollbackError(err, s.Rollback(t)))
	}
	if err != nil {
		if place != nil && s.giveUpTurn(place) {
			s.release(t, number) // it was durable, and somebody else knew that
		} else {
			s.lose(t)
		}
		return err
	}
	if place != nil {
		s.passTurn(place, lsn, j)
	} else {
		s.depart(t, number)
	}
	s.release(t, number)
	s.stats.commits.Add(1)
	return nil
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

// logEnd is steps 1 to 3; a state that is no commit takes no number. The journal's order is taken under the latch of the log header, and given
// back when redo has the group.
func (s *System) logEnd(t *Trx, state uint8, j Journal) (number base.TrxID, lsn base.LSN, place *turn, err error) {
	m := s.pool.Begin()
	var pg buffer.Page
	if t.log != 0 {
		pg, err = pinUndo(m, t.stream, t.log.Page(), buffer.Exclusive)
	} else {
		err = m.Ready()
	}
	if err == nil && j != nil {
		err = j.Order()
	}
	if err != nil {
		m.Commit()
		return 0, 0, nil, err
	}
	if t.log != 0 {
		if state == stateCommitted {
			number, err = s.takeNumber()
		}
		if err != nil {
			if j != nil {
				j.Abandon()
			}
			m.Commit()
			return 0, 0, nil, err
		}
		flags := uint8(0)
		if t.work {
			flags = logWork
		}
		body := encodeLogState(int(t.log.Offset()), state, flags, number)
		m.Apply(pg, opLogState, body[:])
	}
	if j == nil {
		lsn, err = m.Commit()
		return number, lsn, nil, err
	}
	j.Log(m)
	if lsn, err = m.Commit(); err != nil {
		j.Abandon()
		return number, 0, nil, err
	}
	seen := t
	if state != stateCommitted {
		seen = nil
	}
	place = s.takeTurn(&t.turn, seen, number, lsn, j.Waits())
	j.Placed(lsn)
	return number, lsn, place, nil
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
func (s *System) harden(lsn base.LSN, sync SyncMode) error {
	switch sync {
	case SyncFlush:
		return s.log.FlushTo(lsn)
	case SyncWrite:
		return s.log.WriteTo(lsn)
	}
	return s.log.Failure().Err()
}

// finish is steps 5 to 7, for a commit with its number, and for a transaction without a log or rolled back (number 0).
func (s *System) finish(t *Trx, number base.TrxID) {
	s.depart(t, number)
	s.release(t, number)
}

// depart is step 5.
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

// release is steps 6 and 7.
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
