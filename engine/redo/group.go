package redo

// Group commit: one sync serves all who wait for it. The first becomes leader, the others sleep
// until it is over. Those whom it did not serve, because they came when it had begun, sleep on, but
// for one, who leads the next.
//
// Left to itself that makes two halves of the sessions that take turns, each waiting for the
// other's sync besides its own. Where a sync is long beside what sessions do between two commits,
// the leader waits for those that were there the last time: they are back after a fraction of a
// sync, and one takes all of them. When they do not come back in that time it is tried less and
// less often.

import (
	"runtime"
	"sync"
	"time"

	"emberdb/internal/base"
)

const (
	slowSync   = 400 * time.Microsecond // below, sessions are not back in time
	waitShare  = 4                      // a leader waits for up to this part of a sync
	mostPasses = 63                     // syncs without a try behind many that failed
)

type groupCommit struct {
	sync.Mutex
	busy    bool    // there is a leader
	waiting *waiter // a list
	n       int     // its length
	crowd   int     // how many the last leader left behind it, served or not, itself among them
	full    chan struct{}

	// The leader's.
	took   time.Duration // a sync, on average
	misses int           // passes behind the last try that failed
	passes int           // that are left
}

// waiter is a committer that sleeps.
type waiter struct {
	next *waiter
	lsn  base.LSN
	lead chan bool // true: it is the leader now
}

var waiters = sync.Pool{New: func() any { return &waiter{lead: make(chan bool, 1)} }}

// FlushTo returns when everything up to lsn is durable.
func (l *Log) FlushTo(lsn base.LSN) error {
	g := &l.group
	if l.Durable() >= lsn {
		return nil
	}
	if !g.lead(l, lsn) {
		if l.Durable() >= lsn {
			return nil
		}
		return l.failed()
	}
	if g.crowd > 1 {
		l.gather()
		g.await()
	}
	start := time.Now()
	err := l.flush()
	g.took += (time.Since(start) - g.took) / 8
	g.pass(l)
	return err
}

// gather lets committers that are about to append join the coming sync: it yields as long as that
// brings new groups.
func (l *Log) gather() {
	const rounds = 4
	for range rounds {
		before := l.appended.Load()
		runtime.Gosched()
		if l.appended.Load() == before {
			return
		}
	}
}

// lead makes the caller leader, or waits until another has made lsn durable, or has failed to.
func (g *groupCommit) lead(l *Log, lsn base.LSN) bool {
	g.Lock()
	if l.Durable() >= lsn {
		g.Unlock()
		return false
	}
	if !g.busy {
		g.busy = true
		g.Unlock()
		return true
	}
	w := waiters.Get().(*waiter)
	w.lsn, w.next = lsn, g.waiting
	g.waiting = w
	g.n++
	if g.full != nil && g.isFull() {
		close(g.full)
		g.full = nil
	}
	g.Unlock()
	lead := <-w.lead
	waiters.Put(w)
	return lead
}

// isFull tells whether nearly all are there who were the last time. REQUIRES: the mutex held.
func (g *groupCommit) isFull() bool { return 1+g.n >= g.crowd-g.crowd/8 }

// await waits for them, where that pays.
func (g *groupCommit) await() {
	if g.took < slowSync {
		return
	}
	if g.passes > 0 {
		g.passes--
		return
	}
	g.Lock()
	if g.isFull() {
		g.Unlock()
		return
	}
	full := make(chan struct{})
	g.full = full
	g.Unlock()
	t := time.NewTimer(g.took / waitShare)
	defer t.Stop()
	select {
	case <-full:
		g.misses /= 2 // one may have come by chance
	case <-t.C:
		g.Lock()
		g.full = nil
		g.Unlock()
		g.misses = min(2*g.misses+1, mostPasses)
		g.passes = g.misses
	}
}

// pass ends the lead: it wakes those who were served, and the next leader. After a failure nobody
// waits any more.
func (g *groupCommit) pass(l *Log) {
	var served, next *waiter
	g.Lock()
	durable, failed := l.Durable(), l.failed() != nil
	g.crowd = 1 + g.n
	all := g.waiting
	g.waiting, g.n = nil, 0
	for w := all; w != nil; {
		after := w.next
		switch {
		case w.lsn <= durable || failed:
			w.next, served = served, w
		case next == nil:
			next = w
		default:
			w.next, g.waiting = g.waiting, w
			g.n++
		}
		w = after
	}
	g.busy = next != nil
	g.Unlock()
	if next != nil {
		next.lead <- true
	}
	for w := served; w != nil; {
		after := w.next // w is another's as soon as it is woken
		w.lead <- false
		w = after
	}
}
