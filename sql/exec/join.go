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
//
// Once the right side may hold no more, its other rows go to parts in the scratch file by the
// hashes of their keys, and with them the rows of the left side that may have partners there. The
// parts are joined in the same way afterwards. A row of the left side whose partners lie in both
// places has its pairs here and goes to a part as well: for more of them (Inner, Left), or as long
// as it has none (the others).
type HashJoin struct {
	Kind       JoinKind
	L, R       Op
	LKeys      []fn.Expr
	RKeys      []fn.Expr
	Keyers     []types.Keyer
	On         []fn.Expr // asked about pairs with equal keys: over the columns of both sides
	Ids        []int
	RightTypes []types.Type // of the columns of the right side, for rows of NULLs
	LeftFirst  bool         // the left side is read before the right one; not of NotIn

	table *keyTable
	rows  store
	heads []int32 // by key: the last row that has it
	next  []int32 // by row: one before it with the same key
	anyIn bool    // NotIn: the right side has rows
	null  bool    // NotIn: one of them is NULL

	full  bool
	split []bool    // by key: rows of it lie in parts as well
	parts [3]*parts // by the side of a job
	job   *joinJob  // what is joined; nil: L and R
	jobs  []*joinJob
	kind  JoinKind // of the rows that are probed now
	from  *cursor  // they; nil: L

	first     spool      // LeftFirst: the left side
	narrowing *narrowing // of the scan that reads the keys of the side that is read last

	probe   *types.Batch
	at      int   // row of the probe under way
	chain   int32 // its next partner; -2: not looked up
	matched []bool
	later   []bool // rows that a part decides about
	pace    pace
	wide    [2]narrow // what keys are computed of, by rightRows and leftRows
	paced   bool      // the pairs at hand were looked at
	kept    int       // bytes of the texts of a row of the right side
	alone   int       // Left: rows of the probe before it were given

	left, right []int32
	gl, gr      gatherer
	out         types.Batch
	keep        Filter
}

// joinJob is a part of the two sides. Rows of the left one that have had pairs stand apart: they
// are joined as by Inner.
type joinJob struct {
	rows  [3]*spool
	level int
}

const (
	rightRows = iota
	leftRows
	pairedRows
)

// IDs implements Op.
func (j *HashJoin) IDs() []int { return j.Ids }

// Open implements Op.
func (j *HashJoin) Open(c *Ctx) error {
	j.drop(c)
	j.table = newKeyTable(j.RKeys, j.Keyers)
	j.table.number = j.table.number && j.LKeys[0].Type().Kind != types.Uint
	j.anyIn, j.null = false, false
	j.pace.bound = mostRows(j.On)
	j.begin(c, 0)
	if j.LeftFirst {
		if err := j.readLeft(c); err != nil {
			return err
		}
		j.from = &cursor{of: &j.first}
	}
	defer j.R.Close(c)
	if err := j.R.Open(c); err != nil {
		return err
	}
	err := j.build(c, nil)
	j.R.Close(c)
	if err != nil {
		return err
	}
	if j.LeftFirst {
		return nil
	}
	j.narrows(c)
	return j.L.Open(c)
}

// begin starts with an empty table.
func (j *HashJoin) begin(c *Ctx, level int) {
	j.rows.reset(c)
	j.table.reset()
	j.heads, j.next, j.split, j.full = nil, nil, nil, false
	j.probe, j.at, j.chain, j.kind, j.from = nil, 0, -2, j.Kind, nil
	for side := range j.parts {
		j.parts[side] = newParts(level, c.Limits.Join)
	}
	j.wide[rightRows].begin(j.RKeys...)
	j.wide[leftRows].begin(j.LKeys...)
}

// build reads the right side.
func (j *HashJoin) build(c *Ctx, from *cursor) error {
	before := 0
	for {
		if err := c.Err(); err != nil {
			return err
		}
		b, err := j.wide[rightRows].next(func() (*types.Batch, error) { return nextOf(c, j.R, from) })
		if b == nil && err == nil {
			j.kept = rowBytes(j.rows.batch())
		}
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
			if err := j.put(c, b, i); err != nil {
				return err
			}
		}
		size := j.table.size() + 8*cap(j.next)
		if !j.full && !j.rows.room(c, size-before, c.Limits.Join) {
			j.full = true
		}
		before = size
	}
}

// put keeps a row of the right side.
func (j *HashJoin) put(c *Ctx, b *types.Batch, i int) error {
	one := j.kind > Left && len(j.On) == 0 // partner is enough
	if j.rows.n > 0 && (j.full || !j.rows.room(c, sizeOf(b, i), c.Limits.Join)) {
		j.full = true
		n, err := j.table.find(i)
		if err != nil || n >= 0 && one {
			return err
		}
		if n >= 0 {
			j.split = grown(j.split, j.table.n)
			j.split[n] = true
		}
		return j.parts[rightRows].addKey(c, j.table, b, i)
	}
	n, added, err := j.table.add(i)
	if err != nil {
		return err
	}
	if added {
		j.heads = append(j.heads, -1)
	} else if one {
		return nil
	}
	j.next = append(j.next, j.heads[n])
	j.heads[n] = int32(j.rows.n)
	j.rows.add(b, i)
	return nil
}

// Next implements Op.
func (j *HashJoin) Next(c *Ctx) (*types.Batch, error) {
	for {
		if err := c.Err(); err != nil {
			return nil, err
		}
		if j.probe == nil {
			b, err := j.input(c)
			if b == nil || err != nil {
				return nil, err
			}
			if err := j.table.eval(c, j.LKeys, b); err != nil {
				return nil, err
			}
			j.probe, j.at, j.chain, j.alone = b, 0, -2, 0
			j.pace.expect(rowBytes(b) + j.kept)
			j.matched = append(j.matched[:0], make([]bool, b.N)...)
			j.later = append(j.later[:0], make([]bool, b.N)...)
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

// input is the next batch of the left side, or of the left sides of parts.
func (j *HashJoin) input(c *Ctx) (*types.Batch, error) {
	for {
		b, err := j.wide[leftRows].next(func() (*types.Batch, error) { return nextOf(c, j.L, j.from) })
		if b != nil || err != nil {
			return b, err
		}
		if j.job != nil && j.kind == Left && j.from.of == j.job.rows[leftRows] {
			j.kind, j.from = Inner, &cursor{of: j.job.rows[pairedRows]}
			continue
		}
		if j.job != nil {
			j.job.drop(c)
			j.job = nil
		}
		j.divide(c)
		last := len(j.jobs) - 1
		if last < 0 {
			j.from = &cursor{of: &spool{}}
			return nil, nil
		}
		j.job, j.jobs = j.jobs[last], j.jobs[:last]
		j.begin(c, j.job.level)
		j.from = &cursor{of: j.job.rows[leftRows]}
		if err := j.build(c, &cursor{of: j.job.rows[rightRows]}); err != nil {
			return nil, err
		}
	}
}

// divide makes jobs of the parts.
func (j *HashJoin) divide(c *Ctx) {
	for n := range fanout {
		job := &joinJob{level: j.parts[rightRows].level + 1}
		for side := range j.parts {
			if job.rows[side] = j.parts[side].take(n); job.rows[side] == nil {
				job.rows[side] = &spool{done: true}
			}
		}
		if job.rows[leftRows].n+job.rows[pairedRows].n > 0 {
			j.jobs = append(j.jobs, job)
		} else {
			job.drop(c)
		}
	}
}

func (job *joinJob) drop(c *Ctx) {
	for _, rows := range job.rows {
		rows.drop(c)
	}
}

// pairs gives the next pairs of the probe, or the rows that a semi or anti join lets pass.
func (j *HashJoin) pairs(c *Ctx) (*types.Batch, error) {
	j.left, j.right, j.paced = j.left[:0], j.right[:0], false
	bare := 0 // rows that may be given without a partner
	if j.chain != -2 {
		bare = 1
	}
	for j.at < j.probe.N && len(j.left)+bare < j.pace.rows() {
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
				j.later[j.at] = j.full && (n < 0 || n < len(j.split) && j.split[n])
			}
			if j.chain < 0 && j.kind == Left {
				bare++
			}
		}
		if j.chain < 0 {
			j.at, j.chain = j.at+1, -2
			continue
		}
		j.left, j.right = append(j.left, int32(j.at)), append(j.right, j.chain)
		j.chain = j.next[j.chain]
		if j.kind > Left && len(j.On) == 0 {
			j.chain = -1
		}
	}
	if err := j.check(c); err != nil {
		return nil, err
	}
	if j.at < j.probe.N && j.kind > Left {
		return nil, nil
	}
	if j.kind == Left && !j.full {
		j.addAlone()
	}
	if j.at < j.probe.N || j.full && j.kind == Left && len(j.left) > 0 {
		return j.both(), nil // of those without a partner the parts decide
	}
	if j.full {
		if err := j.postpone(c); err != nil {
			return nil, err
		}
		if j.kind == Left {
			j.addAlone()
		}
	}
	var out *types.Batch
	if j.kind > Left {
		out = j.passed()
	} else {
		out = j.both()
	}
	j.probe = nil
	return out, nil
}

// addAlone adds the rows without a partner to the pairs, each at its place.
func (j *HashJoin) addAlone() {
	j.left, j.right = withAlone(j.left, j.right, j.alone, j.at, func(i int) bool { return !j.matched[i] && !j.later[i] })
	j.alone = j.at
}

// withAlone adds rows, of those between from and to, to pairs: with a partner below zero. The pairs
// are in the order of their left rows.
func withAlone(left, right []int32, from, to int, alone func(i int) bool) (l, r []int32) {
	l, r = make([]int32, 0, types.BatchRows), make([]int32, 0, types.BatchRows)
	k := 0
	for i := from; i < to; i++ {
		if alone(i) {
			l, r = append(l, int32(i)), append(r, -1)
		}
		for ; k < len(left) && left[k] == int32(i); k++ {
			l, r = append(l, left[k]), append(r, right[k])
		}
	}
	return append(l, left[k:]...), append(r, right[k:]...)
}

// postpone puts rows of the probe about which parts decide there, and leaves them alone here.
func (j *HashJoin) postpone(c *Ctx) error {
	for i := range j.later {
		if !j.later[i] {
			continue
		}
		if j.kind > Left && j.matched[i] {
			j.later[i] = false // it is decided
			continue
		}
		h, err := j.table.hash(i)
		if err != nil {
			return err
		}
		if right := j.parts[rightRows]; right.spools[right.part(h)] == nil {
			j.later[i] = false
			continue
		}
		side := leftRows
		if j.kind == Inner && j.Kind == Left || j.kind == Left && j.matched[i] {
			side = pairedRows
		}
		if err := j.parts[side].add(c, h, j.probe, i); err != nil {
			return err
		}
	}
	return nil
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
	if j.kind != Inner {
		for _, l := range j.left {
			j.matched[l] = true
		}
	}
	return nil
}

// both makes the batch of the pairs.
func (j *HashJoin) both() *types.Batch {
	defer j.look()
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

// look measures the first batch that is made of pairs: conditions only make it smaller.
func (j *HashJoin) look() {
	if !j.paced {
		j.pace.after(&j.out)
	}
	j.paced = true
}

// passed makes the batch of the rows of the left side that pass.
func (j *HashJoin) passed() *types.Batch {
	rows := j.keep.rows[:0]
	for i, m := range j.matched {
		pass := m == (j.kind == Semi)
		if j.kind == NotIn {
			pass = !m && (!j.anyIn || !j.null && !j.table.nulls[i])
		}
		if pass && !j.later[i] {
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
	j.drop(c)
}

func (j *HashJoin) drop(c *Ctx) {
	j.rows.reset(c)
	j.first.drop(c)
	for _, p := range j.parts {
		p.drop(c)
	}
	for _, job := range j.jobs {
		job.drop(c)
	}
	if j.job != nil {
		j.job.drop(c)
	}
	j.table, j.heads, j.next, j.split, j.probe = nil, nil, nil, nil, nil
	j.parts, j.job, j.jobs, j.from = [3]*parts{}, nil, nil, nil
	if j.narrowing != nil {
		j.narrowing.keys = nil
	}
}
