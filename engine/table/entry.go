package table

import (
	"context"
	"errors"
	"runtime"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// Secondary entries. A writer that holds the row's X lock and has changed the clustered record
// already adds and marks entries without a look at the versions: its own is the newest. Rollback
// and purge settle an entry: they look (invariant 4).

// addEntry makes the entry of a row that has just got its key in ix. entry may be w.entry.
func (t *Table) addEntry(ctx context.Context, tx *txn.Trx, w *work, ix *index, entry []byte, dup lock.Mode) error {
	var stripe *stripe[invariants.UniqueKey]
	if ix.unique {
		null, err := row.HasNull(entry, t.cols, ix.parts)
		if err != nil {
			return t.corrupt("new key %x of index %s: %v", entry, ix.def.Name, err)
		}
		if !null {
			stripe = t.svc.uniqueStripe(ix.def.ID, entry[:len(entry)-len(w.key)])
		}
	}
	for {
		var wait *lock.Wait
		var err error
		if stripe != nil {
			stripe.Lock()
			if ix.doubtful != nil {
				err = t.noteDoubtful(tx, w, ix, entry)
			} else {
				wait, err = t.checkUnique(tx, w, ix, entry, dup)
			}
		}
		if wait == nil && err == nil {
			wait, err = t.placeEntry(tx, ix, entry)
		}
		if stripe != nil {
			stripe.Unlock()
		}
		if err != nil {
			return err
		}
		if wait == nil {
			return nil
		}
		if err := t.wait(ctx, tx, wait); err != nil {
			return err
		}
	}
}

// placeEntry inserts the entry, or takes the mark off one that is there.
func (t *Table) placeEntry(tx *txn.Trx, ix *index, entry []byte) (*lock.Wait, error) {
	m, cur, err := ix.tree.SeekWrite(entry, len(entry)+1)
	if err != nil {
		if errors.Is(err, base.ErrRowTooBig) {
			err = base.ErrKeyTooLong
		}
		return nil, err
	}
	defer m.Commit()
	cur.SetWriter(tx.ID())
	if cur.Exact(entry) {
		if wait := t.svc.Locks.Lock(&tx.Owner, ix.tree.ID, entry, lock.X, lock.Record); wait != nil {
			return wait, nil
		}
		cur.Patch(0, []byte{0})
		return nil, nil
	}
	next, err := successor(&cur)
	if err != nil {
		return nil, err
	}
	if wait := t.svc.Locks.Lock(&tx.Owner, ix.tree.ID, next, lock.X, lock.InsertIntention); wait != nil {
		return wait, nil
	}
	t.svc.Locks.InheritOnInsert(ix.tree.ID, entry, next)
	cur.Insert(entry, []byte{0})
	return nil, nil
}

// markEntry delete-marks the entry of a key that a row has lost.
func (t *Table) markEntry(ctx context.Context, tx *txn.Trx, ix *index, entry []byte) error {
	t.visit(ix, entry)
	for {
		m := t.svc.Pool.Begin()
		cur, err := ix.tree.Seek(m, entry, buffer.Exclusive)
		if err != nil || !cur.Exact(entry) {
			// An index that is being built need not have the entry yet; the builder will see that
			// it is not wanted.
			m.Commit()
			return err
		}
		wait := t.svc.Locks.Lock(&tx.Owner, ix.tree.ID, entry, lock.X, lock.Record)
		if wait == nil {
			cur.SetWriter(tx.ID())
			cur.Patch(0, []byte{flagDeleted})
		}
		m.Commit()
		if wait == nil {
			return nil
		}
		if err := t.wait(ctx, tx, wait); err != nil {
			return err
		}
	}
}

// entryState is what an entry must be, given the versions of its row.
type entryState uint8

const (
	entryKeep   entryState = iota // leave it as it is
	entryAbsent                   // no version needs it
	entryMarked                   // an older version needs it
	entryLive                     // the newest version has it
)

// limits bound the versions that settle looks at.
type limits struct {
	undone *header // rollback: the newest version is this one and about to go; if it is another one already, nothing is left to do
	last   *header // purge: nobody needs a version older than this one
	// again is the transaction whose change was undone: a second look. What another active one
	// changes is left to it, for it locks an entry only when it comes to it.
	again base.TrxID
}

// settle brings an entry into the state the versions of its row want. REQUIRES: no latch held.
func (t *Table) settle(w *work, ix *index, entry []byte, l limits) error {
	t.visit(ix, entry)
	m := t.svc.Pool.Begin()
	cur, err := ix.tree.Seek(m, entry, buffer.Exclusive)
	if err != nil || !cur.Exact(entry) {
		m.Commit()
		return err
	}
	w.walk.m = m
	state, writer, err := t.entryState(w, ix, entry, l)
	w.walk.m = nil
	if err != nil {
		m.Commit()
		if errors.Is(err, errBusy) {
			runtime.Gosched()
			return t.settle(w, ix, entry, l)
		}
		return err
	}
	if l.last != nil && state != entryAbsent {
		// Purge only removes. A rollback may have set the mark right for the version it is about to
		// bring back.
		state = entryKeep
	}
	cur.SetWriter(writer)
	marked := cur.Value()[0]&flagDeleted != 0
	underfull := false
	switch {
	case state == entryLive && marked:
		cur.Patch(0, []byte{0})
	case state == entryMarked && !marked:
		cur.Patch(0, []byte{flagDeleted})
	case state == entryAbsent:
		if err := t.removeRecord(ix, &cur, entry); err != nil {
			m.Commit()
			return err
		}
		underfull = cur.Underfull()
	}
	m.Commit()
	if underfull {
		return ix.tree.Merge(entry)
	}
	return nil
}

// removeRecord takes the cursor's record, whose key is given, out of the tree; its locks go to the
// successor.
func (t *Table) removeRecord(ix *index, cur *btree.Cursor, key []byte) error {
	next, err := peek(cur)
	if err != nil {
		return err
	}
	t.svc.Locks.InheritOnDelete(ix.tree.ID, key, next)
	cur.Delete()
	return nil
}

// entryState looks at the versions of the entry's row. The entry's leaf is X-latched. writer made
// the newest version: it may be at work still and not have come to this entry, so whoever changes
// the entry by the state changes it for the writer, and views that do not see it must not take the
// page as settled.
func (t *Table) entryState(w *work, ix *index, entry []byte, l limits) (state entryState, writer base.TrxID, err error) {
	key, err := t.splitEntry(ix, entry)
	if err != nil {
		return entryKeep, 0, err
	}
	var before header
	for {
		value, made, ok, err := t.fetchState(w.found, key)
		w.found = value
		if err != nil {
			return entryKeep, 0, err
		}
		if !ok {
			return entryAbsent, 0, nil
		}
		v := newVersion(value)
		top := v.header
		if l.again != 0 && v.trx != l.again && made == txn.Active {
			state, err = t.entryLeft(w, ix, entry, key, v)
		} else {
			state, err = t.entryStateFrom(w, ix, entry, key, v, l)
		}
		if !errors.Is(err, base.ErrNotFound) {
			return state, top.trx, err
		}
		// The undo record of some version is gone. If nothing was undone meanwhile it is purged,
		// and so is all behind it.
		if top == before {
			return state, top.trx, nil
		}
		before = top
	}
}

// entryLeft is entryStateFrom for the second look at an entry of a row that an active transaction
// has changed to v.
func (t *Table) entryLeft(w *work, ix *index, entry, key []byte, v version) (entryState, error) {
	now, err := t.produces(&w.walk, ix, &v, entry, key)
	if err != nil {
		return entryKeep, err
	}
	if changed, err := t.changes(&w.walk, ix, v, entry, key, now); changed || err != nil {
		return entryKeep, err
	}
	return t.entryStateFrom(w, ix, entry, key, v, limits{})
}

// entryStateFrom walks the versions from v on. With base.ErrNotFound the state is that of the
// versions seen.
func (t *Table) entryStateFrom(w *work, ix *index, entry, key []byte, v version, l limits) (entryState, error) {
	if l.undone != nil {
		if !v.same(*l.undone) {
			return entryKeep, nil
		}
		if ok, err := t.older(&w.walk, &v); !ok {
			return entryAbsent, err
		}
	}
	for state := entryLive; ; state = entryMarked {
		yes, err := t.produces(&w.walk, ix, &v, entry, key)
		if err != nil {
			return entryKeep, err
		}
		if yes {
			return state, nil
		}
		if last, err := t.isLast(l, &v); last || err != nil {
			return entryAbsent, err
		}
		if ok, err := t.older(&w.walk, &v); !ok {
			return entryAbsent, err
		}
	}
}

// isLast tells whether nobody needs a version older than v.
func (t *Table) isLast(l limits, v *version) (bool, error) {
	if l.last != nil {
		return v.same(*l.last), nil
	}
	if v.ptr == 0 || l.undone != nil && v.trx == l.undone.trx {
		return false, nil
	}
	return t.svc.Txns.Purged(v.ptr, v.trx)
}
