package exec

import (
	"bytes"
	"container/heap"

	"emberdb/engine/txn"
	"emberdb/sql/types"
)

// fanIn is how many runs are merged at once.
const fanIn = 32

// spill makes a run of the rows at hand.
func (s *Sort) spill(c *Ctx) error {
	if len(s.keys) == 0 {
		return nil
	}
	if err := s.order(c); err != nil {
		return err
	}
	s.tighten()
	if len(s.keys) == 0 {
		s.forget(c)
		return nil
	}
	run := &spool{disk: true}
	s.runs = append(s.runs, run)
	var g gatherer
	var out types.Batch
	var keys types.Vec
	all, size := s.rows.batch(), blockBytes(c.Limits.Sort)
	for rest := s.keys; len(rest) > 0; {
		n := 0
		for held := 0; n < min(len(rest), types.BatchRows) && held < size; n++ {
			held += sizeOf(all, int(rest[n].row)) + len(rest[n].key)
		}
		b := g.gather(&s.rows, rowsOf(rest[:n], &s.list))
		keys.Reset(types.String, n)
		for i := range n {
			keys.S[i] = rest[i].key
		}
		out.N, out.Cols = n, append(append(out.Cols[:0], b.Cols...), &keys)
		if err := run.write(c, &out); err != nil {
			return err
		}
		rest = rest[n:]
	}
	run.done = true
	s.forget(c)
	return nil
}

// mergeRuns merges runs until they can be merged into the result.
func (s *Sort) mergeRuns(c *Ctx) (*merger, error) {
	for len(s.runs) > fanIn {
		c.count(txn.SortMergePasses, 1)
		old := s.runs
		s.runs = nil
		for len(old) > 0 {
			n := min(fanIn, len(old))
			m, err := newMerger(c, old[:n], s.Most, true)
			run := &spool{disk: true}
			s.runs = append(s.runs, run)
			for err == nil {
				var b *types.Batch
				if b, err = m.next(c); b == nil {
					break
				}
				for i := 0; i < b.N && err == nil; i++ {
					err = run.add(c, b, i, blockBytes(c.Limits.Sort))
				}
			}
			m.drop(c)
			old = old[n:]
			if err != nil {
				s.runs = append(s.runs, old...) // they are dropped with the others
				return nil, err
			}
			run.done = true
		}
	}
	c.count(txn.SortMergePasses, 1)
	runs := s.runs
	s.runs = nil
	return newMerger(c, runs, s.Most, false)
}

// merger gives the rows of runs in their order. Of equal keys those of an earlier run come first.
type merger struct {
	runs  []*spool
	heads heads
	left  int64 // how many rows may come; below zero: all
	keys  bool  // the rows keep their keys
	out   store
}

// head is the next row of a run.
type head struct {
	run   int
	row   int
	rows  cursor
	batch *types.Batch
	at    int
	key   []byte
}

// read finds the row.
func (h *head) read(c *Ctx) (err error) {
	if h.batch, h.at, err = h.rows.at(c, h.row); err == nil {
		h.key = h.batch.Cols[len(h.batch.Cols)-1].S[h.at]
	}
	return err
}

// heads is a heap.
type heads []*head

func (h heads) Len() int { return len(h) }
func (h heads) Less(i, j int) bool {
	if n := bytes.Compare(h[i].key, h[j].key); n != 0 {
		return n < 0
	}
	return h[i].run < h[j].run
}
func (h heads) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *heads) Push(x any)   { *h = append(*h, x.(*head)) }
func (h *heads) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// newMerger takes runs over.
func newMerger(c *Ctx, runs []*spool, most int64, keys bool) (*merger, error) {
	m := &merger{runs: runs, left: most, keys: keys}
	for i, r := range runs {
		h := &head{run: i, rows: cursor{of: r}}
		if err := h.read(c); err != nil {
			return m, err
		}
		m.heads = append(m.heads, h)
	}
	heap.Init(&m.heads)
	return m, nil
}

// next is the next rows.
func (m *merger) next(c *Ctx) (*types.Batch, error) {
	if err := c.Err(); err != nil {
		return nil, err
	}
	m.out.clear()
	var row types.Batch
	for size := 0; m.out.n < types.BatchRows && size < mergedBytes && len(m.heads) > 0 && m.left != 0; {
		h := m.heads[0]
		row.N, row.Cols = h.batch.N, h.batch.Cols
		if !m.keys {
			row.Cols = row.Cols[:len(row.Cols)-1]
		}
		m.out.add(&row, h.at)
		size += sizeOf(&row, h.at)
		m.left = max(m.left-1, -1)
		if !m.keys {
			c.count(txn.SortRows, 1)
		}
		if h.row++; h.row == m.runs[h.run].n {
			heap.Pop(&m.heads)
			continue
		}
		if err := h.read(c); err != nil {
			return nil, err
		}
		heap.Fix(&m.heads, 0)
	}
	if m.out.n == 0 {
		return nil, nil
	}
	return m.out.batch(), nil
}

// mergedBytes is the size of a batch from which on it gets no more rows.
const mergedBytes = 1 << 20

func (m *merger) drop(c *Ctx) {
	if m == nil {
		return
	}
	for _, r := range m.runs {
		r.drop(c)
	}
	*m = merger{}
}
