package btree

import (
	"bytes"
	"encoding/binary"
	"runtime"

	"emberdb/engine/buffer"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// Cursor is a place in a tree: a latched leaf and a slot. It belongs to the mini-transaction it was
// made with and is dead after its Commit. Copying it is cheap; use one copy only.
//
// A slot of -1 stands before the first record of the tree, a slot of count behind the last record
// of the leaf: after Seek and Next that is the end of the tree, after SeekWrite and Delete it may
// be followed by other leaves.
type Cursor struct {
	t      *Tree
	m      *buffer.Mtr
	page   buffer.Page
	peeked buffer.Page // the next leaf, latched by PeekNext
	n      node
	slot   int
	writer base.TrxID
}

// Valid tells whether the cursor stands on a record.
func (c *Cursor) Valid() bool { return c.slot >= 0 && c.slot < c.n.count() }

// Exact tells whether the cursor stands on the record with that key.
func (c *Cursor) Exact(key []byte) bool { return c.Valid() && bytes.Equal(c.n.key(c.slot), key) }

// Key aliases the page: it is valid while the latch is held and the page unchanged.
// REQUIRES: Valid.
func (c *Cursor) Key() []byte { return c.n.key(c.slot) }

// Value aliases the page like Key. REQUIRES: Valid.
func (c *Cursor) Value() []byte { return c.n.value(c.slot) }

// Page is the leaf.
func (c *Cursor) Page() buffer.Page { return c.page }

// SetWriter names the transaction on whose behalf the cursor changes the page from now on; the page
// keeps the highest as its newest writer.
func (c *Cursor) SetWriter(trx base.TrxID) { c.writer = trx }

// Next moves to the next record.
func (c *Cursor) Next() error {
	c.slot++
	if c.slot < c.n.count() {
		return nil
	}
	c.slot = c.n.count()
	return c.right()
}

// Prev moves to the previous record. The left leaf is only tried; if it is busy the cursor lets go
// and descends anew, so what it aliased is gone.
// REQUIRES: the mini-transaction has changed nothing; the cursor came from Seek or SeekLast.
func (c *Cursor) Prev() error {
	if c.slot > 0 {
		c.slot--
		return nil
	}
	switch {
	case c.slot < 0:
		return nil
	case c.n.count() == 0: // behind the end of the tree
		return c.left(nil, toLast)
	}
	return c.left(c.n.key(0), toBefore)
}

// stand moves the cursor to another leaf. The old one stays latched once the mini-transaction has
// changed something.
func (c *Cursor) stand(pg buffer.Page, n node, slot int) {
	c.dropPeek()
	old := c.page
	c.page, c.n, c.slot = pg, n, slot
	if old.Valid() && !c.m.Changed() {
		c.m.Release(old)
	}
}

func (c *Cursor) dropPeek() {
	if c.peeked.Valid() {
		c.m.Release(c.peeked)
		c.peeked = buffer.Page{}
	}
}

// right moves to the first record of the leaves to the right; if there is none the cursor stays
// behind the end.
func (c *Cursor) right() error {
	mode := c.page.Mode()
	for {
		next := c.n.next()
		if next == base.NilPage {
			return nil
		}
		if mode == buffer.Exclusive {
			c.dropPeek()
		}
		pg, n, err := c.t.pin(c.m, next, 0, mode)
		if err != nil {
			return err
		}
		if n.prev() != c.page.ID().No {
			c.m.Release(pg)
			return c.t.corrupt(next, "previous leaf is %d where %d is expected", n.prev(), c.page.ID().No)
		}
		c.stand(pg, n, 0)
		if n.count() > 0 {
			return nil
		}
	}
}

// left moves to the last record of the leaves to the left, which is the last one before key (of the
// tree if to is toLast). key may alias the current leaf.
func (c *Cursor) left(key []byte, to target) error {
	mode := c.page.Mode()
	for first := true; ; first = false {
		prev := c.n.prev()
		if prev == base.NilPage {
			c.slot = -1
			return nil
		}
		pg, ok, err := c.m.TryPin(c.t.id(prev), mode)
		if err != nil {
			return err
		}
		if !ok {
			if first {
				key = bytes.Clone(key)
			}
			return c.seekBefore(key, to, mode)
		}
		n := node(pg.Data())
		if err := n.checkHeader(c.t.ID, 0); err != nil || n.next() != c.page.ID().No {
			c.m.Release(pg)
			return c.t.corrupt(prev, "bad previous leaf of %d: next %d, %v", c.page.ID().No, n.next(), err)
		}
		if first && n.count() == 0 {
			key = bytes.Clone(key)
		}
		c.stand(pg, n, n.count()-1)
		if n.count() > 0 {
			return nil
		}
	}
}

// seekBefore lets go of the leaf and descends to the last record before key. key is the caller's
// copy.
func (c *Cursor) seekBefore(key []byte, to target, mode buffer.Mode) error {
	for {
		c.dropPeek()
		if c.page.Valid() {
			c.m.Release(c.page)
			c.page = buffer.Page{}
			runtime.Gosched() // whoever holds the left leaf wants to go on
		}
		pg, n, err := c.t.leaf(c.m, key, to, mode)
		if err != nil {
			return err
		}
		slot := n.count()
		if to == toBefore {
			slot, _ = n.search(key)
		}
		c.page, c.n, c.slot = pg, n, slot-1
		if slot > 0 {
			return nil
		}
		if done, err := c.tryLeft(mode); done || err != nil {
			return err
		}
	}
}

// tryLeft is left without a fallback: false when a leaf is busy.
func (c *Cursor) tryLeft(mode buffer.Mode) (bool, error) {
	for c.n.prev() != base.NilPage {
		pg, ok, err := c.m.TryPin(c.t.id(c.n.prev()), mode)
		if err != nil || !ok {
			return false, err
		}
		n := node(pg.Data())
		if err := n.checkHeader(c.t.ID, 0); err != nil {
			c.m.Release(pg)
			return false, c.t.corrupt(c.n.prev(), "%v", err)
		}
		c.stand(pg, n, n.count()-1)
		if n.count() > 0 {
			return true, nil
		}
	}
	c.slot = -1
	return true, nil
}

// Before is the key of the record before the cursor's in the same leaf, nil if there is none; After
// alike. They alias the page like Key.
func (c *Cursor) Before() []byte {
	if c.slot < 1 || c.slot > c.n.count() {
		return nil
	}
	return c.n.key(c.slot - 1)
}

// After is the key of the record behind the cursor's in the same leaf.
func (c *Cursor) After() []byte {
	if c.slot+1 >= c.n.count() {
		return nil
	}
	return c.n.key(c.slot + 1)
}

// PeekNext returns the key behind the cursor: of the record after the current one, or, where the
// cursor stands behind the last record of its leaf, of the next one in the tree. It aliases a page
// that stays latched until the cursor moves or the mini-transaction ends.
//
// The page is latched as the cursor's own is. A reader that has come to the right leaf has let go
// of the left one before it locks the record there; a writer that looks for the locks of the gap in
// between must not do so beside it.
func (c *Cursor) PeekNext() (key []byte, ok bool, err error) {
	at := c.slot + 1
	if count := c.n.count(); at < count {
		return c.n.key(at), true, nil
	}
	c.dropPeek()
	for n := c.n; n.next() != base.NilPage; {
		pg, rn, err := c.t.pin(c.m, n.next(), 0, c.page.Mode())
		if err != nil {
			return nil, false, err
		}
		c.dropPeek()
		c.peeked, n = pg, rn
		if n.count() > 0 {
			return n.key(0), true, nil
		}
	}
	return nil, false, nil
}

// Underfull tells whether Merge is worth a try after a Delete. A leaf that found no neighbour to
// merge with would ask again with every record: while it has many it asks at every eighth.
func (c *Cursor) Underfull() bool {
	count := c.n.count()
	return (count < 8 || count%8 == 0) && c.n.underfull() && c.page.ID().No != c.t.Root
}

// Insert puts a record before the current one; the cursor then stands on it.
// REQUIRES: X latch, room (SeekWrite), key order.
func (c *Cursor) Insert(key, val []byte) {
	if invariants.Enabled {
		c.checkOrder(key)
	}
	var b [2 * 10]byte
	c.m.Apply(c.page, redo.OpBtreeInsert, encodeInsert(b[:0], c.slot, c.writer, key), key, val)
}

// Room is how many bytes records may take here together, each with its header and slot.
// REQUIRES: X latch.
func (c *Cursor) Room() int { return c.n.free() }

// AppendRecord adds a record in page form.
func AppendRecord(dst, key, val []byte) []byte {
	dst = le.AppendUint16(dst, uint16(len(key)))
	dst = le.AppendUint16(dst, uint16(len(val)))
	return append(append(dst, key...), val...)
}

// InsertRun puts records, in page form one behind the other, before the current one; the cursor
// then stands on the first of them.
// REQUIRES: X latch, Room, ascending keys that all belong there (Run.Precedes).
func (c *Cursor) InsertRun(recs []byte) {
	if invariants.Enabled {
		for rest := recs; len(rest) > 0; rest = rest[recSize(rest, 0):] {
			c.checkOrder(rest[recHdr : recHdr+int(le.Uint16(rest))])
		}
	}
	var b [2 * 10]byte
	c.m.Apply(c.page, redo.OpBtreeRun, encodeSlot(b[:0], c.slot, c.writer), recs)
}

func (c *Cursor) checkOrder(key []byte) {
	if c.slot > 0 && bytes.Compare(c.n.key(c.slot-1), key) >= 0 || c.Valid() && bytes.Compare(c.Key(), key) <= 0 {
		panic("btree: insert out of key order")
	}
}

// SetValue replaces the value. False: it does not fit and nothing has changed; SeekWrite with its
// size makes room.
// REQUIRES: X latch, Valid.
func (c *Cursor) SetValue(val []byte) bool {
	if len(val)-len(c.n.value(c.slot)) > c.n.free() || len(val)+len(c.n.key(c.slot)) > MaxRecord {
		return false
	}
	var b [2 * 10]byte
	c.m.Apply(c.page, redo.OpBtreeSetValue, encodeSlot(b[:0], c.slot, c.writer), val)
	return true
}

// Patch overwrites bytes within the value, from off on. REQUIRES: X latch, Valid, within the value.
func (c *Cursor) Patch(off int, b []byte) {
	var h [3 * 10]byte
	c.m.Apply(c.page, redo.OpBtreePatch, encodePatch(h[:0], c.slot, c.writer, off), b)
}

// Slot is the place of the cursor's record in its leaf, for To and AppendPatch: until a record
// comes to the leaf or goes.
func (c *Cursor) Slot() int { return c.slot }

// To moves the cursor to another record of its leaf.
func (c *Cursor) To(slot int) { c.slot = slot }

// Forward moves the cursor to the record with that key, which is not before its own, if the leaf
// has it.
func (c *Cursor) Forward(key []byte) bool {
	for range 2 { // where all records are wanted it is the next one
		if !c.Valid() {
			return false
		}
		if cmp := bytes.Compare(c.n.key(c.slot), key); cmp >= 0 {
			return cmp == 0
		}
		c.slot++
	}
	var exact bool
	c.slot, exact = c.n.search(key)
	return exact
}

// Ahead moves the cursor to the first record of its leaf whose key is not before key. False: the
// leaf has none, and the cursor stays.
// REQUIRES: Valid.
func (c *Cursor) Ahead(key []byte) bool {
	if bytes.Compare(c.n.key(c.slot), key) >= 0 {
		return true
	}
	slot, _ := c.n.search(key)
	if slot == c.n.count() {
		return false
	}
	c.slot = slot
	return true
}

// AppendPatch adds a patch of the value of a leaf's record for PatchRun.
func AppendPatch(dst []byte, slot, off int, b []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(slot))
	dst = binary.AppendUvarint(dst, uint64(off))
	dst = binary.AppendUvarint(dst, uint64(len(b)))
	return append(dst, b...)
}

// PatchRun is Patch of several records of the leaf.
// REQUIRES: X latch, slots of the leaf, within the values.
func (c *Cursor) PatchRun(patches []byte) {
	var b [10]byte
	c.m.Apply(c.page, redo.OpBtreePatches, binary.AppendUvarint(b[:0], uint64(c.writer)), patches)
}

// Delete removes the record. The cursor then stands on its successor, or behind the last record of
// the leaf.
// REQUIRES: X latch, Valid.
func (c *Cursor) Delete() {
	var b [2 * 10]byte
	c.m.Apply(c.page, redo.OpBtreeDelete, encodeSlot(b[:0], c.slot, c.writer))
}
