package warm

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

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

// A damaged list is refused, named, and the one before is used; the next dump leaves a good pair
// behind.
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

func TestAbortAndShutdownDuringLoad(t *testing.T) {
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 600, 200, Options{})
	require.NoError(t, n.m.DumpNow())
	full, _ := n.order()
	n.end(t)

	n = boot(t, fsys, 600, 0, Options{ReadsInFlight: 1}) // with more, all may be under way when the load is aborted
	gate := make(chan struct{})
	var seen atomic.Int32
	n.pool.Recovery().SetSource(sourceFunc(func(base.PageID, []byte) (base.LSN, error) {
		if seen.Add(1) > 40 {
			<-gate
		}
		return 0, nil
	}))
	n.m.Start()
	testkit.Eventually(t, func() bool { return seen.Load() > 40 })
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

// A query that misses a listed page reads it with its neighbours, to their places: the order of the
// list comes out as if the load had done it all.
func TestMissPullsItsNeighbours(t *testing.T) {
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 1200, 500, Options{})
	before, _ := n.order()
	require.NoError(t, n.m.DumpNow())
	n.end(t)

	n = boot(t, fsys, 1200, 0, Options{ReadsInFlight: 1})
	gate, reached := make(chan struct{}), make(chan struct{})
	var loads []base.PageID
	wanted := base.PageID{Space: space, No: 250} // far from what the load begins with
	n.pool.Recovery().SetSource(sourceFunc(func(id base.PageID, _ []byte) (base.LSN, error) {
		if id == wanted {
			return 0, nil
		}
		if loads = append(loads, id); len(loads) == 1 {
			close(reached)
			<-gate
		}
		return 0, nil
	}))
	require.NoError(t, n.m.LoadNow())
	<-reached
	n.read(t, wanted)
	close(gate)
	wait(t, n.m)
	for _, id := range loads[1:runPages] {
		require.Equal(t, wanted.Space, id.Space)
		require.InDelta(t, float64(wanted.No), float64(id.No), runPages, "neighbours of the missed page, before the load goes on")
	}
	after, _ := n.order()
	require.Equal(t, before, after)
	s := n.m.Status()
	require.Equal(t, runPages, s.Load.Missed)
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

	n = boot(t, fsys, 1200, 0, Options{ReadsInFlight: 1})
	var seen atomic.Int32
	stop := int32(100)
	n.pool.Recovery().SetSource(sourceFunc(func(base.PageID, []byte) (base.LSN, error) {
		if seen.Add(1) == stop {
			n.m.LoadAbort()
		}
		return 0, nil
	}))
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
