package exec

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// frames calls do with the frame of each row: the rows from from up to, but without, to. Neither
// ever goes back.
func (w *Window) frames(c *Ctx, f *WindowFunc, do func(i, from, to int) error) error {
	var order *types.Vec
	if len(w.Order) == 1 {
		order = &w.part.rows.cols[w.Order[0].(*fn.Column).At]
	}
	r := ranger{p: &w.part, f: &f.Frame, order: order}
	r.desc = len(w.Desc) > 0 && w.Desc[0]
	for i := range w.part.rows.n {
		if i%types.BatchRows == 0 {
			if err := c.Err(); err != nil {
				return err
			}
		}
		r.move(i)
		if err := do(i, r.from, max(r.from, r.to)); err != nil {
			return err
		}
	}
	return nil
}

// ranger finds frames.
type ranger struct {
	p        *partition
	f        *fn.Frame
	order    *types.Vec
	desc     bool
	from, to int
	end      int // behind the last peer of the row
}

func (r *ranger) move(i int) {
	n := r.p.rows.n
	if r.f.Range {
		if int(r.p.peers[i]) == i {
			for r.end = i + 1; r.end < n && int(r.p.peers[r.end]) == i; r.end++ {
			}
		}
		r.byValue(i, n)
		return
	}
	r.from = clip(i, &r.f.From, 0, n)
	r.to = clip(i, &r.f.To, 1, n)
}

// clip is row i moved by a bound that counts rows, and by so many more, within 0 and n.
func clip(i int, b *fn.Bound, more, n int) int {
	rows := int(min(b.Rows, int64(n)+1))
	switch b.Kind {
	case fn.FromStart:
		return 0
	case fn.ToTheEnd:
		return n
	case fn.Before:
		rows = -rows
	case fn.AtRow:
		rows = 0
	}
	return max(min(i+rows+more, n), 0)
}

func (r *ranger) byValue(i, n int) {
	switch b := &r.f.From; b.Kind {
	case fn.FromStart:
		r.from = 0
	case fn.AtRow:
		r.from = int(r.p.peers[i])
	default:
		v := r.column(b)
		for r.from < n && r.compare(r.from, v, i) < 0 {
			r.from++
		}
	}
	switch b := &r.f.To; b.Kind {
	case fn.ToTheEnd:
		r.to = n
	case fn.AtRow:
		r.to = r.end
	default:
		v := r.column(b)
		for r.to < n && r.compare(r.to, v, i) <= 0 {
			r.to++
		}
	}
}

func (r *ranger) column(b *fn.Bound) *types.Vec { return &r.p.rows.cols[b.Value.(*fn.Column).At] }

// compare compares the order of row j with the value at i of a bound, in the direction of the
// order.
func (r *ranger) compare(j int, v *types.Vec, i int) int {
	n := compareValues(r.order, j, v, i)
	if r.desc {
		return -n
	}
	return n
}

// compareValues compares two numbers, or two dates or times. NULL comes first and equals itself.
func compareValues(a *types.Vec, i int, b *types.Vec, j int) int {
	switch x, y := a.IsNull(i), b.IsNull(j); {
	case x && y:
		return 0
	case x:
		return -1
	case y:
		return 1
	case a.Kind == types.Float || b.Kind == types.Float:
		return order(fn.FloatAt(a, i), fn.FloatAt(b, j))
	case a.Kind.Temporal() || a.Kind == types.Int && b.Kind == types.Int:
		return order(a.I[i], b.I[j])
	}
	x, y, scale := a.Wide(i), b.Wide(j), max(a.Scale, b.Scale)
	p, ok1 := types.Rescale(x, a.Scale, scale)
	q, ok2 := types.Rescale(y, b.Scale, scale)
	if !ok1 || !ok2 {
		return order(types.FloatOf(x, a.Scale), types.FloatOf(y, b.Scale))
	}
	return p.Cmp(q)
}

func order[T int64 | float64](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// slider is an aggregate over a frame that moves. remove takes the first row out again; an
// aggregate that cannot do so begins anew.
type slider interface {
	reset()
	removes() bool
	add(v *types.Vec, i int) error
	remove(v *types.Vec, i int) error
	put(out *types.Vec, i int) error
}

func newSlider(f *WindowFunc, v *types.Vec) slider {
	switch {
	case f.Agg == fn.CountRows || f.Agg == fn.Count:
		return &slidingCount{}
	case f.Agg == fn.Min || f.Agg == fn.Max:
		return &slidingExtreme{keyer: types.KeyerOf(f.T), greatest: f.Agg == fn.Max}
	case v.Kind == types.Float:
		return &slidingFloat{mean: f.Agg == fn.Avg}
	}
	return &slidingSum{mean: f.Agg == fn.Avg, from: v.Scale}
}

// aggregate computes an aggregate function over the frames of all rows.
func (w *Window) aggregate(c *Ctx, f *WindowFunc, out *types.Vec) error {
	v := &types.Vec{Kind: types.Int} // COUNT(*)
	if len(f.Args) > 0 {
		v = &w.part.rows.cols[f.Args[0]]
	}
	s := newSlider(f, v)
	n := w.part.rows.n
	out.Reset(f.T.Kind, n)
	if sum, ok := s.(*slidingSum); ok {
		out.W = make([]types.Int128, n)
		out.Scale = sum.scale(c)
	}
	lo, hi := 0, 0
	at, extreme := s.(*slidingExtreme)
	if extreme {
		at.at = make([]int32, n)
	}
	err := w.frames(c, f, func(i, from, to int) error {
		if from > lo && !s.removes() {
			s.reset()
			hi = from
		}
		for ; lo < from && lo < hi && s.removes(); lo++ {
			if err := s.remove(v, lo); err != nil {
				return err
			}
		}
		lo, hi = from, max(hi, from)
		for ; hi < to; hi++ {
			if hi%types.BatchRows == 0 {
				if err := c.Err(); err != nil {
					return err
				}
			}
			if v.Kind == types.Null || v.IsNull(hi) {
				continue
			}
			if err := s.add(v, hi); err != nil {
				return err
			}
		}
		return s.put(out, i)
	})
	if extreme {
		v.Gather(out, at.at)
	}
	return err
}

// slidingCount is COUNT.
type slidingCount struct{ n int64 }

func (s *slidingCount) reset()                          { s.n = 0 }
func (s *slidingCount) removes() bool                   { return true }
func (s *slidingCount) add(*types.Vec, int) error       { s.n++; return nil }
func (s *slidingCount) put(out *types.Vec, i int) error { out.I[i] = s.n; return nil }
func (s *slidingCount) remove(v *types.Vec, i int) error {
	if v.Kind != types.Null && !v.IsNull(i) {
		s.n--
	}
	return nil
}

// slidingSum is SUM or AVG of exact numbers.
type slidingSum struct {
	mean bool
	from int // scale of what is added
	sum  types.Int128
	n    int64
}

func (s *slidingSum) scale(c *Ctx) int {
	if s.mean {
		return types.QuotientScale(s.from, 0, c.Fn.DivIncrement)
	}
	return s.from
}

func (s *slidingSum) reset()        { s.sum, s.n = types.Int128{}, 0 }
func (s *slidingSum) removes() bool { return true }

func (s *slidingSum) add(v *types.Vec, i int) error {
	sum, ok := s.sum.Add(v.Wide(i))
	if s.sum = sum; !ok {
		return types.ErrRange
	}
	s.n++
	return nil
}

func (s *slidingSum) remove(v *types.Vec, i int) error {
	if v.Kind == types.Null || v.IsNull(i) {
		return nil
	}
	sum, ok := s.sum.Sub(v.Wide(i))
	if s.sum = sum; !ok {
		return types.ErrRange
	}
	s.n--
	return nil
}

func (s *slidingSum) put(out *types.Vec, i int) (err error) {
	switch {
	case s.n == 0:
		out.SetNull(i)
	case s.mean:
		out.W[i], err = types.Divide(s.sum, s.from, types.FromInt64(s.n), 0, out.Scale)
	default:
		out.W[i] = s.sum
	}
	return err
}

// slidingFloat is SUM or AVG of floating-point numbers. What was added is not taken out again: that
// would leave errors behind.
type slidingFloat struct {
	mean bool
	sum  float64
	n    int64
}

func (s *slidingFloat) reset()                       { s.sum, s.n = 0, 0 }
func (s *slidingFloat) removes() bool                { return false }
func (s *slidingFloat) remove(*types.Vec, int) error { return nil }

func (s *slidingFloat) add(v *types.Vec, i int) error {
	s.sum += v.F[i]
	s.n++
	return nil
}

func (s *slidingFloat) put(out *types.Vec, i int) error {
	if s.n == 0 {
		out.SetNull(i)
		return nil
	}
	if out.F[i] = s.sum; s.mean {
		out.F[i] = s.sum / float64(s.n)
	}
	if out.F[i]-out.F[i] != 0 {
		return fn.Refuse(fn.ByRow, "a DOUBLE out of range")
	}
	return nil
}

// slidingExtreme is MIN or MAX. It keeps the rows that may still be the answer: each better than
// those behind it.
type slidingExtreme struct {
	keyer    types.Keyer
	greatest bool
	queue    []candidate
	at       []int32 // by row: where its answer is
}

type candidate struct {
	row int32
	key string
}

func (s *slidingExtreme) reset()        { s.queue = s.queue[:0] }
func (s *slidingExtreme) removes() bool { return true }

func (s *slidingExtreme) add(v *types.Vec, i int) error {
	b, err := s.keyer.Append(nil, v, i)
	if err != nil {
		return err
	}
	key := string(b)
	for n := len(s.queue); n > 0; n-- {
		if last := s.queue[n-1].key; last == key || (last > key) == s.greatest {
			break
		}
		s.queue = s.queue[:n-1]
	}
	s.queue = append(s.queue, candidate{int32(i), key})
	return nil
}

func (s *slidingExtreme) remove(_ *types.Vec, i int) error {
	if len(s.queue) > 0 && s.queue[0].row == int32(i) {
		s.queue = s.queue[1:]
	}
	return nil
}

func (s *slidingExtreme) put(_ *types.Vec, i int) error {
	s.at[i] = -1
	if len(s.queue) > 0 {
		s.at[i] = s.queue[0].row
	}
	return nil
}
