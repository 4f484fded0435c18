package exec

import (
	"errors"
	"io"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Access says which rows of a table are read: those of an index whose leading columns equal Equal
// and whose next one lies between Low and High. What it lets through is filtered above: a bound
// that has no key leaves the range open.
type Access struct {
	Index      *catalog.Index // nil: the clustered one
	Equal      []fn.Expr
	Low, High  fn.Expr
	LowExcl    bool
	HighExcl   bool
	Descending bool
}

// Scan reads a table.
type Scan struct {
	Table  *table.Table
	Cols   []int // of the table, in the order of IDs
	Ids    []int
	Access Access

	scan   table.Scan
	done   bool
	opened bool
	want   int
	load   []loader
	vecs   []types.Vec
	batch  types.Batch
	arena  []byte
	lower  []byte
	upper  []byte
}

// IDs implements Op.
func (s *Scan) IDs() []int { return s.Ids }

// Open implements Op.
func (s *Scan) Open(c *Ctx) error {
	o := table.ScanOptions{Index: s.Access.Index, Columns: s.Cols, Reverse: s.Access.Descending}
	none, err := s.bounds(c, &o)
	if err != nil {
		return err
	}
	if s.Cols == nil {
		o.Columns = []int{}
	}
	if o.Index != nil && o.Index.Clustered {
		o.Index = nil
	}
	s.scan.Restart(s.Table, c.Tx, o)
	s.done, s.want, s.opened = none, 64, true
	s.prepare(c)
	return nil
}

func (s *Scan) prepare(c *Ctx) {
	if s.load != nil {
		return
	}
	s.load, s.vecs = make([]loader, len(s.Cols)), make([]types.Vec, len(s.Cols))
	s.batch.Cols = make([]*types.Vec, len(s.Cols))
	for i, at := range s.Cols {
		col := s.Table.Def().Columns[at].Column
		s.batch.Cols[i] = &s.vecs[i]
		s.load[i] = newLoader(at, col, c.Local, &s.vecs[i])
	}
}

// bounds makes the keys of the range; none tells that no row can be in it.
func (s *Scan) bounds(c *Ctx, o *table.ScanOptions) (none bool, err error) {
	a := &s.Access
	if a.Index == nil {
		return false, nil
	}
	key := s.lower[:0]
	def := s.Table.Def()
	n := 0
	for ; n < len(a.Equal); n++ {
		p := a.Index.Parts[n]
		var state keyState
		if key, state, err = appendKey(c, key, &def.Columns[p.Column].Column, p, a.Equal[n]); err != nil {
			return false, err
		}
		if state == keyNone {
			return true, nil
		}
		if state == keyOpen {
			break
		}
	}
	s.lower = key
	s.upper = append(s.upper[:0], key...)
	if len(key) > 0 {
		o.Lower, o.Upper, o.UpperIncl = s.lower, s.upper, true
	}
	if n < len(a.Equal) || n >= len(a.Index.Parts) {
		return false, nil
	}
	return false, s.edges(c, o, n)
}

// edges adds the bounds of the column behind the equal ones.
func (s *Scan) edges(c *Ctx, o *table.ScanOptions, n int) error {
	a, p := &s.Access, s.Access.Index.Parts[n]
	col := &s.Table.Def().Columns[p.Column].Column
	low, high := a.Low, a.High
	lowExcl, highExcl := a.LowExcl, a.HighExcl
	if p.Desc {
		low, high, lowExcl, highExcl = high, low, highExcl, lowExcl
	}
	if low != nil {
		key, state, err := appendKey(c, s.lower, col, p, low)
		if err != nil {
			return err
		}
		if state == keyExact {
			s.lower, o.Lower, o.LowerExcl = key, key, lowExcl && p.Prefix == 0
		}
	} else if high != nil && !p.Desc { // NULL is in no range
		s.lower = row.AppendKeyPart(s.lower, nullable(col), p, row.NullValue)
		o.Lower, o.LowerExcl = s.lower, true
	}
	if high != nil {
		key, state, err := appendKey(c, s.upper, col, p, high)
		if err != nil {
			return err
		}
		if state == keyExact {
			s.upper, o.Upper, o.UpperIncl = key, key, !highExcl || p.Prefix > 0
		}
	}
	return nil
}

func nullable(c *row.Column) row.Column {
	out := *c
	out.Nullable = true
	return out
}

// Next implements Op.
func (s *Scan) Next(c *Ctx) (*types.Batch, error) {
	if s.done {
		return nil, nil
	}
	n := s.want
	s.want = min(s.want*4, types.BatchRows)
	for i := range s.load {
		s.load[i].reset(n)
	}
	s.arena = s.arena[:0]
	rows := 0
	for rows < n {
		vals, err := s.scan.Next(c)
		if errors.Is(err, io.EOF) {
			s.done = true
			break
		}
		if err != nil {
			return nil, err
		}
		for i := range s.load {
			l := &s.load[i]
			if s.arena, err = l.load(&vals[l.at], rows, s.arena); err != nil {
				return nil, err
			}
		}
		rows++
	}
	if rows == 0 {
		return nil, nil
	}
	s.batch.N = rows
	return &s.batch, nil
}

// Close implements Op.
func (s *Scan) Close(*Ctx) {
	if s.opened {
		s.scan.Close()
	}
	s.done, s.opened = true, false
}

// Estimate is about how many rows the range has, as far as its bounds are known before the plan
// runs.
func (s *Scan) Estimate(c *Ctx) (float64, error) {
	o := table.ScanOptions{Index: s.Access.Index}
	none, err := s.bounds(c, &o)
	if none || err != nil {
		return 0, err
	}
	if o.UpperIncl && o.Upper != nil {
		o.Upper = row.PrefixEnd(o.Upper)
	}
	return s.Table.Estimate(o.Index, o.Lower, o.Upper)
}
