package exec

import (
	"bytes"

	"emberdb/engine/txn"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// WindowFunc is a function over a window.
type WindowFunc struct {
	Kind  fn.WindowKind
	Agg   fn.AggregateKind
	Args  []int    // columns of the rows
	N     int64    // see bind.WindowFunc
	Frame fn.Frame // the values of its bounds are columns, placed
	T     types.Type
}

// Window adds to rows what functions give over the rows around them. The rows come ordered by
// partition, and by the order within it. One partition is kept at a time, in the scratch file where
// it is large: functions go along it with cursors.
type Window struct {
	In        Op
	Partition []fn.Expr
	Order     []fn.Expr
	Desc      []bool
	Funcs     []WindowFunc
	Ids       []int

	batch *types.Batch // of In; its rows from at on are not taken yet
	at    int
	with  types.Batch // batch with the column of peers
	peers types.Vec   // of each row the first one that is equal in the order
	peer  int64       // of the last row
	part  spool
	given cursor
	next  int // row of the partition to be given next
	runs  []windowRun
	outs  []types.Vec

	partitionKey, orderKey, scratch []byte

	out types.Batch
}

// windowRun computes a function for the rows of a partition, one after the other.
type windowRun interface {
	// begin prepares a column of n values, which are like those of a batch.
	begin(c *Ctx, out *types.Vec, n int, like *types.Batch)
	// step computes the k-th of them, for row i.
	step(c *Ctx, out *types.Vec, k, i int) error
}

// IDs implements Op.
func (w *Window) IDs() []int { return w.Ids }

// Open implements Op.
func (w *Window) Open(c *Ctx) error {
	w.drop(c)
	c.count(txn.CreatedTmpTables, 1)
	w.outs, w.part.most = make([]types.Vec, len(w.Funcs)), c.Limits.Table
	return w.In.Open(c)
}

// Close implements Op.
func (w *Window) Close(c *Ctx) {
	w.In.Close(c)
	w.drop(c)
}

func (w *Window) drop(c *Ctx) {
	w.forget(c)
	w.batch, w.at, w.outs = nil, 0, nil
}

// forget gives up the partition.
func (w *Window) forget(c *Ctx) {
	for _, run := range w.runs {
		if a, ok := run.(*framed); ok {
			a.release(c)
		}
	}
	w.part.drop(c)
	w.next, w.runs = 0, w.runs[:0]
}

// Next implements Op.
func (w *Window) Next(c *Ctx) (*types.Batch, error) {
	if err := c.Err(); err != nil {
		return nil, err
	}
	if w.next >= w.part.n {
		if err := w.read(c); err != nil {
			return nil, err
		}
		if w.part.n == 0 {
			return nil, nil
		}
		w.part.done, w.given = true, cursor{of: &w.part}
		for i := range w.Funcs {
			w.runs = append(w.runs, w.newRun(&w.Funcs[i]))
		}
	}
	b, err := w.given.next(c)
	if err != nil {
		return nil, err
	}
	w.out.N, w.out.Cols = b.N, append(w.out.Cols[:0], b.Cols[:len(b.Cols)-1]...)
	for f, run := range w.runs {
		out := &w.outs[f]
		run.begin(c, out, b.N, b)
		for k := range b.N {
			if err := run.step(c, out, k, w.next+k); err != nil {
				return nil, err
			}
		}
		w.out.Cols = append(w.out.Cols, out)
	}
	w.next += b.N
	return &w.out, nil
}

// read takes in the rows of the next partition.
func (w *Window) read(c *Ctx) error {
	w.forget(c)
	for {
		if w.batch == nil {
			b, err := w.In.Next(c)
			if b == nil || err != nil {
				return err
			}
			w.batch, w.at = b, 0
			w.peers.Reset(types.Int, b.N)
			w.with.N, w.with.Cols = b.N, append(append(w.with.Cols[:0], b.Cols...), &w.peers)
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
	size := blockBytes(c.Limits.Table)
	for ; w.at < w.batch.N; w.at++ {
		first := w.part.n == 0
		changed, err := w.differs(&w.partitionKey, partition, w.Partition)
		if err != nil {
			return false, err
		}
		if changed && !first {
			w.partitionKey = w.partitionKey[:0] // it is made again with the row that begins the next partition
			return true, nil
		}
		changed, err = w.differs(&w.orderKey, order, w.Order)
		if err != nil {
			return false, err
		}
		if first || changed {
			w.peer = int64(w.part.n)
		}
		w.peers.I[w.at] = w.peer
		if err := w.part.add(c, &w.with, w.at, size); err != nil {
			return false, err
		}
	}
	return false, nil
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

// newRun begins a function over the partition.
func (w *Window) newRun(f *WindowFunc) windowRun {
	switch f.Kind {
	case fn.RowNumber, fn.Rank, fn.DenseRank, fn.Ntile, fn.PercentRank, fn.CumeDist:
		return &ranking{f: f, here: w.peersOf()}
	case fn.Lag, fn.Lead:
		return &shift{f: f, value: cursor{of: &w.part}, here: cursor{of: &w.part}}
	case fn.Aggregated:
		return &framed{f: f, frame: w.newRanger(f), in: cursor{of: &w.part}, out: cursor{of: &w.part}}
	}
	return &picked{f: f, frame: w.newRanger(f), value: cursor{of: &w.part}}
}

// peerCursor finds peers.
type peerCursor struct {
	rows cursor
	end  int // behind the last peer of the row at which it was asked for
}

func (w *Window) peersOf() peerCursor { return peerCursor{rows: cursor{of: &w.part}} }

// of is the first peer of a row.
func (p *peerCursor) of(c *Ctx, i int) (int, error) {
	b, at, err := p.rows.at(c, i)
	if err != nil {
		return 0, err
	}
	return int(b.Cols[len(b.Cols)-1].I[at]), nil
}

// ended finds the row behind the last peer of row i, which is the first one. Rows never go back.
func (p *peerCursor) ended(c *Ctx, i int) error {
	for p.end = i + 1; p.end < p.rows.of.n; p.end++ {
		if p.end%types.BatchRows == 0 {
			if err := c.Err(); err != nil {
				return err
			}
		}
		if peer, err := p.of(c, p.end); peer != i || err != nil {
			return err
		}
	}
	return nil
}

// ranking is the functions that go by the place of a row.
type ranking struct {
	f     *WindowFunc
	here  peerCursor
	dense int64
	rank  int // the first peer of the row
}

func (r *ranking) begin(_ *Ctx, out *types.Vec, n int, _ *types.Batch) { out.Reset(r.f.T.Kind, n) }

func (r *ranking) step(c *Ctx, out *types.Vec, k, i int) error {
	n := r.here.rows.of.n
	if i >= r.here.end && r.f.Kind != fn.RowNumber && r.f.Kind != fn.Ntile { // the first of its peers
		r.dense++
		r.rank = i
		if err := r.here.ended(c, i); err != nil {
			return err
		}
	}
	switch r.f.Kind {
	case fn.RowNumber:
		out.I[k] = int64(i) + 1
	case fn.Rank:
		out.I[k] = int64(r.rank) + 1
	case fn.DenseRank:
		out.I[k] = r.dense
	case fn.PercentRank:
		out.F[k] = 0
		if n > 1 {
			out.F[k] = float64(r.rank) / float64(n-1)
		}
	case fn.CumeDist:
		out.F[k] = float64(r.here.end) / float64(n)
	case fn.Ntile:
		size, more := int64(n)/r.f.N, int64(n)%r.f.N
		if large := more * (size + 1); int64(i) < large {
			out.I[k] = int64(i)/(size+1) + 1
		} else {
			out.I[k] = more + (int64(i)-large)/size + 1
		}
	}
	return nil
}

// appendLike appends a value to a column of values like those of a column of the partition.
func appendLike(out, like, v *types.Vec, i int) {
	out.AppendFrom(v, i)
	if out.Kind == types.Decimal && out.Len() == 1 && like.Scale > out.Scale {
		out.Rescale(like.Scale)
	}
}

var missing = types.NewVec(types.Null, 1)

// shift is LAG and LEAD.
type shift struct {
	f           *WindowFunc
	value, here cursor
	like        *types.Vec
}

func (s *shift) begin(_ *Ctx, out *types.Vec, _ int, like *types.Batch) {
	out.Reset(s.f.T.Kind, 0)
	s.like = like.Cols[s.f.Args[0]]
}

func (s *shift) step(c *Ctx, out *types.Vec, _, i int) error {
	n, at := int64(s.here.of.n), int64(i)
	if s.f.Kind == fn.Lag {
		at -= s.f.N
	} else {
		at += s.f.N
	}
	from, arg := &s.value, 0
	switch {
	case at >= 0 && at < n:
	case len(s.f.Args) > 1:
		from, arg, at = &s.here, 1, int64(i)
	default:
		appendLike(out, s.like, missing, 0)
		return nil
	}
	b, row, err := from.at(c, int(at))
	if err == nil {
		appendLike(out, s.like, b.Cols[s.f.Args[arg]], row)
	}
	return err
}

// picked is FIRST_VALUE, LAST_VALUE and NTH_VALUE.
type picked struct {
	f     *WindowFunc
	frame ranger
	value cursor
	like  *types.Vec
}

func (p *picked) begin(_ *Ctx, out *types.Vec, _ int, like *types.Batch) {
	p.like = like.Cols[p.f.Args[0]]
	out.Reset(p.like.Kind, 0)
}

func (p *picked) step(c *Ctx, out *types.Vec, _, i int) error {
	if err := p.frame.move(c, i); err != nil {
		return err
	}
	at := p.frame.from
	switch p.f.Kind {
	case fn.LastValue:
		at = p.frame.to - 1
	case fn.NthValue:
		at += int(min(p.f.N, int64(p.value.of.n)+1)) - 1
	}
	if at < p.frame.from || at >= p.frame.to {
		appendLike(out, p.like, missing, 0)
		return nil
	}
	b, row, err := p.value.at(c, at)
	if err == nil {
		appendLike(out, p.like, b.Cols[p.f.Args[0]], row)
	}
	return err
}
