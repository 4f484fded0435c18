package btree

import (
	"bytes"
	"errors"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/internal/base"
)

// Span is a range of keys with both its ends.
type Span struct{ First, Last []byte }

// Leaves yields the leaves that may hold keys of the spans, which ascend and do not overlap, each
// leaf once, with the number of a span; false ends it. It reads inner pages only, one after the
// other, so it is a picture of no one moment.
func (t *Tree) Leaves(spans []Span, yield func(no base.PageNo, span int) bool) error {
	last := base.NilPage
	once := func(no base.PageNo, span int) bool {
		if no == last {
			return true
		}
		last = no
		return yield(no, span)
	}
	var from []byte // where the span at hand goes on; nil: at its beginning
	for at := 0; at < len(spans); {
		if from == nil {
			from = spans[at].First
		}
		next, end, more, err := t.leavesOf(spans, at, from, once)
		if err != nil || !more {
			return err
		}
		if at, from = next, nil; end != nil && at < len(spans) && bytes.Compare(spans[at].First, end) < 0 {
			from = end
		}
	}
	return nil
}

// leavesOf yields those below the lowest inner page over a key. next is the first span that is not
// done, end the key at which the page ends; nil: it is the last one.
func (t *Tree) leavesOf(spans []Span, at int, from []byte, yield func(base.PageNo, int) bool) (next int, end []byte, more bool, err error) {
	m := t.Pool.BeginRead()
	defer m.Commit()
	pg, n, err := t.pin(m, t.Root, -1, buffer.Shared)
	if err != nil {
		return 0, nil, false, err
	}
	if n.level() == 0 {
		return len(spans), nil, yield(t.Root, at), nil
	}
	for n.level() > 1 {
		slot := n.childFor(from, toKey)
		if slot+1 < n.count() {
			end = bytes.Clone(n.key(slot + 1))
		}
		child, cn, err := t.pin(m, n.child(slot), n.level()-1, buffer.Shared)
		m.Release(pg)
		if err != nil {
			return 0, nil, false, err
		}
		pg, n = child, cn
	}
	for ; at < len(spans); at++ {
		s := spans[at]
		if bytes.Compare(from, s.First) < 0 {
			from = s.First
		}
		if end != nil && bytes.Compare(from, end) >= 0 {
			break
		}
		for slot, last := n.childFor(from, toKey), n.childFor(s.Last, toKey); slot <= last; slot++ {
			if !yield(n.child(slot), at) {
				return 0, nil, false, nil
			}
		}
		if end != nil && bytes.Compare(s.Last, end) >= 0 {
			break // it goes on behind this page
		}
	}
	return at, end, true, nil
}

// LeafEnds reads a page of the pool: the tree it belongs to, the leaf behind it, its first and its
// last key, which alias it. ok is false if it is no leaf with records.
func LeafEnds(page []byte) (tree base.IndexID, next base.PageNo, first, last []byte, ok bool) {
	if pagefile.Type(page) != pagefile.TypeTree {
		return 0, 0, nil, nil, false
	}
	n := node(page)
	if n.level() != 0 || n.count() == 0 || n.checkHeader(n.tree(), 0) != nil {
		return 0, 0, nil, nil, false
	}
	return n.tree(), n.next(), n.key(0), n.key(n.count() - 1), true
}

// IsGone tells of an error of Leaves that the tree, or a page of it, has gone meanwhile.
func IsGone(err error) bool {
	return errors.Is(err, base.ErrCorrupt) || errors.Is(err, pagefile.ErrNoSpace)
}
