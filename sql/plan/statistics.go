package plan

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

const (
	sampleRows   = 1024 // of a table, for what conditions let pass
	samplePlaces = 16   // of a large table, where these rows are read
	fanoutRows   = 400  // of an index, for how many rows share a key
	fewKeys      = 4    // so few different keys in that sample say little
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
		var err error
		if all, err = s.sampleKeys(t, ix); err != nil {
			return 0, err
		}
		s.fanouts[ix] = all
	}
	return all[n-1], nil
}

// sampleKeys counts how often the leading columns of the first entries of an index change.
func (s *statistics) sampleKeys(t *table.Table, ix *catalog.Index) ([]float64, error) {
	def := t.Def()
	o := table.ScanOptions{Index: ix}
	if ix.Clustered {
		o.Index = nil
	}
	for _, p := range ix.Parts {
		o.Columns = append(o.Columns, p.Column)
	}
	scan := t.NewScan(s.ctx.Tx, o)
	defer scan.Close()
	changes := make([]float64, len(ix.Parts))
	last := make([][]byte, len(ix.Parts))
	var first [][]byte // the leading keys of the first entry
	rows := 0.0
	for rows < fanoutRows {
		vals, err := scan.Next(s.ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		rows++
		changed := false
		for i, p := range ix.Parts {
			c := def.Columns[p.Column].Column
			c.Nullable = true
			key := row.AppendKeyPart(nil, c, p, vals[p.Column])
			changed = changed || !bytes.Equal(key, last[i])
			last[i] = key
			if changed {
				changes[i]++
			}
			if rows == 1 {
				first = append(first, append(slices.Clone(slices.Concat(first[max(i-1, 0):i]...)), key...))
			}
		}
	}
	out := make([]float64, len(changes))
	for i, n := range changes {
		out[i] = max(rows, 1) / max(n, 1)
		if n > 0 && n <= fewKeys && rows == fanoutRows { // the sample does not reach far
			all, err := t.Estimate(ix, first[i], row.PrefixEnd(first[i]))
			if err != nil {
				return nil, err
			}
			out[i] = max(out[i], all)
		}
	}
	return out, nil
}

// passing is the part of a table's rows that conditions let pass, as far as a sample tells.
func (s *statistics) passing(t *table.Table, cols, ids []int, conds []fn.Expr) (float64, error) {
	starts, err := s.starts(t)
	if err != nil {
		return 0, err
	}
	seen, passed := 0, 0
	scan := &exec.Scan{Table: t, Cols: cols, Ids: ids}
	in := &exec.Limit{In: scan, Count: int64(sampleRows / len(starts))}
	for _, scan.From = range starts {
		n, ok, err := s.sample(in, conds)
		if err != nil {
			return 0, err
		}
		seen, passed = seen+n, passed+ok
	}
	return (float64(passed) + 0.3) / (float64(seen) + 1), nil
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

// sample reads rows and tells how many there are, and for how many of them all conditions hold.
func (s *statistics) sample(in exec.Op, conds []fn.Expr) (seen, passed int, err error) {
	if err := in.Open(s.ctx); err != nil {
		return 0, 0, err
	}
	defer in.Close(s.ctx)
	for {
		b, err := in.Next(s.ctx)
		if b == nil || err != nil {
			return seen, passed, err
		}
		seen += b.N
		pass := s.pass[:b.N]
		clear(pass)
		for _, cond := range conds {
			v, err := cond.Eval(&s.ctx.Fn, b)
			if err != nil {
				return seen, passed, err
			}
			s.passes = fn.Passes(s.passes[:0], v, b.N)
			for _, i := range s.passes {
				pass[i]++
			}
		}
		for _, n := range pass {
			if n == len(conds) {
				passed++
			}
		}
	}
}
