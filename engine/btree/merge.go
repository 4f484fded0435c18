package btree

// Merges. Whoever has removed records and finds the leaf underfull (Cursor.Underfull) calls Merge
// after its mini-transaction:
//
//	empty leaf       leaves the list of leaves and its parent; parents that had no other child go with it
//	underfull node   takes over its right neighbour under the same parent, or is taken over by its left one, if both fit one page loosely
//	root             with a single child takes over the child's content, so an emptied tree ends as a root leaf
//
// From the leaf upwards, each level in a mini-transaction of its own, all under the smo mutex.
// Latches in preorder of the tree (see split.go): for an empty leaf the leaf before it may stand
// under another parent and is then latched before the parent.

import (
	"emberdb/engine/buffer"
	"emberdb/engine/redo"
	"emberdb/engine/space"
	"emberdb/internal/base"
)

const (
	underFill = nodeCap / 3
	mergeFill = nodeCap * 7 / 8 // leaves room behind a merge, so that it is not undone by the next insert
)

func (n node) underfull() bool { return n.used() < underFill }

// Merge shrinks the tree around key if the leaf there is underfull. REQUIRES: no page latch held.
func (t *Tree) Merge(key []byte) error {
	mu := t.smo()
	mu.Lock()
	defer mu.Unlock()
	for level := 0; ; level++ {
		m := t.Pool.Begin()
		changed, err := t.mergeLevel(m, key, level)
		m.Commit()
		if err != nil {
			return err
		}
		if !changed {
			break
		}
	}
	return t.collapse()
}

// mergeLevel shrinks the node of that level on the way to key. False: nothing to do.
func (t *Tree) mergeLevel(m *buffer.Mtr, key []byte, level int) (bool, error) {
	var buf [wayInline]step
	way, err := t.way(m, key, buf[:0])
	if err != nil {
		return false, err
	}
	empty, underfull := way[0].n.count() == 0, way[0].n.underfull()
	prev, next := way[0].n.prev(), way[0].n.next()
	m.Release(way[0].page)
	if level+1 >= len(way) {
		return false, nil
	}
	if level == 0 && empty {
		return t.unlink(m, way, prev, next)
	}
	if level > 0 {
		pg, n, err := t.pin(m, way[level].no, level, buffer.Shared)
		if err != nil {
			return false, err
		}
		underfull = n.underfull()
		m.Release(pg)
	}
	if !underfull {
		return false, nil
	}
	parent := way[level+1]
	if parent.slot+1 < parent.count {
		if done, err := t.mergePair(m, parent, level, parent.slot); done || err != nil {
			return done, err
		}
	}
	if parent.slot >= 0 {
		return t.mergePair(m, parent, level, parent.slot-1)
	}
	return false, nil
}

// mergePair lets the child of slot take over the child behind it, if both fit one page. False: they
// do not, nothing is held.
func (t *Tree) mergePair(m *buffer.Mtr, parent step, level, slot int) (bool, error) {
	pp, pn, err := t.pin(m, parent.no, level+1, buffer.Exclusive)
	if err != nil {
		return false, err
	}
	left, ln, err := t.pin(m, pn.child(slot), level, buffer.Exclusive)
	if err != nil {
		return false, err
	}
	right, rn, err := t.pin(m, pn.child(slot+1), level, buffer.Exclusive)
	if err != nil {
		return false, err
	}
	used := ln.used() + rn.used()
	if level > 0 {
		used += pn.cost(slot + 1)
	}
	if used > mergeFill {
		m.Release(right)
		m.Release(left)
		m.Release(pp)
		return false, nil
	}
	var next buffer.Page
	if no := rn.next(); no != base.NilPage {
		if next, _, err = t.pin(m, no, 0, buffer.Exclusive); err != nil {
			return false, err
		}
	}
	free, err := space.ReserveFree(m, right.ID())
	if err != nil {
		return false, err
	}
	if level > 0 {
		insertChild(m, left, ln.count(), pn.key(slot+1), rn.leftmost())
	}
	appendRecords(m, left, rn, 0, rn.count())
	if level == 0 {
		setLinks(m, left, linkNext, 0, rn.next())
	}
	if next.Valid() {
		setLinks(m, next, linkPrev, left.ID().No, 0)
	}
	deleteSlot(m, pp, slot+1)
	retire(m, right, free)
	return true, nil
}

// unlink takes the empty leaf at the end of the way out of the tree, and the inner pages above it
// that have no other child.
func (t *Tree) unlink(m *buffer.Mtr, way []step, prevNo, nextNo base.PageNo) (bool, error) {
	top := 1 // lowest page above that keeps other children
	for top < len(way) && way[top].count == 0 {
		top++
	}
	if top == len(way) {
		return false, nil // the only leaf: collapse sees to it
	}
	// The leaf before the empty one is below top if the way leaves top by another than its leftmost
	// child.
	var prev, next buffer.Page
	var err error
	pin := func(no base.PageNo, pg *buffer.Page) {
		if err == nil && no != base.NilPage {
			*pg, _, err = t.pin(m, no, 0, buffer.Exclusive)
		}
	}
	if way[top].slot < 0 {
		pin(prevNo, &prev)
	}
	for level := top; level >= 0 && err == nil; level-- {
		err = t.latch(m, way, level)
		if level == top && way[top].slot >= 0 {
			pin(prevNo, &prev)
		}
	}
	pin(nextNo, &next)
	if err != nil || way[0].n.count() > 0 { // somebody has inserted meanwhile
		return false, err
	}
	var buf [wayInline]space.FreeToken
	free := buf[:0] // by level
	for level := range top {
		token, err := space.ReserveFree(m, t.id(way[level].no))
		if err != nil {
			return false, err
		}
		free = append(free, token)
	}
	if prev.Valid() {
		setLinks(m, prev, linkNext, 0, nextNo)
	}
	if next.Valid() {
		setLinks(m, next, linkPrev, prevNo, 0)
	}
	if slot := way[top].slot; slot >= 0 {
		deleteSlot(m, way[top].page, slot)
	} else {
		m.Apply(way[top].page, redo.OpBtreeLeftmost, encodeUint(uint64(way[top].n.child(0))))
	}
	for level, token := range free {
		retire(m, way[level].page, token)
	}
	return true, nil
}

// collapse lets a root with a single child take over the child's content, as long as it has one.
func (t *Tree) collapse() error {
	for {
		m := t.Pool.Begin()
		done, err := t.collapseOnce(m)
		m.Commit()
		if done || err != nil {
			return err
		}
	}
}

func (t *Tree) collapseOnce(m *buffer.Mtr) (done bool, err error) {
	root, n, err := t.pin(m, t.Root, -1, buffer.Shared)
	if err != nil {
		return false, err
	}
	single := n.level() > 0 && n.count() == 0
	m.Release(root)
	if !single {
		return true, nil
	}
	root, n, err = t.pin(m, t.Root, -1, buffer.Exclusive)
	if err != nil {
		return false, err
	}
	child, cn, err := t.pin(m, n.leftmost(), n.level()-1, buffer.Exclusive)
	if err != nil {
		return false, err
	}
	free, err := space.ReserveFree(m, child.ID())
	if err != nil {
		return false, err
	}
	initNode(m, root, t.ID, cn.level(), base.NilPage, base.NilPage, cn.leftmost())
	appendRecords(m, root, cn, 0, cn.count())
	retire(m, child, free)
	return false, nil
}
