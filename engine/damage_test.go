package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/redo"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// groupOf is where the first group from lsn on stands that changes pages of space s and no other, and the file it is in.
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

// Damage in the middle of the redo log costs the pages that need the group. What else there is can be read, in every later life too; writes are refused with an error, and
// do not wait for room that will never be.
func TestDamagedRedo(t *testing.T) {
	fs := vfs.NewMem(1)
	e := open(t, smallOptions(fs))
	createItems(t, e, "a")
	createItems(t, e, "b")
	require.NoError(t, insertItems(e, "a", someItems(1, 100)...))
	require.NoError(t, e.pool.FlushAll())
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
