package table

import (
	"bytes"
	"errors"
	"runtime"
	"slices"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Rollback and purge of one undo record. Both act on what they find and may be repeated: after a
// crash, or by a writer that meets the row of an aborted transaction while the background rollback
// is at the same record.

// undoer finds the table of a record.
type undoer struct {
	use func(base.TableID, func(*Table) error) error
}

// NewUndoer returns the RowUndoer of all tables. use calls the function with the table of an id, or
// not at all if there is none any more, and keeps its trees in place meanwhile.
func NewUndoer(use func(base.TableID, func(*Table) error) error) txn.RowUndoer { return undoer{use} }

func (u undoer) UndoRow(rec *txn.UndoRecord) error {
	return u.use(rec.Table, func(t *Table) error { return t.UndoRow(rec) })
}

func (u undoer) PurgeRow(rec *txn.UndoRecord) error {
	return u.use(rec.Table, func(t *Table) error { return t.PurgeRow(rec) })
}

// UndoRow takes back the change that rec describes, if it is still the newest one of its row.
// REQUIRES: no latch held.
func (t *Table) UndoRow(rec *txn.UndoRecord) error {
	if len(rec.Key) == 0 {
		if len(rec.Body) != row.OverflowRefSize {
			return t.corrupt("undo record %d:%d: malformed reference", rec.Ptr.Page(), rec.Ptr.Offset())
		}
		return t.freeChain(row.ParseOverflow(-1, rec.Body))
	}
	stripe := t.svc.undoStripe(t.clustered().def.ID, rec.Key)
	stripe.Lock()
	defer stripe.Unlock()
	w := getWork()
	defer w.put()
	w.key = append(w.key[:0], rec.Key...)
	value, ok, err := t.fetch(w.old[:0], w.key)
	w.old = value
	undone := header{trx: rec.Trx, ptr: rec.Ptr}
	if err != nil || !ok || !parseHeader(value).same(undone) {
		return err
	}
	if rec.Type == txn.UndoInsert {
		return t.undoInsert(w, undone)
	}
	return t.undoChange(w, rec, undone)
}

// undoInsert removes the row w.key, whose value is w.old.
func (t *Table) undoInsert(w *work, undone header) error {
	l, begun := limits{undone: &undone}, t.now()
	if err := t.settleAll(w, w.old[headerLen:], l); err != nil {
		return err
	}
	// A transaction that goes on after rolling back to a savepoint keeps the lock of its row: as a
	// gap lock, once the row is gone.
	t.svc.Txns.LockImplicit(undone.trx, t.clustered().tree.ID, w.key)
	if err := t.removeRow(w.key, undone); err != nil {
		return err
	}
	return t.settleAgain(w, begun, undone.trx, w.old[headerLen:])
}

// moment is a point in the work of those who look at entries beside rollback.
type moment struct {
	limit base.TrxID // of purge
	built uint64
}

func (t *Table) now() moment { return moment{t.svc.Txns.PurgeLimit(), t.svc.built.Load()} }

// undisturbed tells that nobody can have settled entries since begun: purge, if its limit was
// raised, and the builder of an index.
func (t *Table) undisturbed(begun moment) bool { return t.svc.building.Load() == 0 && t.now() == begun }

// settleAgain settles entries once more after the clustered record was restored, if somebody may
// have settled them since begun, when the undone version was still the newest.
func (t *Table) settleAgain(w *work, begun moment, undone base.TrxID, rowBytes []byte) error {
	if t.undisturbed(begun) {
		return nil
	}
	return t.settleAll(w, rowBytes, limits{again: undone})
}

// undoChange puts the version before the newest, w.old, in its place.
func (t *Table) undoChange(w *work, rec *txn.UndoRecord, undone header) error {
	body, err := t.parseBody(rec)
	if err != nil {
		return err
	}
	newer := newVersion(w.old)
	before := header{body.flags, rec.PrevTrx, rec.PrevPtr}
	record, ok := row.ApplyPatch(appendHeader(w.record[:0], before), newer.row, body.prefix, body.suffix, body.middle)
	w.record = record
	if !ok {
		return t.corrupt("undo record %d:%d does not fit its row", rec.Ptr.Page(), rec.Ptr.Offset())
	}
	l, begun := limits{undone: &undone}, t.now()
	updated := !before.deleted() && !newer.deleted()
	switch {
	case updated:
		err = t.settleUpdated(w, record[headerLen:], newer.row, l)
	case !before.deleted():
		err = t.settleAll(w, record[headerLen:], l)
	case !newer.deleted():
		err = t.settleAll(w, newer.row, l)
	}
	if err != nil {
		return err
	}
	m := t.svc.Pool.Begin()
	cur, err := t.clustered().tree.Seek(m, w.key, buffer.Exclusive)
	if err != nil || !cur.Exact(w.key) || !parseHeader(cur.Value()).same(undone) {
		m.Commit()
		return err
	}
	if before.deleted() && before.trx != undone.trx {
		gone, err := t.svc.Txns.Purged(before.ptr, before.trx)
		if errors.Is(err, base.ErrNotFound) {
			gone, err = true, nil // the latch keeps rollback away
		}
		if err != nil {
			m.Commit()
			return err
		}
		if gone { // invariant 7; purge need not have come here yet, and will find nothing
			w.walk.m = m
			entries, err := t.deletedEntries(w, newVersion(w.record))
			w.walk.m = nil
			if err != nil {
				m.Commit()
				if errors.Is(err, errBusy) {
					runtime.Gosched()
					return t.undoChange(w, rec, undone)
				}
				return err
			}
			if err := t.removeLatched(m, &cur, w.key); err != nil {
				return err
			}
			for _, e := range entries {
				if err := t.settle(w, e.ix, e.key, limits{again: undone.trx}); err != nil {
					return err
				}
			}
			return t.settleAgain(w, begun, undone.trx, newer.row)
		}
	}
	if before.trx != undone.trx {
		t.svc.Txns.KeepLock(undone.trx, t.clustered().tree.ID, w.key)
	}
	if _, err = t.replaceRecord(nil, m, &cur, w.key, w.old, w.record); err != nil || t.undisturbed(begun) {
		return err
	}
	again := limits{again: undone.trx}
	if updated {
		return t.settleUpdated(w, w.record[headerLen:], newer.row, again)
	}
	if err := t.settleAll(w, w.record[headerLen:], again); err != nil {
		return err
	}
	return t.settleAll(w, newer.row, again)
}

// rowEntry is an entry a version of a row has.
type rowEntry struct {
	ix  *index
	key []byte
}

// deletedEntries are the entries of v, a version of row w.key that was deleted, and of the deleted
// ones before it: purge may still have to come to any of these deletes, and knows their entries
// from the row only.
// REQUIRES: the row's leaf is X-latched, or purge might free what is read here.
func (t *Table) deletedEntries(w *work, v version) (out []rowEntry, err error) {
	for more := true; more; {
		for _, ix := range t.indexes[1:] {
			if !v.deleted() {
				break
			}
			keys, err := t.entryKeys(&w.walk, ix, v.row, w.key)
			if ignore(err, base.ErrNotFound) != nil { // else its long values are freed: purge was here
				return nil, err
			}
			for _, key := range keys {
				out = append(out, rowEntry{ix, key})
			}
		}
		if more, err = t.older(&w.walk, &v); errors.Is(err, base.ErrNotFound) {
			return out, nil // purged
		} else if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// settleAll settles the entries a version of row w.key has in all indexes.
func (t *Table) settleAll(w *work, rowBytes []byte, l limits) error {
	for _, ix := range t.indexes[1:] {
		e, err := t.elementsOf(&w.walk, ix, rowBytes)
		for err == nil && e.next() {
			var entry []byte
			entry, err = t.entryKey(w.entry[:0], &w.walk, ix, rowBytes, e.part, w.key)
			if w.entry = entry; err == nil {
				err = t.settle(w, ix, entry, l)
			}
		}
		// Not found: its long values are freed, the version was dealt with before.
		if ignore(err, base.ErrNotFound) != nil {
			return err
		}
	}
	return nil
}

// settleUpdated settles the entries that one of two versions of row w.key has and the other lacks.
// What both have was live before the update, which has not touched it, and is live after its undo.
func (t *Table) settleUpdated(w *work, one, other []byte, l limits) error {
	for _, ix := range t.indexes[1:] {
		a, err := t.entryKeys(&w.walk, ix, one, w.key)
		if ignore(err, base.ErrNotFound) != nil { // else its long values are freed: it was dealt with before
			return err
		}
		b, err := t.entryKeys(&w.walk, ix, other, w.key)
		if ignore(err, base.ErrNotFound) != nil {
			return err
		}
		for _, entry := range lacking(b, a, lacking(a, b, nil)) {
			if err := t.settle(w, ix, entry, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// lacking appends the keys that others, which ascend, do not have.
func lacking(keys, others, out [][]byte) [][]byte {
	for _, k := range keys {
		if _, has := slices.BinarySearchFunc(others, k, bytes.Compare); !has {
			out = append(out, k)
		}
	}
	return out
}

// removeRow takes the clustered record away if it is still of that version.
func (t *Table) removeRow(key []byte, h header) error {
	m := t.svc.Pool.Begin()
	cur, err := t.clustered().tree.Seek(m, key, buffer.Exclusive)
	if err != nil || !cur.Exact(key) || !parseHeader(cur.Value()).same(h) {
		m.Commit()
		return err
	}
	return t.removeLatched(m, &cur, key)
}

// removeLatched removes the cursor's record and commits m.
func (t *Table) removeLatched(m *buffer.Mtr, cur *btree.Cursor, key []byte) error {
	err := t.removeRecord(t.clustered(), cur, key)
	underfull := err == nil && cur.Underfull()
	m.Commit()
	if underfull {
		return t.clustered().tree.Merge(key)
	}
	return err
}

// PurgeRow drops what only versions older than the change rec describes needed. The change is
// committed and every view sees it.
func (t *Table) PurgeRow(rec *txn.UndoRecord) error {
	if rec.Type == txn.UndoInsert || len(rec.Key) == 0 {
		return nil
	}
	body, err := t.parseBody(rec)
	if err != nil {
		return err
	}
	w := getWork()
	defer w.put()
	w.key = append(w.key[:0], rec.Key...)
	self := header{trx: rec.Trx, ptr: rec.Ptr}
	if rec.Type == txn.UndoDeleteMark {
		if err := t.purgeDelete(w, self); err != nil {
			return err
		}
	}
	l := limits{last: &self}
	for {
		id, entry, ok := body.nextKey()
		if !ok {
			break
		}
		for _, ix := range t.indexes[1:] {
			if ix.def.ID == id { // else the index was dropped
				if err := t.settle(w, ix, entry, l); err != nil {
					return err
				}
			}
		}
	}
	return body.eachChain(t.freeChain)
}

// purgeDelete removes the row w.key if it still is as the delete self left it; else the entries
// only the deleted row had.
func (t *Table) purgeDelete(w *work, self header) error {
	l := limits{last: &self}
	for {
		value, ok, err := t.fetch(w.old[:0], w.key)
		w.old = value
		if err != nil || !ok {
			return err
		}
		v := newVersion(value)
		if v.same(self) {
			err = t.settleAll(w, v.row, l)
			if err == nil {
				err = t.removeRow(w.key, self)
			}
			if err != nil {
				return err
			}
			continue // it may have been revived in between
		}
		done, err := t.purgeRevived(w, v, self, l)
		if done || err != nil {
			return err
		}
	}
}

// purgeRevived settles the entries of the version that self deleted, found by going back from v.
// false: v was undone meanwhile.
func (t *Table) purgeRevived(w *work, v version, self header, l limits) (done bool, err error) {
	var back walk
	for top := v.header; !v.same(self); {
		ok, err := t.older(&back, &v)
		if errors.Is(err, base.ErrNotFound) {
			value, ok, err := t.fetch(nil, w.key)
			return err == nil && ok && parseHeader(value).same(top), err
		}
		if !ok || err != nil {
			return true, err // the row was removed and inserted anew; its entries went with it
		}
	}
	return true, t.settleAll(w, v.row, l)
}
