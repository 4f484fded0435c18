package btree

import (
	"emberdb/engine/buffer"
	"emberdb/engine/space"
	"emberdb/internal/base"
)

// dropStep is how many pages one mini-transaction of Drop frees at most, beside inner pages left
// without a child.
const dropStep = 256

// Drop frees all pages of the tree, from the right, and takes its root out of the space. Leaves are
// not read. Every step leaves a tree that another Drop goes on with; of a tree that is gone already
// it finds nothing.
// REQUIRES: nobody else uses the tree.
func (t *Tree) Drop() error {
	mu := t.smo()
	mu.Lock()
	defer mu.Unlock()
	for {
		m := t.Pool.Begin()
		done, err := t.dropSome(m)
		m.Commit()
		if done || err != nil {
			return err
		}
	}
}

func (t *Tree) dropSome(m *buffer.Mtr) (done bool, err error) {
	pg, err := m.Pin(t.id(t.Root), buffer.Exclusive)
	if err != nil {
		return false, err
	}
	n := node(pg.Data())
	if n.checkHeader(t.ID, -1) != nil {
		return true, nil
	}
	if n.level() == 0 {
		return true, t.dropRoot(m, pg)
	}
	// The right edge, X-latched, down to level 1.
	edge := make([]step, n.level()+1)
	for level := n.level(); ; level-- {
		edge[level] = step{no: pg.ID().No, count: n.count(), page: pg, n: n}
		if level == 1 {
			break
		}
		if pg, n, err = t.pin(m, n.child(n.count()-1), level-1, buffer.Exclusive); err != nil {
			return false, err
		}
	}
	if count := n.count(); count > 0 {
		keep := max(count-dropStep, 0)
		free := make([]space.FreeToken, count-keep)
		for i := range free {
			if free[i], err = space.ReserveFree(m, t.id(n.child(keep+i))); err != nil {
				return false, err
			}
		}
		for _, token := range free {
			space.Free(m, token)
		}
		truncateNode(m, pg, keep)
		return false, nil
	}
	return false, t.dropEdge(m, edge)
}

// dropEdge frees the last leaf of a level 1 page without separators, and the pages above that have
// no other child.
func (t *Tree) dropEdge(m *buffer.Mtr, edge []step) error {
	top := 1 // lowest page that stays
	for top < len(edge)-1 && edge[top].count == 0 {
		top++
	}
	edge[0].no = edge[1].n.leftmost()
	free := make([]space.FreeToken, top)
	for level := range free {
		var err error
		if free[level], err = space.ReserveFree(m, t.id(edge[level].no)); err != nil {
			return err
		}
	}
	space.Free(m, free[0])
	for level := 1; level < top; level++ {
		retire(m, edge[level].page, free[level])
	}
	if count := edge[top].count; count > 0 {
		truncateNode(m, edge[top].page, count-1)
	} else {
		initNode(m, edge[top].page, t.ID, 0, base.NilPage, base.NilPage, base.NilPage)
	}
	return nil
}

func (t *Tree) dropRoot(m *buffer.Mtr, root buffer.Page) error {
	free, err := space.ReserveFree(m, t.id(t.Root))
	if err != nil {
		return err
	}
	list, err := space.ReserveRoots(m, t.Space, 0)
	if err != nil {
		return err
	}
	retire(m, root, free)
	space.DropRoot(m, list, t.ID)
	return nil
}
