package lock

import (
	"context"
	"time"

	"emberdb/internal/base"
)

// Wait is a request in the queue. It is a part of its owner.
//
//	Lock ──begin──> pending ──finish──> over       finish is called once, under graph, by whoever grants, cancels or victimises
type Wait struct {
	m       *Manager
	o       *Owner
	ch      chan struct{} // one token when the wait is over
	pending bool          // of the owner's goroutine: begun, and its end not yet seen
	class   class
	place   *Ordered // the owner's, nil: none

	// Guarded by Manager.graph until the token is taken, then of the owner's goroutine.
	r     *request // nil when over
	got   *request // the granted entry
	err   error
	fresh bool
	since time.Time

	next, prev *Wait // Manager.graph.waits
}

// begin enters r as the request o waits for. REQUIRES: graph is locked.
func (w *Wait) begin(m *Manager, r *request) *Wait {
	if w.pending {
		panic("lock: an owner that waits asks for another lock")
	}
	if w.ch == nil {
		w.ch = make(chan struct{}, 1)
	}
	w.m, w.o, w.pending, w.class = m, r.owner, true, r.class
	w.r, w.got, w.err, w.fresh, w.since = r, nil, nil, false, time.Now()
	if w.next = m.graph.waits; w.next != nil {
		w.next.prev = w
	}
	m.graph.waits = w
	if w.place = r.owner.ordered.Load(); w.place != nil {
		m.placed.Add(1)
	}
	return w
}

// finish ends the wait. REQUIRES: graph is locked.
func (w *Wait) finish(err error) {
	if w.fresh {
		w.got = w.r
	}
	w.r, w.err = nil, err
	w.o.root().waiting = nil
	if w.prev != nil {
		w.prev.next = w.next
	} else {
		w.m.graph.waits = w.next
	}
	if w.next != nil {
		w.next.prev = w.prev
	}
	w.next, w.prev = nil, nil
	if w.place != nil {
		w.m.placed.Add(-1)
	}
	w.ch <- struct{}{}
}

// Wait waits until the lock is granted, at most for timeout. The caller holds no latch. After nil
// it looks at the record again: a wait for an insert intention reserves nothing, and the record may
// be gone.
func (w *Wait) Wait(ctx context.Context, timeout time.Duration) error {
	m := w.m
	if w.class == classRecord {
		m.stats.waits.Add(1)
		m.stats.current.Add(1)
	}
	began := time.Now()
	timer := time.NewTimer(min(m.recheck, max(timeout, 0)))
	defer timer.Stop()
	for over := false; !over; {
		if m.detect.Load() {
			m.resolve(w.o)
		}
		m.MakeRoom()
		select {
		case <-w.ch:
			over = true
		case <-ctx.Done():
			m.cancel(w, base.ErrInterrupted)
		case <-timer.C:
			if left := timeout - time.Since(began); left > 0 {
				timer.Reset(min(m.recheck, left))
			} else if m.cancel(w, base.ErrLockTimeout) {
				m.stats.timeouts.Add(1)
			}
		}
	}
	w.pending = false
	w.o.fresh = w.fresh
	took := time.Since(began)
	w.o.root().waited.Add(int64(took))
	if w.class == classRecord {
		m.countWait(took)
	} else if w.class == classTable && w.err == nil {
		w.o.addTable(tableLock{base.TableID(w.got.tree), Mode(w.got.mode), w.got})
	}
	return w.err
}

func (m *Manager) countWait(took time.Duration) {
	m.stats.current.Add(-1)
	m.stats.row.Add(0, took)
	m.stats.waitNanos.Add(int64(took))
	for {
		old := m.stats.maxNanos.Load()
		if int64(took) <= old || m.stats.maxNanos.CompareAndSwap(old, int64(took)) {
			return
		}
	}
}

// cancel takes a pending request out of its queue and ends its wait with err. false: the wait was
// over already.
func (m *Manager) cancel(w *Wait, err error) bool {
	m.graph.Lock()
	defer m.graph.Unlock()
	return m.cancelLocked(w, err)
}

// cancelLocked is cancel. REQUIRES: graph is locked, no shard is.
func (m *Manager) cancelLocked(w *Wait, err error) bool {
	r := w.r
	if r == nil {
		return false
	}
	hash, ob := r.hash, object{r.class, r.tree, append([]byte(nil), r.key()...)}
	s := m.shardOf(hash)
	s.Lock()
	m.drop(s, r)
	m.grant(s, hash, &ob)
	s.Unlock()
	w.finish(err)
	return true
}
