package exec

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// Long blocks go out and come back by pieces, between which a statement ends.
func TestScratchOfLongBlocks(t *testing.T) {
	c, _, _ := spillCtx(t, 1<<30)
	want := bytes.Repeat([]byte("0123456789abcde"), pieceBytes/5)
	fill := func(dst []byte) []byte { return append(dst, want...) }
	first, err := c.Scratch.write(c, fill)
	require.NoError(t, err)
	second, err := c.Scratch.write(c, fill)
	require.NoError(t, err)
	for _, e := range []extent{first, second} {
		got, err := c.Scratch.read(c, e)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got))
	}
	over := &endsAfter{t.Context(), 2}
	c.Context = over
	_, err = c.Scratch.write(c, fill)
	require.Error(t, err)
	over.left = 1
	_, err = c.Scratch.read(c, first)
	require.Error(t, err)
}

// endsAfter is the context of a statement that ends once it was asked so often whether it has.
type endsAfter struct {
	context.Context
	left int
}

func (c *endsAfter) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A file has no holes, so that its blocks are contiguous and freed at once. The statement does not
// wait for the end of a large one.
func TestScratchHasNoHoles(t *testing.T) {
	c, _, _ := spillCtx(t, 1<<30)
	var ends []func()
	c.Scratch.Background = func(end func()) { ends = append(ends, end) }
	fill := func(n int) func([]byte) []byte {
		return func(dst []byte) []byte { return append(dst, make([]byte, n)...) }
	}
	written, last := int64(0), extent{}
	for _, n := range []int{1, 4091, 4092, 4093, 30_000, 33_000, 70_001, 1_000_000, largeScratch - 1_000} {
		e, err := c.Scratch.write(c, fill(n))
		require.NoError(t, err)
		require.Equal(t, written, e.at, "the extent of %d bytes begins where the one before ends", n)
		size, err := c.Scratch.file.Size()
		require.NoError(t, err)
		require.Equal(t, c.Scratch.end, size, "the extent of %d bytes is written to its end", n)
		require.LessOrEqual(t, size-e.at, max(int64(n)*9/8+scratchHead+1, 8<<10), "little is padding")
		written, last = size, e
	}
	c.Scratch.give(last)
	again, err := c.Scratch.write(c, fill(largeScratch-2_000))
	require.NoError(t, err)
	require.Equal(t, last.at, again.at, "an extent of a similar size takes its place")

	c.Scratch.Close()
	require.Len(t, ends, 1)
	ends[0]()
	_, err = c.Scratch.write(c, fill(1))
	require.NoError(t, err)
	c.Scratch.Close()
	require.Len(t, ends, 1, "a small file is closed at once")
}
