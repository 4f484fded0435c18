package warm

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// pacer lets the readers of a load begin their reads: at a rate, so many at a time, so long each.
// The governor decides how much that is, once every window. Rate is what keeps the load out of the
// queries' way: a device, and more so a volume that is throttled to a number of bytes or requests a
// second, answers at once while it is asked for less than it can do, and makes everybody queue when
// it is asked for more. A throttled volume that has used up its share of a tenth of a second makes
// the next read wait for the rest of it, however few reads are in flight.
type pacer struct {
	pool     *buffer.Pool
	governor governor // owned by probe, then by run
	finished atomic.Bool
	depth    atomic.Int32 // reads in flight, at most
	size     atomic.Int32 // pages of a read, at most
	reach    atomic.Int32 // pages that cost the device no more than another request: plan.next
	bytes    atomic.Int64 // read in this window
	requests atomic.Int64 // reads of the load in this window
	pulls    atomic.Int64 // reads of queries in this window that were of listed pages
	tier     atomic.Bool  // a tier began in this window
	load     atomic.Int64 // processor time of the readers in this window, ns

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when depth or finished changed
	rate    float64       // bytes a second; 0: as fast as the device
	due     time.Time     // when the next read may begin
}

const (
	window  = 50 * time.Millisecond
	catchUp = 5 * time.Millisecond // what was not used of the rate, because a reader slept too long
)

func (c *pacer) init(pool *buffer.Pool, most int) {
	c.pool, c.governor, c.changed, c.rate = pool, governor{most: int32(most), reach: runPages}, make(chan struct{}), 0
	c.depth.Store(firstDepth)
	c.size.Store(runPages)
	c.reach.Store(c.governor.reach)
	c.finished.Store(false)
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
			break
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	pages = int(c.size.Load())
	if pause := c.reserve(pages * base.PageSize); pause > 0 {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return 0, false
		}
	}
	return pages, !c.finished.Load()
}

// reserve takes the next bytes of the rate, and tells how long to wait for them.
func (c *pacer) reserve(bytes int) (pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rate == 0 {
		return 0
	}
	now := time.Now()
	if late := now.Add(-catchUp); c.due.Before(late) {
		c.due = late
	}
	pause = c.due.Sub(now)
	c.due = c.due.Add(seconds(float64(bytes) / c.rate))
	return pause
}

// read counts a read of so many bytes, of those that were reserved; a query reserves none.
func (c *pacer) read(bytes, reserved int) {
	c.bytes.Add(int64(bytes))
	if reserved > 0 {
		c.requests.Add(1)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rate > 0 {
		c.due = c.due.Add(-seconds(float64(reserved-bytes) / c.rate))
	}
}

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
	reads, waited := c.pool.Reader().ForegroundTime()
	left := newIdleness()
	defer left.close()
	used, idle := processTime(), left.time()
	for {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			n, w := c.pool.Reader().ForegroundTime()
			u, i, load := processTime(), left.time(), time.Duration(c.load.Swap(0))
			depth, size, rate := c.governor.decide(sample{took: now.Sub(last), bytes: float64(c.bytes.Swap(0)), requests: int(c.requests.Swap(0)), reads: int(n - reads), listed: int(c.pulls.Swap(0)), waited: w - waited,
				waiting: c.pool.Reader().ForegroundReads() > 0, newTier: c.tier.Swap(false), load: load, others: max(0, u-used-load), idle: i - idle})
			last, reads, waited, used, idle = now, n, w, u, i
			c.size.Store(size)
			c.reach.Store(c.governor.reach)
			c.mu.Lock()
			c.rate = rate
			c.mu.Unlock()
			if c.depth.Swap(depth) != depth {
				c.announce()
			}
		}
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
