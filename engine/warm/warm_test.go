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
func boot(t testing.TB, fsys *vfs.Mem, frames, pages int, o Options) *node {
	t.Helper()
	return bootOn(t, fsys, fsys, frames, pages, o)
}

// bootOn is boot with a file system around that of the memory.
func bootOn(t testing.TB, mem *vfs.Mem, fsys vfs.FS, frames, pages int, o Options) *node {
	t.Helper()
	n := &node{fs: mem}
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

func (n *node) read(t testing.TB, id base.PageID) {
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
func (n *node) end(t testing.TB) {
	t.Helper()
	require.NoError(t, n.m.Close(false))
	require.NoError(t, n.pool.FlushAll())
	require.NoError(t, n.pool.Close())
	require.NoError(t, n.log.Close())
	require.NoError(t, n.files.Close())
}

func wait(t testing.TB, m *Manager) {
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
	require.Equal(t, 102, s.Load.Skipped)
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
			l, _ := readNewest(after, listPath, func(err error) { require.Failf(t, "damaged list", "k %d seed %d: %v", k, seed, err) })
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
	require.Equal(t, full[:150], l.IDs, "a quarter of the pool, not of what is in it: else the list would shrink with every restart")
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
		l, _ := readNewest(fsys, listPath, func(error) {})
		require.NotNil(t, l)
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
		var redo []base.PageID
		for range rng.IntN(40) {
			id := base.PageID{Space: 20, No: base.PageNo(rng.IntN(600))}
			redo = append(redo, id)
			if _, ok := at[id.Uint64()]; !ok {
				at[id.Uint64()] = buffer.RankNone
			}
		}
		p := newPlan(ids, redo)
		require.Len(t, p.pages, len(at))
		for id := range at {
			if rng.IntN(30) == 0 {
				require.EqualValues(t, at[id], p.missed(base.PageIDFrom(id)))
				require.EqualValues(t, buffer.RankNone, p.missed(base.PageIDFrom(id)), "once")
				delete(at, id)
			}
		}
		require.EqualValues(t, buffer.RankNone, p.missed(base.PageID{Space: 19, No: 1}))
		seen := map[uint64]bool{}
		for {
			urgent := len(p.urgent) > 0
			first, run, done, ok := p.next(nil, runPages)
			if !ok {
				require.Equal(t, len(tiers)+1, done)
				break
			}
			require.LessOrEqual(t, len(run), runPages)
			require.NotEqualValues(t, buffer.RankGap, run[0])
			require.NotEqualValues(t, buffer.RankGap, run[len(run)-1])
			if rng.IntN(20) == 0 {
				p.giveBack(first, run)
				continue
			}
			gap, best := 0, len(tiers)
			for i, rank := range run {
				id := base.PageID{Space: first.Space, No: first.No + base.PageNo(i)}.Uint64()
				if rank == buffer.RankGap {
					gap++
					require.LessOrEqual(t, gap, gapPages)
					continue
				}
				gap = 0
				require.Equal(t, at[id], rank, "seed %d", seed)
				require.False(t, seen[id], "read twice")
				seen[id] = true
				j, _ := p.findLocked(id)
				best = min(best, int(p.tierOf[j]))
			}
			if !urgent {
				require.GreaterOrEqual(t, done, best, "hottest first, and what waits for redo with them")
			}
		}
		require.Len(t, seen, len(at), "seed %d", seed)
		for _, id := range redo {
			j, _ := p.findLocked(id.Uint64())
			require.LessOrEqual(t, p.tierOf[j], uint8(redoTier))
		}
	}
}

func TestPacer(t *testing.T) {
	c := pacer{most: 8, quiet: time.Millisecond}
	c.depth.Store(2)
	c.size.Store(runPages)
	step := func(rate float64, foreground uint64, latency time.Duration) [2]int32 {
		depth, size := c.decide(time.Second, rate, foreground, latency)
		c.depth.Store(depth)
		c.size.Store(size)
		return [2]int32{depth, size}
	}
	const good, bad = time.Millisecond, 5 * time.Millisecond
	const few, many = 100, 300 // of 1000 reads in a row
	require.Equal(t, [2]int32{6, 64}, step(11<<20, 0, 0), "alone, as many as keep the device busy")
	require.Equal(t, [2]int32{8, 64}, step(500<<20, 0, 0))
	require.Equal(t, [2]int32{4, 64}, step(0, 0, 0))
	c.depth.Store(2)
	require.Equal(t, [2]int32{3, 64}, step(100, few, good), "more throughput, more depth")
	require.Equal(t, [2]int32{4, 64}, step(150, few, good))
	require.Equal(t, [2]int32{3, 64}, step(151, few, good), "no gain: back to the depth that brought the best")
	require.Equal(t, [2]int32{3, 64}, step(151, few, good))
	c.depth.Store(5)
	require.Equal(t, [2]int32{2, 64}, step(151, few, bad), "foreground suffers")
	require.Equal(t, [2]int32{1, 64}, step(151, few, bad))
	require.Equal(t, [2]int32{1, 32}, step(151, few, bad), "then shorter reads")
	require.Equal(t, [2]int32{1, 16}, step(151, few, bad))
	require.Equal(t, [2]int32{1, 16}, step(151, few, bad), "and no shorter")
	require.Equal(t, [2]int32{1, 32}, step(100, many, bad), "but the load keeps its share")
	require.Equal(t, [2]int32{1, 64}, step(100, many, bad))
	require.Equal(t, [2]int32{2, 64}, step(100, many, bad))
	require.Equal(t, [2]int32{4, 64}, step(100, many, bad))
	require.Equal(t, [2]int32{7, 64}, step(100, many, bad))
	require.Equal(t, [2]int32{8, 64}, step(100, many, bad))
	require.Equal(t, [2]int32{8, 64}, step(120, few, good), "it waits before it tries more")
	c.size.Store(16)
	for range holdWindows {
		step(120, few, good)
	}
	require.EqualValues(t, runPages, c.size.Load())
}

// The page a query reads itself goes to its place, its neighbourhood is read next, and the order of the list comes out as if the load had done it all.
func TestMissPullsItsNeighbourhood(t *testing.T) {
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 1200, 500, Options{})
	before, young := n.order()
	require.NoError(t, n.m.DumpNow())
	n.end(t)

	n = boot(t, fsys, 1200, 0, Options{ReadsInFlight: 1})
	gate, reached := make(chan struct{}), make(chan struct{})
	var loads []base.PageID
	wanted := base.PageIDFrom(before[young-1]) // far from what the load begins with
	n.pool.SetOnRead(func(id base.PageID, _ []byte) (base.LSN, error) {
		if id == wanted {
			return 0, nil
		}
		if loads = append(loads, id); len(loads) == 1 {
			close(reached)
			<-gate
		}
		return 0, nil
	})
	require.NoError(t, n.m.LoadNow())
	<-reached
	n.read(t, wanted)
	close(gate)
	wait(t, n.m)
	require.Equal(t, wanted.Space, loads[1].Space)
	require.InDelta(t, float64(wanted.No), float64(loads[1].No), runPages, "the second read is near the missed page")
	after, _ := n.order()
	require.Equal(t, before, after)
	s := n.m.Status()
	require.Equal(t, 1, s.Load.Missed)
	require.Equal(t, len(before), s.Load.Done)
}

// An aborted load goes on where it stopped, and the order is that of a load in one piece.
func TestResume(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 1200, 500, Options{})
	n.touch(t, rand.New(rand.NewPCG(seed, 0)), 500, 5000)
	before, _ := n.order()
	require.NoError(t, n.m.DumpNow())
	n.end(t)

	n = boot(t, fsys, 1200, 0, Options{ReadsInFlight: 1}) // with more, all may be under way when the load is aborted
	var seen atomic.Int32
	stop := int32(100)
	n.pool.SetOnRead(func(base.PageID, []byte) (base.LSN, error) {
		if seen.Add(1) == stop {
			n.m.LoadAbort()
		}
		return 0, nil
	})
	for range 3 {
		require.NoError(t, n.m.LoadNow())
		wait(t, n.m)
		require.Contains(t, n.m.Status().LoadStatus, "aborted")
		require.NoError(t, n.m.DumpNow())
		stop += 100
	}
	stop = -1
	require.NoError(t, n.m.LoadNow())
	wait(t, n.m)
	require.Contains(t, n.m.Status().LoadStatus, "completed")
	after, _ := n.order()
	require.Equal(t, before, after)
	require.Len(t, before, int(seen.Load()), "nothing is read twice")
	require.EqualValues(t, 100, n.m.Status().LoadPercent)
}

// A list of another server is read by the names of its tables, and refused when that tells nothing.
func TestListOfAnotherServer(t *testing.T) {
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 600, 100, Options{})
	n.end(t)
	other := &List{UUID: [16]byte{9}, Generation: 3, Created: time.Now(), Young: 2, IDs: []uint64{
		base.PageID{Space: 700, No: 4}.Uint64(), base.PageID{Space: 0, No: 1}.Uint64(), base.PageID{Space: 701, No: 5}.Uint64(), base.PageID{Space: 700, No: 3}.Uint64()}}
	own := func(map[base.SpaceID]bool) (map[base.SpaceID]TableName, error) {
		return map[base.SpaceID]TableName{space: {"shop", "orders"}, space + 1: {"shop", "lines"}}, nil
	}
	for _, c := range []struct {
		names  map[base.SpaceID]TableName
		want   []uint64
		status string
	}{
		{map[base.SpaceID]TableName{700: {"shop", "lines"}, 701: {"shop", "gone"}},
			[]uint64{base.PageID{Space: space + 1, No: 4}.Uint64(), base.PageID{Space: space + 1, No: 3}.Uint64()}, "completed"},
		{map[base.SpaceID]TableName{700: {"shop.", "lines"}}, nil, "none of its 1 tables (shop..lines, ...) is here"},
		{nil, nil, "no table names"},
	} {
		other.Names = c.names
		require.NoError(t, other.Write(fsys, listPath))
		n = boot(t, fsys, 600, 0, Options{Names: own})
		n.m.Start()
		wait(t, n.m)
		require.Contains(t, n.m.Status().LoadStatus, c.status)
		got, _ := n.order()
		require.Equal(t, len(c.want), len(got))
		if c.want != nil {
			require.Equal(t, c.want, got)
		}
		n.end(t)
	}
}
