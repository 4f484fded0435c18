package btree

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/space"
	"emberdb/internal/base"
)

// Stats is what Check counted.
type Stats struct {
	Levels     int
	Leaves     int
	Inner      int
	Records    int
	EmptyLeafs int
	LeafBytes  int64 // used of the leaves' capacity
	Pages      space.PageSet
}

// Fill is the share of the leaves' capacity in use.
func (s *Stats) Fill() float64 {
	if s.Leaves == 0 {
		return 0
	}
	return float64(s.LeafBytes) / float64(s.Leaves*nodeCap)
}

// check verifies the invariants of a node by itself; see format.go.
func (n node) check() error {
	heap := make([]span, 0, n.count())
	for i := range n.count() {
		off := n.offset(i)
		if off < heapStart || off+recHdr > n.heapTop() || off+recSize(n, off) > n.heapTop() {
			return fmt.Errorf("record of slot %d at offset %d is outside of the heap (1)(2)", i, off)
		}
		heap = append(heap, span{off, off + recSize(n, off)})
	}
	for i := range n.count() {
		switch key := n.key(i); {
		case i > 0 && bytes.Compare(n.key(i-1), key) >= 0:
			return fmt.Errorf("keys of slots %d and %d do not ascend (1)", i-1, i)
		case len(key) < n.prefix() || !bytes.Equal(key[:n.prefix()], n.key(0)[:n.prefix()]):
			return fmt.Errorf("key of slot %d does not share the prefix of %d bytes (1)", i, n.prefix())
		case n.slotHead(i) != head(key, n.prefix()):
			return fmt.Errorf("head of slot %d is %08x (1)", i, n.slotHead(i))
		case n.level() > 0 && len(n.value(i)) != childSize:
			return fmt.Errorf("separator %d has %d bytes for its child", i, len(n.value(i)))
		}
	}
	slices.SortFunc(heap, func(a, b span) int { return a.from - b.from })
	live := 0
	for i, s := range heap {
		if i > 0 && heap[i-1].to > s.from {
			return fmt.Errorf("records at %d and %d overlap (2)", heap[i-1].from, s.from)
		}
		live += s.to - s.from
	}
	if got := n.heapTop() - heapStart - live; got != n.garbage() {
		return fmt.Errorf("garbage counter %d, found %d (2)", n.garbage(), got)
	}
	return nil
}

type span struct{ from, to int }

// checker walks a tree in key order.
type checker struct {
	t        *Tree
	fn       func(key, val []byte) error
	st       Stats
	lastLeaf base.PageNo
	next     base.PageNo // what the last leaf names as its next
	key, val []byte
}

// Check verifies the whole tree: every node, the order across nodes, separators against the keys below them, levels, links. fn, if not nil,
// gets every record in order. No structure change happens meanwhile; readers and writers go on.
func (t *Tree) Check(fn func(key, val []byte) error) (Stats, error) {
	mu := t.smo()
	mu.Lock()
	defer mu.Unlock()
	c := checker{t: t, fn: fn, lastLeaf: base.NilPage, next: base.NilPage}
	err := c.node(t.Root, -1, nil, nil)
	if err == nil && c.next != base.NilPage {
		err = t.corrupt(c.lastLeaf, "the last leaf names %d as its next", c.next)
	}
	return c.st, err
}

// node checks the subtree of a page whose keys must lie in [lo, hi).
func (c *checker) node(no base.PageNo, level int, lo, hi []byte) error {
	if !c.st.Pages.Add(no) {
		return c.t.corrupt(no, "page is reached twice")
	}
	n, err := c.copyNode(no, level)
	if err != nil {
		return err
	}
	if level < 0 {
		c.st.Levels = n.level() + 1
	}
	if err := n.check(); err != nil {
		return c.t.corrupt(no, "%v", err)
	}
	if count := n.count(); count > 0 && (bytes.Compare(n.key(0), lo) < 0 || hi != nil && bytes.Compare(n.key(count-1), hi) >= 0) {
		return c.t.corrupt(no, "keys %x..%x leave the bounds %x..%x of the parent", n.key(0), n.key(count-1), lo, hi)
	}
	if n.level() == 0 {
		return c.leaf(no, n)
	}
	if n.prev() != base.NilPage || n.next() != base.NilPage {
		return c.t.corrupt(no, "inner page with neighbours %d, %d", n.prev(), n.next())
	}
	c.st.Inner++
	for slot := -1; slot < n.count(); slot++ {
		from, to := lo, hi
		if slot >= 0 {
			from = n.key(slot)
		}
		if slot+1 < n.count() {
			to = n.key(slot + 1)
		}
		if err := c.node(n.child(slot), n.level()-1, from, to); err != nil {
			return err
		}
	}
	return nil
}

// copyNode returns a copy, so that fn and the walk run without latches.
func (c *checker) copyNode(no base.PageNo, level int) (node, error) {
	m := c.t.Pool.BeginRead()
	defer m.Commit()
	_, n, err := c.t.pin(m, no, level, buffer.Shared)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(n), nil
}

func (c *checker) leaf(no base.PageNo, n node) error {
	if n.prev() != c.lastLeaf || c.lastLeaf != base.NilPage && c.next != no {
		return c.t.corrupt(no, "leaf behind %d names %d as previous, and that one %d as next", c.lastLeaf, n.prev(), c.next)
	}
	c.lastLeaf, c.next = no, n.next()
	c.st.Leaves++
	c.st.Records += n.count()
	c.st.LeafBytes += int64(n.used())
	if n.count() == 0 {
		c.st.EmptyLeafs++
	}
	if c.fn == nil {
		return nil
	}
	for i := range n.count() {
		if err := c.fn(n.key(i), n.value(i)); err != nil {
			return err
		}
	}
	return nil
}

// CheckPage verifies one page by itself, for inspectors: page bytes of any tree.
func CheckPage(page []byte) error {
	if len(page) != base.PageSize || pagefile.Type(page) != pagefile.TypeTree {
		return errors.New("not a tree page")
	}
	n := node(page)
	if err := n.checkHeader(n.tree(), -1); err != nil {
		return err
	}
	return n.check()
}
