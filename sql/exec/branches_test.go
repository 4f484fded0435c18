package exec

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestJoinedSpans joins random ranges of keys of one byte: every key of one of them is in one
// joined range, and no other key is.
func TestJoinedSpans(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		in := func(n *span, k byte) bool {
			return bytes.Compare(n.lo, []byte{k}) <= 0 && (n.hi == nil || bytes.Compare([]byte{k}, n.hi) < 0)
		}
		var all []span
		var want, got [256]int
		for range r.IntN(8) {
			var n span
			n.LowerExcl, n.UpperIncl = r.IntN(2) == 0, r.IntN(2) == 0
			if r.IntN(6) > 0 {
				n.Lower = []byte{byte(r.IntN(256))}
			}
			if r.IntN(6) > 0 {
				n.Upper = []byte{byte(r.IntN(256))}
			}
			if !n.measure() {
				continue
			}
			for k := range 256 {
				if in(&n, byte(k)) {
					want[k] = 1
				}
			}
			all = append(all, n)
		}
		for _, n := range joined(slices.Clone(all)) {
			again := span{ScanOptions: n.ScanOptions}
			again.measure()
			for k := range 256 {
				if in(&again, byte(k)) {
					got[k]++
				}
			}
		}
		if got != want {
			t.Fatalf("seed %d: of %v came ranges with keys %v", seed, all, got)
		}
	}
}
