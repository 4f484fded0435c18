package space

import (
	"math/bits"

	"emberdb/engine/buffer"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// A space gives its free end back in two steps, which may be far apart: Shrink takes the pages out
// of the space; Cut shortens the file, when redo from before Shrink is needed no more, for it may
// concern pages beyond the new end. A crash in between leaves a file that is longer than its space,
// which is harmless.
//
// Invariants of a cut:
//
//	(1) The checkpoint has passed Shrink: no redo concerns a page beyond the new end, no such page
//	    is dirty, and no crash brings the old size back.
//	(2) The header is held: no page is allocated behind the new end until the file has been cut.
//	    Who grows the space then finds its file short and makes it longer.
//	(3) The cut is not durable, and need not be. Bytes that come back have page LSNs from before
//	    Shrink; Alloc creates a page without reading it, and its redo begins with its creation, so
//	    neither they nor zeros are ever taken for its content. Copies in the doublewrite area of
//	    pages beyond the end are left there.

// Shrink makes the space end behind its last page in use, but not below least pages, rounded up to
// an extent. It returns the sizes before and after.
// REQUIRES: m holds nothing. A page beyond the new end may still be asked for, and read, by who has
// its number from before.
func Shrink(m *buffer.Mtr, s base.SpaceID, least base.PageNo) (before, after base.PageNo, err error) {
	pg, h, err := pinHeader(m, s, buffer.Exclusive)
	if err != nil {
		return 0, 0, err
	}
	before = h.size()
	end, err := lastUsed(m, s, before)
	if err != nil {
		return before, before, err
	}
	after = min((max(end+1, least)+ExtentPages-1)/ExtentPages*ExtentPages, before)
	if after == before {
		return before, after, nil
	}
	if first := int(after % PagesPerBitmap); first != 0 { // else the bitmap goes with its pages
		bm, _, err := pinBitmap(m, s, bitmapOf(after), buffer.Exclusive)
		if err != nil {
			return before, before, err
		}
		markBits(m, bm, first, int(min(before-after, PagesPerBitmap-base.PageNo(first))), true)
	}
	var body [4]byte
	le.PutUint32(body[:], uint32(after))
	m.Apply(pg, redo.OpSpaceSize, body[:])
	setSearch(m, pg, min(h.search(), bitmapOf(after-1)))
	return before, after, nil
}

// lastUsed finds the last page in use of a space of that size, bitmaps left out.
// REQUIRES: the header is held exclusively.
func lastUsed(m *buffer.Mtr, s base.SpaceID, size base.PageNo) (base.PageNo, error) {
	for k := bitmaps(size) - 1; k >= 0; k-- {
		bm, b, err := pinBitmap(m, s, k, buffer.Exclusive)
		if err != nil {
			return 0, err
		}
		n := min(int(size)-k*PagesPerBitmap, PagesPerBitmap)
		for e := (n - 1) / ExtentPages; e >= 0; e-- {
			w := b.word(e)
			if rest := n - e*ExtentPages; rest < ExtentPages {
				w &= 1<<rest - 1
			}
			if e == 0 {
				w &^= 2 // the bitmap itself
			}
			if w != 0 {
				return base.PageNo(k*PagesPerBitmap + e*ExtentPages + bits.Len64(w) - 1), nil
			}
		}
		m.Release(bm)
	}
	return 0, nil
}

const cutStep = 128 * ExtentPages // so that the header is not held for long

// Cut makes the file as long as the space, in steps.
// REQUIRES: the redo of every Shrink so far lies before the checkpoint; no page latch is held.
func Cut(pool *buffer.Pool, s base.SpaceID) error {
	for {
		more, err := cut(pool, s)
		if err != nil || !more {
			return err
		}
	}
}

func cut(pool *buffer.Pool, s base.SpaceID) (more bool, err error) {
	m := pool.BeginRead()
	defer m.Commit()
	_, h, err := pinHeader(m, s, buffer.Shared) // keeps the space from growing
	if err != nil {
		return false, err
	}
	have, err := pool.Files().Pages(s)
	if err != nil || have <= h.size() {
		return false, err
	}
	to := max(h.size(), have-min(have, cutStep))
	return to > h.size(), pool.Files().Shorten(s, to)
}
