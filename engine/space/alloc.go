package space

import (
	"errors"
	"fmt"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// Allocation holds the header X-latched from the first Alloc or Free of a mini-transaction to its Commit. That orders all allocation
// of a space and lets one mini-transaction allocate several pages, and it is short: whoever allocates has pinned all its other pages
// before, so no read happens in between. Only growing the file works under this latch, in steps large enough to be rare.

const (
	smallSpace  = ExtentPages // up to here a space takes any free page and doubles its size
	minGrowth   = ExtentPages
	maxGrowth   = 16 * ExtentPages
	growthShare = 16              // a space grows by a sixteenth
	wasteShare  = 8               // free pages scattered over extents in use are taken before the file grows if they are an eighth of it
	wasteFloor  = 8 * ExtentPages // and more than eight trees growing at once account for
)

// allocator is one Alloc in progress.
type allocator struct {
	m    *buffer.Mtr
	s    base.SpaceID
	page buffer.Page // the header, X-latched
	h    header
}

// Alloc takes a page near hint, best the page it shall follow, sets it to type t and returns it X-latched. On error nothing has changed.
// REQUIRES: every page latch the mini-transaction still needs is held already, other than of pages it allocates.
func Alloc(m *buffer.Mtr, s base.SpaceID, hint base.PageNo, t pagefile.PageType) (buffer.Page, error) {
	pg, h, err := pinHeader(m, s, buffer.Exclusive)
	if err != nil {
		return buffer.Page{}, err
	}
	a := allocator{m, s, pg, h}
	if hint >= h.size() {
		hint = 0
	}
	bm, bit, err := a.find(hint)
	if err != nil {
		return buffer.Page{}, err
	}
	markBits(m, bm, bit, 1, true)
	no := bitmap(bm.Data()).first() + base.PageNo(bit)
	// Nobody has this page: Create finds a frame for it and cannot fail but by a failed pool, after which nothing is written any more.
	return m.Create(base.PageID{Space: s, No: no}, t)
}

// find returns a free page: the X-latched bitmap and the bit. See the package comment for the order.
func (a *allocator) find(hint base.PageNo) (buffer.Page, int, error) {
	pg, b, err := pinBitmap(a.m, a.s, bitmapOf(hint), buffer.Exclusive)
	if err != nil {
		return buffer.Page{}, 0, err
	}
	at := int(hint % PagesPerBitmap)
	bit := b.near(at)
	if bit < 0 && a.h.size() <= smallSpace {
		bit = b.any(at)
	}
	if bit < 0 {
		bit = b.freeExtent(at)
	}
	if bit >= 0 {
		return pg, bit, nil
	}
	scattered := b.free() // it has no wholly free extent
	a.m.Release(pg)
	if pg, bit, err := a.findExtent(); err != nil || bit >= 0 {
		return pg, bit, err
	}
	covered := min(int(a.h.size())-bitmapOf(hint)*PagesPerBitmap, PagesPerBitmap)
	if scattered > max(wasteFloor, covered/wasteShare) {
		return a.findAny(bitmapOf(hint))
	}
	err = a.grow()
	switch {
	case errors.Is(err, base.ErrDiskFull):
		return a.findAnywhere(err)
	case err != nil:
		return buffer.Page{}, 0, err
	}
	return a.find(hint)
}

// findExtent looks for a wholly free extent in all bitmaps that may have one. bit is -1 if there is none.
func (a *allocator) findExtent() (buffer.Page, int, error) {
	k := a.h.search()
	for ; k < bitmaps(a.h.size()); k++ {
		pg, b, err := pinBitmap(a.m, a.s, k, buffer.Exclusive)
		if err != nil {
			return buffer.Page{}, 0, err
		}
		if bit := b.freeExtent(0); bit >= 0 {
			a.setSearch(k)
			return pg, bit, nil
		}
		a.m.Release(pg)
	}
	a.setSearch(k)
	return buffer.Page{}, -1, nil
}

func (a *allocator) findAny(k int) (buffer.Page, int, error) {
	pg, b, err := pinBitmap(a.m, a.s, k, buffer.Exclusive)
	if err != nil {
		return buffer.Page{}, 0, err
	}
	bit := b.any(0)
	if bit < 0 {
		a.m.Release(pg)
	}
	return pg, bit, nil
}

// findAnywhere is the last resort when the file cannot grow.
func (a *allocator) findAnywhere(full error) (buffer.Page, int, error) {
	for k := range bitmaps(a.h.size()) {
		if pg, bit, err := a.findAny(k); err != nil || bit >= 0 {
			return pg, bit, err
		}
	}
	return buffer.Page{}, 0, fmt.Errorf("space %d: no free page and the file cannot grow: %w", a.s, full)
}

// setSearch notes the first bitmap that may have a wholly free extent.
func (a *allocator) setSearch(k int) {
	if k != a.h.search() {
		var body [4]byte
		le.PutUint32(body[:], uint32(k))
		a.m.Apply(a.page, redo.OpSpaceSearch, body[:])
	}
}

// grow makes the file longer and its new pages free. It never adds pages to more than one bitmap.
func (a *allocator) grow() error {
	size := a.h.size()
	k, next := bitmapOf(size), nextSize(size)
	if next <= size || next == base.NilPage {
		return fmt.Errorf("space %d has reached its largest size: %w", a.s, base.ErrDiskFull)
	}
	// Everything that can fail comes before the first change; a file longer than the size says is harmless.
	if err := a.m.Pool().Files().Extend(a.s, next); err != nil {
		return err
	}
	first := int(size % PagesPerBitmap)
	bm, err := a.bitmapFor(k, first == 0)
	if err != nil {
		return err
	}
	if first == 0 {
		markBits(a.m, bm, 0, 1, false)
		first = 2
	}
	markBits(a.m, bm, first, int(next)-k*PagesPerBitmap-first, false)
	var body [4]byte
	le.PutUint32(body[:], uint32(next))
	a.m.Apply(a.page, redo.OpSpaceSize, body[:])
	a.setSearch(min(a.h.search(), k))
	return nil
}

// nextSize is what a space of that size grows to.
func nextSize(size base.PageNo) base.PageNo {
	next := size + max(1, size)
	if size >= smallSpace {
		step := min(max(size/growthShare, minGrowth), maxGrowth)
		next = (size + step) / ExtentPages * ExtentPages
	}
	return min(next, base.PageNo(bitmapOf(size)+1)*PagesPerBitmap)
}

// Prepare extends the file ahead of need when the page id, just allocated, is nearer to the space's end than half of what it grows by, so that the Alloc that needs the room
// finds the file long enough and does no I/O under its latches. It is a wish: what goes wrong here the Alloc will tell.
// REQUIRES: no page latch held.
func Prepare(pool *buffer.Pool, id base.PageID) {
	m := pool.BeginRead()
	_, h, err := pinHeader(m, id.Space, buffer.Shared)
	var size base.PageNo
	if err == nil {
		size = h.size()
	}
	m.Commit()
	if next := nextSize(size); size >= smallSpace && next > size && id.No+(next-size)/2 >= size {
		_ = pool.Files().Extend(id.Space, next)
	}
}

// bitmapFor pins bitmap k, formatting it if it is new.
func (a *allocator) bitmapFor(k int, fresh bool) (buffer.Page, error) {
	if !fresh {
		pg, _, err := pinBitmap(a.m, a.s, k, buffer.Exclusive)
		return pg, err
	}
	pg, err := a.m.Create(bitmapID(a.s, k), pagefile.TypeSpaceBitmap)
	if err != nil {
		return buffer.Page{}, err
	}
	var body [4]byte
	le.PutUint32(body[:], uint32(k)*PagesPerBitmap)
	a.m.Apply(pg, redo.OpSpaceBitmap, body[:])
	return pg, nil
}

// Free gives a page back. The caller has taken it out of all structures, in this mini-transaction. On error nothing has changed.
func Free(m *buffer.Mtr, id base.PageID) error {
	pg, h, err := pinHeader(m, id.Space, buffer.Exclusive)
	if err != nil {
		return err
	}
	if ownPage(id.No) || id.No >= h.size() {
		return corrupt(id, "page to be freed is no ordinary page of a space of %d pages", h.size())
	}
	k, bit := bitmapOf(id.No), int(id.No%PagesPerBitmap)
	bm, b, err := pinBitmap(m, id.Space, k, buffer.Exclusive)
	if err != nil {
		return err
	}
	if !b.inUse(bit) {
		return corrupt(id, "page to be freed is free already")
	}
	markBits(m, bm, bit, 1, false)
	if k < h.search() && b.extentFree(bit/ExtentPages) == ExtentPages {
		(&allocator{m, id.Space, pg, h}).setSearch(k)
	}
	return nil
}
