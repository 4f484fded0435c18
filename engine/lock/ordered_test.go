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
