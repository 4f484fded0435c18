package table

import (
	"context"
	"encoding/binary"
	"time"

	"emberdb/engine/row"
	"emberdb/engine/txn"
)

// Delete removes the row with old's primary key (or hidden row id). base.ErrNotFound when it is not
// there.
func (t *Table) Delete(ctx context.Context, tx *txn.Trx, old []row.Value) error {
	if t.parts != nil {
		part, err := t.partFor(old)
		if err != nil {
			return err
		}
		return part.Delete(ctx, tx, old)
	}
	if err := t.beginWrite(ctx, tx); err != nil {
		return err
	}
	if start, timed := clock(tx.Counts, txn.Delete); timed {
		defer func() { t.clustered().use.sampled(DeleteRow, time.Since(start)) }()
	}
	tx.Counts.Add(txn.Delete, 1)
	t.count(tx, DeleteRow, 1)
	w := getWork()
	defer w.put()
	var err error
	if w.key, err = t.keyOf(w.key[:0], old); err != nil {
		return err
	}
	return t.deleteLogged(ctx, tx, w)
}

// deleteLogged removes the row w.key and tells of it.
func (t *Table) deleteLogged(ctx context.Context, tx *txn.Trx, w *work) error {
	return t.atomically(ctx, tx, func() error {
		err := t.deleteRow(ctx, tx, w)
		if l := t.journal(tx); l != nil && err == nil {
			if w.vals, err = t.decodeWhole(w.vals[:0], w.key, w.old); err == nil {
				err = l.Deleted(t.told, w.vals)
			}
		}
		return err
	})
}

// deleteRow delete-marks the row w.key and its entries.
func (t *Table) deleteRow(ctx context.Context, tx *txn.Trx, w *work) error {
	m, cur, h, err := t.seekRow(ctx, tx, w.key)
	if err != nil {
		return err
	}
	w.old = append(w.old[:0], cur.Value()...)
	oldRow := w.old[headerLen:]
	w.chains = t.layout.AppendOverflow(w.chains[:0], oldRow)
	w.body = appendPatch(w.body[:0], h.flags, oldRow, oldRow)
	w.body = binary.AppendUvarint(appendChains(w.body, w.chains), 0)
	ptr, err := t.logChange(tx, w, txn.UndoDeleteMark, h, true)
	if err != nil {
		m.Commit()
		return err
	}
	var head [headerLen]byte
	appendHeader(head[:0], header{flagDeleted, tx.ID(), ptr})
	cur.Patch(0, head[:])
	t.written(tx, w.key)
	m.Commit()
	return t.eachEntry(w, oldRow, func(ix *index, entry []byte) error {
		return t.markEntry(ctx, tx, ix, entry)
	})
}

// eachEntry calls fn with the keys in all secondary indexes of the row w.key. entry is w.entry.
func (t *Table) eachEntry(w *work, rowBytes []byte, fn func(ix *index, entry []byte) error) error {
	for _, ix := range t.indexes[1:] {
		e, err := t.elementsOf(&w.walk, ix, rowBytes)
		if err != nil {
			return err
		}
		for e.next() {
			if w.entry, err = t.entryKey(w.entry[:0], &w.walk, ix, rowBytes, e.part, w.key); err != nil {
				return err
			}
			if err := fn(ix, w.entry); err != nil {
				return err
			}
		}
	}
	return nil
}
