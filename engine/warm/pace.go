package warm

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/buffer"
)

// pacer decides how many reads of a load are in flight. Every window it looks at what the last one brought:
//
//	foreground reads ran, and took more than twice as long as the best seen, plus slack      one step down, and stay for a while
//	the throughput is above the best seen by a tenth                                        remember it, one step up
//	else, above the depth that brought the best                                             back to that depth
//
// A saturated device thus gets the smallest depth that saturates it, which is what hurts a query's own read the least. The load
// never stops altogether: it is what ends the slow time.
type pacer struct {
	pool     *buffer.Pool
	most     int
	depth    atomic.Int32
	finished atomic.Bool
	bytes    atomic.Int64 // read in this window

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when depth or finished changed

	// Owned by run.
	bestRate  float64
	bestDepth int32
	quiet     time.Duration // lowest foreground latency seen
	hold      int           // windows to stay before the next step up
	reads     uint64        // foreground reads so far
}

const (
	window       = 100 * time.Millisecond
	latencySlack = 500 * time.Microsecond
	holdWindows  = 10
	firstDepth   = 2
)

func (c *pacer) init(pool *buffer.Pool, most int) {
	c.pool, c.most, c.changed = pool, most, make(chan struct{})
	c.depth.Store(int32(min(firstDepth, most)))
	c.reads = pool.Stats().Reads
}

// wait blocks reader i until it may read. false: the load is over.
func (c *pacer) wait(ctx context.Context, i int) bool {
	for {
		c.mu.Lock()
		changed := c.changed
		c.mu.Unlock()
		if c.finished.Load() || ctx.Err() != nil {
			return false
		}
		if int32(i) < c.depth.Load() {
			return true
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
			rate := float64(c.bytes.Swap(0)) / now.Sub(last).Seconds()
			last = now
			depth := c.decide(rate, s.Reads-c.reads, s.ReadLatency)
			c.reads = s.Reads
			if c.depth.Swap(depth) != depth {
				c.announce()
			}
		}
	}
}

// decide is the next depth, from what a window brought: bytes a second, foreground reads and their latency.
func (c *pacer) decide(rate float64, foreground uint64, latency time.Duration) int32 {
	depth := c.depth.Load()
	if foreground > 0 && (c.quiet == 0 || latency < c.quiet) {
		c.quiet = latency
	}
	c.hold = max(0, c.hold-1)
	switch {
	case foreground > 0 && latency > 2*c.quiet+latencySlack:
		c.hold, c.bestRate = holdWindows, 0
		return max(1, depth-1)
	case c.hold > 0:
		return depth
	case rate > c.bestRate*1.1:
		c.bestRate, c.bestDepth = rate, depth
		return min(depth+1, int32(c.most))
	case depth > c.bestDepth && c.bestDepth > 0:
		return c.bestDepth
	}
	return depth
}
