package table

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/txn"
)

// TestDistinct: how many values a small index has is exact, for each number of its columns; for a
// large one it is of the right size.
func TestDistinct(t *testing.T) {
	e := newEnv(t, 2048, 10000)
	tab := e.create(plainDef())
	second := tab.def.Indexes[1]
	second.Parts = second.Parts[:1]
	got, err := tab.Distinct(second)
	require.NoError(t, err)
	require.Equal(t, []float64{0}, got, "an empty table")
	add := func(from, to, groups int) {
		e.do(func(tx *txn.Trx) {
			for i := from; i < to; i++ {
				require.NoError(t, tab.Insert(bg, tx, vals(i, i%groups, nil, "x")))
			}
		})
	}
	add(0, 1000, 37)
	got, err = tab.Distinct(tab.def.Indexes[0])
	require.NoError(t, err)
	require.Equal(t, []float64{1000}, got)
	got, err = tab.Distinct(second)
	require.NoError(t, err)
	require.Equal(t, []float64{37}, got)

	add(1000, 20000, 37)
	got, err = tab.Distinct(tab.def.Indexes[0])
	require.NoError(t, err)
	require.InEpsilon(t, 20000, got[0], 0.3)
	got, err = tab.Distinct(second)
	require.NoError(t, err)
	require.Greater(t, got[0], 10.0)
	require.Less(t, got[0], 200.0)
}
