package buffer

import (
	"sync"
	"sync/atomic"
	"time"

	"emberdb/internal/base"
)

// Background reads. They take read slots that the foreground leaves, at least one, and never wait
// for a frame: what finds no free or evictable frame is not read.
//
// Linear read-ahead: when the last page of an extent is touched for the first time and enough of
// the extent's pages were touched in ascending order, the next extent is read; the same downwards.

const (
	extentPages     = 64
	readAheadQueue  = 64
	readAheadRunMax = 64 // pages of one read
	slotWait        = 200 * time.Microsecond
)

type run struct {
	first base.PageID
	n     int
}

// backgroundReads is what reads pages that nobody waits for.
type backgroundReads struct {
	running   atomic.Int32
	slots     atomic.Int32
	threshold atomic.Int32
	requests  chan run
	quit      chan struct{}
	finished  sync.WaitGroup
}

func (b *backgroundReads) init(o Options) {
	b.slots.Store(int32(o.ReadSlots))
	b.threshold.Store(int32(o.ReadAheadThreshold))
	b.requests = make(chan run, readAheadQueue)
	b.quit = make(chan struct{})
}

func (r *Reader) start() {
	const workers = 2
	r.background.finished.Add(workers)
	for range workers {
		go r.work()
	}
}

func (r *Reader) stop() {
	close(r.background.quit)
	r.background.finished.Wait()
}

func (r *Reader) work() {
	defer r.background.finished.Done()
	for {
		select {
		case <-r.background.quit:
			return
		case q := <-r.background.requests:
			r.readAheadRun(q)
		}
	}
}

// enterBackground waits for a read slot; false when the pool is closing.
func (r *Reader) enterBackground() bool {
	b := &r.background
	for {
		free := max(1, b.slots.Load()-r.foreground.Load())
		if b.running.Add(1) <= free {
			return true
		}
		b.running.Add(-1)
		select {
		case <-b.quit:
			return false
		case <-time.After(slotWait):
		}
	}
}

func (r *Reader) leaveBackground() { r.background.running.Add(-1) }

// SetReadAheadThreshold changes innodb_read_ahead_threshold; negative or 0 for never.
func (r *Reader) SetReadAheadThreshold(n int) { r.background.threshold.Store(int32(n)) }

// ForegroundTime is the number of foreground reads so far, and the time they took.
func (r *Reader) ForegroundTime() (reads uint64, waited time.Duration) {
	return r.stats.reads.Load(), time.Duration(r.waited.Load())
}

// ForegroundReads is the number of foreground reads in flight.
func (r *Reader) ForegroundReads() int { return int(r.foreground.Load()) }

func atExtentEdge(no base.PageNo) bool { return (no+1)%extentPages <= 1 }

// readAhead is called at the first access to a page.
func (r *Reader) readAhead(id base.PageID) {
	threshold := int(r.background.threshold.Load())
	if threshold <= 0 || !atExtentEdge(id.No) {
		return
	}
	start := id.No - id.No%extentPages
	up := id.No != start
	if !r.touchedInOrder(base.PageID{Space: id.Space, No: start}, up, extentPages-threshold) {
		return
	}
	next := base.PageID{Space: id.Space, No: start + extentPages}
	if !up {
		if start == 0 {
			return
		}
		next.No = start - extentPages
	}
	r.prefetch(next, extentPages)
}

// touchedInOrder tells whether the pages of an extent were touched one after the other, but for
// some exceptions.
func (r *Reader) touchedInOrder(start base.PageID, up bool, exceptions int) bool {
	last := uint32(0)
	for i := range extentPages {
		no := start.No + base.PageNo(i)
		if !up {
			no = start.No + extentPages - 1 - base.PageNo(i)
		}
		accessed := uint32(0)
		if ref := r.table.find(base.PageID{Space: start.Space, No: no}.Uint64()); ref != 0 {
			accessed = atomic.LoadUint32(&r.states[ref].accessed)
		}
		if accessed == 0 || accessed < last {
			if exceptions--; exceptions < 0 {
				return false
			}
			continue
		}
		last = accessed
	}
	return true
}

// prefetch asks for n neighbouring pages to be read in the background. It does not wait; under load
// the wish may be dropped.
func (r *Reader) prefetch(first base.PageID, n int) {
	for ; n > 0; n -= readAheadRunMax {
		select {
		case r.background.requests <- run{first, min(n, readAheadRunMax)}:
		default:
			return
		}
		first.No += readAheadRunMax
	}
}

// readAheadRun reads the absent pages of a run in one I/O.
func (r *Reader) readAheadRun(q run) {
	have, err := r.files.Pages(q.first.Space)
	if err != nil || q.first.No >= have {
		return
	}
	if !r.enterBackground() {
		return
	}
	defer r.leaveBackground()
	b := newRunRead(q.first, min(q.n, int(have-q.first.No)))
	for i := range b.refs {
		if r.pending(b.id(i)) != PendingFromLog {
			r.reserveForRead(b, i, spared{})
		}
	}
	n, _ := r.readRun(b, func(ref frameRef, oldest base.LSN, _ int) {
		r.admit(ref, oldest, 0, flagReadAhead)
		r.lru.enter(ref)
	})
	r.stats.readAhead.Add(uint64(n))
}

// runRead is one background read of neighbouring pages, those with a frame.
type runRead struct {
	first base.PageID
	refs  []frameRef // 0: this page is not wanted
	n     int        // wanted pages
	pages [][]byte
	errs  []error
}

func newRunRead(first base.PageID, n int) *runRead {
	return &runRead{first: first, refs: make([]frameRef, n), pages: make([][]byte, n), errs: make([]error, n)}
}

func (b *runRead) id(i int) base.PageID {
	return base.PageID{Space: b.first.Space, No: b.first.No + base.PageNo(i)}
}

// reserveForRead enters page i in state reading if it is absent and a frame is to be had. present:
// the page is in the pool already.
func (r *Reader) reserveForRead(b *runRead, i int, keep spared) (present bool) {
	id := b.id(i).Uint64()
	if r.table.find(id) != 0 {
		return true
	}
	ref := r.flush.tryAllocFrame(evictDepth, keep)
	if ref == 0 {
		return false
	}
	if !r.enterAbsent(id, ref) {
		r.lru.freeFrame(ref)
		return true
	}
	b.refs[i], b.pages[i] = ref, r.page(ref)
	b.n++
	return false
}

// readRun reads the reserved pages and hands each that is good to admit, X-latched; then it is
// released. It returns how many were good.
func (r *Reader) readRun(b *runRead, admit func(ref frameRef, oldest base.LSN, i int)) (good int, err error) {
	lo, hi := 0, len(b.refs)
	for lo < hi && b.refs[lo] == 0 {
		lo++
	}
	for lo < hi && b.refs[hi-1] == 0 {
		hi--
	}
	if lo == hi {
		return 0, nil
	}
	if err = r.files.ReadRun(b.id(lo), b.pages[lo:hi], b.errs[lo:hi]); err != nil {
		r.giveUp(b)
		return 0, err
	}
	for i := lo; i < hi; i++ {
		ref := b.refs[i]
		if ref == 0 {
			continue
		}
		oldest, err := r.arrived(b.id(i), b.pages[i], b.errs[i])
		if err != nil {
			r.readFailed(ref, err)
			continue
		}
		admit(ref, oldest, i)
		r.procs.at(ref).latch.Unlock()
		r.procs.at(ref).unpin()
		good++
	}
	return good, nil
}

// giveUp ends a run whose read failed as a whole. Who waits for one of its pages tries alone: the
// page itself may be good.
func (r *Reader) giveUp(b *runRead) {
	for _, ref := range b.refs {
		if ref != 0 {
			r.readFailed(ref, errReadAgain)
		}
	}
}
