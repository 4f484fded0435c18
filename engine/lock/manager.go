package lock

import (
	"cmp"
	"hash/maphash"
	"sync/atomic"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// Options of a Manager.
type Options struct {
	DeadlockDetect bool
	Recheck        time.Duration // how often a long wait looks for deadlocks again; 0: as usual
	Compact        int           // locks from which on an owner's are kept compactly, -1: all; 0: the usual number
}

// recheck is how often a long wait looks for deadlocks again: the search may have been off before.
const recheck = time.Second

// Manager is the lock table.
//
// Invariants:
//
//	(1) A request waits exactly while its queue holds a conflicting lock of another root owner, or
//	    a conflicting request of one that came earlier; except that an X request on a record, and
//	    any metadata request, passes waiting requests that its own owner's granted lock blocks
//	    anyway (an upgrade would deadlock there for nothing).
//	(2) A root owner waits for at most one request; owner.waiting is that request, changed only
//	    under graph.
//	(3) Whoever removes a granted lock from a shard that has waiting requests holds graph, so the
//	    walk of the wait graph, which holds it too, sees edges vanish only when nobody walks.
//	    Edges that appear meanwhile start at owners that run, or come from inheritance, which
//	    looks for cycles itself.
//	(4) Only the goroutine of an owner unlinks its granted locks, so ReleaseAll walks the list
//	    without a mutex.
//	(5) The granted requests of a void owner may stand anywhere and count for nowhere. An owner
//	    becomes void under graph.
//
// Latches: graph > shards in the order of their index > runs > the runs of a tree > owner.mu.
type Manager struct {
	seed    maphash.Seed
	shards  [shardCount]shard
	detect  atomic.Bool
	placed  atomic.Int64 // waits of owners that have a place: see ordered.go
	recheck time.Duration
	many    int // locks from which on an owner becomes void

	runs    runs
	compact int // locks from which on an owner's stand in runs or are implied

	graph struct {
		invariants.Mutex[invariants.LockGraph]
		walk     uint64 // stamp of the last walk
		stack    []*Owner
		waits    *Wait // the pending ones
		deadlock *Deadlock
	}

	stats struct {
		row                                 base.Timed   // as SetRowUse has changed it
		waits, waitNanos, maxNanos, current atomic.Int64 // row locks
		deadlocks, timeouts                 atomic.Int64
	}
}

// NewManager returns an empty lock table.
func NewManager(o Options) *Manager {
	m := &Manager{seed: maphash.MakeSeed(), many: manyLocks, compact: manyToKeep, recheck: cmp.Or(o.Recheck, recheck)}
	if o.Compact != 0 {
		m.compact = o.Compact
	}
	for i := range m.shards {
		m.shards[i].index = i
	}
	m.detect.Store(o.DeadlockDetect)
	return m
}

// SetDeadlockDetect switches the search for deadlocks (innodb_deadlock_detect).
func (m *Manager) SetDeadlockDetect(on bool) { m.detect.Store(on) }

// Lock asks for a record lock. nil: o has it, or had it already. Otherwise the request is queued,
// and the caller lets go of its latches, waits on the result and looks at the record again.
func (m *Manager) Lock(o *Owner, tree base.IndexID, key []byte, mode Mode, k Kind) *Wait {
	ob := recordObject(tree, key)
	_, _, w := m.acquire(o, &ob, uint8(mode), onSupremum(key, k), true)
	return w
}

// TryLock is Lock for those who will not wait. false: o would have to wait; nothing is queued.
func (m *Manager) TryLock(o *Owner, tree base.IndexID, key []byte, mode Mode, k Kind) bool {
	ob := recordObject(tree, key)
	_, ok, _ := m.acquire(o, &ob, uint8(mode), onSupremum(key, k), false)
	return ok
}

// onSupremum makes a lock on the end of a tree a gap lock: there is no record.
func onSupremum(key []byte, k Kind) Kind {
	if len(key) == 0 && k != InsertIntention {
		return Gap
	}
	return k
}

// Holds tells whether o has been granted a lock that covers the one described.
func (m *Manager) Holds(o *Owner, tree base.IndexID, key []byte, mode Mode, k Kind) bool {
	ob := recordObject(tree, key)
	k = onSupremum(key, k)
	hash := m.hashOf(&ob)
	s := m.shardOf(hash)
	s.Lock()
	defer s.Unlock()
	for r := s.first(hash, &ob); r != nil; r = r.nextSame() {
		if r.owner == o && r.wait == nil && covers(classRecord, r.mode, r.kind, uint8(mode), k) {
			return true
		}
	}
	held := false
	m.inRun(tree, key, func(l *runList) {
		held = held || l.owner == o && covers(classRecord, uint8(l.mode), NextKey, uint8(mode), k)
	})
	return held
}

// acquire is the one way to a lock. r is the new entry, nil if none was needed; w is not nil if it
// waits.
func (m *Manager) acquire(o *Owner, ob *object, mode uint8, k Kind, mayWait bool) (r *request, ok bool, w *Wait) {
	return m.acquireNear(o, ob, mode, k, mayWait, nil)
}

// acquireNear is acquire of a lock that may be part of a run; then near is the key beside it.
func (m *Manager) acquireNear(o *Owner, ob *object, mode uint8, k Kind, mayWait bool, near *[]byte) (r *request, ok bool, w *Wait) {
	o.fresh = false
	hash := m.hashOf(ob)
	s := m.shardOf(hash)
	s.Lock()
	v := m.judge(s, o, hash, ob, mode, k)
	if v == mustWait && mayWait {
		// Waiting is decided again under graph, which comes before the shard.
		s.Unlock()
		m.graph.Lock()
		defer m.graph.Unlock()
		s.Lock()
		v = m.judge(s, o, hash, ob, mode, k)
	}
	defer s.Unlock()
	if near != nil && v != mustWait {
		alone := v == isFree && s.first(hash, ob) == nil
		if m.join(o, ob, Mode(mode), *near, alone) && alone {
			return nil, true, nil
		}
	}
	switch v {
	case isHeld:
		return nil, true, nil
	case mustWait:
		if !mayWait {
			return nil, false, nil
		}
		r = s.enqueue(o, hash, ob, mode, k)
		r.wait = o.wait.begin(m, r)
		o.root().waiting = r
		s.waiting++
		return r, false, r.wait
	}
	if k != InsertIntention {
		r = s.enqueue(o, hash, ob, mode, k)
		o.fresh = true
	}
	return r, true, nil
}

// enqueue enters a request of the running owner o.
func (s *shard) enqueue(o *Owner, hash uint32, ob *object, mode uint8, k Kind) *request {
	r := s.add(o, hash, ob, mode, k)
	if ob.class != classMeta && !o.link(r) {
		panic("lock: an owner that has released its locks asks for another")
	}
	return r
}

type verdict uint8

const (
	isFree verdict = iota
	isHeld
	mustWait
)

// judge tells what becomes of a new request of o. REQUIRES: s is locked.
func (m *Manager) judge(s *shard, o *Owner, hash uint32, ob *object, mode uint8, k Kind) verdict {
	if m.spread(s, o, hash, ob, mode, k) {
		return isHeld
	}
	return s.judge(o, hash, ob, mode, k)
}

// judge tells what becomes of a new request of o, as far as entries tell.
func (s *shard) judge(o *Owner, hash uint32, ob *object, mode uint8, k Kind) verdict {
	if s.strong == 0 && weak(ob.class, mode) {
		return isFree // what the owner holds already, its caller knows from the owner's own list
	}
	probe := request{owner: o, class: ob.class, mode: mode, kind: k}
	root, v := o.root(), isFree
	first := s.first(hash, ob)
	for q := first; q != nil; q = q.nextSame() {
		switch {
		case q.owner.root() == root:
			if q.wait == nil && (q.owner == o || q.owner == o.parent.Load()) && ob.class == classRecord && covers(ob.class, q.mode, q.kind, mode, k) {
				return isHeld
			}
		case v == isFree && probe.conflicts(q) && !q.owner.void.Load() && !probe.passes(q, first):
			v = mustWait
		}
	}
	return v
}

// passes tells whether r need not wait for the conflicting q: q waits itself, and r outranks it, or
// it waits for a lock that r's owner holds. first begins their queue.
func (r *request) passes(q, first *request) bool {
	switch {
	case q.wait == nil, r.class == classTable:
		return false
	case r.outranks(q):
		return true
	case r.class == classRecord && (r.kind == InsertIntention || Mode(r.mode) != X || Mode(q.mode) != X):
		// An insert intention must not pass: the insert would split the gap that q waits for.
		return false
	}
	root := r.owner.root()
	for h := first; h != nil; h = h.nextSame() {
		if h.holds() && h.owner.root() == root && q.conflicts(h) {
			return true
		}
	}
	return false
}

// outranks tells whether r is served before q while both wait, whoever came first: a change of the
// table's definition before all others, LOCK TABLES WRITE before those who read or change its rows.
func (r *request) outranks(q *request) bool {
	return r.class == classMeta && MetaMode(r.mode) >= MetaNoReadWrite && r.mode > q.mode
}

// holdsOne tells whether r's owner has been granted any lock in the queue that begins with first.
func (r *request) holdsOne(first *request) bool {
	root := r.owner.root()
	for h := first; h != nil; h = h.nextSame() {
		if h.holds() && h.owner.root() == root {
			return true
		}
	}
	return false
}

// eachBlocker yields the requests that waiting request r waits for; first begins their queue.
// REQUIRES: the shard is locked.
func (r *request) eachBlocker(first *request, yield func(q *request) bool) {
	ahead, root := true, r.owner.root()
	holds, known := false, false // holdsOne is asked for at most once: hot queues are long
	for q := first; q != nil; q = q.nextSame() {
		switch {
		case q == r:
			ahead = false
			continue
		case q.wait != nil && !ahead && !q.outranks(r), q.owner.root() == root, !r.conflicts(q), q.owner.void.Load(), q.wait != nil && r.outranks(q):
			continue
		case q.wait != nil:
			if !known {
				holds, known = r.holdsOne(first), true
			}
			if holds && r.passes(q, first) {
				continue
			}
		}
		if !yield(q) {
			return
		}
	}
}

// grant wakes the requests of ob's queue that need not wait any more.
// REQUIRES: graph and s are locked.
func (m *Manager) grant(s *shard, hash uint32, ob *object) {
	for r := s.first(hash, ob); r != nil; {
		next := r.nextSame()
		if r.wait != nil && !r.blocked(s.first(hash, ob)) {
			m.granted(s, r)
		}
		r = next
	}
}

func (r *request) blocked(first *request) (is bool) {
	r.eachBlocker(first, func(*request) bool { is = true; return false })
	return is
}

// granted ends r's wait with success. An insert intention leaves no entry.
func (m *Manager) granted(s *shard, r *request) {
	w := r.wait
	if r.kind == InsertIntention {
		m.drop(s, r)
	} else {
		r.wait = nil
		s.waiting--
		w.fresh = true
	}
	w.finish(nil)
}

// drop removes a request from its queue and its owner's list.
// REQUIRES: s is locked, and graph if r waits.
func (m *Manager) drop(s *shard, r *request) {
	if r.class != classMeta {
		r.owner.unlink(r)
	}
	s.remove(r)
}

// lockForRemoval locks the shard of hash, and graph before it if somebody waits there. graph tells
// whether it was.
func (m *Manager) lockForRemoval(hash uint32) (s *shard, graph bool) {
	s = m.shardOf(hash)
	s.Lock()
	if s.waiting == 0 {
		return s, false
	}
	s.Unlock()
	m.graph.Lock()
	s.Lock()
	return s, true
}

func (m *Manager) unlockAfterRemoval(s *shard, graph bool) {
	s.Unlock()
	if graph {
		m.graph.Unlock()
	}
}

// release removes a granted request of the running owner, which has unlinked it, and wakes those
// who waited for it.
func (m *Manager) release(r *request) {
	hash := r.hash // does not change while r is granted
	s, graph := m.lockForRemoval(hash)
	if !graph {
		s.remove(r)
		s.Unlock()
		return
	}
	ob := object{r.class, r.tree, append([]byte(nil), r.key()...)} // outlives r
	s.remove(r)
	m.grant(s, hash, &ob)
	m.unlockAfterRemoval(s, graph)
}

// Unlock gives back a record lock that did not turn out to be needed (READ COMMITTED: the row did
// not match). The newest entry of o on the record itself with that mode goes.
func (m *Manager) Unlock(o *Owner, tree base.IndexID, key []byte, mode Mode) {
	ob := recordObject(tree, key)
	hash := m.hashOf(&ob)
	s, graph := m.lockForRemoval(hash)
	defer m.unlockAfterRemoval(s, graph)
	var newest *request
	for r := s.first(hash, &ob); r != nil; r = r.nextSame() {
		if r.owner == o && r.wait == nil && Mode(r.mode) == mode && r.kind != Gap {
			newest = r
		}
	}
	if newest == nil {
		return
	}
	m.drop(s, newest)
	if graph {
		m.grant(s, hash, &ob)
	}
}

// Convert makes the implicit lock of o, the active last writer of the record, an entry. o is
// another goroutine's; false: it has released its locks meanwhile, and there is no entry.
// REQUIRES: o has that lock; a writer that has not come to a record yet has none.
func (m *Manager) Convert(o *Owner, tree base.IndexID, key []byte) bool {
	ob := recordObject(tree, key)
	hash := m.hashOf(&ob)
	s := m.shardOf(hash)
	s.Lock()
	defer s.Unlock()
	for r := s.first(hash, &ob); r != nil; r = r.nextSame() {
		if r.owner == o && r.wait == nil && covers(classRecord, r.mode, r.kind, uint8(X), Record) {
			return !o.isReleased()
		}
	}
	return s.addFor(o, hash, &ob, X, Record)
}

// addFor enters a granted lock for an owner that another goroutine acts for. false: the owner takes
// no more.
func (s *shard) addFor(o *Owner, hash uint32, ob *object, mode Mode, k Kind) bool {
	r := s.add(o, hash, ob, uint8(mode), k)
	if !o.link(r) {
		s.remove(r)
		return false
	}
	return true
}

// LockTable asks for a table lock; nil: granted.
func (m *Manager) LockTable(o *Owner, table base.TableID, mode Mode) *Wait {
	_, w := m.lockTable(o, table, mode, true)
	return w
}

// TryLockTable is LockTable for those who will not wait.
func (m *Manager) TryLockTable(o *Owner, table base.TableID, mode Mode) bool {
	ok, _ := m.lockTable(o, table, mode, false)
	return ok
}

func (m *Manager) lockTable(o *Owner, table base.TableID, mode Mode, mayWait bool) (bool, *Wait) {
	for i := range o.tables {
		if l := &o.tables[i]; l.table == table && tableCovers[l.mode]>>mode&1 != 0 {
			return true, nil
		}
	}
	ob := object{class: classTable, tree: uint64(table)}
	r, ok, w := m.acquire(o, &ob, uint8(mode), NextKey, mayWait)
	if ok {
		o.addTable(tableLock{table, mode, r})
	}
	return ok, w
}

// UnlockTable ends one table lock early: the auto-increment lock, at the end of its statement.
func (m *Manager) UnlockTable(o *Owner, table base.TableID, mode Mode) {
	for i, l := range o.tables {
		if l.table == table && l.mode == mode {
			o.tables = append(o.tables[:i], o.tables[i+1:]...)
			o.unlink(l.r)
			m.release(l.r)
			return
		}
	}
}

// Stats are counters since the start, for Innodb_row_lock_*.
type Stats struct {
	RowWaits, RowWaitsCurrent int64
	RowWaitTime, RowWaitMax   time.Duration
	RowUse                    base.TimedSum // the waits, as SetRowUse has changed it
	Deadlocks, Timeouts       int64
	Locks                     int64 // entries and runs now
}

// SetRowUse makes the row waits that were counted other ones: none, or those of an earlier process.
func (m *Manager) SetRowUse(s base.TimedSum) { m.stats.row.Set(s) }

// Stats reads the counters.
func (m *Manager) Stats() Stats {
	st := Stats{
		RowWaits: m.stats.waits.Load(), RowWaitsCurrent: m.stats.current.Load(),
		RowWaitTime: time.Duration(m.stats.waitNanos.Load()), RowWaitMax: time.Duration(m.stats.maxNanos.Load()),
		RowUse:    m.stats.row.Sum(),
		Deadlocks: m.stats.deadlocks.Load(), Timeouts: m.stats.timeouts.Load(),
	}
	for i := range m.shards {
		m.shards[i].Lock()
		st.Locks += int64(m.shards[i].n)
		m.shards[i].Unlock()
	}
	st.Locks += int64(len(m.runs.all()))
	return st
}
