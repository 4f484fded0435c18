package plan

import (
	"emberdb/engine/catalog"
	"emberdb/engine/table"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

const (
	sampleRows   = 1024 // of a table, for what conditions let pass
	samplePlaces = 16   // of a large table, where these rows are read
	smallTable   = 2000 // rows; no sample is worth it where all tables are such
)

// statistics are what is known of the tables of one statement.
type statistics struct {
	ctx     *exec.Ctx
	large   bool // a table that has been asked about is
	rows    map[*table.Table]float64
	fanouts map[*catalog.Index][]float64
	pass    [types.BatchRows]int // sample: how many conditions hold for each row of a batch
	passes  []int32
	piece   gatherer
}

func newStatistics(c *exec.Ctx) *statistics {
	return &statistics{ctx: c, rows: make(map[*table.Table]float64), fanouts: make(map[*catalog.Index][]float64)}
}

// size is about how many rows a table has.
func (s *statistics) size(t *table.Table) (float64, error) {
	if n, ok := s.rows[t]; ok {
		return n, nil
	}
	n, err := t.Estimate(nil, nil, nil)
	n = max(n, 1)
	s.rows[t], s.large = n, s.large || n > smallTable
	return n, err
}

// fanout is about how many rows share the values of the first n columns of an index.
func (s *statistics) fanout(t *table.Table, ix *catalog.Index, n int) (float64, error) {
	if ix.Unique && n == len(ix.Parts) {
		return 1, nil
	}
	all, ok := s.fanouts[ix]
	if !ok {
		k, err := s.keyed(t, ix)
		if err != nil {
			return 0, err
		}
		all = k.fanouts[ix.ID]
		s.fanouts[ix] = all
	}
	return all[n-1], nil
}

// fanoutsOf reckons from the numbers of different keys how many rows share the leading columns of
// an index.
func (s *statistics) fanoutsOf(t *table.Table, ix *catalog.Index) ([]float64, error) {
	total, err := s.size(t)
	if err != nil {
		return nil, err
	}
	out, err := t.Distinct(ix)
	for i, n := range out {
		out[i] = max(total/max(n, 1), 1)
	}
	return out, err
}

// passing is the part of a table's rows that conditions let pass, as far as a sample tells, and how
// many rows of it did. The conditions are over cols.
func (s *statistics) passing(t *table.Table, cols []int, conds []fn.Expr) (share float64, passed int, err error) {
	b, used := types.Batch{Cols: make([]*types.Vec, len(cols))}, make(map[int]bool)
	for _, cond := range conds {
		fn.Walk(cond, func(e fn.Expr) bool {
			if c, ok := e.(*fn.Column); ok {
				used[cols[c.At]] = true
			}
			return true
		})
	}
	k, err := s.sampled(t, used)
	if err != nil {
		return 0, 0, err
	}
	b.N = k.rows
	for i, c := range cols {
		if used[c] {
			b.Cols[i] = &k.cols[c].vec
		}
	}
	passed, err = s.count(&b, conds)
	return (float64(passed) + 0.3) / (float64(b.N) + 1), passed, err
}

// starts are the keys from which on rows of a sample are read, spread over the table.
func (s *statistics) starts(t *table.Table) ([][]byte, error) {
	n, err := s.size(t)
	if err != nil || n < 4*sampleRows {
		return [][]byte{nil}, err
	}
	keys, err := t.Separators(samplePlaces)
	if err != nil {
		return nil, err
	}
	out := [][]byte{nil}
	for i := 1; i < samplePlaces && len(keys) >= samplePlaces; i++ {
		out = append(out, keys[i*len(keys)/samplePlaces])
	}
	return out, nil
}

// count counts the rows of a batch for which all conditions hold.
func (s *statistics) count(b *types.Batch, conds []fn.Expr) (passed int, err error) {
	if b.N == 0 {
		return 0, nil
	}
	pass := s.pass[:b.N]
	clear(pass)
	for _, cond := range conds {
		for from, step := 0, pieceRows(cond); from < b.N; from += step {
			if err := s.ctx.Err(); err != nil {
				return passed, err
			}
			if err := s.countPiece(b, from, min(from+step, b.N), cond); err != nil {
				return passed, err
			}
		}
	}
	for _, n := range pass {
		if n == len(conds) {
			passed++
		}
	}
	return passed, nil
}

// countPiece counts a condition that holds for rows of a batch.
func (s *statistics) countPiece(b *types.Batch, from, to int, cond fn.Expr) error {
	if to-from < b.N {
		b = s.piece.gather(b, from, to)
	}
	v, err := cond.Eval(&s.ctx.Fn, b)
	if err != nil {
		return err
	}
	s.passes = fn.Passes(s.passes[:0], v, b.N)
	for _, i := range s.passes {
		s.pass[from+int(i)]++
	}
	return nil
}

// pieceBytes is about how much of a text that conditions compute is held at once.
const pieceBytes = 4 << 20

// pieceRows is for how many rows a condition is computed at once: fewer where it computes long
// texts, each of which there is once for every row.
func pieceRows(cond fn.Expr) int {
	longest := 1
	fn.Walk(cond, func(e fn.Expr) bool {
		if c, computes := e.(*fn.Call); computes && c.T.Kind == types.String {
			longest = max(longest, int(c.T.Length))
		}
		return true
	})
	return min(max(pieceBytes/longest, 1), types.BatchRows)
}

// gatherer makes batches of some rows of another one.
type gatherer struct {
	rows  []int32
	vecs  []types.Vec
	batch types.Batch
}

// gather makes a batch of the rows from .. to.
func (g *gatherer) gather(b *types.Batch, from, to int) *types.Batch {
	g.rows = g.rows[:0]
	for i := from; i < to; i++ {
		g.rows = append(g.rows, int32(i))
	}
	if len(g.vecs) < len(b.Cols) {
		g.vecs = make([]types.Vec, len(b.Cols))
	}
	g.batch.N, g.batch.Cols = to-from, g.batch.Cols[:0]
	for k, v := range b.Cols {
		if v == nil {
			g.batch.Cols = append(g.batch.Cols, nil)
			continue
		}
		v.Gather(&g.vecs[k], g.rows)
		g.batch.Cols = append(g.batch.Cols, &g.vecs[k])
	}
	return &g.batch
}
