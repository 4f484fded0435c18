package btree

import (
	"bytes"
	"errors"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// Beyond returns the least key that the leaf of key, or the damaged page on the way to it, cannot
// hold: where a reader goes on that passes damage over. nil: there is none.
func (t *Tree) Beyond(key []byte) (bound []byte, err error) {
	m := t.Pool.BeginRead()
	defer m.Commit()
	pg, n, err := t.pin(m, t.Root, -1, buffer.Shared)
	for err == nil && n.level() > 0 {
		slot := n.childSlot(key, false)
		if slot+1 < n.count() {
			bound = bytes.Clone(n.key(slot + 1))
		}
		child, level := n.child(slot), n.level()-1
		m.Release(pg)
		pg, n, err = t.pin(m, child, level, buffer.Shared)
	}
	if errors.Is(err, base.ErrCorrupt) {
		err = nil
	}
	return bound, err
}
