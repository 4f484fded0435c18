// Package buffer is the buffer pool: which page is in memory, pins, latches, the LRU and flush lists, the page cleaner, and the
// mini-transaction through which all pages are read and changed.
//
// Frames are one off-heap mapping (page-aligned, O_DIRECT ready); the state that must survive the process (page id, list links, oldest LSN, flags, list heads) is in flat
// off-heap arrays linked by index, laid out in one place (layout.go), without Go pointers, so that the whole pool can live in a shared memory segment.
// What is meaningful only inside one process (latch, pin count, waiters) is in a second, on-heap, pointer-free array.
//
// Page table: sharded; a hit costs a hash, one shard read-lock and an atomic pin.
// LRU: midpoint insertion (innodb_old_blocks_pct 37, innodb_old_blocks_time 1000 ms); a page is moved to the young end only when it has sunk below a quarter of the young part.
// Flush list: dirty pages in the order of their oldest LSN, entered under the log's append mutex (redo.Append's onAppend), so its tail is exact.
//
// Reading: two callers of one page share one I/O (the frame is entered X-latched in state "reading"; the others wait on its latch).
// OnRead is called on each page that comes from disk before anyone sees it: recovery applies redo there.
//
// Cleaner: copies a page under its S latch into an aligned batch buffer, takes it off the flush list into the in-flight set, releases the latch, waits for redo up to the
// highest LSN of the batch, writes the batch through pagefile.WriteBatch. No latch is held across I/O. The pin stays until the write is done.
//
// Invariants:
//
//	(1) A page's bytes change only inside Mtr.Apply, under its X latch.
//	(2) A frame in the flush list or in flight is not evicted; a pinned frame is not evicted.
//	(3) oldest(flush list + in flight) is a valid checkpoint: every change before it is on disk. OldestDirty() returns it; RecoveryFloor lowers it while recovery is unfinished.
//	(4) redo is durable up to a page's LSN before the page is written.
//	(5) Nobody waits for the log's room, a row lock or the free list's refill by others' latches while holding a page latch:
//	    Begin waits for log room; a mini-transaction begun inside another (BeginNested) does not wait.
//	(6) Background reads (list load, read-ahead) yield to foreground reads: they use at most the read slots the foreground leaves.
//
// Latch order: see docs/latches.md. Within this room: page latch > log append mutex > flush list mutex; page table shard > LRU mutex; no page latch is waited for under a shard or list mutex.
//
// Contract:
//
//	type Options struct{ Frames int; Files *pagefile.Files; Log *redo.Log; OnRead func(id base.PageID, page []byte) (oldest base.LSN, err error); OldPct int; OldTime time.Duration; IOCapacity int; ReadAheadThreshold int ... }
//	func New(o Options) (*Pool, error)
//	func (*Pool) Begin() *Mtr              // waits for log room; REQUIRES: no page latch held
//	func (*Pool) BeginNested() *Mtr        // inside another mini-transaction: never waits
//	func (*Pool) BeginRead() *Mtr          // will only read: no wait for log room; Apply panics
//
//	type Mode uint8 // Shared, Exclusive
//	type Page struct{ ... }                // handle of a pinned, latched frame; a small value
//	func (Page) ID() base.PageID;  func (Page) Data() []byte;  func (Page) LSN() base.LSN;  func (Page) Mode() Mode; func (Page) Valid() bool
//	func (*Mtr) Pin(id base.PageID, mode Mode) (Page, error)        // read if absent, pin, latch; remembered until Commit or Release
//	func (*Mtr) TryPin(id, mode) (Page, bool, error)                // does not wait for the latch
//	func (*Mtr) Create(id base.PageID, t pagefile.PageType) (Page, error) // X-latched zeroed page, not read from disk; logs OpInitPage
//	func (*Mtr) Release(p Page)                                     // early release of a page this mini-transaction has not changed
//	func (*Mtr) Apply(p Page, op redo.Op, body ...[]byte)           // change + log: runs the op's apply function on the page; REQUIRES: X latch; panics when apply fails (a bug)
//	func (*Mtr) Log(op redo.Op, body ...[]byte)                     // a record without a page
//	func (*Mtr) Commit() base.LSN                                   // append, stamp LSNs, flush list, release all; returns the end LSN (0 when nothing was logged)
//	func (*Mtr) Changed() bool
//
//	func (*Pool) Prefetch(first base.PageID, n int, rank ...)       // background read of a run
//	func (*Pool) FlushUpTo(lsn base.LSN) error; FlushAll() error; DropSpace(space) // forget its pages without writing
//	func (*Pool) OldestDirty() base.LSN
//	func (*Pool) Resize(frames int) error
//	func (*Pool) WalkLRU(yield func(ids []base.PageID, oldFrom int) bool)  // hot to cold, in short latched steps
//	func (*Pool) Place(id base.PageID, page []byte, rank) ...       // warm load: enter a page read by the caller at its place in the LRU
//	func (*Pool) Close() error; Stats() Stats                       // the Innodb_buffer_pool_* numbers, true
package buffer
