package exec

import "emberdb/sql/types"

// KeptRows is an operator that gives rows that were added to it before it is opened, and gives them
// once.
type KeptRows struct {
	Ids  []int
	rows Held
}

// Add keeps the rows of a batch.
func (k *KeptRows) Add(c *Ctx, b *types.Batch) error { return k.rows.Add(c, b) }

// IDs implements Op.
func (k *KeptRows) IDs() []int { return k.Ids }

// Open implements Op.
func (k *KeptRows) Open(*Ctx) error { return nil }

// Next implements Op.
func (k *KeptRows) Next(c *Ctx) (*types.Batch, error) { return k.rows.Next(c) }

// Close implements Op.
func (k *KeptRows) Close(c *Ctx) { k.rows.Close(c) }
