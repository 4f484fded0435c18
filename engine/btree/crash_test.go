package btree

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// written is one content change and the end of its mini-transaction.
type written struct {
	end      base.LSN
	key, val string
	gone     bool
}

// crashRun changes a tree until it is through or the power is lost, and returns what it wrote and
// how far the log was certainly durable. Phases of growth and of shrinking make splits and merges
// of all levels; small values keep the tree deep in few pages.
func crashRun(t *testing.T, fsys *vfs.Mem, seed uint64) (history []written, durable base.LSN) {
	e, cp, err := openEnv(t, fsys, 48)
	if err != nil {
		return nil, 0
	}
	defer e.close()
	defer func() { durable = e.log.Durable() }()
	if e.log.StartAt(cp.LSN) != nil || e.create() != nil {
		return nil, 0
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	key := func() []byte { return append(bytes.Repeat([]byte("k"), 1500), intKey(rng.IntN(400))...) }
	for i := range 1200 {
		w, err := e.crashStep(key(), rng.IntN(10) < []int{8, 3, 1}[i/400], make([]byte, rng.IntN(1500)))
		if w.end == ^base.LSN(0) || err != nil && !fsys.Crashed() {
			require.True(t, fsys.Crashed(), "%v", err)
		}
		if w.end != 0 {
			history = append(history, w)
		}
		if err == nil && rng.IntN(6) == 0 {
			err = e.log.FlushTo(e.log.Appended())
		}
		if err == nil && i%300 == 150 {
			err = e.checkpoint()
		}
		if err != nil || e.log.Failure().Err() != nil {
			return history, 0
		}
	}
	return history, 0
}

// crashStep makes one random change.
func (e *env) crashStep(key []byte, put bool, val []byte) (written, error) {
	m, c, err := e.tree.SeekWrite(key, len(key)+len(val))
	if err != nil {
		return written{}, err
	}
	w := written{key: string(key), val: string(val), gone: !put}
	switch exact := c.Exact(key); {
	case put && exact:
		c.SetValue(val)
	case put:
		c.Insert(key, val)
	case exact:
		c.Delete()
	}
	under := c.Underfull()
	w.end, err = m.Commit()
	if err == nil && under && !put {
		err = e.tree.Merge(key)
	}
	return w, err
}

// TestPowerCut cuts the power at many points of a run, recovers by the log, and expects a sound
// tree that holds exactly the changes the log kept, among them all that were durable.
func TestPowerCut(t *testing.T) {
	seed := newRand(t).Uint64()
	fsys := vfs.NewMem(seed)
	crashRun(t, fsys, seed)
	total := fsys.Changes()
	require.False(t, fsys.Crashed())
	const points = 70
	levels := 0
	for i := range int64(points) {
		at := total * i / points
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			fsys := vfs.NewMem(seed)
			fsys.CrashAt(at)
			history, durable := crashRun(t, fsys, seed)
			fsys.Crash()
			if len(history) == 0 {
				return // the space was not there yet
			}
			e, end := reopen(t, fsys.Reboot(seed+uint64(i)), 64)
			defer e.close()
			require.GreaterOrEqual(t, end, durable)
			levels = max(levels, e.levels())
			model := map[string]string{}
			for _, w := range history {
				switch {
				case w.end > end:
				case w.gone:
					delete(model, w.key)
				default:
					model[w.key] = w.val
				}
			}
			got, _ := e.check()
			require.True(t, maps.Equal(model, got), "%d records, want %d", len(got), len(model))
			require.NoError(t, e.put([]byte("after"), []byte("x")))
			for k := range model {
				_, err := e.del([]byte(k))
				require.NoError(t, err)
			}
			_, st := e.check()
			require.Equal(t, 1, st.Levels)
		})
	}
	require.GreaterOrEqual(t, levels, 3, "the run is too small to split inner pages")
}

func (e *env) levels() int {
	shape, err := e.tree.Shape()
	require.NoError(e.t, err)
	return shape.Levels
}

// TestDiskFull fills the disk: SeekWrite must tell, change nothing, and leave a tree that shrinks
// and grows again.
func TestDiskFull(t *testing.T) {
	fsys := vfs.NewMem(1)
	e, cp, err := openEnv(t, fsys, 64)
	require.NoError(t, err)
	defer e.close()
	require.NoError(t, e.log.StartAt(cp.LSN))
	require.NoError(t, e.create())
	before, err := e.files.Pages(testSpace)
	require.NoError(t, err)
	fsys.Inject(vfs.Fault{Ops: vfs.OpAllocate, Match: "spaces", Stay: true, Err: base.ErrDiskFull})
	val := make([]byte, 4000)
	stored := 0
	for err = nil; err == nil; stored++ {
		err = e.put(intKey(stored), val)
	}
	stored--
	require.ErrorIs(t, err, base.ErrDiskFull)
	after, err := e.files.Pages(testSpace)
	require.NoError(t, err)
	require.Equal(t, before, after)
	got, _ := e.check()
	require.Len(t, got, stored)
	fsys.ClearFaults()
	for i := range 100 {
		require.NoError(t, e.put(intKey(1000+i), val))
	}
	got, _ = e.check()
	require.Len(t, got, stored+100)
}

// TestDiskFullOnce makes growing the file fail once at every chance, also in the middle of a split
// of several levels: nothing leaks, nothing breaks.
func TestDiskFullOnce(t *testing.T) {
	for _, maxPages := range []base.PageNo{5, 9, 17, 33, 65, 129} {
		fsys := vfs.NewMem(1)
		e, cp, err := openEnv(t, fsys, 64)
		require.NoError(t, err)
		require.NoError(t, e.log.StartAt(cp.LSN))
		require.NoError(t, e.create())
		key := func(i int) []byte { return append(bytes.Repeat([]byte("k"), 4000), intKey(i*7919%5000)...) }
		full, stored := 0, 0
		for i := 0; stored < 500; i++ {
			if pages, err := e.files.Pages(testSpace); err == nil && pages >= maxPages && full == 0 {
				fsys.Inject(vfs.Fault{Ops: vfs.OpAllocate, Match: "spaces", Stay: true, Err: base.ErrDiskFull})
			}
			if err := e.put(key(i), nil); err == nil {
				stored++
				continue
			}
			full++
			fsys.ClearFaults()
			e.check()
		}
		require.Positive(t, full)
		got, st := e.check()
		require.Len(t, got, stored)
		require.Greater(t, st.Levels, 3)
		e.close()
	}
}
