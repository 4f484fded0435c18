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
//	free --allocFrame--> claimed --enter--> reading --admit--> resident --claimCleanLocked, forget--> claimed --freeFrame--> free
//	                                           \--readFailed--> claimed (when the last waiter has let go)
//
// The frame of a page that is to be made stays in state reading from Mtr.ReserveNew to Mtr.Create, or until the mini-transaction gives it back.
// A frame enters the page table in state reading, pinned and X-latched by its reader, so two callers of one page share one I/O: the
// second one finds the frame and waits for the latch. No mutex is held across the read.

type pinHow uint8

const (
	pinWait   pinHow = iota // wait for the latch
	pinTry                  // do not wait for the latch
	pinCreate               // the old bytes do not matter: do not read
	pinRedo                 // as pinWait, but it is nobody's access: the page's place in the LRU list does not follow from it
)

// errReadAgain is what those get who waited for a page of a background read that failed, or one that was not made; they read it themselves.
var errReadAgain = errors.New("the page did not come")

// pinLatched returns the page's frame, pinned and latched. 0 without an error: pinTry found the latch taken.
func (p *Pool) pinLatched(id uint64, mode Mode, how pinHow) (frameRef, error) {
	for i := 0; ; i++ {
		ref := p.pinResident(id)
		if ref == 0 && i == 0 && how == pinWait && p.pull(base.PageIDFrom(id)) {
			ref = p.pinResident(id)
		}
		if ref == 0 {
			var mine bool
			var err error
			if ref, mine, err = p.pinOrEnter(id); err != nil {
				return 0, err
			}
			if mine {
				return p.fill(ref, mode, how)
			}
		}
		pr, st := p.procs.at(ref), &p.states[ref]
		if how != pinTry {
			pr.lock(mode)
		} else if !pr.tryLock(mode) {
			pr.unpin()
			return 0, nil
		}
		flags := atomic.LoadUint32(&st.flags)
		if flags&flagResident != 0 {
			if how != pinRedo {
				p.touch(ref, st, flags)
			}
			return ref, nil
		}
		err := p.damaged.ofFrame(ref) // before the unpin: then the reader forgets it
		pr.unlock(mode)
		pr.unpin()
		if how != pinCreate && !errors.Is(err, errReadAgain) {
			return 0, err
		}
		backoff(i)
	}
}

// pinResident pins the page if a lookup without a mutex finds it. 0 may be a false miss.
func (p *Pool) pinResident(id uint64) frameRef {
	ref := p.table.find(id)
	if ref == 0 {
		return 0
	}
	pr := p.procs.at(ref)
	if pr.pin.Add(1) > 0 && atomic.LoadUint64(&p.states[ref].id) == id {
		return ref
	}
	pr.unpin()
	return 0
}

// pinOrEnter pins the page, or enters it in state reading, pinned and X-latched by the caller (mine).
func (p *Pool) pinOrEnter(id uint64) (ref frameRef, mine bool, err error) {
	if err := p.damaged.ofPage(id); err != nil {
		return 0, false, err
	}
	h := hashID(id)
	s := p.table.shard(h)
	fresh := frameRef(0)
	for i := 0; ; i++ {
		s.mu.Lock()
		if ref = p.table.findLocked(s, h, id); ref != 0 {
			ok := p.procs.at(ref).tryPin()
			s.mu.Unlock()
			if ok {
				if fresh != 0 {
					p.freeFrame(fresh)
				}
				return ref, false, nil
			}
			backoff(i) // claimed: somebody is about to take it out or to move it
			continue
		}
		if fresh != 0 {
			err := p.enterLocked(s, h, id, fresh)
			s.mu.Unlock()
			if err != nil {
				p.freeFrame(fresh)
				return 0, false, err
			}
			return fresh, true, nil
		}
		s.mu.Unlock()
		if fresh, err = p.allocFrame(); err != nil {
			return 0, false, err
		}
	}
}

// enterLocked makes a claimed frame the page's frame, in state reading, pinned once and X-latched. REQUIRES: s.mu; the page is absent.
func (p *Pool) enterLocked(s *tableShard, h, id uint64, ref frameRef) error {
	if p.dropped.has(base.PageIDFrom(id).Space) {
		return fmt.Errorf("page %s of a dropped tablespace: %w", base.PageIDFrom(id), base.ErrNotFound)
	}
	pr := p.procs.at(ref)
	if !pr.latch.TryLock() {
		panic("buffer: latch of a free frame is held")
	}
	atomic.StoreUint32(&p.states[ref].flags, flagReading)
	p.table.insertLocked(s, h, id, ref)
	pr.unclaim(1)
	return nil
}

// enterAbsent is enterLocked for a page that may be there already; then it returns false and the frame stays claimed.
func (p *Pool) enterAbsent(id uint64, ref frameRef) bool {
	h := hashID(id)
	s := p.table.shard(h)
	s.mu.Lock()
	defer s.mu.Unlock()
	return p.table.findLocked(s, h, id) == 0 && p.enterLocked(s, h, id, ref) == nil
}

// fill gives a frame its page and leaves it latched in the wanted mode.
func (p *Pool) fill(frame frameRef, mode Mode, how pinHow) (frameRef, error) {
	id := base.PageIDFrom(p.states[frame].id)
	if how == pinCreate && p.pending(id) == NotPending { // else the redo comes first: what frees the page may not be durable yet
		return frame, nil
	}
	list, rank := p.missed(id, how == pinRedo)
	oldest, err := p.readOne(id, p.page(frame))
	if err != nil {
		p.readFailed(frame, err)
		return 0, err
	}
	accessed := uint32(0)
	if how != pinRedo {
		accessed = p.nowMS()
	}
	p.admit(frame, oldest, accessed, 0)
	p.lruEnterMiss(frame, list, rank)
	if mode == Shared { // pinned, so it stays the page; others may change it in between
		pr := p.procs.at(frame)
		pr.latch.Unlock()
		if how != pinTry {
			pr.latch.RLock()
		} else if !pr.latch.TryRLock() {
			pr.unpin()
			return 0, nil
		}
	}
	if atExtentEdge(id.No) {
		p.readAhead(id)
	}
	return frame, nil
}

// make admits a frame that ReserveNew has left in state reading.
func (p *Pool) make(ref frameRef) {
	p.stats.created.Add(1)
	p.admit(ref, 0, p.nowMS(), 0)
	p.lruEnter(ref)
}

// isResident tells whether a frame that the caller has latched holds its page.
func (p *Pool) isResident(ref frameRef) bool {
	return atomic.LoadUint32(&p.states[ref].flags)&flagResident != 0
}

// readOne is a foreground read.
func (p *Pool) readOne(id base.PageID, page []byte) (oldest base.LSN, err error) {
	if p.pending(id) == PendingBuilds {
		return p.arrived(id, page, pagefile.ErrNeverWritten)
	}
	p.reader.foreground.Add(1)
	start := time.Now()
	err = p.files.Read(id, page)
	p.reader.waited.Add(int64(time.Since(start)))
	p.reader.foreground.Add(-1)
	p.stats.reads.Add(1)
	return p.arrived(id, page, err)
}

// arrived passes a page that came from disk, with what reading it said, through the OnRead hook.
func (p *Pool) arrived(id base.PageID, page []byte, readErr error) (oldest base.LSN, err error) {
	if errors.Is(readErr, pagefile.ErrNeverWritten) {
		readErr = fmt.Errorf("file %s, page %s: %w", p.files.Path(id.Space), id, readErr)
	}
	hook := p.onRead.Load()
	if hook == nil {
		return 0, readErr
	}
	if readErr == nil {
		if oldest, err = (*hook)(id, page); err != nil {
			p.damaged.keepPage(id.Uint64(), err) // the hook may not know again what the page needed: nobody may read the file's version
		}
		return oldest, err
	}
	if !errors.Is(readErr, pagefile.ErrNeverWritten) && !errors.Is(readErr, base.ErrCorrupt) {
		return 0, readErr
	}
	clear(page)
	oldest, err = (*hook)(id, page)
	if err == nil && oldest != 0 {
		invariants.Assert(pagefile.ID(page) == id, "redo of page %s built page %s", id, pagefile.ID(page))
		return oldest, nil
	}
	if err != nil && errors.Is(readErr, pagefile.ErrNeverWritten) {
		return 0, err
	}
	return 0, readErr
}

// admit ends the state reading: the frame holds its page. The caller, who has it X-latched, puts it into the LRU list.
func (p *Pool) admit(ref frameRef, oldest base.LSN, accessed, flags uint32) {
	st := &p.states[ref]
	atomic.StoreUint32(&st.accessed, accessed)
	atomic.StoreUint32(&st.flags, flags|flagResident)
	if oldest != 0 {
		p.enterRecovered(ref, oldest)
	}
}

// readFailed takes the frame out of the page table and gives the error to all who wait for it.
func (p *Pool) readFailed(ref frameRef, err error) {
	st, pr := &p.states[ref], p.procs.at(ref)
	p.damaged.keepFrame(ref, err)
	p.table.remove(ref)
	atomic.StoreUint32(&st.flags, flagFailed)
	pr.latch.Unlock()
	pr.claimLast()
	p.damaged.forgetFrame(ref)
	p.freeFrame(ref)
}

// damaged remembers errors of reads: of frames whose waiters have not all seen it, and of pages that must not be read again.
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
