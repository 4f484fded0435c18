package exec

import (
	"bytes"

	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// WindowFunc is a function over a window.
type WindowFunc struct {
	Kind  fn.WindowKind
	Agg   fn.AggregateKind
	Args  []int // columns of the rows
	N     int64
	Frame fn.Frame // the values of its bounds are columns, placed
	T     types.Type
}

// Window adds to rows what functions give over the rows around them. The rows come ordered by
// partition, and by the order within it. One partition is kept at a time.
type Window struct {
	In        Op
	Partition []fn.Expr
	Order     []fn.Expr
	Desc      []bool
	Funcs     []WindowFunc
	Ids       []int

	batch *types.Batch // of In; its rows from at on are not taken yet
	at    int
	part  partition
	next  int // row of the partition to be given next
	outs  []types.Vec

	partitionKey, orderKey, scratch []byte

	list []int32
	g    gatherer
	vecs []types.Vec
	out  types.Batch
	account
}

// partition is the rows of a partition in their order.
type partition struct {
	rows  store
	peers []int32 // by row: the first row that is equal in the order
}

// IDs implements Op.
func (w *Window) IDs() []int { return w.Ids }

// Open implements Op.
func (w *Window) Open(c *Ctx) error {
	w.drop(c)
	w.outs, w.vecs = make([]types.Vec, len(w.Funcs)), make([]types.Vec, len(w.Funcs))
	return w.In.Open(c)
}

// Close implements Op.
func (w *Window) Close(c *Ctx) {
	w.In.Close(c)
	w.drop(c)
}

func (w *Window) drop(c *Ctx) {
	w.part.rows.reset(c)
	w.release(c)
	w.part.peers, w.batch, w.at, w.next, w.outs = nil, nil, 0, 0, nil
}

// Next implements Op.
func (w *Window) Next(c *Ctx) (*types.Batch, error) {
	if err := c.Err(); err != nil {
		return nil, err
	}
	if w.next >= w.part.rows.n {
		if err := w.read(c); err != nil {
			return nil, err
		}
		if w.part.rows.n == 0 {
			return nil, nil
		}
		for i := range w.Funcs {
			if err := w.compute(c, &w.Funcs[i], &w.outs[i]); err != nil {
				return nil, err
			}
		}
	}
	n := min(w.part.rows.n-w.next, types.BatchRows)
	w.list = w.list[:0]
	for i := range n {
		w.list = append(w.list, int32(w.next+i))
	}
	w.next += n
	w.out.N, w.out.Cols = n, append(w.out.Cols[:0], w.g.gather(&w.part.rows, w.list).Cols...)
	for i := range w.outs {
		w.outs[i].Gather(&w.vecs[i], w.list)
		w.out.Cols = append(w.out.Cols, &w.vecs[i])
	}
	return &w.out, nil
}

// read takes in the rows of the next partition.
func (w *Window) read(c *Ctx) error {
	w.part.rows.reset(c)
	w.release(c)
	w.part.peers, w.next = w.part.peers[:0], 0
	for {
		if w.batch == nil {
			b, err := w.In.Next(c)
			if b == nil || err != nil {
				return err
			}
			w.batch, w.at = b, 0
			if err := c.Err(); err != nil {
				return err
			}
		}
		ended, err := w.take(c)
		if ended || err != nil {
			return err
		}
		w.batch = nil
	}
}

// take takes in the rows of the batch up to one of another partition.
func (w *Window) take(c *Ctx) (ended bool, err error) {
	partition, err := w.keys(c, w.Partition)
	if err != nil {
		return false, err
	}
	order, err := w.keys(c, w.Order)
	if err != nil {
		return false, err
	}
	from := w.part.rows.n
	for ; w.at < w.batch.N; w.at++ {
		first := w.part.rows.n == 0
		changed, err := w.differs(&w.partitionKey, partition, w.Partition)
		if err != nil {
			return false, err
		}
		if changed && !first {
			w.partitionKey = w.partitionKey[:0] // it is made again with the row that begins the next partition
			return true, w.keep(c, (4+48*len(w.Funcs))*(w.part.rows.n-from))
		}
		changed, err = w.differs(&w.orderKey, order, w.Order)
		if err != nil {
			return false, err
		}
		peer := int32(w.part.rows.n)
		if !first && !changed {
			peer = w.part.peers[peer-1]
		}
		w.part.peers = append(w.part.peers, peer)
		if err := w.part.rows.add(c, w.batch, w.at); err != nil {
			return false, err
		}
	}
	return false, w.keep(c, (4+48*len(w.Funcs))*(w.part.rows.n-from))
}

func (w *Window) keys(c *Ctx, exprs []fn.Expr) ([]*types.Vec, error) {
	out := make([]*types.Vec, len(exprs))
	for i, e := range exprs {
		var err error
		if out[i], err = e.Eval(&c.Fn, w.batch); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// differs tells whether the key of the row at hand is another one than the last, which it replaces.
func (w *Window) differs(last *[]byte, vecs []*types.Vec, exprs []fn.Expr) (bool, error) {
	w.scratch = w.scratch[:0]
	var err error
	for i, v := range vecs {
		k := types.KeyerOf(exprs[i].Type())
		if w.scratch, err = k.Append(w.scratch, v, w.at); err != nil {
			return false, err
		}
	}
	if bytes.Equal(*last, w.scratch) {
		return false, nil
	}
	*last = append((*last)[:0], w.scratch...)
	return true, nil
}

// compute computes a function for all rows of the partition.
func (w *Window) compute(c *Ctx, f *WindowFunc, out *types.Vec) error {
	n := w.part.rows.n
	switch f.Kind {
	case fn.RowNumber, fn.Rank, fn.DenseRank, fn.Ntile, fn.PercentRank, fn.CumeDist:
		w.part.rank(f, out)
		return nil
	case fn.Lag, fn.Lead:
		w.shift(f, out)
		return nil
	case fn.Aggregated:
		return w.aggregate(c, f, out)
	}
	at := make([]int32, n)
	err := w.frames(c, f, func(i, from, to int) error {
		switch f.Kind {
		case fn.FirstValue:
			at[i] = int32(from)
		case fn.LastValue:
			at[i] = int32(to - 1)
		default:
			at[i] = int32(from + int(min(f.N, int64(n)+1)) - 1)
		}
		if from >= to || int(at[i]) >= to {
			at[i] = -1
		}
		return nil
	})
	w.part.rows.cols[f.Args[0]].Gather(out, at)
	return err
}

// rank computes the functions that go by the place of a row.
func (p *partition) rank(f *WindowFunc, out *types.Vec) {
	n := p.rows.n
	out.Reset(f.T.Kind, n)
	dense, end := int64(0), 0 // behind the last peer
	size, more := int64(n)/f.N, int64(n)%f.N
	for i := range n {
		peer := int(p.peers[i])
		if peer == i {
			dense++
			for end = i + 1; end < n && int(p.peers[end]) == i; end++ {
			}
		}
		switch f.Kind {
		case fn.RowNumber:
			out.I[i] = int64(i) + 1
		case fn.Rank:
			out.I[i] = int64(peer) + 1
		case fn.DenseRank:
			out.I[i] = dense
		case fn.PercentRank:
			out.F[i] = 0
			if n > 1 {
				out.F[i] = float64(peer) / float64(n-1)
			}
		case fn.CumeDist:
			out.F[i] = float64(end) / float64(n)
		case fn.Ntile:
			if large := more * (size + 1); int64(i) < large {
				out.I[i] = int64(i)/(size+1) + 1
			} else {
				out.I[i] = more + (int64(i)-large)/size + 1
			}
		}
	}
}

// shift computes LAG and LEAD.
func (w *Window) shift(f *WindowFunc, out *types.Vec) {
	n, by := int64(w.part.rows.n), f.N
	if f.Kind == fn.Lag {
		by = -by
	}
	out.Reset(f.T.Kind, 0)
	value := &w.part.rows.cols[f.Args[0]]
	missing := types.NewVec(types.Null, 1)
	for i := range n {
		switch at := i + by; {
		case at >= 0 && at < n:
			out.AppendFrom(value, int(at))
		case len(f.Args) > 1:
			out.AppendFrom(&w.part.rows.cols[f.Args[1]], int(i))
		default:
			out.AppendFrom(missing, 0)
		}
		if out.Kind == types.Decimal && i == 0 {
			out.Scale = max(out.Scale, value.Scale)
		}
	}
}
