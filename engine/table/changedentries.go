package table

import (
	"bytes"
	"context"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
)

// Secondary entries of Changes: those of many rows, in the order of their keys.

// lose gathers an entry that a row has lost. It is locked at once, or others would lock it before it
// is marked and wait for its row meanwhile, which is a deadlock.
func (c *Changes) lose(ix *index, entry, clustered []byte) {
	locked := c.t.svc.Locks.TryLock(&c.tx.Owner, ix.tree.ID, entry, lock.X, lock.Record)
	c.gone.add(ix, entry, clustered)
	c.gone.list[len(c.gone.list)-1].locked = locked
	c.urgent = c.urgent || !locked
}

// deleted is finishRun for row w.key, which was deleted.
func (c *Changes) deleted(w *work, old []byte, log *txn.Journal) error {
	t := c.t
	err := t.eachEntry(w, old[headerLen:], func(ix *index, entry []byte) error {
		c.lose(ix, entry, w.key)
		return nil
	})
	if err == nil && log != nil {
		if w.vals, err = t.decodeWhole(w.vals[:0], w.key, old); err == nil {
			err = log.Deleted(t.told, w.vals)
		}
	}
	return err
}

// entriesOf gathers the entries that row w.key has lost, of w.vals, and got, of c.vals.
func (c *Changes) entriesOf(w *work) {
	t := c.t
	for _, ix := range t.indexes[1:] {
		if !ix.touched(w.vals, c.vals) {
			continue
		}
		if ix.list >= 0 {
			t.eachChange(w, ix, w.vals, c.vals, func(entry []byte) { c.lose(ix, entry, w.key) })
			t.eachChange(w, ix, c.vals, w.vals, func(entry []byte) { c.came.add(ix, entry, w.key) })
			continue
		}
		w.entryOld = append(row.AppendKey(w.entryOld[:0], t.cols, ix.parts, w.vals), w.key...)
		w.entry = append(row.AppendKey(w.entry[:0], t.cols, ix.parts, c.vals), w.key...)
		if !bytes.Equal(w.entryOld, w.entry) {
			c.lose(ix, w.entryOld, w.key)
			c.came.add(ix, w.entry, w.key)
		}
	}
}

// moveEntries marks the entries that rows have lost, and makes those that they have got.
func (c *Changes) moveEntries(ctx context.Context) error {
	c.urgent = false
	c.gone.sort()
	c.came.sort()
	cancel(&c.gone, &c.came)
	if err := c.markGone(ctx); err != nil {
		return err
	}
	w := getWork()
	defer w.put()
	return c.t.placeAll(ctx, c.tx, w, &c.came)
}

// markGone marks the entries gathered so far. After an error they may stay as they are: the
// statement is taken back.
func (c *Changes) markGone(ctx context.Context) error {
	for rest := c.gone.list; len(rest) > 0; {
		if err := interrupted(ctx); err != nil {
			return err
		}
		n, err := c.markRun(rest)
		if err == nil && n == 0 {
			n, err = 1, c.t.markEntry(ctx, c.tx, rest[0].ix, c.gone.entry(rest[0]))
		}
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	c.gone.reset()
	return nil
}

// markRun marks the first of the entries that stand in one leaf; 0: the very first is for
// markEntry.
func (c *Changes) markRun(gone []runEntry) (n int, err error) {
	t, tx, ix := c.t, c.tx, gone[0].ix
	if ix.visited != nil {
		return 0, nil
	}
	m := t.svc.Pool.Begin()
	defer m.Commit()
	cur, err := ix.tree.Seek(m, c.gone.entry(gone[0]), buffer.Exclusive)
	if err != nil {
		return 0, err
	}
	c.patches = c.patches[:0]
	for _, g := range gone {
		if g.ix != ix || !cur.Forward(c.gone.entry(g)) ||
			!g.locked && !t.svc.Locks.TryLock(&tx.Owner, ix.tree.ID, c.gone.entry(g), lock.X, lock.Record) {
			break
		}
		c.patches = btree.AppendPatch(c.patches, cur.Slot(), 0, []byte{flagDeleted})
		n++
	}
	if n > 0 {
		cur.SetWriter(tx.ID())
		cur.PatchRun(c.patches)
	}
	return n, nil
}
