package exec

import (
	"emberdb/engine/txn"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// SetOp is INTERSECT or EXCEPT: the rows of the left side that the right side has as well, or has
// not. Without All a row comes once; with All it comes as often as both sides have it, or as the
// left side has it more often.
//
// Once it may hold no more, rows of both sides whose key is new go to parts in the scratch file,
// and are compared part by part.
type SetOp struct {
	L, R   Op
	Keys   []fn.Expr // all columns
	Except bool
	All    bool
	Ids    []int

	table *keyTable
	left  []int64 // by key: how often it may still be met; below zero: it was given
	built bool
	full  bool
	parts [2]*parts  // of the right side and of the left one
	from  [2]*cursor // nil: R and L
	jobs  []setJob
	keep  Filter
	account
}

// setJob is a part of both sides. The right one may have no rows.
type setJob struct {
	rows  [2]*spool
	level int
}

const (
	onRight = iota
	onLeft
)

// IDs implements Op.
func (s *SetOp) IDs() []int { return s.Ids }

// Open implements Op.
func (s *SetOp) Open(c *Ctx) error {
	s.drop(c)
	c.count(txn.CreatedTmpTables, 1)
	s.table = newKeyTable(s.Keys, keyersOf(s.Keys))
	s.begin(c, 0)
	if err := s.R.Open(c); err != nil {
		return err
	}
	return s.L.Open(c)
}

func (s *SetOp) begin(c *Ctx, level int) {
	s.release(c)
	s.table.reset()
	s.left, s.built, s.full = nil, false, false
	for side := range s.parts {
		s.parts[side] = newParts(level, c.Limits.Table)
	}
}

// Close implements Op.
func (s *SetOp) Close(c *Ctx) {
	s.L.Close(c)
	s.R.Close(c)
	s.drop(c)
}

func (s *SetOp) drop(c *Ctx) {
	s.release(c)
	for side := range s.parts {
		s.parts[side].drop(c)
	}
	for len(s.jobs) > 0 {
		s.end(c)
	}
	s.table, s.left, s.parts, s.from = nil, nil, [2]*parts{}, [2]*cursor{}
}

// end drops the last job.
func (s *SetOp) end(c *Ctx) {
	last := len(s.jobs) - 1
	for _, rows := range s.jobs[last].rows {
		rows.drop(c)
	}
	s.jobs = s.jobs[:last]
}

// each looks the rows of a batch up and calls f for those whose key is in the table.
func (s *SetOp) each(c *Ctx, side int, b *types.Batch, f func(i, n int)) error {
	before := s.table.size()
	if err := s.table.eval(c, s.Keys, b); err != nil {
		return err
	}
	for i := range b.N {
		n, err := s.number(i)
		if err != nil {
			return err
		}
		if n >= 0 {
			f(i, n)
		} else if err := s.parts[side].addKey(c, s.table, b, i); err != nil {
			return err
		}
	}
	if !s.full && !s.room(c, s.table.size()-before+8*b.N, c.Limits.Table) {
		s.full = true
	}
	return nil
}

// number is the number of a row's key; -1: it is not in the table, which is full.
func (s *SetOp) number(i int) (int, error) {
	if s.full {
		return s.table.find(i)
	}
	n, added, err := s.table.add(i)
	if added {
		s.left = append(s.left, 0)
	}
	return n, err
}

// Next implements Op.
func (s *SetOp) Next(c *Ctx) (*types.Batch, error) {
	for {
		if err := c.Err(); err != nil {
			return nil, err
		}
		if !s.built {
			b, err := nextOf(c, s.R, s.from[onRight])
			if err != nil {
				return nil, err
			}
			if s.built = b == nil; b != nil {
				if err := s.each(c, onRight, b, func(_, n int) { s.left[n]++ }); err != nil {
					return nil, err
				}
			}
			continue
		}
		b, err := nextOf(c, s.L, s.from[onLeft])
		if err != nil {
			return nil, err
		}
		if b == nil {
			if !s.next(c) {
				return nil, nil
			}
			continue
		}
		s.keep.rows = s.keep.rows[:0]
		err = s.each(c, onLeft, b, func(i, n int) {
			if s.passes(n) {
				s.keep.rows = append(s.keep.rows, int32(i))
			}
		})
		if err != nil {
			return nil, err
		}
		switch len(s.keep.rows) {
		case 0:
		case b.N:
			return b, nil
		default:
			return s.keep.gather(b, 0), nil
		}
	}
}

// next begins with the next part.
func (s *SetOp) next(c *Ctx) bool {
	if s.from[onLeft] != nil && len(s.jobs) > 0 {
		s.end(c)
	}
	for n := range fanout {
		j := setJob{level: s.parts[onLeft].level + 1}
		for side := range s.parts {
			if j.rows[side] = s.parts[side].take(n); j.rows[side] == nil {
				j.rows[side] = &spool{done: true}
			}
		}
		if j.rows[onLeft].n > 0 {
			s.jobs = append(s.jobs, j)
		} else {
			j.rows[onRight].drop(c)
		}
	}
	if len(s.jobs) == 0 {
		s.from[onLeft] = &cursor{of: &spool{}}
		return false
	}
	j := s.jobs[len(s.jobs)-1]
	s.from = [2]*cursor{{of: j.rows[onRight]}, {of: j.rows[onLeft]}}
	s.begin(c, j.level)
	return true
}

// passes tells whether a row of the left side with key n comes out.
func (s *SetOp) passes(n int) bool {
	have := s.left[n]
	if !s.All {
		if s.left[n] = -1; s.Except {
			return have == 0
		}
		return have > 0
	}
	if have > 0 {
		s.left[n]--
	}
	return (have > 0) != s.Except
}
