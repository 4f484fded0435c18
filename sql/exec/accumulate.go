package exec

import (
	"bytes"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Aggregate is an aggregate function over an expression.
type Aggregate struct {
	Kind     fn.AggregateKind
	Distinct bool
	Arg      fn.Expr // nil: COUNT(*)
	T        types.Type
	Weight   fn.Expr // of COUNT and AVG over parts of groups: for how many values one stands

	// Of GROUP_CONCAT.
	Order     []fn.Expr
	Desc      []bool
	Separator []byte
	Most      int // bytes; of JSON_ARRAYAGG and JSON_OBJECTAGG as well
}

// accumulator computes an aggregate function for many groups.
type accumulator interface {
	grow(groups int)
	add(c *Ctx, groups []int32, v *types.Vec, n int) error // row i belongs to groups[i]
	result(c *Ctx, from, n int, out *types.Vec) error
	size() int
}

// weighted is an accumulator of parts of groups.
type weighted interface{ weigh(by []int64) }

func newAccumulator(a *Aggregate) (accumulator, error) {
	var acc accumulator
	switch a.Kind {
	case fn.CountRows, fn.Count:
		acc = &counter{}
	case fn.Sum, fn.Avg:
		if a.Arg.Type().Kind == types.Float {
			acc = &floatSum{mean: a.Kind == fn.Avg}
		} else {
			acc = &exactSum{mean: a.Kind == fn.Avg}
		}
	case fn.BitAnd, fn.BitOr, fn.BitXor:
		acc = &bits{kind: a.Kind}
	case fn.StdPop, fn.StdSamp, fn.VarPop, fn.VarSamp:
		acc = &variance{kind: a.Kind}
	case fn.JSONArray, fn.JSONObject:
		return &gathered{of: a}, nil
	case fn.GroupConcat:
		return newConcat(a), nil
	default:
		acc = &extreme{t: a.Arg.Type(), keyer: types.KeyerOf(a.Arg.Type()), greatest: a.Kind == fn.Max}
	}
	if a.Distinct && a.Kind != fn.Min && a.Kind != fn.Max {
		return newDistinct(acc, types.KeyerOf(a.Arg.Type())), nil
	}
	return acc, nil
}

// counter is COUNT.
type counter struct {
	n       []int64
	weights []int64 // of the rows that are added next
}

func (a *counter) weigh(by []int64) { a.weights = by }

func (a *counter) grow(groups int) { a.n = grown(a.n, groups) }
func (a *counter) size() int       { return 8 * cap(a.n) }

func grown[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:max(n, len(s))]
	}
	out := make([]T, n, max(2*n, 64))
	copy(out, s)
	return out
}

func (a *counter) add(_ *Ctx, groups []int32, v *types.Vec, n int) error {
	if a.weights != nil {
		for i, g := range groups[:n] {
			a.n[g] += a.weights[i]
		}
		return nil
	}
	if v == nil || v.Null == nil && v.Kind != types.Null {
		for _, g := range groups[:n] {
			a.n[g]++
		}
		return nil
	}
	for i, g := range groups[:n] {
		if !v.IsNull(i) {
			a.n[g]++
		}
	}
	return nil
}

func (a *counter) result(_ *Ctx, from, n int, out *types.Vec) error {
	out.Reset(types.Int, n)
	copy(out.I, a.n[from:from+n])
	return nil
}

// exactSum is SUM or AVG of exact numbers. Sums begin in 64 bits.
type exactSum struct {
	mean  bool
	scale int
	begun bool
	small []int64
	wide  []types.Int128 // in place of small, once one of them has overflown
	n     []int64

	weights []int64 // of the rows that are added next; nil: 1
}

func (a *exactSum) weigh(by []int64) { a.weights = by }

// weight is how many values one stands for.
func (a *exactSum) weight(i int) int64 {
	if a.weights == nil {
		return 1
	}
	return a.weights[i]
}

func (a *exactSum) size() int { return 8*cap(a.small) + 16*cap(a.wide) + 8*cap(a.n) }

func (a *exactSum) grow(groups int) {
	a.n = grown(a.n, groups)
	if a.wide != nil {
		a.wide = grown(a.wide, groups)
	} else {
		a.small = grown(a.small, groups)
	}
}

func (a *exactSum) widen() {
	if a.wide != nil {
		return
	}
	a.wide = make([]types.Int128, len(a.small), cap(a.small)+1)
	for i, x := range a.small {
		a.wide[i] = types.FromInt64(x)
	}
	a.small = nil
}

// atScale brings the sums to the scale of a batch that has more digits.
func (a *exactSum) atScale(scale int) error {
	if !a.begun {
		a.begun, a.scale = true, scale
	}
	if scale <= a.scale {
		return nil
	}
	a.widen()
	for i := range a.wide {
		var ok bool
		if a.wide[i], ok = types.Rescale(a.wide[i], a.scale, scale); !ok {
			return types.ErrRange
		}
	}
	a.scale = scale
	return nil
}

func (a *exactSum) add(_ *Ctx, groups []int32, v *types.Vec, n int) error {
	if v.Kind == types.Null {
		return nil
	}
	if err := a.atScale(v.Scale); err != nil {
		return err
	}
	from := 0
	if a.wide == nil && v.W == nil && v.Scale == a.scale && v.Kind != types.Uint {
		if from = a.addSmall(groups, v, n); from == n {
			return nil
		}
	}
	a.widen()
	for i := from; i < n; i++ {
		if v.IsNull(i) {
			continue
		}
		w, ok1 := types.Rescale(v.Wide(i), v.Scale, a.scale)
		g := groups[i]
		sum, ok2 := a.wide[g].Add(w)
		if !ok1 || !ok2 {
			return types.ErrRange
		}
		a.wide[g] = sum
		a.n[g] += a.weight(i)
	}
	return nil
}

// addSmall adds in 64 bits and tells how far it has come.
func (a *exactSum) addSmall(groups []int32, v *types.Vec, n int) int {
	vals := v.I[:n]
	for i, x := range vals {
		if v.Null != nil && v.Null[i] {
			continue
		}
		g := groups[i]
		s := a.small[g]
		r := s + x
		if (s^x) >= 0 && (s^r) < 0 {
			return i
		}
		a.small[g] = r
		a.n[g] += a.weight(i)
	}
	return n
}

func (a *exactSum) result(c *Ctx, from, n int, out *types.Vec) error {
	out.Reset(types.Decimal, n)
	out.Scale = a.scale
	if a.wide == nil && !a.mean {
		copy(out.I, a.small[from:from+n])
	} else {
		out.W = make([]types.Int128, n)
	}
	if a.mean {
		out.Scale = types.QuotientScale(a.scale, 0, c.Fn.DivIncrement)
	}
	for i := range n {
		g := from + i
		if a.n[g] == 0 {
			out.SetNull(i)
			continue
		}
		if out.W == nil {
			continue
		}
		var sum types.Int128
		if a.wide != nil {
			sum = a.wide[g]
		} else {
			sum = types.FromInt64(a.small[g])
		}
		if a.mean {
			var err error
			if sum, err = types.Divide(sum, a.scale, types.FromInt64(a.n[g]), 0, out.Scale); err != nil {
				return err
			}
		}
		out.W[i] = sum
	}
	return nil
}

// floatSum is SUM or AVG of floating-point numbers.
type floatSum struct {
	mean bool
	sum  []float64
	n    []int64
}

func (a *floatSum) grow(groups int) { a.sum, a.n = grown(a.sum, groups), grown(a.n, groups) }
func (a *floatSum) size() int       { return 8*cap(a.sum) + 8*cap(a.n) }

func (a *floatSum) add(_ *Ctx, groups []int32, v *types.Vec, n int) error {
	for i, f := range v.F[:n] {
		if !v.IsNull(i) {
			a.sum[groups[i]] += f
			a.n[groups[i]]++
		}
	}
	return nil
}

func (a *floatSum) result(_ *Ctx, from, n int, out *types.Vec) error {
	out.Reset(types.Float, n)
	for i := range n {
		g := from + i
		switch {
		case a.n[g] == 0:
			out.SetNull(i)
		case a.mean:
			out.F[i] = a.sum[g] / float64(a.n[g])
		default:
			out.F[i] = a.sum[g]
		}
		if !out.IsNull(i) && out.F[i]-out.F[i] != 0 {
			return fn.Refuse(fn.ByRow, "a DOUBLE out of range")
		}
	}
	return nil
}

// extreme is MIN or MAX. Of equal values the first one counts.
type extreme struct {
	t        types.Type
	keyer    types.Keyer
	greatest bool
	best     []int64
	bytes    [][]byte // keys of what is no integer or date
	vals     []*types.Vec
	has      []bool
	scratch  []byte
	held     int
}

// plain tells values that compare as integers.
func (a *extreme) plain() bool { return a.t.Kind == types.Int || a.t.Kind.Temporal() }

func (a *extreme) grow(groups int) {
	a.has = grown(a.has, groups)
	if a.plain() {
		a.best = grown(a.best, groups)
		return
	}
	a.bytes, a.vals = grown(a.bytes, groups), grown(a.vals, groups)
}

func (a *extreme) size() int { return 8*cap(a.best) + 32*cap(a.bytes) + cap(a.has) + a.held }

func (a *extreme) add(c *Ctx, groups []int32, v *types.Vec, n int) (err error) {
	if v.Kind == types.Null {
		return nil
	}
	for i, g := range groups[:n] {
		if v.IsNull(i) {
			continue
		}
		if a.plain() {
			if x := v.I[i]; !a.has[g] || (x > a.best[g]) == a.greatest && x != a.best[g] {
				a.best[g], a.has[g] = x, true
			}
			continue
		}
		if a.long(v, i, g) {
			if err := a.addLong(c, g, v, i); err != nil {
				return err
			}
			continue
		}
		if a.scratch, err = a.keyer.Append(a.scratch[:0], v, i); err != nil {
			return err
		}
		if order := string(a.scratch); a.has[g] {
			if have := string(a.bytes[g]); (order > have) != a.greatest || order == have {
				continue
			}
		}
		a.has[g] = true
		a.held += len(a.scratch) - len(a.bytes[g]) + 64
		a.bytes[g] = append(a.bytes[g][:0], a.scratch...)
		a.vals[g] = v.One(i)
		if v.Kind == types.String {
			a.vals[g].S[0] = append([]byte(nil), v.S[i]...)
		}
	}
	return nil
}

// long tells rows that are compared without a key: the text or the best one is long.
func (a *extreme) long(v *types.Vec, i int, g int32) bool {
	if v.Kind != types.String || a.keyer.Collator == nil {
		return false
	}
	return len(v.S[i]) >= longBytes || a.has[g] && a.bytes[g] == nil
}

// addLong adds such a row. A long text that is the best has no key.
func (a *extreme) addLong(c *Ctx, g int32, v *types.Vec, i int) (err error) {
	if a.has[g] {
		if d := a.keyer.Collator.Compare(v.S[i], a.vals[g].S[0]); d == 0 || (d > 0) != a.greatest {
			return c.long(len(v.S[i]))
		}
		a.held -= len(a.vals[g].S[0]) + len(a.bytes[g])
	}
	a.has[g], a.bytes[g] = true, nil
	a.vals[g] = v.One(i)
	a.vals[g].S[0] = bytes.Clone(v.S[i])
	a.held += len(v.S[i]) + 64
	if len(v.S[i]) < longBytes {
		if a.bytes[g], err = a.keyer.Append(nil, v, i); err != nil {
			return err
		}
		a.held += len(a.bytes[g])
	}
	return c.long(len(v.S[i]))
}

func (a *extreme) result(_ *Ctx, from, n int, out *types.Vec) error {
	if a.plain() {
		out.Reset(a.t.Kind, n)
		copy(out.I, a.best[from:from+n])
		for i := range n {
			if !a.has[from+i] {
				out.SetNull(i)
			}
		}
		return nil
	}
	out.Reset(a.t.Kind, 0)
	out.Scale = int(a.t.Scale)
	missing := types.NewVec(a.t.Kind, 1)
	missing.SetNull(0)
	missing.Scale = out.Scale
	for i := range n {
		if v := a.vals[from+i]; v != nil {
			out.AppendFrom(v, 0)
		} else {
			out.AppendFrom(missing, 0)
		}
	}
	return nil
}
