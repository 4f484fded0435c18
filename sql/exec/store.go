package exec

import (
	"emberdb/sql/types"
)

// store keeps rows: columns that grow.
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

// add copies a row of a batch.
func (s *store) add(c *Ctx, b *types.Batch, i int) error {
	if s.cols == nil {
		s.cols = make([]types.Vec, len(b.Cols))
		for k, v := range b.Cols {
			s.cols[k].Reset(v.Kind, 0)
			s.cols[k].Scale = v.Scale
		}
	}
	size := 0
	for k, v := range b.Cols {
		col := &s.cols[k]
		col.AppendFrom(v, i)
		size += v.Size(i) + 1
		if v.Kind == types.String && !v.IsNull(i) {
			col.S[s.n] = s.own(v.S[i])
		}
	}
	s.n++
	return s.keep(c, size+size/2)
}

// own copies bytes.
func (s *store) own(b []byte) []byte {
	if len(b) > cap(s.arena)-len(s.arena) {
		s.arena = make([]byte, 0, max(arenaBytes, len(b)))
	}
	from := len(s.arena)
	s.arena = append(s.arena, b...)
	return s.arena[from:len(s.arena):len(s.arena)]
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
