package hotset

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// randomSet makes the set of a server that has so many leaves of each index, every hot one with the
// chance p.
func randomSet(rng *rand.Rand, p float64) *Set {
	s := &Set{}
	for i := range 3 {
		if rng.IntN(6) == 0 {
			continue
		}
		var leaves []Leaf
		before := false
		for n := range firsts {
			hot := rng.Float64() < p
			if hot {
				if before {
					leaves[len(leaves)-1].Next = true
				}
				leaves = append(leaves, Leaf{First: firsts[n], Last: lasts[n], Quarter: uint8(n / 500)})
			}
			before = hot
		}
		s.Add(Index{"shop", fmt.Sprint("t", i), "PRIMARY"}, leaves)
	}
	return s
}

// covered are the leaves that a set names.
func covered(s *Set) (out []string) {
	for _, x := range s.Indexes() {
		n := 0
		for _, r := range s.Of(x) {
			for ; bytes.Compare(lasts[n], r.First) < 0; n++ {
			}
			for ; n < len(firsts) && bytes.Compare(firsts[n], r.Last) <= 0; n++ {
				out = append(out, x.Table+string(firsts[n]))
			}
		}
	}
	return out
}

// firsts and lasts are the keys of the leaves of an index.
var firsts, lasts = func() (f, l [][]byte) {
	for n := range 2000 {
		f, l = append(f, fmt.Appendf(nil, "key%05d", n)), append(l, fmt.Appendf(nil, "key%05d+", n))
	}
	return f, l
}()

func apply(t *testing.T, s *Set, parts [][]byte) {
	t.Helper()
	for i, p := range parts {
		last, err := s.Apply(p)
		require.NoError(t, err)
		require.Equal(t, i == len(parts)-1, last)
	}
}

// requireSound checks the order of the ranges and the count of their memory.
func requireSound(t *testing.T, s *Set) {
	t.Helper()
	size := 0
	for _, rs := range s.of {
		require.NotEmpty(t, rs)
		require.True(t, slices.IsSortedFunc(rs, func(a, b Range) int { return bytes.Compare(a.First, b.First) }))
		for _, r := range rs {
			size += r.size()
		}
	}
	require.Equal(t, size, s.bytes)
}

// A replica that applies every delta knows what its source knows, also when deltas are limited and
// a whole one comes in between. What it has handed out does not change.
func TestReplicaFollows(t *testing.T) {
	rng := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	for range 5 {
		source, replica := randomSet(rng, 0.1), &Set{}
		apply(t, replica, Delta(nil, source, 0, 0))
		require.Equal(t, covered(source), covered(replica))
		for turn := range 5 {
			next := randomSet(rng, []float64{0.02, 0.1, 0.5, 0.98, 1}[rng.IntN(5)])
			kept := replica.Snapshot()
			was := covered(kept)
			for pass := 0; ; pass++ {
				parts := Delta(source, next, turn+pass, 5000)
				apply(t, source, parts)
				apply(t, replica, parts)
				requireSound(t, replica)
				if len(Delta(source, next, 0, 0)[0]) == headBytes {
					break
				}
				require.Less(t, pass, 1000)
			}
			require.Equal(t, covered(next), covered(replica))
			require.Equal(t, was, covered(kept))
			if rng.IntN(3) == 0 {
				replica = &Set{}
				apply(t, replica, Delta(nil, source, 0, 0))
				require.Equal(t, covered(next), covered(replica))
			}
		}
	}
}

// A change at one place of a long run leaves the other ranges as they are, and a run of any length
// costs little.
func TestRunsAreCutByTheirKeys(t *testing.T) {
	run := func(without int) *Set {
		var leaves []Leaf
		for n := range 100_000 {
			if n != without {
				leaves = append(leaves, Leaf{First: fmt.Appendf(nil, "%08d", n), Last: fmt.Appendf(nil, "%08d+", n), Next: n+1 != without})
			}
		}
		s := &Set{}
		s.Add(Index{"a", "b", "c"}, leaves)
		return s
	}
	whole := run(-1)
	require.Less(t, whole.Ranges(), 1000)
	require.Less(t, len(Delta(nil, whole, 0, 0)[0]), 20<<10)
	require.Less(t, len(Delta(whole, run(0), 0, 0)[0]), 200)
	require.Less(t, len(Delta(whole, run(54321), 0, 0)[0]), 200)
}

// Heat that moves by one quarter is no news; by two it is.
func TestHeatIsSticky(t *testing.T) {
	of := func(q uint8) *Set {
		s := &Set{}
		s.Add(Index{"a", "b", "c"}, []Leaf{{First: []byte("k"), Last: []byte("l"), Quarter: q}})
		return s
	}
	require.Len(t, Delta(of(1), of(2), 0, 0)[0], headBytes)
	require.Greater(t, len(Delta(of(1), of(3), 0, 0)[0]), headBytes)
}

// A bad part leaves nothing of the set; what follows is passed over until a whole one comes.
func TestBadPart(t *testing.T) {
	rng := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	good := Delta(nil, randomSet(rng, 0.3), 0, 0)
	for name, bad := range map[string][]byte{
		"empty": {}, "version": {9, 0}, "cut": good[0][:len(good[0])-1], "no index": {version, 0, kindAdded, 0, 1, 'a', 0, 1, 'b'},
		"order":    {version, 0, kindIndex, 1, 's', 1, 't', 1, 'i', kindRemoved, 0, 1, 'b', kindRemoved, 0, 1, 'a'},
		"backward": {version, 0, kindIndex, 1, 's', 1, 't', 1, 'i', kindAdded, 0, 1, 'b', 0, 1, 'a'},
		"heat":     {version, 0, kindIndex, 1, 's', 1, 't', 1, 'i', kindAdded + Quarters, 0, 1, 'b', 0, 1, 'c'},
		"long":     {version, 0, kindIndex, 255, 255, 255, 127},
		"shared":   {version, 0, kindIndex, 1, 's', 1, 't', 1, 'i', kindRemoved, 5, 1, 'b'},
	} {
		s := &Set{}
		apply(t, s, good)
		_, err := s.Apply(bad)
		require.Error(t, err, name)
		require.Zero(t, s.Ranges(), name)
		last, err := s.Apply([]byte{version, flagLast})
		require.NoError(t, err)
		require.False(t, last, name)
		apply(t, s, good)
		require.Positive(t, s.Ranges(), name)
	}
}

// A set larger than a replica keeps is refused.
func TestTooBig(t *testing.T) {
	s := &Set{}
	w := &writer{}
	w.begin(flagWhole)
	w.index = &Index{"a", "b", "c"}
	key := bytes.Repeat([]byte("x"), 8000)
	for n := range maxBytes / len(key) {
		k := fmt.Appendf(bytes.Clone(key), "%08d", n)
		w.entry(kindAdded, k, k)
	}
	var err error
	for _, p := range append(w.done, w.part) {
		if _, e := s.Apply(p); e != nil {
			err = e
		}
	}
	require.ErrorIs(t, err, ErrTooBig)
	require.Zero(t, s.Ranges())
}

// FuzzApply applies two parts of any content: errors, never a panic, and a set that is sound.
func FuzzApply(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 0))
	a, b := randomSet(rng, 0.01), randomSet(rng, 0.01)
	f.Add(Delta(nil, a, 0, 0)[0], Delta(a, b, 0, 0)[0])
	f.Fuzz(func(t *testing.T, one, two []byte) {
		s := &Set{}
		for _, p := range [][]byte{one, two} {
			_, _ = s.Apply(p)
			requireSound(t, s)
			apply(t, &Set{}, Delta(nil, s.Snapshot(), 0, 0))
		}
	})
}
