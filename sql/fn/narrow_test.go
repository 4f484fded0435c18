package fn

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/sql/types"
)

// seen is a condition that counts the rows that it is evaluated for.
type seen struct {
	Expr
	rows *int
}

func (s seen) Eval(c *Context, b *types.Batch) (*types.Vec, error) {
	*s.rows += b.N
	return s.Expr.Eval(c, b)
}

func (s seen) Parts() []Expr        { return []Expr{s.Expr} }
func (s seen) With(all []Expr) Expr { return seen{all[0], s.rows} }

// TestNarrowing evaluates chains of AND and OR for batches of rows, and for each row alone.
func TestNarrowing(t *testing.T) {
	r := rand.New(rand.NewPCG(testkit.Seed(t), 1))
	number := types.IntType(8, false)
	number.Nullable = true
	rows, operands := 0, 0
	var chainOf func(depth int) Expr
	chainOf = func(depth int) Expr {
		if depth == 0 || r.IntN(4) == 0 {
			operands++
			e, err := Compare([]string{"=", "<", ">", "<>"}[r.IntN(4)], &Column{At: r.IntN(4), T: number}, IntConst(int64(r.IntN(4))))
			require.NoError(t, err)
			return seen{e, &rows}
		}
		var parts []Expr
		for range 2 + r.IntN(3) {
			parts = append(parts, chainOf(depth-1))
		}
		if r.IntN(2) == 0 {
			return And(parts...)
		}
		return Or(parts...)
	}
	for range 300 {
		n := 1 + r.IntN(200)
		b := &types.Batch{N: n}
		for range 4 {
			v := types.NewVec(types.Int, n)
			for i := range n {
				if v.I[i] = int64(r.IntN(4)); r.IntN(5) == 0 {
					v.SetNull(i)
				}
			}
			b.Cols = append(b.Cols, v)
		}
		operands = 0
		e := chainOf(3)
		for range 2 { // its memory is used again
			rows = 0
			got, err := e.Eval(&Context{}, b)
			require.NoError(t, err)
			require.LessOrEqual(t, rows, n*operands)
			one := Clone(e)
			for i := range n {
				alone := &types.Batch{N: 1}
				for _, v := range b.Cols {
					alone.Cols = append(alone.Cols, v.One(i))
				}
				want, err := one.Eval(&Context{}, alone)
				require.NoError(t, err)
				require.Equal(t, want.IsNull(0), got.IsNull(i))
				if !want.IsNull(0) {
					require.Equal(t, want.I[0], got.I[i])
				}
			}
		}
	}
	rows = 0
	n := 1000
	v := types.NewVec(types.Int, n)
	none, err := Compare("<", &Column{T: number}, IntConst(0))
	require.NoError(t, err)
	_, err = And(none, seen{Clone(none), &rows}).Eval(&Context{}, &types.Batch{N: n, Cols: []*types.Vec{v}})
	require.NoError(t, err)
	require.Zero(t, rows, "rows that an operand has settled are looked at")
}
