package buffer

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// proc is the part of a frame's state that is meaningful only inside this process. It holds no
// pointers, so the garbage collector does not look into the chunks.
//
// Pins. pin counts the users of the frame; with a positive count its identity does not change.
// Whoever wants to change the identity claims the frame: compare-and-swap of 0 to claimed. A lookup
// pins optimistically (add 1, look whether the result is positive and the frame still holds the
// page, else subtract 1), so a claimed or free frame may show claimed plus a few for a moment;
// therefore claims end by adding, never by storing. Free frames stay claimed.
type proc struct {
	latch sync.RWMutex // page latch
	pin   atomic.Int32
	_     uint32
}

const claimed = -1 << 30

const (
	_ = uint(32 - unsafe.Sizeof(proc{})) // both assert the size at compile time
	_ = uint(unsafe.Sizeof(proc{}) - 32)
)

const procChunk = 8192 // frames whose procs are allocated together: 128 MiB of pages

// procs is indexed by frame number. Chunks are added before a frame of theirs is first used and
// stay.
type procs []*[procChunk]proc

func newProcs(maxFrames int) procs { return make(procs, maxFrames/procChunk+1) }

// grow makes room for frames up to number limit, claiming the new ones.
func (ps procs) grow(limit int) {
	for c := 0; c <= limit/procChunk; c++ {
		if ps[c] == nil {
			chunk := new([procChunk]proc)
			for i := range chunk {
				chunk[i].pin.Store(claimed)
			}
			ps[c] = chunk
		}
	}
}

func (ps procs) at(ref frameRef) *proc { return &ps[ref/procChunk][ref%procChunk] }

// tryPin adds a pin unless the frame is claimed. The caller checks the identity afterwards.
func (pr *proc) tryPin() bool {
	if pr.pin.Add(1) > 0 {
		return true
	}
	pr.pin.Add(-1)
	return false
}

func (pr *proc) unpin() { pr.pin.Add(-1) }

// claim takes an unpinned frame for a change of identity.
func (pr *proc) claim() bool { return pr.pin.CompareAndSwap(0, claimed) }

// unclaim ends a claim and leaves the frame with the given number of pins.
func (pr *proc) unclaim(pins int32) { pr.pin.Add(pins - claimed) }

// claimLast turns the caller's pin into a claim once all others have let go.
// REQUIRES: no new pins can come, those there are short.
func (pr *proc) claimLast() {
	for i := 0; !pr.pin.CompareAndSwap(1, claimed); i++ {
		backoff(i)
	}
}

func (pr *proc) lock(mode Mode) {
	if mode == Exclusive {
		pr.latch.Lock()
	} else {
		pr.latch.RLock()
	}
}

func (pr *proc) tryLock(mode Mode) bool {
	if mode == Exclusive {
		return pr.latch.TryLock()
	}
	return pr.latch.TryRLock()
}

func (pr *proc) unlock(mode Mode) {
	if mode == Exclusive {
		pr.latch.Unlock()
	} else {
		pr.latch.RUnlock()
	}
}

// backoff waits for somebody else's few instructions; i counts the attempts.
func backoff(i int) {
	if i < 64 {
		runtime.Gosched()
		return
	}
	time.Sleep(50 * time.Microsecond)
}
