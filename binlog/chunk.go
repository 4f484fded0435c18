package binlog

// The memory of units between commit and file. What commits one after the other log stands one after the other in a chunk: the writer finds it in the
// processor's caches, and hands it to the file in one piece.

import "sync/atomic"

const (
	chunkSize  = 64 << 10
	mostShared = chunkSize / 4 // events beyond have a chunk of their own, filled before the log's order is taken
)

// chunk is memory of units. It is used again when the last of them is in its file.
type chunk struct {
	buf   []byte
	users atomic.Int32 // units, and the log while it fills the chunk
	own   bool         // of one unit
}

// share takes n bytes from the chunk being filled, for one unit. REQUIRES: orderMu held.
func (l *Log) share(n int) (*chunk, []byte) {
	c := l.chunk
	if c == nil || len(c.buf)+n > cap(c.buf) {
		l.letGo(c, 1)
		c, _ = l.chunks.Get().(*chunk)
		if c == nil {
			c = &chunk{buf: make([]byte, 0, chunkSize)}
		}
		c.users.Store(1)
		l.chunk = c
	}
	c.users.Add(1)
	at := len(c.buf)
	c.buf = c.buf[:at+n]
	return c, c.buf[at:]
}

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
		l.chunks.Put(c)
	case cap(c.buf) <= keepBuffer:
		l.larges.Put(c)
	}
}

// letGoAll gives back the memory of units that are written.
func (l *Log) letGoAll(written []queued) {
	var c *chunk
	n := int32(0)
	for i := range written {
		switch written[i].chunk {
		case nil:
		case c:
			n++
		default:
			l.letGo(c, n)
			c, n = written[i].chunk, 1
		}
	}
	l.letGo(c, n)
}

// adjoins tells whether b stands behind a in the same chunk.
func adjoins(a, b []byte) bool {
	return len(b) > 0 && cap(a)-len(a) == cap(b) && &a[:cap(a)][cap(a)-1] == &b[:cap(b)][cap(b)-1]
}
