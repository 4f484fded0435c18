package exec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// wideText makes a text of so many characters of each row.
type wideText struct {
	fn.Expr
	length uint32
	rows   []int // of the batches that it was computed of
}

func (w *wideText) Type() types.Type { return types.StringType(w.length, 255, 0, true) }
func (w *wideText) Parts() []fn.Expr { return []fn.Expr{w.Expr} }
func (w *wideText) Eval(c *fn.Context, b *types.Batch) (*types.Vec, error) {
	w.rows = append(w.rows, b.N)
	return w.Expr.Eval(c, b)
}

// oneBatch gives one batch of one column.
type oneBatch struct{ b *types.Batch }

func (o *oneBatch) IDs() []int      { return []int{1} }
func (o *oneBatch) Open(*Ctx) error { return nil }
func (o *oneBatch) Close(*Ctx)      {}
func (o *oneBatch) Next(*Ctx) (b *types.Batch, err error) {
	b, o.b = o.b, nil
	return b, nil
}

// Long texts are computed of few rows at once, and no row is lost.
func TestLongTextsOfFewRows(t *testing.T) {
	const rows = 1000
	for _, q := range []struct {
		length uint32
		most   int
	}{{10, rows}, {100_000, 167}, {100_000_000, 1}} {
		v := types.NewVec(types.Int, rows)
		for i := range v.I {
			v.I[i] = int64(i)
		}
		in := &oneBatch{b: &types.Batch{N: rows, Cols: []*types.Vec{v}}}
		c := &Ctx{Context: context.Background(), Take: func(int64) error { return nil }}
		wide := &wideText{Expr: &fn.Column{ID: 1, T: types.IntType(11, false)}, length: q.length}
		p := &Project{In: in, Exprs: []fn.Expr{wide}, Ids: []int{2}}
		var got []int64
		require.NoError(t, Drain(c, p, func(b *types.Batch) error {
			got = append(got, b.Cols[0].I[:b.N]...)
			return nil
		}))
		require.Equal(t, v.I, got)
		for _, n := range wide.rows {
			require.LessOrEqual(t, n, q.most)
		}
	}
}
