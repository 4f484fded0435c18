package recovery

import (
	"encoding/binary"
	"sync"
	"sync/atomic"

	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// chains maps each page to the redo records it still needs.
//
// Records are copied into an arena of large pointer-free chunks and linked by position, so that millions of them cost the
// garbage collector nothing. An entry in the arena, 8-byte aligned:
//
//	0 4 position of the next entry of the page, in units of 8 bytes (0 = last)
//	4 4 length of the body        8 8 start LSN of the group       16 8 end LSN of the group
//	24 1 op                       25.. body
type chains struct {
	chunks  [][]byte
	used    int64 // bytes handed out
	shards  [chainShards]chainShard
	pending atomic.Int64 // pages with a chain
}

const (
	chainShards = 64
	chunkSize   = 1 << 20
	entryHeader = 25
	entryAlign  = 8
)

type chainShard struct {
	mu    sync.Mutex
	pages map[base.PageID]chain
}

// chain is the list of one page's entries, oldest first.
type chain struct{ first, last uint32 }

func newChains() *chains {
	c := &chains{used: entryAlign} // position 0 means "none"
	for i := range c.shards {
		c.shards[i].pages = make(map[base.PageID]chain)
	}
	return c
}

func (c *chains) shard(id base.PageID) *chainShard {
	h := uint64(id.Space)*0x9E3779B97F4A7C15 ^ uint64(id.No)*0xC2B2AE3D27D4EB4F
	return &c.shards[(h>>32)%chainShards]
}

// add appends rec to its page's chain. Only the scan calls it, from one goroutine; takers may run beside it.
func (c *chains) add(rec redo.Record, start, end base.LSN) {
	pos := c.alloc(entryHeader + len(rec.Body))
	e := c.at(pos)
	binary.LittleEndian.PutUint32(e[0:], 0)
	binary.LittleEndian.PutUint32(e[4:], uint32(len(rec.Body)))
	binary.LittleEndian.PutUint64(e[8:], uint64(start))
	binary.LittleEndian.PutUint64(e[16:], uint64(end))
	e[24] = byte(rec.Op)
	copy(e[entryHeader:], rec.Body)

	s := c.shard(rec.Page)
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, ok := s.pages[rec.Page]
	if ok {
		binary.LittleEndian.PutUint32(c.at(ch.last), pos)
		ch.last = pos
	} else {
		ch = chain{first: pos, last: pos}
		c.pending.Add(1)
	}
	s.pages[rec.Page] = ch
}

// alloc reserves n bytes that do not cross a chunk end. An entry larger than a chunk gets chunks of its own.
func (c *chains) alloc(n int) uint32 {
	n = (n + entryAlign - 1) &^ (entryAlign - 1)
	room := int64(len(c.chunks))*chunkSize - c.used
	if room < int64(n) {
		c.used = int64(len(c.chunks)) * chunkSize
		whole := (n + chunkSize - 1) / chunkSize * chunkSize
		block := make([]byte, whole)
		for off := 0; off < whole; off += chunkSize {
			c.chunks = append(c.chunks, block[off:]) // the first chunk of a large entry reaches over its followers
		}
		if c.used == 0 {
			c.used = entryAlign
			return c.alloc(n)
		}
	}
	pos := uint32(c.used / entryAlign)
	c.used += int64(n)
	return pos
}

func (c *chains) at(pos uint32) []byte {
	b := int64(pos) * entryAlign
	return c.chunks[b/chunkSize][b%chunkSize:]
}

// take removes and returns the chain of a page.
func (c *chains) take(id base.PageID) (chain, bool) {
	s := c.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, ok := s.pages[id]
	if ok {
		delete(s.pages, id)
		c.pending.Add(-1)
	}
	return ch, ok
}

// startsWithInit tells whether the page need not be read: its chain builds it from nothing.
func (c *chains) startsWithInit(ch chain) bool { return redo.Op(c.at(ch.first)[24]) == redo.OpInitPage }

// each calls fn for the entries of a chain in LSN order.
func (c *chains) each(ch chain, fn func(rec redo.Record, start, end base.LSN) error) error {
	for pos := ch.first; pos != 0; {
		e := c.at(pos)
		n := binary.LittleEndian.Uint32(e[4:])
		rec := redo.Record{Op: redo.Op(e[24]), Body: e[entryHeader : entryHeader+n]}
		start := base.LSN(binary.LittleEndian.Uint64(e[8:]))
		end := base.LSN(binary.LittleEndian.Uint64(e[16:]))
		if err := fn(rec, start, end); err != nil {
			return err
		}
		pos = binary.LittleEndian.Uint32(e)
	}
	return nil
}

// ids returns the pages that still wait, unsorted.
func (c *chains) ids() []base.PageID {
	out := make([]base.PageID, 0, c.pending.Load())
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		for id := range s.pages {
			out = append(out, id)
		}
		s.mu.Unlock()
	}
	return out
}

// dropSpace forgets the chains of a space whose file is gone.
func (c *chains) dropSpace(space base.SpaceID) (dropped int) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		for id := range s.pages {
			if id.Space == space {
				delete(s.pages, id)
				dropped++
			}
		}
		s.mu.Unlock()
	}
	c.pending.Add(int64(-dropped))
	return dropped
}
