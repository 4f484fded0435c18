package measure

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLossOf(t *testing.T) {
	require.Nil(t, LossOf(nil, []float64{1}))
	require.Empty(t, LossOf(nil, nil).String())

	same := LossOf([]float64{90, 180, 45}, []float64{100, 200, 50})
	require.InDelta(t, 0.1, same.Share, 1e-9)
	require.InDelta(t, 0.1, same.Low, 1e-9, "each turn lost the same, however fast the machine was in it")
	require.InDelta(t, 0.1, same.High, 1e-9)
	require.Equal(t, "10.0 % (10.0 to 10.0)", same.String())

	// A machine whose speed goes up and down by the factor of two, and 5 % of noise: of a hundred
	// intervals about ninety hold the truth.
	r := rand.New(rand.NewPCG(7, 7))
	held := 0
	for range 100 {
		var a, b []float64
		for range 100 {
			speed := 1 + r.Float64()
			a, b = append(a, 100*speed*(1+0.05*r.NormFloat64())), append(b, 92*speed*(1+0.05*r.NormFloat64()))
		}
		if l := LossOf(b, a); l.Low <= 0.08 && 0.08 <= l.High {
			held++
		}
	}
	require.Greater(t, held, 80)
	require.Less(t, held, 99)
}
