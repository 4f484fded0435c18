package buffer

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/pagefile"
	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// The life of a frame, and the function behind each step:
//
//	free --allocFrame--> claimed --enter--> reading --admit--> resident --claimCleanLocked,
//	forget--> claimed --freeFrame--> free
//	                                           \--readFailed--> claimed (when the last waiter has
//	                                           let go)
//
// The frame of a page that is to be made stays in state reading from Mtr.ReserveNew to Mtr.Create,
// or until the mini-transaction gives it back. A frame enters the page table in state reading,
// pinned and X-latched by its reader, so two callers of one page share one I/O: the second one
// finds the frame and waits for the latch. No mutex is held across the read.

// Reader is the layer above the flusher. It owns misses: a pin that finds no page asks it, and
// knows nothing of where pages come from. On the way in a page passes two layers of the reader:
// recovery, by whose Source redo is applied, and the running Load, which knows the page's place in
// the LRU list. A listed page that a query misses is read by the load, on a goroutine of the
// load's, among its neighbours; the query waits for that read as it would for its own (load.go).
type Reader struct {
	frames
	lru   *LRU
	flush *Flusher
	files *pagefile.Files

	source     atomic.Pointer[Source]
	loading    sync.Mutex              // one Load at a time
	load       atomic.Pointer[running] // the running one
	passedOver atomic.Pointer[Load]    // the last load, while recovery may bring pages of it

	damaged    damaged
	background backgroundReads
	examine    func(page []byte) error

	_ cacheLine // what is above is read by every access

	foreground atomic.Int32 // reads in flight
	waited     atomic.Int64 // for foreground reads, ns
}

func (r *Reader) init(fs frames, lru *LRU, flush *Flusher, o Options) {
	r.frames, r.lru, r.flush, r.files = fs, lru, flush, o.Files
	r.examine = o.Examine
	r.setSource(o.Source)
	r.background.init(o)
}

// Source is where the newest version of a page comes from if the disk does not have it: recovery,
// while redo is not applied.
type Source interface {
	// Pending tells what OnRead would do with a page.
	Pending(id base.PageID) Pending
	// OnRead is called with each page that comes from disk, X-latched, before any pin sees it. A
	// page that was never written, or whose bytes are damaged, is passed as zeros. It returns the
	// LSN from which the page is dirty because redo was applied, or 0.
	OnRead(id base.PageID, page []byte) (oldest base.LSN, err error)
	// Kept tells about a page of which an earlier process has left version lsn in memory: since
	// when it differs from the file (0: it does not), and whether that version is the newest, so
	// that the bytes are right without a change by OnRead. Only Attach calls it, of one goroutine.
	Kept(id base.PageID, lsn base.LSN) (since base.LSN, newest bool)
}

func (r *Reader) setSource(s Source) {
	if s == nil {
		r.source.Store(nil)
		return
	}
	r.source.Store(&s)
}

func (r *Reader) pending(id base.PageID) Pending {
	if s := r.source.Load(); s != nil {
		return (*s).Pending(id)
	}
	return NotPending
}

type pinHow uint8

const (
	pinWait   pinHow = iota // wait for the latch
	pinTry                  // do not wait for the latch
	pinCreate               // the old bytes do not matter: do not read
	pinRedo                 // as pinWait, but it is nobody's access: the page's place in the LRU list does not follow from it
)

// errReadAgain is what those get who waited for a page of a background read that failed, or one
// that was not made; they read it themselves.
var errReadAgain = errors.New("the page did not come")

// pin returns the page's frame, pinned and latched. 0 without an error: pinTry found the latch
// taken.
func (r *Reader) pin(id uint64, mode Mode, how pinHow) (frameRef, error) {
	for i := 0; ; i++ {
		ref := r.pinResident(id)
		if ref == 0 {
			var latched bool
			var err error
			if ref, latched, err = r.miss(id, mode, how, i == 0); latched || err != nil {
				return ref, err
			}
		}
		pr, st := r.procs.at(ref), &r.states[ref]
		if how != pinTry {
			pr.lock(mode)
		} else if !pr.tryLock(mode) {
			pr.unpin()
			return 0, nil
		}
		flags := atomic.LoadUint32(&st.flags)
		if flags&flagKept != 0 {
			if err := r.takeKept(id, ref, mode); err == nil {
				flags = atomic.LoadUint32(&st.flags)
			} else {
				continue // it was damaged, and is read
			}
		}
		if flags&flagResident != 0 {
			if how != pinRedo && r.lru.touch(ref, st, flags) {
				r.readAhead(base.PageIDFrom(id))
			}
			return ref, nil
		}
		err := r.damaged.ofFrame(ref) // before the unpin: then the reader forgets it
		pr.unlock(mode)
		pr.unpin()
		if how != pinCreate && !errors.Is(err, errReadAgain) {
			return 0, err
		}
		backoff(i)
	}
}

// pinResident pins the page if a lookup without a mutex finds it. 0 may be a false miss.
func (fs *frames) pinResident(id uint64) frameRef {
	ref := fs.table.find(id)
	if ref == 0 {
		return 0
	}
	pr := fs.procs.at(ref)
	if pr.pin.Add(1) > 0 && atomic.LoadUint64(&fs.states[ref].id) == id {
		return ref
	}
	pr.unpin()
	return 0
}

// miss brings a page that is absent. Either the caller has read it, then it is pinned and latched
// as wanted (0: pinTry found the latch taken), or another reader has, or is about to, and it is
// pinned only. may: the running load may read it with its neighbours.
func (r *Reader) miss(id uint64, mode Mode, how pinHow, may bool) (ref frameRef, latched bool, err error) {
	if may && how == pinWait && r.pull(base.PageIDFrom(id)) {
		if ref = r.pinResident(id); ref != 0 {
			return ref, false, nil
		}
	}
	ref, mine, err := r.pinOrEnter(id)
	if err != nil || !mine {
		return ref, false, err
	}
	ref, err = r.fill(ref, mode, how)
	return ref, true, err
}

// pinOrEnter pins the page, or enters it in state reading, pinned and X-latched by the caller
// (mine).
func (r *Reader) pinOrEnter(id uint64) (ref frameRef, mine bool, err error) {
	if err := r.damaged.ofPage(id); err != nil {
		return 0, false, err
	}
	h := hashID(id)
	s := r.table.shard(h)
	fresh := frameRef(0)
	for i := 0; ; i++ {
		s.mu.Lock()
		if ref = r.table.findLocked(s, h, id); ref != 0 {
			ok := r.procs.at(ref).tryPin()
			s.mu.Unlock()
			if ok {
				if fresh != 0 {
					r.lru.freeFrame(fresh)
				}
				return ref, false, nil
			}
			backoff(i) // claimed: somebody is about to take it out or to move it
			continue
		}
		if fresh != 0 {
			err := r.enterLocked(s, h, id, fresh)
			s.mu.Unlock()
			if err != nil {
				r.lru.freeFrame(fresh)
				return 0, false, err
			}
			return fresh, true, nil
		}
		s.mu.Unlock()
		if fresh, err = r.flush.allocFrame(); err != nil {
			return 0, false, err
		}
	}
}

// enterLocked makes a claimed frame the page's frame, in state reading, pinned once and X-latched.
// REQUIRES: s.mu; the page is absent.
func (r *Reader) enterLocked(s *tableShard, h, id uint64, ref frameRef) error {
	if r.dropped.has(base.PageIDFrom(id).Space) {
		return fmt.Errorf("page %s of a dropped tablespace: %w", base.PageIDFrom(id), base.ErrNotFound)
	}
	pr := r.procs.at(ref)
	if !pr.latch.TryLock() {
		panic("buffer: latch of a free frame is held")
	}
	atomic.StoreUint32(&r.states[ref].flags, flagReading)
	r.table.insertLocked(s, h, id, ref)
	pr.unclaim(1)
	return nil
}

// enterAbsent is enterLocked for a page that may be there already; then it returns false and the
// frame stays claimed.
func (r *Reader) enterAbsent(id uint64, ref frameRef) bool {
	h := hashID(id)
	s := r.table.shard(h)
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.table.findLocked(s, h, id) == 0 && r.enterLocked(s, h, id, ref) == nil
}

// fill gives a frame its page and leaves it latched in the wanted mode.
func (r *Reader) fill(frame frameRef, mode Mode, how pinHow) (frameRef, error) {
	id := base.PageIDFrom(r.states[frame].id)
	if how == pinCreate && r.pending(id) == NotPending { // else the redo comes first: what frees the page may not be durable yet
		return frame, nil
	}
	list, rank := r.missed(id, how == pinRedo)
	oldest, err := r.readOne(id, r.page(frame))
	if err != nil {
		r.readFailed(frame, err)
		return 0, err
	}
	accessed := uint32(0)
	if how != pinRedo {
		accessed = r.nowMS()
	}
	r.admit(frame, oldest, accessed, 0)
	r.enterMiss(frame, list, rank)
	if mode == Shared { // pinned, so it stays the page; others may change it in between
		pr := r.procs.at(frame)
		pr.latch.Unlock()
		if how != pinTry {
			pr.latch.RLock()
		} else if !pr.latch.TryRLock() {
			pr.unpin()
			return 0, nil
		}
	}
	r.readAhead(id)
	return frame, nil
}

// make admits a frame that ReserveNew has left in state reading.
// REQUIRES: its page is marked as changing.
func (r *Reader) make(ref frameRef) {
	r.stats.created.Add(1)
	st := &r.states[ref]
	atomic.StoreUint32(&st.accessed, r.nowMS())
	atomic.StoreUint32(&st.flags, flagResident)
	r.lru.enter(ref)
}

// isResident tells whether a frame that the caller has latched holds its page.
func (fs *frames) isResident(ref frameRef) bool {
	return atomic.LoadUint32(&fs.states[ref].flags)&flagResident != 0
}

// readOne is a foreground read.
func (r *Reader) readOne(id base.PageID, page []byte) (oldest base.LSN, err error) {
	if r.pending(id) == PendingBuilds {
		return r.arrived(id, page, pagefile.ErrNeverWritten)
	}
	r.foreground.Add(1)
	start := time.Now()
	err = r.files.Read(id, page)
	r.waited.Add(int64(time.Since(start)))
	r.foreground.Add(-1)
	r.stats.reads.Add(1)
	return r.arrived(id, page, err)
}

// arrived passes a page that came from disk, with what reading it said, through the Source.
func (r *Reader) arrived(id base.PageID, page []byte, readErr error) (oldest base.LSN, err error) {
	if errors.Is(readErr, pagefile.ErrNeverWritten) {
		readErr = fmt.Errorf("file %s, page %s: %w", r.files.Path(id.Space), id, readErr)
	}
	source := r.source.Load()
	if source == nil {
		return 0, readErr
	}
	if readErr == nil {
		if oldest, err = (*source).OnRead(id, page); err != nil {
			r.damaged.keepPage(id.Uint64(), err) // the source may not know again what the page needed: nobody may read the file's version
		}
		return oldest, err
	}
	if !errors.Is(readErr, pagefile.ErrNeverWritten) && !errors.Is(readErr, base.ErrCorrupt) {
		return 0, readErr
	}
	clear(page)
	oldest, err = (*source).OnRead(id, page)
	if err == nil && oldest != 0 {
		invariants.Assert(pagefile.ID(page) == id, "redo of page %s built page %s", id, pagefile.ID(page))
		return oldest, nil
	}
	if err != nil && errors.Is(readErr, pagefile.ErrNeverWritten) {
		return 0, err
	}
	return 0, readErr
}

// admit ends the state reading: the frame holds its page. The caller, who has it X-latched, puts it
// into the LRU list.
func (r *Reader) admit(ref frameRef, oldest base.LSN, accessed, flags uint32) {
	st, page := &r.states[ref], r.page(ref)
	sum := uint32(0)
	if oldest == 0 {
		sum = pagefile.StoredChecksum(page)
	}
	st.changed(pagefile.LSN(page), sum)
	atomic.StoreUint32(&st.accessed, accessed)
	atomic.StoreUint32(&st.flags, flags|flagResident)
	if oldest != 0 {
		r.flush.enterRecovered(ref, oldest)
	}
}

// readFailed takes the frame out of the page table and gives the error to all who wait for it.
func (r *Reader) readFailed(ref frameRef, err error) {
	st, pr := &r.states[ref], r.procs.at(ref)
	r.damaged.keepFrame(ref, err)
	r.table.remove(ref)
	atomic.StoreUint32(&st.flags, flagFailed)
	pr.latch.Unlock()
	pr.claimLast()
	r.damaged.forgetFrame(ref)
	r.lru.freeFrame(ref)
}

// damaged remembers errors of reads: of frames whose waiters have not all seen it, and of pages
// that must not be read again.
type damaged struct {
	mu     sync.Mutex
	frames map[frameRef]error
	pages  map[uint64]error
	n      atomic.Int32 // len(pages)
}

func (d *damaged) keepFrame(ref frameRef, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.frames == nil {
		d.frames = make(map[frameRef]error)
	}
	d.frames[ref] = err
}

func (d *damaged) forgetFrame(ref frameRef) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.frames, ref)
}

func (d *damaged) ofFrame(ref frameRef) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.frames[ref]
}

func (d *damaged) keepPage(id uint64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pages == nil {
		d.pages = make(map[uint64]error)
	}
	d.pages[id] = err
	d.n.Store(int32(len(d.pages)))
}

func (d *damaged) ofPage(id uint64) error {
	if d.n.Load() == 0 {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pages[id]
}
