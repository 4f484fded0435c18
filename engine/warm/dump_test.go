package warm

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// The power is cut at every change a dump makes to the disk: a good list is there afterwards, the
// new one or the last.
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

// quiet waits until the log's background work is done, so that the dump's changes are the only
// ones.
func quiet(t *testing.T, n *node) {
	last := int64(-1)
	testkit.Eventually(t, func() bool {
		now := n.fs.Changes()
		same := now == last
		last = now
		return same
	})
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

func TestPeriodicDump(t *testing.T) {
	fsys := vfs.NewMem(1)
	n := boot(t, fsys, 64, 10, Options{Interval: time.Hour})
	n.m.Start()
	n.m.SetInterval(time.Millisecond)
	testkit.Eventually(t, func() bool { return n.m.Status().Dumps >= 3 })
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
