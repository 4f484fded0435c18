package recovery

import (
	"encoding/binary"

	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// chains holds the records of a pass's pages, in one lane: for each page a list in LSN order.
//
// Records are copied into an arena of large pointer-free chunks and linked by position, so that millions of them cost the
// garbage collector nothing. An entry in the arena, 8-byte aligned:
//
//	0 4 position of the next entry of the page, in units of 8 bytes (0 = last)
//	4 4 length of the body        8 8 LSN of the group       16 4 length of the group       20 1 op       21.. body
//
// A page's initialisation makes what stands before it in the list needless; the list then begins with it.
type chains struct {
	chunks [][]byte
	used   int64   // bytes handed out
	pages  []chain // by place in the pass
}

const (
	chunkSize   = 1 << 20
	entryHeader = 21
	entryAlign  = 8
)

// chain is the list of one page's entries, oldest first. first is 0 when there are none.
type chain struct{ first, last uint32 }

func newChains(pages int) *chains {
	return &chains{used: entryAlign, pages: make([]chain, pages)} // position 0 means "none"
}

// add appends rec to the list of a page. Calls come in LSN order.
func (c *chains) add(page uint32, rec redo.Record, g redo.Group) {
	pos := c.alloc(entryHeader + len(rec.Body))
	e := c.at(pos)
	binary.LittleEndian.PutUint32(e[0:], 0)
	binary.LittleEndian.PutUint32(e[4:], uint32(len(rec.Body)))
	binary.LittleEndian.PutUint64(e[8:], uint64(g.LSN))
	binary.LittleEndian.PutUint32(e[16:], uint32(g.End-g.LSN))
	e[20] = byte(rec.Op)
	copy(e[entryHeader:], rec.Body)
	ch := &c.pages[page]
	if ch.first == 0 || rec.Op == redo.OpInitPage {
		ch.first = pos
	} else {
		binary.LittleEndian.PutUint32(c.at(ch.last), pos)
	}
	ch.last = pos
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

// startsWithInit tells whether a page's list builds it from nothing.
func (c *chains) startsWithInit(page uint32) bool {
	ch := c.pages[page]
	return ch.first != 0 && redo.Op(c.at(ch.first)[20]) == redo.OpInitPage
}

// each calls fn for the entries of a page in LSN order.
func (c *chains) each(page uint32, fn func(rec redo.Record, start, end base.LSN) error) error {
	for pos := c.pages[page].first; pos != 0; {
		e := c.at(pos)
		n := binary.LittleEndian.Uint32(e[4:])
		rec := redo.Record{Op: redo.Op(e[20]), Body: e[entryHeader : entryHeader+n]}
		start := base.LSN(binary.LittleEndian.Uint64(e[8:]))
		if err := fn(rec, start, start+base.LSN(binary.LittleEndian.Uint32(e[16:]))); err != nil {
			return err
		}
		pos = binary.LittleEndian.Uint32(e)
	}
	return nil
}
