package exec

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// SetOp is INTERSECT or EXCEPT: the rows of the left side that the right side has as well, or has
// not. Without All a row comes once; with All it comes as often as both sides have it, or as the
// left side has it more often.
type SetOp struct {
	L, R   Op
	Keys   []fn.Expr // all columns
	Except bool
	All    bool
	Ids    []int

	table *keyTable
	left  []int64 // by key: how often it may still be met; below zero: it was given
	built bool
	keep  Filter
	account
}

// IDs implements Op.
func (s *SetOp) IDs() []int { return s.Ids }

// Open implements Op.
func (s *SetOp) Open(c *Ctx) error {
	s.table, s.left, s.built = newKeyTable(s.Keys, keyersOf(s.Keys)), nil, false
	if err := s.R.Open(c); err != nil {
		return err
	}
	return s.L.Open(c)
}

// Close implements Op.
func (s *SetOp) Close(c *Ctx) {
	s.L.Close(c)
	s.R.Close(c)
	s.release(c)
	s.table, s.left = nil, nil
}

// each adds the keys of a batch to the table and calls f for each row.
func (s *SetOp) each(c *Ctx, b *types.Batch, f func(i, n int)) error {
	before := s.table.size()
	if err := s.table.eval(c, s.Keys, b); err != nil {
		return err
	}
	for i := range b.N {
		n, added, err := s.table.add(i)
		if err != nil {
			return err
		}
		if added {
			s.left = append(s.left, 0)
		}
		f(i, n)
	}
	return s.account.keep(c, s.table.size()-before+8*b.N)
}

// Next implements Op.
func (s *SetOp) Next(c *Ctx) (*types.Batch, error) {
	for !s.built {
		if err := c.Err(); err != nil {
			return nil, err
		}
		b, err := s.R.Next(c)
		if err != nil {
			return nil, err
		}
		if b == nil {
			s.built = true
			break
		}
		if err := s.each(c, b, func(_, n int) { s.left[n]++ }); err != nil {
			return nil, err
		}
	}
	for {
		if err := c.Err(); err != nil {
			return nil, err
		}
		b, err := s.L.Next(c)
		if b == nil || err != nil {
			return nil, err
		}
		s.keep.rows = s.keep.rows[:0]
		err = s.each(c, b, func(i, n int) {
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
