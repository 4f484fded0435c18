package table

import (
	"bytes"

	"emberdb/engine/btree"
	"emberdb/engine/lock"
	"emberdb/engine/row"
)

// Locking scans that are read to their end (ScanOptions.All) and have locked many records lock
// those of a leaf together, with one look at it: up to the first record that cannot be locked at
// once, which goes the usual way. The leaf is copied under the same latch. Its rows are locked, so
// the copy stays right.

// manyLocked is how many records in a row a scan has locked before it locks ahead.
const manyLocked = 512

// lockedLeaf are records that are locked and that Next has not returned yet.
type lockedLeaf struct {
	leaf    *btree.Leaf
	at, end int // slots
}

func (l *lockedLeaf) left() bool { return l.at < l.end }

// ahead tells whether the scan may lock ahead of Next.
func (s *Scan) ahead() bool {
	return s.o.All && s.streak >= manyLocked && s.ix.pos == 0 && !s.o.Reverse && gaps(s.tx)
}

// lockLeaf locks the next records of the range that stand in one leaf, as far as that is possible
// at once, and returns how many they are.
func (s *Scan) lockLeaf() (n int, err error) {
	m := s.t.svc.Pool.BeginRead()
	defer m.Commit()
	cur, _, err := s.resume(m, false)
	if err != nil || !s.inside(&cur) {
		return 0, err
	}
	if s.held.leaf == nil {
		s.held.leaf = new(btree.Leaf)
	}
	leaf, from := s.held.leaf, cur.Slot()
	cur.CopyLeaf(leaf)
	end := leaf.Count()
	if s.hi != nil {
		end = leaf.Search(s.hi)
	}
	beside := cur.Before()
	at := from
	for ; at < end && s.lockAhead(beside, leaf.Key(at), leaf.Value(at)); at++ {
		beside = leaf.Key(at)
		s.streak++
	}
	if at == from {
		return 0, nil
	}
	cur.To(at - 1)
	cur.Save(&s.pos)
	s.held.at, s.held.end = from, at
	s.probes, s.matched = 0, false
	return at - from, nil
}

// lockAhead locks a record whose leaf is latched, and the gap before it; false: it goes the usual
// way.
func (s *Scan) lockAhead(beside, key, value []byte) bool {
	if s.t.checkValue(value) != nil {
		return false
	}
	h := parseHeader(value)
	if h.trx != s.tx.ID() && !s.t.settled(h.trx) || s.t.checkRead(s.tx, h.trx) != nil || s.recordKind(key, h.deleted()) != lock.NextKey {
		return false
	}
	ok, _ := s.t.svc.Locks.LockBeside(&s.tx.Owner, s.ix.tree.ID, beside, key, s.lockMode(), s.streak, false)
	return ok
}

// heldRow returns the next of the locked records, nil if there is no row.
func (s *Scan) heldRow() ([]row.Value, error) {
	l := &s.held
	s.entry = append(s.entry[:0], l.leaf.Key(l.at)...)
	s.rowKey = append(s.rowKey[:0], s.entry...)
	s.value = append(s.value[:0], l.leaf.Value(l.at)...)
	l.at++
	vals, err := s.current(nil)
	if vals != nil && s.last && bytes.Equal(s.entry, s.o.Upper) {
		s.done = true
	}
	return vals, err
}
