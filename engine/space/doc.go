// Package space allocates the pages of one tablespace.
//
// Page 0 is the space header: size in pages, auto-increment counter, table id, roots of the trees (index id -> root page).
// Bitmap pages stand at page 1 and then every PagesPerBitmap pages; a set bit is a page in use or beyond the end. An extent is 64 pages (1 MiB).
// The layouts stand in format.go.
//
// Alloc(hint) takes, in this order: the nearest free page of the hint's extent; in a space of one extent, any free page; the first page of a wholly
// free extent, near the hint, then anywhere; any free page near the hint if such scattered pages exceed an eighth and eight extents; pages new to the file. The file doubles up to 1 MiB,
// then grows by a sixteenth, 1 MiB at least and 16 MiB at most. On a full disk any free page anywhere is taken.
// So the leaves of each tree sit in extents of their own, and a sequential load reads neighbours.
//
// Latch order: a space's header and bitmap pages are latched after any tree, undo or overflow page (lowest page rung); header before bitmap. ReserveAlloc and ReserveFree keep the header
// X-latched until the mini-transaction's Commit: pin everything else before, and reserve pages to be allocated before those to be freed. Growing the file
// works under this latch, in a mini-transaction of its own, where nobody called Prepare in time; the steps make it rare.
//
// Contract:
//
//	func Create(pool, id base.SpaceID, table base.TableID) error                     // formats page 0 and 1; the file exists with at least MinPages pages
//	func ReserveAlloc(m *buffer.Mtr, s base.SpaceID, hint base.PageNo) (AllocToken, error); ReserveAllocs(m, s, tokens, hint func(i)) error
//	func Alloc(m, *AllocToken, t pagefile.PageType) buffer.Page                       // X-latched, initialised
//	func ReserveFree(m, p base.PageID) (FreeToken, error)
//	func Free(m, FreeToken)                                   // the page's content is the caller's affair
//	func Prepare(pool, p base.PageID)                         // after an Alloc of p, without latches: extends the file ahead of need
//	func Shrink(m, s, least) (before, after base.PageNo, err error); Cut(pool, s) error  // the free end is given back, see shrink.go
//	func Root(m, s, index) (base.PageNo, error) (base.ErrNotFound); Roots(m, s) (map, error)
//	func ReserveRoots(m, s, n) (RootsToken, error); SetRoot(m, RootsToken, index, page); DropRoot(m, RootsToken, index)
//	func AutoInc(m, s) (uint64, error); SetAutoInc(m, s, v)   // raises it; ResetAutoInc(m, s, v) sets it
//	func Table(m, s) (base.TableID, error)
//	func Usage(m, s) (Stats: size, used, free extents, LSN of the map)
//	func Check(pool, s, reachable *PageSet) error; OwnPages(size) (header and bitmaps)
//	func ViewHeader(page), ViewBitmap(page), Dump(w, page)    // for inspectors: pages read beside the pool
package space
