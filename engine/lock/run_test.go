package lock

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
)

// A manager that keeps locks in runs must answer as one that has an entry for each. Two managers,
// one of each kind, go through the same life of a small leaf: scans that lock record after record
// in either direction, point locks, inserts, removals, rollbacks, ends of owners. They must agree
// on every answer and on who waits.

type leafModel struct {
	t       *testing.T
	r       *rand.Rand
	m       [2]*Manager // with runs, without
	records []string
	writer  map[string]int // owner who has inserted it and is active
	owners  []*leafOwner
	id      int
}

type leafOwner struct {
	id  int
	o   [2]*Owner
	at  string // where its scan is; "": not begun
	up  bool
	mod Mode
}

func (l *leafModel) begin() *leafOwner {
	l.id++
	o := &leafOwner{id: l.id, o: [2]*Owner{new(Owner), new(Owner)}, up: l.r.IntN(3) > 0, mod: []Mode{S, X}[l.r.IntN(2)]}
	for i := range o.o {
		o.o[i].SetID(base.TrxID(l.id))
	}
	return o
}

// both asks both managers and requires the same answer.
func (l *leafModel) both(what string, ask func(m *Manager, o func(*leafOwner) *Owner) bool) bool {
	l.t.Helper()
	var got [2]bool
	for i, m := range l.m {
		got[i] = ask(m, func(o *leafOwner) *Owner { return o.o[i] })
	}
	require.Equal(l.t, got[1], got[0], "%s: records %v", what, l.records)
	return got[0]
}

func (l *leafModel) waiting(o *leafOwner) bool {
	return l.both(fmt.Sprint(o.id, " waits"), func(m *Manager, of func(*leafOwner) *Owner) bool {
		w := &of(o).wait
		if w.pending && w.r == nil {
			require.NoError(l.t, w.Wait(l.t.Context(), time.Minute))
		}
		return w.pending
	})
}

// next is the place of the first record behind key, and whether key is a record itself.
func (l *leafModel) next(key string) (at int, exact bool) {
	at, exact = slices.BinarySearch(l.records, key)
	if exact {
		return at + 1, true
	}
	return at, false
}

func (l *leafModel) keyAt(at int) []byte {
	if at < 0 || at >= len(l.records) {
		return Supremum
	}
	return []byte(l.records[at])
}

func (l *leafModel) claim(o *leafOwner, key []byte) {
	if w, ok := l.writer[string(key)]; ok && w != o.id {
		for _, other := range l.owners {
			if other.id == w {
				l.both("convert", func(m *Manager, of func(*leafOwner) *Owner) bool { return m.Convert(of(other), tree, key) })
			}
		}
	}
}

// awaited tells whether somebody waits for a lock of key.
func (l *leafModel) awaited(key []byte) bool {
	return slices.ContainsFunc(l.owners, func(o *leafOwner) bool {
		r := o.o[1].waiting
		return r != nil && string(r.key()) == string(key)
	})
}

func (l *leafModel) scan(o *leafOwner) {
	at := 0
	if o.at != "" {
		at, _ = l.next(o.at)
		if !o.up {
			at, _ = slices.BinarySearch(l.records, o.at)
			at--
		}
	} else if !o.up {
		at = len(l.records) - 1
	}
	if at < 0 || at >= len(l.records) {
		o.at, o.up = "", l.r.IntN(3) > 0
		return
	}
	key, beside := []byte(l.records[at]), l.keyAt(at-1)
	if !o.up {
		beside = l.keyAt(at + 1)
	}
	if l.writer[string(key)] == o.id && l.awaited(key) {
		return // the run that the record was inserted into locks it already, the entry of the gap before it does not
	}
	l.claim(o, key)
	mayWait := l.r.IntN(3) > 0
	if l.both(fmt.Sprintf("%d scans %q", o.id, key), func(m *Manager, of func(*leafOwner) *Owner) bool {
		ok, _ := m.LockBeside(of(o), tree, beside, key, o.mod, 1, mayWait)
		return ok
	}) || !mayWait {
		o.at = string(key)
	}
}

func (l *leafModel) point(o *leafOwner) {
	if len(l.records) == 0 {
		return
	}
	key := []byte(l.records[l.r.IntN(len(l.records))])
	mode, kind := []Mode{S, X}[l.r.IntN(2)], []Kind{NextKey, Record, Gap}[l.r.IntN(3)]
	if l.writer[string(key)] == o.id && l.awaited(key) {
		return
	}
	l.claim(o, key)
	l.both(fmt.Sprintf("%d locks %q %v/%d", o.id, key, mode, kind), func(m *Manager, of func(*leafOwner) *Owner) bool {
		return m.Lock(of(o), tree, key, mode, kind) == nil
	})
}

func (l *leafModel) insert(o *leafOwner) {
	key := fmt.Sprintf("%02d", l.r.IntN(40))
	at, exact := l.next(key)
	if exact {
		return
	}
	next := l.keyAt(at)
	if !l.both(fmt.Sprintf("%d inserts %q before %q", o.id, key, next), func(m *Manager, of func(*leafOwner) *Owner) bool {
		return m.Lock(of(o), tree, next, X, InsertIntention) == nil
	}) {
		return
	}
	for _, m := range l.m {
		m.InheritOnInsert(tree, []byte(key), next)
	}
	l.records, l.writer[key] = slices.Insert(l.records, at, key), o.id
}

// remove is purge of a record nobody has just written, or the rollback of its inserter.
func (l *leafModel) remove(o *leafOwner) {
	if len(l.records) == 0 {
		return
	}
	at := l.r.IntN(len(l.records))
	key := l.records[at]
	w, active := l.writer[key]
	if active && w != o.id {
		return
	}
	if active {
		l.both("keep", func(m *Manager, of func(*leafOwner) *Owner) bool { return m.Convert(of(o), tree, []byte(key)) })
	}
	for _, m := range l.m {
		m.InheritOnDelete(tree, []byte(key), l.keyAt(at+1))
	}
	l.records = slices.Delete(l.records, at, at+1)
	delete(l.writer, key)
}

func (l *leafModel) end(i int) {
	for k, m := range l.m {
		m.ReleaseAll(l.owners[i].o[k])
	}
	for key, w := range l.writer {
		if w == l.owners[i].id {
			delete(l.writer, key)
		}
	}
	l.owners[i] = l.begin()
}

func TestRunsAreAsGoodAsEntries(t *testing.T) {
	seed := testkit.Seed(t)
	for round := range 40 {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		l := &leafModel{t: t, r: r, m: [2]*Manager{NewManager(Options{Compact: -1}), NewManager(Options{Compact: 1 << 30})}, writer: map[string]int{}}
		for i := 0; i < 40; i += 1 + r.IntN(4) {
			l.records = append(l.records, fmt.Sprintf("%02d", i))
		}
		for range 2 + r.IntN(4) {
			l.owners = append(l.owners, l.begin())
		}
		for range 600 {
			i := r.IntN(len(l.owners))
			o := l.owners[i]
			waits := l.waiting(o)
			switch op := r.IntN(40); {
			case op == 0:
				l.end(i)
			case waits:
			case op < 25:
				l.scan(o)
			case op < 30:
				l.point(o)
			case op < 36:
				l.insert(o)
			default:
				l.remove(o)
			}
			for _, o := range l.owners {
				l.waiting(o)
			}
		}
		for _, o := range l.owners {
			for k, m := range l.m {
				m.ReleaseAll(o.o[k])
			}
		}
		require.Zero(t, l.m[0].Stats().Locks)
		require.Nil(t, l.m[0].runs.trees.Load())
	}
}

func TestRunIsOneEntryForManyKeys(t *testing.T) {
	m, a, b := NewManager(Options{Compact: -1}), newOwner(1), newOwner(2)
	var before []byte
	for i := range 1000 {
		key := fmt.Appendf(nil, "%04d", i)
		ok, w := m.LockBeside(a, tree, before, key, X, 1, true)
		require.True(t, ok)
		require.Nil(t, w)
		before = key
	}
	require.EqualValues(t, 1, m.Stats().Locks)
	require.Equal(t, 1000, a.Locks())
	require.True(t, m.Holds(a, tree, []byte("0500"), X, NextKey))
	require.Equal(t, []Info{{Trx: 1, Class: "RECORD", Index: tree, Key: []byte("0000"), Last: []byte("0999"), Mode: "X", Granted: true}}, m.Snapshot())
	require.False(t, m.TryLock(b, tree, []byte("0500"), S, Record))
	require.False(t, m.TryLock(b, tree, []byte("0500"), X, InsertIntention))
	require.True(t, m.TryLock(b, tree, []byte("0500"), X, Gap))
	require.True(t, m.TryLock(b, tree, []byte("1000"), X, NextKey))
	done := waitFor(t, m.Lock(b, tree, []byte("0700"), X, Record))
	m.ReleaseAll(a)
	require.NoError(t, <-done)
}

func TestRunsOfTwoCloseACycle(t *testing.T) {
	m, a, b := NewManager(Options{DeadlockDetect: true, Compact: -1}), newOwner(1), newOwner(2)
	for i, o := range []*Owner{a, b} {
		for k := range 10 {
			ok, _ := m.LockBeside(o, tree, nil, fmt.Appendf(nil, "%d%d", i, k), X, 1, false)
			require.True(t, ok)
		}
	}
	b.AddWeight(100)
	done := waitFor(t, m.Lock(b, tree, []byte("05"), X, Record))
	testkit.Eventually(t, func() bool { return m.isWaiting(b) })
	require.ErrorIs(t, m.Lock(a, tree, []byte("15"), S, NextKey).Wait(t.Context(), forever), base.ErrDeadlock)
	m.ReleaseAll(a)
	require.NoError(t, <-done)
}

func TestImpliedLockComesBack(t *testing.T) {
	m, a, b := NewManager(Options{Compact: -1}), newOwner(1), newOwner(2)
	key := []byte("k")
	require.Nil(t, m.Lock(a, tree, key, X, Record))
	m.Implied(a, tree, key)
	require.Zero(t, m.Stats().Locks)
	require.True(t, a.GaveBack())
	require.True(t, m.Convert(a, tree, key))
	done := waitFor(t, m.Lock(b, tree, key, X, Record))
	m.Implied(a, tree, key) // somebody waits: it stays
	require.True(t, m.isWaiting(b))
	require.True(t, m.Holds(a, tree, key, X, Record))
	m.ReleaseAll(a)
	require.NoError(t, <-done)
}
