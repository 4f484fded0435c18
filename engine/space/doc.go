// Package space allocates the pages of one tablespace.
//
// Page 0 is the space header: size in pages, auto-increment counter, table id, roots of the trees
// (index id -> root page). Bitmap pages stand at page 1 and then every PagesPerBitmap pages; a set
// bit is a page in use or beyond the end. An extent is 64 pages (1 MiB). The layouts stand in
// format.go.
//
// Alloc(hint) takes, in this order: the nearest free page of the hint's extent; in a space of one
// extent, any free page; the first page of a wholly free extent, near the hint, then anywhere; any
// free page near the hint, or of the last bitmap, if such scattered pages exceed an eighth there and
// eight extents; pages new to the file. So a file wastes no more than an eighth, wherever the hints
// point. The file doubles up to 1 MiB, then grows by a sixteenth, 1 MiB at least and 16 MiB at
// most. On a full disk any free page anywhere is taken. So the leaves of each tree sit in extents
// of their own, and a sequential load reads neighbours.
//
// Latch order: a space's header and bitmap pages are latched after any tree, undo or overflow page
// (lowest page rung); header before bitmap. ReserveAlloc and ReserveFree keep the header X-latched
// until the mini-transaction's Commit: pin everything else before, and reserve pages to be
// allocated before those to be freed. Growing the file works under this latch, in a
// mini-transaction of its own, where nobody called Prepare in time; the steps make it rare.
package space
