package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"time"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Changes are an UPDATE's or a DELETE's of many rows: gathered, then made leaf by leaf, with one
// descent, one undo record per undo page and one change of the leaf for as many of them as stand in
// it; and so are their secondary entries, in the order of their keys: those that rows have lost are
// marked, then the new ones are made. A row for which there is more to do than that (a unique key or
// a long value that changes, a lock that must be waited for) goes the way of Update and Delete.
//
// The rows are the locked ones of a scan of the same statement, which returns none of them again.
// The first few are changed at once, so a statement that finds no more does as without Changes.
type Changes struct {
	t    *Table
	tx   *txn.Trx
	seen int
	mem  []byte // keys and new rows
	rows []change

	// Of the rows that are changed together:
	at      int  // the first one's number
	again   bool // the transaction has changed the last row looked at before
	made    []made
	undo    []byte // bodies
	olds    []byte // values before, where somebody needs them
	patches []byte
	ptrs    []base.RollPtr
	vals    []row.Value

	// Entries that rows of this and earlier flushes have lost, and got. They are marked and made
	// together: the more of them, the more stand in one leaf.
	gone, came entryRun
	urgent     bool // somebody else has locked one
}

// change is a row's: its key and its new row in mem.
type change struct {
	from, row, to int
	del           bool
	keyed         bool // a secondary key changes
}

// made is how a change is made.
type made struct {
	slot     int
	header   header // of the version before
	same     bool   // nothing to do
	keys     bool   // the undo record names entries
	prefix   int    // of the row stays
	suffix   int
	size     int // of the row before
	undo     int // end in undo
	old, end int // in olds
}

const (
	changesAlone = 4         // so many rows are changed one by one
	changesBytes = 128 << 10 // about how much is gathered
	entriesBytes = 4 << 20   // of entries
	changesKeep  = 8 << 10   // larger buffers are not kept
)

// Begin makes c those of a statement, none yet.
func (c *Changes) Begin(t *Table, tx *txn.Trx) {
	c.t, c.tx, c.seen = t, tx, 0
	c.forget()
	c.gone.reset()
	c.came.reset()
	c.urgent = false
}

// End gives back what the statement needed.
func (c *Changes) End() {
	if max(cap(c.mem), cap(c.gone.keys), cap(c.came.keys)) > changesKeep {
		*c = Changes{}
	}
}

func (c *Changes) forget() {
	c.mem, c.rows = c.mem[:0], c.rows[:0]
}

// Update is Table.Update, by the next Flush at the latest.
func (c *Changes) Update(ctx context.Context, old, new []row.Value) error {
	t := c.t
	alone, keyed := c.alone(), false
	for _, ix := range t.indexes {
		touched := ix.touched(old, new)
		alone = alone || touched && ix.unique
		keyed = keyed || touched
	}
	if alone || t.checkRow(new) != nil || c.tooLong(new) {
		if err := c.Flush(ctx); err != nil {
			return err
		}
		return t.Update(ctx, c.tx, old, new)
	}
	return c.add(ctx, old, new, change{keyed: keyed})
}

// Delete is Table.Delete, by the next Flush at the latest.
func (c *Changes) Delete(ctx context.Context, old []row.Value) error {
	if c.alone() {
		return c.t.Delete(ctx, c.tx, old)
	}
	return c.add(ctx, old, nil, change{del: true})
}

// tooLong tells whether a value of the row might have to go to overflow pages.
func (c *Changes) tooLong(new []row.Value) bool {
	return c.t.layout.Size(new) > btree.MaxRecord/2
}

// alone tells whether the next row is one of the first few.
func (c *Changes) alone() bool {
	c.seen++
	return c.seen <= changesAlone || c.t.parts != nil
}

func (c *Changes) add(ctx context.Context, old, new []row.Value, x change) (err error) {
	x.from = len(c.mem)
	if c.mem, err = c.t.keyOf(c.mem, old); err != nil {
		return err
	}
	if x.row = len(c.mem); !x.del {
		c.mem = c.t.layout.Append(c.mem, new, nil)
	}
	x.to = len(c.mem)
	c.rows = append(c.rows, x)
	if len(c.mem) < changesBytes {
		return nil
	}
	return c.flushRows(ctx)
}

func (c *Changes) key(i int) []byte { return c.mem[c.rows[i].from:c.rows[i].row] }
func (c *Changes) row(i int) []byte { return c.mem[c.rows[i].row:c.rows[i].to] }

// Flush makes the changes gathered so far. After an error some of them may have been made: they are
// taken back with the statement.
func (c *Changes) Flush(ctx context.Context) error {
	if err := c.flushRows(ctx); err != nil {
		return err
	}
	return c.moveEntries(ctx)
}

// flushRows makes the changes of the rows; their entries are left in c as long as there are few.
func (c *Changes) flushRows(ctx context.Context) error {
	if len(c.rows) == 0 {
		return nil
	}
	defer c.forget()
	t, tx := c.t, c.tx
	if err := t.beginWrite(ctx, tx); err != nil {
		return err
	}
	w := getWork()
	defer w.put()
	for c.at = 0; c.at < len(c.rows); {
		if err := interrupted(ctx); err != nil {
			return err
		}
		n, start := 0, time.Now()
		err := t.atomically(ctx, tx, func() (err error) {
			if n, err = c.changeRun(w); err == nil && n > 0 {
				err = c.finishRun(w)
			}
			return err
		})
		if err == nil && n == 0 {
			n = 1
			err = c.changeOne(ctx, w)
		}
		if err != nil {
			return err
		}
		c.count(n, start)
		if c.at += n; c.urgent || len(c.gone.keys)+len(c.came.keys) >= entriesBytes {
			if err := c.moveEntries(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// count adds the next n changes, which began at start.
func (c *Changes) count(n int, start time.Time) {
	call, kind := txn.Update, UpdateRow
	if c.rows[c.at].del {
		call, kind = txn.Delete, DeleteRow
	}
	c.tx.Counts.Add(call, n)
	c.t.count(c.tx, kind, n)
	if c.tx.Counts != nil {
		c.t.clustered().use.took(kind, start)
	}
}

// changeOne changes the first row as Update and Delete do.
func (c *Changes) changeOne(ctx context.Context, w *work) error {
	t, tx := c.t, c.tx
	if c.again { // the row's own entries may be among those to come
		if err := c.moveEntries(ctx); err != nil {
			return err
		}
	}
	w.key = append(w.key[:0], c.key(c.at)...)
	if c.rows[c.at].del {
		return t.deleteLogged(ctx, tx, w)
	}
	c.vals = t.layout.Decode(c.row(c.at), c.vals)
	return t.atomically(ctx, tx, func() error { return t.updateRow(ctx, tx, w, c.vals) })
}

// changeRun changes the rows from the first on that stand in one leaf; 0: that one is for
// changeOne.
func (c *Changes) changeRun(w *work) (n int, err error) {
	c.made, c.undo, c.olds, c.again = c.made[:0], c.undo[:0], c.olds[:0], false
	m := c.t.svc.Pool.Begin()
	defer m.Commit()
	cur, err := c.t.clustered().tree.Seek(m, c.key(c.at), buffer.Exclusive)
	if err != nil {
		return 0, err
	}
	keep := c.t.journal(c.tx) != nil || len(c.t.indexes) > 1
	room := cur.Room()
	for i := c.at; i < len(c.rows) && cur.Forward(c.key(i)); i++ {
		if i > c.at && cur.Slot() == c.made[i-c.at-1].slot {
			break // a second change of the row
		}
		x, ok := c.prepare(w, &cur, i, &room, keep)
		if !ok {
			break
		}
		c.made = append(c.made, x)
	}
	if len(c.made) == 0 {
		return 0, nil
	}
	if err := c.logUndo(); err != nil {
		return 0, err
	}
	return len(c.made), c.apply(w, &cur)
}

// prepare looks at the cursor's record, of row i, and appends the body of its undo record; false:
// the row cannot be changed this way, or not now.
func (c *Changes) prepare(w *work, cur *btree.Cursor, i int, room *int, keep bool) (x made, ok bool) {
	t, tx, value := c.t, c.tx, cur.Value()
	if t.checkValue(value) != nil {
		return x, false
	}
	h, old := parseHeader(value), value[headerLen:]
	c.again = h.trx == tx.ID()
	if len(c.key(i))+headerLen+len(c.row(i)) > btree.MaxRecord {
		return x, false
	}
	if h.deleted() || h.trx != tx.ID() && (t.writerState(h.trx) != txn.Committed ||
		!t.svc.Locks.TryLock(&tx.Owner, t.clustered().tree.ID, c.key(i), lock.X, lock.Record)) {
		return x, false
	}
	if w.chains = t.layout.AppendOverflow(w.chains[:0], old); len(w.chains) > 0 {
		return x, false
	}
	x = made{slot: cur.Slot(), header: h, size: len(old), prefix: len(old), old: len(c.olds)}
	if w.body = append(w.body[:0], 0); c.rows[i].keyed || c.again && !c.rows[i].del { // what was changed before need not be as the caller read it
		if x.keys, ok = c.changedKeys(w, i, old); !ok {
			return x, false
		}
	}
	var before []byte
	if !c.rows[i].del {
		new := c.row(i)
		if *room -= max(len(new)-len(old), 0); *room < 0 {
			return x, false
		}
		x.same = bytes.Equal(old, new)
		x.prefix, x.suffix, before = row.Patch(new, old)
	}
	if keep {
		c.olds = append(c.olds, value...)
	}
	x.end = len(c.olds)
	if !x.same {
		c.undo = append(c.undo, h.flags)
		c.undo = binary.AppendUvarint(c.undo, uint64(x.prefix))
		c.undo = binary.AppendUvarint(c.undo, uint64(x.suffix))
		c.undo = binary.AppendUvarint(c.undo, uint64(len(before)))
		c.undo = append(append(c.undo, before...), 0) // no chains
		c.undo = append(c.undo, w.body...)
	}
	x.undo = len(c.undo)
	return x, true
}

// changedKeys makes w.body the keys that row i loses by its change, as an undo record has them. any:
// there are some. False: the row is for changeOne, as one whose unique key changes.
func (c *Changes) changedKeys(w *work, i int, old []byte) (any, ok bool) {
	w.key = append(w.key[:0], c.key(i)...)
	w.vals, c.vals = c.t.layout.Decode(old, w.vals), c.t.layout.Decode(c.row(i), c.vals)
	w.body = w.body[:0]
	changed, err := c.t.appendChangedKeys(w, c.vals)
	unique := slices.ContainsFunc(changed, func(ix *index) bool { return ix.unique })
	return len(changed) > 0, err == nil && !unique
}

// logUndo writes the undo records; c.ptrs are their places, 0 for rows that stay as they are.
func (c *Changes) logUndo() (err error) {
	next, from := 0, 0
	logged := 0
	for i := range c.made {
		if !c.made[i].same {
			logged++
		}
	}
	c.ptrs, err = c.tx.LogRun(logged, func(rec *txn.UndoRecord) {
		for c.made[next].same {
			next++
		}
		x := &c.made[next]
		*rec = txn.UndoRecord{Type: txn.UndoUpdate, NoPurge: !x.keys, Table: c.t.def.ID, PrevTrx: x.header.trx, PrevPtr: x.header.ptr,
			Key: c.key(c.at + next), Body: c.undo[from:x.undo]}
		if c.rows[c.at+next].del {
			rec.Type, rec.NoPurge = txn.UndoDeleteMark, false
		}
		c.t.changing(c.tx, rec.Key)
		next, from = next+1, x.undo
	}, c.ptrs[:0])
	return err
}

// apply makes the changes of the leaf: patches where a row keeps its length, else new values.
func (c *Changes) apply(w *work, cur *btree.Cursor) error {
	c.patches = c.patches[:0]
	ptrs := c.ptrs
	for i := range c.made {
		x := &c.made[i]
		if x.same {
			continue
		}
		h := header{trx: c.tx.ID(), ptr: ptrs[0]}
		ptrs = ptrs[1:]
		if c.rows[c.at+i].del {
			h.flags = flagDeleted
		}
		new := c.row(c.at + i)
		w.record = appendHeader(w.record[:0], h)
		if h.deleted() || len(new) == x.size {
			c.patches = btree.AppendPatch(c.patches, x.slot, 0, w.record)
			if !h.deleted() {
				c.patches = btree.AppendPatch(c.patches, x.slot, headerLen+x.prefix, new[x.prefix:len(new)-x.suffix])
			}
			continue
		}
		w.record = append(w.record, new...)
		cur.To(x.slot)
		if !cur.SetValue(w.record) {
			return c.t.corrupt("no room for a record of %d bytes that there was room for", len(w.record))
		}
	}
	if len(c.patches) > 0 {
		cur.PatchRun(c.patches)
	}
	for i := range c.made {
		if !c.made[i].same {
			c.t.written(c.tx, c.key(c.at+i))
		}
	}
	return nil
}

// finishRun gathers the entries that rows have lost and got, and tells of the rows.
func (c *Changes) finishRun(w *work) (err error) {
	t, tx := c.t, c.tx
	log := t.journal(tx)
	if log == nil && len(t.indexes) == 1 {
		return nil
	}
	for i := range c.made {
		x := &c.made[i]
		if x.same {
			continue
		}
		w.key = append(w.key[:0], c.key(c.at+i)...)
		old := c.olds[x.old:x.end]
		switch {
		case c.rows[c.at+i].del:
			err = c.deleted(w, old, log)
		case x.keys || log != nil:
			w.vals = t.layout.Decode(old[headerLen:], w.vals)
			c.vals = t.layout.Decode(c.row(c.at+i), c.vals)
			if x.keys {
				c.entriesOf(w)
			}
			if log != nil {
				err = log.Updated(t.told, w.vals, c.vals)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
