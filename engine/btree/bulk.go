package btree

import (
	"bytes"
	"fmt"

	"emberdb/engine/buffer"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// Bulk loads records in key order behind all that the tree holds: a leaf at a time, filled to
// 15/16. Between two calls the tree is whole and holds the leaves loaded so far, so a crash leaves
// nothing that Drop would not find.
type Bulk struct {
	t      *Tree
	writer base.TrxID
	recs   []byte // records in page form
	cost   int    // what they take of a page
	first  []byte // key of the first of them
	last   []byte // key of the last record added
	loaded bool   // last is set
}

// NewBulk starts a load. writer becomes the newest writer of the leaves.
// REQUIRES: nobody else changes the tree until Finish.
func (t *Tree) NewBulk(writer base.TrxID) *Bulk { return &Bulk{t: t, writer: writer} }

// Add adds a record. base.ErrExists: its key is that of the record before.
func (b *Bulk) Add(key, val []byte) error {
	if len(key)+len(val) > MaxRecord || len(key) > MaxKey {
		return base.ErrRowTooBig
	}
	if b.loaded {
		switch c := bytes.Compare(key, b.last); {
		case c == 0:
			return base.ErrExists
		case c < 0:
			return fmt.Errorf("bulk load of tree %d: key %x behind %x", b.t.ID, key, b.last)
		}
	}
	cost := recCost + len(key) + len(val)
	if b.cost+cost > fullFill {
		if err := b.flush(); err != nil {
			return err
		}
	}
	if b.cost == 0 {
		b.first = append(b.first[:0], key...)
	}
	b.recs = AppendRecord(b.recs, key, val)
	b.cost += cost
	b.last, b.loaded = append(b.last[:0], key...), true
	return nil
}

// Finish loads what is left.
func (b *Bulk) Finish() error { return b.flush() }

func (b *Bulk) flush() error {
	for b.cost > 0 {
		if err := b.tryFlush(); err != nil {
			return err
		}
	}
	return nil
}

// tryFlush puts the gathered records into the last leaf, or makes room there.
func (b *Bulk) tryFlush() error {
	m := b.t.Pool.Begin()
	pg, n, err := b.t.leaf(m, b.first, toKey, buffer.Exclusive)
	if err != nil {
		m.Commit()
		return err
	}
	if n.next() != base.NilPage || n.count() > 0 && bytes.Compare(n.key(n.count()-1), b.first) >= 0 {
		m.Commit()
		return fmt.Errorf("bulk load of tree %d: it holds keys behind %x", b.t.ID, b.first)
	}
	if n.free() < b.cost {
		m.Commit()
		return b.t.makeRoom(b.first, b.cost)
	}
	m.Apply(pg, redo.OpBtreeAppend, encodeUint(uint64(b.writer)), b.recs)
	m.Commit()
	b.recs, b.cost = b.recs[:0], 0
	return nil
}
