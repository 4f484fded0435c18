package buffer

import (
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"emberdb/internal/base"
)

// Huge pages. With pages of 4 KiB a random read of a large pool also misses the processor's address
// cache, and a point SELECT loses about a quarter of its throughput.
//
// Private memory gets huge pages when it is first touched (MADV_HUGEPAGE). Shared memory gets them
// only where the administrator allows it (transparent_hugepage/shmem_enabled, by default never). So
// a goroutine asks for them explicitly (MADV_COLLAPSE, Linux 6.1, which no setting but "deny" stops):
// the kernel copies 2 MiB into one huge page. A stretch is collapsed once most of its frames are in
// use: before that it would take memory that the pool does not need yet. The next process that maps
// the memory finds the huge pages, and takes one page fault for 2 MiB instead of 512.

const (
	collapseEvery = time.Second
	collapseTries = 5                        // a stretch with a page that is being read or written is busy
	collapseMost  = 16                       // stretches of one call, each of which waits for all processors once
	collapseRest  = 1                        // it rests so many times as long as it has worked
	hugeFrames    = hugePage / base.PageSize // frames of a stretch
)

// wantHuge asks for huge pages at the first touch of b. It is a wish: the pool works without.
func (m *memory) wantHuge(b []byte) {
	if m.huge && len(b) >= hugePage {
		_ = unix.Madvise(b, unix.MADV_HUGEPAGE)
	}
}

// collapser makes huge pages of shared memory.
type collapser struct {
	frames
	quit     chan struct{}
	finished sync.WaitGroup
	tries    []uint8      // by stretch of frames: how often it was tried; collapseTries when it is done
	shrunk   atomic.Int64 // the pool has given the frames above this one back since the last look
	made     atomic.Int64 // stretches collapsed so far
	ended    atomic.Bool  // the kernel makes no huge pages, or the pool is closed
}

// start begins the work, if the memory is shared.
func (c *collapser) start(fs frames) {
	if fs.mem.shared == nil || !fs.mem.huge {
		return
	}
	c.frames, c.quit = fs, make(chan struct{})
	c.tries = make([]uint8, int(fs.hdr.maxFrames)/hugeFrames)
	c.shrunk.Store(math.MaxInt64)
	c.finished.Add(1)
	go c.run()
}

func (c *collapser) stop() {
	if c.quit != nil {
		close(c.quit)
		c.finished.Wait()
	}
}

func (c *collapser) run() {
	defer c.finished.Done()
	defer c.ended.Store(true)
	_ = collapse(c.mem.head)
	for c.pause(collapseEvery) && c.look() {
	}
}

// look collapses what is to be collapsed. false: that was the last time.
func (c *collapser) look() bool {
	inUse := int(atomic.LoadUint32(&c.hdr.limit)) / hugeFrames
	clear(c.tries[min(inUse, int(c.shrunk.Swap(math.MaxInt64))/hugeFrames):])
	for from := 0; from < inUse; {
		to := c.pending(from, inUse)
		if to == from {
			from++
			continue
		}
		began := time.Now()
		err := collapse(c.mem.frames[from*hugePage : to*hugePage])
		if errors.Is(err, unix.EINVAL) { // the kernel cannot
			return false
		}
		for ; from < to; from++ {
			if err == nil {
				c.tries[from] = collapseTries
				c.made.Add(1)
			} else {
				c.tries[from]++
			}
		}
		if !c.pause(collapseRest * time.Since(began)) {
			return false
		}
	}
	return true
}

// pending is the end of the stretches from one on that are to be collapsed in one call.
func (c *collapser) pending(from, inUse int) int {
	to := from
	for to < min(inUse, from+collapseMost) && c.tries[to] < collapseTries && c.mostlyUsed(to) {
		to++
	}
	return to
}

// pause waits. false: the pool is being closed.
func (c *collapser) pause(d time.Duration) bool {
	select {
	case <-c.quit:
		return false
	case <-time.After(d):
		return true
	}
}

// mostlyUsed tells whether most frames of a stretch hold pages.
func (c *collapser) mostlyUsed(stretch int) bool {
	used := 0
	for ref := stretch*hugeFrames + 1; ref <= (stretch+1)*hugeFrames; ref++ {
		if atomic.LoadUint32(&c.states[ref].flags)&(flagResident|flagKept) != 0 {
			used++
		}
	}
	return used > hugeFrames/2
}

// collapse makes huge pages of b. The kernel wants a page of each mapped before.
func collapse(b []byte) error {
	for at := 0; at < len(b); at += hugePage {
		if err := unix.Madvise(b[at:at+headerSize], unix.MADV_POPULATE_READ); err != nil {
			return err
		}
	}
	return unix.Madvise(b, unix.MADV_COLLAPSE)
}
