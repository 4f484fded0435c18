package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// forcedOptions are those of a start with innodb_force_recovery.
func forcedOptions(fs *vfs.Mem, level int) Options {
	o := smallOptions(fs)
	o.ForceRecovery = level
	return o
}

// leafOf is a leaf in the middle of a table's clustered tree, and the file it is in.
func leafOf(t *testing.T, e *Engine, name string) (path string, no base.PageNo) {
	t.Helper()
	require.NoError(t, e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
		tb, err := e.Table(ctx, tx, "test", name)
		require.NoError(t, err)
		path = e.files.Path(tb.Def().Space)
		m := e.pool.BeginRead()
		defer m.Commit()
		n, err := e.files.Pages(tb.Def().Space)
		require.NoError(t, err)
		leaves := 0
		for p := base.PageNo(1); p < n; p++ {
			pg, err := m.Pin(base.PageID{Space: tb.Def().Space, No: p}, buffer.Shared)
			if err != nil {
				continue // never written
			}
			if strings.Contains(string(pg.Data()), "of interest") {
				if leaves++; leaves == 5 {
					no = p
				}
			}
			m.Release(pg)
		}
		return nil
	}))
	require.NotZero(t, no)
	return path, no
}

func markedItems(from, n int64) []item {
	rows := someItems(from, n)
	for i := range rows {
		rows[i].pad = "of interest " + strings.Repeat("x", 500)
	}
	return rows
}

// 1: a dump gets all rows but those of the damaged page; without it the read is an error. Nothing
// else is passed over.
func TestForcedPastDamagedPages(t *testing.T) {
	fs := vfs.NewMem(1)
	o := smallOptions(fs)
	o.Doublewrite = false // a copy of the page there would mend it
	e := open(t, o)
	createItems(t, e, "items")
	rows := markedItems(1, 1000)
	require.NoError(t, insertItems(e, "items", rows...))
	path, no := leafOf(t, e, "items")
	require.NoError(t, e.Close(false))
	require.NoError(t, fs.FlipBit(path, 8*(int64(no)*base.PageSize+9000)))

	e = open(t, o)
	tx := e.Begin(txn.RepeatableRead, true)
	_, err := readItems(e, tx, "items", 0)
	require.ErrorIs(t, err, base.ErrCorrupt)
	require.NoError(t, e.Commit(ctx, tx))
	require.NoError(t, e.Close(false))

	o.ForceRecovery = 1
	e = open(t, o)
	got := items(t, e, "items", 0)
	require.Less(t, len(got), len(rows))
	require.Greater(t, len(got), len(rows)-60)
	missing := map[int64]bool{}
	at := 0
	for _, r := range rows {
		if at < len(got) && got[at].id == r.id {
			require.Equal(t, r, got[at])
			at++
			continue
		}
		missing[r.id] = true
	}
	require.Equal(t, len(got), at, "the order is kept")
	for id := range missing {
		require.True(t, missing[id-1] || missing[id+1], "one stretch is missing")
	}
	require.Len(t, items(t, e, "items", 1), len(got), "by a secondary index the rows of the damaged page are missing, too")
	require.Len(t, e.damage.told, 1)
	require.NoError(t, e.Close(false))
}

// unfinished leaves a directory whose last transaction had changed rows and not committed; history
// was not purged.
func unfinished(t *testing.T) (fs *vfs.Mem, committed, changed []item) {
	t.Helper()
	fs = vfs.NewMem(1)
	e := open(t, smallOptions(fs))
	createItems(t, e, "items")
	committed = someItems(1, 200)
	require.NoError(t, insertItems(e, "items", committed...))
	require.NoError(t, e.pool.Flusher().All())
	require.NoError(t, e.Checkpoint())
	tx := e.Begin(txn.RepeatableRead, false)
	tb, err := e.Table(ctx, tx, "test", "items")
	require.NoError(t, err)
	changed = append(changed, committed...)
	for i := range 100 {
		changed[i].k += 1000
		require.NoError(t, tb.Update(ctx, tx, committed[i].vals(), changed[i].vals()))
	}
	require.NoError(t, e.log.FlushTo(e.log.Appended()))
	fs.Crash()
	abandonEngine(e)
	return fs.Reboot(1), committed, changed
}

// 2 purges nothing; 3 rolls nothing back and shows nothing of it; 4 refuses changes; 5 shows what
// was not committed; the next start without it rolls back.
func TestForcedLevels(t *testing.T) {
	fs, committed, changed := unfinished(t)
	for level := 2; level <= 5; level++ {
		t.Run(fmt.Sprint(level), func(t *testing.T) {
			e := open(t, forcedOptions(fs, level))
			e.background.Wait()
			want := committed
			if level >= 5 {
				want = changed
			}
			require.Equal(t, want, items(t, e, "items", 0))
			require.False(t, e.txns.CaughtUp(), "nothing is purged")
			if level == 3 || level == 4 {
				require.Equal(t, 1, e.txns.Stats().Aborted, "nothing is rolled back")
			}
			err := e.ddl(func(tx *txn.Trx) error { return e.CreateTable(ctx, tx, itemsDef(fmt.Sprint("t", level))) })
			if level >= 4 {
				require.ErrorIs(t, err, base.ErrForced)
				require.ErrorIs(t, e.PutKV(ctx, nil, "a", "b", nil), base.ErrForced)
			} else {
				require.NoError(t, err)
			}
			require.NoError(t, e.txns.WaitCleaned(ctx))
			require.NoError(t, e.Close(false))
			if level == 2 { // it was rolled back
				fs, committed, changed = unfinished(t)
			}
		})
	}
	e := open(t, smallOptions(fs))
	e.background.Wait()
	require.NoError(t, e.txns.WaitCleaned(ctx))
	require.Equal(t, committed, items(t, e, "items", 0))
	requireClean(t, e)
	require.NoError(t, e.Close(false))
}

// 5 needs no undo space: one that is damaged stops a start, and the error names the way past it.
func TestForcedPastDamagedUndo(t *testing.T) {
	fs, _, changed := unfinished(t)
	e := open(t, forcedOptions(fs, 5))
	e.background.Wait()
	path := e.files.Path(base.UndoSpace)
	n, err := e.files.Pages(base.UndoSpace)
	require.NoError(t, err)
	require.NoError(t, e.Close(false))
	for no := range int64(n) {
		if no > 0 { // the file itself can be opened
			_ = fs.FlipBit(path, 8*(no*base.PageSize+5000)) // not all are written
		}
	}
	_, err = Open(smallOptions(fs))
	require.ErrorIs(t, err, base.ErrCorrupt)
	require.ErrorContains(t, err, "innodb_force_recovery=5")
	e = open(t, forcedOptions(fs, 5))
	require.Equal(t, changed, items(t, e, "items", 0))
	require.NoError(t, e.Close(false))
}

// tear damages a page of a table that has a copy in the doublewrite area, and returns its file.
func tear(t *testing.T, fs *vfs.Mem) (path string) {
	t.Helper()
	area, err := vfs.ReadFile(fs, "/d/doublewrite.edw")
	require.NoError(t, err)
	for k := range binary.LittleEndian.Uint32(area[16:]) {
		entry := area[32+16*k:]
		if s := binary.LittleEndian.Uint32(entry); base.SpaceID(s) >= base.FirstSpace {
			path = fmt.Sprintf("/d/spaces/%08x.ebs", s)
			require.NoError(t, fs.FlipBit(path, 8*(int64(binary.LittleEndian.Uint32(entry[4:]))*base.PageSize+5000)))
			return path
		}
	}
	t.Fatal("no page of a table has a copy")
	return ""
}

// 6 reads what the files hold, whatever became of the log, and leaves log and files alone: a later
// start without it has lost nothing.
func TestForcedWithoutRedo(t *testing.T) {
	fs, committed, changed := unfinished(t)
	path := tear(t, fs)
	torn, err := vfs.ReadFile(fs, path)
	require.NoError(t, err)
	var writes []string
	fs.Trace(func(ev vfs.Event) {
		if ev.Op&vfs.Changes != 0 {
			writes = append(writes, fmt.Sprint(ev))
		}
	})
	e := open(t, forcedOptions(fs, 6))
	require.Equal(t, committed, items(t, e, "items", 0), "what was written before the checkpoint")
	require.ErrorIs(t, insertItems(e, "items", item{id: 5000, u: 5000}), base.ErrForced)
	require.NoError(t, e.Close(false))
	fs.Trace(nil)
	require.Empty(t, writes)
	after, err := vfs.ReadFile(fs, path)
	require.NoError(t, err)
	require.Equal(t, torn, after, "the torn page stays what it is")

	e = open(t, forcedOptions(fs, 5))
	require.Equal(t, changed, items(t, e, "items", 0), "redo is still there")
	require.NoError(t, e.Close(false))
}

// A log that is gone altogether stops a start, and the error names the way past it.
func TestForcedPastLostRedo(t *testing.T) {
	fs := vfs.NewMem(1)
	e := open(t, smallOptions(fs))
	createItems(t, e, "items")
	rows := someItems(1, 50)
	require.NoError(t, insertItems(e, "items", rows...))
	e.background.Wait() // a close that stops recovery leaves pages to it
	require.NoError(t, e.Close(false))
	names, err := fs.List("/d/redo")
	require.NoError(t, err)
	for _, n := range names {
		require.NoError(t, fs.Remove("/d/redo/"+n))
	}
	_, err = Open(smallOptions(fs))
	require.Error(t, err)
	require.ErrorContains(t, err, "innodb_force_recovery=6")
	e = open(t, forcedOptions(fs, 6))
	require.Equal(t, rows, items(t, e, "items", 0))
	require.NoError(t, e.Close(false))
	require.False(t, errors.Is(err, base.ErrFailed))
}
