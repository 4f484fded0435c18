package exec

import (
	"emberdb/engine/txn"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Distinct lets the first of equal rows pass. Once it may hold no more rows, those that are new go
// to parts in the scratch file, which are read after all others.
type Distinct struct {
	In   Op
	Keys []fn.Expr // all columns

	table  *keyTable
	full   bool
	keep   Filter
	narrow narrow
	staged
	account
}

// IDs implements Op.
func (d *Distinct) IDs() []int { return d.In.IDs() }

// Open implements Op.
func (d *Distinct) Open(c *Ctx) error {
	d.drop(c)
	d.table = newKeyTable(d.Keys, keyersOf(d.Keys))
	d.begin(c, 0)
	d.narrow.begin(d.Keys...)
	c.count(txn.CreatedTmpTables, 1)
	return d.In.Open(c)
}

// begin starts with an empty table.
func (d *Distinct) begin(c *Ctx, level int) {
	d.release(c)
	d.table.reset()
	d.full, d.parts = false, newParts(level, c.Limits.Table)
}

// Close implements Op.
func (d *Distinct) Close(c *Ctx) {
	d.In.Close(c)
	d.drop(c)
}

func (d *Distinct) drop(c *Ctx) {
	d.release(c)
	d.staged.drop(c)
	d.table = nil
}

// Next implements Op.
func (d *Distinct) Next(c *Ctx) (*types.Batch, error) {
	for {
		if err := c.Err(); err != nil {
			return nil, err
		}
		b, err := d.input(c)
		if b == nil || err != nil {
			return nil, err
		}
		if b, err = d.pass(c, b); b != nil || err != nil {
			return b, err
		}
	}
}

// input is the next batch of the input, or of the parts.
func (d *Distinct) input(c *Ctx) (*types.Batch, error) {
	for {
		b, err := d.narrow.next(func() (*types.Batch, error) { return nextOf(c, d.In, d.from) })
		if b != nil || err != nil {
			return b, err
		}
		level, ok := d.advance(c)
		if !ok {
			return nil, nil
		}
		d.begin(c, level)
	}
}

// pass is the rows of a batch that are the first of their kind.
func (d *Distinct) pass(c *Ctx, b *types.Batch) (*types.Batch, error) {
	before := d.table.size()
	if err := d.table.eval(c, d.Keys, b); err != nil {
		return nil, err
	}
	d.keep.rows = d.keep.rows[:0]
	for i := range b.N {
		if d.full {
			if n, err := d.table.find(i); n >= 0 || err != nil {
				if err != nil {
					return nil, err
				}
				continue
			}
			if err := d.parts.addKey(c, d.table, b, i); err != nil {
				return nil, err
			}
			continue
		}
		_, added, err := d.table.add(i)
		if err != nil {
			return nil, err
		}
		if added {
			d.keep.rows = append(d.keep.rows, int32(i))
		}
	}
	if !d.full && !d.room(c, d.table.size()-before, c.Limits.Table) {
		d.full = true
	}
	switch len(d.keep.rows) {
	case 0:
		return nil, nil
	case b.N:
		return b, nil
	}
	return d.keep.gather(b, 0), nil
}
