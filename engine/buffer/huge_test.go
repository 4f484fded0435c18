package buffer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// Shared memory becomes huge pages under the pool's use; pages keep their bytes, also when the pool
// gives a part of the memory back and takes it again.
func TestHugePagesOfSharedMemory(t *testing.T) {
	const frames, pages = 4 * hugeFrames, 3 * hugeFrames
	f := memoryFile(t, frames)
	e := newEnv(t, envOptions{frames: frames, pages: pages, capacity: 32 << 20, pool: func(o *Options) {
		o.Shared, o.HugePages = &SharedMemory{File: f, Owner: testOwner}, true
	}})
	e.create(t, pages)
	want := make([]uint64, pages)
	for i := range want {
		want[i] = e.readWord(t, i, 0)
	}
	same := func() {
		for i := range want {
			require.Equal(t, want[i], e.readWord(t, i, 0), "page %d", i)
		}
	}
	huge := &e.pool.huge
	made := func(n int64) func() bool { return func() bool { return huge.made.Load() >= n || huge.ended.Load() } }
	testkit.Eventually(t, made(2), "no huge pages")
	if huge.ended.Load() {
		t.Log("this kernel makes no huge pages of shared memory")
	}
	same()
	require.NoError(t, e.pool.Resize(hugeFrames))
	require.NoError(t, e.pool.Resize(frames))
	same()
	testkit.Eventually(t, made(3), "no huge pages after a change of the size")
	same()
	e.check(t)
}
