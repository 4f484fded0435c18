package lock

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
)

// place is the n-th of an order.
type place struct {
	n      int
	yields atomic.Int64
}

func (p *place) Before(o Ordered) bool { return p.n < o.(*place).n }
func (p *place) Yield()                { p.yields.Add(1) }

// TestLaterOwnersYield has an owner wait for one that is to end after it, directly and through one
// without a place.
func TestLaterOwnersYield(t *testing.T) {
	m := NewManager(Options{DeadlockDetect: true})
	first, between, later := newOwner(1), newOwner(2), newOwner(3)
	one, two := &place{n: 1}, &place{n: 2}
	first.SetOrdered(one)
	later.SetOrdered(two)
	a, b := []byte("a"), []byte("b")
	require.Nil(t, m.Lock(later, tree, b, X, Record))
	require.Nil(t, m.Lock(between, tree, a, X, Record))
	waits := waitFor(t, m.Lock(between, tree, b, X, Record))
	require.Zero(t, two.yields.Load(), "who has no place asks nobody")
	done := waitFor(t, m.Lock(first, tree, a, X, Record))
	testkit.Eventually(t, func() bool { return two.yields.Load() > 0 }, "the later one is asked")
	m.ReleaseAll(later)
	require.NoError(t, <-waits)
	m.ReleaseAll(between)
	require.NoError(t, <-done)
	require.Zero(t, one.yields.Load())

	again := newOwner(4)
	again.SetOrdered(two)
	asked := two.yields.Load()
	done = waitFor(t, m.Lock(again, tree, a, X, Record)) // the later waits for the earlier, as it should
	m.ReleaseAll(first)
	require.NoError(t, <-done)
	require.Equal(t, asked, two.yields.Load())
	require.Zero(t, one.yields.Load())
}

// TestLastOwnerIsVictim has a deadlock between owners that end in a given order, where the earlier
// one has less to lose.
func TestLastOwnerIsVictim(t *testing.T) {
	m := NewManager(Options{DeadlockDetect: true})
	first, later := newOwner(1), newOwner(2)
	first.SetOrdered(&place{n: 1})
	later.SetOrdered(&place{n: 2})
	a, b := []byte("a"), []byte("b")
	require.Nil(t, m.Lock(first, tree, a, X, Record))
	require.Nil(t, m.Lock(later, tree, b, X, Record))
	require.Nil(t, m.Lock(later, tree, []byte("c"), X, Record))
	fails := waitFor(t, m.Lock(later, tree, a, X, Record))
	gets := waitFor(t, m.Lock(first, tree, b, X, Record))
	require.ErrorIs(t, <-fails, base.ErrDeadlock)
	m.ReleaseAll(later)
	require.NoError(t, <-gets)
}

// orderedOwners are a manager that looks once, and owners of which the first and the third have
// places.
func orderedOwners() (m *Manager, first, between, later *Owner, asked *place) {
	m = NewManager(Options{DeadlockDetect: true, Recheck: forever})
	first, between, later, asked = newOwner(1), newOwner(2), newOwner(3), &place{n: 2}
	first.SetOrdered(&place{n: 1})
	later.SetOrdered(asked)
	return m, first, between, later, asked
}

// TestLaterOwnerIsSeenAfterwards has an owner that blocks an earlier one begin to wait for a later.
func TestLaterOwnerIsSeenAfterwards(t *testing.T) {
	m, first, between, later, asked := orderedOwners()
	a, b := []byte("a"), []byte("b")
	require.Nil(t, m.Lock(later, tree, b, X, Record))
	require.Nil(t, m.Lock(between, tree, a, X, Record))
	done := waitFor(t, m.Lock(first, tree, a, X, Record))
	waits := waitFor(t, m.Lock(between, tree, b, X, Record))
	testkit.Eventually(t, func() bool { return asked.yields.Load() > 0 }, "the later one is asked")
	m.ReleaseAll(later)
	require.NoError(t, <-waits)
	m.ReleaseAll(between)
	require.NoError(t, <-done)
}

// TestFutileWaitEnds has a later owner that is in the way wait for one that is in nobody's way.
func TestFutileWaitEnds(t *testing.T) {
	m, first, between, later, asked := orderedOwners()
	middle := &place{n: 2}
	asked.n = 3
	between.SetOrdered(middle)
	a, b := []byte("a"), []byte("b")
	require.Nil(t, m.Lock(later, tree, a, X, Record))
	require.Nil(t, m.Lock(between, tree, b, X, Record))
	fails := waitFor(t, m.Lock(later, tree, b, X, Record))
	done := waitFor(t, m.Lock(first, tree, a, X, Record))
	require.ErrorIs(t, <-fails, base.ErrDeadlock)
	m.ReleaseAll(later)
	require.NoError(t, <-done)
	require.Zero(t, middle.yields.Load())
}

// TestGrantPastWaiting has a later owner get a gap into which an earlier one waits to insert.
func TestGrantPastWaiting(t *testing.T) {
	m, first, between, later, asked := orderedOwners()
	a := []byte("a")
	require.Nil(t, m.Lock(between, tree, a, S, Gap))
	done := waitFor(t, m.Lock(first, tree, a, X, InsertIntention))
	require.Nil(t, m.Lock(later, tree, a, S, Gap))
	m.ReleaseAll(between)
	m.MakeRoom()
	require.Positive(t, asked.yields.Load())
	m.ReleaseAll(later)
	require.NoError(t, <-done)
}

// TestInheritedLockIsInTheWay has a later owner inherit such a gap.
func TestInheritedLockIsInTheWay(t *testing.T) {
	for _, gone := range []bool{true, false} {
		m, first, between, later, asked := orderedOwners()
		a, b := []byte("a"), []byte("b")
		from, to := a, b
		if !gone {
			from, to = b, a
		}
		require.Nil(t, m.Lock(between, tree, to, S, Gap))
		require.Nil(t, m.Lock(later, tree, from, S, NextKey))
		done := waitFor(t, m.Lock(first, tree, to, X, InsertIntention))
		require.Zero(t, asked.yields.Load())
		if gone {
			m.InheritOnDelete(tree, a, b)
		} else {
			m.InheritOnInsert(tree, a, b)
		}
		require.Positive(t, asked.yields.Load())
		m.ReleaseAll(between)
		m.ReleaseAll(later)
		require.NoError(t, <-done)
	}
}
