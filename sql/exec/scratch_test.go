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
