package exec

import (
	"slices"

	"emberdb/engine/txn"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Group makes one row of each group of rows: the values of the keys, which are those of its first
// row, and those of the aggregates. Without keys there is one group, also of no rows.
//
// With Rollup there are also groups of the first keys alone, down to one of all rows. The other
// keys are NULL in them, and a column behind the keys is the number of keys that a group has.
//
// Once Group may hold no more, rows of groups that it has not met go to parts in the scratch file.
// The groups of a part are made when those before are given.
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
	keys   int  // bytes of first
	before int  // size that is accounted
	full   bool // no groups are added
	done   bool
	at     int
	rolled types.Batch // rows with their rolled keys behind them
	rows   []int32
	g      gatherer
	vecs   []types.Vec
	batch  types.Batch
	keep   Filter
	narrow narrow
	staged
	account
	built account // what results take
}

// IDs implements Op.
func (g *Group) IDs() []int { return g.Ids }

// Open implements Op.
func (g *Group) Open(c *Ctx) error {
	g.drop(c)
	if len(g.Keys) > 0 {
		c.count(txn.CreatedTmpTables, 1)
	}
	if err := g.begin(c, 0); err != nil {
		return err
	}
	g.narrow.begin(g.computed()...)
	return g.In.Open(c)
}

// computed are the expressions that are computed of the rows.
func (g *Group) computed() []fn.Expr {
	out := slices.Clone(g.Keys)
	for i := range g.Aggs {
		a := &g.Aggs[i]
		for _, e := range append(slices.Clone(a.Order), a.Arg, a.Weight) {
			if e != nil {
				out = append(out, e)
			}
		}
	}
	return out
}

// begin starts without groups.
func (g *Group) begin(c *Ctx, level int) error {
	g.end(c)
	if g.table == nil {
		g.table = newKeyTable(g.Keys, keyersOf(g.Keys))
		if g.Rollup {
			g.table.number, g.table.keyers = false, append(g.table.keyers, types.Keyer{})
		}
	} else {
		g.table.reset()
	}
	g.keys, g.before, g.full, g.done, g.at, g.parts = 0, 0, false, false, 0, newParts(level, c.Limits.Table)
	for i := range g.Aggs {
		a, err := newAccumulator(&g.Aggs[i])
		if err != nil {
			return err
		}
		if len(g.Keys) == 0 {
			a.grow(1)
		}
		g.sums = append(g.sums, a)
	}
	return nil
}

// end gives up the groups.
func (g *Group) end(c *Ctx) {
	for _, a := range g.sums {
		if d, ok := a.(*distinct); ok {
			d.drop(c)
		}
	}
	g.sums = nil
	g.first.reset(c)
	g.release(c)
	g.built.release(c)
}

// Close implements Op.
func (g *Group) Close(c *Ctx) {
	g.In.Close(c)
	g.drop(c)
}

func (g *Group) drop(c *Ctx) {
	g.end(c)
	g.staged.drop(c)
	g.table = nil
}

// Next implements Op.
func (g *Group) Next(c *Ctx) (*types.Batch, error) {
	for {
		if !g.done {
			if err := g.read(c); err != nil {
				return nil, err
			}
			g.done = true
		}
		if b, err := g.give(c, types.BatchRows); b != nil || err != nil {
			return b, err
		}
		level, ok := g.advance(c)
		if !ok {
			return nil, nil
		}
		if err := g.begin(c, level); err != nil {
			return nil, err
		}
	}
}

// count is how many groups there are.
func (g *Group) count() int {
	if len(g.Keys) == 0 {
		return 1
	}
	return g.table.n
}

// builder is an accumulator whose results take memory of their own.
type builder interface {
	builds(from, n int) (bytes int)
}

// build accounts what long results of the next groups are to take.
func (g *Group) build(c *Ctx, a accumulator, groups int) error {
	b, ok := a.(builder)
	if !ok {
		return nil
	}
	bytes := b.builds(g.at, groups)
	if bytes <= spare {
		return nil
	}
	return g.built.keep(c, bytes)
}

// give is the next rows of groups, at most so many.
func (g *Group) give(c *Ctx, most int) (*types.Batch, error) {
	n := min(g.count()-g.at, most)
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
	g.built.release(c)
	for i, a := range g.sums {
		if err := g.build(c, a, n); err != nil {
			return nil, err
		}
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
	for {
		if err := c.Err(); err != nil {
			return err
		}
		b, err := g.narrow.next(func() (*types.Batch, error) { return nextOf(c, g.In, g.from) })
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if err := g.take(c, b); err != nil {
			return err
		}
		if err := g.measure(c); err != nil {
			return err
		}
	}
	if err := g.total(c); err != nil {
		return err
	}
	for _, a := range g.sums {
		if d, ok := a.(*distinct); ok {
			if err := d.finish(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// take adds the rows of a batch. Those of parts of a ROLLUP have their keys behind their columns.
func (g *Group) take(c *Ctx, b *types.Batch) error {
	if g.Rollup && g.from != nil {
		width := len(b.Cols) - len(g.Keys) - 1
		if err := g.table.eval(c, nil, b); err != nil {
			return err
		}
		g.table.take(b.Cols[width:])
		return g.sum(c, &types.Batch{N: b.N, Cols: b.Cols[:width]}, b)
	}
	if err := g.table.eval(c, g.Keys, b); err != nil {
		return err
	}
	if !g.Rollup {
		return g.sum(c, b, b)
	}
	keys := append([]*types.Vec(nil), g.table.vecs...)
	for level := len(keys); level >= 0; level-- {
		g.table.take(rolled(keys, level, b.N))
		g.rolled.N, g.rolled.Cols = b.N, append(append(g.rolled.Cols[:0], b.Cols...), g.table.vecs...)
		if err := g.sum(c, b, &g.rolled); err != nil {
			return err
		}
	}
	return nil
}

// spare is what groups may grow by that have no room, before that is accounted.
const spare = 1 << 20

// measure accounts what the groups take, and tells when it is as much as it may be. From then on
// new groups go elsewhere; those that are there stay, and what they grow by is the statement's.
func (g *Group) measure(c *Ctx) error {
	size := g.table.size() + g.keys
	for _, a := range g.sums {
		size += a.size()
	}
	if g.full {
		if size-g.before <= spare {
			return nil
		}
		grown := size - g.before
		g.before = size
		return g.account.keep(c, grown)
	}
	if size > g.before && !g.room(c, size-g.before, c.Limits.Table) {
		g.full = true
		for _, a := range g.sums {
			if d, ok := a.(*distinct); ok {
				d.fill(c, 0)
			}
		}
	}
	g.before = size
	return nil
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
	if !g.Rollup || g.from != nil || g.table.n > 0 {
		return nil
	}
	var keys []*types.Vec
	for _, e := range g.Keys {
		t := e.Type()
		v := types.NewVec(t.Kind, 1)
		v.Scale = int(t.Scale)
		keys = append(keys, v)
	}
	g.table.take(rolled(keys, 0, 1))
	return g.assign(c, 1)
}

// sum adds the rows of a batch to their groups. Those whose groups cannot be added are kept.
func (g *Group) sum(c *Ctx, b, kept *types.Batch) error {
	if err := g.assign(c, b.N); err != nil {
		return err
	}
	if g.full {
		var err error
		if b, err = g.divide(c, b, kept); err != nil {
			return err
		}
		if b.N == 0 {
			return nil
		}
	}
	for i, a := range g.sums {
		var v *types.Vec
		var err error
		if weight := g.Aggs[i].Weight; weight != nil {
			if v, err = weight.Eval(&c.Fn, b); err != nil {
				return err
			}
			a.(weighted).weigh(v.I)
		}
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
		if err := a.add(c, g.groups, v, b.N); err != nil {
			return err
		}
	}
	return nil
}

// divide puts rows without a group into parts, and gives the others.
func (g *Group) divide(c *Ctx, b, kept *types.Batch) (*types.Batch, error) {
	g.keep.rows = g.keep.rows[:0]
	for i, n := range g.groups {
		if n >= 0 {
			g.groups[len(g.keep.rows)] = n
			g.keep.rows = append(g.keep.rows, int32(i))
			continue
		}
		if err := g.parts.addKey(c, g.table, kept, i); err != nil {
			return nil, err
		}
	}
	if len(g.keep.rows) == b.N {
		return b, nil
	}
	return g.keep.gather(b, 0), nil
}

// assign finds the group of each row of a batch of n, whose keys are in the table; -1: it has none.
func (g *Group) assign(c *Ctx, n int) error {
	g.groups = g.groups[:0]
	if len(g.Keys) == 0 {
		g.groups = append(g.groups, make([]int32, n)...)
		return nil
	}
	keys := types.Batch{N: n, Cols: g.table.vecs}
	for i := range n {
		if g.full {
			n, err := g.table.find(i)
			if err != nil {
				return err
			}
			g.groups = append(g.groups, int32(n))
			continue
		}
		n, added, err := g.table.add(i)
		if err != nil {
			return err
		}
		if added {
			g.keys += sizeOf(&keys, i)
			g.first.add(&keys, i)
		}
		g.groups = append(g.groups, int32(n))
	}
	for _, a := range g.sums {
		a.grow(g.table.n)
	}
	return nil
}
