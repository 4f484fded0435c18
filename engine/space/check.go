package space

import (
	"fmt"
	"iter"
	"math/bits"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/internal/base"
)

// Stats tells how a space is used.
type Stats struct {
	Size        base.PageNo // pages of the file
	Used        base.PageNo // pages in use, header and bitmaps included
	FreeExtents int         // wholly free extents
	Changed     base.LSN    // of the last change of the map: as long as it stays, no page was taken, freed or cut off
}

// Usage counts the pages of a space.
func Usage(m *buffer.Mtr, s base.SpaceID) (Stats, error) {
	pg, h, err := pinHeader(m, s, buffer.Shared)
	if err != nil {
		return Stats{}, err
	}
	defer m.Release(pg)
	st := Stats{Size: h.size(), Used: h.size(), Changed: pagefile.LSN(pg.Data())}
	for k := range bitmaps(h.size()) {
		bm, b, err := pinBitmap(m, s, k, buffer.Shared)
		if err != nil {
			return Stats{}, err
		}
		st.Used -= base.PageNo(b.free())
		st.FreeExtents += b.freeExtents()
		st.Changed = max(st.Changed, pagefile.LSN(bm.Data()))
		m.Release(bm)
	}
	return st, nil
}

// PageSet is a set of pages of one space.
type PageSet struct{ words []uint64 }

// Add puts a page into the set and tells whether it was not there before.
func (s *PageSet) Add(no base.PageNo) bool {
	i := int(no / 64)
	if i >= len(s.words) {
		s.words = append(s.words, make([]uint64, i+1-len(s.words))...)
	}
	bit := uint64(1) << (no % 64)
	fresh := s.words[i]&bit == 0
	s.words[i] |= bit
	return fresh
}

// Has tells whether the page is in the set.
func (s *PageSet) Has(no base.PageNo) bool {
	i := int(no / 64)
	return i < len(s.words) && s.words[i]>>(no%64)&1 != 0
}

// Len counts the pages of the set.
func (s *PageSet) Len() (n int) {
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Merge adds the pages of o.
func (s *PageSet) Merge(o *PageSet) {
	if n := len(o.words) - len(s.words); n > 0 {
		s.words = append(s.words, make([]uint64, n)...)
	}
	for i, w := range o.words {
		s.words[i] |= w
	}
}

// All yields the pages of the set in order.
func (s *PageSet) All() iter.Seq[base.PageNo] {
	return func(yield func(base.PageNo) bool) {
		for i, w := range s.words {
			for ; w != 0; w &= w - 1 {
				if !yield(base.PageNo(64*i + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// Used returns the pages in use, without header and bitmaps.
func Used(m *buffer.Mtr, s base.SpaceID) (set PageSet, err error) {
	pg, h, err := pinHeader(m, s, buffer.Shared)
	if err != nil {
		return set, err
	}
	defer m.Release(pg)
	for k := range bitmaps(h.size()) {
		bm, b, err := pinBitmap(m, s, k, buffer.Shared)
		if err != nil {
			return set, err
		}
		for i := range extentsPerBitmap * ExtentPages {
			if no := b.first() + base.PageNo(i); no < h.size() && b.inUse(i) && !ownPage(no) {
				set.Add(no)
			}
		}
		m.Release(bm)
	}
	return set, nil
}

// OwnPages yields the pages of a space of that size that describe it: header and bitmaps.
func OwnPages(size base.PageNo) iter.Seq[base.PageNo] {
	return func(yield func(base.PageNo) bool) {
		if !yield(0) {
			return
		}
		for k := range bitmaps(size) {
			if !yield(bitmapPage(k)) {
				return
			}
		}
	}
}

// Check compares the bitmaps of a space with the pages its structures reach, and the counts with
// the bits.
// REQUIRES: nobody allocates or frees in the space since reachable was gathered.
func Check(pool *buffer.Pool, s base.SpaceID, reachable *PageSet) error {
	m := pool.BeginRead()
	defer m.Commit()
	pg, h, err := pinHeader(m, s, buffer.Shared)
	if err != nil {
		return err
	}
	defer m.Release(pg)
	for i := range h.roots() {
		if no := h.root(i); no >= h.size() || ownPage(no) {
			return corrupt(headerID(s), "root %d of %d pages", no, h.size())
		}
	}
	for k := range bitmaps(h.size()) {
		if err := checkBitmap(m, s, k, h.size(), reachable); err != nil {
			return err
		}
	}
	return nil
}

func checkBitmap(m *buffer.Mtr, s base.SpaceID, k int, size base.PageNo, reachable *PageSet) error {
	pg, b, err := pinBitmap(m, s, k, buffer.Shared)
	if err != nil {
		return err
	}
	defer m.Release(pg)
	free, freeExtents := 0, 0
	for e := range extentsPerBitmap {
		have := ExtentPages - bits.OnesCount64(b.word(e))
		if have != b.extentFree(e) {
			return corrupt(bitmapID(s, k), "extent %d counts %d free pages and has %d", e, b.extentFree(e), have)
		}
		free += have
		if have == ExtentPages {
			freeExtents++
		}
		for i := range ExtentPages {
			no := b.first() + base.PageNo(e*ExtentPages+i)
			if err := checkPage(s, no, size, b.inUse(e*ExtentPages+i), reachable); err != nil {
				return err
			}
		}
	}
	if free != b.free() || freeExtents != b.freeExtents() {
		return corrupt(bitmapID(s, k), "counts %d free pages, %d extents; has %d, %d", b.free(), b.freeExtents(), free, freeExtents)
	}
	return nil
}

func checkPage(s base.SpaceID, no, size base.PageNo, used bool, reachable *PageSet) error {
	id := base.PageID{Space: s, No: no}
	want := no >= size || ownPage(no) || reachable.Has(no)
	switch {
	case used == want:
		return nil
	case no >= size:
		return corrupt(id, "page beyond the size of %d pages is marked free", size)
	case used:
		return corrupt(id, "page is marked in use and nothing reaches it")
	}
	return corrupt(id, "page is reached and marked free")
}

// String is for messages.
func (s Stats) String() string {
	return fmt.Sprintf("%d of %d pages used, %d extents free", s.Used, s.Size, s.FreeExtents)
}
