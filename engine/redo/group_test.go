package redo

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// stalled is a log whose syncs wait to be let through.
func stalled(t *testing.T) (l *Log, mem *vfs.Mem, begun, through chan struct{}) {
	mem = vfs.NewMem(1)
	l, _ = mustOpen(t, mem, Options{})
	require.NoError(t, l.StartAt(l.CheckpointLSN()))
	begun, through = make(chan struct{}), make(chan struct{})
	segment := l.mu.runs[0].seg.path
	mem.Trace(func(e vfs.Event) {
		if e.Op == vfs.OpSync && e.Name == segment {
			begun <- struct{}{}
			<-through
		}
	})
	return l, mem, begun, through
}

// committers appends n groups, whose goroutines wait for them, and returns when all but those who
// lead are asleep.
func committers(t *testing.T, l *Log, n, asleep int, done chan<- error) {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range n {
		lsn, err := l.Append(payload(rng, uint64(i), 100), nil)
		require.NoError(t, err)
		go func() { done <- l.FlushTo(lsn) }()
	}
	testkit.Eventually(t, func() bool {
		l.group.Lock()
		defer l.group.Unlock()
		return l.group.n == asleep
	})
}

// oneAndEight lets a committer be served by its own sync, while eight have begun to wait.
func oneAndEight(t *testing.T, l *Log, begun <-chan struct{}, through chan<- struct{}) (eight <-chan error) {
	first, later := make(chan error, 1), make(chan error, 8)
	committers(t, l, 1, 0, first)
	<-begun
	committers(t, l, 8, 8, later)
	through <- struct{}{}
	require.NoError(t, <-first)
	return later
}

func TestOneSyncServesThoseWhoWaited(t *testing.T) {
	l, mem, begun, through := stalled(t)
	later := oneAndEight(t, l, begun, through)
	<-begun // one of the eight leads, the others sleep on
	require.Empty(t, later)
	l.group.Lock()
	require.Equal(t, 7, l.group.n)
	require.Equal(t, 9, l.group.crowd)
	l.group.Unlock()
	through <- struct{}{}
	for range 8 {
		require.NoError(t, <-later)
	}
	require.EqualValues(t, 2, l.Stats().Syncs)
	mem.Trace(nil)
	require.NoError(t, l.Close())
}

func TestAFailedSyncFailsAllWhoWait(t *testing.T) {
	l, mem, begun, through := stalled(t)
	mem.Inject(vfs.Fault{Ops: vfs.OpSync, Match: l.mu.runs[0].seg.path, Nth: 1, Err: errors.New("bad disk")})
	later := oneAndEight(t, l, begun, through)
	<-begun
	through <- struct{}{}
	for range 8 {
		require.ErrorIs(t, <-later, base.ErrFailed)
	}
	require.Zero(t, l.group.n)
	_ = l.Close()
}

// A leader of slow syncs waits until those who were there the last time are back.
func TestLeaderWaitsForTheCrowd(t *testing.T) {
	l := &Log{failure: base.NewFailure()}
	g := &l.group
	g.busy, g.crowd, g.took = true, 4, time.Hour
	var wg sync.WaitGroup
	awaited := make(chan struct{})
	go func() { g.await(); close(awaited) }()
	testkit.Eventually(t, func() bool { g.Lock(); defer g.Unlock(); return g.full != nil })
	for i := range 3 {
		select {
		case <-awaited:
			t.Fatalf("the leader went on with %d of 3", i)
		case <-time.After(10 * time.Millisecond):
		}
		wg.Go(func() { require.False(t, g.lead(l, base.LSN(i+1))) })
	}
	<-awaited
	raise(&l.durable, 10)
	g.pass(l)
	wg.Wait()

	// When they do not come, it tries less and less often.
	g.busy, g.crowd, g.took = true, 4, slowSync
	tries := 0
	for range 200 {
		before := g.misses
		if g.await(); g.passes == g.misses && g.passes > 0 && (before < g.misses || g.misses == mostPasses) {
			tries++
		}
	}
	require.InDelta(t, 8, tries, 2)
}
