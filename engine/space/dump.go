package space

import (
	"fmt"
	"io"

	"emberdb/engine/pagefile"
	"emberdb/internal/base"
)

// What inspectors see of pages that were read beside the pool.

// HeaderView is a decoded space header.
type HeaderView struct {
	Table   base.TableID `json:"table"`
	AutoInc uint64       `json:"auto_inc"`
	Size    base.PageNo  `json:"size"` // pages of the file
	Search  int          `json:"search"`
	Roots   []RootView   `json:"roots"`
}

// RootView is one entry of the roots.
type RootView struct {
	Index base.IndexID `json:"index"`
	Page  base.PageNo  `json:"page"`
}

// ViewHeader decodes a space header.
func ViewHeader(page []byte) (v HeaderView, err error) {
	if t := pagefile.Type(page); t != pagefile.TypeSpaceHeader {
		return v, fmt.Errorf("page of type %q where a space header is expected", t)
	}
	h := header(page)
	if h.roots() > maxRoots {
		return v, fmt.Errorf("space header with %d roots, at most %d fit", h.roots(), maxRoots)
	}
	v = HeaderView{Table: h.table(), AutoInc: h.autoInc(), Size: h.size(), Search: h.search()}
	for i := range h.roots() {
		v.Roots = append(v.Roots, RootView{base.IndexID(le.Uint64(h[hdrFirst+i*rootSize:])), h.root(i)})
	}
	return v, nil
}

// Root returns the root page of a tree.
func (v HeaderView) Root(index base.IndexID) (base.PageNo, bool) {
	for _, r := range v.Roots {
		if r.Index == index {
			return r.Page, true
		}
	}
	return 0, false
}

// BitmapView is a decoded bitmap page.
type BitmapView struct{ b bitmap }

// ViewBitmap returns the view of a bitmap page.
func ViewBitmap(page []byte) (BitmapView, error) {
	if t := pagefile.Type(page); t != pagefile.TypeSpaceBitmap {
		return BitmapView{}, fmt.Errorf("page of type %q where a space bitmap is expected", t)
	}
	return BitmapView{bitmap(page)}, nil
}

// First is the first page described.
func (v BitmapView) First() base.PageNo { return v.b.first() }

// Free and FreeExtents are the counters of the page.
func (v BitmapView) Free() int        { return v.b.free() }
func (v BitmapView) FreeExtents() int { return v.b.freeExtents() }

// ExtentFree is the counter of free pages of extent e, counted from First.
func (v BitmapView) ExtentFree(e int) int { return v.b.extentFree(e) }

// InUse tells whether the page's bit is set. Pages it does not describe are not in use.
func (v BitmapView) InUse(no base.PageNo) bool {
	return no >= v.First() && no-v.First() < PagesPerBitmap && v.b.inUse(int(no-v.First()))
}

// Dump writes a picture of a header or bitmap page.
func Dump(w io.Writer, page []byte) error {
	if pagefile.Type(page) == pagefile.TypeSpaceHeader {
		v, err := ViewHeader(page)
		if err != nil {
			_, err = fmt.Fprintf(w, "damaged: %v\n", err)
			return err
		}
		_, err = fmt.Fprintf(w, "table %d auto-increment %d size %d pages search from bitmap %d roots %d\n", v.Table, v.AutoInc, v.Size, v.Search, len(v.Roots))
		for _, r := range v.Roots {
			if err == nil {
				_, err = fmt.Fprintf(w, "  index %d root %d\n", r.Index, r.Page)
			}
		}
		return err
	}
	v, err := ViewBitmap(page)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(w, "pages from %d, %d free, %d extents wholly free\n", v.First(), v.Free(), v.FreeExtents()); err != nil {
		return err
	}
	return v.draw(w, v.First()+PagesPerBitmap, true)
}

// Map writes the extents below size that have pages in use: one character a page, # in use, . free.
func (v BitmapView) Map(w io.Writer, size base.PageNo) error { return v.draw(w, size, false) }

// draw is Map; mixed leaves out extents that are wholly in use, among them those beyond the end of
// the file.
func (v BitmapView) draw(w io.Writer, size base.PageNo, mixed bool) error {
	for e := range extentsPerBitmap {
		first := v.First() + base.PageNo(e*ExtentPages)
		if first >= size || v.b.word(e) == 0 || mixed && v.b.word(e) == ^uint64(0) {
			continue
		}
		line := make([]byte, 0, ExtentPages)
		for i := range min(ExtentPages, int(size-first)) {
			if v.b.inUse(e*ExtentPages + i) {
				line = append(line, '#')
			} else {
				line = append(line, '.')
			}
		}
		if _, err := fmt.Fprintf(w, "  %8d %s\n", first, line); err != nil {
			return err
		}
	}
	return nil
}
