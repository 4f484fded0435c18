package lock

import (
	"bytes"
	"slices"
	"sync/atomic"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// Runs. An owner that locks the records of a leaf one after the other, each with the gap before it,
// does not need an entry for each: a run says that every key from lo to hi is next-key locked,
// which is what the single locks would say, for nobody else can insert a key between two of them.
// Who wants something that a run forbids makes the owner's lock of that one key an entry first
// (spread), as with implicit locks. So queues, waits and the wait graph know entries only:
//
//	(6) A queue in which somebody waits holds an entry for every run that he waits for: he made
//	    them when he came, and a lock that joins a run later has an entry as well if its queue is
//	    not empty.
//
// A run grows by a key that is its neighbour in the leaf, which the caller knows by the leaf's
// latch. It changes under its tree's mutex and, for the key it grows by, under the key's shard; its
// owner's goroutine alone changes it. Runs of one owner, tree and mode are disjoint.

// run is the keys lo to hi, both included.
type run struct {
	lo, hi []byte
	keys   int64 // locked ones
}

// runList are an owner's runs of one mode in a tree, in the order of their keys.
type runList struct {
	owner *Owner
	mode  Mode
	runs  []*run
}

// treeRuns are the runs in a tree.
type treeRuns struct {
	invariants.Mutex[invariants.LockTreeRuns]
	tree  uint64
	lists []*runList
}

// runs are all runs. The map is replaced when trees come and go, under the mutex; nil: there are
// none.
type runs struct {
	invariants.Mutex[invariants.LockRuns]
	trees atomic.Pointer[map[uint64]*treeRuns]
}

// maxLists bounds the lists of a tree: a request looks at each.
const maxLists = 64

func (rs *runs) of(tree uint64) *treeRuns {
	if trees := rs.trees.Load(); trees != nil {
		return (*trees)[tree]
	}
	return nil
}

// LockBeside is Lock of a record and the gap before it, and TryLock unless mayWait, for those who
// lock record after record: the nth now. beside is the key in the same leaf, latched, that was
// locked before it, on either side; nil: the leaf's first one.
func (m *Manager) LockBeside(o *Owner, tree base.IndexID, beside, key []byte, mode Mode, nth int, mayWait bool) (ok bool, w *Wait) {
	ob := recordObject(tree, key)
	var near *[]byte
	if nth > m.compact {
		near = &beside
	}
	_, ok, w = m.acquireNear(o, &ob, uint8(mode), NextKey, mayWait, near)
	return ok, w
}

// find is the run that key is in, and where it or the first behind key stands.
func (l *runList) find(key []byte) (at int, in *run) {
	if n := len(l.runs); n > 0 && bytes.Compare(key, l.runs[n-1].lo) > 0 { // who scans forward asks for the last one
		if bytes.Compare(key, l.runs[n-1].hi) > 0 {
			return n, nil
		}
		return n - 1, l.runs[n-1]
	}
	at, exact := slices.BinarySearchFunc(l.runs, key, func(r *run, key []byte) int { return bytes.Compare(r.lo, key) })
	if exact {
		return at, l.runs[at]
	}
	if at > 0 && bytes.Compare(key, l.runs[at-1].hi) <= 0 {
		return at - 1, l.runs[at-1]
	}
	return at, nil
}

// join enters the next-key lock of key, which o has been granted, into a run. may: a new one may be
// made for it. false: there is none it belongs to.
// REQUIRES: the key's shard is locked.
func (m *Manager) join(o *Owner, ob *object, mode Mode, beside []byte, may bool) bool {
	l, t := m.runs.list(o, ob.tree, mode, may)
	if l == nil {
		return false
	}
	t.Lock()
	defer t.Unlock()
	at, in := l.find(ob.key)
	if in != nil {
		return true
	}
	switch {
	case len(beside) > 0 && at > 0 && bytes.Equal(l.runs[at-1].hi, beside):
		r := l.runs[at-1]
		r.hi = append(r.hi[:0], ob.key...)
		r.keys++
	case len(beside) > 0 && at < len(l.runs) && bytes.Equal(l.runs[at].lo, beside):
		r := l.runs[at]
		r.lo = append(r.lo[:0], ob.key...)
		r.keys++
	case may:
		l.runs = slices.Insert(l.runs, at, &run{bytes.Clone(ob.key), bytes.Clone(ob.key), 1})
	default:
		return false
	}
	o.inRuns.Add(1)
	return true
}

// list returns o's runs of that mode in a tree, and makes the list if it may and the tree has not
// too many.
func (rs *runs) list(o *Owner, tree uint64, mode Mode, may bool) (*runList, *treeRuns) {
	for i := range o.runs {
		if l := &o.runs[i]; l.t.tree == tree && l.list.mode == mode {
			return l.list, l.t
		}
	}
	if !may {
		return nil, nil
	}
	rs.Lock()
	defer rs.Unlock()
	t := rs.of(tree)
	if t == nil {
		t = &treeRuns{tree: tree}
		rs.replace(t, true)
	}
	t.Lock()
	defer t.Unlock()
	if len(t.lists) >= maxLists {
		return nil, nil
	}
	l := &runList{owner: o, mode: mode}
	t.lists = append(t.lists, l)
	o.runs = append(o.runs, ownRuns{t, l})
	return l, t
}

// replace puts t in the map or takes it out. REQUIRES: rs is locked.
func (rs *runs) replace(t *treeRuns, in bool) {
	trees := map[uint64]*treeRuns{}
	if old := rs.trees.Load(); old != nil {
		for tree, other := range *old {
			trees[tree] = other
		}
	}
	if in {
		trees[t.tree] = t
	} else {
		delete(trees, t.tree)
	}
	if len(trees) == 0 {
		rs.trees.Store(nil)
		return
	}
	rs.trees.Store(&trees)
}

// drop ends all runs of o.
func (rs *runs) drop(o *Owner) {
	if len(o.runs) == 0 {
		return
	}
	rs.Lock()
	defer rs.Unlock()
	for _, l := range o.runs {
		l.t.Lock()
		l.t.lists = slices.DeleteFunc(l.t.lists, func(other *runList) bool { return other == l.list })
		empty := len(l.t.lists) == 0
		l.t.Unlock()
		if empty {
			rs.replace(l.t, false)
		}
	}
	o.runs = nil
	o.inRuns.Store(0)
}

// spread makes an entry of every lock that o's request would have to wait for and that stands in a
// run only. held: a run of o's own covers the request.
// REQUIRES: s, the shard of ob, is locked.
func (m *Manager) spread(s *shard, o *Owner, hash uint32, ob *object, mode uint8, k Kind) (held bool) {
	if ob.class != classRecord {
		return false
	}
	t := m.runs.of(ob.tree)
	if t == nil {
		return false
	}
	root := o.root()
	t.Lock()
	defer t.Unlock()
	for _, l := range t.lists {
		own := l.owner.root() == root
		if own && (l.owner != o || !covers(classRecord, uint8(l.mode), NextKey, mode, k)) {
			continue
		}
		if !own && !conflicts(classRecord, mode, k, uint8(l.mode), NextKey) {
			continue
		}
		switch _, in := l.find(ob.key); {
		case in == nil:
		case own:
			held = true
		default:
			s.enter(l.owner, hash, ob, l.mode, NextKey)
		}
	}
	return held
}

// enter gives an owner that another goroutine acts for a granted lock, unless it has one that
// covers it.
// REQUIRES: s, the shard of ob, is locked.
func (s *shard) enter(o *Owner, hash uint32, ob *object, mode Mode, k Kind) {
	for q := s.first(hash, ob); q != nil; q = q.nextSame() {
		if q.owner == o && q.wait == nil && covers(classRecord, q.mode, q.kind, uint8(mode), k) {
			return
		}
	}
	s.addFor(o, hash, ob, mode, k)
}

// inRun calls fn with the lists that have a run with key. They do not change meanwhile.
func (m *Manager) inRun(tree base.IndexID, key []byte, fn func(l *runList)) {
	t := m.runs.of(uint64(tree))
	if t == nil {
		return
	}
	t.Lock()
	defer t.Unlock()
	for _, l := range t.lists {
		if _, in := l.find(key); in != nil {
			fn(l)
		}
	}
}

// covers tells whether key is in a run of the list.
func (l *runList) covers(key []byte) bool {
	_, in := l.find(key)
	return in != nil
}

// all lists the runs as they stand.
func (rs *runs) all() (out []Info) {
	trees := rs.trees.Load()
	if trees == nil {
		return nil
	}
	for tree, t := range *trees {
		t.Lock()
		for _, l := range t.lists {
			for _, r := range l.runs {
				out = append(out, Info{Trx: base.TrxID(l.owner.id.Load()), Thread: l.owner.thread.Load(), Class: "RECORD", Index: base.IndexID(tree), Granted: true,
					Key: bytes.Clone(r.lo), Last: bytes.Clone(r.hi), Mode: l.mode.String()})
			}
		}
		t.Unlock()
	}
	return out
}
