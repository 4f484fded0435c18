// Package space allocates the pages of one tablespace.
//
// Page 0 is the space header: size in pages, high-water mark, auto-increment counter, table id, roots of the trees (index id -> root page).
// Bitmap pages stand at page 1 and then every PagesPerBitmap pages; a set bit is a page in use. An extent is 64 pages (1 MiB).
// Alloc(hint) takes, in this order: the nearest free page of the hint's extent; the first page of a wholly free extent; any free page;
// a page beyond the high-water mark (the file grows by 1 page up to 32 pages, then by 1 MiB, then by 4 MiB steps, fallocate outside of any latch where possible).
// So the leaves of each tree sit in extents of their own, and a sequential load reads neighbours.
//
// Latch order: a space's header and bitmap pages are latched after any tree, undo or overflow page (lowest page rung); header before bitmap.
//
// Contract:
//
//	func Create(m *buffer.Mtr, id base.SpaceID, table base.TableID) error            // formats page 0 and 1
//	func Alloc(m *buffer.Mtr, s base.SpaceID, hint base.PageNo, t pagefile.PageType) (buffer.Page, error)  // X-latched, initialised
//	func Free(m *buffer.Mtr, p base.PageID) error
//	func Root(m, s, index) (base.PageNo, error); SetRoot; DropRoot
//	func AutoInc(m, s) (uint64, error); SetAutoInc(m, s, v)   // only ever raised
//	func Usage(m, s) (Stats: size, used, free extents)
//	func Check(pool, s, reachable set) error
package space
