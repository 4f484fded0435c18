package binlog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

func TestChunksAreUsedAgain(t *testing.T) {
	l := new(Log)
	first, a := l.share(100, 5000)
	same, b := l.share(200, 5100)
	require.Same(t, first, same)
	require.True(t, adjoins(a, b), "one behind the other")
	require.False(t, adjoins(b, a))
	require.False(t, adjoins(a[:99], b), "a hole between them")
	require.False(t, adjoins(b, b[200:]), "nothing to add")
	other, far := l.share(10, 4096+7)
	require.Same(t, first, other)
	require.True(t, vfs.Aligned(first.buf))
	require.False(t, adjoins(b, far))
	require.Equal(t, vfs.BlockSize+7+10, len(first.buf), "as far from the block's start as in the file")
	first.giveBack(10)
	require.Equal(t, vfs.BlockSize+7, len(first.buf))
	l.letGo(first, 1)
	second, c := l.share(chunkSize, 0)
	require.NotSame(t, first, second)
	require.False(t, adjoins(b, c), "another chunk")
	require.Equal(t, int32(2), first.users.Load(), "the log has gone on")
	l.letGoAll([]queued{{chunk: first, users: 2}, {}, {chunk: second, users: 1}})
	require.Empty(t, first.buf, "free")
	require.NotEmpty(t, second.buf, "the log fills it")

	unit := func(off int64, data []byte, c *chunk, lsn base.LSN) *queued {
		return &queued{piece: piece{file: 1, off: off, data: data}, chunk: c, lsn: lsn, users: 1}
	}
	ready := appendReady(appendReady(nil, unit(0, a, first, 10)), unit(100, b, first, 20))
	require.Len(t, ready, 1, "neighbours are one")
	require.Len(t, ready[0].data, 300)
	require.Equal(t, []any{base.LSN(10), base.LSN(20), int32(2)}, []any{ready[0].since, ready[0].lsn, ready[0].users})
	require.Len(t, appendReady(ready, unit(300, c, second, 30)), 2)

	own := l.ownChunk()
	own.buf = append(own.buf, make([]byte, keepBuffer)...)
	l.letGo(own, 1)
	require.Empty(t, own.buf)
}
