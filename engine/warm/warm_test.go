package warm

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

const (
	dir      = "/data"
	listPath = dir + "/" + DefaultFilename
	space    = base.FirstSpace
)

var uuid = [16]byte{1, 2, 3}

// node is a pool on a memory file system, as one life of a server has it.
type node struct {
	fs    *vfs.Mem
	files *pagefile.Files
	log   *redo.Log
	pool  *buffer.Pool
	m     *Manager
}

// boot starts a life on fs. The first one, with pages > 0, creates that many pages in two tablespaces.
func boot(t *testing.T, fsys *vfs.Mem, frames, pages int, o Options) *node {
	t.Helper()
	n := &node{fs: fsys}
	require.NoError(t, fsys.MkdirAll(dir))
	var err error
	n.files, err = pagefile.Open(fsys, dir, pagefile.Options{})
	require.NoError(t, err)
	var cp redo.Checkpoint
	n.log, cp, err = redo.Open(fsys, dir, redo.Options{Create: true, Capacity: 64 << 20, SegmentSize: 4 << 20})
	require.NoError(t, err)
	if pages == 0 {
		r := n.log.NewReader(cp.LSN)
		end := cp.LSN
		for {
			g, err := r.Next()
			if err != nil {
				break
			}
			end = g.End
		}
		r.Close()
		require.NoError(t, n.log.StartAt(end))
	}
	n.pool, err = buffer.New(buffer.Options{Frames: frames, Files: n.files, Log: n.log, ReadAheadThreshold: -1, OldTime: -1, LRUScanDepth: 1})
	require.NoError(t, err)
	o.Dir, o.UUID = dir, uuid
	n.m = New(n.pool, n.files, fsys, o, nil)
	t.Cleanup(func() {
		_ = n.m.Close(false)
		_ = n.pool.Close()
	})
	for s := range 2 {
		if pages > 0 {
			require.NoError(t, n.files.Create(space+base.SpaceID(s), base.PageNo(pages)))
		}
	}
	for i := range pages {
		for s := range 2 {
			w := n.pool.Begin()
			_, err := w.Create(base.PageID{Space: space + base.SpaceID(s), No: base.PageNo(i)}, pagefile.TypeTree)
			require.NoError(t, err)
			w.Commit()
		}
	}
	require.NoError(t, n.pool.FlushAll())
	return n
}

// touch reads pages at random, some more often than others.
func (n *node) touch(t *testing.T, rng *rand.Rand, pages, times int) {
	t.Helper()
	for range times {
		id := base.PageID{Space: space + base.SpaceID(rng.IntN(2)), No: base.PageNo(rng.IntN(1 + rng.IntN(pages)))}
		n.read(t, id)
	}
}

func (n *node) read(t *testing.T, id base.PageID) {
	t.Helper()
	r := n.pool.BeginRead()
	_, err := r.Pin(id, buffer.Shared)
	require.NoError(t, err)
	r.Commit()
}

// order is the LRU list.
func (n *node) order() (ids []uint64, young int) {
	l := n.m.collect()
	return l.IDs, l.Young
}

// end ends a life in order, without a dump.
func (n *node) end(t *testing.T) {
	t.Helper()
	require.NoError(t, n.m.Close(false))
	require.NoError(t, n.pool.FlushAll())
	require.NoError(t, n.pool.Close())
	require.NoError(t, n.log.Close())
	require.NoError(t, n.files.Close())
}

func wait(t *testing.T, m *Manager) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	require.NoError(t, m.WaitLoad(ctx))
}

// A restart brings back the same pages in the same order: rank correlation 1.
func TestOrderSurvivesRestart(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 600, 500, Options{})
	n.touch(t, rng, 500, 5000)
	before, young := n.order()
	require.NoError(t, n.m.Close(true))
	n.end(t)

	n = boot(t, fsys, 600, 0, Options{})
	n.m.Start()
	wait(t, n.m)
	after, youngAfter := n.order()
	require.Equal(t, before, after)
	require.InDelta(t, young, youngAfter, 1)
	s := n.m.Status()
	require.Equal(t, len(before), s.Load.Done)
	require.Equal(t, len(before), s.Load.Loaded)
	require.Zero(t, s.Load.Skipped)
	require.EqualValues(t, 100, s.LoadPercent)
	require.Contains(t, s.LoadStatus, "Buffer pool(s) load completed at ")
	require.Positive(t, s.LoadRate)
	reads := n.files.Stats().Reads
	require.Less(t, int(reads), len(before)/4, "neighbours are read together")
}

// Queries run beside the load; what they read stays, the rest comes in order around it.
func TestLoadBesideQueries(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 600, 500, Options{})
	n.touch(t, rng, 500, 5000)
	before, _ := n.order()
	require.NoError(t, n.m.DumpNow())
	n.end(t)

	n = boot(t, fsys, 600, 0, Options{})
	n.m.Start()
	var wg sync.WaitGroup
	for w := range uint64(4) {
		wg.Go(func() { n.touch(t, rand.New(rand.NewPCG(seed, w+1)), 100, 2000) })
	}
	wg.Wait()
	wait(t, n.m)
	after, _ := n.order()
	slices.Sort(before)
	resident := 0
	for _, id := range after {
		if _, ok := slices.BinarySearch(before, id); ok {
			resident++
		}
	}
	require.Greater(t, resident, len(before)*9/10)
}

func TestGoneSpacesAndPagesAreSkipped(t *testing.T) {
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 600, 100, Options{})
	l := n.m.collect()
	l.IDs = append(l.IDs, base.PageID{Space: 77, No: 1}.Uint64(), base.PageID{Space: space, No: 5000}.Uint64(), l.IDs[0])
	require.NoError(t, l.Write(fsys, listPath))
	n.pool.DropSpace(space + 1)
	require.NoError(t, n.files.Drop(space+1))
	n.end(t)

	n = boot(t, fsys, 600, 0, Options{})
	n.m.Start()
	wait(t, n.m)
	s := n.m.Status()
	require.Equal(t, 100, s.Load.Loaded)
	require.Equal(t, 103, s.Load.Skipped)
	require.Contains(t, s.LoadStatus, "completed")
}

// A damaged list is refused, named, and the one before is used; the next dump leaves a good pair behind.
func TestDamagedListFallsBack(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, fsys *vfs.Mem){
		"bit in the ids":    func(t *testing.T, fsys *vfs.Mem) { require.NoError(t, fsys.FlipBit(listPath, 8*100)) },
		"bit in the header": func(t *testing.T, fsys *vfs.Mem) { require.NoError(t, fsys.FlipBit(listPath, 8*49)) },
		"magic":             func(t *testing.T, fsys *vfs.Mem) { require.NoError(t, fsys.FlipBit(listPath, 3)) },
		"cut":               func(t *testing.T, fsys *vfs.Mem) { truncate(t, fsys, 200) },
		"empty":             func(t *testing.T, fsys *vfs.Mem) { truncate(t, fsys, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			fsys := vfs.NewMem(1)
			n := boot(t, fsys, 600, 100, Options{})
			require.NoError(t, n.m.DumpNow())
			n.read(t, base.PageID{Space: space, No: 5})
			require.NoError(t, n.m.DumpNow())
			damage(t, fsys)
			_, err := ReadList(fsys, listPath)
			var ce *base.CorruptError
			require.ErrorAs(t, err, &ce)
			require.Equal(t, listPath, ce.File)
			n.end(t)

			n = boot(t, fsys, 600, 0, Options{})
			n.m.Start()
			wait(t, n.m)
			require.Equal(t, 200, n.m.Status().Load.Loaded)
			require.Contains(t, n.m.Status().Damage, listPath)
			require.NoError(t, n.m.DumpNow())
			newest, err := ReadList(fsys, listPath)
			require.NoError(t, err)
			before, err := ReadList(fsys, listPath+previousSuffix)
			require.NoError(t, err)
			require.Less(t, before.Generation, newest.Generation)
		})
	}
}

func truncate(t *testing.T, fsys *vfs.Mem, size int64) {
	f, err := fsys.Open(listPath, vfs.Options{})
	require.NoError(t, err)
	require.NoError(t, f.Truncate(size))
	require.NoError(t, f.Close())
}

func TestNoList(t *testing.T) {
	n := boot(t, vfs.NewMem(1), 64, 10, Options{})
	require.Equal(t, "Dumping of buffer pool not started", n.m.Status().DumpStatus)
	require.Equal(t, "Loading of buffer pool not started", n.m.Status().LoadStatus)
	n.m.Start()
	wait(t, n.m)
	require.Contains(t, n.m.Status().LoadStatus, "Cannot open '"+listPath+"'")
	require.Empty(t, n.m.Status().Damage)
	require.NoError(t, n.m.DumpNow())
	require.Contains(t, n.m.Status().DumpStatus, "Buffer pool(s) dump completed at ")
	require.Equal(t, 20, n.m.Status().DumpedPages)
}

// The power is cut at every change a dump makes to the disk: a good list is there afterwards, the new one or the last.
func TestPowerCutDuringDump(t *testing.T) {
	for k := int64(0); ; k++ {
		fsys := vfs.NewMem(uint64(k))
		n := boot(t, fsys, 600, 100, Options{})
		require.NoError(t, n.m.DumpNow())
		require.NoError(t, n.m.DumpNow())
		n.read(t, base.PageID{Space: space, No: 5})
		quiet(t, n)
		fsys.CrashAt(k)
		err := n.m.DumpNow()
		crashed := fsys.Crashed()
		for seed := range uint64(8) {
			after := fsys.Reboot(seed)
			l := readNewest(after, listPath, func(err error) { require.Failf(t, "damaged list", "k %d seed %d: %v", k, seed, err) })
			require.NotNil(t, l, "k %d seed %d", k, seed)
			require.GreaterOrEqual(t, l.Generation, uint64(2), "k %d seed %d", k, seed)
			require.Len(t, l.IDs, 200)
			if err == nil && !crashed {
				require.EqualValues(t, 3, l.Generation)
			}
		}
		if !crashed {
			require.NoError(t, err)
			require.Greater(t, k, int64(4), "the dump makes more changes than that")
			return
		}
		require.Error(t, err)
	}
}

// quiet waits until the log's background work is done, so that the dump's changes are the only ones.
func quiet(t *testing.T, n *node) {
	last := int64(-1)
	require.Eventually(t, func() bool {
		now := n.fs.Changes()
		same := now == last
		last = now
		return same
	}, 20*time.Second, 30*time.Millisecond)
}

// A pool that knows little completes the last list instead of replacing it.
func TestMerge(t *testing.T) {
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 600, 200, Options{})
	require.NoError(t, n.m.DumpNow())
	full, _ := n.order()
	require.Len(t, full, 400)
	n.end(t)

	n = boot(t, fsys, 350, 0, Options{NoLoadAtStart: true})
	n.m.Start()
	require.NoError(t, n.m.DumpNow(), "an empty pool")
	require.Contains(t, n.m.Status().DumpStatus, "skipped")
	l, err := ReadList(fsys, listPath)
	require.NoError(t, err)
	require.Equal(t, full, l.IDs)

	hot := []base.PageID{{Space: space, No: 190}, {Space: space + 1, No: 3}}
	for _, id := range hot {
		n.read(t, id)
	}
	require.NoError(t, n.m.DumpNow())
	l, err = ReadList(fsys, listPath)
	require.NoError(t, err)
	require.Len(t, l.IDs, 350, "up to the pool's size")
	require.ElementsMatch(t, []uint64{hot[0].Uint64(), hot[1].Uint64()}, l.IDs[:2])
	rest := slices.DeleteFunc(slices.Clone(full), func(id uint64) bool { return id == hot[0].Uint64() || id == hot[1].Uint64() })
	require.Equal(t, rest[:348], l.IDs[2:])

	require.NoError(t, n.m.LoadNow())
	wait(t, n.m)
	now, _ := n.order()
	require.NoError(t, n.m.DumpNow())
	l, err = ReadList(fsys, listPath)
	require.NoError(t, err)
	require.Equal(t, now, l.IDs, "after a load the pool itself is the list")
}

func TestDumpPct(t *testing.T) {
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 600, 200, Options{DumpPct: 25})
	require.NoError(t, n.m.DumpNow())
	l, err := ReadList(fsys, listPath)
	require.NoError(t, err)
	full, _ := n.order()
	require.Equal(t, full[:100], l.IDs)
	require.Equal(t, uuid, l.UUID)
}

func TestAbortAndShutdownDuringLoad(t *testing.T) {
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 600, 200, Options{})
	require.NoError(t, n.m.DumpNow())
	full, _ := n.order()
	n.end(t)

	n = boot(t, fsys, 600, 0, Options{})
	gate := make(chan struct{})
	var seen atomic.Int32
	n.pool.SetOnRead(func(base.PageID, []byte) (base.LSN, error) {
		if seen.Add(1) > 40 {
			<-gate
		}
		return 0, nil
	})
	n.m.Start()
	require.Eventually(t, func() bool { return seen.Load() > 40 }, 20*time.Second, time.Millisecond)
	require.ErrorIs(t, n.m.LoadNow(), ErrLoading)
	require.True(t, n.m.Status().Loading)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, n.m.WaitLoad(ctx), context.Canceled)
	require.NoError(t, n.m.WaitWarm(context.Background(), 0))
	n.m.LoadAbort()
	close(gate)
	wait(t, n.m)
	s := n.m.Status()
	require.Contains(t, s.LoadStatus, "aborted")
	require.Less(t, s.Load.Done, 400)
	require.NoError(t, n.m.Close(true))
	l, err := ReadList(fsys, listPath)
	require.NoError(t, err)
	slices.Sort(full)
	slices.Sort(l.IDs)
	require.Equal(t, full, l.IDs, "a half-loaded pool loses nothing of the list")
	require.ErrorIs(t, n.m.LoadNow(), base.ErrInterrupted)
}

func TestPeriodicDump(t *testing.T) {
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 64, 10, Options{Interval: time.Hour})
	n.m.Start()
	n.m.SetInterval(time.Millisecond)
	require.Eventually(t, func() bool { return n.m.Status().Dumps >= 3 }, 20*time.Second, time.Millisecond)
	n.m.SetInterval(0)
	require.NoError(t, n.m.Close(false))
	l, err := ReadList(fsys, listPath)
	require.NoError(t, err)
	require.GreaterOrEqual(t, l.Generation, uint64(3))
}

// Every I/O of a dump fails once: the error is told, and the last list is still there.
func TestDumpErrors(t *testing.T) {
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 64, 10, Options{})
	require.NoError(t, n.m.DumpNow())
	bad := errors.New("disk on fire")
	for nth := int64(0); ; nth++ {
		fsys.ClearFaults()
		fsys.Inject(vfs.Fault{Ops: vfs.Changes | vfs.OpOpen, Match: DefaultFilename, Nth: nth, Err: bad})
		err := n.m.DumpNow()
		require.NotNil(t, readNewest(fsys, listPath, func(error) {}))
		if err == nil && nth > 8 {
			break
		}
		if err != nil {
			require.ErrorIs(t, err, bad)
			require.Contains(t, n.m.Status().DumpStatus, "failed")
		}
	}
	_, err := fsys.Stat(listPath + tempSuffix)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// The plan's reads cover every page once, hottest tier first, within the limits.
func TestPlan(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 50 {
		var ids []uint64
		for _, i := range rng.Perm(400) {
			if rng.IntN(3) > 0 {
				ids = append(ids, base.PageID{Space: base.SpaceID(20 + i/200), No: base.PageNo(i % 200 * (1 + rng.IntN(4)))}.Uint64())
			}
		}
		at := map[uint64]int32{}
		for i, id := range slices.Backward(ids) {
			at[id] = int32(i)
		}
		p := newPlan(ids, func(base.SpaceID) base.PageNo { return 600 })
		for id := range at {
			if base.PageIDFrom(id).No >= 600 {
				delete(at, id)
			}
		}
		seen := map[uint64]bool{}
		for {
			tier := p.tier
			first, run, ok := p.next(nil)
			if !ok {
				break
			}
			tier = max(tier, p.tier)
			require.LessOrEqual(t, len(run), runPages)
			require.NotEqual(t, int32(-1), run[0])
			require.NotEqual(t, int32(-1), run[len(run)-1])
			gap, own := 0, 0
			for i, rank := range run {
				id := base.PageID{Space: first.Space, No: first.No + base.PageNo(i)}.Uint64()
				if rank < 0 {
					gap++
					require.LessOrEqual(t, gap, gapPages)
					continue
				}
				gap = 0
				require.Equal(t, at[id], rank, "seed %d", seed)
				require.False(t, seen[id], "read twice")
				seen[id] = true
				if rank < p.bounds[tier] {
					own++
				}
			}
			require.Positive(t, own)
		}
		require.Len(t, seen, len(at), "seed %d", seed)
	}
}

func TestPacer(t *testing.T) {
	c := pacer{most: 8}
	c.depth.Store(2)
	step := func(rate float64, foreground uint64, latency time.Duration) int32 {
		c.depth.Store(c.decide(rate, foreground, latency))
		return c.depth.Load()
	}
	require.EqualValues(t, 3, step(100, 0, 0), "more throughput, more depth")
	require.EqualValues(t, 4, step(150, 0, 0))
	require.EqualValues(t, 3, step(151, 0, 0), "no gain: back to the depth that brought the best")
	require.EqualValues(t, 3, step(151, 0, 0))
	require.EqualValues(t, 3, step(151, 5, time.Millisecond))
	require.EqualValues(t, 2, step(151, 5, 5*time.Millisecond), "foreground suffers")
	require.EqualValues(t, 1, step(151, 5, 5*time.Millisecond))
	require.EqualValues(t, 1, step(151, 5, 5*time.Millisecond), "it never stops")
	require.EqualValues(t, 1, step(151, 5, time.Millisecond), "and waits before it tries again")
	deepest := int32(0)
	for range holdWindows {
		deepest = max(deepest, step(151, 5, time.Millisecond))
	}
	require.EqualValues(t, 2, deepest)
	require.EqualValues(t, 1, c.depth.Load(), "the second read brought nothing")
}
