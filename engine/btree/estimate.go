package btree

import (
	"bytes"
	"errors"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// sampleLeaves is how many leaves Estimate reads from the left bound on, to learn how full they
// are.
const sampleLeaves = 8

// Estimate returns about how many records lie in [lo, hi); nil is open. It reads the two ways from
// the root to the bounds and a few leaves: exact if those reach from one bound to the other, else
// the children between the ways on each level times the fan-out seen below.
func (t *Tree) Estimate(lo, hi []byte) (float64, error) {
	if hi != nil && bytes.Compare(lo, hi) >= 0 {
		return 0, nil
	}
	left, err := t.footprint(lo, toKey)
	if err != nil {
		return 0, err
	}
	to := toKey
	if hi == nil {
		to = toLast
	}
	right, err := t.footprint(hi, to)
	if err != nil {
		return 0, err
	}
	if len(left) != len(right) { // the root changed in between
		return t.Estimate(lo, hi)
	}
	between, apart := 0.0, false
	for level := len(left) - 1; level > 0; level-- {
		l, r := left[level], right[level]
		if apart {
			between = between*float64(l.width+r.width)/2 + float64(l.width-l.at-1) + float64(r.at)
			continue
		}
		between, apart = float64(r.at-l.at-1), r.at != l.at
	}
	l, r := left[0], right[0]
	if !apart || between < 0 {
		return max(float64(r.at-l.at), 0), nil
	}
	fill, exact, err := t.sample(l.no, r.no)
	if err != nil {
		return 0, err
	}
	if exact {
		return fill - float64(l.at) + float64(r.at), nil
	}
	return between*fill + float64(l.width-l.at) + float64(r.at), nil
}

// sample reads leaves from one on. If it meets the other it returns the records before that one,
// else the average of a leaf.
func (t *Tree) sample(from, until base.PageNo) (records float64, exact bool, err error) {
	m := t.Pool.BeginRead()
	defer m.Commit()
	for leaves := 1.0; ; leaves++ {
		pg, n, err := t.pin(m, from, 0, buffer.Shared)
		if errors.Is(err, base.ErrCorrupt) {
			return records / max(leaves-1, 1), false, nil // the leaf has left the tree meanwhile
		}
		if err != nil {
			return 0, false, err
		}
		records += float64(n.count())
		from = n.next()
		m.Release(pg)
		switch {
		case from == until:
			return records, true, nil
		case from == base.NilPage || leaves == sampleLeaves:
			return records / leaves, false, nil
		}
	}
}

// foot is where a way passes a level: the position among width children, or records on the leaf.
type foot struct {
	no        base.PageNo
	at, width int
}

// footprint descends to key and notes the positions by level.
func (t *Tree) footprint(key []byte, to target) ([]foot, error) {
	m := t.Pool.BeginRead()
	defer m.Commit()
	pg, n, err := t.pin(m, t.Root, -1, buffer.Shared)
	if err != nil {
		return nil, err
	}
	feet := make([]foot, n.level()+1)
	for level := n.level() - 1; level >= 0; level-- {
		slot := n.childFor(key, to)
		feet[level+1] = foot{pg.ID().No, slot + 1, n.count() + 1}
		child, cn, err := t.pin(m, n.child(slot), level, buffer.Shared)
		m.Release(pg)
		if err != nil {
			return nil, err
		}
		pg, n = child, cn
	}
	slot := n.count()
	if to == toKey {
		slot, _ = n.search(key)
	}
	feet[0] = foot{pg.ID().No, slot, n.count()}
	return feet, nil
}

// Shape tells the size of a tree as far as its right edge shows it.
type Shape struct {
	Levels int
	Leaves base.PageNo // estimate
}

// Shape estimates the number of leaves from a descent in the middle of the tree.
func (t *Tree) Shape() (Shape, error) {
	m := t.Pool.BeginRead()
	defer m.Commit()
	pg, n, err := t.pin(m, t.Root, -1, buffer.Shared)
	if err != nil {
		return Shape{}, err
	}
	s := Shape{Levels: n.level() + 1, Leaves: 1}
	for level := n.level() - 1; level >= 0; level-- {
		s.Leaves *= base.PageNo(n.count() + 1)
		child, cn, err := t.pin(m, n.child((n.count()+1)/2-1), level, buffer.Shared)
		m.Release(pg)
		if err != nil {
			return Shape{}, err
		}
		pg, n = child, cn
	}
	return s, nil
}

// Separators returns keys in ascending order that divide the tree into parts of about the same
// size: at least so many if it has as many leaves. It reads only inner pages, one after the other,
// so it is a picture of no one moment.
func (t *Tree) Separators(atLeast int) (keys [][]byte, err error) {
	m := t.Pool.BeginRead()
	defer m.Commit()
	pages, level := []base.PageNo{t.Root}, -1
	for {
		var below []base.PageNo
		var found [][]byte
		for i, no := range pages {
			pg, n, err := t.pin(m, no, level, buffer.Shared)
			if errors.Is(err, base.ErrCorrupt) {
				return keys, nil // the page has left the tree meanwhile
			}
			if err != nil {
				return nil, err
			}
			if level = n.level(); level == 0 {
				m.Release(pg)
				return keys, nil
			}
			if i > 0 {
				found = append(found, keys[i-1])
			}
			below = append(below, n.leftmost())
			for slot := range n.count() {
				found, below = append(found, bytes.Clone(n.key(slot))), append(below, n.child(slot))
			}
			m.Release(pg)
		}
		if keys = found; len(keys) >= atLeast || level == 1 {
			return keys, nil
		}
		pages, level = below, level-1
	}
}
