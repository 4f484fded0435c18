package compiled

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

func (r *keyRange) has(key []byte) bool {
	below := bytes.Compare(key, r.lower) < 0 || r.lowerExcl && bytes.HasPrefix(key, r.lower)
	end := r.end()
	return !below && (end == nil || bytes.Compare(key, end) < 0)
}

// Joined ranges hold the keys that any of them held, once, and come in order.
func TestJoinedRanges(t *testing.T) {
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 5000 {
		var ranges []keyRange
		for range 1 + rng.IntN(5) {
			low := byte(rng.IntN(12))
			r := keyRange{lower: []byte{low}, lowerExcl: rng.IntN(2) == 0, upper: []byte{low + 1 + byte(rng.IntN(4))}, upperIncl: rng.IntN(2) == 0}
			switch rng.IntN(6) {
			case 0:
				r.upper = nil
			case 1:
				r.lowerExcl, r.upper, r.upperIncl = false, r.lower, true
			}
			ranges = append(ranges, r)
		}
		given := slices.Clone(ranges)
		got := joined(ranges)
		for k := range byte(20) {
			key := []byte{k}
			wanted := slices.ContainsFunc(given, func(r keyRange) bool { return r.has(key) })
			n := 0
			for i := range got {
				if got[i].has(key) {
					n++
				}
			}
			require.Equal(t, wanted, n == 1, "key %d of %v: %v", k, given, got)
			require.LessOrEqual(t, n, 1, "key %d of %v: %v", k, given, got)
		}
		require.True(t, slices.IsSortedFunc(got, func(a, b keyRange) int { return bytes.Compare(a.lower, b.lower) }))
	}
}
