package engine

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/dict"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

const undoLeft = 64 // pages that the undo space has at least

// undoOptions is an engine whose undo space gives everything back.
func undoOptions(fs vfs.FS) Options {
	o := smallOptions(fs)
	o.MaxUndo = 1
	return o
}

// rewriteAll changes every row of table a, several times, in one transaction, and so leaves much
// undo.
func rewriteAll(e *Engine) error {
	return e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
		t, err := e.Table(ctx, tx, "test", "a")
		if err != nil {
			return err
		}
		for _, pad := range []string{"a", "b", "c", "d", "e"} {
			for id := int64(1); id <= 300; id++ {
				old, _, err := t.Get(ctx, tx, t.Def().Indexes[0], itemKey(id), table.Exclusive, table.Wait)
				if err == nil {
					i := itemOf(old)
					i.pad = strings.Repeat(pad, 2000)
					err = t.Update(ctx, tx, old, i.vals())
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func undoPages(t testing.TB, e *Engine) base.PageNo {
	n, err := e.files.Pages(base.UndoSpace)
	require.NoError(t, err)
	return n
}

// awaitSmallUndo waits until the file has been cut, or the power is gone.
func awaitSmallUndo(t testing.TB, e *Engine, fs *vfs.Mem) {
	t.Helper()
	testkit.Eventually(t, func() bool {
		if fs.Crashed() {
			return true
		}
		_, _ = e.pool.Flusher().All(), e.Checkpoint() // they fail when the power goes
		n, err := e.files.Pages(base.UndoSpace)
		return err == nil && n <= undoLeft
	})
}

// After a large transaction was purged the undo file is cut; what is committed afterwards grows it
// again; readers with an old view keep it.
func TestUndoGivesDiskBack(t *testing.T) {
	fs := vfs.NewMem(1)
	e := open(t, undoOptions(fs))
	createItems(t, e, "a")
	require.NoError(t, insertItems(e, "a", someItems(1, 300)...))
	for range 3 {
		reader := e.Begin(txn.RepeatableRead, true)
		before, err := readItems(e, reader, "a", 0)
		require.NoError(t, err)
		require.NoError(t, rewriteAll(e))
		large := undoPages(t, e)
		require.Greater(t, large, base.PageNo(2*undoLeft))
		time.Sleep(200 * time.Millisecond) // the purge worker comes by
		again, err := readItems(e, reader, "a", 0)
		require.NoError(t, err)
		require.Equal(t, before, again)
		require.GreaterOrEqual(t, undoPages(t, e), large, "undo that a view needs")
		require.NoError(t, e.Commit(ctx, reader))
		awaitSmallUndo(t, e, fs)
		requireClean(t, e)
	}
	require.NoError(t, e.Close(false))
}

// A check that runs beside purge, the moving of streams and the cut of the file finds nothing
// wrong.
func TestCheckBesideUndoShrink(t *testing.T) {
	fs := vfs.NewMem(1)
	e := open(t, undoOptions(fs))
	createItems(t, e, "a")
	require.NoError(t, insertItems(e, "a", someItems(1, 300)...))
	for range 5 {
		require.NoError(t, rewriteAll(e))
		for end := time.Now().Add(testkit.WaitLimit); undoPages(t, e) > undoLeft; {
			require.True(t, time.Now().Before(end), "the undo space stays large")
			require.NoError(t, e.pool.Flusher().All())
			require.NoError(t, e.Checkpoint())
			var r Report
			require.NoError(t, e.CheckTable(ctx, dict.SystemSchema, CheckUndo, &r))
			require.Empty(t, r.Faults)
		}
	}
	require.NoError(t, e.Close(false))
}

// A power cut at any write of the way back leaves every row, and the next life gives the disk back.
func TestUndoShrinkPowerCut(t *testing.T) {
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 2))
	for k := int64(0); ; k += 1 + rng.Int64N(6) {
		fs := vfs.NewMem(seed + uint64(k))
		e := open(t, undoOptions(fs))
		createItems(t, e, "a")
		require.NoError(t, insertItems(e, "a", someItems(1, 300)...))
		reader := e.Begin(txn.RepeatableRead, true) // holds purge back
		_, err := readItems(e, reader, "a", 0)
		require.NoError(t, err)
		require.NoError(t, rewriteAll(e))
		want := content(t, e)
		fs.CrashAt(k)
		_ = e.Rollback(reader)
		awaitSmallUndo(t, e, fs)
		if fs.CrashAt(-1); !fs.Crashed() {
			require.NoError(t, e.Close(false))
			t.Logf("fewer than %d writes and syncs", k)
			return
		}
		abandonEngine(e)

		fs = failAgain(t, fs.Reboot(seed+uint64(k)), seed+uint64(k))
		e, err = Open(undoOptions(fs))
		require.NoError(t, err, "power cut at %d", k)
		require.True(t, equalContent(want, content(t, e)), "power cut at %d", k)
		requireClean(t, e)
		require.NoError(t, rewriteAll(e))
		awaitSmallUndo(t, e, fs)
		requireClean(t, e)
		require.NoError(t, e.Close(false))
	}
}
