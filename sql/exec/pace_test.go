package exec

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// texts gives one column: n rows of a text.
type texts struct {
	n    int
	text []byte
	done bool
}

func (t *texts) IDs() []int      { return []int{1} }
func (t *texts) Open(*Ctx) error { t.done = false; return nil }
func (t *texts) Close(*Ctx)      {}
func (t *texts) Next(*Ctx) (*types.Batch, error) {
	if t.done {
		return nil, nil
	}
	t.done = true
	v := types.NewVec(types.String, t.n)
	for i := range t.n {
		v.S[i] = t.text
	}
	return &types.Batch{N: t.n, Cols: []*types.Vec{v}}, nil
}

// A join repeats the texts of its sides: its batches get fewer rows where these are long, and lose
// none.
func TestJoinsOfLongTextsGiveFewRows(t *testing.T) {
	typ := types.StringType(10, types.Binary, types.Implicit, false)
	for _, size := range []int{10, 1 << 20, 2 * batchBytes} {
		c, _, _ := spillCtx(t, 1<<30)
		left, right := &texts{n: 300, text: bytes.Repeat([]byte("x"), size)}, &texts{n: 7, text: []byte("y")}
		j := &HashJoin{Kind: Inner, L: left, R: right, Ids: []int{1, 2}, RightTypes: []types.Type{typ}, On: []fn.Expr{fn.IntConst(1)},
			LKeys: []fn.Expr{fn.IntConst(1)}, RKeys: []fn.Expr{fn.IntConst(1)}, Keyers: []types.Keyer{{}}}
		require.NoError(t, j.Open(c))
		rows, most, first := 0, 0, true
		for {
			b, err := j.Next(c)
			require.NoError(t, err)
			if b == nil {
				break
			}
			if rows += b.N; !first {
				most = max(most, b.N)
			}
			first = false
		}
		j.Close(c)
		require.Equal(t, 300*7, rows, "texts of %d bytes", size)
		require.LessOrEqual(t, most, max(batchBytes/size, leastRows), "texts of %d bytes", size)
	}
}
