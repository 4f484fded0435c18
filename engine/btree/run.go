package btree

import (
	"bytes"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// Run is the place of several records of ascending keys that go to one leaf with one descent. Its
// memory can be used again.
type Run struct {
	Cursor
	fence []byte // keys from here on belong to leaves further right; empty: all keys belong here
}

// SeekRun is SeekWrite for the first of the records.
func (t *Tree) SeekRun(r *Run, key []byte, need int) (*buffer.Mtr, error) {
	if need > MaxRecord || len(key) > MaxKey {
		return nil, base.ErrRowTooBig
	}
	for {
		m := t.Pool.Begin()
		pg, n, err := t.leafBelow(m, key, r)
		if err != nil {
			m.Commit()
			return nil, err
		}
		if n.free() >= need+recCost {
			r.Cursor = Cursor{t: t, m: m, page: pg, n: n}
			r.slot, _ = n.search(key)
			return m, nil
		}
		m.Commit()
		if err := t.makeRoom(key, need); err != nil {
			return nil, err
		}
	}
}

// leafBelow descends to the leaf of key, which comes X-latched, and notes the separator behind it.
// The separator stays right while the leaf is latched: only a merge with the leaf could remove it.
func (t *Tree) leafBelow(m *buffer.Mtr, key []byte, r *Run) (buffer.Page, node, error) {
	r.fence = r.fence[:0]
	pg, n, err := t.pinRoot(m, buffer.Exclusive)
	if err != nil {
		return buffer.Page{}, nil, err
	}
	for level := n.level() - 1; level >= 0; level-- {
		mode := buffer.Shared
		if level == 0 {
			mode = buffer.Exclusive
		}
		slot := n.childFor(key, toKey)
		if slot+1 < n.count() {
			r.fence = append(r.fence[:0], n.key(slot+1)...)
		}
		child, cn, err := t.pin(m, n.child(slot), level, mode)
		m.Release(pg)
		if err != nil {
			return buffer.Page{}, nil, err
		}
		pg, n = child, cn
	}
	return pg, n, nil
}

// within tells whether key, which does not precede the one that was sought, belongs to the leaf.
func (r *Run) within(key []byte) bool {
	return len(r.fence) == 0 || bytes.Compare(key, r.fence) < 0
}

// Precedes tells whether key, which is greater than the ones before it, belongs before the current
// record of this leaf or, where the cursor stands behind the last one, behind it.
// REQUIRES: the cursor is not Exact.
func (r *Run) Precedes(key []byte) bool {
	if r.Valid() {
		return bytes.Compare(key, r.Key()) < 0
	}
	return r.within(key)
}

// Advance moves to the place of key, which is greater than the ones before it: to the record with
// that key or the one behind it. False: the key belongs to another leaf.
func (r *Run) Advance(key []byte) bool {
	if !r.within(key) {
		return false
	}
	for range 2 { // a run inserted here has left the cursor on its first record
		if !r.Valid() || bytes.Compare(r.Key(), key) >= 0 {
			return true
		}
		r.slot++
	}
	r.slot, _ = r.n.search(key)
	return true
}

// Rightmost tells whether the cursor stands behind the last record of the tree.
func (r *Run) Rightmost() bool { return !r.Valid() && r.n.next() == base.NilPage }

// Leftmost tells whether no record of the tree is before the cursor's place.
func (r *Run) Leftmost() bool { return r.slot == 0 && r.n.prev() == base.NilPage }
