package binlog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChunksAreUsedAgain(t *testing.T) {
	l := new(Log)
	first, a := l.share(100)
	same, b := l.share(200)
	require.Same(t, first, same)
	require.True(t, adjoins(a, b), "one behind the other")
	require.False(t, adjoins(b, a))
	require.False(t, adjoins(a[:99], b), "a hole between them")
	require.False(t, adjoins(b, b[200:]), "nothing to add")
	second, c := l.share(chunkSize)
	require.NotSame(t, first, second)
	require.False(t, adjoins(b, c), "another chunk")
	require.Equal(t, int32(2), first.users.Load(), "the log has gone on")
	l.letGoAll([]queued{{chunk: first}, {}, {chunk: first}, {chunk: second}})
	require.Empty(t, first.buf, "free")
	require.NotEmpty(t, second.buf, "the log fills it")

	own := l.ownChunk()
	own.buf = append(own.buf, make([]byte, keepBuffer)...)
	l.letGo(own, 1)
	require.Empty(t, own.buf)
}
