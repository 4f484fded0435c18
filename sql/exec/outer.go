package exec

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Outer is the columns of an operator that the plan run for its rows depends on.
type Outer struct {
	Exprs []fn.Expr // the columns
	Bind  []int     // their IDs
	Cells Cells

	vecs []*types.Vec
}

// eval computes the columns of a batch.
func (o *Outer) eval(c *Ctx, b *types.Batch) error {
	o.vecs = o.vecs[:0]
	for _, e := range o.Exprs {
		v, err := e.Eval(&c.Fn, b)
		if err != nil {
			return err
		}
		o.vecs = append(o.vecs, v)
	}
	return nil
}

// set gives the plan the values of row i.
func (o *Outer) set(i int) {
	for k, id := range o.Bind {
		o.Cells[id] = o.vecs[k].One(i)
	}
}
