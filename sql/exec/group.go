package exec

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Group makes one row of each group of rows: the values of the keys, which are those of its first
// row, and those of the aggregates. Without keys there is one group, also of no rows.
//
// With Rollup there are also groups of the first keys alone, down to one of all rows. The other
// keys are NULL in them, and a column behind the keys is the number of keys that a group has.
type Group struct {
	In     Op
	Keys   []fn.Expr
	Aggs   []Aggregate
	Rollup bool
	Ids    []int

	table  *keyTable
	first  store // values of the keys
	sums   []accumulator
	groups []int32
	done   bool
	at     int
	rows   []int32
	g      gatherer
	vecs   []types.Vec
	batch  types.Batch
	account
}

// IDs implements Op.
func (g *Group) IDs() []int { return g.Ids }

// Open implements Op.
func (g *Group) Open(c *Ctx) error {
	g.table, g.done, g.at, g.sums = newKeyTable(g.Keys, keyersOf(g.Keys)), false, 0, nil
	if g.Rollup {
		g.table.number, g.table.keyers = false, append(g.table.keyers, types.Keyer{})
	}
	g.first.reset(c)
	for i := range g.Aggs {
		a, err := newAccumulator(&g.Aggs[i])
		if err != nil {
			return err
		}
		g.sums = append(g.sums, a)
	}
	return g.In.Open(c)
}

// Close implements Op.
func (g *Group) Close(c *Ctx) {
	g.In.Close(c)
	g.first.reset(c)
	g.release(c)
	g.table, g.sums = nil, nil
}

// Next implements Op.
func (g *Group) Next(c *Ctx) (*types.Batch, error) {
	if !g.done {
		if err := g.read(c); err != nil {
			return nil, err
		}
		g.done = true
	}
	all := g.table.n
	if len(g.Keys) == 0 {
		all = 1
	}
	n := min(all-g.at, types.BatchRows)
	if n <= 0 {
		return nil, nil
	}
	g.rows = g.rows[:0]
	for i := range n {
		g.rows = append(g.rows, int32(g.at+i))
	}
	g.batch.N, g.batch.Cols = n, g.batch.Cols[:0]
	if len(g.Keys) > 0 {
		g.batch.Cols = append(g.batch.Cols, g.g.gather(&g.first, g.rows).Cols...)
	}
	if g.vecs == nil {
		g.vecs = make([]types.Vec, len(g.sums))
	}
	for i, a := range g.sums {
		if err := a.result(c, g.at, n, &g.vecs[i]); err != nil {
			return nil, err
		}
		g.batch.Cols = append(g.batch.Cols, &g.vecs[i])
	}
	g.at += n
	return &g.batch, nil
}

// read takes all rows in.
func (g *Group) read(c *Ctx) error {
	if len(g.Keys) == 0 {
		for _, a := range g.sums {
			a.grow(1)
		}
	}
	before := 0
	for {
		if err := c.Err(); err != nil {
			return err
		}
		b, err := g.In.Next(c)
		if err != nil {
			return err
		}
		if b == nil {
			return g.total(c)
		}
		if err := g.table.eval(c, g.Keys, b); err != nil {
			return err
		}
		if g.Rollup {
			keys := g.table.vecs
			for level := len(keys); level >= 0 && err == nil; level-- {
				g.table.vecs = rolled(keys, level, b.N)
				err = g.sum(c, b)
			}
		} else {
			err = g.sum(c, b)
		}
		if err != nil {
			return err
		}
		size := g.table.size()
		for _, a := range g.sums {
			size += a.size()
		}
		if err := g.keep(c, size-before); err != nil {
			return err
		}
		before = size
	}
}

// rolled are keys of which the first level are kept, and their number.
func rolled(keys []*types.Vec, level, n int) []*types.Vec {
	out := append([]*types.Vec(nil), keys[:level]...)
	for _, v := range keys[level:] {
		null := types.NewVec(v.Kind, n)
		null.Scale = v.Scale
		for i := range n {
			null.SetNull(i)
		}
		out = append(out, null)
	}
	number := types.NewVec(types.Int, n)
	for i := range number.I {
		number.I[i] = int64(level)
	}
	return append(out, number)
}

// total adds the group of all rows of a ROLLUP where there are no rows.
func (g *Group) total(c *Ctx) error {
	if !g.Rollup || g.table.n > 0 {
		return nil
	}
	var keys []*types.Vec
	for _, e := range g.Keys {
		t := e.Type()
		v := types.NewVec(t.Kind, 1)
		v.Scale = int(t.Scale)
		keys = append(keys, v)
	}
	g.table.vecs = rolled(keys, 0, 1)
	return g.assign(c, 1)
}

// sum adds the rows of a batch to their groups.
func (g *Group) sum(c *Ctx, b *types.Batch) error {
	if err := g.assign(c, b.N); err != nil {
		return err
	}
	for i, a := range g.sums {
		var v *types.Vec
		var err error
		if arg := g.Aggs[i].Arg; arg != nil {
			if v, err = arg.Eval(&c.Fn, b); err != nil {
				return err
			}
		}
		if ordered, ok := a.(*concat); ok {
			if err := ordered.sortBy(c, b); err != nil {
				return err
			}
		}
		if err := a.add(g.groups, v, b.N); err != nil {
			return err
		}
	}
	return nil
}

// assign finds the group of each row of a batch of n, whose keys are in the table.
func (g *Group) assign(c *Ctx, n int) error {
	g.groups = g.groups[:0]
	if len(g.Keys) == 0 {
		g.groups = append(g.groups, make([]int32, n)...)
		return nil
	}
	keys := types.Batch{N: n, Cols: g.table.vecs}
	for i := range n {
		n, added, err := g.table.add(i)
		if err != nil {
			return err
		}
		if added {
			if err := g.first.add(c, &keys, i); err != nil {
				return err
			}
		}
		g.groups = append(g.groups, int32(n))
	}
	for _, a := range g.sums {
		a.grow(g.table.n)
	}
	return nil
}
