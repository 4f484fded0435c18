// Package warm brings the buffer pool back to what it held before a restart: it dumps the pool's LRU list to a file from time to time and at
// shutdown, and after a start it reads the listed pages, in large sorted reads beside the running queries, each to its own place in the LRU list.
//
// The list file, <datadir>/ib_buffer_pool (innodb_buffer_pool_filename). On disk; fixed. Integers are little-endian.
//
//	offset size
//	0      8    magic "EMBERLRU"
//	8      4    version, now 1
//	12     4    CRC-32C of the whole file without this field
//	16     16   server uuid of the writer
//	32     8    generation: 1 more than that of the list it replaces
//	40     8    creation time, Unix milliseconds
//	48     8    count
//	56     8    how many of the first ids stood in the young part
//	64     8*n  page ids, hot to cold: space << 32 | page
//
// Two generations are kept: the newest under its name, the one before with ".1" behind it. A dump writes a third file (".tmp"), syncs it, renames
// the newest to ".1" and the third to the name, and syncs the folder after each rename; so at any moment at least one good list is on disk
// once there was one. A start takes the newest file that verifies.
//
// A list is a wish: ids of pages or tablespaces that no longer exist are skipped quietly, so a list may travel to another copy of the data directory.
//
// Dumping (dump.go): Pool.WalkLRU yields the ids in steps that hold the LRU mutex for microseconds; nothing is held across I/O.
//
// Merging: the pool of a server that has just started knows less than the last list. Until a load has completed, or the pool has been full, a dump is
// completed from the newest list on disk: the pool's ids first, in their order, then the list's other ids up to the pool's size. So a crash right after a start,
// or a shutdown in the middle of a load, loses nothing. An empty pool writes nothing.
//
// Loading (load.go): the list is cut into tiers, hottest first: 1/16 of it, the next 1/4, the rest. Each tier's pages are sorted by space and page, and
// neighbours, with gaps of a few pages, become reads of up to 1 MiB; pages of later tiers that lie inside a read come along. Several reads are
// in flight; their number grows while it brings throughput and shrinks while foreground reads take longer than they should (pace.go).
//
// Invariants:
//
//	(1) A list that does not verify is never used, and never keeps the server from starting.
//	(2) The newest good list is replaced only by a list that knows at least as much (merging), and only when the new one is durable.
//	(3) The load never evicts a page the pool holds that is hotter than what it brings; it stops when only such pages are left.
//
// Contract:
//
//	type Options struct{ Dir, Filename string; UUID [16]byte; DumpPct int; Interval time.Duration; NoDumpAtShutdown, NoLoadAtStart bool; ReadsInFlight int }
//	func New(pool *buffer.Pool, files *pagefile.Files, fs vfs.FS, o Options, logger *slog.Logger) *Manager
//	func (*Manager) Start()                        // the load, unless switched off, and the periodic dump
//	func (*Manager) DumpNow() error                // returns when the list is durable
//	func (*Manager) LoadNow() error                // starts a load; ErrLoading while one runs
//	func (*Manager) LoadAbort()
//	func (*Manager) WaitLoad(ctx) error            // until no load runs
//	func (*Manager) WaitWarm(ctx, pct int) error   // until pct of the list is in the pool, or no load runs
//	func (*Manager) Status() Status                // MySQL's status texts and the numbers behind them
//	func (*Manager) SetInterval, SetDumpPct, SetDumpAtShutdown, SetFilename
//	func (*Manager) Close(dump bool) error         // ends the load; dumps if asked to and not switched off
//	func ReadList(fs vfs.FS, path string) (*List, error)   // for inspectors, backup and replicas; (*List).Write
package warm
