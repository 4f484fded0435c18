package exec

import "emberdb/sql/types"

// Held is rows that are kept until it is known that they may be given: in the scratch file if they
// are many.
type Held struct {
	rows  spool
	given cursor
}

// Add keeps the rows of a batch.
func (h *Held) Add(c *Ctx, b *types.Batch) error {
	h.rows.most = c.Limits.Table
	for i := range b.N {
		if err := h.rows.add(c, b, i, blockBytes(c.Limits.Table)); err != nil {
			return err
		}
	}
	return nil
}

// Next gives the next rows. None are added any more.
func (h *Held) Next(c *Ctx) (*types.Batch, error) {
	h.rows.done, h.given.of = true, &h.rows
	return h.given.next(c)
}

// Close gives up the rows.
func (h *Held) Close(c *Ctx) { h.rows.drop(c) }
