package exec

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"emberdb/sql/fn"
	"emberdb/sql/types"

	"github.com/stretchr/testify/require"
)

// A long text grows by chunks that are not moved, and is made whole at its end.
func TestTextsGrowByChunks(t *testing.T) {
	c, _, _ := spillCtx(t, 1<<30)
	for _, size := range []int{0, 1, 1000, chunkBytes / 3, chunkBytes, 3*chunkBytes + 1} {
		text, want := chunks{last: []byte{}}, []byte{}
		took := 0
		for i := range 20 {
			part := bytes.Repeat([]byte{byte(i)}, size)
			took += text.add(part)
			want = append(want, part...)
		}
		held := cap(text.last)
		for _, part := range text.full {
			held += cap(part)
		}
		require.Equal(t, held, took, "20 parts of %d bytes", size)
		require.Equal(t, len(want) > 2*chunkBytes, text.full != nil, "20 parts of %d bytes", size)
		for range 2 {
			got, err := text.whole(c, len(want))
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, got), "20 parts of %d bytes", size)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	c.Context = over
	text := chunks{}
	for range 5 {
		text.add(make([]byte, chunkBytes))
	}
	_, err := text.whole(c, 5*chunkBytes)
	require.Error(t, err, "the statement has ended")
}

// again gives the batch of another operator so many times.
type again struct {
	texts
	left int
}

func (a *again) Next(c *Ctx) (*types.Batch, error) {
	if a.left--; a.left < 0 {
		return nil, nil
	}
	a.done = false
	return a.texts.Next(c)
}

// A group that grows for ever is the statement's memory: the statement ends when that is over.
func TestGroupsThatGrowAreAccounted(t *testing.T) {
	typ := types.StringType(10, types.Binary, types.Implicit, false)
	for _, limit := range []int64{8 << 20, 24 << 20, 64 << 20} {
		c, _, _ := spillCtx(t, 1<<20)
		taken := int64(0)
		c.Take = func(n int64) error {
			if n > 0 && taken+n > limit {
				return errors.New("no memory")
			}
			taken += n
			return nil
		}
		g := &Group{In: &again{texts{n: 8, text: make([]byte, 128<<10)}, 16}, Ids: []int{2},
			Aggs: []Aggregate{{Kind: fn.GroupConcat, Arg: &fn.Column{ID: 1, T: typ}, T: typ, Most: 1 << 40}}}
		require.NoError(t, g.Open(c))
		_, err := g.Next(c)
		require.Equal(t, limit < 32<<20, err != nil, "texts of 16 MiB and their result within %d bytes", limit)
		g.Close(c)
		require.Zero(t, taken)
	}
}
