package buffer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

func TestPace(t *testing.T) {
	var c pace
	c.init(Options{IOCapacity: 1000, IOCapacityMax: 4000, MaxDirtyPct: 90})
	e := newEnv(t, envOptions{frames: 100})

	c.growth = 10_000 // bytes a second
	require.Zero(t, c.byAge(0, 1000_000, 50))
	require.Zero(t, c.byAge(100_000, 1000_000, 50), "young log")
	// 500 dirty pages cover 500,000 bytes: 10 of them fall due each second.
	require.InDelta(t, 10, c.byAge(500_000, 1000_000, 500), 0.01, "at half the limit as much is written as falls due")
	require.Less(t, c.byAge(250_000, 1000_000, 250), 10.0)
	require.Greater(t, c.byAge(750_000, 1000_000, 750), 10.0)

	require.Zero(t, c.byShare(9, &e.pool.flush))
	require.InDelta(t, 250, c.byShare(50, &e.pool.flush), 0.01)
	require.EqualValues(t, 4000, c.byShare(95, &e.pool.flush))

	now := time.Now()
	c.idleFrom = now.Add(-time.Minute)
	require.EqualValues(t, 1000, c.byIdleness(now))
	c.idleFrom = now
	require.Zero(t, c.byIdleness(now))
}

// Above 7/8 of the limit there is an LSN to reach without pause; a request for room asks for less
// age, and is heard once.
func TestPaceUrgent(t *testing.T) {
	e := newEnv(t, envOptions{frames: 64, pages: 64})
	e.pool.flush.cleaner.stop() // this test is the cleaner
	e.pool.flush.cleaner.quit = make(chan struct{})
	e.pool.flush.cleaner.buf, _ = vfs.MapBlock(base.PageSize)
	c := &e.pool.flush.cleaner.pace
	e.create(t, 8)
	age := uint64(e.log.Appended() - e.pool.Flusher().OldestDirty())

	c.maxAge.Store(age * 4)
	c.tick(&e.pool.flush)
	require.Zero(t, c.urgentBelow())
	c.maxAge.Store(age + age/16)
	c.tick(&e.pool.flush)
	require.Greater(t, c.urgentBelow(), e.pool.Flusher().OldestDirty())
	require.Less(t, c.urgentBelow(), e.log.Appended())

	c.maxAge.Store(age + age/5)
	c.tick(&e.pool.flush)
	require.Zero(t, c.urgentBelow())
	e.pool.Flusher().Wake()
	c.tick(&e.pool.flush)
	require.NotZero(t, c.urgentBelow(), "writers wait for room")
	c.tick(&e.pool.flush)
	require.Zero(t, c.urgentBelow())
}
