package warm

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// pacer decides how many reads of a load are in flight, and how long they are. Every window it looks at what the last one brought:
//
//	no foreground read ran                                 as many as the device serves in half a window
//	foreground reads ran, and took more than twice as long as a read takes at rest, plus slack:
//	    it is not them who take the device's time          half as many reads, then shorter ones
//	    it is                                              longer reads, then more of them
//	the reads are shorter than they may be                 longer ones
//	the throughput is above the best seen by a tenth       remember it, one step up
//	else, above the depth that brought the best            back to that depth
//
// A saturated device thus gets the smallest depth that saturates it, which is what hurts a query's own read the least. On a server that has just started
// queries wait for each other's misses, which only the load can end: so it keeps its share of the device's time. What the foreground takes of
// that is counted as its reads, each as long as one takes at rest.
type pacer struct {
	pool     *buffer.Pool
	most     int
	depth    atomic.Int32
	size     atomic.Int32 // pages of a read
	finished atomic.Bool
	bytes    atomic.Int64 // read in this window

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when depth or finished changed

	// Owned by run.
	bestRate  float64
	bestDepth int32
	quiet     time.Duration // latency of a read at rest
	hold      int           // windows to stay before the next step up
	reads     uint64        // foreground reads so far
}

const (
	window       = 50 * time.Millisecond
	latencySlack = 500 * time.Microsecond
	holdWindows  = 10
	firstDepth   = 4
	leastRun     = 16   // pages: 256 KiB, which costs a device little more than a page
	share        = 0.8  // of the device's time, that a load keeps beside suffering queries
	bestFade     = 0.98 // so that more depth is tried again from time to time
)

func (c *pacer) init(pool *buffer.Pool, most int) {
	c.pool, c.most, c.changed = pool, most, make(chan struct{})
	c.depth.Store(firstDepth)
	c.size.Store(runPages)
	c.finished.Store(false)
	c.reads = pool.Stats().Reads
}

// wait blocks reader i until it may read, and says how many pages at most. false: the load is over.
func (c *pacer) wait(ctx context.Context, i int) (pages int, ok bool) {
	for {
		c.mu.Lock()
		changed := c.changed
		c.mu.Unlock()
		if c.finished.Load() || ctx.Err() != nil {
			return 0, false
		}
		if int32(i) < c.depth.Load() {
			return int(c.size.Load()), true
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

func (c *pacer) read(bytes int) { c.bytes.Add(int64(bytes)) }

// finish sends all readers home.
func (c *pacer) finish() {
	c.finished.Store(true)
	c.announce()
}

func (c *pacer) announce() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.changed)
	c.changed = make(chan struct{})
}

func (c *pacer) run(stop <-chan struct{}) {
	tick := time.NewTicker(window)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			s := c.pool.Stats()
			depth, size := c.decide(now.Sub(last), float64(c.bytes.Swap(0)), s.Reads-c.reads, s.ReadLatency)
			last = now
			c.reads = s.Reads
			c.size.Store(size)
			if c.depth.Swap(depth) != depth {
				c.announce()
			}
		}
	}
}

// decide is the next depth and size, from what a window brought: bytes, foreground reads and their latency.
func (c *pacer) decide(took time.Duration, bytes float64, foreground uint64, latency time.Duration) (depth, size int32) {
	rate := bytes / took.Seconds()
	depth, size = c.depth.Load(), c.size.Load()
	if foreground > 0 && (c.quiet == 0 || latency < c.quiet) {
		c.quiet = latency
	}
	c.bestRate *= bestFade
	c.hold = max(0, c.hold-1)
	switch {
	case foreground == 0:
		served := int32(min(bytes/(runPages*base.PageSize), 1<<20))
		return min(max(firstDepth, served/2+1), int32(c.most)), runPages
	case latency > 2*c.quiet+latencySlack:
		c.hold, c.bestRate = holdWindows, 0
		if float64(foreground)*float64(c.quiet) < (1-share)*float64(took) {
			return c.less(depth, size)
		}
		return c.more(depth, size, 1+depth/2)
	case c.hold > 0:
	case size < runPages:
		return c.more(depth, size, 1)
	case rate > c.bestRate*1.1:
		c.bestRate, c.bestDepth = rate, depth
		return c.more(depth, size, 1)
	case depth > c.bestDepth && c.bestDepth > 0:
		return c.bestDepth, size
	}
	return depth, size
}

func (c *pacer) less(depth, size int32) (int32, int32) {
	if depth > 1 {
		return depth / 2, size
	}
	return depth, max(leastRun, size/2)
}

func (c *pacer) more(depth, size, step int32) (int32, int32) {
	if size < runPages {
		return depth, min(runPages, 2*size)
	}
	return min(depth+step, int32(c.most)), size
}
