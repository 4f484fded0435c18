package exec

import (
	"emberdb/sql/types"
)

// store keeps rows in memory: columns that grow.
type store struct {
	cols  []types.Vec
	n     int
	arena []byte
	account
}

func (s *store) reset(c *Ctx) {
	s.release(c)
	s.cols, s.n, s.arena = nil, 0, nil
}

// arenaBytes is the size of the blocks that strings are copied to.
const arenaBytes = 64 << 10

// sizeOf is about how many bytes a row of a batch takes where it is kept.
func sizeOf(b *types.Batch, i int) int {
	size := 0
	for _, v := range b.Cols {
		size += v.Size(i) + 1
	}
	return size + size/2
}

// add copies a row of a batch. Who calls accounts for it.
func (s *store) add(b *types.Batch, i int) {
	if s.cols == nil {
		s.cols = make([]types.Vec, len(b.Cols))
		for k, v := range b.Cols {
			s.cols[k].Reset(v.Kind, 0)
			s.cols[k].Scale = v.Scale
		}
	}
	for k, v := range b.Cols {
		col := &s.cols[k]
		col.AppendFrom(v, i)
		if v.Kind == types.String && !v.IsNull(i) {
			col.S[s.n] = s.own(v.S[i])
		}
	}
	s.n++
}

// own copies bytes.
func (s *store) own(b []byte) []byte {
	if len(b) > cap(s.arena)-len(s.arena) {
		s.arena = make([]byte, 0, min(max(arenaBytes, len(b)), max(len(b), 2*cap(s.arena), 256)))
	}
	from := len(s.arena)
	s.arena = append(s.arena, b...)
	return s.arena[from:len(s.arena):len(s.arena)]
}

// batch is all rows.
func (s *store) batch() *types.Batch {
	b := &types.Batch{N: s.n}
	for k := range s.cols {
		b.Cols = append(b.Cols, &s.cols[k])
	}
	return b
}

// clear forgets the rows. Strings that were kept stay as they are.
func (s *store) clear() {
	for k := range s.cols {
		scale := s.cols[k].Scale
		s.cols[k].Reset(s.cols[k].Kind, 0)
		s.cols[k].Scale = scale
	}
	s.n, s.arena = 0, nil
}

// gatherer makes batches of rows of a store.
type gatherer struct {
	vecs  []types.Vec
	batch types.Batch
}

// gather makes a batch of rows; a row below zero is one of NULLs.
func (g *gatherer) gather(s *store, rows []int32) *types.Batch {
	if len(g.vecs) != len(s.cols) {
		g.vecs = make([]types.Vec, len(s.cols))
	}
	g.batch.N, g.batch.Cols = len(rows), g.batch.Cols[:0]
	for k := range s.cols {
		s.cols[k].Gather(&g.vecs[k], rows)
		g.batch.Cols = append(g.batch.Cols, &g.vecs[k])
	}
	return &g.batch
}
