package binlog

// The memory of units between commit and file. What commits one after the other log stands one
// after the other in a chunk, and as far from a block's start as in the file: the writer hands it
// to the file in one piece, and whole blocks of it go past the page cache without a copy.

import (
	"sync"
	"sync/atomic"

	"emberdb/internal/vfs"
)

const (
	chunkSize  = lingerBytes
	mostShared = 16 << 10 // events beyond have a chunk of their own, filled before the log's order is taken
)

// chunk is memory of units. It is used again when the last of them is in its file.
type chunk struct {
	buf   []byte
	users atomic.Int32 // units, and the log while it fills the chunk
	own   bool         // of one unit
}

// idleChunks are those nobody uses, the one used last on top: it is in the processor's caches
// still, and two or three are all that a steady load needs.
type idleChunks struct {
	sync.Mutex
	stack []*chunk
}

const mostIdle = 8

func (i *idleChunks) take() *chunk {
	i.Lock()
	defer i.Unlock()
	if n := len(i.stack); n > 0 {
		c := i.stack[n-1]
		i.stack[n-1], i.stack = nil, i.stack[:n-1]
		return c
	}
	return &chunk{buf: vfs.AlignedBlock(chunkSize)[:0]}
}

func (i *idleChunks) put(c *chunk) {
	i.Lock()
	defer i.Unlock()
	if len(i.stack) < mostIdle {
		i.stack = append(i.stack, c)
	}
}

// share takes n bytes from the chunk being filled, for one unit that stands at pos of its file.
// REQUIRES: orderMu held.
func (l *Log) share(n int, pos int64) (*chunk, []byte) {
	c := l.chunk
	if c == nil || c.next(pos)+n > cap(c.buf) {
		l.letGo(c, 1)
		c = l.chunks.take()
		c.users.Store(1)
		l.chunk = c
	}
	c.users.Add(1)
	at := c.next(pos)
	c.buf = c.buf[:at+n]
	return c, c.buf[at:]
}

// next is the place in the chunk for what stands at pos of a file.
func (c *chunk) next(pos int64) int {
	return len(c.buf) + int(uint64(pos-int64(len(c.buf)))%vfs.BlockSize)
}

// giveBack gives back the last n bytes that were taken.
func (c *chunk) giveBack(n int) { c.buf = c.buf[:len(c.buf)-n] }

// ownChunk is a chunk for one unit.
func (l *Log) ownChunk() *chunk {
	c, _ := l.larges.Get().(*chunk)
	if c == nil {
		c = &chunk{own: true}
	}
	c.users.Store(1)
	return c
}

// letGo ends n uses of a chunk, if there is one.
func (l *Log) letGo(c *chunk, n int32) {
	if c == nil || c.users.Add(-n) > 0 {
		return
	}
	c.buf = c.buf[:0]
	switch {
	case !c.own:
		l.chunks.put(c)
	case cap(c.buf) <= keepBuffer:
		l.larges.Put(c)
	}
}

// letGoAll gives back the memory of units that are written.
func (l *Log) letGoAll(written []queued) {
	for i := range written {
		l.letGo(written[i].chunk, written[i].users)
	}
}

// adjoins tells whether b stands behind a in the same chunk.
func adjoins(a, b []byte) bool {
	return len(b) > 0 && cap(a)-len(a) == cap(b) && &a[:cap(a)][cap(a)-1] == &b[:cap(b)][cap(b)-1]
}
