package recovery

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// TestChains compares chains with a map of slices: bodies of all sizes, also larger than a chunk, taken in any order.
func TestChains(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	type entry struct {
		op         redo.Op
		body       []byte
		start, end base.LSN
	}
	c, want := newChains(), map[base.PageID][]entry{}
	lsn := base.LSN(100)
	for range 3000 {
		id := base.PageID{Space: base.SpaceID(rng.IntN(3)), No: base.PageNo(rng.IntN(40))}
		switch rng.IntN(20) {
		case 0:
			ch, ok := c.take(id)
			require.Equal(t, len(want[id]) > 0, ok)
			var got []entry
			if ok {
				require.Equal(t, want[id][0].op == redo.OpInitPage, c.startsWithInit(ch))
				require.NoError(t, c.each(ch, func(rec redo.Record, start, end base.LSN) error {
					got = append(got, entry{rec.Op, bytes.Clone(rec.Body), start, end})
					return nil
				}))
			}
			require.Equal(t, want[id], got)
			delete(want, id)
		case 1:
			n := 0
			for page := range want {
				if page.Space == id.Space {
					delete(want, page)
					n++
				}
			}
			require.Equal(t, n, c.dropSpace(id.Space))
		default:
			size := rng.IntN(200)
			if rng.IntN(100) == 0 {
				size = rng.IntN(3 * chunkSize)
			}
			e := entry{op: redo.OpInitPage + redo.Op(rng.IntN(2)), body: make([]byte, size), start: lsn, end: lsn + 10}
			for i := range e.body {
				e.body[i] = byte(lsn) + byte(i)
			}
			lsn += 10
			c.add(redo.Record{Op: e.op, Page: id, Body: e.body}, e.start, e.end)
			want[id] = append(want[id], e)
		}
		require.EqualValues(t, len(want), c.pending.Load())
	}
	require.Len(t, c.ids(), len(want))
}
