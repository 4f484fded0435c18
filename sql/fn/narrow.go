package fn

import (
	"slices"

	"emberdb/sql/types"
)

// narrowing is how AND and OR evaluate many rows: an operand is evaluated for those rows alone that
// the ones before it leave open, once these are few enough to be worth picking out.
type narrowing struct {
	decides bool    // the value with which one operand settles a row
	used    [][]int // by operand: the columns that it and those behind it look at; nil: not known yet

	open    []bool  // by row of the batch: no operand has settled it
	unknown []bool  // an operand was NULL
	rows    []int32 // of the batch, by row that is evaluated; nil: all
	pick    []int32
	vecs    [2][]types.Vec
	batches [2]types.Batch
}

// eval evaluates the operands of e.
func (w *narrowing) eval(c *Context, e *Call, b *types.Batch) (*types.Vec, error) {
	if w.used == nil {
		w.find(e.Args)
	}
	w.open, w.unknown, w.rows = grow(w.open, b.N), grow(w.unknown, b.N), nil
	for i := range w.open {
		w.open[i], w.unknown[i] = true, false
	}
	at := b
	for k, arg := range e.Args {
		v, err := arg.Eval(c, at)
		if err != nil {
			return nil, err
		}
		left := w.settle(v, at.N)
		if left == 0 {
			break
		}
		if k+1 < len(e.Args) && left <= at.N/2 {
			at = w.take(at, k+1)
		}
	}
	e.out.Reset(e.T.Kind, b.N)
	for i, open := range w.open {
		if e.out.I[i] = bit(w.decides != open); open && w.unknown[i] {
			e.out.SetNull(i)
		}
	}
	return &e.out, nil
}

// settle notes what an operand says of the first n rows that are evaluated, and tells how many are
// open.
func (w *narrowing) settle(v *types.Vec, n int) (left int) {
	for i := range n {
		row := i
		if w.rows != nil {
			row = int(w.rows[i])
		}
		switch {
		case !w.open[row]:
			continue
		case v.IsNull(i):
			w.unknown[row] = true
		case truth(v, i) == w.decides:
			w.open[row] = false
			continue
		}
		left++
	}
	return left
}

// take picks the open rows out of those that are evaluated, with the columns that the operands from
// k on look at.
func (w *narrowing) take(at *types.Batch, k int) *types.Batch {
	w.pick = w.pick[:0]
	var rows []int32
	for i := range at.N {
		row := int32(i)
		if w.rows != nil {
			row = w.rows[i]
		}
		if w.open[row] {
			w.pick, rows = append(w.pick, int32(i)), append(rows, row)
		}
	}
	w.rows = rows
	side := 0
	if at == &w.batches[0] {
		side = 1
	}
	to, vecs := &w.batches[side], grow(w.vecs[side], len(at.Cols))
	w.vecs[side] = vecs
	to.N, to.Cols = len(rows), grow(to.Cols, len(at.Cols))
	clear(to.Cols)
	for _, col := range w.used[k] {
		at.Cols[col].Gather(&vecs[col], w.pick)
		to.Cols[col] = &vecs[col]
	}
	return to
}

// find fills used.
func (w *narrowing) find(args []Expr) {
	w.used = make([][]int, len(args))
	var cols []int
	for k := len(args) - 1; k >= 0; k-- {
		Walk(args[k], func(e Expr) bool {
			if col, ok := e.(*Column); ok && !slices.Contains(cols, col.At) {
				cols = append(cols, col.At)
			}
			return true
		})
		w.used[k] = slices.Clone(cols)
	}
}

// grow is a slice of n values.
func grow[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
