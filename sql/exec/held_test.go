package exec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/types"
)

// Rows that are held end with their statement, also within a batch: a wide one is many blocks.
func TestHeldEnds(t *testing.T) {
	c, _, _ := spillCtx(t, 1<<30)
	wide := types.NewVec(types.String, types.BatchRows)
	for i := range wide.S {
		wide.S[i] = make([]byte, 64<<10)
	}
	c.Context = &endsAfter{t.Context(), 3}
	var h Held
	require.Error(t, h.Add(c, &types.Batch{N: types.BatchRows, Cols: []*types.Vec{wide}}))
	require.Less(t, h.rows.n, types.BatchRows)
}
