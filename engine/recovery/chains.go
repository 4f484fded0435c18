package recovery

import (
	"encoding/binary"
	"sync"

	"emberdb/engine/buffer"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// chains holds the records of a pass's pages, in one lane: for each page a list in LSN order.
//
// Records are copied into chunks of an arena and linked by position, so that millions of them cost
// the garbage collector nothing. An entry in a chunk, 8-byte aligned:
//
//	0 4 position of the next entry of the page, in units of 8 bytes (0 = last)
//	4 4 length of the body        8 8 LSN of the group       16 4 length of the group       20 1 op       21.. body
//
// A page's initialisation makes what stands before it in the list needless; the list then begins
// with it. While the arena has frames, such a page has no list: it is built from then on, record by
// record, in the frame that it will have in the pool.
type chains struct {
	mem    *arena
	chunks [][]byte
	used   int64   // bytes handed out
	pages  []chain // by place in the pass
	images []image
}

const (
	chunkSize   = base.PageSize
	entryHeader = 21
	entryAlign  = 8
)

// chain is the list of one page's entries, oldest first. first is 0 when there are none.
type chain struct {
	first, last uint32
	image       uint32 // number of the image, which is then instead of the list, from 1
	init        bool   // the list, or image, builds the page from nothing
}

// image is a page that its records have built.
type image struct {
	frame             int // of the loan
	records           int64
	oldest, last, end base.LSN // of the first and the last group, and the end of that
}

func newChains(mem *arena, pages int) *chains {
	return &chains{mem: mem, used: entryAlign, pages: make([]chain, pages)} // position 0 means "none"
}

// arena is the memory of one part after the other: frames that the pool has lent, and slabs outside
// the heap for lists that they do not hold. A slab stays for the later parts until the round ends.
type arena struct {
	loan *buffer.Loan

	mu     sync.Mutex
	used   int // frames of the loan
	slabs  [][]byte
	inSlab int // bytes used of them
}

const slabSize = 64 * chunkSize

// frame takes a frame of the loan, with anything in it; false when there is none left.
func (a *arena) frame() (int, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.used == a.loan.Pages() {
		return 0, false
	}
	a.used++
	return a.used - 1, true
}

// chunk returns chunkSize bytes with anything in them.
func (a *arena) chunk() []byte {
	if i, ok := a.frame(); ok {
		return a.loan.Page(i)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	k, off := a.inSlab/slabSize, a.inSlab%slabSize
	if k == len(a.slabs) {
		slab, err := vfs.MapBlock(slabSize)
		if err != nil {
			return make([]byte, chunkSize) // as the heap would have it: the limits of the system's memory are met there
		}
		a.slabs = append(a.slabs, slab)
	}
	a.inSlab += chunkSize
	return a.slabs[k][off : off+chunkSize : off+chunkSize]
}

// again has another part take the place of the one there is, in at most so many frames.
// REQUIRES: nobody looks at that one any more.
func (a *arena) again(frames int64) {
	a.loan.Keep(int(frames))
	a.used, a.inSlab = 0, 0
}

// release gives all back. REQUIRES: as again.
func (a *arena) release() {
	a.again(0)
	for _, slab := range a.slabs {
		vfs.UnmapBlock(slab)
	}
	a.slabs = nil
}

// add appends rec to what there is of a page. Calls come in LSN order.
func (c *chains) add(page uint32, rec redo.Record, g redo.Group) error {
	ch := &c.pages[page]
	if rec.Op == redo.OpInitPage {
		ch.init = true
		if ch.image == 0 {
			c.begin(ch)
		}
	}
	if ch.image == 0 {
		c.append(ch, rec, g)
		return nil
	}
	im := &c.images[ch.image-1]
	if rec.Op == redo.OpInitPage {
		im.oldest = g.LSN
	}
	im.records++
	im.last, im.end = g.LSN, g.End
	return redo.Apply(rec, c.mem.loan.Page(im.frame))
}

// begin makes an image of a page, if there is a frame for it.
func (c *chains) begin(ch *chain) {
	if i, ok := c.mem.frame(); ok {
		c.images = append(c.images, image{frame: i})
		ch.image = uint32(len(c.images))
	}
}

// append is add to the list.
func (c *chains) append(ch *chain, rec redo.Record, g redo.Group) {
	pos := c.alloc(entryHeader + len(rec.Body))
	e := c.at(pos)
	binary.LittleEndian.PutUint32(e[0:], 0)
	binary.LittleEndian.PutUint32(e[4:], uint32(len(rec.Body)))
	binary.LittleEndian.PutUint64(e[8:], uint64(g.LSN))
	binary.LittleEndian.PutUint32(e[16:], uint32(g.End-g.LSN))
	e[20] = byte(rec.Op)
	copy(e[entryHeader:], rec.Body)
	if ch.first == 0 || rec.Op == redo.OpInitPage {
		ch.first = pos
	} else {
		binary.LittleEndian.PutUint32(c.at(ch.last), pos)
	}
	ch.last = pos
}

// alloc reserves n bytes that do not cross a chunk end. An entry larger than a chunk gets chunks of
// its own, from the heap.
func (c *chains) alloc(n int) uint32 {
	n = (n + entryAlign - 1) &^ (entryAlign - 1)
	room := int64(len(c.chunks))*chunkSize - c.used
	if room < int64(n) {
		c.used = int64(len(c.chunks)) * chunkSize
		whole := (n + chunkSize - 1) / chunkSize * chunkSize
		if whole == chunkSize {
			c.chunks = append(c.chunks, c.mem.chunk())
		} else {
			block := make([]byte, whole)
			for off := 0; off < whole; off += chunkSize {
				c.chunks = append(c.chunks, block[off:]) // the first chunk of a large entry reaches over its followers
			}
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

// startsWithInit tells whether what there is of a page builds it from nothing.
func (c *chains) startsWithInit(page uint32) bool { return c.pages[page].init }

// image is the page as its records have built it; nil if they stand in its list.
func (c *chains) image(page uint32) *image {
	if n := c.pages[page].image; n != 0 {
		return &c.images[n-1]
	}
	return nil
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
