// Package buffer is the buffer pool: which page is in memory, pins, latches, the LRU and flush
// lists, the page cleaner, and the mini-transaction through which all pages are read and changed.
//
// Layers. Each is a type with its own mutex and state. It knows the layers below, none above:
//
//	Mtr        pins, latches, changes and logs pages: all that a query sees       mtr.go
//	Recovery   redo of pages that no query asks for; the checkpoint's floor       redo.go, lend.go
//	Reader     owns misses: brings pages through Source (redo) and Load (places)  read.go, readahead.go, load.go
//	Flusher    dirty pages by age, the cleaner; hands out frames                  flush.go, cleaner.go, pace.go, park.go, trace.go
//	LRU        pages by heat, free frames, eviction                               lru.go, walk.go, evict.go
//	frames     memory, states, pins, latches, page table                          layout.go, shared.go, frame.go, table.go
//
// Pool puts them together, and does what needs several: Resize, DropSpace, Stats. A pin looks the
// page up in the frames, and asks the Reader if it is absent; whether redo is pending, or a list of
// pages is being loaded, is the Reader's business alone.
//
// Frames are one off-heap mapping (page-aligned, O_DIRECT ready); the state that may outlive the
// process (page id, version, list links, flags, list heads) is in flat off-heap arrays linked by
// index, laid out in one place (layout.go), without Go pointers. The mapping is private, or a file
// in memory that another process takes over later (shared.go, attach.go). What is meaningful only
// inside one process (latch, pin count) is in a second, on-heap, pointer-free array (frame.go).
//
// Page table: sharded; a hit takes no mutex: it follows the chain with atomic loads, pins what it
// finds and verifies the identity. LRU: midpoint insertion (innodb_old_blocks_pct 37,
// innodb_old_blocks_time 1000 ms); a page is moved to the young end only when it has sunk below a
// quarter of the young part. Flush list: dirty pages in the order of their oldest LSN, entered
// under the log's append mutex (redo.Append's onAppend), so its tail is exact.
//
// Reading: two callers of one page share one I/O (the frame is entered X-latched in state
// "reading"; the others wait on its latch). Source.OnRead is called on each page that comes from
// disk before anyone sees it: recovery applies redo there.
//
// Cleaner (cleaner.go, pace.go): copies a page under its S latch into an aligned batch buffer,
// takes it off the flush list into the in-flight set, releases the latch, waits for redo up to the
// highest LSN of the batch, writes the batch through pagefile.WriteBatch. No latch is held across
// I/O. The pin stays until the write is done. It never waits for a page latch.
//
// Invariants:
//
//	(1) A page's bytes change only inside Mtr.Apply, under its X latch, or before anybody but the
//	    reader sees the page.
//	(2) A frame in the flush list or in flight is not evicted; a pinned frame is not evicted and
//	    keeps its identity.
//	(3) oldest(flush list + in flight) is a valid checkpoint: every change before it is on disk.
//	    Flusher.OldestDirty returns it; Recovery.SetFloor lowers it while recovery is unfinished.
//	(4) redo is durable up to a page's LSN before the page is written.
//	(5) Nobody waits for the log's room or a row lock while holding a page latch: Begin waits for
//	    log room; a mini-transaction begun inside another (BeginNested) does not wait. Waiting
//	    for a frame while holding latches is allowed, because the cleaner never waits for a
//	    latch.
//	(6) Background reads never wait for a frame, and yield to foreground reads: read-ahead uses
//	    at most the read slots the foreground leaves, the list load is paced by the foreground's
//	    latency (warm).
//	(7) A frame's version is 0 from before the first byte of a resident page changes until the
//	    page carries the LSN of the change. A process may end at any instruction: a frame with
//	    another version holds that version, whole.
//	(8) A failed page write, or redo that cannot be applied, enters base.Failure, which the pool
//	    shares with the log. After it nothing is written any more; exclusive Pins of writers,
//	    Flusher.UpTo and Commit return base.ErrFailed; changed pages stay in memory. Reading goes
//	    on.
//
// Latch order: docs/latches.md. The mutexes of the small maps that it does not name (damaged,
// trace, a load's) are leaves. No page latch is waited for under a mutex.
package buffer
