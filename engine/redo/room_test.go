package redo

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// fill appends until WaitRoom would block.
func fill(t *testing.T, l *Log, rng *rand.Rand) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for {
		if err := l.WaitRoom(ctx); err != nil {
			require.ErrorIs(t, err, context.Canceled)
			return
		}
		_, err := l.Append(payload(rng, 0, 1000), nil)
		require.NoError(t, err)
	}
}

// A full log blocks WaitRoom, wakes the checkpointer, and goes on when a checkpoint makes room.
// What has begun still fits.
func TestWaitRoom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	needed := make(chan struct{}, 100)
	l, _ := mustOpen(t, vfs.NewMem(1), Options{Capacity: 256 << 10, NeedRoom: func() { needed <- struct{}{} }})
	defer kill(l)
	fill(t, l, rng)
	<-needed
	used := int64(l.Appended() - l.CheckpointLSN())
	require.Greater(t, used, l.Capacity()/2)
	require.LessOrEqual(t, used, l.Capacity())
	for range 100 {
		_, err := l.Append(payload(rng, 0, 1000), nil)
		require.NoError(t, err, "mini-transactions that have begun never wait")
	}

	waiting := make(chan error)
	go func() { waiting <- l.WaitRoom(context.Background()) }()
	<-needed
	require.NoError(t, l.FlushTo(l.Appended()))
	require.NoError(t, l.SetCheckpoint(l.Appended(), nil))
	require.NoError(t, <-waiting)
}

// Recycled files serve again: a log that runs for long does not grow.
func TestRecycling(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	disk := vfs.NewMem(1)
	l, _ := mustOpen(t, disk, Options{Capacity: 256 << 10})
	for range 40 {
		fill(t, l, rng)
		require.NoError(t, l.FlushTo(l.Appended()))
		require.NoError(t, l.SetCheckpoint(l.Appended(), nil))
	}
	require.NoError(t, l.Close())
	require.Greater(t, l.Stats().SegmentsRecycled, uint64(40))
	names, err := disk.List("/data/redo")
	require.NoError(t, err)
	require.LessOrEqual(t, len(names), 256/32+readyAhead+sparesKept+6)
}

// A hold keeps its segments; releasing it lets them go.
func TestHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	l, _ := mustOpen(t, vfs.NewMem(1), Options{Capacity: 256 << 10})
	defer kill(l)
	h := l.Hold(FirstLSN)
	var first []base.LSN
	for range 5 {
		fill(t, l, rng)
		first = append(first, l.Appended())
		require.NoError(t, l.FlushTo(l.Appended()))
		require.NoError(t, l.SetCheckpoint(l.Appended(), nil))
	}
	groups, _ := readAll(t, l, FirstLSN)
	require.Greater(t, len(groups), 500)
	h.Advance(first[1])
	groups, _ = readAll(t, l, first[1])
	require.Greater(t, len(groups), 200)
	testkit.Eventually(t, func() bool { l.wake(); return l.Segments()[0].End > first[1] })
	h.Release()
	testkit.Eventually(t, func() bool { l.wake(); return len(l.Segments()) <= 2 })
}

// Resizing takes effect while the log runs: upwards at once, downwards with the checkpoints.
func TestResize(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	disk := vfs.NewMem(1)
	l, _ := mustOpen(t, disk, Options{Capacity: 256 << 10})
	fill(t, l, rng)
	require.NoError(t, l.Resize(1<<20))
	require.NoError(t, l.WaitRoom(t.Context()))
	fill(t, l, rng)
	require.Greater(t, int64(l.Appended()-l.CheckpointLSN()), int64(700<<10))

	require.NoError(t, l.Resize(128<<10))
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	require.Error(t, l.WaitRoom(ctx))
	require.NoError(t, l.FlushTo(l.Appended()))
	require.NoError(t, l.SetCheckpoint(l.Appended(), nil))
	require.NoError(t, l.WaitRoom(t.Context()))
	testkit.Eventually(t, func() bool {
		l.wake()
		names, err := disk.List("/data/redo")
		return err == nil && len(names) <= 128/32+readyAhead+sparesKept+2
	})
	require.NoError(t, l.Close())
	require.Error(t, l.Resize(1))
}

// A full disk is told by WaitRoom, before anything is changed, and the log goes on when there is
// space again.
func TestFullDisk(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	disk := vfs.NewMem(1)
	l, _ := mustOpen(t, disk, Options{Capacity: 64 << 20, SegmentSize: 64 << 10})
	disk.SetCapacity(1 << 20)
	var err error
	for err == nil {
		if err = l.WaitRoom(t.Context()); err == nil {
			_, appended := l.Append(payload(rng, 0, 1000), nil)
			require.NoError(t, appended)
		}
	}
	require.ErrorIs(t, err, base.ErrDiskFull)
	_, err = l.Append(payload(rng, 0, 1000), nil)
	require.NoError(t, err, "what has begun still fits")
	require.NoError(t, l.FlushTo(l.Appended()))

	disk.SetCapacity(0)
	testkit.Eventually(t, func() bool { return l.WaitRoom(t.Context()) == nil })
	require.NoError(t, l.Close())
}

// Without WaitRoom's help a disk that fills up fails the log; a restart with space finds what was
// acknowledged.
func TestFullDiskWithinAppend(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	disk := vfs.NewMem(1)
	l, _ := mustOpen(t, disk, Options{Capacity: 64 << 20})
	disk.SetCapacity(512 << 10)
	acked := FirstLSN
	for {
		end, err := l.Append(payload(rng, 0, 1000), nil)
		if err != nil {
			require.ErrorIs(t, err, base.ErrDiskFull)
			require.ErrorIs(t, err, base.ErrFailed)
			break
		}
		if l.FlushTo(end) == nil {
			acked = end
		}
	}
	_ = l.Close()
	disk.SetCapacity(0)
	l, cp := mustOpen(t, disk, Options{})
	_, ends := readAll(t, l, cp.LSN)
	require.GreaterOrEqual(t, lastEnd(cp.LSN, ends), acked)
	require.NoError(t, l.StartAt(lastEnd(cp.LSN, ends)))
	require.NoError(t, l.Close())
}

func TestLimits(t *testing.T) {
	l, _ := mustOpen(t, vfs.NewMem(1), Options{})
	defer kill(l)
	_, err := l.Append(nil, nil)
	require.Error(t, err)
	_, err = l.Append(make([]byte, l.MaxGroup()+1), nil)
	require.Error(t, err)
	for range 20 { // each as large as can be, wherever the segment stands
		end, err := l.Append(make([]byte, l.MaxGroup()), nil)
		require.NoError(t, err)
		require.NoError(t, l.FlushTo(end))
	}
	groups, _ := readAll(t, l, FirstLSN)
	require.Len(t, groups, 20)
	require.Error(t, l.SetCheckpoint(l.Appended()+1, nil))
	require.Error(t, l.SetCheckpoint(FirstLSN-1, nil))

	_, _, err = Open(vfs.NewMem(1), "/data", Options{Create: true, SegmentSize: 4096})
	require.Error(t, err)
}

// Many committers at once: each is durable when FlushTo returns, onAppend comes in LSN order, and
// syncs are shared.
func TestGroupCommit(t *testing.T) {
	disk := vfs.NewMem(1)
	l, _ := mustOpen(t, disk, Options{Capacity: 64 << 20, SegmentSize: 256 << 10})
	const workers, each = 8, 300
	var last base.LSN
	var wg sync.WaitGroup
	var failed atomic.Pointer[error]
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			rng := rand.New(rand.NewPCG(uint64(w), 9))
			for i := range each {
				var err error
				end, appendErr := l.Append(payload(rng, uint64(i), rng.IntN(3000)), func(start, end base.LSN) {
					if start < last || end <= start {
						err = errors.New("out of order")
					}
					last = end
				})
				err = errors.Join(err, appendErr)
				if i%16 == 0 {
					err = errors.Join(err, l.WriteTo(end))
				} else {
					err = errors.Join(err, l.FlushTo(end))
					if l.Durable() < end {
						err = errors.Join(err, errors.New("not durable"))
					}
				}
				if err != nil {
					failed.Store(&err)
				}
			}
		}()
	}
	wg.Wait()
	require.Nil(t, failed.Load())
	disk.Crash()
	kill(l)
	l, cp := mustOpen(t, disk.Reboot(5), Options{})
	groups, _ := readAll(t, l, cp.LSN)
	require.GreaterOrEqual(t, len(groups), workers*each-workers)
	kill(l)
}

// A reader that follows a running log sees each group once it is written.
func TestReaderFollows(t *testing.T) {
	l, _ := mustOpen(t, vfs.NewMem(1), Options{Capacity: 64 << 20})
	defer kill(l)
	rng := rand.New(rand.NewPCG(7, 7))
	r := l.NewReader(FirstLSN)
	for i := range 500 {
		p := payload(rng, uint64(i), rng.IntN(700))
		end, err := l.Append(p, nil)
		require.NoError(t, err)
		_, err = r.Next()
		require.Error(t, err, "not written yet")
		require.NoError(t, l.WriteTo(end))
		g, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, p, g.Payload)
		require.Equal(t, end, g.End)
	}
}
