package btree

import (
	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// target tells which way a descent goes.
type target uint8

const (
	toKey    target = iota // the leaf where key belongs
	toBefore               // the leaf where the greatest key < key stands or stood
	toLast                 // the last leaf
)

// childFor returns the slot of the child a descent takes.
func (n node) childFor(key []byte, to target) int {
	if to == toLast {
		return n.count() - 1
	}
	return n.childSlot(key, to == toBefore)
}

// pinRoot pins the root, with mode if it is a leaf. If the hint is wrong an inner root may come
// latched with mode too.
func (t *Tree) pinRoot(m *buffer.Mtr, mode buffer.Mode) (buffer.Page, node, error) {
	try := mode
	if t.rootIsInner.Load() {
		try = buffer.Shared
	}
	for {
		pg, n, err := t.pin(m, t.Root, -1, try)
		if err != nil {
			return pg, nil, err
		}
		inner := n.level() > 0
		if inner != t.rootIsInner.Load() {
			t.rootIsInner.Store(inner)
		}
		if inner || try == mode {
			return pg, n, nil
		}
		m.Release(pg)
		try = mode
	}
}

// leaf descends hand over hand: the child is latched before its parent is released. The leaf comes
// latched with mode.
func (t *Tree) leaf(m *buffer.Mtr, key []byte, to target, mode buffer.Mode) (buffer.Page, node, error) {
	pg, n, err := t.pinRoot(m, mode)
	if err != nil {
		return buffer.Page{}, nil, err
	}
	for level := n.level() - 1; level >= 0; level-- {
		childMode := buffer.Shared
		if level == 0 {
			childMode = mode
		}
		child, cn, err := t.pin(m, n.child(n.childFor(key, to)), level, childMode)
		m.Release(pg)
		if err != nil {
			return buffer.Page{}, nil, err
		}
		pg, n = child, cn
	}
	return pg, n, nil
}

// Seek returns a cursor at the first record >= key; its leaf is latched with mode.
func (t *Tree) Seek(m *buffer.Mtr, key []byte, mode buffer.Mode) (Cursor, error) {
	pg, n, err := t.leaf(m, key, toKey, mode)
	if err != nil {
		return Cursor{}, err
	}
	c := Cursor{t: t, m: m, page: pg, n: n}
	c.slot, _ = n.search(key)
	if c.slot == n.count() {
		err = c.right()
	}
	return c, err
}

// SeekLast returns a cursor at the last record <= key, with a nil key at the last record of the
// tree. Without such a record the cursor is not valid and Next leads to the first record.
func (t *Tree) SeekLast(m *buffer.Mtr, key []byte, mode buffer.Mode) (Cursor, error) {
	c := Cursor{t: t, m: m}
	if key == nil {
		return c, c.seekBefore(nil, toLast, mode)
	}
	pg, n, err := t.leaf(m, key, toKey, mode)
	if err != nil {
		return Cursor{}, err
	}
	c.page, c.n = pg, n
	slot, exact := n.search(key)
	if exact {
		slot++
	}
	c.slot = slot - 1
	if slot > 0 {
		return c, nil
	}
	// All records of the leaf are > key, so those < key are those <= key.
	return c, c.left(key, toBefore)
}

// SeekWrite begins a mini-transaction and returns a cursor at the place of key: on the record with
// that key, else where it would be inserted. A record of need bytes of key and value is certain to
// fit there, or the value of the record to grow by as much. The leaf is X-latched; the caller
// commits the mini-transaction.
// REQUIRES: no page latch held.
func (t *Tree) SeekWrite(key []byte, need int) (*buffer.Mtr, Cursor, error) {
	if need > MaxRecord || len(key) > MaxKey {
		return nil, Cursor{}, base.ErrRowTooBig
	}
	for {
		m := t.Pool.Begin()
		pg, n, err := t.leaf(m, key, toKey, buffer.Exclusive)
		if err != nil {
			m.Commit()
			return nil, Cursor{}, err
		}
		if n.free() >= need+recCost {
			c := Cursor{t: t, m: m, page: pg, n: n}
			c.slot, _ = n.search(key)
			return m, c, nil
		}
		m.Commit()
		if err := t.makeRoom(key, need); err != nil {
			return nil, Cursor{}, err
		}
	}
}
