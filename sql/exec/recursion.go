package exec

import (
	"strconv"

	"emberdb/engine/txn"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// WorkTable is the rows that the last round of a recursion has added.
type WorkTable struct {
	rows     *spool
	from, to int
}

// WorkScan reads a WorkTable.
type WorkScan struct {
	Table *WorkTable
	Ids   []int

	at   int
	rows cursor
	keep Filter
}

// IDs implements Op.
func (s *WorkScan) IDs() []int { return s.Ids }

// Open implements Op.
func (s *WorkScan) Open(*Ctx) error {
	s.at, s.rows = s.Table.from, cursor{of: s.Table.rows}
	return nil
}

// Close implements Op.
func (s *WorkScan) Close(*Ctx) {}

// Next implements Op. The rows are copied, because the table grows meanwhile.
func (s *WorkScan) Next(c *Ctx) (*types.Batch, error) {
	if s.at >= s.Table.to {
		return nil, nil
	}
	b, from, err := s.rows.at(c, s.at)
	if err != nil {
		return nil, err
	}
	n := min(b.N-from, s.Table.to-s.at)
	s.keep.rows = s.keep.rows[:0]
	for i := range n {
		s.keep.rows = append(s.keep.rows, int32(from+i))
	}
	s.at += n
	return s.keep.gather(b, 0), nil
}

// Recursion is the rows of Start, and what the steps make of them, of what they have made, and so
// on until a round adds nothing. All rows are there before the first is given.
type Recursion struct {
	Table *WorkTable
	Start Op
	Steps []Op
	All   bool
	Keys  []fn.Expr // all columns
	Ids   []int

	rows  spool
	table *keyTable // of rows, unless All
	done  bool
	given cursor
	account
}

// IDs implements Op.
func (r *Recursion) IDs() []int { return r.Ids }

// Open implements Op.
func (r *Recursion) Open(c *Ctx) error {
	r.drop(c)
	r.table, r.rows.most = newKeyTable(r.Keys, keyersOf(r.Keys)), c.Limits.Table
	c.count(txn.CreatedTmpTables, 1)
	return nil
}

// Close implements Op.
func (r *Recursion) Close(c *Ctx) { r.drop(c) }

func (r *Recursion) drop(c *Ctx) {
	r.rows.drop(c)
	r.release(c)
	r.table, r.done, r.given = nil, false, cursor{}
}

// Next implements Op.
func (r *Recursion) Next(c *Ctx) (*types.Batch, error) {
	if !r.done {
		if err := r.run(c); err != nil {
			return nil, err
		}
		r.done, r.rows.done, r.given = true, true, cursor{of: &r.rows}
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	return r.given.next(c)
}

func (r *Recursion) run(c *Ctx) error {
	if err := r.take(c, r.Start); err != nil {
		return err
	}
	from := 0
	for round := 0; from < r.rows.n; round++ {
		if round >= c.Rounds {
			return &fn.Fault{Code: 3636, Text: "Recursive query aborted after " + strconv.Itoa(c.Rounds+1) + " iterations. Try increasing @@cte_max_recursion_depth to a larger value."}
		}
		*r.Table = WorkTable{&r.rows, from, r.rows.n}
		from = r.rows.n
		for _, s := range r.Steps {
			if err := r.take(c, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// take adds the rows of an operator.
func (r *Recursion) take(c *Ctx, op Op) error {
	return Drain(c, op, func(b *types.Batch) error { return r.takeBatch(c, b) })
}

func (r *Recursion) takeBatch(c *Ctx, b *types.Batch) error {
	before := r.table.size()
	if !r.All {
		if err := r.table.eval(c, r.Keys, b); err != nil {
			return err
		}
	}
	for i := range b.N {
		if !r.All {
			if _, added, err := r.table.add(i); err != nil || !added {
				if err != nil {
					return err
				}
				continue
			}
		}
		if err := r.rows.add(c, b, i, blockBytes(c.Limits.Table)); err != nil {
			return err
		}
	}
	return r.keep(c, r.table.size()-before)
}
