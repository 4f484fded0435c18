package btree

// Splits. A writer that finds its leaf too full lets go and calls makeRoom, which splits the leaf,
// and the inner pages above it as far as they overflow, in one mini-transaction of its own:
//
//	1 plan    under the tree's smo mutex inner pages and links stand still; descend with S latches, note the way, and find the
//	          lowest inner page that certainly takes one more separator (top)
//	2 latch   X from top down to the leaf, then the leaf's right neighbour
//	3 decide  the leaf may have changed meanwhile: is a split still needed, where, which separator; then upwards, what overflows
//	4 reserve as many pages as step 3 found
//	5 change  nothing here can fail
//
// If no page up to the root takes another separator, the root is pushed down first: it becomes the
// parent of a copy of itself. Step 2 latches in preorder of the tree like everybody: root to leaf,
// left to right.

import (
	"bytes"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/space"
	"emberdb/internal/base"
)

// step is a page on the way from the root to a leaf; a way is indexed by level.
type step struct {
	no    base.PageNo
	slot  int         // of the child taken
	count int         // separators (inner pages)
	page  buffer.Page // while latched
	n     node
}

const wayInline = 8

// way descends to the leaf for key. The leaf comes S-latched in way[0].page, the others are let go.
// REQUIRES: the smo mutex, so that the way stays true.
func (t *Tree) way(m *buffer.Mtr, key []byte, buf []step) ([]step, error) {
	pg, n, err := t.pin(m, t.Root, -1, buffer.Shared)
	if err != nil {
		return nil, err
	}
	way := append(buf[:0], make([]step, n.level()+1)...)
	for level := n.level(); level > 0; level-- {
		slot := n.childFor(key, toKey)
		way[level] = step{no: pg.ID().No, slot: slot, count: n.count()}
		child, cn, err := t.pin(m, n.child(slot), level-1, buffer.Shared)
		m.Release(pg)
		if err != nil {
			return nil, err
		}
		pg, n = child, cn
	}
	way[0] = step{no: pg.ID().No, page: pg, n: n}
	return way, nil
}

// latch pins way[level] exclusively.
func (t *Tree) latch(m *buffer.Mtr, way []step, level int) (err error) {
	way[level].page, way[level].n, err = t.pin(m, way[level].no, level, buffer.Exclusive)
	return err
}

// maxKeyLen is the length of the longest key of a node.
func (n node) maxKeyLen() int {
	longest := 0
	for i := range n.count() {
		longest = max(longest, int(le.Uint16(n[n.offset(i):])))
	}
	return longest
}

// makeRoom splits the leaf of key until a record of need bytes fits there.
// REQUIRES: no page latch held.
func (t *Tree) makeRoom(key []byte, need int) error {
	mu := t.smo()
	mu.Lock()
	defer mu.Unlock()
	s := split{t: t, key: key, need: need + recCost, sepLen: len(key)}
	for {
		s.m = t.Pool.Begin()
		done, err := s.attempt()
		s.m.Commit()
		if s.fresh != 0 {
			space.Prepare(t.Pool, t.id(s.fresh))
		}
		if done || err != nil {
			return err
		}
	}
}

// split is the work of one makeRoom.
type split struct {
	t      *Tree
	m      *buffer.Mtr
	key    []byte
	need   int // bytes the coming record takes
	sepLen int // bound of the leaf separator's length that step 1 goes by; raised when it proves too small

	buf   [wayInline]step
	way   []step
	fresh base.PageNo // a page allocated on the way, 0 if none
}

// attempt returns true when there is room, false when another attempt is due.
func (s *split) attempt() (bool, error) {
	way, err := s.t.way(s.m, s.key, s.buf[:0])
	if err != nil {
		return false, err
	}
	s.way = way
	room := way[0].n.free() >= s.need
	s.sepLen = max(s.sepLen, way[0].n.maxKeyLen())
	s.m.Release(way[0].page)
	if room {
		return true, nil
	}
	top, err := s.top()
	if err != nil {
		return false, err
	}
	if top < 0 {
		return false, s.t.pushDown(s.m)
	}
	for level := top; level >= 0; level-- {
		if err := s.t.latch(s.m, way, level); err != nil {
			return false, err
		}
	}
	return s.splitLatched()
}

// top finds the lowest level above the leaf whose page certainly takes another separator, -1 if
// there is none.
func (s *split) top() (int, error) {
	bound := s.sepLen
	for level := 1; level < len(s.way); level++ {
		pg, n, err := s.t.pin(s.m, s.way[level].no, level, buffer.Shared)
		if err != nil {
			return 0, err
		}
		fits := n.takes(bound)
		if !fits {
			bound = max(bound, n.maxKeyLen())
		}
		s.m.Release(pg)
		if fits {
			return level, nil
		}
	}
	return -1, nil
}

// takes tells whether an inner node has room for a separator of that length.
func (n node) takes(sepLen int) bool { return n.free() >= sepLen+childSize+recCost }

// cut says how a node is divided.
type cut struct {
	at  int    // leaf: first record that goes right; inner: place of the separator that goes up, counting the new one
	sep []byte // separator of the right half; a copy
}

// splitLatched does steps 3 to 5.
func (s *split) splitLatched() (bool, error) {
	leaf := s.way[0]
	if leaf.n.free() >= s.need {
		return true, nil
	}
	var right buffer.Page
	if next := leaf.n.next(); next != base.NilPage {
		pg, _, err := s.t.pin(s.m, next, 0, buffer.Exclusive)
		if err != nil {
			return false, err
		}
		right = pg
	}
	cuts := []cut{leaf.n.cutLeaf(s.key, s.need)}
	if len(cuts[0].sep) > s.sepLen {
		s.sepLen = len(cuts[0].sep)
		return false, nil
	}
	for level := 1; !s.way[level].n.takes(len(cuts[level-1].sep)); level++ {
		cuts = append(cuts, s.way[level].n.cutInner(s.way[level].slot+1, cuts[level-1].sep))
	}
	// A page behind the page to be split on each of the lowest levels.
	fresh := make([]space.AllocToken, len(cuts))
	if err := space.ReserveAllocs(s.m, s.t.Space, fresh, func(level int) base.PageNo { return s.way[level].no }); err != nil {
		return false, err
	}
	pages := make([]buffer.Page, len(cuts))
	for level := range pages {
		pages[level] = space.Alloc(s.m, &fresh[level], pagefile.TypeTree)
	}
	s.fresh = pages[0].ID().No
	s.t.splitLeaf(s.m, leaf, pages[0], right, cuts[0].at)
	for level := 1; level < len(cuts); level++ {
		s.t.splitInner(s.m, s.way[level], pages[level], cuts[level], cuts[level-1].sep, pages[level-1].ID().No)
	}
	parent, last := s.way[len(cuts)], len(cuts)-1
	insertChild(s.m, parent.page, parent.slot+1, cuts[last].sep, pages[last].ID().No)
	return true, nil
}

// splitLeaf moves the records from slot at on to the new page pg.
func (t *Tree) splitLeaf(m *buffer.Mtr, leaf step, pg, right buffer.Page, at int) {
	no := pg.ID().No
	initNode(m, pg, t.ID, 0, leaf.no, leaf.n.next(), base.NilPage)
	appendRecords(m, pg, leaf.n, at, leaf.n.count())
	truncateNode(m, leaf.page, at)
	setLinks(m, leaf.page, linkNext, 0, no)
	if right.Valid() {
		setLinks(m, right, linkPrev, no, 0)
	}
}

// splitInner divides an inner node into which separator sep with its child goes, behind the child
// taken.
func (t *Tree) splitInner(m *buffer.Mtr, inner step, pg buffer.Page, c cut, sep []byte, child base.PageNo) {
	n, pos, at := inner.n, inner.slot+1, c.at
	up, from := at, at+1 // record that goes up, first that goes right
	leftmost := child
	switch {
	case at < pos:
		leftmost = n.child(up)
	case at == pos:
		from = at
	default:
		up, from = at-1, at
		leftmost = n.child(up)
	}
	initNode(m, pg, t.ID, n.level(), base.NilPage, base.NilPage, leftmost)
	appendRecords(m, pg, n, from, n.count())
	truncateNode(m, inner.page, up)
	switch {
	case at < pos:
		insertChild(m, pg, pos-at-1, sep, child)
	case at > pos:
		insertChild(m, inner.page, pos, sep, child)
	}
}

// pushDown makes the root the parent of a copy of itself. Nothing else changes, so the tree is
// whole before and after.
func (t *Tree) pushDown(m *buffer.Mtr) error {
	root, n, err := t.pin(m, t.Root, -1, buffer.Exclusive)
	if err != nil {
		return err
	}
	fresh, err := space.ReserveAlloc(m, t.Space, t.Root)
	if err != nil {
		return err
	}
	pg := space.Alloc(m, &fresh, pagefile.TypeTree)
	initNode(m, pg, t.ID, n.level(), base.NilPage, base.NilPage, n.leftmost())
	appendRecords(m, pg, n, 0, n.count())
	initNode(m, root, t.ID, n.level()+1, base.NilPage, base.NilPage, pg.ID().No)
	return nil
}

// Where to cut. Records inserted in ascending order leave the left page nearly full, in descending
// order the right one; and a run in the middle of a page (the newest rows of one of many groups)
// cuts at its place, so that the run continues in a page of its own.

const (
	runMin   = 5                 // inserts in one direction that count as a run
	fullFill = nodeCap * 15 / 16 // what an ordered load leaves room for: rows grow
)

// cutLeaf decides where the leaf is divided so that a record of size bytes with key finds room.
func (n node) cutLeaf(key []byte, size int) cut {
	pos, exact := n.search(key)
	at, right := n.cutPlace(pos, exact, size)
	// The separator is > low and <= high, so that the coming record falls into the half it was
	// counted in.
	var low, high []byte
	if at > 0 {
		low = n.key(at - 1)
	}
	if at < n.count() {
		high = n.key(at)
	}
	switch {
	case at == pos && right:
		high = key
	case at == pos:
		low = key
	}
	return cut{at: at, sep: bytes.Clone(high[:min(commonPrefix(low, high)+1, len(high))])}
}

// cutPlace returns the first slot that goes right, and whether the coming record goes right too
// where its slot is that one.
func (n node) cutPlace(pos int, exact bool, size int) (at int, right bool) {
	count := n.count()
	switch {
	case pos == count && (n.next() == base.NilPage || n.runOf(dirAsc) >= runMin && n.lastInsert() == count-1):
		if at := n.fillFrom(0, 1); n.cutFits(at, pos, true, size) {
			return at, true
		}
	case n.runOf(dirAsc) >= runMin && pos == n.lastInsert()+1, n.runOf(dirDesc) >= runMin && pos == n.lastInsert() && pos > 0:
		if !exact && n.cutFits(pos, pos, false, size) {
			return pos, false
		}
		if n.cutFits(pos, pos, true, size) {
			return pos, true
		}
	case n.runOf(dirDesc) >= runMin && pos == 0 && !exact:
		if at := n.fillFrom(count-1, -1); n.cutFits(at, pos, false, size) {
			return at, false
		}
	}
	return n.cutMiddle(pos, exact, size)
}

// fillFrom returns where the page is cut so that one side, starting at slot from and going by step,
// is filled to fullFill.
func (n node) fillFrom(from, step int) int {
	fill, i := 0, from
	for i >= 0 && i < n.count() && fill+n.cost(i) <= fullFill {
		fill += n.cost(i)
		i += step
	}
	if step < 0 {
		i++
	}
	return i
}

// cutFits tells whether both halves have room, the coming record of size bytes included.
func (n node) cutFits(at, pos int, right bool, size int) bool {
	left, total := 0, n.used()
	for i := range at {
		left += n.cost(i)
	}
	if pos < at || pos == at && !right {
		return left+size <= nodeCap
	}
	return left <= nodeCap && total-left+size <= nodeCap
}

// cutMiddle finds the cut whose larger half is smallest. One always fits: no record is larger than
// half a page.
func (n node) cutMiddle(pos int, exact bool, size int) (at int, right bool) {
	left, total, best := 0, n.used(), 4*base.PageSize
	for i := 0; i <= n.count(); i++ {
		if i >= pos && !(i == pos && exact) {
			if larger := max(left+size, total-left); larger < best {
				at, right, best = i, false, larger
			}
		}
		if i <= pos && i > 0 {
			if larger := max(left, total-left+size); larger < best {
				at, right, best = i, true, larger
			}
		}
		if i < n.count() {
			left += n.cost(i)
		}
	}
	return at, right
}

// cutInner decides which separator goes up when sep comes in at slot pos. Places count the
// separators with the new one among them.
func (n node) cutInner(pos int, sep []byte) cut {
	count := n.count()
	keyAt := func(place int) []byte {
		switch {
		case place < pos:
			return n.key(place)
		case place > pos:
			return n.key(place - 1)
		}
		return sep
	}
	at := count - 1 // ascending: the left half stays full
	if pos != count || n.runOf(dirAsc) < runMin {
		total := n.used() + len(sep) + childSize + recCost
		at = 0
		for left := 0; at < count; at++ {
			if left += len(keyAt(at)) + childSize + recCost; 2*left >= total {
				break
			}
		}
	}
	at = min(max(at, 1), max(count-1, 1))
	return cut{at: at, sep: bytes.Clone(keyAt(at))}
}
