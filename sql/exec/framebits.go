package exec

import (
	mathbits "math/bits"

	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// slidingBits is BIT_AND, BIT_OR or BIT_XOR over a frame: how many of its values have each bit.
type slidingBits struct {
	kind fn.AggregateKind
	ones [64]int64
	n    int64
}

func (s *slidingBits) reset()        { s.ones, s.n = [64]int64{}, 0 }
func (s *slidingBits) removes() bool { return true }

func (s *slidingBits) count(v uint64, by int64) {
	s.n += by
	for ; v != 0; v &= v - 1 {
		s.ones[mathbits.TrailingZeros64(v)] += by
	}
}

func (s *slidingBits) add(v *types.Vec, at, _ int) error {
	s.count(uint64(v.I[at]), 1)
	return nil
}

func (s *slidingBits) remove(v *types.Vec, at, _ int) error {
	s.count(uint64(v.I[at]), -1)
	return nil
}

func (s *slidingBits) put(_ *Ctx, out *types.Vec, k int) error {
	var all uint64
	for i, ones := range s.ones {
		set := ones > 0
		switch s.kind {
		case fn.BitAnd:
			set = ones == s.n
		case fn.BitXor:
			set = ones%2 != 0
		}
		if set {
			all |= 1 << i
		}
	}
	out.I[k] = int64(all)
	return nil
}

// slidingVariance is VAR_POP and its kind over a frame. A value cannot be taken out again without
// losing digits.
type slidingVariance struct{ spread variance }

func (s *slidingVariance) reset() {
	s.spread.grow(1)
	s.spread.mean[0], s.spread.sums[0], s.spread.n[0] = 0, 0, 0
}

func (s *slidingVariance) removes() bool { return false }

func (s *slidingVariance) add(v *types.Vec, at, _ int) error {
	if len(s.spread.n) == 0 {
		s.reset()
	}
	s.spread.one(0, fn.FloatAt(v, at))
	return nil
}

func (s *slidingVariance) remove(*types.Vec, int, int) error { return nil }

func (s *slidingVariance) put(_ *Ctx, out *types.Vec, k int) error {
	if len(s.spread.n) == 0 {
		s.reset()
	}
	return s.spread.put(0, out, k)
}
