package lock

import (
	"sync/atomic"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// Owner is who holds locks: a transaction, or a session for what outlives transactions. The zero
// value is ready. One goroutine at a time acts for an owner; others only add locks to it (Convert,
// inheritance), grant its waiting request or make it a victim. It is not used again after
// ReleaseAll.
type Owner struct {
	id            atomic.Uint64 // transaction, for messages
	thread        atomic.Uint64 // connection, for messages
	weight        atomic.Int64  // rows changed
	readCommitted atomic.Bool
	void          atomic.Bool             // see release.go
	parent        atomic.Pointer[Owner]   // the session's owner, if any
	inRuns        atomic.Int64            // locks that stand in runs
	waited        atomic.Int64            // nanoseconds, of the root owner: all waits of those that joined it
	metaWaits     atomic.Int32            // of the root owner: waits for metadata locks that go on
	ordered       atomic.Pointer[Ordered] // must end after others, nil: no
	implied       atomic.Bool             // has given entries back that its changes imply: see implied.go

	// Of the goroutine that acts for the owner.
	fresh  bool        // the last Lock, TryLock or Wait made a new entry
	bare   bool        // it has ended without ever having had a lock on rows or tables
	tables []tableLock // its table locks, so that the second statement on a table asks nobody
	metas  []metaLock
	names  map[string]int32 // once metas are many: the newest lock of each name, from which next leads to the others
	runs   []ownRuns
	wait   Wait

	// The first of tables and metas: a statement on one table needs no memory for them.
	firstTables [1]tableLock
	firstMetas  [3]metaLock

	// Of the root owner only; guarded by Manager.graph.
	waiting *request // the request this owner, or one that joined it, waits for
	visited uint64   // the last walk of the wait graph that came by

	mu struct {
		invariants.Mutex[invariants.LockOwner]
		first    *request // newest first, through ownNext and ownPrev
		n        int
		released bool
	}
}

type ownRuns struct {
	t    *treeRuns
	list *runList
}

type tableLock struct {
	table base.TableID
	mode  Mode
	r     *request
}

type metaLock struct {
	name  string
	mode  MetaMode
	scope Scope
	r     *request // nil: unlocked
	next  int32    // of the same name, -1; where there are names
}

// Ordered is the place of an owner that ends in an order given from outside: it keeps its locks
// until those before it have ended.
type Ordered interface {
	Before(Ordered) bool
	// Yield has the owner give its locks up, since one before it waits for them. It may be called
	// more than once.
	Yield()
}

// SetOrdered gives o its place.
func (o *Owner) SetOrdered(p Ordered) { o.ordered.Store(&p) }

// Join makes o and session one in all conflicts and in the wait graph.
// REQUIRES: o holds no lock yet; session is itself not joined.
func (o *Owner) Join(session *Owner) { o.parent.Store(session) }

// Detach ends Join: from now on o's locks conflict with the session's.
// REQUIRES: o waits for nothing.
func (o *Owner) Detach() { o.parent.Store(nil) }

// Metas counts the metadata locks o has taken, for ReleaseMetaSince.
func (o *Owner) Metas() int { return len(o.metas) }

// MetaNames are the names of which o holds metadata locks of that mode.
func (o *Owner) MetaNames(mode MetaMode) (names []string) {
	for _, l := range o.metas {
		if l.mode == mode && l.r != nil {
			names = append(names, l.name)
		}
	}
	return names
}

// SetID gives the transaction id that messages show.
func (o *Owner) SetID(id base.TrxID) { o.id.Store(uint64(id)) }

// SetThread gives the connection id that messages show.
func (o *Owner) SetThread(id uint64) { o.thread.Store(id) }

// Thread is what SetThread gave.
func (o *Owner) Thread() uint64 { return o.thread.Load() }

// Waited is how long the owner, and those that joined it, have waited for locks.
func (o *Owner) Waited() time.Duration { return time.Duration(o.waited.Load()) }

// WaitsForMeta tells whether the root owner o, or one that joined it, waits for a metadata lock.
func (o *Owner) WaitsForMeta() bool { return o.metaWaits.Load() > 0 }

// SetReadCommitted tells that the owner runs at READ COMMITTED or below: its X locks do not become
// gap locks when the record goes.
func (o *Owner) SetReadCommitted(on bool) { o.readCommitted.Store(on) }

// AddWeight counts n changed rows (negative: undone ones) towards the choice of a deadlock victim.
func (o *Owner) AddWeight(n int64) { o.weight.Add(n) }

// Fresh tells whether the last Lock, TryLock or Wait of o made a new entry; only such a lock may be
// given back by Unlock.
func (o *Owner) Fresh() bool { return o.fresh }

// Bare tells whether o has ended and nobody but who knows o's metadata locks has ever heard of it:
// it had no other locks, and waited for none.
// REQUIRES: after ReleaseAll.
func (o *Owner) Bare() bool { return o.bare && len(o.metas) == 0 && o.names == nil }

// Locks is the number of locks o holds or waits for, metadata locks not counted.
func (o *Owner) Locks() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.mu.n + int(o.inRuns.Load())
}

// root is the node of the wait graph that o belongs to.
func (o *Owner) root() *Owner {
	if p := o.parent.Load(); p != nil {
		return p
	}
	return o
}

// addTable notes a granted table lock.
func (o *Owner) addTable(l tableLock) {
	if o.tables == nil {
		o.tables = o.firstTables[:0]
	}
	o.tables = append(o.tables, l)
}

// addMeta notes a granted metadata lock.
func (o *Owner) addMeta(l metaLock) {
	if o.metas == nil {
		o.metas = o.firstMetas[:0]
	}
	o.metas = append(o.metas, l)
	switch {
	case o.names != nil:
		o.nameMeta(len(o.metas) - 1)
	case len(o.metas) == manyMetas:
		o.nameMetas()
	}
}

// manyMetas is from where on names are looked up and not searched: DROP DATABASE locks every table
// of a schema.
const manyMetas = 64

func (o *Owner) nameMetas() {
	o.names = make(map[string]int32, 2*len(o.metas))
	for i := range o.metas {
		o.nameMeta(i)
	}
}

// nameMeta enters a metadata lock into names, before the others of its name.
func (o *Owner) nameMeta(i int) {
	l := &o.metas[i]
	next, ok := o.names[l.name]
	if !ok {
		next = -1
	}
	l.next, o.names[l.name] = next, int32(i)
}

// findMeta returns a metadata lock of that name for which ok holds, nil if there is none.
func (o *Owner) findMeta(name string, ok func(l *metaLock) bool) *metaLock {
	if o.names == nil {
		for i := range o.metas {
			if l := &o.metas[i]; l.r != nil && l.name == name && ok(l) {
				return l
			}
		}
		return nil
	}
	i, known := o.names[name]
	for known && i >= 0 {
		l := &o.metas[i]
		if l.r != nil && ok(l) {
			return l
		}
		i = l.next
	}
	return nil
}

// trimMetas forgets unlocked metadata locks at the end of the list.
func (o *Owner) trimMetas() {
	for n := len(o.metas); n > 0 && o.metas[n-1].r == nil; n-- {
		l := &o.metas[n-1]
		switch {
		case o.names == nil:
		case l.next < 0:
			delete(o.names, l.name)
		default:
			o.names[l.name] = l.next
		}
		*l = metaLock{}
		o.metas = o.metas[:n-1]
	}
}

// keepMetas replaces the metadata locks by those of them that stay, a prefix of the same array.
func (o *Owner) keepMetas(kept []metaLock) {
	clear(o.metas[len(kept):])
	o.metas = kept
	if o.names != nil {
		if o.names = nil; len(kept) >= manyMetas {
			o.nameMetas()
		}
	}
}

// link puts r into o's list. false: o has released its locks and takes no more.
func (o *Owner) link(r *request) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.mu.released {
		return false
	}
	r.ownPrev, r.ownNext = nil, o.mu.first
	if r.ownNext != nil {
		r.ownNext.ownPrev = r
	}
	o.mu.first = r
	o.mu.n++
	return true
}

// isReleased tells whether ReleaseAll has begun.
func (o *Owner) isReleased() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.mu.released
}

// unlink takes r out of o's list.
func (o *Owner) unlink(r *request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if r.ownPrev != nil {
		r.ownPrev.ownNext = r.ownNext
	} else {
		o.mu.first = r.ownNext
	}
	if r.ownNext != nil {
		r.ownNext.ownPrev = r.ownPrev
	}
	o.mu.n--
}

// Weight is what AddWeight has summed up.
func (o *Owner) Weight() int64 { return o.weight.Load() }
