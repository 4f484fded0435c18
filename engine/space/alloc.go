package space

import (
	"errors"
	"fmt"
	"slices"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// Pages are allocated and freed in two steps, those of a mini-transaction. ReserveAlloc and
// ReserveFree do all that can fail: they read and latch the header and the bitmaps, choose the
// page, find a frame for it. They change nothing, so a mini-transaction that cannot go on just
// ends. Alloc and Free take what they return and cannot fail.
//
// The header is X-latched from the first reservation of a mini-transaction to its Commit. That
// orders all allocation of a space and lets one mini-transaction allocate several pages, and it is
// short: whoever allocates has pinned all its other pages before, so no read happens in between.
//
// A space that must grow does so before anything is reserved in it, in a mini-transaction of its
// own: a longer space is the same space. Only growing the file works under the header's latch, in
// steps large enough to be rare.

const (
	smallSpace  = ExtentPages // up to here a space takes any free page and doubles its size
	minGrowth   = ExtentPages
	maxGrowth   = 16 * ExtentPages
	growthShare = 16              // a space grows by a sixteenth
	wasteShare  = 8               // free pages scattered over extents in use are taken before the file grows if they are an eighth of it
	wasteFloor  = 8 * ExtentPages // and more than eight trees growing at once account for
)

// AllocToken is a free page that a mini-transaction has reserved.
type AllocToken struct {
	page           buffer.NewPage
	header, bitmap buffer.Page
	bit            int
	searched       int // the first bitmap that may have a wholly free extent, by the header
	search         int // and as was found
}

// ID is the page's address.
func (t *AllocToken) ID() base.PageID { return t.page.ID() }

// ReserveAlloc reserves a page near hint, best the page it shall follow.
// REQUIRES: m has reserved nothing in the space so far, and holds every page latch it needs, other
// than of pages it frees in the space.
func ReserveAlloc(m *buffer.Mtr, s base.SpaceID, hint base.PageNo) (t AllocToken, err error) {
	var one [1]AllocToken
	err = ReserveAllocs(m, s, one[:], func(int) base.PageNo { return hint })
	return one[0], err
}

// ReserveAllocs is ReserveAlloc of several pages, the i-th near hint(i).
func ReserveAllocs(m *buffer.Mtr, s base.SpaceID, tokens []AllocToken, hint func(i int) base.PageNo) error {
	if m.Holds(headerID(s)) {
		panic("space: pages are allocated first of all that a mini-transaction changes in a space")
	}
	a := allocator{m: m, s: s}
	for {
		err := a.reserve(tokens, hint)
		if err != errMustGrow {
			return err
		}
		size := a.h.size()
		a.letGo(tokens)
		if a.full = grow(m.Pool(), s, size); a.full != nil && !errors.Is(a.full, base.ErrDiskFull) {
			return a.full
		}
	}
}

// Alloc makes the reserved page one of type t. It is X-latched.
func Alloc(m *buffer.Mtr, t *AllocToken, typ pagefile.PageType) buffer.Page {
	markBits(m, t.bitmap, t.bit, 1, true)
	if t.search != t.searched && header(t.header.Data()).search() == t.searched {
		setSearch(m, t.header, t.search)
	}
	return m.Create(t.page, typ)
}

// errMustGrow says that no page is free where one may be taken.
var errMustGrow = errors.New("the space must grow")

// allocator is reservations in progress.
type allocator struct {
	m    *buffer.Mtr
	s    base.SpaceID
	page buffer.Page // the header, X-latched
	h    header
	done []AllocToken // reserved so far
	full error        // the file cannot grow
}

// reserve fills in the tokens.
func (a *allocator) reserve(tokens []AllocToken, hint func(i int) base.PageNo) (err error) {
	if a.page, a.h, err = pinHeader(a.m, a.s, buffer.Exclusive); err != nil {
		return err
	}
	for i := range tokens {
		t := &tokens[i]
		*t = AllocToken{header: a.page, searched: a.h.search(), search: a.h.search()}
		near := hint(i)
		if near >= a.h.size() {
			near = 0
		}
		a.done = tokens[:i]
		k, err := a.find(near, t)
		if err != nil {
			return err
		}
		if t.page, err = a.m.ReserveNew(base.PageID{Space: a.s, No: base.PageNo(k*PagesPerBitmap + t.bit)}); err != nil {
			return err
		}
	}
	return nil
}

// letGo gives back what was reserved.
func (a *allocator) letGo(tokens []AllocToken) {
	for i := range a.done {
		a.m.Unreserve(tokens[i].page)
		a.m.Release(tokens[i].bitmap)
	}
	a.m.Release(a.page)
}

// bitmap pins bitmap k, as it will be when the pages reserved so far are in use.
func (a *allocator) bitmap(k int) (buffer.Page, bitmap, error) {
	pg, b, err := pinBitmap(a.m, a.s, k, buffer.Exclusive)
	own := false
	for i := 0; i < len(a.done) && err == nil; i++ {
		if t := &a.done[i]; bitmapOf(t.ID().No) == k {
			if !own {
				b, own = slices.Clone(b), true
			}
			b.set(t.bit, 1, true)
		}
	}
	return pg, b, err
}

// find fills in the bitmap, X-latched, and the bit of a free page. See the package comment for the
// order.
func (a *allocator) find(hint base.PageNo, t *AllocToken) (k int, err error) {
	k = bitmapOf(hint)
	pg, b, err := a.bitmap(k)
	if err != nil {
		return 0, err
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
		t.bitmap, t.bit = pg, bit
		return k, nil
	}
	scattered := a.scattered(k, b) // it has no wholly free extent
	a.m.Release(pg)
	t.search = a.h.search()
	if found, err := a.look(t.search, t, bitmap.freeExtent); err != nil || t.bitmap.Valid() {
		t.search = found
		return found, err
	}
	t.search = bitmaps(a.h.size())
	if last := t.search - 1; !scattered && last != k { // where the file would grow
		if pg, b, err = a.bitmap(last); err != nil {
			return 0, err
		}
		k, scattered = last, a.scattered(last, b)
		a.m.Release(pg)
	}
	switch {
	case scattered:
		return a.look(k, t, bitmap.any)
	case a.full == nil:
		return 0, errMustGrow
	}
	k, err = a.look(0, t, bitmap.any)
	if err == nil && !t.bitmap.Valid() {
		err = fmt.Errorf("space %d: no free page and the file cannot grow: %w", a.s, a.full)
	}
	return k, err
}

// scattered tells whether the free pages of bitmap k, which has no wholly free extent, are so many
// that they are taken before the file grows.
func (a *allocator) scattered(k int, b bitmap) bool {
	covered := min(int(a.h.size())-k*PagesPerBitmap, PagesPerBitmap)
	return b.free() > max(wasteFloor, covered/wasteShare)
}

// look looks for a page in bitmap k and those behind it. t.bitmap stays invalid if there is none.
func (a *allocator) look(k int, t *AllocToken, find func(b bitmap, bit int) int) (int, error) {
	for ; k < bitmaps(a.h.size()); k++ {
		pg, b, err := a.bitmap(k)
		if err != nil {
			return 0, err
		}
		if bit := find(b, 0); bit >= 0 {
			t.bitmap, t.bit = pg, bit
			return k, nil
		}
		a.m.Release(pg)
	}
	return k, nil
}

// setSearch notes the first bitmap that may have a wholly free extent.
func setSearch(m *buffer.Mtr, hdr buffer.Page, k int) {
	if k != header(hdr.Data()).search() {
		var body [4]byte
		le.PutUint32(body[:], uint32(k))
		m.Apply(hdr, redo.OpSpaceSearch, body[:])
	}
}

// grow makes a space longer and its new pages free, unless it has another size by now. It never
// adds pages to more than one bitmap.
func grow(pool *buffer.Pool, s base.SpaceID, size base.PageNo) (err error) {
	m := pool.BeginNested()
	defer m.Commit()
	pg, h, err := pinHeader(m, s, buffer.Exclusive)
	if err != nil || h.size() != size {
		return err
	}
	k, next := bitmapOf(size), nextSize(size)
	if next <= size || next == base.NilPage {
		return fmt.Errorf("space %d has reached its largest size: %w", s, base.ErrDiskFull)
	}
	if err := pool.Files().Extend(s, next); err != nil { // a file longer than the size says is harmless
		return err
	}
	first := int(size % PagesPerBitmap)
	var bm buffer.Page
	if first > 0 {
		if bm, _, err = pinBitmap(m, s, k, buffer.Exclusive); err != nil {
			return err
		}
	} else {
		fresh, err := m.ReserveNew(bitmapID(s, k))
		if err != nil {
			return err
		}
		bm = createBitmap(m, fresh, k)
		markBits(m, bm, 0, 1, false)
		first = 2
	}
	markBits(m, bm, first, int(next)-k*PagesPerBitmap-first, false)
	var body [4]byte
	le.PutUint32(body[:], uint32(next))
	m.Apply(pg, redo.OpSpaceSize, body[:])
	setSearch(m, pg, min(h.search(), k))
	return nil
}

// createBitmap formats bitmap k: all its pages are in use.
func createBitmap(m *buffer.Mtr, fresh buffer.NewPage, k int) buffer.Page {
	pg := m.Create(fresh, pagefile.TypeSpaceBitmap)
	var body [4]byte
	le.PutUint32(body[:], uint32(k)*PagesPerBitmap)
	m.Apply(pg, redo.OpSpaceBitmap, body[:])
	return pg
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

// Prepare extends the file ahead of need when the page id, just allocated, is nearer to the space's
// end than half of what it grows by, so that the Alloc that needs the room finds the file long
// enough and does no I/O under its latches. It is a wish: what goes wrong here the Alloc will tell.
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

// FreeToken is a page in use that a mini-transaction is going to give back.
type FreeToken struct {
	header, bitmap buffer.Page
	no             base.PageNo
}

// ReserveFree reserves a page that m is going to take out of all structures.
func ReserveFree(m *buffer.Mtr, id base.PageID) (FreeToken, error) {
	pg, h, err := pinHeader(m, id.Space, buffer.Exclusive)
	if err != nil {
		return FreeToken{}, err
	}
	if ownPage(id.No) || id.No >= h.size() {
		return FreeToken{}, corrupt(id, "page to be freed is no ordinary page of a space of %d pages", h.size())
	}
	bm, b, err := pinBitmap(m, id.Space, bitmapOf(id.No), buffer.Exclusive)
	if err != nil {
		return FreeToken{}, err
	}
	if !b.inUse(int(id.No % PagesPerBitmap)) {
		return FreeToken{}, corrupt(id, "page to be freed is free already")
	}
	return FreeToken{pg, bm, id.No}, nil
}

// Free gives the page back. Its content is the caller's affair.
func Free(m *buffer.Mtr, t FreeToken) {
	k, bit := bitmapOf(t.no), int(t.no%PagesPerBitmap)
	markBits(m, t.bitmap, bit, 1, false)
	if k < header(t.header.Data()).search() && bitmap(t.bitmap.Data()).extentFree(bit/ExtentPages) == ExtentPages {
		setSearch(m, t.header, k)
	}
}
