package exec

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Distinct lets the first of equal rows pass.
type Distinct struct {
	In   Op
	Keys []fn.Expr // all columns

	table *keyTable
	keep  Filter
	account
}

// IDs implements Op.
func (d *Distinct) IDs() []int { return d.In.IDs() }

// Open implements Op.
func (d *Distinct) Open(c *Ctx) error {
	d.table = newKeyTable(d.Keys, keyersOf(d.Keys))
	return d.In.Open(c)
}

// Close implements Op.
func (d *Distinct) Close(c *Ctx) {
	d.In.Close(c)
	d.release(c)
	d.table = nil
}

// Next implements Op.
func (d *Distinct) Next(c *Ctx) (*types.Batch, error) {
	for {
		if err := c.Err(); err != nil {
			return nil, err
		}
		b, err := d.In.Next(c)
		if b == nil || err != nil {
			return nil, err
		}
		before := d.table.size()
		if err := d.table.eval(c, d.Keys, b); err != nil {
			return nil, err
		}
		d.keep.rows = d.keep.rows[:0]
		for i := range b.N {
			_, added, err := d.table.add(i)
			if err != nil {
				return nil, err
			}
			if added {
				d.keep.rows = append(d.keep.rows, int32(i))
			}
		}
		if err := d.account.keep(c, d.table.size()-before); err != nil {
			return nil, err
		}
		switch len(d.keep.rows) {
		case 0:
		case b.N:
			return b, nil
		default:
			return d.keep.gather(b, 0), nil
		}
	}
}
