package engine

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/redo"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// groupOf is where the first group from lsn on stands that changes pages of space s and no other,
// and the file it is in.
func groupOf(t testing.TB, e *Engine, s base.SpaceID, lsn base.LSN) (path string, offset int64) {
	t.Helper()
	const header = 4096 // of a segment
	r := e.log.NewReader(lsn)
	defer r.Close()
	for {
		g, err := r.Next()
		require.NoError(t, err)
		only := true
		for rec, err := range redo.Records(g.Payload) {
			require.NoError(t, err)
			only = only && rec.Op >= redo.OpFirstPage && rec.Page.Space == s
		}
		if !only {
			continue
		}
		for _, seg := range e.log.Segments() {
			if seg.Start <= g.LSN && g.LSN < seg.End {
				return seg.Path, header + int64(g.LSN-seg.Start)
			}
		}
	}
}

// Damage in the middle of the redo log costs the pages that need the group. What else there is can
// be read, in every later life too; writes are refused with an error, and do not wait for room that
// will never be.
func TestDamagedRedo(t *testing.T) {
	fs := vfs.NewMem(1)
	e := open(t, smallOptions(fs))
	createItems(t, e, "a")
	createItems(t, e, "b")
	require.NoError(t, insertItems(e, "a", someItems(1, 100)...))
	require.NoError(t, e.pool.Flusher().All())
	require.NoError(t, e.Checkpoint())
	from := e.log.Appended()
	require.NoError(t, insertItems(e, "a", someItems(101, 100)...))
	rows := someItems(1, 100)
	for i := range rows {
		rows[i].pad = strings.Repeat("b", 2000)
	}
	require.NoError(t, insertItems(e, "b", rows...)) // enough to prove that the log goes on
	var space base.SpaceID
	require.NoError(t, e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
		tb, err := e.Table(ctx, tx, "test", "a")
		if err == nil {
			space = tb.Def().Space
		}
		return err
	}))
	want := items(t, e, "b", 0)
	path, offset := groupOf(t, e, space, from)
	require.NoError(t, e.log.FlushTo(e.log.Appended()))
	abandonEngine(e)
	require.NoError(t, fs.FlipBit(path, 8*(offset+20)))

	for range 2 {
		e = open(t, smallOptions(fs))
		e.background.Wait()
		require.Equal(t, want, items(t, e, "b", 0))
		tx := e.Begin(txn.RepeatableRead, true)
		_, err := readItems(e, tx, "a", 0)
		require.NoError(t, e.Commit(ctx, tx))
		var c *base.CorruptError
		require.ErrorAs(t, err, &c)
		require.Equal(t, path, c.File)
		require.Equal(t, offset, c.Offset)
		require.ErrorIs(t, insertItems(e, "b", item{id: 1000, u: 1000}), base.ErrFailed)
		r, err := e.Check(ctx, nil)
		require.NoError(t, err)
		require.NotEmpty(t, r.Faults)
		for _, f := range r.Faults {
			require.Contains(t, f.Error(), "test.a: ")
		}
		_ = e.Close(false) // it cannot be clean
	}
}

// When pages cannot be written any more, writers that wait for room in the log hear of it.
func TestFailedPoolEndsWaits(t *testing.T) {
	e := open(t, smallOptions(vfs.NewMem(1)))
	createItems(t, e, "a")
	e.background.Wait()
	e.pool.Recovery().SetFloor(e.log.CheckpointLSN()) // the checkpoint stands
	done := make(chan error, 1)
	go func() {
		var err error
		for id := int64(1); err == nil; id++ {
			err = insertItems(e, "a", item{id: id, u: id, pad: strings.Repeat("a", 5000)})
		}
		done <- err
	}()
	for e.log.Stats().RoomWaits == 0 {
		time.Sleep(time.Millisecond)
	}
	select {
	case err := <-done:
		t.Fatal("nothing was wrong yet: ", err)
	case <-time.After(50 * time.Millisecond):
	}
	e.failure.Enter(errors.New("a page cannot be written"))
	select {
	case err := <-done:
		require.ErrorIs(t, err, base.ErrFailed)
	case <-time.After(testkit.WaitLimit):
		t.Fatal("the writer waits for ever")
	}
	_ = e.Close(false) // it cannot be clean
}
