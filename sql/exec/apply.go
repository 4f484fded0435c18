package exec

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// ApplyKind says what Apply makes of the rows of the inner plan.
type ApplyKind uint8

const (
	ApplyScalar ApplyKind = iota // a column more: the one value, or NULL; several rows are refused
	ApplySemi                    // the rows for which there are some
	ApplyAnti                    // the rows for which there are none
	ApplyMark                    // a column more: whether there are some
)

// Apply runs a plan for the rows of another one: once for each combination of the values of the
// columns that it depends on, or, with Given, once for those of a batch (given.go).
type Apply struct {
	Outer
	Kind  ApplyKind
	L     Op
	Inner Op
	T     types.Type // ApplyScalar: of the value
	Ids   []int
	Given *Given // at the bottom of Inner, whose columns are the number of a combination and its value
	Empty Op     // with Given: the value of a combination that Inner says nothing of

	keyers []types.Keyer
	memo   map[string]*types.Vec // of the value; nil: no row
	key    []byte
	found  []*types.Vec // by row of the batch
	out    types.Batch
	vals   types.Vec
	keep   Filter
	fill   filler
	account
}

// IDs implements Op.
func (a *Apply) IDs() []int { return a.Ids }

// Open implements Op.
func (a *Apply) Open(c *Ctx) error {
	a.memo, a.keyers = make(map[string]*types.Vec), exactKeyers(a.Exprs)
	a.fill.begin()
	return a.L.Open(c)
}

// exactKeyers are keyers that tell texts apart which only their collation calls equal: the plan may
// look at them in another way.
func exactKeyers(exprs []fn.Expr) (out []types.Keyer) {
	for _, e := range exprs {
		t := e.Type()
		if t.Kind == types.String {
			t.Collation = types.Binary
		}
		out = append(out, types.KeyerOf(t))
	}
	return out
}

// Close implements Op.
func (a *Apply) Close(c *Ctx) {
	a.L.Close(c)
	a.fill.end(c)
	a.release(c)
	a.memo = nil
}

// Next implements Op.
func (a *Apply) Next(c *Ctx) (*types.Batch, error) {
	for {
		b, err := a.input(c)
		if b == nil || err != nil {
			return nil, err
		}
		if err := a.eval(c, b); err != nil {
			return nil, err
		}
		a.found = append(a.found[:0], make([]*types.Vec, b.N)...)
		if a.Given != nil {
			err = a.values(c, b)
		} else {
			err = a.each(c, b)
		}
		if err != nil {
			return nil, err
		}
		if out := a.join(b, a.found); out.N > 0 {
			return out, nil
		}
	}
}

// input is the next batch of L: with Given as large a one as can be.
func (a *Apply) input(c *Ctx) (*types.Batch, error) {
	if a.Given == nil {
		return a.L.Next(c)
	}
	return a.fill.next(c, a.L)
}

// join makes the batch of a batch of L and what was found for its rows.
func (a *Apply) join(b *types.Batch, found []*types.Vec) *types.Batch {
	if a.Kind == ApplyScalar {
		missing := types.NewVec(a.T.Kind, 1)
		missing.SetNull(0)
		a.vals.Reset(a.T.Kind, 0)
		a.vals.Scale = int(a.T.Scale)
		for _, v := range found {
			if v != nil {
				a.vals.Scale = max(a.vals.Scale, v.Scale)
			}
		}
		missing.Scale = a.vals.Scale
		for i, v := range found {
			if v == nil {
				v = missing
			}
			if i == 0 && v.Kind == types.Decimal && v.Scale < a.vals.Scale { // the first one decides
				v = scaled(v, a.vals.Scale)
			}
			a.vals.AppendFrom(v, 0)
		}
		a.out.N, a.out.Cols = b.N, append(append(a.out.Cols[:0], b.Cols...), &a.vals)
		return &a.out
	}
	if a.Kind == ApplyMark {
		a.vals.Reset(types.Int, len(found))
		for i, v := range found {
			if a.vals.I[i] = 0; v != nil {
				a.vals.I[i] = 1
			}
		}
		a.out.N, a.out.Cols = b.N, append(append(a.out.Cols[:0], b.Cols...), &a.vals)
		return &a.out
	}
	a.keep.rows = a.keep.rows[:0]
	for i, v := range found {
		if (v != nil) == (a.Kind == ApplySemi) {
			a.keep.rows = append(a.keep.rows, int32(i))
		}
	}
	if len(a.keep.rows) == b.N {
		return b
	}
	return a.keep.gather(b, 0)
}

// scaled is a DECIMAL with more digits.
func scaled(v *types.Vec, scale int) *types.Vec {
	out := types.NewVec(types.Decimal, 1)
	out.Scale, out.W = scale, make([]types.Int128, 1)
	if v.IsNull(0) {
		out.SetNull(0)
		return out
	}
	out.W[0], _ = types.Rescale(v.Wide(0), v.Scale, scale)
	return out
}

// each finds the values of a batch one after the other.
func (a *Apply) each(c *Ctx, b *types.Batch) (err error) {
	for i := range b.N {
		if a.found[i], err = a.value(c, i); err != nil {
			return err
		}
	}
	return nil
}

// keyOf makes the key of row i.
func (a *Apply) keyOf(i int) (err error) {
	a.key = a.key[:0]
	for k, v := range a.vecs {
		if a.key, err = a.keyers[k].Append(a.key, v, i); err != nil {
			return err
		}
	}
	return nil
}

// value is what the plan gives for row i.
func (a *Apply) value(c *Ctx, i int) (*types.Vec, error) {
	if err := a.keyOf(i); err != nil {
		return nil, err
	}
	if v, known := a.memo[string(a.key)]; known {
		return v, nil
	}
	a.set(i)
	key := string(a.key)
	v, err := a.run(c)
	if err != nil {
		return nil, err
	}
	a.remember(c, key, v)
	return v, nil
}

// remember keeps the value of a key as long as there is room.
func (a *Apply) remember(c *Ctx, key string, v *types.Vec) {
	size := len(key) + 128
	if v != nil {
		size += v.Size(0)
	}
	if !a.room(c, size, c.Limits.Table) { // what was found is found again
		clear(a.memo)
		a.release(c)
		if !a.room(c, size, c.Limits.Table) {
			return
		}
	}
	a.memo[key] = v
}

// run runs the plan and takes its first value.
func (a *Apply) run(c *Ctx) (*types.Vec, error) {
	if err := c.Err(); err != nil {
		return nil, err
	}
	defer a.Inner.Close(c)
	if err := a.Inner.Open(c); err != nil {
		return nil, err
	}
	b, err := a.Inner.Next(c)
	if b == nil || err != nil {
		return nil, err
	}
	if a.Kind != ApplyScalar {
		return types.NewVec(types.Null, 1), nil
	}
	v := owned(b.Cols[0], 0)
	if b.N == 1 {
		if b, err = a.Inner.Next(c); b == nil {
			return v, err
		}
	}
	return nil, fn.Refuse(fn.ByRow, "a value of several rows")
}

// owned is a value with bytes of its own.
func owned(v *types.Vec, i int) *types.Vec {
	v = v.One(i)
	if v.Kind == types.String && !v.IsNull(0) {
		v.S[0] = append([]byte(nil), v.S[0]...)
	}
	return v
}
