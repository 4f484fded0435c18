package exec

import (
	"emberdb/sql/types"
)

// Given is a source of rows that whoever runs the plan has set.
type Given struct {
	Ids []int

	batch types.Batch
	done  bool
}

// IDs implements Op.
func (g *Given) IDs() []int { return g.Ids }

// Open implements Op.
func (g *Given) Open(*Ctx) error {
	g.done = g.batch.N == 0
	return nil
}

// Next implements Op.
func (g *Given) Next(*Ctx) (*types.Batch, error) {
	if g.done {
		return nil, nil
	}
	g.done = true
	return &g.batch, nil
}

// Close implements Op.
func (g *Given) Close(*Ctx) {}

// values finds the values of a batch: those of all combinations that are not known yet with one run
// of the plan. The columns of Given are those that the plan depends on and the number of a
// combination.
func (a *Apply) values(c *Ctx, b *types.Batch) error {
	var rows []int32 // the first one of each combination
	var keys []string
	numbers := make(map[string]int)
	number := make([]int, b.N) // by row; -1: the value is known
	for i := range b.N {
		if err := a.keyOf(i); err != nil {
			return err
		}
		v, known := a.memo[string(a.key)]
		if known {
			a.found[i], number[i] = v, -1
			continue
		}
		n, ok := numbers[string(a.key)]
		if !ok {
			n = len(rows)
			keys, rows = append(keys, string(a.key)), append(rows, int32(i))
			numbers[keys[n]] = n
		}
		number[i] = n
	}
	if len(rows) == 0 {
		return nil
	}
	vals, err := a.together(c, rows)
	if err != nil {
		return err
	}
	for i, n := range number {
		if n >= 0 {
			a.found[i] = vals[n]
		}
	}
	for n, key := range keys {
		a.remember(c, key, vals[n])
	}
	return nil
}

// together runs the plan for these rows of the batch.
func (a *Apply) together(c *Ctx, rows []int32) ([]*types.Vec, error) {
	g := a.Given
	g.batch.N, g.batch.Cols = len(rows), g.batch.Cols[:0]
	for _, v := range a.vecs {
		var of types.Vec
		v.Gather(&of, rows)
		g.batch.Cols = append(g.batch.Cols, &of)
	}
	count := types.NewVec(types.Int, len(rows))
	for i := range rows {
		count.I[i] = int64(i)
	}
	g.batch.Cols = append(g.batch.Cols, count)
	out := make([]*types.Vec, len(rows))
	err := Drain(c, a.Inner, func(b *types.Batch) error {
		for i := range b.N {
			out[b.Cols[0].I[i]] = owned(b.Cols[1], i)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var empty *types.Vec
	for i := range out {
		if out[i] != nil {
			continue
		}
		if empty == nil {
			err := Drain(c, a.Empty, func(b *types.Batch) error {
				empty = owned(b.Cols[0], 0)
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		out[i] = empty
	}
	return out, nil
}
