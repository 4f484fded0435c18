package server

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/binlog"
)

// dumps knows the dump threads. A replica that comes back ends the thread it has left behind.
type dumps struct {
	mu  sync.Mutex
	all map[*wireConn]dumpEntry
}

type dumpEntry struct {
	uuid   string
	cancel context.CancelFunc
}

// enter notes a dump thread; the returned function forgets it.
func (d *dumps) enter(w *wireConn, uuid string, cancel context.CancelFunc) (leave func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.all {
		if e.uuid == uuid && uuid != "" {
			e.cancel()
		}
	}
	if d.all == nil {
		d.all = make(map[*wireConn]dumpEntry)
	}
	d.all[w] = dumpEntry{uuid, cancel}
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.all, w)
	}
}

// has tells whether w is a dump thread.
func (d *dumps) has(w *wireConn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.all[w]
	return ok
}

// endIfAlone ends the dump threads when no other connection is left: replicas get what the last
// clients did.
func (d *dumps) endIfAlone(connections int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if connections > len(d.all) {
		return
	}
	for _, e := range d.all {
		e.cancel()
	}
}

// semiSync is semi-synchronous replication on the source's side, AFTER_SYNC: a commit that is
// durable here waits until enough replicas have it, and nobody sees it before. When that takes
// longer than the timeout, commits stop waiting until a replica has caught up. A KILL does not end
// the wait: who is told that his transaction is committed may count on the replicas having it.
type semiSync struct {
	enabled atomic.Bool
	timeout atomic.Int64 // milliseconds
	count   atomic.Int64 // replicas to wait for

	mu       sync.Mutex
	replicas map[*wireConn]binlog.Position // how far each has answered
	newest   binlog.Position               // of the commits so far
	alone    bool                          // a commit waits also while fewer replicas are connected
	off      bool                          // given up for now
	changed  chan struct{}                 // closed when those who wait have to look again

	yes, no, timeouts      atomic.Int64
	waits, waited, waiting atomic.Int64 // transactions that had to wait, microseconds of that, those that wait now
}

func (s *semiSync) on() bool { return s.enabled.Load() }

// enable switches it; nobody waits any longer when it is off.
func (s *semiSync) enable(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch was := s.enabled.Swap(on); {
	case on && !was:
		s.off = s.desertedLocked()
	case was && !on:
		s.off = false // counted as given up once more, as in MySQL
		s.giveUpLocked()
	}
}

// setCount changes the number of replicas to wait for.
func (s *semiSync) setCount(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count.Store(n)
	s.wakeLocked()
}

// setAlone tells whether a commit waits also while too few replicas are connected.
func (s *semiSync) setAlone(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.alone = on; on {
		s.off = false
	} else if s.on() && s.desertedLocked() {
		s.giveUpLocked()
	}
}

// shutDown lets nobody wait for answers that cannot come any more: no replica is left, or the time
// to end is over.
func (s *semiSync) shutDown(over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if over || len(s.replicas) == 0 {
		s.giveUpLocked()
	}
}

// giveUpLocked lets commits go on without answers until a replica has caught up.
// REQUIRES: s.mu held.
func (s *semiSync) giveUpLocked() {
	if s.off {
		return
	}
	s.off = true
	s.timeouts.Add(1)
	s.wakeLocked()
}

// wakeLocked makes those who wait look again. REQUIRES: s.mu held.
func (s *semiSync) wakeLocked() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// join adds a replica; the returned function takes it out.
func (s *semiSync) join(w *wireConn) (leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.replicas == nil {
		s.replicas = make(map[*wireConn]binlog.Position)
	}
	s.replicas[w] = binlog.Position{}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if delete(s.replicas, w); s.on() && s.desertedLocked() {
			s.giveUpLocked()
		}
	}
}

// desertedLocked tells whether too few replicas are connected, and a commit does not wait for more to come.
// REQUIRES: s.mu held.
func (s *semiSync) desertedLocked() bool {
	return !s.alone && int64(len(s.replicas)) < s.count.Load()
}

// ack notes that a replica has everything up to at.
func (s *semiSync) ack(w *wireConn, at binlog.Position) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.replicas[w]; !ok {
		return
	}
	s.replicas[w] = at
	if s.off && s.reachedLocked(s.newest) {
		s.off = false
	}
	s.wakeLocked()
}

// reachedLocked tells whether enough replicas have everything up to at.
func (s *semiSync) reachedLocked(at binlog.Position) bool {
	n := int64(0)
	for _, p := range s.replicas {
		if p.Compare(at) >= 0 {
			n++
		}
	}
	return n >= s.count.Load()
}

// reset forgets positions: the log begins anew. Dump threads end with it.
func (s *semiSync) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest = binlog.Position{}
	clear(s.replicas)
}

// wait is the commit's part: txn.Acks.
func (s *semiSync) wait(at binlog.Position) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at.Compare(s.newest) > 0 {
		s.newest = at
	}
	if s.unansweredLocked(at) {
		s.waitLocked(at)
	}
	if s.off || !s.on() {
		s.no.Add(1)
	} else {
		s.yes.Add(1)
	}
}

// unansweredLocked tells whether a commit has to wait. REQUIRES: s.mu held.
func (s *semiSync) unansweredLocked(at binlog.Position) bool {
	return s.on() && !s.off && !s.reachedLocked(at)
}

// waitLocked waits until enough replicas have everything up to at, or that is given up.
// REQUIRES: s.mu held, which it lets go meanwhile.
func (s *semiSync) waitLocked(at binlog.Position) {
	limit := min(s.timeout.Load(), int64(math.MaxInt64/time.Millisecond))
	since, timer := time.Now(), time.NewTimer(time.Duration(limit)*time.Millisecond)
	defer timer.Stop()
	s.waiting.Add(1)
	for s.unansweredLocked(at) {
		if s.changed == nil {
			s.changed = make(chan struct{})
		}
		changed, late := s.changed, false
		s.mu.Unlock()
		select {
		case <-changed:
		case <-timer.C:
			late = true
		}
		s.mu.Lock()
		if late && s.unansweredLocked(at) {
			s.giveUpLocked()
		}
	}
	s.waiting.Add(-1)
	s.waits.Add(1)
	s.waited.Add(time.Since(since).Microseconds())
}

// status puts the status variables; answers: this server is such a replica itself.
func (s *semiSync) status(answers bool, put func(name string, v any)) {
	s.mu.Lock()
	clients, active := len(s.replicas), s.on() && !s.off
	s.mu.Unlock()
	put("Rpl_semi_sync_replica_status", answers)
	put("Rpl_semi_sync_source_clients", int64(clients))
	put("Rpl_semi_sync_source_status", active)
	put("Rpl_semi_sync_source_yes_tx", s.yes.Load())
	put("Rpl_semi_sync_source_no_tx", s.no.Load())
	put("Rpl_semi_sync_source_no_times", s.timeouts.Load())
	put("Rpl_semi_sync_source_tx_waits", s.waits.Load())
	put("Rpl_semi_sync_source_tx_wait_time", s.waited.Load())
	put("Rpl_semi_sync_source_tx_avg_wait_time", s.waited.Load()/max(1, s.waits.Load()))
	put("Rpl_semi_sync_source_wait_sessions", s.waiting.Load())
}
