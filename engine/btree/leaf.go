package btree

import "emberdb/internal/base"

// Leaf is a copy of the records of a leaf, which is read without a latch.
type Leaf struct{ n node }

// CopyLeaf copies the cursor's leaf. What is free in it is left out.
func (c *Cursor) CopyLeaf(l *Leaf) {
	if l.n == nil {
		l.n = make(node, base.PageSize)
	}
	top, dir := c.n.heapTop(), c.n.dirStart()
	copy(l.n[:top], c.n[:top])
	copy(l.n[dir:], c.n[dir:])
}

// Count is the number of records.
func (l *Leaf) Count() int { return l.n.count() }

// Search returns the slot of the first record whose key is not below key.
func (l *Leaf) Search(key []byte) int {
	slot, _ := l.n.search(key)
	return slot
}

// Key aliases the copy, as Value does.
func (l *Leaf) Key(slot int) []byte { return l.n.key(slot) }

// Value is the value of a record.
func (l *Leaf) Value(slot int) []byte { return l.n.value(slot) }
