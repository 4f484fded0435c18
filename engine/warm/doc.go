// Package warm brings the buffer pool back to what it held before a restart: it dumps the pool's
// LRU list to a file from time to time and at shutdown, and after a start it reads the listed
// pages, in large sorted reads beside the running queries, each to its own place in the LRU list.
//
// The list file, <datadir>/ib_buffer_pool (innodb_buffer_pool_filename). On disk; fixed. Integers
// are little-endian.
//
//	offset size
//	0      8    magic "EMBERLRU"
//	8      4    version, now 2; version 1 had no names
//	12     4    CRC-32C of the whole file without this field
//	16     16   server uuid of the writer
//	32     8    generation: 1 more than that of the list it replaces
//	40     8    creation time, Unix milliseconds
//	48     8    count
//	56     8    how many of the first ids stood in the young part
//	64     8*n  page ids, hot to cold: space << 32 | page
//	..          to the end of the file, the tables' names: space (4), length and bytes of the schema (2 + ..), of the name (2 + ..)
//
// Two generations are kept: the newest under its name, the one before with ".1" behind it. A dump
// writes a third file (".tmp"), syncs it, renames the newest to ".1" and the third to the name, and
// syncs the folder after each rename; so at any moment at least one good list is on disk once there
// was one. A start takes the newest file that verifies.
//
// A list is a wish: ids of pages or tablespaces that no longer exist are skipped quietly, so a list
// may travel to another copy of the data directory. A list with another server's uuid is mapped by
// the names of its tables (names.go), and refused with the reason when that yields nothing.
//
// Dumping (dump.go): LRU.Walk yields the ids in steps that hold the LRU mutex for microseconds;
// nothing is held across I/O. The last list is read again only if its header is not the one this
// server wrote. The file is synced a few MiB at a time, beside the redo log on the same device.
//
// Merging: the pool of a server that has just started knows less than the last list. Until a load
// has completed, or the pool has been full, and while a load runs, a dump is completed from the
// newest list on disk: the pool's ids first, in their order, then the list's other ids up to the
// pool's size. So a crash right after a start, or a shutdown in the middle of a load, loses
// nothing. An empty pool writes nothing. DumpPct is of the pool's size, not of what is in it: else
// a list would shrink with every restart.
//
// Loading (load.go): the list is cut into tiers (plan.go), hottest first: 1/16 of it, the next 1/4,
// the rest. Each tier's pages are sorted by space and page, and neighbours become reads of up to 1
// MiB, of which longer and shorter ones take turns. How wide a gap is read through, and how many
// pages of later tiers a short read takes along, follows from whether the device runs out of
// requests or of bytes (governor.go). A listed page that a query misses is read at once, by a
// goroutine of the load, among its neighbours; one that the query has to read itself takes its
// place, and its neighbourhood is read next. Alone, the load has as many reads in flight as keep
// the device busy. Beside queries it stays a tenth below the rate at which their reads begin to
// queue, which it finds out and follows, and has few bytes in flight; while it is listed pages that
// they wait for, it keeps up to nine tenths of what the device gives, less where a request brings
// few pages and queries know best which (governor.go, pace.go).
// When queries compute and hardly wait for pages, it takes a fifth of the processors, or more where
// many are idle (processor.go): a page costs more in clearing its memory than in reading. An
// aborted load goes on where it stopped.
//
// Redo: the load may begin as soon as redo is scanned. Pages whose redo must be looked up in the
// log are left to recovery, which brings them to their places in the LRU list and in its order; of
// the others the pool applies what they need where they enter, whoever reads them.
//
// Invariants:
//
//	(1) A list that does not verify is never used, and never keeps the server from starting.
//	(2) The newest good list is replaced only by a list that knows at least as much (merging), and
//	    only when the new one is durable.
//	(3) The load never evicts a page the pool holds that is hotter than what it brings; it stops
//	    when only such pages are left.
//	(4) A page is read by the load once: one that was evicted since is not brought back.
package warm
