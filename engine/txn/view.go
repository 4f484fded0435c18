package txn

import (
	"slices"
	"sync/atomic"

	"emberdb/internal/base"
)

// Who sees what. A snapshot is the set of transactions that were active (or aborted and not yet
// cleaned) at one moment; a ReadView is a transaction's use of one. The set changes only when a
// transaction leaves it: new ids are above every older snapshot anyway. So between two commits all
// views share one snapshot, and opening a view costs two atomic operations and no mutex.
//
//	                  commit, or an aborted one cleaned
//	current ──────────────────────────────────────────> old ──last view closed──> unlinked
//	   ↑ made by the first view that finds none            (each holds back purge at its limit)
//
// Invariants:
//
//	(1) The system holds one reference on the current snapshot, every open view one on its own.
//	    One without references is never referenced again.
//	(2) The list is in the order of making, and so in the order of limits: the oldest snapshot
//	    bounds purge.

// MaxTrxID is above every transaction id.
const MaxTrxID = ^base.TrxID(0)

// snapshot is immutable but for refs and the links, which belong to System.mu.
type snapshot struct {
	refs       atomic.Int64
	up, low    base.TrxID   // ids below up are visible, those from low on are not
	limit      base.TrxID   // every commit number below belongs to a transaction the snapshot sees
	ids        []base.TrxID // active in [up, low), ascending
	prev, next *snapshot
}

// ref adds a reference unless the snapshot has lost its last one.
func (s *snapshot) ref() bool {
	for {
		n := s.refs.Load()
		if n == 0 {
			return false
		}
		if s.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// ReadView decides which row versions a transaction sees.
type ReadView struct {
	up, low base.TrxID
	creator base.TrxID // its own changes are visible; 0 before its first write
	ids     []base.TrxID
	snap    *snapshot // nil: closed, or a view that holds nothing back (READ UNCOMMITTED)
	open    bool
}

// Sees tells whether changes of transaction id are visible.
func (v *ReadView) Sees(id base.TrxID) bool {
	if id < v.up || id == v.creator {
		return true
	}
	if id >= v.low || len(v.ids) == 0 {
		return id < v.low
	}
	_, hidden := slices.BinarySearch(v.ids, id)
	return !hidden
}

// UpLimit: every id below is visible.
func (v *ReadView) UpLimit() base.TrxID { return v.up }

// LowLimit: no id from here on is visible, but the view's own.
func (v *ReadView) LowLimit() base.TrxID { return v.low }

// acquireSnapshot returns the current snapshot with a reference.
func (s *System) acquireSnapshot() *snapshot {
	if cur := s.current.Load(); cur != nil && cur.ref() {
		return cur
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	cur := s.current.Load()
	if cur == nil {
		cur = s.newSnapshotLocked()
		s.current.Store(cur)
	}
	cur.refs.Add(1)
	return cur
}

// newSnapshotLocked makes a snapshot of this moment, with the system's reference.
func (s *System) newSnapshotLocked() *snapshot {
	sn := &snapshot{low: s.mu.next, up: s.mu.next, limit: s.limitLocked(), ids: make([]base.TrxID, len(s.mu.active))}
	for i, a := range s.mu.active {
		sn.ids[i] = a.id
	}
	if len(sn.ids) > 0 {
		sn.up = sn.ids[0]
	}
	sn.refs.Store(1)
	sn.prev = s.mu.lastView
	if sn.prev != nil {
		sn.prev.next = sn
	} else {
		s.mu.firstView = sn
	}
	s.mu.lastView = sn
	return sn
}

// limitLocked is the commit number below which every commit is visible to a view opened now.
func (s *System) limitLocked() base.TrxID {
	if len(s.mu.committing) > 0 {
		return s.mu.committing[0]
	}
	return s.mu.next
}

// retireSnapshotLocked makes the next view take a new snapshot: a transaction has left the active
// set.
func (s *System) retireSnapshotLocked() {
	if cur := s.current.Load(); cur != nil {
		s.current.Store(nil)
		if cur.refs.Add(-1) == 0 {
			s.unlinkSnapshotLocked(cur)
		}
	}
}

func (s *System) releaseSnapshot(sn *snapshot) {
	if sn.refs.Add(-1) == 0 {
		s.mu.Lock()
		s.unlinkSnapshotLocked(sn)
		s.mu.Unlock()
	}
}

func (s *System) unlinkSnapshotLocked(sn *snapshot) {
	if sn.prev != nil {
		sn.prev.next = sn.next
	} else {
		s.mu.firstView = sn.next
	}
	if sn.next != nil {
		sn.next.prev = sn.prev
	} else {
		s.mu.lastView = sn.prev
	}
	sn.prev, sn.next = nil, nil
}

// advancePurgeLimit computes the limit anew and returns it: logs with a commit number below are
// needed by no view.
func (s *System) advancePurgeLimit() base.TrxID {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := s.limitLocked()
	if s.mu.firstView != nil {
		limit = s.mu.firstView.limit
	}
	s.purgeLimit.Store(uint64(limit))
	return limit
}

// PurgeLimit: every version that a commit with a lower number replaced is needed by no view, now or
// later.
func (s *System) PurgeLimit() base.TrxID { return base.TrxID(s.purgeLimit.Load()) }

// SeenByAll: the changes of every id below are visible to every view, now or later.
func (s *System) SeenByAll() base.TrxID {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.mu.firstView != nil:
		return s.mu.firstView.up
	case len(s.mu.active) > 0:
		return s.mu.active[0].id
	}
	return s.mu.next
}

// openView fills v for isolation level iso.
func (s *System) openView(v *ReadView, creator base.TrxID, iso Isolation) {
	if iso == ReadUncommitted {
		*v = s.dirtyView(creator)
		return
	}
	sn := s.acquireSnapshot()
	*v = ReadView{up: sn.up, low: sn.low, creator: creator, ids: sn.ids, snap: sn, open: true}
}

// dirtyView sees everything but what is rolled back already and only not yet cleaned away.
func (s *System) dirtyView(creator base.TrxID) ReadView {
	v := ReadView{up: MaxTrxID, low: MaxTrxID, creator: creator, open: true}
	if s.oldestAborted.Load() == uint64(MaxTrxID) {
		return v
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.mu.active {
		if a.t.State() == Aborted {
			v.ids = append(v.ids, a.id)
		}
	}
	if len(v.ids) > 0 {
		v.up = v.ids[0]
	}
	return v
}

func (s *System) closeView(v *ReadView) {
	if v.snap != nil {
		s.releaseSnapshot(v.snap)
	}
	*v = ReadView{}
}
