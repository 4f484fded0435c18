package plan

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// seen is a condition that holds for even numbers. It notes of how many rows it was asked at once.
type seen struct {
	fn.Call
	most int
	ask  func()
}

func (s *seen) Eval(_ *fn.Context, b *types.Batch) (*types.Vec, error) {
	if s.ask != nil {
		s.ask()
	}
	s.most = max(s.most, b.N)
	out := new(types.Vec)
	out.Reset(types.Int, b.N)
	for i := range b.N {
		out.I[i] = 1 - b.Cols[1].I[i]%2
	}
	return out, nil
}

func sample(n int) *types.Batch {
	v := new(types.Vec)
	v.Reset(types.Int, n)
	for i := range n {
		v.I[i] = int64(i)
	}
	return &types.Batch{N: n, Cols: []*types.Vec{nil, v}}
}

func counting(length uint32) *seen {
	text := &fn.Call{T: types.Type{Kind: types.String, Length: length}}
	return &seen{Call: fn.Call{Args: []fn.Expr{text}, T: types.Type{Kind: types.Int}}}
}

// TestPieces counts rows for conditions that compute texts of several lengths.
func TestPieces(t *testing.T) {
	for length, rows := range map[uint32]int{10: 1000, 64 << 10: 64, 3 << 20: 1, 1 << 28: 1} {
		s := newStatistics(&exec.Ctx{Context: context.Background()})
		cond := counting(length)
		passed, err := s.count(sample(1000), []fn.Expr{cond})
		require.NoError(t, err)
		require.Equal(t, 500, passed)
		require.Equal(t, rows, cond.most, length)
	}
}

// TestPiecesEnd counts rows for a statement that ends meanwhile.
func TestPiecesEnd(t *testing.T) {
	ctx, end := context.WithCancel(context.Background())
	s := newStatistics(&exec.Ctx{Context: ctx})
	cond, asked := counting(1<<20), 0
	cond.ask = func() {
		if asked++; asked == 3 {
			end()
		}
	}
	_, err := s.count(sample(1000), []fn.Expr{cond})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 3, asked)
}
