package buffer

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The page cleaner: one goroutine that writes all dirty pages, in batches. For a batch it
//
//	collects  candidates from the tail of the flush list, the recovered list or the LRU list, and pins them
//	copies    each under its S latch into the batch buffer, moving it from the flush list to the set in flight
//	waits     for redo up to the highest LSN of the batch
//	writes    the batch by pagefile.WriteBatch (doublewrite, neighbours together), notes that in the log, then lets go of the pins
//
// It never waits for a page latch (a page whose latch is taken is left for the next batch), because
// the holder may be waiting for a frame that only the cleaner can free. So whoever waits for the
// cleaner may hold pages, unless it waits for these very pages. A page that is always taken
// (writers queue for it) is waited for by a goroutine of its own: see park.go.
const (
	batchPages  = 128
	latchTries  = 16
	roundBusy   = 50 * time.Millisecond // pace of the rounds while there is something to do
	roundIdle   = time.Second
	retryBusy   = 200 * time.Microsecond // wait when every candidate was latched by others
	freshenSpan = 1024                   // frames freed in one go before the flushing goes on
)

type flushItem struct {
	id  base.PageID
	ref frameRef
}

type cleaner struct {
	f        *Flusher
	kick     chan struct{}
	quit     chan struct{}
	finished sync.WaitGroup
	lowFree  atomic.Bool // the free list has been below half its target
	pace     pace

	targetMu sync.Mutex
	targets  []base.LSN    // of those who wait in awaitFlush
	asked    []base.PageID // by WriteSoon

	// Owned by the goroutine.
	buf    []byte // batchPages pages, aligned
	items  []flushItem
	ids    []base.PageID
	pages  [][]byte
	refs   []frameRef
	copied int              // pages in buf
	taken  map[frameRef]int // how often in a row a candidate's latch was taken

	parking sync.WaitGroup
}

func (c *cleaner) init(f *Flusher, o Options) (err error) {
	c.f = f
	if c.buf, err = vfs.MapBlock(batchPages * base.PageSize); err != nil {
		return err
	}
	c.kick = make(chan struct{}, 1)
	c.quit = make(chan struct{})
	c.taken = make(map[frameRef]int)
	c.pace.init(o)
	return nil
}

func (c *cleaner) start() {
	c.finished.Add(1)
	go c.run()
}

func (c *cleaner) stop() {
	close(c.quit)
	c.finished.Wait()
	c.parking.Wait()
	vfs.UnmapBlock(c.buf)
}

// wake starts a round at once.
func (c *cleaner) wake() {
	select {
	case c.kick <- struct{}{}:
	default:
	}
}

// wakeForFree is wake for the free list's sake; it costs nothing when the cleaner knows already.
func (c *cleaner) wakeForFree() {
	if !c.lowFree.Load() && !c.lowFree.Swap(true) {
		c.wake()
	}
}

// Wake tells the cleaner that writers wait, or are about to wait, for the log's room.
func (f *Flusher) Wake() {
	f.cleaner.pace.roomWanted.Store(true)
	f.cleaner.wake()
}

func (c *cleaner) addTarget(lsn base.LSN) {
	c.targetMu.Lock()
	defer c.targetMu.Unlock()
	c.targets = append(c.targets, lsn)
}

func (c *cleaner) removeTarget(lsn base.LSN) {
	c.targetMu.Lock()
	defer c.targetMu.Unlock()
	if i := slices.Index(c.targets, lsn); i >= 0 {
		c.targets = slices.Delete(c.targets, i, i+1)
	}
}

// target is the highest LSN somebody waits for, and whether anybody waits.
func (c *cleaner) target() (lsn base.LSN, waiting bool) {
	c.targetMu.Lock()
	defer c.targetMu.Unlock()
	if len(c.targets) == 0 {
		return 0, false
	}
	return slices.Max(c.targets), true
}

func (c *cleaner) run() {
	defer c.finished.Done()
	timer := time.NewTimer(roundIdle)
	defer timer.Stop()
	for {
		busy := c.round()
		wait := roundIdle
		if busy {
			wait = roundBusy
		}
		timer.Reset(wait)
		select {
		case <-c.quit:
			return
		case <-c.kick:
		case <-timer.C:
		}
	}
}

// round does what is urgent completely, then one round's share of what is not. It tells whether to
// come back soon.
func (c *cleaner) round() (busy bool) {
	c.pace.tick(c.f)
	for !c.stopping() {
		freed := c.fillFreeList()
		wrote, wanted := c.flushUrgent()
		busy = busy || freed || wrote > 0
		if !wanted {
			break
		}
		if wrote == 0 {
			time.Sleep(retryBusy)
		}
	}
	c.writeAsked()
	for quota := c.pace.quota(); quota > 0 && !c.stopping() && c.f.failure.Err() == nil; {
		busy = true
		n := c.flushFrom(&c.f.hdr.flush, min(quota, batchPages), maxLSN)
		if n == 0 {
			break
		}
		quota -= n
		c.fillFreeList()
	}
	return busy
}

func (c *cleaner) stopping() bool {
	select {
	case <-c.quit:
		return true
	default:
		return false
	}
}

// flushUrgent writes one batch of what somebody waits for. wanted: there is more.
func (c *cleaner) flushUrgent() (wrote int, wanted bool) {
	f := c.f
	if f.failure.Err() != nil {
		return 0, false
	}
	if c.anyParked() {
		c.items = c.items[:0]
		return c.flushItems(), true
	}
	lsn, waiting := c.target()
	if waiting && c.dirtyIn(&f.hdr.recovered, maxLSN) {
		return c.flushFrom(&f.hdr.recovered, batchPages, maxLSN), true
	}
	lsn = max(lsn, c.pace.urgentBelow())
	if !c.dirtyIn(&f.hdr.flush, lsn) {
		return 0, false
	}
	return c.flushFrom(&f.hdr.flush, batchPages, lsn), true
}

// WriteSoon has pages written soon if they are dirty: they change so often that their redo would be
// long.
func (f *Flusher) WriteSoon(ids []base.PageID) {
	c := &f.cleaner
	c.targetMu.Lock()
	c.asked = append(c.asked, ids...)
	c.targetMu.Unlock()
	c.wake()
}

func (c *cleaner) writeAsked() {
	c.targetMu.Lock()
	asked := c.asked
	c.asked = nil
	c.targetMu.Unlock()
	for len(asked) > 0 && c.f.failure.Err() == nil {
		n := min(len(asked), batchPages)
		c.items = c.items[:0]
		for _, id := range asked[:n] {
			if ref := c.f.pinResident(id.Uint64()); ref != 0 {
				c.items = append(c.items, flushItem{id: id, ref: ref})
			}
		}
		asked = asked[n:]
		c.flushItems()
	}
}

// dirtyIn tells whether a list holds a page dirty since before lsn at its tail.
func (c *cleaner) dirtyIn(h *listHeader, lsn base.LSN) bool {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	return h.tail != 0 && (base.LSN(c.f.states[h.tail].oldest) < lsn || lsn == maxLSN)
}

// flushFrom writes up to n pages from the tail of a list, those dirty since before lsn, and returns
// how many it wrote.
func (c *cleaner) flushFrom(h *listHeader, n int, lsn base.LSN) int {
	f := c.f
	c.items = c.items[:0]
	f.mu.Lock()
	// Pages whose latch was taken stay at the tail: look past a few of them.
	for ref, looked := h.tail, 0; ref != 0 && len(c.items) < n && looked < 2*batchPages; looked++ {
		st := &f.states[ref]
		if base.LSN(st.oldest) >= lsn {
			break
		}
		c.consider(ref, st)
		ref = st.flushPrev
	}
	f.mu.Unlock()
	return c.flushItems()
}

// consider pins a dirty frame and makes it a candidate.
// REQUIRES: the frame cannot change its identity between the look and the pin unless it becomes
// claimed.
func (c *cleaner) consider(ref frameRef, st *frameState) {
	if !c.f.procs.at(ref).tryPin() {
		return
	}
	c.items = append(c.items, flushItem{id: base.PageIDFrom(atomic.LoadUint64(&st.id)), ref: ref})
}

// fillFreeList evicts clean pages until the free list has its reserve, and writes dirty ones that
// stand in the way.
func (c *cleaner) fillFreeList() (worked bool) {
	f := c.f
	for n := 0; n < freshenSpan; n++ {
		f.lru.mu.Lock()
		want := f.hdr.free.n < f.lru.scanDepth.Load() && f.hdr.lru.n > f.lru.scanDepth.Load()
		f.lru.mu.Unlock()
		if !want {
			break
		}
		ref := f.lru.evict(evictDepth, spared{})
		if ref == 0 {
			if f.failure.Err() != nil || c.flushTail() == 0 {
				break
			}
			worked = true
			continue
		}
		f.lru.freeFrame(ref)
		worked = true
	}
	c.lowFree.Store(false)
	return worked
}

// flushTail writes dirty pages among the coldest.
func (c *cleaner) flushTail() int {
	f := c.f
	c.items = c.items[:0]
	f.lru.mu.Lock()
	ref := f.hdr.lru.tail
	for looked := uint32(0); ref != 0 && len(c.items) < batchPages && looked < f.lru.scanDepth.Load()+evictDepth; looked++ {
		st := &f.states[ref]
		if atomic.LoadUint32(&st.flags)&(flagDirty|flagInFlight) == flagDirty && f.procs.at(ref).pin.Load() == 0 {
			c.consider(ref, st)
		}
		ref = st.lruPrev
	}
	f.lru.mu.Unlock()
	return c.flushItems()
}

// flushItems copies and writes the candidates. It returns how many pages it wrote.
func (c *cleaner) flushItems() int {
	f := c.f
	c.ids, c.pages, c.refs, c.copied = c.ids[:0], c.pages[:0], c.refs[:0], 0
	c.takeParked()
	for _, it := range c.items {
		c.copyPage(it)
	}
	if len(c.refs) == 0 {
		return 0
	}
	var highest base.LSN
	for _, page := range c.pages {
		highest = max(highest, pagefile.LSN(page))
	}
	if err := f.log.FlushTo(highest); err != nil { // invariant (4)
		f.failure.Enter(err)
		return 0 // the pins stay: the pages must not leave memory
	}
	if err := f.files.WriteBatch(c.ids, c.pages); err != nil && !c.onlyDropped(err) {
		f.failure.Enter(err)
		return 0
	}
	c.note()
	c.written()
	return len(c.refs)
}

// note tells the log what was written, so that recovery need not look at it.
func (c *cleaner) note() {
	notes := make([]redo.PageLSN, len(c.ids))
	for i, id := range c.ids {
		notes[i] = redo.PageLSN{Page: id, LSN: pagefile.LSN(c.pages[i])}
	}
	c.f.log.NoteWritten(notes)
}

// onlyDropped tells whether a batch failed only for pages of tablespaces that have no file any
// more.
func (c *cleaner) onlyDropped(err error) bool {
	if !errors.Is(err, pagefile.ErrNoSpace) || errors.Is(err, base.ErrFailed) {
		return false
	}
	for _, id := range c.ids {
		if !c.f.dropped.has(id.Space) && !c.f.files.Exists(id.Space) {
			c.f.logger.Error("a tablespace file has vanished; changes of its pages are lost", "file", c.f.files.Path(id.Space), "page", id)
		}
	}
	return true
}

// copyPage copies a candidate into the batch buffer and moves it from its list into the batch; or
// lets go of it.
func (c *cleaner) copyPage(it flushItem) {
	f, pr := c.f, c.f.procs.at(it.ref)
	for try := 0; !pr.latch.TryRLock(); try++ {
		if try == latchTries {
			c.missed(it)
			return
		}
		backoff(try)
	}
	delete(c.taken, it.ref)
	page := c.buf[c.copied*base.PageSize : (c.copied+1)*base.PageSize]
	ok := f.takeDirty(it, page, &f.batch)
	pr.latch.RUnlock()
	if !ok {
		pr.unpin()
		return
	}
	c.copied++
	c.add(it, page)
}

// add makes a copied page part of the batch.
func (c *cleaner) add(it flushItem, page []byte) {
	c.ids, c.pages, c.refs = append(c.ids, it.id), append(c.pages, page), append(c.refs, it.ref)
}

// written ends the flight of a batch. The pages are evictable before anybody hears of it.
func (c *cleaner) written() {
	f := c.f
	for i, ref := range c.refs {
		f.states[ref].written(pagefile.LSN(c.pages[i]), pagefile.StoredChecksum(c.pages[i]))
		atomic.AndUint32(&f.states[ref].flags, ^uint32(flagInFlight))
		f.procs.at(ref).unpin()
	}
	f.stats.pagesFlushed.Add(uint64(len(c.refs)))
	c.pace.wrote(len(c.refs))
	f.mu.Lock()
	f.batch = noFlight
	f.done.Broadcast()
	f.mu.Unlock()
	f.lru.signalFree(len(c.refs))
}
