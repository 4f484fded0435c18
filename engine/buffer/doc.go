// Package buffer is the buffer pool: which page is in memory, pins, latches, the LRU and flush lists, the page cleaner, and the
// mini-transaction through which all pages are read and changed.
//
// Frames are one off-heap mapping (page-aligned, O_DIRECT ready); the state that must survive the process (page id, list links, oldest LSN, flags, list heads) is in flat
// off-heap arrays linked by index, laid out in one place (layout.go), without Go pointers, so that the whole pool can live in a shared memory segment.
// What is meaningful only inside one process (latch, pin count) is in a second, on-heap, pointer-free array (frame.go).
//
// Page table (table.go): sharded; a hit takes no mutex: it follows the chain with atomic loads, pins what it finds and verifies the identity.
// LRU (lru.go): midpoint insertion (innodb_old_blocks_pct 37, innodb_old_blocks_time 1000 ms); a page is moved to the young end only when it has sunk below a quarter of the young part.
// Flush list (flush.go): dirty pages in the order of their oldest LSN, entered under the log's append mutex (redo.Append's onAppend), so its tail is exact.
//
// Reading (read.go): two callers of one page share one I/O (the frame is entered X-latched in state "reading"; the others wait on its latch).
// OnRead is called on each page that comes from disk before anyone sees it: recovery applies redo there.
//
// Cleaner (cleaner.go, pace.go): copies a page under its S latch into an aligned batch buffer, takes it off the flush list into the in-flight set, releases the latch, waits for redo up to the
// highest LSN of the batch, writes the batch through pagefile.WriteBatch. No latch is held across I/O. The pin stays until the write is done. It never waits for a page latch.
//
// Invariants:
//
//	(1) A page's bytes change only inside Mtr.Apply, under its X latch, or before anybody but the reader sees the page.
//	(2) A frame in the flush list or in flight is not evicted; a pinned frame is not evicted and keeps its identity.
//	(3) oldest(flush list + in flight) is a valid checkpoint: every change before it is on disk. OldestDirty() returns it; SetRecoveryFloor lowers it while recovery is unfinished.
//	(4) redo is durable up to a page's LSN before the page is written.
//	(5) Nobody waits for the log's room or a row lock while holding a page latch: Begin waits for log room; a mini-transaction begun inside another (BeginNested) does not wait.
//	    Waiting for a frame while holding latches is allowed, because the cleaner never waits for a latch.
//	(6) Background reads never wait for a frame, and yield to foreground reads: read-ahead uses at most the read slots the foreground leaves, the list load
//	    is paced by the foreground's latency (warm).
//	(7) A failed page write, or redo that cannot be applied, enters base.Failure, which the pool shares with the log. After it nothing is written
//	    any more; exclusive Pins of writers, FlushUpTo and Commit return base.ErrFailed; changed pages stay in memory. Reading goes on.
//
// Latch order: see docs/latches.md. Within this room: page latch > log append mutex > flush list mutex > LRU mutex; page table shard mutex and the mutexes of the
// small maps (dropped, damaged) are leaves but for dropped under a shard. No page latch is waited for under a mutex.
//
// Contract:
//
//	type Options struct{ Frames, MaxFrames int; Files *pagefile.Files; Log *redo.Log; OnRead func(id base.PageID, page []byte) (oldest base.LSN, err error); Pending func(id) Pending;
//	                     OldPct int; OldTime time.Duration; IOCapacity, IOCapacityMax, MaxDirtyPct, LRUScanDepth, ReadAheadThreshold, ReadSlots int; HugePages bool; Logger *slog.Logger }
//	func New(o Options) (*Pool, error)
//	func (*Pool) Begin() *Mtr              // waits for log room (none: the first exclusive Pin tells why); REQUIRES: no page latch held
//	func (*Pool) BeginNested() *Mtr        // inside another mini-transaction: never waits
//	func (*Pool) BeginRead() *Mtr          // will only read: no wait for log room; Apply panics
//
//	type Mode uint8 // Shared, Exclusive
//	type Page struct{ ... }                // handle of a pinned, latched frame; a small value
//	func (Page) ID() base.PageID;  func (Page) Data() []byte;  func (Page) LSN() base.LSN;  func (Page) Mode() Mode; func (Page) Valid() bool
//	func (*Mtr) Pin(id base.PageID, mode Mode) (Page, error)        // read if absent, pin, latch; remembered until Commit or Release. A page held already is returned again (X after S panics)
//	func (*Mtr) TryPin(id, mode) (Page, bool, error)                // does not wait for the latch
//	func (*Mtr) ReserveNew(id) (NewPage, error)                     // a frame for a page that is to be made, not read from disk; Unreserve(NewPage)
//	func (*Mtr) Create(NewPage, t pagefile.PageType) Page           // X-latched zeroed page; logs OpInitPage. Like Apply it cannot fail, and what can fail comes before
//	func (*Mtr) Release(p Page)                                     // undoes one Pin; panics for the last one of a page this mini-transaction has changed
//	func (*Mtr) Apply(p Page, op redo.Op, body ...[]byte)           // change + log: runs the op's apply function on the page; REQUIRES: X latch; panics when apply fails (a bug)
//	func (*Mtr) WriteBytes(p Page, off int, b []byte)               // Apply of OpWriteBytes
//	func (*Mtr) Log(op redo.Op, body ...[]byte)                     // a record without a page; LogSpace(op, space, body...) with a space
//	func (*Mtr) Commit() (end base.LSN, err error)                  // append, stamp LSNs, flush list, release all; returns the group's end (0 when nothing was logged),
//	                                                                // or why the log refuses it: then the engine has failed
//	func (*Mtr) Changed() bool;  func (*Mtr) LogSize() int (keep it below redo.Log.MaxGroup);  func (*Mtr) Pool() *Pool
//
//	func (*Pool) Prefetch(first base.PageID, n int)                 // background read of a run; a wish
//	func (*Pool) FlushUpTo(lsn base.LSN) error; FlushAll() error; WakeCleaner()
//	func (*Pool) DropSpace(spaces...)                               // forget their pages without writing; call before the files are removed
//	func (*Pool) OldestDirty() base.LSN
//	func (*Pool) SetRecoveryFloor(lsn); Redo(id), RedoResident(id), RedoRun(first, n) error; FlushRecovered() error; SetOnRead(fn)     // recovery
//	func (*Pool) Lend(n int) *Loan                                  // free frames as plain memory: (*Loan) Pages() int; Page(i) []byte; Enter(i, id) error makes it that page; Keep(n) gives the others back
//	func (*Pool) WriteSoon(ids)                                     // hot pages, so that their redo stays short
//	func (*Pool) Resize(frames int) error; Frames() int
//	func (*Pool) SetOldBlocks, SetIOCapacity, SetMaxDirtyPct, SetMaxAge(bytes), SetReadAheadThreshold     // while running
//	func (*Pool) WalkLRU(yield func(ids []base.PageID, old, late bool) bool)  // hot to cold, in short latched steps
//	func (*Pool) NewLoad(n, young int, missed func(id) int, pull func(id) bool) *Load // warm load: (*Load) Begin(), End(); Read(first, ranks) reads a run and puts its pages at their places in the LRU list by rank
//	func (*Pool) Resident(id) bool; Peek(id, fn) bool                // look without an access; WaitReads() until no read is under way that was at the call
//	func (*Pool) Close() error; Stats() Stats        // the Innodb_buffer_pool_* numbers, true
package buffer
