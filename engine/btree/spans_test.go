package btree

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// Leaves yields each leaf that may hold a key of the spans, once and in order, and no leaf that
// cannot.
func TestLeavesOfSpans(t *testing.T) {
	for _, records := range []int{0, 3, 400, 60_000} {
		e, rng := newEnv(t, 4096), newRand(t)
		key := func(n int) []byte { return fmt.Appendf(nil, "%07d", n) }
		for _, n := range rng.Perm(records) {
			require.NoError(t, e.put(key(n), bytes.Repeat([]byte{'v'}, 40)))
		}
		type leaf struct {
			no          base.PageNo
			first, last []byte
		}
		var all []leaf
		m := e.pool.BeginRead()
		c, err := e.tree.Seek(m, nil, buffer.Shared)
		require.NoError(t, err)
		for ; c.Valid(); require.NoError(t, c.Next()) {
			if no := c.Page().ID().No; len(all) == 0 || all[len(all)-1].no != no {
				_, _, first, last, ok := LeafEnds(c.Page().Data())
				require.True(t, ok)
				all = append(all, leaf{no, bytes.Clone(first), bytes.Clone(last)})
			}
		}
		m.Commit()
		for range 50 {
			var ends []int
			for range 2 * (1 + rng.IntN(40)) {
				ends = append(ends, rng.IntN(records+10))
			}
			slices.Sort(ends)
			var spans []Span
			for i := 0; i < len(ends); i += 2 {
				if s := (Span{key(ends[i]), key(ends[i+1])}); len(spans) == 0 || bytes.Compare(s.First, spans[len(spans)-1].Last) > 0 {
					spans = append(spans, s)
				}
			}
			var got []base.PageNo
			require.NoError(t, e.tree.Leaves(spans, func(no base.PageNo, span int) bool {
				got = append(got, no)
				return true
			}))
			at := 0
			for i, l := range all {
				holds, may := false, false
				for _, s := range spans {
					holds = holds || bytes.Compare(l.last, s.First) >= 0 && bytes.Compare(l.first, s.Last) <= 0
					// The room of a leaf reaches up to the next leaf's first key.
					may = may || (i+1 == len(all) || bytes.Compare(all[i+1].first, s.First) > 0) && (i == 0 || bytes.Compare(all[i-1].last, s.Last) < 0)
				}
				yielded := at < len(got) && got[at] == l.no
				if yielded {
					at++
				}
				require.True(t, yielded || !holds, "leaf %d is missing", l.no)
				require.True(t, !yielded || may || holds, "leaf %d holds nothing of the spans", l.no)
			}
			if len(all) > 0 {
				require.Len(t, got, at, "yielded twice, or out of order")
			}
		}
	}
}

// Leaves ends when it is told to.
func TestLeavesEnd(t *testing.T) {
	e := newEnv(t, 1024)
	for n := range 5000 {
		require.NoError(t, e.put(fmt.Appendf(nil, "%07d", n), bytes.Repeat([]byte{'v'}, 40)))
	}
	n := 0
	require.NoError(t, e.tree.Leaves([]Span{{[]byte("0"), []byte("9")}}, func(base.PageNo, int) bool { n++; return n < 5 }))
	require.Equal(t, 5, n)
}
