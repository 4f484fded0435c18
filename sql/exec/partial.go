package exec

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Groups in two steps. Each goroutine of a Parallel makes groups of the rows that it makes, and a
// Group above puts those with equal keys together: sums are added, counts are weights. Groups come
// in the order of the part where their first row is, so keys have the values of that row, and
// groups are in the order of one goroutine. Only aggregates are made so whose result does not
// depend on the order of rows: no sums of DOUBLEs.

// TwoSteps is a Group that is made in two steps where goroutines are free for it.
type TwoSteps struct {
	One   *Group    // the whole of it
	First *Parallel // of its input
	Then  *Group    // over First

	used Op
}

// Split makes two steps of a group over a divisible operator; nil: it cannot be done. last is the
// ID given last.
func Split(g *Group, last int) (*TwoSteps, int) {
	part := &Group{In: g.In, Keys: clones(g.Keys)}
	then := &Group{Rollup: g.Rollup, Ids: g.Ids}
	column := func(t types.Type) fn.Expr {
		last++
		part.Ids = append(part.Ids, last)
		return &fn.Column{ID: last, At: len(part.Ids) - 1, T: t}
	}
	for _, k := range g.Keys {
		then.Keys = append(then.Keys, column(k.Type()))
	}
	var after []Aggregate
	for i := range g.Aggs {
		a := &g.Aggs[i]
		if !mergeable(a) {
			return nil, last
		}
		first, merged := *a, Aggregate{Kind: a.Kind, T: a.T}
		if a.Arg != nil {
			first.Arg = fn.Clone(a.Arg)
		}
		switch a.Kind {
		case fn.CountRows, fn.Count:
			merged.Weight = column(a.T)
		case fn.Avg:
			count := first
			count.Kind, first.Kind = fn.Count, fn.Sum
			part.Aggs = append(part.Aggs, count)
			merged.Weight = column(types.IntType(21, false))
			merged.Arg = column(types.Type{Kind: types.Decimal})
		case fn.Sum:
			merged.Arg = column(types.Type{Kind: types.Decimal})
		default:
			merged.Arg = column(a.Arg.Type())
		}
		part.Aggs, after = append(part.Aggs, first), append(after, merged)
	}
	then.Aggs = after
	p := &Parallel{In: g.In, Groups: part}
	then.In = p
	return &TwoSteps{One: g, First: p, Then: then}, last
}

// mergeable tells whether parts of an aggregate make the whole. MIN and MAX of texts do not: of
// equal ones the first counts.
func mergeable(a *Aggregate) bool {
	if a.Distinct && a.Kind != fn.Min && a.Kind != fn.Max {
		return false
	}
	switch a.Kind {
	case fn.CountRows, fn.Count:
		return true
	case fn.Sum, fn.Avg:
		return a.Arg.Type().Kind != types.Float
	case fn.Min, fn.Max:
		k := a.Arg.Type().Kind
		return k == types.Int || k.Temporal()
	}
	return false
}

// IDs implements Op.
func (t *TwoSteps) IDs() []int { return t.One.IDs() }

// Open implements Op.
func (t *TwoSteps) Open(c *Ctx) error {
	t.used = t.One
	divided, err := t.First.begin(c)
	if err != nil {
		return err
	}
	if divided {
		t.used = t.Then
	}
	return t.used.Open(c)
}

// Next implements Op.
func (t *TwoSteps) Next(c *Ctx) (*types.Batch, error) { return t.used.Next(c) }

// Close implements Op.
func (t *TwoSteps) Close(c *Ctx) {
	if t.used != nil {
		t.used.Close(c)
	}
	t.First.Close(c)
}

// fork is a copy of a group over another input.
func (g *Group) fork(in Op) *Group {
	out := &Group{In: in, Keys: clones(g.Keys), Aggs: append([]Aggregate(nil), g.Aggs...), Ids: g.Ids}
	for i := range out.Aggs {
		if arg := out.Aggs[i].Arg; arg != nil {
			out.Aggs[i].Arg = fn.Clone(arg)
		}
	}
	return out
}

// manyGroups is from how many groups on a worker that makes few rows into one gives its groups
// away: they would only take memory.
const manyGroups = 4096

// groups makes groups of rows until there are no parts.
func (w *worker) groups() error {
	g, c := w.group, &w.c
	if err := g.begin(c, 0); err != nil {
		return err
	}
	w.narrow.begin(g.computed()...)
	for rows := 0; ; {
		if err := c.Err(); err != nil {
			return err
		}
		b, err := w.narrow.next(func() (*types.Batch, error) { return w.op.Next(c) })
		if err != nil {
			return err
		}
		if b == nil {
			_, err := w.giveGroups()
			return err
		}
		if err := g.take(c, b); err != nil {
			return err
		}
		for len(w.firsts) < g.count() {
			w.firsts = append(w.firsts, int32(w.part))
		}
		rows += b.N
		if err := g.measure(c); err != nil {
			return err
		}
		if !g.full && (g.count() < manyGroups || 2*g.count() < rows) {
			continue
		}
		if wanted, err := w.giveGroups(); !wanted || err != nil {
			return err
		}
		if err := g.begin(c, 0); err != nil {
			return err
		}
		rows = 0
	}
}

// giveGroups puts the groups at hand into the queue, those of each part apart. false: nobody wants
// more.
func (w *worker) giveGroups() (wanted bool, err error) {
	for w.group.at < len(w.firsts) {
		at := w.group.at
		n := at + 1
		for n < len(w.firsts) && w.firsts[n] == w.firsts[at] {
			n++
		}
		b, err := w.group.give(&w.c, min(n-at, types.BatchRows))
		if err != nil {
			return false, err
		}
		if !w.put(int(w.firsts[at]), b) {
			return false, nil
		}
	}
	w.firsts = w.firsts[:0]
	return true, nil
}
