package binlog

// binlog_group_commit_sync_delay: commits wait for others to share their sync with.

import (
	"sync"
	"sync/atomic"
	"time"
)

// gather is the group that is forming.
type gather struct {
	delay  atomic.Int64 // microseconds; 0: nobody waits
	enough atomic.Int64 // a group of so many waits no longer; 0: it waits to the end

	mu   sync.Mutex
	open chan struct{} // closed when the group is complete; nil: there is none
	n    int64
}

// SetSyncDelay changes binlog_group_commit_sync_delay, in microseconds.
func (l *Log) SetSyncDelay(micros int64) { l.gather.delay.Store(micros) }

// SetSyncNoDelayCount changes binlog_group_commit_sync_no_delay_count.
func (l *Log) SetSyncNoDelayCount(n int64) { l.gather.enough.Store(n) }

// Gather waits until the group of commits that is forming is to be synced.
func (l *Log) Gather() {
	g := &l.gather
	delay := g.delay.Load()
	if delay <= 0 {
		return
	}
	g.mu.Lock()
	if g.open == nil {
		open := make(chan struct{})
		g.open, g.n = open, 0
		time.AfterFunc(time.Duration(delay)*time.Microsecond, func() { g.complete(open) })
	}
	open := g.open
	g.n++
	full := g.enough.Load() > 0 && g.n >= g.enough.Load()
	g.mu.Unlock()
	if full {
		g.complete(open)
	}
	<-open
}

// complete ends a group, once.
func (g *gather) complete(open chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open == open {
		g.open = nil
		close(open)
	}
}
