package plan

import (
	"maps"

	"emberdb/engine/catalog"
	"emberdb/engine/table"
	"emberdb/internal/base"
	"emberdb/sql/exec"
	"emberdb/sql/types"
)

// mostKept is how many bytes of a sample are kept for later statements.
const mostKept = 512 << 10

// known is what was read of a table to plan statements. It is kept with the table, and shared by
// statements that run at once: nothing in it changes.
type known struct {
	rows    int                        // of the sample
	cols    map[int]*sampledColumn     // by column of the table: those that conditions have asked for
	fanouts map[base.IndexID][]float64 // by number of leading columns
	// distincts is about how many different values columns have that joins compare.
	distincts map[int]float64
}

type sampledColumn struct {
	vec   types.Vec
	bytes int
}

// known is what holds of a table now, empty where nothing does, and the count of changes for which
// it and more holds.
func (s *statistics) known(t *table.Table) (*known, uint64, error) {
	rows, err := s.size(t)
	if err != nil {
		return nil, 0, err
	}
	if l, fresh := t.Learned(rows); fresh {
		return l.What.(*known), l.Changes, nil
	}
	return new(known), t.Changes(), nil
}

// keep keeps what was learned, unless it is large, or much of the table was hidden from this
// transaction.
func (s *statistics) keep(t *table.Table, k *known, changes uint64) {
	size := 0
	for _, c := range k.cols {
		size += c.bytes
	}
	hidden := len(k.cols) > 0 && float64(k.rows) < min(s.rows[t], sampleRows)/2
	if size <= mostKept && !hidden {
		t.Learn(k, changes)
	}
}

// keyed is what is known of a table with the fan-outs of an index.
func (s *statistics) keyed(t *table.Table, ix *catalog.Index) (*known, error) {
	k, changes, err := s.known(t)
	if err != nil || k.fanouts[ix.ID] != nil {
		return k, err
	}
	all, err := s.fanoutsOf(t, ix)
	if err != nil {
		return nil, err
	}
	more := &known{rows: k.rows, cols: k.cols, fanouts: maps.Clone(k.fanouts), distincts: k.distincts}
	if more.fanouts == nil {
		more.fanouts = make(map[base.IndexID][]float64)
	}
	more.fanouts[ix.ID] = all
	s.keep(t, more, changes)
	return more, nil
}

// sampled is what is known of a table with a sample of some columns. All columns are of the same
// rows: one more column is a new sample.
func (s *statistics) sampled(t *table.Table, used map[int]bool) (*known, error) {
	k, changes, err := s.known(t)
	if err != nil {
		return nil, err
	}
	missing := k.cols == nil
	for c := range used {
		missing = missing || k.cols[c] == nil
	}
	if !missing {
		return k, nil
	}
	more := &known{cols: make(map[int]*sampledColumn), fanouts: k.fanouts, distincts: k.distincts}
	for c := range used {
		more.cols[c] = new(sampledColumn)
	}
	for c := range k.cols {
		more.cols[c] = new(sampledColumn)
	}
	if err := s.sample(t, more); err != nil {
		return nil, err
	}
	s.keep(t, more, changes)
	return more, nil
}

// sample reads the rows of a sample.
func (s *statistics) sample(t *table.Table, k *known) error {
	starts, err := s.starts(t)
	if err != nil {
		return err
	}
	scan := &exec.Scan{Table: t}
	for c := range k.cols {
		scan.Cols, scan.Ids = append(scan.Cols, c), append(scan.Ids, c+1)
	}
	in := &exec.Limit{In: scan, Count: int64(sampleRows / len(starts))}
	for _, scan.From = range starts {
		if err := s.read(in, scan.Cols, k); err != nil {
			return err
		}
	}
	return nil
}

func (s *statistics) read(in exec.Op, cols []int, k *known) error {
	if err := in.Open(s.ctx); err != nil {
		return err
	}
	defer in.Close(s.ctx)
	for {
		b, err := in.Next(s.ctx)
		if b == nil || err != nil {
			return err
		}
		for i, c := range cols {
			k.cols[c].add(b.Cols[i], b.N, k.rows)
		}
		k.rows += b.N
	}
}

// add copies the values of a batch behind the first n.
func (c *sampledColumn) add(v *types.Vec, rows, n int) {
	if n == 0 {
		c.vec.Reset(v.Kind, 0)
		c.vec.Scale = v.Scale
	}
	for i := range rows {
		c.vec.AppendFrom(v, i)
		c.bytes += v.Size(i) + 1
		if v.Kind == types.String && !v.IsNull(i) {
			at := &c.vec.S[n+i]
			*at = append([]byte(nil), *at...)
		}
	}
}
