package btree

import (
	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// Estimate returns about how many records lie in [lo, hi); nil is open. It reads the two ways from the root to the bounds: exact within
// one leaf, else the children between the ways on each level times the fan-out seen on the level below.
func (t *Tree) Estimate(lo, hi []byte) (float64, error) {
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
	for level := len(left) - 1; level >= 0; level-- {
		l, r := left[level], right[level]
		switch {
		case apart:
			fanout := float64(l.width+r.width) / 2
			between = between*fanout + float64(l.width-l.at-1) + float64(r.at)
			if level == 0 {
				between++ // the record lo stands on
			}
		case level == 0:
			between = float64(r.at - l.at)
		default:
			between = float64(r.at - l.at - 1)
			apart = l.at != r.at
		}
	}
	return max(between, 0), nil
}

// foot is where a way passes a level: the position among width children, or records on the leaf.
type foot struct{ at, width int }

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
		feet[level+1] = foot{slot + 1, n.count() + 1}
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
	feet[0] = foot{slot, n.count()}
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
