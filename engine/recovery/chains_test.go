package recovery

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
)

// TestChains compares chains with a map of slices: bodies of all sizes, also larger than a chunk.
func TestChains(t *testing.T) {
	rng := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	type entry struct {
		op         redo.Op
		body       []byte
		start, end base.LSN
	}
	const pages = 40
	c, want := newChains(&arena{loan: new(buffer.Loan)}, pages), make([][]entry, pages)
	lsn := base.LSN(100)
	for range 3000 {
		page := uint32(rng.IntN(pages))
		size := rng.IntN(200)
		if rng.IntN(100) == 0 {
			size = rng.IntN(3 * chunkSize)
		}
		e := entry{op: redo.OpWriteBytes, body: make([]byte, size), start: lsn, end: lsn + 10}
		for i := range e.body {
			e.body[i] = byte(lsn) + byte(i)
		}
		if rng.IntN(10) == 0 {
			e.op = redo.OpInitPage
			want[page] = nil
		}
		lsn += 10
		c.add(page, redo.Record{Op: e.op, Body: e.body}, redo.Group{LSN: e.start, End: e.end})
		want[page] = append(want[page], e)
	}
	for page := range uint32(pages) {
		var got []entry
		require.NoError(t, c.each(page, func(rec redo.Record, start, end base.LSN) error {
			got = append(got, entry{rec.Op, bytes.Clone(rec.Body), start, end})
			return nil
		}))
		require.Equal(t, want[page], got)
		require.Equal(t, len(got) > 0 && got[0].op == redo.OpInitPage, c.startsWithInit(page))
	}
	slabs := len(c.mem.slabs)
	require.Positive(t, slabs)
	c.mem.again(0)
	for range slabs * slabSize / chunkSize {
		clear(c.mem.chunk())
	}
	require.Len(t, c.mem.slabs, slabs, "the next part has the same memory")
	c.mem.release()
	require.Empty(t, c.mem.slabs)
}
