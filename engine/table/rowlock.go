package table

import (
	"context"
	"errors"
	"fmt"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/lock"
	"emberdb/engine/pagefile"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Record locks. A row whose last writer is active is locked by it implicitly; whoever wants the row
// makes that lock an entry of the lock table first. A row whose last writer is aborted is locked by
// nobody and must be restored before anything else is done with it.

// settled tells whether a writer is certainly neither active nor aborted and uncleaned.
func (t *Table) settled(trx base.TrxID) bool {
	return trx < t.svc.Txns.OldestActive()
}

// settledFor tells whether no unfinished transaction but tx can have changed a secondary leaf with
// that newest writer.
func (t *Table) settledFor(tx *txn.Trx, writer base.TrxID) bool {
	oldest := t.svc.Txns.OldestActive()
	return writer < oldest || writer == oldest && writer == tx.ID()
}

// claim makes the implicit lock of a record's last writer explicit. key is of tree; the record's
// leaf is latched. aborted: restore the row first.
func (t *Table) claim(tx *txn.Trx, tree *btree.Tree, key []byte, writer base.TrxID) (aborted bool) {
	if writer == tx.ID() || t.settled(writer) {
		return false
	}
	return t.svc.Txns.LockImplicit(writer, tree.ID, key) == txn.Aborted
}

// writerState tells what became of the last writer of a record whose leaf is latched: under the
// latch an aborted one cannot have been cleaned.
func (t *Table) writerState(writer base.TrxID) txn.State {
	if t.settled(writer) {
		return txn.Committed
	}
	return t.svc.Txns.State(writer)
}

// fetchState is fetch, with the state that the last writer had at that moment.
func (t *Table) fetchState(dst, key []byte) (value []byte, state txn.State, ok bool, err error) {
	m := t.svc.Pool.BeginRead()
	defer m.Commit()
	cur, err := t.clustered().tree.Seek(m, key, buffer.Shared)
	if err != nil || !cur.Exact(key) {
		return dst, txn.Committed, false, err
	}
	dst = append(dst[:0], cur.Value()...)
	if err := t.checkValue(dst); err != nil {
		return dst, txn.Committed, false, err
	}
	return dst, t.writerState(parseHeader(dst).trx), true, nil
}

// restore takes back the last change of a row, which an aborted transaction made.
// REQUIRES: no latch held.
func (t *Table) restore(h header) error {
	var rec txn.UndoRecord
	if err := t.svc.Txns.ReadUndo(h.ptr, h.trx, &rec); err != nil {
		if errors.Is(err, base.ErrNotFound) {
			return nil // somebody was faster
		}
		return err
	}
	return t.UndoRow(&rec)
}

// seekRow finds the row with that key, locks it exclusively for tx and returns it with its leaf
// X-latched. A row that is not there or delete-marked is base.ErrNotFound. On error nothing is
// latched.
func (t *Table) seekRow(ctx context.Context, tx *txn.Trx, key []byte) (m *buffer.Mtr, cur btree.Cursor, h header, err error) {
	tree := t.clustered().tree
	for {
		m = t.svc.Pool.Begin()
		cur, err = tree.Seek(m, key, buffer.Exclusive)
		if err == nil && !cur.Exact(key) {
			err = fmt.Errorf("row of table %s.%s: %w", t.told.Schema, t.told.Name, base.ErrNotFound)
		}
		if err == nil {
			err = t.checkValue(cur.Value())
		}
		if err != nil {
			m.Commit()
			return nil, cur, h, err
		}
		h = parseHeader(cur.Value())
		if t.claim(tx, tree, key, h.trx) {
			m.Commit()
			if err := t.restore(h); err != nil {
				return nil, cur, h, err
			}
			continue
		}
		if h.trx != tx.ID() {
			if w := t.svc.Locks.Lock(&tx.Owner, tree.ID, key, lock.X, lock.Record); w != nil {
				m.Commit()
				if err := t.wait(ctx, tx, w); err != nil {
					return nil, cur, h, err
				}
				continue
			}
		}
		if err := t.checkRead(tx, h.trx); err != nil {
			m.Commit()
			return nil, cur, h, err
		}
		if h.deleted() {
			m.Commit()
			return nil, cur, h, fmt.Errorf("row of table %s.%s: %w", t.told.Schema, t.told.Name, base.ErrNotFound)
		}
		return m, cur, h, nil
	}
}

// successor is the key behind the place where the cursor would insert: of the current record, or of
// the next leaf's first.
func successor(cur *btree.Cursor) ([]byte, error) {
	if cur.Valid() {
		return cur.Key(), nil
	}
	return peek(cur)
}

// peek is the key behind the cursor's record, or the supremum.
func peek(cur *btree.Cursor) ([]byte, error) {
	key, ok, err := cur.PeekNext()
	if err != nil {
		return nil, err
	}
	if !ok {
		return lock.Supremum, nil
	}
	return key, nil
}

// pinRow latches the leaf of key shared in m and returns the clustered value, which aliases it.
func (t *Table) pinRow(m *buffer.Mtr, key []byte) (value []byte, ok bool, err error) {
	cur, err := t.clustered().tree.Seek(m, key, buffer.Shared)
	if err != nil || !cur.Exact(key) {
		return nil, false, err
	}
	return cur.Value(), true, t.checkValue(cur.Value())
}

// writerOf is the newest writer of the cursor's leaf.
func writerOf(cur *btree.Cursor) base.TrxID { return pagefile.Writer(cur.Page().Data()) }
