package exec

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// ranger finds the frames of rows: those from from up to, but without, to. Neither ever goes back.
type ranger struct {
	f     *fn.Frame
	order int // the column that the rows are ordered by, for bounds that are values
	desc  bool
	peers peerCursor

	here, low, high cursor // at the row, and at the bounds

	from, to   int
	first, end int // first peer of the row; to, before it is made no less than from
}

func (w *Window) newRanger(f *WindowFunc) ranger {
	at := cursor{of: &w.part}
	r := ranger{f: &f.Frame, peers: w.peersOf(), here: at, low: at, high: at}
	if len(w.Order) == 1 {
		r.order = w.Order[0].(*fn.Column).At
	}
	r.desc = len(w.Desc) > 0 && w.Desc[0]
	return r
}

// move finds the frame of row i, which is behind the one asked for before.
func (r *ranger) move(c *Ctx, i int) error {
	n := r.here.of.n
	if !r.f.Range {
		r.from = clip(i, &r.f.From, 0, n)
		r.to = max(clip(i, &r.f.To, 1, n), r.from)
		return nil
	}
	if i >= r.peers.end {
		if err := r.peers.ended(c, i); err != nil {
			return err
		}
		r.first = i
	}
	switch b := &r.f.From; b.Kind {
	case fn.FromStart:
		r.from = 0
	case fn.AtRow:
		r.from = r.first
	default:
		if err := r.reach(c, &r.low, &r.from, b, i, 0); err != nil {
			return err
		}
	}
	switch b := &r.f.To; b.Kind {
	case fn.ToTheEnd:
		r.end = n
	case fn.AtRow:
		r.end = r.peers.end
	default:
		if err := r.reach(c, &r.high, &r.end, b, i, 1); err != nil {
			return err
		}
	}
	r.to = max(r.from, r.end)
	return nil
}

// reach moves a bound on to the first row whose order is not before the value at row i of the bound
// (before 0), or behind it (before 1).
func (r *ranger) reach(c *Ctx, k *cursor, row *int, b *fn.Bound, i, before int) error {
	here, at, err := r.here.at(c, i)
	if err != nil {
		return err
	}
	v := here.Cols[b.Value.(*fn.Column).At]
	for ; *row < k.of.n; *row++ {
		if *row%types.BatchRows == 0 {
			if err := c.Err(); err != nil {
				return err
			}
		}
		there, j, err := k.at(c, *row)
		if err != nil {
			return err
		}
		n := compareValues(there.Cols[r.order], j, v, at)
		if r.desc {
			n = -n
		}
		if n >= before {
			return nil
		}
	}
	return nil
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
// aggregate that cannot do so begins anew. NULLs are not added.
type slider interface {
	reset()
	removes() bool
	add(v *types.Vec, at, row int) error
	remove(v *types.Vec, at, row int) error
	put(c *Ctx, out *types.Vec, k int) error
}

// framed is an aggregate function over the frames of rows.
type framed struct {
	f       *WindowFunc
	frame   ranger
	in, out cursor // at the rows that are added, and removed
	lo, hi  int    // the rows that are in
	sums    slider
	account
}

func (a *framed) begin(c *Ctx, out *types.Vec, n int, like *types.Batch) {
	v := &types.Vec{Kind: types.Int} // COUNT(*)
	if len(a.f.Args) > 0 {
		v = like.Cols[a.f.Args[0]]
	}
	if a.sums == nil {
		a.sums = a.newSlider(v)
	}
	switch s := a.sums.(type) {
	case *slidingExtreme:
		out.Reset(v.Kind, 0)
		s.like = v
	case *slidingSum:
		out.Reset(a.f.T.Kind, n)
		out.W = make([]types.Int128, n)
		out.Scale = s.scale(c)
	default:
		out.Reset(a.f.T.Kind, n)
	}
}

func (a *framed) newSlider(v *types.Vec) slider {
	switch {
	case a.f.Agg == fn.CountRows || a.f.Agg == fn.Count:
		return &slidingCount{}
	case a.f.Agg == fn.Min || a.f.Agg == fn.Max:
		return &slidingExtreme{keyer: types.KeyerOf(a.f.T), greatest: a.f.Agg == fn.Max, arg: a.f.Args[0], value: cursor{of: a.in.of}}
	case a.f.Agg >= fn.BitAnd && a.f.Agg <= fn.BitXor:
		return &slidingBits{kind: a.f.Agg}
	case a.f.Agg >= fn.StdPop && a.f.Agg <= fn.VarSamp:
		return &slidingVariance{spread: variance{kind: a.f.Agg}}
	case a.f.Agg >= fn.JSONArray:
		return newSlidingDocument(a.f)
	case a.f.T.Kind == types.Float:
		return &slidingFloat{mean: a.f.Agg == fn.Avg}
	}
	return &slidingSum{mean: a.f.Agg == fn.Avg, from: v.Scale}
}

func (a *framed) step(c *Ctx, out *types.Vec, k, i int) error {
	if err := a.frame.move(c, i); err != nil {
		return err
	}
	from, to := a.frame.from, a.frame.to
	if from > a.lo && !a.sums.removes() {
		a.sums.reset()
		a.hi = from
	}
	for ; a.lo < from && a.lo < a.hi && a.sums.removes(); a.lo++ {
		if err := a.each(c, &a.out, a.lo, a.sums.remove); err != nil {
			return err
		}
	}
	a.lo, a.hi = from, max(a.hi, from)
	for ; a.hi < to; a.hi++ {
		if a.hi%types.BatchRows == 0 {
			if err := c.Err(); err != nil {
				return err
			}
		}
		if err := a.each(c, &a.in, a.hi, a.sums.add); err != nil {
			return err
		}
	}
	if s, ok := a.sums.(interface{ held() int }); ok {
		if err := a.keep(c, max(s.held()-int(a.asked), 0)); err != nil {
			return err
		}
	}
	return a.sums.put(c, out, k)
}

// each calls do for a row whose value is not NULL.
func (a *framed) each(c *Ctx, k *cursor, row int, do func(v *types.Vec, at, row int) error) error {
	if len(a.f.Args) == 0 {
		return do(nil, 0, row)
	}
	b, at, err := k.at(c, row)
	if err != nil {
		return err
	}
	if v := b.Cols[a.f.Args[0]]; v.Kind != types.Null && !v.IsNull(at) {
		return do(v, at, row)
	}
	return nil
}

// slidingCount is COUNT.
type slidingCount struct{ n int64 }

func (s *slidingCount) reset()                            { s.n = 0 }
func (s *slidingCount) removes() bool                     { return true }
func (s *slidingCount) add(*types.Vec, int, int) error    { s.n++; return nil }
func (s *slidingCount) remove(*types.Vec, int, int) error { s.n--; return nil }

func (s *slidingCount) put(_ *Ctx, out *types.Vec, k int) error {
	out.I[k] = s.n
	return nil
}

// slidingSum is SUM or AVG of exact numbers.
type slidingSum struct {
	mean bool
	from int // scale of the sum
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

func (s *slidingSum) add(v *types.Vec, at, _ int) error {
	return s.move(v, at, types.Int128.Add, 1)
}

func (s *slidingSum) remove(v *types.Vec, at, _ int) error {
	return s.move(v, at, types.Int128.Sub, -1)
}

func (s *slidingSum) move(v *types.Vec, at int, op func(a, b types.Int128) (types.Int128, bool), n int64) error {
	w, ok := v.Wide(at), true
	if v.Scale != s.from {
		w, ok = types.Rescale(w, v.Scale, s.from)
	}
	if ok {
		s.sum, ok = op(s.sum, w)
	}
	if !ok {
		return types.ErrRange
	}
	s.n += n
	return nil
}

func (s *slidingSum) put(_ *Ctx, out *types.Vec, k int) (err error) {
	switch {
	case s.n == 0:
		out.SetNull(k)
	case s.mean:
		out.W[k], err = types.Divide(s.sum, s.from, types.FromInt64(s.n), 0, out.Scale)
	default:
		out.W[k] = s.sum
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

func (s *slidingFloat) reset()                            { s.sum, s.n = 0, 0 }
func (s *slidingFloat) removes() bool                     { return false }
func (s *slidingFloat) remove(*types.Vec, int, int) error { return nil }

func (s *slidingFloat) add(v *types.Vec, at, _ int) error {
	s.sum += v.F[at]
	s.n++
	return nil
}

func (s *slidingFloat) put(_ *Ctx, out *types.Vec, k int) error {
	if s.n == 0 {
		out.SetNull(k)
		return nil
	}
	if out.F[k] = s.sum; s.mean {
		out.F[k] = s.sum / float64(s.n)
	}
	if out.F[k]-out.F[k] != 0 {
		return fn.Refuse(fn.ByRow, "a DOUBLE out of range")
	}
	return nil
}

// slidingExtreme is MIN or MAX. It keeps the rows that may still be the answer: each better than
// those behind it.
type slidingExtreme struct {
	keyer    types.Keyer
	greatest bool
	arg      int
	value    cursor
	like     *types.Vec
	queue    []candidate
}

// candidateBytes is about what a candidate takes.
const candidateBytes = 64

type candidate struct {
	row int
	key string
}

func (s *slidingExtreme) reset()        { s.queue = s.queue[:0] }
func (s *slidingExtreme) removes() bool { return true }
func (s *slidingExtreme) held() int     { return candidateBytes * cap(s.queue) }

func (s *slidingExtreme) add(v *types.Vec, at, row int) error {
	b, err := s.keyer.Append(nil, v, at)
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
	s.queue = append(s.queue, candidate{row, key})
	return nil
}

func (s *slidingExtreme) remove(_ *types.Vec, _, row int) error {
	if len(s.queue) > 0 && s.queue[0].row == row {
		s.queue = s.queue[1:]
	}
	return nil
}

func (s *slidingExtreme) put(c *Ctx, out *types.Vec, _ int) error {
	if len(s.queue) == 0 {
		appendLike(out, s.like, missing, 0)
		return nil
	}
	b, at, err := s.value.at(c, s.queue[0].row)
	if err == nil {
		appendLike(out, s.like, b.Cols[s.arg], at)
	}
	return err
}
