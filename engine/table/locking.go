package table

import (
	"bytes"
	"context"
	"errors"
	"io"

	"emberdb/engine/btree"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Locking reads. They see the newest version of a row, once they have its lock. Record by record:
// position under the leaf's latch, ask for the lock under the latch, let go; if the lock must be
// waited for, the record is looked at again afterwards, whatever it is by then.
//
//	step:   latch ──> end of the range: gap lock ──────────────────────────────────────────────> io.EOF
//	          │──> writer aborted ──> restore the row ──> step, same record
//	          │──> lock not free ──> wait (or ErrNoWait, or next record) ──> step, same record
//	          └──> locked ──> copy ──> (secondary: lock and copy the clustered row, the same way)
//	          ──> row, or next record

func (s *Scan) nextLocked(ctx context.Context) ([]row.Value, error) {
	s.unlock, s.unlockCl = false, false
	for !s.done || s.held.left() {
		if s.held.left() {
			if vals, err := s.heldRow(); vals != nil || err != nil {
				return vals, err
			}
			continue
		}
		if err := interrupted(ctx); err != nil {
			return nil, err
		}
		if s.ahead() {
			if n, err := s.lockLeaf(); n > 0 || err != nil {
				if err != nil {
					return nil, err
				}
				continue
			}
		}
		found, err := s.lockRecord(ctx)
		if err != nil {
			return nil, err
		}
		if !found {
			s.streak = 0
			continue
		}
		s.streak++
		vals, err := s.lockedRow(ctx)
		if vals != nil || err != nil {
			if err == nil && (s.point || s.last && bytes.Equal(s.entry, s.o.Upper)) {
				s.done = true
			}
			return vals, err
		}
		s.UnlockRow() // nothing there: below REPEATABLE READ no lock remains
	}
	return nil, io.EOF
}

// UnlockRow gives back the lock of the row Next returned last: it did not match. Below REPEATABLE
// READ only; else locks stay.
func (s *Scan) UnlockRow() {
	if s.t.parts != nil {
		if s.u != nil && s.u.at < len(s.u.scans) {
			s.u.scans[s.u.at].UnlockRow()
		}
		return
	}
	if gaps(s.tx) {
		return
	}
	mode := s.lockMode()
	if s.unlock {
		s.t.svc.Locks.Unlock(&s.tx.Owner, s.ix.tree.ID, s.entry, mode)
	}
	if s.unlockCl {
		s.t.svc.Locks.Unlock(&s.tx.Owner, s.t.clustered().tree.ID, s.rowKey, mode)
	}
	s.unlock, s.unlockCl = false, false
}

func (s *Scan) lockMode() lock.Mode {
	if s.o.Lock == Shared {
		return lock.S
	}
	return lock.X
}

// obstacle is why a record could not be locked at once.
type obstacle struct {
	wait    *lock.Wait
	fresh   *bool  // with wait: gets told whether waiting made a new lock
	aborted header // restore this version first
	probe   bool   // the entry's row may be changed by an active transaction: see probe
	marked  bool   // with probe: the entry is delete-marked
	none    bool   // there is no such row
	match   bool   // ask Match whether the row is worth waiting for
}

// overcome deals with an obstacle; again: look at the record once more. REQUIRES: no latch held.
func (s *Scan) overcome(ctx context.Context, o obstacle) (again bool, err error) {
	switch {
	case o.wait != nil:
		err := s.t.wait(ctx, s.tx, o.wait)
		*o.fresh = s.tx.Fresh()
		s.probes = 0 // the writer may have been aborted
		return true, err
	case o.aborted.trx != 0:
		return true, s.t.restore(o.aborted)
	case o.probe:
		s.probes++
		return true, s.probe(o.marked)
	case o.match:
		s.matched, err = s.worthWaiting()
		return s.matched, err
	}
	return false, nil // SkipLocked
}

// lockRecord locks the next record of the range, waiting as the policy says. false: there was none,
// or it is skipped; done tells. The record's key is s.entry, the value (clustered) or mark
// (secondary) s.value.
func (s *Scan) lockRecord(ctx context.Context) (found bool, err error) {
	for {
		var o obstacle
		found, o, err = s.tryRecord()
		if err != nil || found || s.done {
			return found, err
		}
		s.streak = 0
		if s.again, err = s.overcome(ctx, o); err != nil {
			return false, err
		}
		if !s.again {
			return false, s.refused()
		}
	}
}

// refused is the outcome of a record that stays locked by somebody else: an error under NOWAIT, the
// next record otherwise.
func (s *Scan) refused() error {
	if s.o.Wait == NoWait {
		return base.ErrNoWait
	}
	return nil
}

// worthWaiting asks Match about the last committed version of the row s.value.
func (s *Scan) worthWaiting() (bool, error) {
	writer := parseHeader(s.value).trx
	for v := newVersion(s.value); ; {
		if v.trx != writer || s.state == txn.Committed {
			if v.deleted() {
				return false, nil
			}
			vals, err := s.decode(v.row, s.entry)
			if err != nil {
				return errors.Is(err, base.ErrNotFound), ignore(err, base.ErrNotFound)
			}
			return s.o.Match(vals)
		}
		ok, err := s.t.older(&s.walk, &v)
		if errors.Is(err, base.ErrNotFound) {
			return true, nil // it was undone this moment
		}
		if !ok || err != nil {
			return false, err // nothing committed yet
		}
	}
}

func ignore(err, known error) error {
	if errors.Is(err, known) {
		return nil
	}
	return err
}

// tryRecord positions the scan and tries to lock the record there. On an obstacle pos is the
// record.
func (s *Scan) tryRecord() (found bool, o obstacle, err error) {
	m := s.t.svc.Pool.BeginRead()
	defer m.Commit()
	var cur btree.Cursor
	same := false
	if s.limit == 0 {
		s.limit = 1
		if cur, err = s.seek(m); err == nil && s.o.Reverse && gaps(s.tx) {
			err = s.lockGap(&cur, true)
		}
	} else {
		cur, same, err = s.resume(m, s.again)
	}
	if err != nil {
		return false, o, err
	}
	if !same {
		s.probes, s.matched, s.unlock, s.unlockCl = 0, false, false, false
	}
	s.again = false
	if !s.inside(&cur) {
		s.done = true
		if gaps(s.tx) && !s.o.Reverse {
			err = s.lockGap(&cur, false)
		}
		return false, o, err
	}
	cur.Save(&s.pos)
	if s.beside = cur.Before(); s.o.Reverse {
		s.beside = cur.After()
	}
	s.entry = append(s.entry[:0], cur.Key()...)
	if s.ix.pos == 0 {
		if err = s.t.checkValue(cur.Value()); err != nil {
			return false, o, err
		}
		found, o = s.tryLock(s.ix, s.entry, cur.Value(), s.recordKind(s.entry, cur.Value()[0]&flagDeleted != 0), &s.unlock)
		writer := parseHeader(cur.Value()).trx
		if o.match {
			s.state = s.t.writerState(writer)
		}
		if found {
			if err = s.t.checkRead(s.tx, writer); err != nil {
				return false, o, err
			}
		}
	} else {
		found, o = s.tryEntry(&cur)
	}
	s.value = append(s.value[:0], cur.Value()...)
	return found, o, nil
}

// lockGap locks the gap before the cursor's record, or before the one behind it. Gap locks never
// wait.
func (s *Scan) lockGap(cur *btree.Cursor, behind bool) error {
	key, err := successor(cur)
	if behind && cur.Valid() {
		key, err = peek(cur)
	}
	if err == nil {
		s.t.svc.Locks.Lock(&s.tx.Owner, s.ix.tree.ID, key, s.lockMode(), lock.Gap)
	}
	return err
}

// recordKind is the kind of lock for a record of the index.
func (s *Scan) recordKind(key []byte, marked bool) lock.Kind {
	switch {
	case !gaps(s.tx):
		return lock.Record
	case s.lowerFull && !marked && !s.o.Reverse && bytes.HasPrefix(key, s.lo):
		return lock.Record // nothing with this key can come before it
	}
	return lock.NextKey
}

// tryLock locks a clustered record whose leaf is latched, by the policy of the scan.
func (s *Scan) tryLock(ix *index, key, value []byte, kind lock.Kind, fresh *bool) (ok bool, o obstacle) {
	h := parseHeader(value)
	if s.t.claim(s.tx, ix.tree, key, h.trx) {
		s.keepGap(ix, key, kind)
		return false, obstacle{aborted: h}
	}
	if h.trx == s.tx.ID() && h.trx != 0 && kind == lock.Record {
		return true, o // ours already, by having written it
	}
	return s.ask(ix, key, kind, fresh)
}

// keepGap locks the gap before a record that is to have a next-key lock, before an obstacle is
// dealt with that is no wait for the lock: the scan comes back to the record itself, and would pass
// over what is inserted in front of it meanwhile. A request that waits keeps others out of the gap
// by itself.
func (s *Scan) keepGap(ix *index, key []byte, kind lock.Kind) {
	if kind == lock.NextKey {
		s.t.svc.Locks.Lock(&s.tx.Owner, ix.tree.ID, key, s.lockMode(), lock.Gap)
	}
}

// ask requests a record lock.
func (s *Scan) ask(ix *index, key []byte, kind lock.Kind, fresh *bool) (ok bool, o obstacle) {
	locks, mode := s.t.svc.Locks, s.lockMode()
	asking := s.o.Match != nil && ix == s.ix && ix.pos == 0 && !gaps(s.tx) && !s.matched
	if kind == lock.NextKey {
		ok, w := locks.LockBeside(&s.tx.Owner, ix.tree.ID, s.beside, key, mode, s.streak, s.o.Wait == Wait)
		return ok, obstacle{wait: w, fresh: fresh}
	}
	if s.o.Wait == Wait && !asking {
		w := locks.Lock(&s.tx.Owner, ix.tree.ID, key, mode, kind)
		if w == nil && s.tx.Fresh() {
			*fresh = true
		}
		return w == nil, obstacle{wait: w, fresh: fresh}
	}
	ok = locks.TryLock(&s.tx.Owner, ix.tree.ID, key, mode, kind)
	if ok && s.tx.Fresh() {
		*fresh = true
	}
	return ok, obstacle{match: s.o.Wait == Wait}
}

// tryEntry locks a secondary entry whose leaf is latched. As long as somebody who changed the page
// is unfinished the row is probed before the lock is asked for; and after it is granted if the
// entry is marked, for its writer may have been aborted in between.
func (s *Scan) tryEntry(cur *btree.Cursor) (ok bool, o obstacle) {
	settled := s.t.settledFor(s.tx, writerOf(cur))
	marked := cur.Value()[0]&flagDeleted != 0
	kind := s.recordKind(s.entry, marked)
	if !settled && s.probes == 0 {
		s.keepGap(s.ix, s.entry, kind)
		return false, obstacle{probe: true, marked: marked}
	}
	ok, o = s.ask(s.ix, s.entry, kind, &s.unlock)
	if ok && marked && !settled && s.probes == 1 {
		return false, obstacle{probe: true, marked: marked}
	}
	return ok, o
}

// probe makes the implicit lock that an active transaction has on the entry s.entry an entry of the
// lock table. A writer has one only on an entry that it has inserted; those that it marks or
// revives it locks itself. An entry that the writer has not come to yet is not its own: the scan
// may lock it first, and the writer waits then. marked is the entry's mark. probe works without a
// latch: if the writer ends meanwhile, the lock of the clustered row is still to come.
func (s *Scan) probe(marked bool) error {
	key, err := s.t.splitEntry(s.ix, s.entry)
	if err != nil {
		return err
	}
	for range maxAttempts {
		value, state, ok, err := s.t.fetchState(s.value, key)
		s.value = value
		if err != nil || !ok {
			return err
		}
		v := newVersion(value)
		writer := v.trx
		if writer == s.tx.ID() || state == txn.Committed {
			return nil
		}
		if state == txn.Aborted {
			if err := s.t.restore(v.header); err != nil {
				return err
			}
			continue
		}
		now, err := s.t.produces(&s.walk, s.ix, &v, s.entry, key)
		if err != nil {
			return err
		}
		changed, err := s.t.changes(&s.walk, s.ix, v, s.entry, key, now)
		if errors.Is(err, base.ErrNotFound) {
			continue
		}
		if err == nil && changed && now && !marked && s.t.svc.Txns.LockImplicit(writer, s.ix.tree.ID, s.entry) != txn.Active {
			continue
		}
		return err
	}
	return s.t.corrupt("the versions of row %x cannot be read", key)
}

// lockedRow returns the row of the record just locked; nil when there is none for this statement.
func (s *Scan) lockedRow(ctx context.Context) ([]row.Value, error) {
	if s.ix.pos == 0 {
		s.rowKey = append(s.rowKey[:0], s.entry...)
		return s.current(nil)
	}
	if s.value[0]&flagDeleted != 0 {
		return nil, nil
	}
	key, err := s.t.splitEntry(s.ix, s.entry)
	if err != nil {
		return nil, err
	}
	s.rowKey = append(s.rowKey[:0], key...)
	for {
		found, o, err := s.tryClustered()
		if err != nil {
			return nil, err
		}
		if found {
			return s.current(s.entry)
		}
		if o.none {
			return nil, nil
		}
		again, err := s.overcome(ctx, o)
		if err == nil && !again {
			err = s.refused()
		}
		if err != nil || !again {
			return nil, err
		}
	}
}

// tryClustered locks the clustered record s.rowKey and copies it to s.value. A shared read that the
// index covers does without the lock, if nobody is changing the row: the entry's lock keeps its
// columns as they are.
func (s *Scan) tryClustered() (found bool, o obstacle, err error) {
	m := s.t.svc.Pool.BeginRead()
	defer m.Commit()
	value, ok, err := s.t.pinRow(m, s.rowKey)
	if err != nil || !ok {
		return false, obstacle{none: true}, err
	}
	h := parseHeader(value)
	if s.covering && s.o.Lock == Shared && (h.trx == s.tx.ID() || s.t.settled(h.trx)) {
		found = true
	} else {
		found, o = s.tryLock(s.t.clustered(), s.rowKey, value, lock.Record, &s.unlockCl)
	}
	s.value = append(s.value[:0], value...)
	if found {
		err = s.t.checkRead(s.tx, h.trx)
	}
	return found, o, err
}

// current returns the row s.value, which is locked. With an entry it must be one that produces it.
func (s *Scan) current(entry []byte) ([]row.Value, error) {
	v := newVersion(s.value)
	if v.trx == s.h.own && s.h.own != 0 && !s.h.all {
		for v.trx == s.h.own {
			late, err := s.t.changedSince(&s.h, &s.walk, &v)
			if err != nil {
				return nil, err
			}
			if !late {
				break
			}
			if s.o.Target {
				return nil, nil
			}
			if ok, err := s.t.older(&s.walk, &v); !ok || err != nil {
				return nil, err
			}
		}
	}
	if v.deleted() {
		return nil, nil
	}
	if entry != nil {
		if yes, err := s.t.produces(&s.walk, s.ix, &v, entry, s.rowKey); !yes || err != nil {
			return nil, err
		}
	}
	if s.o.First == nil {
		return s.decode(v.row, s.rowKey)
	}
	s.shown = v.row
	return s.decodeSome(v.row, s.rowKey, s.o.First)
}
