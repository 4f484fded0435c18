package txn

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// Rollback reads a log backward, from the tail of its stream, lets the table room restore each row,
// and cuts the log off behind it, a page at a time. What is cut off is undone; what is not may be
// undone again after a crash, which UndoRow allows. So the log itself is the progress.
//
//	... | log header | rec | rec | rec ┊ rec | rec |
//	                                   ↑ top after the page's last records are undone

var errStopped = errors.New("stopped")

// RollbackTo takes everything back that t did after m. It cannot be interrupted; ctx is for the
// caller's values only. After an error a part of that may stand: t can only be rolled back as a
// whole, and a Commit does that and returns an error.
func (t *Trx) RollbackTo(_ context.Context, m Mark) error {
	if m >= t.records {
		return nil
	}
	if err := t.sys.undoTo(t, m, nil); err != nil {
		t.torn = err
		return err
	}
	if t.statement != noStatement {
		t.statement = min(t.statement, m)
	}
	if t.Journal != nil {
		t.Journal.rolledBack(m)
	}
	return nil
}

// whole tells why t, a part of which could not be rolled back, may neither commit nor write.
func (t *Trx) whole() error {
	if t.torn == nil {
		return nil
	}
	return fmt.Errorf("the transaction can only be rolled back, since a part of it could not be: %w", t.torn)
}

// Rollback takes back everything and ends t. A large transaction is only marked as aborted; a
// background worker restores its rows. An error leaves the transaction aborted: its changes are
// invisible, and the worker tries again.
func (s *System) Rollback(t *Trx) error {
	s.stats.rollbacks.Add(1)
	defer t.Journal.Leave()
	if t.log == 0 {
		s.finish(t, 0)
		return nil
	}
	if uint64(t.records) <= s.inPlace {
		err := s.undoTo(t, 0, nil)
		if err == nil {
			err = s.closeLog(t, stateDone)
		}
		if err == nil {
			s.finish(t, 0)
			return nil
		}
		s.abort(t)
		return err
	}
	err := s.closeLog(t, stateAborted)
	s.abort(t)
	return err
}

// abort moves t to the aborted: invisible, without locks, restored in the background.
func (s *System) abort(t *Trx) {
	s.condemn(t)
	t.ended = true
	if t.view.open {
		s.closeView(&t.view)
	}
	s.locks.ReleaseAll(&t.Owner)
	s.undone.push(t)
}

// condemn puts t among the aborted of the active set. It comes before the release of its locks: see
// LockImplicit.
func (s *System) condemn(t *Trx) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.state.Store(uint32(Aborted))
	s.mu.aborted++
	s.boundsLocked()
}

// closeLog writes a new state into t's log header.
func (s *System) closeLog(t *Trx, state uint8) error {
	m := s.pool.Begin()
	defer m.Commit()
	pg, err := pinUndo(m, t.stream, t.log.Page(), buffer.Exclusive)
	if err != nil {
		return err
	}
	body := encodeLogState(int(t.log.Offset()), state, 0, 0)
	m.Apply(pg, opLogState, body[:])
	return nil
}

// undoTo undoes t's records from the newest down to number mark. stop, if not nil, ends it between
// two rows.
func (s *System) undoTo(t *Trx, mark Mark, stop context.Context) error {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	var pace pacer
	for t.records > mark {
		if err := r.load(s, t.stream, t.stream.tail); err != nil {
			return err
		}
		top, bottom, err := s.undoPage(t, r, mark, stop)
		if cut := s.cut(t, r, top, bottom); err == nil {
			err = cut
		}
		if err != nil {
			return err
		}
		if stop != nil {
			pace.yield(s)
		}
	}
	return nil
}

// undoPage undoes the records of r's page and returns where the rest of it ends. bottom: nothing of
// t's log is left on the page but, perhaps, its header.
func (s *System) undoPage(t *Trx, r *reader, mark Mark, stop context.Context) (top int, bottom bool, err error) {
	rec := &r.rec
	top = r.view().top()
	for top > pageStart {
		off, ok := r.view().before(top)
		if !ok {
			return top, false, corrupt(r.no, top, "damaged end of an undo entry")
		}
		if base.MakeRollPtr(r.no, uint16(off)) == t.log {
			t.records = 0
			return top, true, nil
		}
		if stop != nil && stop.Err() != nil {
			return top, false, errStopped
		}
		isRec, err := r.record(s, off, rec)
		if err != nil {
			return top, false, err
		}
		if isRec {
			if rec.Trx != t.ID() {
				return top, false, corrupt(r.no, off, "record of transaction %d in the log of %d", rec.Trx, t.ID())
			}
			if Mark(rec.No) < mark {
				t.records = mark
				return top, false, nil
			}
			if err := s.undoer.UndoRow(rec); err != nil {
				return top, false, err
			}
			s.stats.undoneRows.Add(1)
			t.AddWeight(-1)
			t.records = Mark(rec.No)
		}
		top = off
	}
	return top, true, nil
}

// cut ends the log of t at top of its tail page, and frees the page if nothing is left on it.
func (s *System) cut(t *Trx, r *reader, top int, bottom bool) error {
	if bottom && top == pageStart {
		prev := r.view().prev()
		if prev == base.NilPage {
			return corrupt(r.no, top, "the undo log of transaction %d has no header", t.ID())
		}
		return s.dropTail(t.stream, prev)
	}
	if top == r.view().top() {
		return nil
	}
	m := s.pool.Begin()
	defer m.Commit()
	pg, err := pinUndo(m, t.stream, r.no, buffer.Exclusive)
	if err != nil {
		return err
	}
	m.Apply(pg, opTruncate, le.AppendUint16(nil, uint16(top)))
	return nil
}

var readers = sync.Pool{New: func() any { return new(reader) }}
