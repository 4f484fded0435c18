package exec

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Filter lets rows pass for which all conditions hold.
type Filter struct {
	In    Op
	Conds []fn.Expr

	rows  []int32
	vecs  [2][]types.Vec
	batch [2]types.Batch
	narrow
}

// IDs implements Op.
func (f *Filter) IDs() []int { return f.In.IDs() }

// Open implements Op.
func (f *Filter) Open(c *Ctx) error {
	f.begin(f.Conds...)
	return f.In.Open(c)
}

// Close implements Op.
func (f *Filter) Close(c *Ctx) { f.In.Close(c) }

// Next implements Op.
func (f *Filter) Next(c *Ctx) (*types.Batch, error) {
	for {
		if err := c.Err(); err != nil {
			return nil, err
		}
		b, err := f.next(func() (*types.Batch, error) { return f.In.Next(c) })
		if b == nil || err != nil {
			return nil, err
		}
		at := 0
		for _, cond := range f.Conds {
			v, err := cond.Eval(&c.Fn, b)
			if err != nil {
				return nil, err
			}
			f.rows = fn.Passes(f.rows[:0], v, b.N)
			if len(f.rows) < b.N {
				b, at = f.gather(b, at), 1-at
			}
			if b.N == 0 {
				break
			}
		}
		if b.N > 0 {
			return b, nil
		}
	}
}

// gather makes a batch of the rows that have passed.
func (f *Filter) gather(b *types.Batch, at int) *types.Batch {
	out := &f.batch[at]
	if f.vecs[at] == nil {
		f.vecs[at] = make([]types.Vec, len(b.Cols))
		out.Cols = make([]*types.Vec, len(b.Cols))
	}
	if out.N = len(f.rows); out.N == 0 {
		return out
	}
	for i, v := range b.Cols {
		out.Cols[i] = &f.vecs[at][i]
		v.Gather(out.Cols[i], f.rows)
	}
	return out
}

// Project computes columns.
type Project struct {
	In    Op
	Exprs []fn.Expr
	Ids   []int
	Tells bool // of the errors and warnings of the one row that there is

	batch types.Batch
	narrow
}

// IDs implements Op.
func (p *Project) IDs() []int { return p.Ids }

// Open implements Op.
func (p *Project) Open(c *Ctx) error {
	p.begin(p.Exprs...)
	return p.In.Open(c)
}

// Close implements Op.
func (p *Project) Close(c *Ctx) { p.In.Close(c) }

// Next implements Op.
func (p *Project) Next(c *Ctx) (*types.Batch, error) {
	b, err := p.next(func() (*types.Batch, error) { return p.In.Next(c) })
	if b == nil || err != nil {
		return nil, err
	}
	p.batch.N, p.batch.Cols = b.N, p.batch.Cols[:0]
	in := &c.Fn
	if p.Tells {
		in = &fn.Context{DivIncrement: c.Fn.DivIncrement, Tells: true}
	}
	for _, e := range p.Exprs {
		if err := c.Err(); err != nil {
			return nil, err
		}
		v, err := e.Eval(in, b)
		if err != nil {
			return nil, err
		}
		p.batch.Cols = append(p.batch.Cols, v)
	}
	return &p.batch, nil
}

// Limit passes rows over and ends behind others.
type Limit struct {
	In            Op
	Offset, Count int64

	skip, left int64
	rows       []int32
	vecs       []types.Vec
	batch      types.Batch
}

// IDs implements Op.
func (l *Limit) IDs() []int { return l.In.IDs() }

// Open implements Op.
func (l *Limit) Open(c *Ctx) error {
	l.skip, l.left = l.Offset, l.Count
	return l.In.Open(c)
}

// Close implements Op.
func (l *Limit) Close(c *Ctx) { l.In.Close(c) }

// Next implements Op.
func (l *Limit) Next(c *Ctx) (*types.Batch, error) {
	for l.left > 0 {
		b, err := l.In.Next(c)
		if b == nil || err != nil {
			return nil, err
		}
		from := min(l.skip, int64(b.N))
		l.skip -= from
		n := min(int64(b.N)-from, l.left)
		l.left -= n
		if n == int64(b.N) {
			return b, nil
		}
		if n > 0 {
			return l.cut(b, int32(from), int32(n)), nil
		}
	}
	return nil, nil
}

func (l *Limit) cut(b *types.Batch, from, n int32) *types.Batch {
	l.rows = l.rows[:0]
	for i := range n {
		l.rows = append(l.rows, from+i)
	}
	l.vecs = make([]types.Vec, len(b.Cols))
	l.batch = types.Batch{N: int(n)}
	for i, v := range b.Cols {
		v.Gather(&l.vecs[i], l.rows)
		l.batch.Cols = append(l.batch.Cols, &l.vecs[i])
	}
	return &l.batch
}

// Concat is the rows of several operators, one after the other.
type Concat struct {
	Ins []Op
	Ids []int

	at int
}

// IDs implements Op.
func (u *Concat) IDs() []int { return u.Ids }

// Open implements Op.
func (u *Concat) Open(c *Ctx) error {
	u.at = 0
	for _, in := range u.Ins {
		if err := in.Open(c); err != nil {
			return err
		}
	}
	return nil
}

// Close implements Op.
func (u *Concat) Close(c *Ctx) {
	for _, in := range u.Ins {
		in.Close(c)
	}
}

// Next implements Op.
func (u *Concat) Next(c *Ctx) (*types.Batch, error) {
	for u.at < len(u.Ins) {
		b, err := u.Ins[u.at].Next(c)
		if b != nil || err != nil {
			return b, err
		}
		u.at++
	}
	return nil, nil
}

// OneRow is one row without columns.
type OneRow struct{ given bool }

// IDs implements Op.
func (o *OneRow) IDs() []int { return nil }

// Open implements Op.
func (o *OneRow) Open(*Ctx) error {
	o.given = false
	return nil
}

// Next implements Op.
func (o *OneRow) Next(*Ctx) (*types.Batch, error) {
	if o.given {
		return nil, nil
	}
	o.given = true
	return &types.Batch{N: 1}, nil
}

// Close implements Op.
func (o *OneRow) Close(*Ctx) {}
