package txn

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// refusing is a RowUndoer that fails at one slot until it is mended.
type refusing struct {
	*env
	slot   uint32
	mended chan struct{}
}

var errRefused = errors.New("the slot is damaged")

func (r *refusing) UndoRow(rec *UndoRecord) error {
	select {
	case <-r.mended:
	default:
		if binary.LittleEndian.Uint32(rec.Key) == r.slot {
			return errRefused
		}
	}
	return r.env.UndoRow(rec)
}

// TestAborted watches three aborted transactions, the first of which cannot be cleaned for a while:
// the others do not wait for it.
func TestAborted(t *testing.T) {
	e := stoppedEnv(t, vfs.NewMem(1), 256, 5)
	defer e.close()
	r := &refusing{env: e, slot: 3, mended: make(chan struct{})}
	e.sys.SetUndoer(r)
	var ids []uint64
	for k := range 3 {
		w := e.begin(RepeatableRead)
		for i := range 10 {
			e.mustChange(w, 10*k+i, 7)
		}
		ids = append(ids, uint64(w.ID()))
		require.NoError(t, e.sys.Rollback(w))
	}
	all := e.sys.Aborted()
	require.Len(t, all, 3)
	for i, in := range all {
		require.Equal(t, ids[i], uint64(in.ID))
		require.Equal(t, int64(10), in.Left)
		require.Zero(t, in.Done)
		require.False(t, in.Working || in.Recovered)
		require.Negative(t, in.ETA)
	}
	e.sys.Start()
	testkit.Eventually(t, func() bool {
		all = e.sys.Aborted()
		return len(all) == 1 && all[0].Err != nil
	})
	require.Equal(t, ids[0], uint64(all[0].ID))
	require.ErrorIs(t, all[0].Err, errRefused)
	require.Equal(t, int64(4), all[0].Left)
	require.Equal(t, int64(6), all[0].Done)
	require.Equal(t, Aborted, e.sys.State(all[0].ID))
	close(r.mended)
	e.settle()
	require.Empty(t, e.sys.Aborted())
}
