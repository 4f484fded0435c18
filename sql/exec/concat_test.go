package exec

import (
	"bytes"
	"context"
	"testing"

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
		got, err := text.whole(c, len(want))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "20 parts of %d bytes", size)
		held := cap(text.last)
		for _, part := range text.full {
			held += cap(part)
		}
		require.Equal(t, held, took, "20 parts of %d bytes", size)
		require.Equal(t, len(want) > 2*chunkBytes, text.full != nil, "20 parts of %d bytes", size)
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
