package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Update gives the row with old's primary key (or hidden row id) new values. base.ErrNotFound when
// it is not there.
func (t *Table) Update(ctx context.Context, tx *txn.Trx, old, new []row.Value) error {
	if t.parts != nil {
		return t.updateParts(ctx, tx, old, new)
	}
	if err := t.beginWrite(ctx, tx); err != nil {
		return err
	}
	if err := t.checkRow(new); err != nil {
		return err
	}
	if start, timed := clock(tx.Counts, txn.Update); timed {
		defer func() { t.clustered().use.sampled(UpdateRow, time.Since(start)) }()
	}
	tx.Counts.Add(txn.Update, 1)
	t.count(tx, UpdateRow, 1)
	w := getWork()
	defer w.put()
	var err error
	if w.key, err = t.keyOf(w.key[:0], old); err != nil {
		return err
	}
	if t.keyChanges(old, new) {
		w.entry = row.AppendKey(w.entry[:0], t.cols, t.clustered().parts, new)
		if !bytes.Equal(w.entry, w.key) {
			return t.atomically(ctx, tx, func() error { return t.moveRow(ctx, tx, w, new) })
		}
	}
	return t.atomically(ctx, tx, func() error { return t.updateRow(ctx, tx, w, new) })
}

// moveRow gives the row w.key another clustered key.
func (t *Table) moveRow(ctx context.Context, tx *txn.Trx, w *work, new []row.Value) error {
	err := t.deleteRow(ctx, tx, w)
	if err != nil {
		return err
	}
	l := t.journal(tx)
	var was []row.Value
	if l != nil {
		if was, err = t.decodeOwned(w.key, w.old); err != nil {
			return err
		}
	}
	err = t.insertRow(ctx, tx, w, new, lock.S)
	if l != nil && err == nil {
		err = l.Updated(t.told, was, new)
	}
	return err
}

// keyOf appends the clustered key of a row that was read before.
func (t *Table) keyOf(dst []byte, vals []row.Value) ([]byte, error) {
	if len(vals) != t.width() {
		return dst, fmt.Errorf("row of %d values to find a row of table %s.%s by, %d wanted", len(vals), t.told.Schema, t.told.Name, t.width())
	}
	if t.rowID {
		return binary.BigEndian.AppendUint64(dst, vals[len(t.cols)].N), nil
	}
	return row.AppendKey(dst, t.cols, t.clustered().parts, vals), nil
}

// keyChanges tells whether a column of the primary key is stored differently in new.
func (t *Table) keyChanges(old, new []row.Value) bool {
	for _, p := range t.clustered().parts {
		if !old[p.Column].Same(new[p.Column]) {
			return true
		}
	}
	return false
}

// updateRow changes the row w.key in place.
func (t *Table) updateRow(ctx context.Context, tx *txn.Trx, w *work, new []row.Value) error {
	m, cur, h, err := t.seekRow(ctx, tx, w.key)
	if err != nil {
		return err
	}
	w.old = append(w.old[:0], cur.Value()...)
	oldRow := w.old[headerLen:]
	w.vals = t.layout.Decode(oldRow, w.vals)
	w.chains = t.layout.AppendOverflow(w.chains[:0], oldRow)
	if err := t.moveOut(w, new, len(w.key)); err != nil {
		m.Commit()
		return err
	}
	if len(w.chains) > 0 || len(w.over) > 0 {
		m.Commit()
		if err := t.updateChains(ctx, tx, w, new); err != nil {
			return err
		}
		// The row is ours, so it is still the same.
		if m, cur, h, err = t.seekRow(ctx, tx, w.key); err != nil {
			return err
		}
		if !bytes.Equal(cur.Value(), w.old) {
			m.Commit()
			return t.corrupt("a locked row changed")
		}
	}
	w.record = t.layout.Append(appendHeader(w.record[:0], header{}), new, w.over)
	if bytes.Equal(w.record[headerLen:], oldRow) {
		m.Commit()
		return nil
	}
	changed, err := t.updateClustered(tx, w, m, &cur, h, new)
	if err == nil {
		err = t.updateEntries(ctx, tx, w, changed, new)
	}
	if l := t.journal(tx); l != nil && err == nil {
		err = l.Updated(t.told, w.vals, new)
	}
	return err
}

// updateChains reads the long values of the old row into w.vals, keeps the chains of those that
// stay, and writes the others'. Afterwards w.chains are the chains the new row does not have any
// more.
func (t *Table) updateChains(ctx context.Context, tx *txn.Trx, w *work, new []row.Value) error {
	gone := w.chains[:0]
	for _, ref := range w.chains {
		b, err := t.readChain(nil, ref)
		if err != nil {
			return err
		}
		w.vals[ref.Column].B = b
		kept := false
		for i := range w.over {
			if o := &w.over[i]; o.Column == ref.Column && bytes.Equal(b, new[ref.Column].B) {
				*o, kept = ref, true
			}
		}
		if !kept {
			gone = append(gone, ref)
		}
	}
	w.chains = gone
	return t.writeChains(ctx, tx, w, new)
}

// updateClustered logs and makes the change of the clustered record and commits m. It returns the
// indexes whose keys change; w.vals is the old row, w.record the new one.
func (t *Table) updateClustered(tx *txn.Trx, w *work, m *buffer.Mtr, cur *btree.Cursor, h header, new []row.Value) (changed []*index, err error) {
	oldRow := w.old[headerLen:]
	w.body = appendPatch(w.body[:0], h.flags, w.record[headerLen:], oldRow)
	w.body = appendChains(w.body, w.chains)
	if changed, err = t.appendChangedKeys(w, new); err != nil {
		m.Commit()
		return nil, err
	}
	ptr, err := t.logChange(tx, w, txn.UndoUpdate, h, len(changed) > 0 || len(w.chains) > 0)
	if err != nil {
		m.Commit()
		return nil, err
	}
	w.record[0] = 0
	putVersion(w.record, tx.ID(), ptr)
	done, err := t.replaceRecord(tx, m, cur, w.key, w.old, w.record)
	if err == nil && !done {
		err = t.corrupt("a locked row changed")
	}
	return changed, err
}

// appendChangedKeys finds the indexes whose keys change and appends the old keys to the undo body.
func (t *Table) appendChangedKeys(w *work, new []row.Value) (changed []*index, err error) {
	keys := w.keys[:0]
	count := 0
	for _, ix := range t.indexes[1:] {
		if !ix.touched(w.vals, new) {
			continue
		}
		if ix.list >= 0 {
			more, err := t.appendGone(w, ix, new, &keys)
			if err != nil {
				return nil, err
			}
			count += more
			changed = append(changed, ix)
			continue
		}
		w.entryOld = row.AppendKey(w.entryOld[:0], t.cols, ix.parts, w.vals)
		w.entry = row.AppendKey(w.entry[:0], t.cols, ix.parts, new)
		if len(w.entry)+len(w.key) > maxEntry {
			return nil, fmt.Errorf("index %s of table %s.%s: %w", ix.def.Name, t.told.Schema, t.told.Name, base.ErrKeyTooLong)
		}
		if bytes.Equal(w.entryOld, w.entry) {
			continue
		}
		keys = appendKey(keys, ix.def.ID, append(w.entryOld, w.key...))
		changed = append(changed, ix)
		count++
	}
	w.keys = keys
	w.body = append(binary.AppendUvarint(w.body, uint64(count)), keys...)
	return changed, nil
}

// touched tells whether a column of the index is stored differently in new.
func (ix *index) touched(old, new []row.Value) bool {
	for _, p := range ix.parts {
		if !old[p.Column].Same(new[p.Column]) {
			return true
		}
	}
	return false
}

// replaceRecord puts value, which tx has written (nil: somebody's older one), in the place of old,
// the value of the cursor's record with that key, and commits m. If the leaf has no room the
// mini-transaction is given up for one that has; false: the row is another version by then, and
// nothing has changed.
func (t *Table) replaceRecord(tx *txn.Trx, m *buffer.Mtr, cur *btree.Cursor, key, old, value []byte) (done bool, err error) {
	if len(old) == len(value) {
		prefix, suffix, middle := row.Patch(old[headerLen:], value[headerLen:])
		if prefix+suffix > 0 || len(middle) == 0 {
			cur.Patch(0, value[:headerLen])
			if len(middle) > 0 {
				cur.Patch(headerLen+prefix, middle)
			}
			t.written(tx, key)
			m.Commit()
			return true, nil
		}
	}
	if cur.SetValue(value) {
		t.written(tx, key)
		m.Commit()
		return true, nil
	}
	m.Commit()
	m, again, err := t.clustered().tree.SeekWrite(key, len(key)+len(value))
	if err != nil {
		return false, err
	}
	defer m.Commit()
	if !again.Exact(key) || !parseHeader(again.Value()).same(parseHeader(old)) {
		return false, nil
	}
	if !again.SetValue(value) {
		return false, t.corrupt("no room for a record of %d bytes that was made room for", len(value))
	}
	t.written(tx, key)
	return true, nil
}

// written tells the lock table that the record names tx as its writer now.
// REQUIRES: the leaf's X latch, since the change.
func (t *Table) written(tx *txn.Trx, key []byte) {
	if tx != nil {
		t.svc.Locks.Implied(&tx.Owner, t.clustered().tree.ID, key)
	}
}

// updateEntries moves the row's entries in the given indexes. w.vals is the old row.
func (t *Table) updateEntries(ctx context.Context, tx *txn.Trx, w *work, changed []*index, new []row.Value) error {
	for _, ix := range changed {
		if ix.list >= 0 {
			if err := t.updateList(ctx, tx, w, ix, new); err != nil {
				return err
			}
			continue
		}
		w.entryOld = append(row.AppendKey(w.entryOld[:0], t.cols, ix.parts, w.vals), w.key...)
		if err := t.markEntry(ctx, tx, ix, w.entryOld); err != nil {
			return err
		}
		w.entry = append(row.AppendKey(w.entry[:0], t.cols, ix.parts, new), w.key...)
		if err := t.addEntry(ctx, tx, w, ix, w.entry, lock.S); err != nil {
			return err
		}
	}
	return nil
}
