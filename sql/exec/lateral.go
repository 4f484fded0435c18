package exec

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Lateral joins each row of the left side with the rows of a plan that depends on it.
type Lateral struct {
	Outer
	Left  bool // rows of the left side without a partner have NULLs on the right
	L     Op
	Inner Op
	On    []fn.Expr // asked about pairs, over the columns of both sides
	Right []types.Type
	Ids   []int

	probe   *types.Batch
	at      int
	opened  bool
	matched bool

	left []int32
	gl   gatherer
	both types.Batch
	keep Filter
}

// IDs implements Op.
func (l *Lateral) IDs() []int { return l.Ids }

// Open implements Op.
func (l *Lateral) Open(c *Ctx) error {
	l.probe, l.at, l.opened = nil, 0, false
	return l.L.Open(c)
}

// Close implements Op.
func (l *Lateral) Close(c *Ctx) {
	if l.opened {
		l.Inner.Close(c)
		l.opened = false
	}
	l.L.Close(c)
	l.probe = nil
}

// Next implements Op.
func (l *Lateral) Next(c *Ctx) (*types.Batch, error) {
	for {
		if err := c.Err(); err != nil {
			return nil, err
		}
		if l.probe == nil {
			b, err := l.L.Next(c)
			if b == nil || err != nil {
				return nil, err
			}
			if err := l.eval(c, b); err != nil {
				return nil, err
			}
			l.probe, l.at = b, 0
		}
		out, err := l.row(c)
		if err != nil {
			return nil, err
		}
		if out != nil && out.N > 0 {
			return out, nil
		}
	}
}

// row gives the next pairs of the row at hand.
func (l *Lateral) row(c *Ctx) (*types.Batch, error) {
	if !l.opened {
		l.set(l.at)
		if err := l.Inner.Open(c); err != nil {
			l.Inner.Close(c)
			return nil, err
		}
		l.opened, l.matched = true, false
	}
	b, err := l.Inner.Next(c)
	if err != nil {
		return nil, err
	}
	if b != nil {
		out, err := l.pairs(c, b)
		l.matched = l.matched || out != nil && out.N > 0
		return out, err
	}
	l.Inner.Close(c)
	l.opened = false
	var out *types.Batch
	if l.Left && !l.matched {
		missing := types.Batch{N: 1}
		for _, t := range l.Right {
			v := types.NewVec(t.Kind, 1)
			v.Scale = int(t.Scale)
			v.SetNull(0)
			missing.Cols = append(missing.Cols, v)
		}
		out = l.beside(&missing)
	}
	if l.at++; l.at < l.probe.N {
		return out, nil
	}
	if out == nil {
		l.probe = nil
		return nil, nil
	}
	defer func() { l.probe = nil }() // its row is copied
	return out, nil
}

// pairs are the rows of a batch beside the row at hand for which the conditions hold.
func (l *Lateral) pairs(c *Ctx, b *types.Batch) (*types.Batch, error) {
	out, at := l.beside(b), 0
	for _, cond := range l.On {
		v, err := cond.Eval(&c.Fn, out)
		if err != nil {
			return nil, err
		}
		l.keep.rows = fn.Passes(l.keep.rows[:0], v, out.N)
		if len(l.keep.rows) < out.N {
			out, at = l.keep.gather(out, at), 1-at
		}
		if out.N == 0 {
			break
		}
	}
	return out, nil
}

// beside puts the row at hand beside each row of a batch.
func (l *Lateral) beside(b *types.Batch) *types.Batch {
	l.left = l.left[:0]
	for range b.N {
		l.left = append(l.left, int32(l.at))
	}
	if len(l.gl.vecs) != len(l.probe.Cols) {
		l.gl.vecs = make([]types.Vec, len(l.probe.Cols))
	}
	l.both.N, l.both.Cols = b.N, l.both.Cols[:0]
	for k, v := range l.probe.Cols {
		v.Gather(&l.gl.vecs[k], l.left)
		l.both.Cols = append(l.both.Cols, &l.gl.vecs[k])
	}
	l.both.Cols = append(l.both.Cols, b.Cols...)
	return &l.both
}
