package table

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"emberdb/engine/row"
	"emberdb/internal/base"
)

// union reads parts of a table as one Scan. Where the index orders rows it keeps the next row of
// each part and returns the least one, so that a scan of a partitioned table has the order of any
// other. A locking scan therefore locks one row of each part ahead, as MySQL does. Rows that only
// have hidden ids have no order: their parts are read one after the other.
type union struct {
	scans  []Scan
	vals   [][]row.Value // the next row of each scan
	heap   []int         // of the scans that have one, the least first
	merges bool
	filled bool
	at     int // of the scan that gave the last row
}

// beginParts works out which parts are read, and begins with each.
func (s *Scan) beginParts(ctx context.Context) error {
	ix, err := s.t.indexOf(s.o.Index)
	if err != nil {
		return err
	}
	if ix.def.Building {
		return fmt.Errorf("index %s of table %s is being built: %w", ix.def.Name, s.t.def.Name, base.ErrTableGone)
	}
	s.ix, s.begun = ix, true
	which, err := s.partsToRead(ix)
	if err != nil {
		return err
	}
	if s.u == nil {
		s.u = new(union)
	}
	u := s.u
	u.scans = slices.Grow(u.scans[:0], len(which))[:len(which)]
	u.vals = slices.Grow(u.vals[:0], len(which))[:len(which)]
	u.heap, u.filled, u.at = u.heap[:0], false, 0
	u.merges = len(which) > 1 && !s.t.rowIDIndex(ix)
	for i, n := range which {
		part, o := s.t.parts[n], s.o
		o.Parts = nil
		if o.Index = nil; ix.pos > 0 {
			o.Index = part.indexes[ix.pos].def
		}
		u.scans[i].Restart(part, s.tx, o)
		if err := u.scans[i].begin(ctx); err != nil {
			return err
		}
	}
	return nil
}

// partsToRead are the parts that can have rows of the range: of those that the scan is about.
func (s *Scan) partsToRead(ix *index) ([]int, error) {
	bounds, err := s.keyBounds(ix)
	if err != nil {
		return nil, err
	}
	which := s.o.Parts
	if len(bounds) > 0 {
		able, err := s.t.SelectParts(bounds)
		if err != nil || which == nil {
			return able, err
		}
		return common(which, able), nil
	}
	if which == nil {
		for i := range s.t.parts {
			which = append(which, i)
		}
	}
	return which, nil
}

// common are the numbers that two ascending lists share.
func common(a, b []int) []int {
	out := make([]int, 0, min(len(a), len(b)))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			out = append(out, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return out
}

// keyBounds is what the range says of columns: the values that both bounds begin with, and the
// bounds of the column behind them.
func (s *Scan) keyBounds(ix *index) (map[int]Bound, error) {
	low, high := s.o.Lower, s.o.Upper
	if low == nil && high == nil || s.t.rowIDIndex(ix) {
		return nil, nil
	}
	bounds := map[int]Bound{}
	for _, p := range ix.parts {
		c := s.t.cols[p.Column]
		if p.Desc || !row.Decodable(c, p) {
			break
		}
		lowPart, restLow, err := firstPart(low, c, p)
		if err != nil {
			return nil, s.t.corrupt("bound %x of index %s: %v", low, ix.def.Name, err)
		}
		highPart, restHigh, err := firstPart(high, c, p)
		if err != nil {
			return nil, s.t.corrupt("bound %x of index %s: %v", high, ix.def.Name, err)
		}
		if lowPart != nil && bytes.Equal(lowPart, highPart) {
			v, _, _, err := row.DecodeKeyPart(lowPart, c, p, nil)
			if err != nil {
				return nil, err
			}
			bounds[p.Column] = Equal(v)
			low, high = restLow, restHigh
			continue
		}
		if b, ok, err := between(lowPart, highPart, c, p); err != nil {
			return nil, err
		} else if ok {
			bounds[p.Column] = b
		}
		break
	}
	return bounds, nil
}

// firstPart cuts the first part off a bound; nil if the bound has none.
func firstPart(bound []byte, c row.Column, p row.KeyPart) (part, rest []byte, err error) {
	if len(bound) == 0 {
		return nil, nil, nil
	}
	if rest, err = row.SkipKeyPart(bound, c, p); err != nil {
		return nil, nil, err
	}
	return bound[:len(bound)-len(rest)], rest, nil
}

// between makes the bound of two different key parts. Both ends are taken in: it may be too wide.
func between(low, high []byte, c row.Column, p row.KeyPart) (b Bound, ok bool, err error) {
	if low != nil {
		if b.Low, _, _, err = row.DecodeKeyPart(low, c, p, nil); err != nil {
			return b, false, err
		}
		ok = !b.Low.IsNull()
	}
	if high != nil {
		if b.High, _, _, err = row.DecodeKeyPart(high, c, p, nil); err != nil {
			return b, false, err
		}
		if b.High.IsNull() {
			return Bound{Null: true}, true, nil
		}
		ok = true
	}
	return b, ok, nil
}

// nextPart is Next of a partitioned table.
func (s *Scan) nextPart(ctx context.Context) ([]row.Value, error) {
	u := s.u
	if !u.merges {
		for ; u.at < len(u.scans); u.at++ {
			if vals, err := u.scans[u.at].Next(ctx); err != io.EOF {
				return vals, err
			}
		}
		return nil, io.EOF
	}
	if !u.filled {
		for i := range u.scans {
			if err := u.advance(ctx, i); err == nil {
				u.heap = append(u.heap, i)
			} else if err != io.EOF {
				return nil, err
			}
		}
		u.filled = true
		for i := len(u.heap)/2 - 1; i >= 0; i-- {
			u.sink(i)
		}
	} else if len(u.heap) > 0 {
		switch err := u.advance(ctx, u.heap[0]); err {
		case nil:
			u.sink(0)
		case io.EOF:
			last := len(u.heap) - 1
			u.heap[0] = u.heap[last]
			u.heap = u.heap[:last]
			u.sink(0)
		default:
			return nil, err
		}
	}
	if len(u.heap) == 0 {
		return nil, io.EOF
	}
	u.at = u.heap[0]
	return u.vals[u.at], nil
}

// advance reads the next row of a scan.
func (u *union) advance(ctx context.Context, i int) (err error) {
	u.vals[i], err = u.scans[i].Next(ctx)
	return err
}

// sink moves the scan at i down the heap to its place.
func (u *union) sink(i int) {
	for {
		least := i
		for _, below := range [...]int{2*i + 1, 2*i + 2} {
			if below < len(u.heap) && u.less(u.heap[below], u.heap[least]) {
				least = below
			}
		}
		if least == i {
			return
		}
		u.heap[i], u.heap[least] = u.heap[least], u.heap[i]
		i = least
	}
}

// less tells whether the next row of one scan comes before that of another.
func (u *union) less(a, b int) bool {
	order := bytes.Compare(u.scans[a].Key(), u.scans[b].Key())
	if u.scans[a].o.Reverse {
		order = -order
	}
	return order < 0 || order == 0 && a < b
}

// closeParts ends the scans of the parts.
func (u *union) closeParts() {
	for i := range u.scans {
		u.scans[i].Close()
	}
}
