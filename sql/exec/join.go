package exec

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// JoinKind is the kind of a join.
type JoinKind uint8

const (
	Inner JoinKind = iota
	Left           // rows of the left side without a partner have NULLs on the right
	Semi           // rows of the left side that have a partner
	Anti           // rows of the left side that have none
	NotIn          // Anti, but a NULL on either side leaves it unknown: the row does not pass
)

// HashJoin joins by equal keys. The right side is kept. The columns of Semi, Anti and NotIn are
// those of the left side.
type HashJoin struct {
	Kind       JoinKind
	L, R       Op
	LKeys      []fn.Expr
	RKeys      []fn.Expr
	Keyers     []types.Keyer
	On         []fn.Expr // asked about pairs with equal keys: over the columns of both sides
	Ids        []int
	RightTypes []types.Type // of the columns of the right side, for rows of NULLs

	table *keyTable
	rows  store
	heads []int32 // by key: the last row that has it
	next  []int32 // by row: one before it with the same key
	anyIn bool    // NotIn: the right side has rows
	null  bool    // NotIn: one of them is NULL

	probe   *types.Batch
	at      int   // row of the probe under way
	chain   int32 // its next partner; -2: not looked up
	matched []bool

	left, right []int32
	gl, gr      gatherer
	out         types.Batch
	keep        Filter
}

// IDs implements Op.
func (j *HashJoin) IDs() []int { return j.Ids }

// Open implements Op.
func (j *HashJoin) Open(c *Ctx) error {
	j.probe, j.at, j.chain = nil, 0, -2
	j.rows.reset(c)
	j.table = newKeyTable(j.RKeys, j.Keyers)
	j.table.number = j.table.number && j.LKeys[0].Type().Kind != types.Uint
	j.heads, j.next, j.anyIn, j.null = j.heads[:0], j.next[:0], false, false
	if err := j.build(c); err != nil {
		return err
	}
	return j.L.Open(c)
}

// build reads the right side.
func (j *HashJoin) build(c *Ctx) error {
	if err := j.R.Open(c); err != nil {
		return err
	}
	defer j.R.Close(c)
	before := 0
	for {
		if err := c.Err(); err != nil {
			return err
		}
		b, err := j.R.Next(c)
		if b == nil || err != nil {
			return err
		}
		if err := j.table.eval(c, j.RKeys, b); err != nil {
			return err
		}
		for i := range b.N {
			j.anyIn = true
			if j.table.nulls[i] {
				j.null = true
				continue // equals nothing
			}
			n, added, err := j.table.add(i)
			if err != nil {
				return err
			}
			if added {
				j.heads = append(j.heads, -1)
			} else if len(j.On) == 0 && j.Kind > Left {
				continue // one partner is enough
			}
			j.next = append(j.next, j.heads[n])
			j.heads[n] = int32(j.rows.n)
			if err := j.rows.add(c, b, i); err != nil {
				return err
			}
		}
		size := j.table.size() + 8*cap(j.next)
		if err := j.rows.keep(c, size-before); err != nil {
			return err
		}
		before = size
	}
}

// Next implements Op.
func (j *HashJoin) Next(c *Ctx) (*types.Batch, error) {
	for {
		if err := c.Err(); err != nil {
			return nil, err
		}
		if j.probe == nil {
			b, err := j.L.Next(c)
			if b == nil || err != nil {
				return nil, err
			}
			if err := j.table.eval(c, j.LKeys, b); err != nil {
				return nil, err
			}
			j.probe, j.at, j.chain = b, 0, -2
			j.matched = append(j.matched[:0], make([]bool, b.N)...)
		}
		out, err := j.pairs(c)
		if err != nil {
			return nil, err
		}
		if out != nil && out.N > 0 {
			return out, nil
		}
	}
}

// pairs gives the next pairs of the probe, or the rows that a semi or anti join lets pass.
func (j *HashJoin) pairs(c *Ctx) (*types.Batch, error) {
	j.left, j.right = j.left[:0], j.right[:0]
	for j.at < j.probe.N && len(j.left) < types.BatchRows {
		if j.chain == -2 {
			j.chain = -1
			if !j.table.nulls[j.at] {
				n, err := j.table.find(j.at)
				if err != nil {
					return nil, err
				}
				if n >= 0 {
					j.chain = j.heads[n]
				}
			}
		}
		if j.chain < 0 {
			j.at, j.chain = j.at+1, -2
			continue
		}
		j.left, j.right = append(j.left, int32(j.at)), append(j.right, j.chain)
		j.chain = j.next[j.chain]
		if j.Kind > Left && len(j.On) == 0 {
			j.chain = -1
		}
	}
	if err := j.check(c); err != nil {
		return nil, err
	}
	ended := j.at >= j.probe.N
	var out *types.Batch
	switch j.Kind {
	case Inner:
		out = j.both()
	case Left:
		if ended && len(j.left) > 0 {
			return j.both(), nil // those without a partner come next
		}
		if ended {
			for i, m := range j.matched {
				if !m {
					j.left, j.right = append(j.left, int32(i)), append(j.right, -1)
				}
			}
		}
		out = j.both()
	default:
		if ended {
			out = j.passed()
		}
	}
	if ended {
		j.probe = nil
	}
	return out, nil
}

// check asks the conditions about the pairs and notes which rows of the left side have a partner.
func (j *HashJoin) check(c *Ctx) error {
	for _, cond := range j.On {
		if len(j.left) > 0 {
			v, err := cond.Eval(&c.Fn, j.both())
			if err != nil {
				return err
			}
			rows := fn.Passes(nil, v, len(j.left))
			for k, r := range rows {
				j.left[k], j.right[k] = j.left[r], j.right[r]
			}
			j.left, j.right = j.left[:len(rows)], j.right[:len(rows)]
		}
	}
	if j.Kind != Inner {
		for _, l := range j.left {
			j.matched[l] = true
		}
	}
	return nil
}

// both makes the batch of the pairs.
func (j *HashJoin) both() *types.Batch {
	j.out.N, j.out.Cols = len(j.left), j.out.Cols[:0]
	if j.out.N == 0 {
		return &j.out
	}
	if len(j.gl.vecs) != len(j.probe.Cols) {
		j.gl.vecs = make([]types.Vec, len(j.probe.Cols))
	}
	for k, v := range j.probe.Cols {
		v.Gather(&j.gl.vecs[k], j.left)
		j.out.Cols = append(j.out.Cols, &j.gl.vecs[k])
	}
	if j.rows.n == 0 { // there are no kinds to go by
		for k := range j.RightTypes {
			v := types.NewVec(j.RightTypes[k].Kind, j.out.N)
			for i := range j.out.N {
				v.SetNull(i)
			}
			j.out.Cols = append(j.out.Cols, v)
		}
		return &j.out
	}
	j.out.Cols = append(j.out.Cols, j.gr.gather(&j.rows, j.right).Cols...)
	return &j.out
}

// passed makes the batch of the rows of the left side that pass.
func (j *HashJoin) passed() *types.Batch {
	rows := j.keep.rows[:0]
	for i, m := range j.matched {
		pass := m == (j.Kind == Semi)
		if j.Kind == NotIn {
			pass = !m && (!j.anyIn || !j.null && !j.table.nulls[i])
		}
		if pass {
			rows = append(rows, int32(i))
		}
	}
	j.keep.rows = rows
	if len(rows) == j.probe.N {
		return j.probe
	}
	return j.keep.gather(j.probe, 0)
}

// Close implements Op.
func (j *HashJoin) Close(c *Ctx) {
	j.L.Close(c)
	j.rows.reset(c)
	j.table, j.heads, j.next, j.probe = nil, nil, nil, nil
}
