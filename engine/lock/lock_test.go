package lock

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
)

const (
	tree    = base.IndexID(3)
	forever = time.Hour
)

func newOwner(id base.TrxID) *Owner {
	o := new(Owner)
	o.SetID(id)
	return o
}

// waitFor runs a wait in the background.
func waitFor(t *testing.T, w *Wait) <-chan error {
	require.NotNil(t, w, "the lock should have to wait")
	ch := make(chan error, 1)
	go func() { ch <- w.Wait(context.Background(), forever) }()
	return ch
}

// walks counts the walks of the wait graph.
func (m *Manager) walks() uint64 {
	m.graph.Lock()
	defer m.graph.Unlock()
	return m.graph.walk
}

// isWaiting is true once o's wait has begun and until it is over.
func (m *Manager) isWaiting(o *Owner) bool {
	m.graph.Lock()
	defer m.graph.Unlock()
	return o.root().waiting != nil
}

func TestTableConflicts(t *testing.T) {
	// Rows: requested, columns: held. From the InnoDB manual, with AUTO-INC.
	matrix := map[Mode]string{IS: "   x ", IX: "  xx ", S: " x xx", X: "xxxxx", AutoInc: "  xxx"}
	for req, row := range matrix {
		for held, c := range row {
			m, a, b := NewManager(Options{}), newOwner(1), newOwner(2)
			require.True(t, m.TryLockTable(a, 9, Mode(held)))
			require.Equal(t, c == ' ', m.TryLockTable(b, 9, req), "%v against %v", req, Mode(held))
			require.True(t, m.TryLockTable(b, 10, req), "another table")
		}
	}
}

func TestAutoIncLockEndsWithStatementAlsoAfterWait(t *testing.T) {
	m, a, b := NewManager(Options{DeadlockDetect: true}), newOwner(1), newOwner(2)
	require.Nil(t, m.LockTable(a, 9, AutoInc))
	done := waitFor(t, m.LockTable(b, 9, AutoInc))
	m.UnlockTable(a, 9, AutoInc)
	require.NoError(t, <-done)
	require.False(t, m.TryLockTable(a, 9, AutoInc))
	m.UnlockTable(b, 9, AutoInc)
	require.True(t, m.TryLockTable(a, 9, AutoInc))
	m.ReleaseAll(a)
	m.ReleaseAll(b)
	require.Zero(t, m.Stats().Locks)
}

func TestReaderDoesNotOvertakeWaitingWriter(t *testing.T) {
	m := NewManager(Options{DeadlockDetect: true})
	r1, w1, r2 := newOwner(1), newOwner(2), newOwner(3)
	key := []byte("k")
	require.Nil(t, m.Lock(r1, tree, key, S, Record))
	wrote := waitFor(t, m.Lock(w1, tree, key, X, Record))
	require.False(t, m.TryLock(r2, tree, key, S, Record))
	read := waitFor(t, m.Lock(r2, tree, key, S, Record))
	m.ReleaseAll(r1)
	require.NoError(t, <-wrote)
	require.True(t, m.isWaiting(r2))
	m.ReleaseAll(w1)
	require.NoError(t, <-read)
	require.True(t, r2.Fresh())
}

func TestUpgradePassesWaitingWriter(t *testing.T) {
	m := NewManager(Options{DeadlockDetect: true})
	a, b := newOwner(1), newOwner(2)
	key := []byte("k")
	require.Nil(t, m.Lock(a, tree, key, S, Record))
	done := waitFor(t, m.Lock(b, tree, key, X, Record))
	require.Nil(t, m.Lock(a, tree, key, X, Record), "b waits for a anyway")
	m.ReleaseAll(a)
	require.NoError(t, <-done)
}

func TestFreshAndUnlock(t *testing.T) {
	m := NewManager(Options{})
	a, b := newOwner(1), newOwner(2)
	key := []byte("k")
	require.Nil(t, m.Lock(a, tree, key, X, Record))
	require.True(t, a.Fresh())
	require.Nil(t, m.Lock(a, tree, key, S, Record))
	require.False(t, a.Fresh(), "covered by the first")
	require.True(t, m.Holds(a, tree, key, S, Record))
	require.False(t, m.Holds(a, tree, key, S, NextKey))
	m.Unlock(a, tree, key, X)
	require.True(t, m.TryLock(b, tree, key, X, Record))
	require.Equal(t, 0, a.Locks())
}

func TestInsertIntentionLeavesNoTrace(t *testing.T) {
	m := NewManager(Options{DeadlockDetect: true})
	a, b := newOwner(1), newOwner(2)
	require.Nil(t, m.Lock(a, tree, Supremum, S, NextKey))
	require.Nil(t, m.Lock(b, tree, Supremum, X, Gap), "gap locks do not conflict")
	m.Unlock(b, tree, Supremum, X) // gap locks stay
	require.Equal(t, 1, b.Locks())
	done := waitFor(t, m.Lock(b, tree, Supremum, X, InsertIntention))
	m.ReleaseAll(a)
	require.NoError(t, <-done)
	require.False(t, b.Fresh())
	require.Equal(t, 1, b.Locks())
	require.Nil(t, m.Lock(b, tree, Supremum, X, InsertIntention))
	require.Equal(t, int64(1), m.Stats().Locks)
}

func TestConvertAfterRelease(t *testing.T) {
	m := NewManager(Options{})
	a, b := newOwner(1), newOwner(2)
	require.True(t, m.Convert(a, tree, []byte("k")))
	require.False(t, m.TryLock(b, tree, []byte("k"), S, Record))
	m.ReleaseAll(a)
	require.False(t, m.Convert(a, tree, []byte("k")))
	require.True(t, m.TryLock(b, tree, []byte("k"), S, Record))
}

func TestDeadlockVictimIsLightest(t *testing.T) {
	for _, heavy := range []int{0, 1} {
		m := NewManager(Options{DeadlockDetect: true})
		owners := []*Owner{newOwner(11), newOwner(12)}
		owners[heavy].AddWeight(100)
		k := [][]byte{[]byte("a"), []byte("b")}
		require.Nil(t, m.Lock(owners[0], tree, k[0], X, Record))
		require.Nil(t, m.Lock(owners[1], tree, k[1], X, Record))
		done := []<-chan error{waitFor(t, m.Lock(owners[0], tree, k[1], X, Record)), nil}
		done[1] = waitFor(t, m.Lock(owners[1], tree, k[0], S, Record))
		require.ErrorIs(t, <-done[1-heavy], base.ErrDeadlock)
		m.ReleaseAll(owners[1-heavy])
		require.NoError(t, <-done[heavy])
		text := m.LastDeadlock(func(id base.IndexID) string { return "PRIMARY" })
		require.Contains(t, text, "RECORD LOCKS index PRIMARY key 61 trx id 12 lock_mode S locks rec but not gap waiting")
		require.Contains(t, text, "RECORD LOCKS index PRIMARY key 62 trx id 12 lock_mode X locks rec but not gap\n")
		require.Equal(t, 1, strings.Count(text, "*** WE ROLL BACK"))
		require.Equal(t, int64(1), m.Stats().Deadlocks)
	}
}

func TestEqualWeightsMakeTheLastOneVictim(t *testing.T) {
	m := NewManager(Options{DeadlockDetect: true})
	a, b := newOwner(1), newOwner(2)
	require.Nil(t, m.Lock(a, tree, []byte("a"), X, Record))
	require.Nil(t, m.Lock(b, tree, []byte("b"), X, Record))
	first := waitFor(t, m.Lock(a, tree, []byte("b"), X, Record))
	require.ErrorIs(t, m.Lock(b, tree, []byte("a"), X, Record).Wait(t.Context(), forever), base.ErrDeadlock)
	m.ReleaseAll(b)
	require.NoError(t, <-first)
}

func TestRingOfWaiters(t *testing.T) {
	const n = 50
	m := NewManager(Options{DeadlockDetect: true})
	var owners []*Owner
	key := func(i int) []byte { return []byte{byte('a'), byte(i % n)} }
	for i := range n {
		owners = append(owners, newOwner(base.TrxID(i+1)))
		require.Nil(t, m.Lock(owners[i], tree, key(i), X, NextKey))
		owners[i].AddWeight(int64(10 + (i+20)%n)) // the lightest is owner 30
	}
	errs := make([]<-chan error, n)
	for i := range n {
		errs[i] = waitFor(t, m.Lock(owners[i], tree, key(i+1), S, Record))
	}
	require.ErrorIs(t, <-errs[30], base.ErrDeadlock)
	for i := 29; i != 30; i = (i + n - 1) % n {
		m.ReleaseAll(owners[(i+1)%n])
		require.NoError(t, <-errs[i])
	}
}

func TestWaitBehindWaiterIsAnEdge(t *testing.T) {
	m := NewManager(Options{DeadlockDetect: true})
	a, b, c := newOwner(1), newOwner(2), newOwner(3)
	a.AddWeight(50)
	b.AddWeight(50)
	require.Nil(t, m.Lock(a, tree, []byte("k"), S, Record))
	require.Nil(t, m.Lock(c, tree, []byte("other"), X, Record))
	bWait := waitFor(t, m.Lock(b, tree, []byte("other"), X, Record)) // b waits for c
	m2 := m.Lock(c, tree, []byte("k"), X, Record)                    // c waits for a
	cWait := waitFor(t, m2)
	aWait := waitFor(t, m.Lock(a, tree, []byte("other"), S, Record)) // a waits for c, and for b which came earlier
	require.ErrorIs(t, <-cWait, base.ErrDeadlock)
	m.ReleaseAll(c)
	require.NoError(t, <-bWait)
	m.ReleaseAll(b)
	require.NoError(t, <-aWait)
}

func TestDetectionOffLeavesItToTimeout(t *testing.T) {
	m := NewManager(Options{})
	a, b := newOwner(1), newOwner(2)
	require.Nil(t, m.Lock(a, tree, []byte("a"), X, Record))
	require.Nil(t, m.Lock(b, tree, []byte("b"), X, Record))
	first := waitFor(t, m.Lock(a, tree, []byte("b"), X, Record))
	err := m.Lock(b, tree, []byte("a"), X, Record).Wait(t.Context(), 20*time.Millisecond)
	require.ErrorIs(t, err, base.ErrLockTimeout)
	require.True(t, m.isWaiting(a))
	m.ReleaseAll(b)
	require.NoError(t, <-first)
	require.Equal(t, int64(1), m.Stats().Timeouts)
	require.Equal(t, int64(2), m.Stats().RowWaits)
	require.Zero(t, m.Stats().RowWaitsCurrent)
}

func TestKilledWhileWaiting(t *testing.T) {
	m := NewManager(Options{DeadlockDetect: true})
	a, b, c := newOwner(1), newOwner(2), newOwner(3)
	key := []byte("k")
	require.Nil(t, m.Lock(a, tree, key, S, Record))
	ctx, kill := context.WithCancel(t.Context())
	w := m.Lock(b, tree, key, X, Record)
	behind := waitFor(t, m.Lock(c, tree, key, S, Record))
	kill()
	require.ErrorIs(t, w.Wait(ctx, forever), base.ErrInterrupted)
	require.NoError(t, <-behind, "c waited only for b's request")
}

func TestDeletedRecordWakesItsWaiters(t *testing.T) {
	m := NewManager(Options{DeadlockDetect: true})
	a, b, c := newOwner(1), newOwner(2), newOwner(3)
	require.Nil(t, m.Lock(a, tree, []byte("k"), X, Record))
	done := waitFor(t, m.Lock(b, tree, []byte("k"), S, NextKey))
	m.InheritOnDelete(tree, []byte("k"), []byte("m"))
	require.NoError(t, <-done)
	require.False(t, b.Fresh())
	require.True(t, m.HasGapLocks(tree, []byte("m")))
	require.False(t, m.TryLock(c, tree, []byte("m"), X, InsertIntention))
	require.False(t, m.TryLock(a, tree, []byte("m"), X, InsertIntention), "b's request has become a gap lock")
	m.ReleaseAll(b)
	require.True(t, m.TryLock(a, tree, []byte("m"), X, InsertIntention), "its own gap lock")
}

func TestInheritedEdgeClosesCycle(t *testing.T) {
	m := NewManager(Options{DeadlockDetect: true, Recheck: forever})
	a, b, d := newOwner(1), newOwner(2), newOwner(3)
	require.Nil(t, m.Lock(d, tree, []byte("m"), S, Gap))
	require.Nil(t, m.Lock(a, tree, []byte("x"), X, Record))
	require.Nil(t, m.Lock(b, tree, []byte("k"), S, Record))
	aWait := waitFor(t, m.Lock(a, tree, []byte("m"), X, InsertIntention)) // for d
	bWait := waitFor(t, m.Lock(b, tree, []byte("x"), X, Record))          // for a
	a.AddWeight(5)
	testkit.Eventually(t, func() bool { return m.walks() == 2 }, "both have looked")
	m.InheritOnDelete(tree, []byte("k"), []byte("m")) // now a waits for b, too
	require.ErrorIs(t, <-bWait, base.ErrDeadlock)
	m.ReleaseAll(b)
	m.ReleaseAll(d)
	require.NoError(t, <-aWait)
}

func TestMetaLocks(t *testing.T) {
	m, ctx := NewManager(Options{DeadlockDetect: true}), t.Context()
	session, trx, other := newOwner(0), newOwner(1), newOwner(2)
	trx.Join(session)
	name := MetaName("db", "t")
	require.NoError(t, m.LockMeta(ctx, session, name, MetaExclusive, Explicit, 0))
	require.NoError(t, m.LockMeta(ctx, trx, name, MetaSharedWrite, Transaction, 0), "the session's own")
	require.ErrorIs(t, m.LockMeta(ctx, other, name, MetaShared, Transaction, 0), base.ErrLockTimeout)
	require.True(t, m.HoldsMeta(session, name, MetaShared))
	m.ReleaseMeta(session, Transaction)
	require.True(t, m.HoldsMeta(session, name, MetaShared), "explicit locks outlive transactions")
	m.ReleaseMeta(session, Explicit)
	require.NoError(t, m.LockMeta(ctx, other, name, MetaShared, Transaction, 0))
	m.ReleaseMeta(trx, Transaction)
	require.NoError(t, m.LockMeta(ctx, other, name, MetaExclusive, Transaction, 0), "upgrade of the only holder")
	m.UnlockMeta(other, name, Transaction)
	require.Zero(t, m.Stats().Locks)
}

func TestGlobalReadLock(t *testing.T) {
	m, ctx := NewManager(Options{DeadlockDetect: true}), t.Context()
	w1, ftwrl, w2 := newOwner(1), newOwner(2), newOwner(3)
	require.NoError(t, m.LockMeta(ctx, w1, MetaGlobal, MetaSharedWrite, Statement, forever))
	got := make(chan error, 1)
	go func() { got <- m.LockMeta(ctx, ftwrl, MetaGlobal, MetaReadOnly, Explicit, forever) }()
	testkit.Eventually(t, func() bool { return m.isWaiting(ftwrl) })
	require.ErrorIs(t, m.LockMeta(ctx, w2, MetaGlobal, MetaSharedWrite, Statement, 0), base.ErrLockTimeout, "new writers queue behind it")
	require.NoError(t, m.LockMeta(ctx, w1, MetaGlobal, MetaSharedWrite, Transaction, 0), "a holder does not")
	m.ReleaseMeta(w1, Transaction)
	require.NoError(t, <-got)
	require.NoError(t, m.LockMeta(ctx, w2, MetaGlobal, MetaShared, Statement, 0))
}

// Who looks at a definition alone stands beside LOCK TABLES WRITE, also beside one that waits, and
// keeps only changes of the definition out.
func TestLookAtADefinitionStandsBesideLockedTables(t *testing.T) {
	m, ctx := NewManager(Options{DeadlockDetect: true}), t.Context()
	reader, locker, looker := newOwner(1), newOwner(2), newOwner(3)
	name := MetaName("db", "t")
	require.NoError(t, m.LockMeta(ctx, reader, name, MetaShared, Transaction, 0))
	locked := make(chan error, 1)
	go func() { locked <- m.LockMeta(ctx, locker, name, MetaNoReadWrite, Explicit, forever) }()
	testkit.Eventually(t, func() bool { return m.isWaiting(locker) })
	require.NoError(t, m.LockMeta(ctx, looker, name, MetaDefinition, Transaction, 0))
	require.ErrorIs(t, m.LockMeta(ctx, looker, name, MetaShared, Transaction, 0), base.ErrLockTimeout)
	m.ReleaseMeta(reader, Transaction)
	require.NoError(t, <-locked)
	require.ErrorIs(t, m.LockMeta(ctx, locker, name, MetaExclusive, Transaction, 0), base.ErrLockTimeout)
	m.ReleaseMeta(looker, Transaction)
	require.NoError(t, m.LockMeta(ctx, locker, name, MetaExclusive, Transaction, 0))
}

func TestExclusiveMetaLockPassesThoseThatWait(t *testing.T) {
	for _, mode := range []MetaMode{MetaDefinition, MetaShared, MetaSharedWrite, MetaReadOnly, MetaUpgradable, MetaNoReadWrite} {
		m, ctx := NewManager(Options{DeadlockDetect: true}), t.Context()
		locker, first, rename, last := newOwner(1), newOwner(2), newOwner(3), newOwner(4)
		name := MetaName("db", "t")
		ask := func(o *Owner, mode MetaMode) <-chan error {
			got := make(chan error, 1)
			go func() { got <- m.LockMeta(ctx, o, name, mode, Transaction, forever) }()
			testkit.Eventually(t, func() bool { return m.isWaiting(o) })
			return got
		}
		require.NoError(t, m.LockMeta(ctx, locker, name, MetaExclusive, Explicit, 0))
		waited := ask(first, mode)
		renamed := ask(rename, MetaExclusive)
		later := ask(last, MetaExclusive)
		m.ReleaseMeta(locker, Explicit)
		require.NoError(t, <-renamed, "%v came first", mode)
		require.True(t, m.isWaiting(first))
		require.True(t, m.isWaiting(last))
		m.ReleaseMeta(rename, Transaction)
		require.NoError(t, <-later)
		require.True(t, m.isWaiting(first))
		m.ReleaseMeta(last, Transaction)
		require.NoError(t, <-waited)
	}
}

func TestDeadlockAcrossMetaAndRow(t *testing.T) {
	m, ctx := NewManager(Options{DeadlockDetect: true}), t.Context()
	dml, ddl := newOwner(1), newOwner(2)
	dml.AddWeight(1000)
	name := MetaName("db", "t")
	require.NoError(t, m.LockMeta(ctx, dml, name, MetaSharedWrite, Transaction, 0))
	require.Nil(t, m.Lock(ddl, tree, []byte("k"), X, Record))
	got := make(chan error, 1)
	go func() { got <- m.LockMeta(ctx, ddl, name, MetaExclusive, Transaction, forever) }()
	testkit.Eventually(t, func() bool { return m.isWaiting(ddl) })
	err := m.Lock(dml, tree, []byte("k"), S, Record).Wait(ctx, forever)
	require.ErrorIs(t, err, base.ErrDeadlock, "definition changes are spared")
	m.ReleaseAll(dml)
	m.ReleaseMeta(dml, Transaction)
	require.NoError(t, <-got)
	require.Contains(t, m.LastDeadlock(nil), "METADATA LOCK")
}

func TestSnapshotNamesBlockers(t *testing.T) {
	m := NewManager(Options{})
	a, b := newOwner(1), newOwner(2)
	b.SetThread(77)
	require.Nil(t, m.LockTable(a, 5, IX))
	require.Nil(t, m.Lock(a, tree, []byte("k"), X, NextKey))
	done := waitFor(t, m.Lock(b, tree, []byte("k"), X, Record))
	var modes []string
	for _, in := range m.Snapshot() {
		modes = append(modes, fmt.Sprintf("%d %s %s %v %v", in.Trx, in.Class, in.Mode, in.Granted, in.BlockedBy))
	}
	require.ElementsMatch(t, []string{"1 TABLE IX true []", "1 RECORD X true []", "2 RECORD X,REC_NOT_GAP false [{1 0}]"}, modes)
	m.ReleaseAll(a)
	require.NoError(t, <-done)
}

// TestNoLostWakeups lets goroutines lock random sets of rows, in random order, so that they
// deadlock all the time. Counters that only a lock protects must come out exact, and everybody must
// come to an end.
func TestNoLostWakeups(t *testing.T) {
	const workers, rounds, rows = 16, 300, 6
	seed := rand.Uint64()
	t.Log("seed", seed)
	m := NewManager(Options{DeadlockDetect: true})
	var counters [rows]int
	var wins [workers][rows]int
	var wg sync.WaitGroup
	for g := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			rnd := rand.New(rand.NewPCG(seed, uint64(g)))
			for range rounds {
				o := newOwner(base.TrxID(g + 1))
				for range 1 + rnd.IntN(4) {
					row := rnd.IntN(rows)
					mode, kind := []Mode{S, X}[rnd.IntN(2)], []Kind{Record, NextKey}[rnd.IntN(2)]
					err := error(nil)
					if w := m.Lock(o, tree, []byte{byte(row + 1)}, mode, kind); w != nil {
						err = w.Wait(context.Background(), forever)
					}
					if errors.Is(err, base.ErrDeadlock) {
						break
					}
					if err != nil {
						t.Error(err)
						return
					}
					if mode == X {
						counters[row]++
						wins[g][row]++
					} else {
						_ = counters[row]
					}
				}
				m.ReleaseAll(o)
			}
		}()
	}
	wg.Wait()
	for row := range rows {
		sum := 0
		for g := range workers {
			sum += wins[g][row]
		}
		require.Equal(t, sum, counters[row])
	}
	require.Zero(t, m.Stats().Locks)
	require.Zero(t, m.Stats().RowWaitsCurrent)
}

// TestStress does everything at once on few objects: it must come to an end, and leave nothing
// behind.
func TestStress(t *testing.T) {
	const workers, rounds = 8, 150
	seed := rand.Uint64()
	t.Log("seed", seed)
	m := NewManager(Options{DeadlockDetect: true})
	var current [workers]atomic.Pointer[Owner]
	var wg sync.WaitGroup
	for g := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			rnd := rand.New(rand.NewPCG(seed, uint64(g)))
			session := new(Owner)
			for n := range rounds {
				o := newOwner(base.TrxID(1 + g + n*workers))
				o.Join(session)
				o.SetReadCommitted(rnd.IntN(2) == 0)
				current[g].Store(o)
				for range rnd.IntN(8) {
					if err := m.stressStep(rnd, o, session, current[rnd.IntN(workers)].Load()); err != nil {
						if !errors.Is(err, base.ErrDeadlock) && !errors.Is(err, base.ErrLockTimeout) {
							t.Error(err)
						}
						break
					}
				}
				m.ReleaseAll(o)
				m.ReleaseMeta(o, Transaction)
				if rnd.IntN(3) == 0 {
					m.ReleaseMeta(session, Explicit)
				}
			}
			m.ReleaseMeta(session, Explicit)
		}()
	}
	wg.Wait()
	require.Zero(t, m.Stats().Locks)
	require.Nil(t, m.findWaiting())
}

// stressStep is one random call for o; other is the owner of another goroutine, or nil.
func (m *Manager) stressStep(rnd *rand.Rand, o, session, other *Owner) error {
	ctx := context.Background()
	keys := []string{"a", "b", "c", ""}
	at := rnd.IntN(3)
	key, next := []byte(keys[at]), []byte(keys[at+1])
	timeout := []time.Duration{forever, time.Millisecond}[rnd.IntN(2)]
	switch op := rnd.IntN(20); {
	case op < 10:
		if w := m.Lock(o, tree, []byte(keys[rnd.IntN(4)]), []Mode{S, X}[rnd.IntN(2)], Kind(rnd.IntN(3))); w != nil {
			return w.Wait(ctx, timeout)
		}
	case op < 12:
		if w := m.Lock(o, tree, next, X, InsertIntention); w != nil {
			return w.Wait(ctx, timeout)
		}
	case op == 12:
		m.InheritOnInsert(tree, key, next)
	case op == 13:
		m.InheritOnDelete(tree, key, next)
	case op == 14 && other != nil:
		m.Convert(other, tree, fmt.Append(nil, "row of ", other.id.Load())) // nobody else has a lock on it
	case op == 15:
		m.Unlock(o, tree, key, X)
	case op == 16:
		if w := m.LockTable(o, 1, Mode(rnd.IntN(5))); w != nil {
			return w.Wait(ctx, timeout)
		}
	case op == 17:
		m.UnlockTable(o, 1, AutoInc)
	case op == 18:
		return m.LockMeta(ctx, o, "t", MetaMode(rnd.IntN(5)), Scope(rnd.IntN(2)), timeout)
	case op == 19:
		return m.LockMeta(ctx, session, "t", MetaMode(rnd.IntN(5)), Explicit, timeout)
	}
	_ = m.HasGapLocks(tree, key)
	_ = m.Snapshot()
	return nil
}

// findWaiting returns any request that still waits.
func (m *Manager) findWaiting() *request {
	for i := range m.shards {
		for _, b := range m.shards[i].buckets {
			for r := b.first; r != nil; r = r.next {
				if r.wait != nil {
					return r
				}
			}
		}
	}
	return nil
}

// TestConvertAndInheritBesideRelease runs what other goroutines do to an owner beside its end;
// nothing may be left over.
func TestConvertAndInheritBesideRelease(t *testing.T) {
	m := NewManager(Options{DeadlockDetect: true})
	for round := range 2000 {
		o := newOwner(base.TrxID(round))
		for i := range 4 {
			require.Nil(t, m.Lock(o, tree, []byte{1, byte(i)}, S, NextKey))
		}
		var wg sync.WaitGroup
		wg.Add(2)
		go func() {
			defer wg.Done()
			m.Convert(o, tree, []byte{1, 9})
			m.InheritOnInsert(tree, []byte{1, 0, 1}, []byte{1, 1})
		}()
		go func() {
			defer wg.Done()
			m.InheritOnDelete(tree, []byte{1, 2}, []byte{1, 3})
		}()
		m.ReleaseAll(o)
		wg.Wait()
		require.Zero(t, m.Stats().Locks)
	}
}

func BenchmarkLockRelease10(b *testing.B) {
	m := NewManager(Options{DeadlockDetect: true})
	key := []byte("0123456789")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		o := new(Owner)
		m.LockTable(o, 1, IX)
		for j := range 10 {
			key[0], key[1], key[2] = byte(j), byte(i), byte(i>>8)
			m.Lock(o, tree, key, X, Record)
		}
		m.ReleaseAll(o)
	}
}

func BenchmarkLockMillion(b *testing.B) {
	m := NewManager(Options{DeadlockDetect: true})
	key := []byte("0123456789")
	for b.Loop() {
		o := new(Owner)
		for j := range 1_000_000 {
			key[0], key[1], key[2] = byte(j), byte(j>>8), byte(j>>16)
			m.Lock(o, tree, key, X, NextKey)
		}
		m.ReleaseAll(o)
	}
}

// BenchmarkHotRow has 32 goroutines take turns on one row, each with a row of its own besides.
func BenchmarkHotRow(b *testing.B) {
	m := NewManager(Options{DeadlockDetect: true})
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		own := []byte(fmt.Sprint(rand.Uint64()))
		for pb.Next() {
			o := newOwner(1)
			m.LockTable(o, 1, IX)
			m.Lock(o, tree, own, X, Record)
			if w := m.Lock(o, tree, []byte("hot"), X, Record); w != nil {
				if err := w.Wait(context.Background(), forever); err != nil {
					b.Error(err)
				}
			}
			m.ReleaseAll(o)
		}
	})
}

// An owner of very many metadata locks, as DROP DATABASE is, knows each of them, and none it gave
// back.
func TestManyMetaLocks(t *testing.T) {
	m := NewManager(Options{})
	var o, other Owner
	ctx := context.Background()
	name := func(i int) string { return fmt.Sprintf("db.t%05d", i) }
	const n = 3 * manyMetas
	for i := range n {
		require.NoError(t, m.LockMeta(ctx, &o, name(i), MetaExclusive, Transaction, time.Second))
	}
	for i := range n {
		require.True(t, m.HoldsMeta(&o, name(i), MetaExclusive))
		require.NoError(t, m.LockMeta(ctx, &o, name(i), MetaExclusive, Transaction, time.Second))
	}
	require.Len(t, o.metas, n, "locked twice")
	for i := range n - 1 {
		m.UnlockMeta(&o, name(i), Transaction)
	}
	require.NoError(t, m.LockMeta(ctx, &o, name(0), MetaExclusive, Transaction, time.Second))
	require.True(t, m.HoldsMeta(&o, name(0), MetaExclusive))
	require.False(t, m.HoldsMeta(&o, name(1), MetaExclusive))
	require.NoError(t, m.LockMeta(ctx, &other, name(1), MetaExclusive, Transaction, time.Second))
	m.ReleaseMeta(&o, Transaction)
	require.NoError(t, m.LockMeta(ctx, &other, name(0), MetaExclusive, Transaction, time.Second))
}

// Metadata locks that are given back one by one leave no room taken, and of a name locked twice the
// other one stays.
func TestUnlockMeta(t *testing.T) {
	m := NewManager(Options{})
	ctx := context.Background()
	for _, held := range []int{0, 2 * manyMetas} {
		var o Owner
		for i := range held {
			require.NoError(t, m.LockMeta(ctx, &o, fmt.Sprint("held", i), MetaShared, Transaction, time.Second))
		}
		for range 1000 {
			require.NoError(t, m.LockMeta(ctx, &o, "x", MetaShared, Transaction, time.Second))
			require.NoError(t, m.LockMeta(ctx, &o, "x", MetaExclusive, Statement, time.Second))
			require.NoError(t, m.LockMeta(ctx, &o, "y", MetaExclusive, Statement, time.Second))
			m.UnlockMeta(&o, "x", Statement)
			require.False(t, m.HoldsMeta(&o, "x", MetaExclusive))
			require.True(t, m.HoldsMeta(&o, "x", MetaShared))
			m.UnlockMeta(&o, "y", Statement)
			m.UnlockMeta(&o, "x", Transaction)
			require.Len(t, o.metas, held)
		}
		m.ReleaseMeta(&o, Transaction)
		require.Empty(t, o.metas)
		require.True(t, m.MetaIdle("x"))
		require.True(t, m.MetaIdle("held1"))
	}
}
