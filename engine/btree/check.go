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
	Levels      int
	Leaves      int
	Inner       int
	Records     int
	EmptyLeaves int
	LeafBytes   int64 // used of the leaves' capacity
	Pages       space.PageSet
}

// Fill is the share of the leaves' capacity in use.
func (s *Stats) Fill() float64 {
	if s.Leaves == 0 {
		return 0
	}
	return float64(s.LeafBytes) / float64(s.Leaves*nodeCap)
}

// checkHeader tells whether the page can be used as a node of tree at level (-1: any).
func (n node) checkHeader(tree base.IndexID, level int) error {
	switch {
	case pagefile.Type(n) != pagefile.TypeTree:
		return fmt.Errorf("page type %d where a tree page is expected", pagefile.Type(n))
	case n.tree() != tree:
		return fmt.Errorf("page of tree %d where one of tree %d is expected", n.tree(), tree)
	case level >= 0 && n.level() != level:
		return fmt.Errorf("page of level %d where level %d is expected", n.level(), level)
	case n.level() > maxLevel, n.heapTop() < heapStart, n.dirStart() < n.heapTop():
		return fmt.Errorf("impossible node header: level %d, heap top %d, %d slots", n.level(), n.heapTop(), n.count())
	}
	return nil
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

// checkStep is how many leaves Check looks at while it keeps structure changes out.
const checkStep = 64

// checker walks a tree in key order.
type checker struct {
	t     *Tree
	st    Stats
	batch []leafCopy
	last  leafCopy // of the step before; no is NilPage at the start
}

type leafCopy struct {
	no  base.PageNo
	lsn base.LSN
	n   node
}

// Check verifies the whole tree: every node, the order across nodes, separators against the keys
// below them, levels, links. fn, if not nil, gets every record in order; no latch is held
// meanwhile. Readers and writers go on; structure changes wait only while a few leaves are looked
// at, and what they move between two steps is seen once, but may be counted twice in Stats.
func (t *Tree) Check(fn func(key, val []byte) error) (Stats, error) {
	c := checker{t: t, last: leafCopy{no: base.NilPage}}
	for from := []byte(nil); ; {
		to, err := c.step(from)
		if err != nil {
			return c.st, err
		}
		for _, leaf := range c.batch {
			if err := c.report(leaf.n, from, fn); err != nil {
				return c.st, err
			}
		}
		if to == nil {
			return c.st, nil
		}
		c.last = c.batch[len(c.batch)-1]
		from = to
	}
}

// report gives the records >= from of a leaf to fn.
func (c *checker) report(n node, from []byte, fn func(key, val []byte) error) error {
	slot, _ := n.search(from)
	c.st.Records += n.count() - slot
	if fn == nil {
		return nil
	}
	for ; slot < n.count(); slot++ {
		if err := fn(n.key(slot), n.value(slot)); err != nil {
			return err
		}
	}
	return nil
}

// step checks the way to from and some leaves there, and keeps them in batch. It returns the bound
// behind them, nil at the end of the tree.
func (c *checker) step(from []byte) (to []byte, err error) {
	mu := c.t.smo()
	mu.Lock()
	defer mu.Unlock()
	c.batch = c.batch[:0]
	var lo, hi []byte
	no, level := c.t.Root, -1
	for {
		at, err := c.load(no, level, lo, hi)
		if err != nil {
			return nil, err
		}
		n := at.n
		if no == c.t.Root {
			c.st.Levels = n.level() + 1
		}
		if n.level() == 0 {
			return nil, c.leaf(at, true)
		}
		if n.prev() != base.NilPage || n.next() != base.NilPage {
			return nil, c.t.corrupt(no, "inner page with neighbours %d, %d", n.prev(), n.next())
		}
		slot := n.childSlot(from, false)
		if n.level() == 1 {
			return c.leaves(n, slot, lo, hi)
		}
		no, level = n.child(slot), n.level()-1
		lo, hi = n.bounds(slot, lo, hi)
	}
}

// bounds narrows the bounds of a node to those of a child.
func (n node) bounds(slot int, lo, hi []byte) ([]byte, []byte) {
	if slot >= 0 {
		lo = n.key(slot)
	}
	if slot+1 < n.count() {
		hi = n.key(slot + 1)
	}
	return lo, hi
}

// leaves checks children of a level 1 node from slot on.
func (c *checker) leaves(n node, slot int, lo, hi []byte) (to []byte, err error) {
	end := min(slot+checkStep, n.count())
	for ; slot < end; slot++ {
		from, to := n.bounds(slot, lo, hi)
		at, err := c.load(n.child(slot), 0, from, to)
		if err == nil {
			err = c.leaf(at, to == nil)
		}
		if err != nil {
			return nil, err
		}
	}
	if end < n.count() {
		return n.key(end), nil
	}
	return hi, nil
}

// load copies a node and checks it by itself; its keys must lie in [lo, hi).
func (c *checker) load(no base.PageNo, level int, lo, hi []byte) (leafCopy, error) {
	m := c.t.Pool.BeginRead()
	pg, n, err := c.t.pin(m, no, level, buffer.Shared)
	at := leafCopy{no: no}
	if err == nil {
		at.lsn, at.n = pg.LSN(), bytes.Clone(n)
	}
	m.Commit()
	if err != nil {
		return at, err
	}
	n = at.n
	if err := n.check(); err != nil {
		return at, c.t.corrupt(no, "%v", err)
	}
	if count := n.count(); count > 0 && (bytes.Compare(n.key(0), lo) < 0 || hi != nil && bytes.Compare(n.key(count-1), hi) >= 0) {
		return at, c.t.corrupt(no, "keys %x..%x leave the bounds %x..%x of the parent", n.key(0), n.key(count-1), lo, hi)
	}
	if fresh := c.st.Pages.Add(no); fresh && n.level() > 0 {
		c.st.Inner++
	}
	return at, nil
}

// leaf checks the links of the next leaf in order and takes it into batch.
func (c *checker) leaf(at leafCopy, last bool) error {
	before, stale := c.last, true
	if len(c.batch) > 0 {
		before, stale = c.batch[len(c.batch)-1], false
	}
	wrong := at.n.prev() != before.no || before.no != base.NilPage && before.n.next() != at.no
	if wrong && stale && before.no != base.NilPage {
		wrong = !c.changed(before)
	}
	if wrong {
		return c.t.corrupt(at.no, "leaf behind %d names %d as its previous", before.no, at.n.prev())
	}
	if last && at.n.next() != base.NilPage {
		return c.t.corrupt(at.no, "the last leaf names %d as its next", at.n.next())
	}
	c.st.Leaves++
	c.st.LeafBytes += int64(at.n.used())
	if at.n.count() == 0 {
		c.st.EmptyLeaves++
	}
	c.batch = append(c.batch, at)
	return nil
}

// changed tells whether a leaf of the step before has changed since: then its links prove nothing.
func (c *checker) changed(at leafCopy) bool {
	m := c.t.Pool.BeginRead()
	defer m.Commit()
	pg, err := m.Pin(c.t.id(at.no), buffer.Shared)
	return err != nil || pg.LSN() != at.lsn
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
