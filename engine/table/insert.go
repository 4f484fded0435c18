package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Insert adds a row. If another row has one of its unique keys, that row is S-locked and the error
// is a *DuplicateError.
func (t *Table) Insert(ctx context.Context, tx *txn.Trx, vals []row.Value) error {
	return t.insert(ctx, tx, vals, lock.S)
}

// InsertOrLock is Insert for those who will change the row that is in the way (REPLACE, ON
// DUPLICATE KEY UPDATE): it is X-locked.
func (t *Table) InsertOrLock(ctx context.Context, tx *txn.Trx, vals []row.Value) error {
	return t.insert(ctx, tx, vals, lock.X)
}

// InsertKeyed is Insert, or InsertOrLock, for those who keep something of their own by the row's
// clustered key, which is appended to dst.
func (t *Table) InsertKeyed(ctx context.Context, tx *txn.Trx, vals []row.Value, orLock bool, dst []byte) (key []byte, err error) {
	w := getWork()
	defer w.put()
	dup := lock.S
	if orLock {
		dup = lock.X
	}
	if err := t.insertWith(ctx, tx, w, vals, dup); err != nil {
		return dst, err
	}
	return append(dst, w.key...), nil
}

func (t *Table) insert(ctx context.Context, tx *txn.Trx, vals []row.Value, dup lock.Mode) error {
	w := getWork()
	defer w.put()
	return t.insertWith(ctx, tx, w, vals, dup)
}

func (t *Table) insertWith(ctx context.Context, tx *txn.Trx, w *work, vals []row.Value, dup lock.Mode) error {
	if t.parts != nil {
		part, err := t.partFor(vals)
		if err != nil {
			return err
		}
		return part.insertWith(ctx, tx, w, vals, dup)
	}
	if err := t.beginWrite(ctx, tx); err != nil {
		return err
	}
	start, timed := clock(tx.Counts, txn.Write)
	if timed {
		defer func() { t.use.sampled(InsertRow, time.Since(start)) }()
	}
	tx.Counts.Add(txn.Write, 1)
	return t.atomically(ctx, tx, func() error {
		err := t.insertRow(ctx, tx, w, vals, dup)
		if err == nil {
			t.count(tx, InsertRow, 1)
		}
		if l := t.journal(tx); l != nil && err == nil {
			err = l.Inserted(t.told, vals)
		}
		return err
	})
}

// beginWrite does what every change needs first.
func (t *Table) beginWrite(ctx context.Context, tx *txn.Trx) error {
	if tx.ReadOnly() {
		return base.ErrReadOnly
	}
	if err := ctx.Err(); err != nil {
		return base.ErrInterrupted
	}
	if _, err := tx.EnsureID(); err != nil {
		return err
	}
	return t.lockTable(ctx, tx, lock.IX)
}

// atomically runs a row operation and takes back what it did when it fails.
func (t *Table) atomically(ctx context.Context, tx *txn.Trx, op func() error) error {
	before := tx.Savepoint()
	err := Full(t.told, op())
	if err != nil && tx.Savepoint() != before {
		if undoErr := tx.RollbackTo(ctx, before); undoErr != nil {
			return errors.Join(err, undoErr)
		}
	}
	return err
}

// insertRow inserts the clustered record, then the entries.
func (t *Table) insertRow(ctx context.Context, tx *txn.Trx, w *work, vals []row.Value, dup lock.Mode) error {
	if err := t.checkRow(vals); err != nil {
		return err
	}
	var err error
	if t.rowID {
		w.key, err = t.nextRowID(w.key[:0])
	} else {
		w.key = row.AppendKey(w.key[:0], t.cols, t.clustered().parts, vals)
	}
	if err == nil {
		err = t.checkKeys(w, vals)
	}
	if err == nil {
		err = t.moveOut(w, vals, len(w.key))
	}
	if err == nil {
		err = t.writeChains(ctx, tx, w, vals)
	}
	if err != nil {
		return err
	}
	w.record = t.layout.Append(appendHeader(w.record[:0], header{}), vals, w.over)
	// A value of the statement's own moves the counter only if no unique key refuses the row.
	next, late := t.autoNext(vals), uint64(0)
	if next > 0 && t.uniques {
		if beyond, err := t.exceeds(next); err != nil {
			return err
		} else if beyond {
			next, late = 0, next
		}
	}
	if err := t.insertClustered(ctx, tx, w, next, dup); err != nil {
		return err
	}
	for _, ix := range t.indexes[1:] {
		for e := ix.elements(vals); e.next(); {
			w.entry = append(t.appendKey(w.entry[:0], ix, vals, e.part), w.key...)
			if err := t.addEntry(ctx, tx, w, ix, w.entry, dup); err != nil {
				return err
			}
		}
	}
	if late > 0 {
		return t.SetAutoInc(late)
	}
	return nil
}

// checkRow verifies what encoders rely on.
func (t *Table) checkRow(vals []row.Value) error {
	if len(vals) != len(t.cols) && len(vals) != t.width() {
		return fmt.Errorf("row of %d values for table %s.%s of %d columns", len(vals), t.told.Schema, t.told.Name, len(t.cols))
	}
	for i := range t.cols {
		if !t.cols[i].Fits(vals[i]) {
			return fmt.Errorf("value of column %s.%s.%s does not fit its type", t.told.Schema, t.told.Name, t.def.Columns[i].Name)
		}
	}
	return nil
}

// checkKeys refuses keys that no page can hold, before anything has been changed.
func (t *Table) checkKeys(w *work, vals []row.Value) error {
	for _, ix := range t.indexes[1:] {
		for e := ix.elements(vals); e.next(); {
			w.entry = t.appendKey(w.entry[:0], ix, vals, e.part)
			if len(w.entry)+len(w.key) > maxEntry {
				return fmt.Errorf("index %s of table %s.%s: %w", ix.def.Name, t.told.Schema, t.told.Name, base.ErrKeyTooLong)
			}
		}
	}
	return t.checkPrimary(w.key)
}

// checkPrimary refuses a clustered key that is too long.
func (t *Table) checkPrimary(key []byte) error {
	if len(key) > maxEntry {
		return fmt.Errorf("primary key of table %s.%s: %w", t.told.Schema, t.told.Name, base.ErrKeyTooLong)
	}
	return nil
}

// maxEntry is the longest key of an entry.
const maxEntry = btree.MaxKey - 1

// insertClustered puts w.record under w.key.
func (t *Table) insertClustered(ctx context.Context, tx *txn.Trx, w *work, autoNext uint64, dup lock.Mode) error {
	tree := t.clustered().tree
	for {
		m, cur, err := tree.SeekWrite(w.key, len(w.key)+len(w.record))
		if err != nil {
			return err
		}
		var wait *lock.Wait
		var aborted header
		if cur.Exact(w.key) {
			wait, aborted, err = t.insertOver(tx, w, m, &cur, autoNext, dup)
		} else {
			wait, err = t.insertFresh(tx, w, m, &cur, autoNext)
		}
		m.Commit()
		var de *DuplicateError
		switch {
		case errors.As(err, &de): // w.old is the row that is in the way
			if de.Row, err = t.decodeOwned(w.key, w.old); err == nil {
				err = de
			}
			return err
		case err != nil:
			return err
		case wait != nil:
			err = t.wait(ctx, tx, wait)
		case aborted.trx != 0:
			err = t.restore(aborted)
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// insertFresh inserts where no record with that key is. The cursor stands where the record belongs.
func (t *Table) insertFresh(tx *txn.Trx, w *work, m *buffer.Mtr, cur *btree.Cursor, autoNext uint64) (*lock.Wait, error) {
	tree := t.clustered().tree
	next, err := successor(cur)
	if err != nil {
		return nil, err
	}
	if wait := t.svc.Locks.Lock(&tx.Owner, tree.ID, next, lock.X, lock.InsertIntention); wait != nil {
		return wait, nil
	}
	w.rec = txn.UndoRecord{Type: txn.UndoInsert, NoPurge: true, Table: t.def.ID, Key: append(w.rec.Key[:0], w.key...), Body: w.rec.Body[:0]}
	ptr, err := tx.LogUndo(&w.rec)
	if err != nil {
		return nil, err
	}
	t.changing(tx, w.key)
	if err := t.raiseAuto(m, autoNext); err != nil {
		return nil, err
	}
	w.record[0] = 0
	putVersion(w.record, tx.ID(), ptr)
	t.svc.Locks.InheritOnInsert(tree.ID, w.key, next)
	cur.Insert(w.key, w.record)
	return nil, nil
}

// insertOver looks at the record that has the key already: a row is a duplicate, a delete-marked
// one is revived. aborted: the row must be restored first.
func (t *Table) insertOver(tx *txn.Trx, w *work, m *buffer.Mtr, cur *btree.Cursor, autoNext uint64, dup lock.Mode) (wait *lock.Wait, aborted header, err error) {
	tree := t.clustered().tree
	if err := t.checkValue(cur.Value()); err != nil {
		return nil, header{}, err
	}
	h := parseHeader(cur.Value())
	if t.claim(tx, tree, w.key, h.trx) {
		return nil, h, nil
	}
	if !h.deleted() {
		if wait := t.svc.Locks.Lock(&tx.Owner, tree.ID, w.key, dup, lock.Record); wait != nil {
			return wait, header{}, nil
		}
		if err := t.checkRead(tx, h.trx); err != nil {
			return nil, header{}, err
		}
		w.old = append(w.old[:0], cur.Value()...)
		return nil, header{}, &DuplicateError{Table: t.told, Index: t.clustered().def}
	}
	if h.trx != tx.ID() {
		if wait := t.svc.Locks.Lock(&tx.Owner, tree.ID, w.key, lock.X, lock.Record); wait != nil {
			return wait, header{}, nil
		}
	}
	if err := t.checkRead(tx, h.trx); err != nil {
		return nil, header{}, err
	}
	w.body = appendPatch(w.body[:0], h.flags, w.record[headerLen:], cur.Value()[headerLen:])
	w.body = binary.AppendUvarint(appendChains(w.body, nil), 0)
	ptr, err := t.logChange(tx, w, txn.UndoRevive, h, false)
	if err != nil {
		return nil, header{}, err
	}
	if err := t.raiseAuto(m, autoNext); err != nil {
		return nil, header{}, err
	}
	w.record[0] = 0
	putVersion(w.record, tx.ID(), ptr)
	if !cur.SetValue(w.record) {
		return nil, header{}, t.corrupt("no room for a record of %d bytes that was made room for", len(w.record))
	}
	return nil, header{}, nil
}

// logChange writes the undo record of a change of the row w.key, whose version so far is h; its
// body is w.body.
func (t *Table) logChange(tx *txn.Trx, w *work, typ txn.UndoType, h header, purge bool) (base.RollPtr, error) {
	w.rec = txn.UndoRecord{Type: typ, NoPurge: !purge, Table: t.def.ID, PrevTrx: h.trx, PrevPtr: h.ptr,
		Key: append(w.rec.Key[:0], w.key...), Body: append(w.rec.Body[:0], w.body...)}
	ptr, err := tx.LogUndo(&w.rec)
	if err == nil {
		t.changing(tx, w.key)
	}
	return ptr, err
}

// decodeOwned decodes a row into memory of its own, long values included. value is a clustered
// value.
func (t *Table) decodeOwned(key, value []byte) ([]row.Value, error) {
	return t.decodeWhole(make([]row.Value, 0, t.width()), key, bytes.Clone(value))
}

// decodeWhole appends the values of a row to vals, long values included. The others stand in value,
// which is a clustered value.
func (t *Table) decodeWhole(vals []row.Value, key, value []byte) ([]row.Value, error) {
	for i := range t.cols {
		v, over := t.layout.Column(value[headerLen:], i)
		if over {
			b, err := t.readChain(nil, row.ParseOverflow(i, v.B))
			if err != nil {
				return vals, err
			}
			v.B = b
		}
		vals = append(vals, v)
	}
	if t.rowID {
		vals = append(vals, row.UintValue(binary.BigEndian.Uint64(key)))
	}
	return vals, nil
}
