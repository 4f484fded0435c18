package exec

import "emberdb/sql/types"

// filler puts small batches of an operator together: what finds rows for many rows at once does
// better with more of them. The first batch comes as it is, the others grow, so that whoever wants
// few rows does not wait for many.
type filler struct {
	off     bool // a copy for another goroutine: its batches must not reach over the parts of a scan
	least   int  // rows that are wanted
	pending *types.Batch
	vecs    []types.Vec
	arena   []byte
	batch   types.Batch
	size    int // of what is kept
	most    int // so much is accounted
	account
}

// begin starts anew.
func (f *filler) begin() { f.least, f.pending, f.batch.N = 1, nil, 0 }

// end gives up what is kept.
func (f *filler) end(c *Ctx) {
	f.release(c)
	*f = filler{off: f.off}
}

// next is the next batch of in.
func (f *filler) next(c *Ctx, in Op) (*types.Batch, error) {
	if f.off || c.OneByOne {
		return in.Next(c)
	}
	b, err := f.pending, error(nil)
	f.pending, f.batch.N = nil, 0
	for {
		if b == nil {
			if b, err = in.Next(c); err != nil {
				return nil, err
			}
		}
		switch {
		case b == nil && f.batch.N == 0:
			return nil, nil
		case b == nil:
			return &f.batch, nil
		case f.batch.N+b.N > types.BatchRows:
			f.pending = b
			return &f.batch, nil
		case f.batch.N == 0 && b.N >= f.least:
			f.grow()
			return b, nil
		}
		if !f.add(c, b) {
			f.pending, f.least = b, 1 // there is no memory for more
			if f.batch.N == 0 {
				f.pending = nil
				return b, nil
			}
			return &f.batch, nil
		}
		if b = nil; f.batch.N >= f.least {
			f.grow()
			return &f.batch, nil
		}
		if err := c.Err(); err != nil {
			return nil, err
		}
	}
}

func (f *filler) grow() { f.least = min(4*f.least, types.BatchRows/2) }

// add copies the rows of a batch; false: there is no room.
func (f *filler) add(c *Ctx, b *types.Batch) bool {
	if f.batch.N == 0 {
		f.arena, f.size = f.arena[:0], 0
	}
	size := f.size
	for i := range b.N {
		size += sizeOf(b, i)
	}
	if size > f.most && !f.room(c, size-f.most, c.Limits.Table) {
		return false
	}
	f.size, f.most = size, max(f.most, size)
	if len(f.vecs) != len(b.Cols) {
		f.vecs = make([]types.Vec, len(b.Cols))
	}
	f.batch.Cols = f.batch.Cols[:0]
	for k, v := range b.Cols {
		to := &f.vecs[k]
		if f.batch.N == 0 {
			to.Reset(v.Kind, 0)
			to.Scale = v.Scale
		}
		for i := range b.N {
			to.AppendFrom(v, i)
			if v.Kind == types.String && !v.IsNull(i) {
				from := len(f.arena)
				f.arena = append(f.arena, v.S[i]...)
				to.S[f.batch.N+i] = f.arena[from:len(f.arena):len(f.arena)]
			}
		}
		f.batch.Cols = append(f.batch.Cols, to)
	}
	f.batch.N += b.N
	return true
}
