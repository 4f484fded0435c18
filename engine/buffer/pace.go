package buffer

import (
	"sync/atomic"
	"time"

	"emberdb/internal/base"
)

// How fast the cleaner writes. The age is the distance from the oldest dirty page to the end of the
// log; the limit is the one at which writers wait for room, or less when SetMaxAge asks for a
// shorter recovery.
//
//	age below 1/8 of the limit         only the dirty share and idleness count
//	age from 1/8 to 7/8                the pages that keep the age where it is, by the log's recent growth, times a factor that grows
//	                                   with the age and is 1 at half the limit; never more than
//	                                   IOCapacityMax
//	age above 7/8                      as fast as the device can, without pause
//	dirty pages above MaxDirtyPct      IOCapacityMax; below, IOCapacity by the square of the share from 10 % on
//	log not growing                    IOCapacity: an idle server becomes clean
type pace struct {
	ioCapacity, ioMax atomic.Int64
	maxDirtyPct       atomic.Int64
	maxAge            atomic.Uint64 // bytes; 0 = the log's limit
	roomWanted        atomic.Bool

	// Owned by the cleaner.
	last     time.Time
	lastEnd  base.LSN
	growth   float64 // bytes a second, moving average
	pages    float64 // pages to write, carried from round to round
	below    base.LSN
	rate     atomic.Int64 // pages a second decided last, for status
	idleFrom time.Time
}

const (
	ageLow  = 1.0 / 8
	ageHigh = 7.0 / 8
	// ageWanted is the age to reach when writers wait for room all the same, because the checkpoint
	// lags behind.
	ageWanted = 3.0 / 4
)

func (c *pace) init(o Options) {
	c.ioCapacity.Store(int64(o.IOCapacity))
	c.ioMax.Store(int64(o.IOCapacityMax))
	c.maxDirtyPct.Store(int64(o.MaxDirtyPct))
	c.last = time.Now()
}

func (c *pace) wrote(n int) { c.pages = max(0, c.pages-float64(n)) }

// urgentBelow is the LSN up to which pages are to be written without pause; 0 when there is no
// hurry.
func (c *pace) urgentBelow() base.LSN { return c.below }

// quota is how many pages this round may write.
func (c *pace) quota() int { return int(c.pages) }

// limit is the age at which writers have to wait, or that was asked for.
func (c *pace) limit(f *Flusher) uint64 {
	limit := uint64(f.log.Limit())
	if m := c.maxAge.Load(); m != 0 {
		limit = min(limit, m)
	}
	return max(limit, 1)
}

// tick looks at the state of things and decides what this round writes.
func (c *pace) tick(f *Flusher) {
	now := time.Now()
	took := min(now.Sub(c.last).Seconds(), 1)
	c.last = now
	end := f.log.Appended()
	f.mu.Lock()
	oldest := min(f.oldestLocked(), end)
	dirty := int(f.hdr.flush.n)
	f.mu.Unlock()
	if c.lastEnd == 0 {
		c.lastEnd = end
	}
	grown := float64(end - c.lastEnd)
	c.lastEnd = end
	if grown > 0 || c.idleFrom.IsZero() {
		c.idleFrom = now
	}
	if took > 0 {
		c.growth += (grown/took - c.growth) * min(1, took/2) // about the last two seconds
	}
	age, limit := float64(end-oldest), float64(c.limit(f))
	c.below = 0
	if wanted := c.roomWanted.Swap(false); age > ageHigh*limit {
		c.below = end - base.LSN((ageHigh-1.0/16)*limit)
	} else if wanted && age > ageWanted*limit {
		c.below = end - base.LSN(ageWanted*limit)
	}
	rate := max(c.byAge(age, limit, dirty), c.byShare(dirty, f), c.byIdleness(now))
	rate = min(rate, float64(c.ioMax.Load()))
	c.rate.Store(int64(rate))
	c.pages = min(c.pages+rate*took, rate+1) // unused allowance does not pile up beyond a second
	if dirty == 0 {
		c.pages = 0
	}
}

// byAge keeps the age in bounds. The flush list covers age bytes with dirty pages, so growth bytes
// a second make growth/age of them due.
func (c *pace) byAge(age, limit float64, dirty int) float64 {
	share := age / limit
	if share < ageLow || age == 0 {
		return 0
	}
	factor := share * 2
	return c.growth / age * float64(dirty) * factor * factor
}

func (c *pace) byShare(dirty int, f *Flusher) float64 {
	pct := 100 * float64(dirty) / float64(f.limitRef())
	top := float64(c.maxDirtyPct.Load())
	switch {
	case pct >= top:
		return float64(c.ioMax.Load())
	case pct >= 10:
		share := (pct - 10) / max(top-10, 1)
		return float64(c.ioCapacity.Load()) * share * share // a page left alone a little longer is often changed again before it is written
	}
	return 0
}

func (c *pace) byIdleness(now time.Time) float64 {
	if now.Sub(c.idleFrom) < time.Second {
		return 0
	}
	return float64(c.ioCapacity.Load())
}

// SetIOCapacity changes innodb_io_capacity and innodb_io_capacity_max.
func (f *Flusher) SetIOCapacity(n, most int) {
	f.cleaner.pace.ioCapacity.Store(int64(n))
	f.cleaner.pace.ioMax.Store(int64(max(n, most)))
}

// SetMaxDirtyPct changes innodb_max_dirty_pages_pct.
func (f *Flusher) SetMaxDirtyPct(pct int) { f.cleaner.pace.maxDirtyPct.Store(int64(pct)) }

// SetMaxAge makes the cleaner keep less redo to be repeated than the log could hold; 0 for no such
// limit.
func (f *Flusher) SetMaxAge(bytes int64) {
	f.cleaner.pace.maxAge.Store(uint64(bytes))
	f.cleaner.wake()
}
