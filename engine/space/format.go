package space

// The space header, page 0 of every tablespace. On disk; fixed. Integers little-endian.
//
//	offset size
//	0      32   page header of pagefile, type space header
//	32     8    table id
//	40     8    auto-increment counter
//	48     4    size of the file in pages
//	52     4    first bitmap that may have a wholly free extent
//	56     4    number of roots
//	60     4    zero
//	64     ..   roots: index id u64 | root page u32, in no order
//
// A bitmap page. Bitmap k stands at page k*PagesPerBitmap+1 and describes the pages
// [k*PagesPerBitmap, (k+1)*PagesPerBitmap).
//
//	0      32   page header of pagefile, type space bitmap
//	32     4    first page described
//	36     4    free pages
//	40     4    wholly free extents
//	44     20   zero
//	64     1024 free pages of each extent, u8
//	1088   960  zero
//	2048   8192 one bit a page, lowest bit first: set = in use, or beyond the end of the file
//
// Invariants:
//
//	(1) A bit is clear only for a page below the size that no one uses; the counts are sums over
//	    the bits.
//	(2) Bitmaps change only under the X latch of the header, so a bitmap's holder may look at
//	    several.
//	(3) The file is at least as long as the size says: it is extended, and its metadata synced,
//	    before the size is logged.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"emberdb/engine/redo"
	"emberdb/internal/base"
)

const (
	// PagesPerBitmap is how many pages one bitmap page describes (1 GiB).
	PagesPerBitmap = 1 << 16
	// ExtentPages is the unit in which trees take space.
	ExtentPages = 64
	// MinPages is the least size of a tablespace file.
	MinPages base.PageNo = 2

	hdrTable   = 32
	hdrAutoInc = 40
	hdrSize    = 48
	hdrSearch  = 52
	hdrRoots   = 56
	hdrFirst   = 64
	rootSize   = 12
	maxRoots   = (base.PageSize - hdrFirst) / rootSize

	bmFirst       = 32
	bmFree        = 36
	bmFreeExtents = 40
	bmExtents     = 64
	bmBits        = 2048

	extentsPerBitmap = PagesPerBitmap / ExtentPages
)

// The layouts fit their page.
var (
	_ [bmBits - bmExtents - extentsPerBitmap]byte
	_ [base.PageSize - bmBits - PagesPerBitmap/8]byte
)

var (
	le      = binary.LittleEndian
	errBody = errors.New("malformed body")
)

// bitmapPage returns where bitmap k stands.
func bitmapPage(k int) base.PageNo { return base.PageNo(k)*PagesPerBitmap + 1 }

func bitmapOf(no base.PageNo) int { return int(no / PagesPerBitmap) }

// bitmaps returns how many bitmaps a space of that size has.
func bitmaps(size base.PageNo) int { return int((size + PagesPerBitmap - 1) / PagesPerBitmap) }

// ownPage tells whether the page is the header or a bitmap.
func ownPage(no base.PageNo) bool { return no == 0 || no%PagesPerBitmap == 1 }

type header []byte

func (h header) table() base.TableID { return base.TableID(le.Uint64(h[hdrTable:])) }
func (h header) autoInc() uint64     { return le.Uint64(h[hdrAutoInc:]) }
func (h header) size() base.PageNo   { return base.PageNo(le.Uint32(h[hdrSize:])) }
func (h header) search() int         { return int(le.Uint32(h[hdrSearch:])) }
func (h header) roots() int          { return int(le.Uint32(h[hdrRoots:])) }

// findRoot returns the position of the index among the roots, -1 if it has none.
func (h header) findRoot(index base.IndexID) int {
	for i := range h.roots() {
		if base.IndexID(le.Uint64(h[hdrFirst+i*rootSize:])) == index {
			return i
		}
	}
	return -1
}

func (h header) root(i int) base.PageNo {
	return base.PageNo(le.Uint32(h[hdrFirst+i*rootSize+8:]))
}

type bitmap []byte

func (b bitmap) first() base.PageNo     { return base.PageNo(le.Uint32(b[bmFirst:])) }
func (b bitmap) free() int              { return int(le.Uint32(b[bmFree:])) }
func (b bitmap) freeExtents() int       { return int(le.Uint32(b[bmFreeExtents:])) }
func (b bitmap) extentFree(e int) int   { return int(b[bmExtents+e]) }
func (b bitmap) word(e int) uint64      { return le.Uint64(b[bmBits+8*e:]) }
func (b bitmap) inUse(bit int) bool     { return b.word(bit/ExtentPages)>>(bit%ExtentPages)&1 != 0 }
func (b bitmap) add(off int, delta int) { le.PutUint32(b[off:], uint32(int(le.Uint32(b[off:]))+delta)) }

// near returns the free page of the extent of bit that is nearest behind it, else nearest before
// it; -1 if the extent is full.
func (b bitmap) near(bit int) int {
	e := bit / ExtentPages
	free := ^b.word(e)
	if free == 0 {
		return -1
	}
	if behind := free >> (bit % ExtentPages); behind != 0 {
		return bit + bits.TrailingZeros64(behind)
	}
	return e*ExtentPages + 63 - bits.LeadingZeros64(free)
}

// freeExtent returns the first page of a wholly free extent, searching from that of bit on, around
// the end; -1 if there is none.
func (b bitmap) freeExtent(bit int) int {
	if b.freeExtents() == 0 {
		return -1
	}
	return b.scan(bit, ExtentPages)
}

// any returns a free page, searching like freeExtent.
func (b bitmap) any(bit int) int {
	if b.free() == 0 {
		return -1
	}
	return b.scan(bit, 1)
}

func (b bitmap) scan(bit, atLeast int) int {
	start := bit / ExtentPages
	for i := range extentsPerBitmap {
		e := (start + i) % extentsPerBitmap
		if b.extentFree(e) >= atLeast {
			return e*ExtentPages + bits.TrailingZeros64(^b.word(e))
		}
	}
	return -1
}

// set marks count pages from bit on as used or free. False: out of range or one of them is so
// already; page unchanged.
func (b bitmap) set(bit, count int, used bool) bool {
	if bit < 0 || count < 0 || bit+count > PagesPerBitmap {
		return false
	}
	for i := bit; i < bit+count; i++ {
		if b.inUse(i) == used {
			return false
		}
	}
	for count > 0 {
		e, at := bit/ExtentPages, bit%ExtentPages
		k := min(count, ExtentPages-at)
		mask := (^uint64(0) >> (ExtentPages - k)) << at
		delta := k
		if used {
			delta = -k
		}
		before := b.extentFree(e)
		le.PutUint64(b[bmBits+8*e:], b.word(e)^mask)
		b[bmExtents+e] = byte(before + delta)
		b.add(bmFree, delta)
		switch ExtentPages {
		case before:
			b.add(bmFreeExtents, -1)
		case before + delta:
			b.add(bmFreeExtents, 1)
		}
		bit, count = bit+k, count-k
	}
	return true
}

// Redo. Bodies, numbers fixed-width little-endian:
//
//	header     table u64 | size u32        page 0 becomes an empty header
//	size       size u32
//	search     bitmap u32
//	auto-inc   counter u64
//	root       index u64 | page u32        NilPage removes it
//	bitmap     first page u32              all bits set
//	bits       first bit u16 | count - 1 u16 | used u8
func init() {
	redo.RegisterOp(redo.OpSpaceHeader, "space-header", applyHeader, describeHeader)
	redo.RegisterOp(redo.OpSpaceSize, "space-size", applySize, describeNumber)
	redo.RegisterOp(redo.OpSpaceSearch, "space-search", applySearch, describeNumber)
	redo.RegisterOp(redo.OpSpaceAutoInc, "space-auto-inc", applyAutoInc, describeNumber)
	redo.RegisterOp(redo.OpSpaceRoot, "space-root", applyRoot, describeRoot)
	redo.RegisterOp(redo.OpSpaceBitmap, "space-bitmap", applyBitmap, describeNumber)
	redo.RegisterOp(redo.OpSpaceBits, "space-bits", applyBits, describeBits)
}

func describeNumber(body []byte) string {
	switch len(body) {
	case 4:
		return fmt.Sprint(le.Uint32(body))
	case 8:
		return fmt.Sprint(le.Uint64(body))
	}
	return errBody.Error()
}

func applyHeader(page, body []byte) error {
	if len(body) != 12 {
		return errBody
	}
	clear(page[hdrTable:])
	copy(page[hdrTable:], body[:8])
	copy(page[hdrSize:], body[8:])
	return nil
}

func describeHeader(body []byte) string {
	if len(body) != 12 {
		return errBody.Error()
	}
	return fmt.Sprintf("table %d size %d", le.Uint64(body), le.Uint32(body[8:]))
}

func applySize(page, body []byte) error    { return put(page, hdrSize, body, 4) }
func applySearch(page, body []byte) error  { return put(page, hdrSearch, body, 4) }
func applyAutoInc(page, body []byte) error { return put(page, hdrAutoInc, body, 8) }

func put(page []byte, off int, body []byte, size int) error {
	if len(body) != size {
		return errBody
	}
	copy(page[off:], body)
	return nil
}

func applyRoot(page, body []byte) error {
	if len(body) != rootSize {
		return errBody
	}
	h := header(page)
	count := h.roots()
	i := h.findRoot(base.IndexID(le.Uint64(body)))
	switch remove := base.PageNo(le.Uint32(body[8:])) == base.NilPage; {
	case remove && i >= 0:
		last := h[hdrFirst+(count-1)*rootSize:][:rootSize]
		copy(h[hdrFirst+i*rootSize:], last)
		clear(last)
		le.PutUint32(h[hdrRoots:], uint32(count-1))
	case remove:
	case i >= 0:
		copy(h[hdrFirst+i*rootSize:], body)
	case count == maxRoots:
		return errors.New("too many roots")
	default:
		copy(h[hdrFirst+count*rootSize:], body)
		le.PutUint32(h[hdrRoots:], uint32(count+1))
	}
	return nil
}

func describeRoot(body []byte) string {
	if len(body) != rootSize {
		return errBody.Error()
	}
	return fmt.Sprintf("index %d root %d", le.Uint64(body), le.Uint32(body[8:]))
}

func applyBitmap(page, body []byte) error {
	if len(body) != 4 {
		return errBody
	}
	clear(page[bmFirst:bmBits])
	copy(page[bmFirst:], body)
	for i := bmBits; i < bmBits+PagesPerBitmap/8; i++ {
		page[i] = 0xFF
	}
	return nil
}

func encodeBits(bit, count int, used bool) (b [5]byte) {
	le.PutUint16(b[:], uint16(bit))
	le.PutUint16(b[2:], uint16(count-1))
	if used {
		b[4] = 1
	}
	return b
}

func applyBits(page, body []byte) error {
	if len(body) != 5 {
		return errBody
	}
	if !bitmap(page).set(int(le.Uint16(body)), int(le.Uint16(body[2:]))+1, body[4] == 1) {
		return errors.New("bits are in that state already")
	}
	return nil
}

func describeBits(body []byte) string {
	if len(body) != 5 {
		return errBody.Error()
	}
	return fmt.Sprintf("bit %d count %d used %d", le.Uint16(body), int(le.Uint16(body[2:]))+1, body[4])
}
