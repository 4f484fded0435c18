package btree

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/engine/space"
	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// Tree is a tree in a space. It keeps no state of the tree beyond a hint, so any number of Trees
// may stand for the same one.
type Tree struct {
	Pool  *buffer.Pool
	Space base.SpaceID
	Root  base.PageNo
	ID    base.IndexID

	shapes      *Shapes
	rootIsInner atomic.Bool // hint: the root was no leaf when last looked at
}

// Open returns the tree with that root. All Trees over one pool have the same shapes.
func Open(pool *buffer.Pool, shapes *Shapes, s base.SpaceID, root base.PageNo, id base.IndexID) *Tree {
	return &Tree{Pool: pool, Space: s, Root: root, ID: id, shapes: shapes}
}

// Create makes empty trees and enters their roots, which it returns, among those of the space.
func Create(pool *buffer.Pool, s base.SpaceID, ids ...base.IndexID) ([]base.PageNo, error) {
	m := pool.Begin()
	roots, err := create(m, s, ids)
	_, refused := m.Commit()
	return roots, errors.Join(err, refused)
}

func create(m *buffer.Mtr, s base.SpaceID, ids []base.IndexID) ([]base.PageNo, error) {
	fresh := make([]space.AllocToken, len(ids))
	if err := space.ReserveAllocs(m, s, fresh, func(int) base.PageNo { return 0 }); err != nil {
		return nil, err
	}
	list, err := space.ReserveRoots(m, s, len(ids))
	if err != nil {
		return nil, err
	}
	roots := make([]base.PageNo, len(ids))
	for i, id := range ids {
		pg := space.Alloc(m, &fresh[i], pagefile.TypeTree)
		initNode(m, pg, id, 0, base.NilPage, base.NilPage, base.NilPage)
		roots[i] = pg.ID().No
		space.SetRoot(m, list, id, roots[i])
	}
	return roots, nil
}

// Shapes serialises the structure changes of each tree over a pool. Trees share its latches by
// hash: no goroutine holds two.
type Shapes [256]struct {
	invariants.Mutex[invariants.TreeShape]
	_ [56]byte
}

func (t *Tree) smo() *invariants.Mutex[invariants.TreeShape] {
	h := (uint64(t.Space)<<32 | uint64(t.Root)) * 0x9E3779B97F4A7C15
	return &t.shapes[h>>56].Mutex
}

func (t *Tree) id(no base.PageNo) base.PageID { return base.PageID{Space: t.Space, No: no} }

func (t *Tree) corrupt(no base.PageNo, format string, args ...any) error {
	return &base.CorruptError{File: fmt.Sprintf("space %d, tree %d", t.Space, t.ID), Page: t.id(no),
		Offset: int64(no) * base.PageSize, Detail: fmt.Sprintf(format, args...)}
}

// pin pins a node of this tree. level -1: any.
func (t *Tree) pin(m *buffer.Mtr, no base.PageNo, level int, mode buffer.Mode) (buffer.Page, node, error) {
	if invariants.Enabled && rand.IntN(8) == 0 { // let others in where no latch should let them do harm
		for range 20 {
			runtime.Gosched()
		}
	}
	pg, err := m.Pin(t.id(no), mode)
	if err != nil {
		return buffer.Page{}, nil, err
	}
	n := node(pg.Data())
	if err := n.checkHeader(t.ID, level); err != nil {
		m.Release(pg)
		return buffer.Page{}, nil, t.corrupt(no, "%v", err)
	}
	return pg, n, nil
}

// The logged changes of structure.

func initNode(m *buffer.Mtr, pg buffer.Page, tree base.IndexID, level int, prev, next, leftmost base.PageNo) {
	m.Apply(pg, redo.OpBtreeInit, encodeInit(nil, tree, level, prev, next, leftmost))
}

// appendRecords copies the records [from, to) of src, and its newest writer, behind those of pg.
// src may be the page that loses them afterwards.
func appendRecords(m *buffer.Mtr, pg buffer.Page, src node, from, to int) {
	parts := make([][]byte, 1, to-from+1)
	parts[0] = encodeUint(uint64(pagefile.Writer(src)))
	for i := from; i < to; i++ {
		parts = append(parts, src.record(i))
	}
	m.Apply(pg, redo.OpBtreeAppend, parts...)
}

func truncateNode(m *buffer.Mtr, pg buffer.Page, slot int) {
	m.Apply(pg, redo.OpBtreeTruncate, encodeUint(uint64(slot)))
}

func setLinks(m *buffer.Mtr, pg buffer.Page, flags byte, prev, next base.PageNo) {
	m.Apply(pg, redo.OpBtreeLinks, encodeLinks(nil, flags, prev, next))
}

func insertChild(m *buffer.Mtr, pg buffer.Page, slot int, sep []byte, child base.PageNo) {
	m.Apply(pg, redo.OpBtreeInsert, encodeInsert(nil, slot, 0, sep), sep, le.AppendUint32(nil, uint32(child)))
}

func deleteSlot(m *buffer.Mtr, pg buffer.Page, slot int) {
	m.Apply(pg, redo.OpBtreeDelete, encodeSlot(nil, slot, 0))
}

// retire frees a page that left the tree, and marks it, so that no saved position finds it
// unchanged.
func retire(m *buffer.Mtr, pg buffer.Page, t space.FreeToken) {
	space.Free(m, t)
	m.Apply(pg, redo.OpBtreeRetire)
}
