package redo

import (
	"io/fs"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// groupsOf reads a view to its end and returns the LSNs of its groups.
func groupsOf(t *testing.T, v *View, from base.LSN) (lsns []base.LSN, damage []error) {
	t.Helper()
	for g, err := range v.Groups(from) {
		if err != nil {
			damage = append(damage, err)
			continue
		}
		lsns = append(lsns, g.LSN)
	}
	return lsns, damage
}

func TestView(t *testing.T) {
	disk, groups := filled(t, 3000, rand.New(rand.NewPCG(1, 2)), nil)
	v, err := OpenView(disk, "/data")
	require.NoError(t, err)
	defer v.Close()
	_, ok := v.Checkpoint()
	require.True(t, ok)
	lsns, damage := groupsOf(t, v, 0)
	require.Empty(t, damage)
	require.Len(t, lsns, len(groups))
	middle := groups[1234]
	lsns, _ = groupsOf(t, v, middle.LSN)
	require.Equal(t, middle.LSN, lsns[0], "from the middle of a segment")
	require.Len(t, lsns, len(groups)-1234)
	for range v.Groups(0) {
		break
	}

	// Damage in the first segment costs the rest of it, no more.
	require.Greater(t, len(v.Segments()), 2)
	require.NoError(t, disk.FlipBit(v.Segments()[0].Path, 8*(segHeader+int64(groups[10].LSN-FirstLSN)+20)))
	lsns, damage = groupsOf(t, v, 0)
	require.Len(t, damage, 1)
	require.ErrorIs(t, damage[0], base.ErrCorrupt)
	require.Equal(t, groups[9].LSN, lsns[9])
	require.Equal(t, v.Segments()[1].Start, lsns[10])
	require.Equal(t, groups[len(groups)-1].LSN, lsns[len(lsns)-1])
}

// A view of a log that is being written, and recycled, sees no damage.
func TestViewOfRunningLog(t *testing.T) {
	disk := vfs.NewMem(3)
	l, _ := mustOpen(t, disk, Options{Capacity: 1 << 20})
	rng := rand.New(rand.NewPCG(1, 2))
	done := make(chan error, 1)
	stop := make(chan struct{})
	go func() {
		for i := uint64(0); ; i++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			end, err := l.Append(payload(rng, i, 100+rng.IntN(900)), nil)
			if err == nil && i%3 == 0 {
				err = l.FlushTo(end)
			}
			if err == nil && i%100 == 0 && l.Durable() > 0 {
				err = l.SetCheckpoint(l.Durable()-min(l.Durable()-l.CheckpointLSN(), 200_000), nil)
			}
			if err != nil {
				done <- err
				return
			}
		}
	}()
	for range 100 {
		v, err := OpenView(disk, "/data")
		if err != nil {
			require.ErrorIs(t, err, fs.ErrNotExist)
			continue
		}
		cp, ok := v.Checkpoint()
		if ok {
			_, damage := groupsOf(t, v, cp.LSN)
			for _, err := range damage {
				require.NotErrorIs(t, err, base.ErrCorrupt)
			}
		}
		require.NoError(t, v.Close())
	}
	close(stop)
	require.NoError(t, <-done)
	require.NoError(t, l.Close())
}
