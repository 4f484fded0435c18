package table

import (
	"bytes"
	"errors"

	"emberdb/engine/buffer"
	"emberdb/engine/lock"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Uniqueness of secondary keys. Entries of equal key differ in the clustered key behind it, so the
// tree does not keep them apart; whoever inserts one looks at the others first. The stripe of the
// key makes looking and inserting one step (invariant 6).

// checkUnique looks for another row with the key of entry, the future entry of row w.key. The
// result is a *DuplicateError, or a lock to wait for before looking again.
// REQUIRES: the key's stripe is held, no latch.
func (t *Table) checkUnique(tx *txn.Trx, w *work, ix *index, entry []byte, dup lock.Mode) (*lock.Wait, error) {
	prefix := entry[:len(entry)-len(w.key)]
	from := prefix
	for {
		other, ok, err := t.nextEqual(w, ix, from, prefix)
		if err != nil || !ok {
			return nil, err
		}
		if !bytes.Equal(other[len(prefix):], w.key) {
			wait, err := t.judge(tx, w, ix, other, len(prefix), dup)
			if wait != nil || err != nil {
				return wait, err
			}
		}
		from = append(other, 0) // the smallest key behind it
	}
}

// nextEqual copies the first entry >= from that begins with prefix into w.equal.
func (t *Table) nextEqual(w *work, ix *index, from, prefix []byte) (entry []byte, ok bool, err error) {
	m := t.svc.Pool.BeginRead()
	defer m.Commit()
	cur, err := ix.tree.Seek(m, from, buffer.Shared)
	if err != nil || !cur.Valid() || !bytes.HasPrefix(cur.Key(), prefix) {
		return nil, false, err
	}
	w.equal = append(w.equal[:0], cur.Key()...)
	w.equalMarked = cur.Value()[0]&flagDeleted != 0
	return w.equal, true, nil
}

// judge tells whether the row of an entry, which nextEqual has found, really has, or may yet have,
// that key.
func (t *Table) judge(tx *txn.Trx, w *work, ix *index, entry []byte, prefix int, dup lock.Mode) (*lock.Wait, error) {
	key := entry[prefix:]
	for {
		value, state, ok, err := t.fetchState(w.found, key)
		w.found = value
		if err != nil || !ok {
			return nil, err // an entry whose row is gone
		}
		v := newVersion(value)
		now, err := t.produces(&w.walk, ix, &v, entry, key)
		if err != nil {
			return nil, err
		}
		switch {
		case v.trx == tx.ID():
		case state == txn.Aborted:
			if err := t.restore(v.header); err != nil {
				return nil, err
			}
			continue
		case state == txn.Active:
			writer := v.trx
			changed, err := t.changes(&w.walk, ix, v, entry, key, now)
			if errors.Is(err, base.ErrNotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			switch {
			case !changed:
			case !now:
				now = true // the writer locks the entry when it comes to it: wait and look again
			case w.equalMarked: // it has not come to the entry yet
				if wait, err := t.await(tx, key); wait != nil || err != nil {
					return wait, err
				}
				continue
			case t.svc.Txns.LockImplicit(writer, ix.tree.ID, entry) != txn.Active:
				continue
			}
		}
		if !now {
			return nil, nil
		}
		return t.duplicate(tx, w, ix, entry, key, dup)
	}
}

// changes tells whether the transaction that made v, still active, gave the entry to the row or
// took it away, be it for a while only; now is what v says. It may go back to a savepoint, and its
// events name the entry: a key that it had in between is not free before it ends.
func (t *Table) changes(w *walk, ix *index, v version, entry, key []byte, now bool) (bool, error) {
	for writer := v.trx; v.trx == writer; {
		ok, err := t.older(w, &v)
		if err != nil {
			return false, err
		}
		if !ok { // it has made the row
			return now, nil
		}
		then, err := t.produces(w, ix, &v, entry, key)
		if then != now || err != nil {
			return true, err
		}
	}
	return false, nil
}

// duplicate locks the entry that is in the way and, for those who will change it, its row. Once
// they are locked the error is a *DuplicateError.
func (t *Table) duplicate(tx *txn.Trx, w *work, ix *index, entry, key []byte, dup lock.Mode) (*lock.Wait, error) {
	if wait := t.svc.Locks.Lock(&tx.Owner, ix.tree.ID, entry, dup, lock.NextKey); wait != nil {
		return wait, nil
	}
	m := t.svc.Pool.BeginRead()
	cur, err := t.clustered().tree.Seek(m, key, buffer.Shared)
	if err != nil || !cur.Exact(key) {
		m.Commit()
		return nil, err
	}
	w.found = append(w.found[:0], cur.Value()...)
	v := newVersion(w.found)
	var wait *lock.Wait
	aborted := v.trx != tx.ID() && t.writerState(v.trx) == txn.Aborted
	if dup == lock.X && !aborted && v.trx != tx.ID() {
		if aborted = t.claim(tx, t.clustered().tree, key, v.trx); !aborted {
			wait = t.svc.Locks.Lock(&tx.Owner, t.clustered().tree.ID, key, lock.X, lock.Record)
		}
	}
	m.Commit()
	if wait != nil {
		return wait, nil
	}
	if aborted {
		if err := t.restore(v.header); err != nil {
			return nil, err
		}
	}
	yes, err := t.produces(&w.walk, ix, &v, entry, key)
	if err != nil {
		return nil, err
	}
	if !aborted && !yes {
		if wait, err := t.await(tx, key); wait != nil || err != nil {
			return wait, err
		}
	}
	if aborted || !yes { // its writer has ended by now
		return t.judge(tx, w, ix, entry, len(entry)-len(key), dup)
	}
	if err := t.checkRead(tx, v.trx); err != nil {
		return nil, err
	}
	vals, err := t.decodeOwned(key, w.found)
	if errors.Is(err, base.ErrNotFound) { // a writer we need not wait for has gone back
		return t.judge(tx, w, ix, entry, len(entry)-len(key), dup)
	}
	if err != nil {
		return nil, err
	}
	return nil, &DuplicateError{Table: t.told, Index: ix.def, Row: vals}
}

// await is the wait for the transaction that has changed the row and is still active. The entry's
// lock does not lead to it when tx has that already, from an earlier look: then it is the writer
// who waits for tx, to mark the entry.
func (t *Table) await(tx *txn.Trx, key []byte) (*lock.Wait, error) {
	tree := t.clustered().tree
	m := t.svc.Pool.BeginRead()
	defer m.Commit()
	cur, err := tree.Seek(m, key, buffer.Shared)
	if err != nil || !cur.Exact(key) || t.claim(tx, tree, key, parseHeader(cur.Value()).trx) {
		return nil, err
	}
	return t.svc.Locks.Lock(&tx.Owner, tree.ID, key, lock.S, lock.Record), nil
}
