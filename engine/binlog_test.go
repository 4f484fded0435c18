package engine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/stretchr/testify/require"

	"emberdb/binlog"
	"emberdb/engine/catalog"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// ddlText is what a definition change is logged as.
var ddlText string

// testSession is the session of a journal.
type testSession struct{}

func (testSession) Statement(i *txn.StatementInfo) {
	*i = txn.StatementInfo{Head: binlog.Head{Time: 1, ServerID: 7}, Session: &testQuery, Flags: testQuery.Flags2}
}

var testQuery = binlog.Query{Database: "test"}

func (testSession) Unlogged(*catalog.Table) bool { return false }
func (testSession) Named(binlog.GTID)            {}

// follow gives tx a journal if the engine has a binary log.
func follow(e *Engine, tx *txn.Trx) *txn.Journal {
	j := e.NewJournal(testSession{})
	if j != nil {
		j.Attach(tx)
		tx.StartStatement()
	}
	return j
}

func binlogOptions(fs vfs.FS) Options {
	o := cutOptions(fs)
	o.Binlog = &binlog.Options{Base: "binlog", ServerID: 7, ServerVersion: "8.4.0-ember", VersionNumber: 80400, MaxSize: 16 << 10, CacheSize: 4 << 10}
	return o
}

// replay reads the engine's binary logs with another parser and applies them to an empty model.
func replay(t testing.TB, fs vfs.FS, e *Engine, steps []step) map[string]map[int64]item {
	t.Helper()
	m := map[string]map[int64]item{}
	byName := map[string]step{}
	for _, s := range steps {
		byName[s.name] = s
	}
	files, err := e.Binlog().Files()
	require.NoError(t, err)
	gtids := int64(0)
	for _, f := range files {
		b, err := vfs.ReadFile(fs, filepath.Join("/d", f.Name))
		require.NoError(t, err)
		p := replication.NewBinlogParser()
		p.SetVerifyChecksum(true)
		require.NoError(t, p.ParseReader(bytes.NewReader(b[4:]), func(ev *replication.BinlogEvent) error {
			switch x := ev.Event.(type) {
			case *replication.GTIDEvent:
				gtids++
				require.Equal(t, gtids, x.GNO)
			case *replication.QueryEvent:
				if s, ok := byName[string(x.Query)]; ok {
					s.model(m)
				} else {
					require.Equal(t, "BEGIN", string(x.Query))
				}
			case *replication.RowsEvent:
				applyRows(m[string(x.Table.Table)], ev.Header.EventType, x.Rows)
			}
			return nil
		}), f.Name)
	}
	require.Equal(t, gtids, e.Binlog().Executed().Count())
	return m
}

func applyRows(rows map[int64]item, kind replication.EventType, images [][]any) {
	for i, image := range images {
		it := item{id: image[0].(int64), k: image[1].(int64)}
		if image[2] != nil {
			it.u = image[2].(int64)
		}
		it.pad = string(image[3].([]byte))
		if kind == replication.DELETE_ROWS_EVENTv2 || kind == replication.UPDATE_ROWS_EVENTv2 && i%2 == 0 {
			delete(rows, it.id)
		} else {
			rows[it.id] = it
		}
	}
}

// binlogScript adds to the script of the power-cut test what concerns the log: transactions taken
// back in part, and as a whole.
func binlogScript() []step {
	partly := step{"partly taken back", func(e *Engine) error {
		return e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
			t, err := e.Table(ctx, tx, "test", "a")
			if err != nil {
				return err
			}
			for i, r := range someItems(700, 40) {
				if i%10 == 0 {
					tx.StartStatement()
				}
				m := tx.Boundary()
				if i%4 == 3 {
					r.pad = strings.Repeat("x", 9000) // an event of its own, and to disk
				}
				err := t.Insert(ctx, tx, r.vals())
				if err == nil && i%3 == 1 {
					err = tx.RollbackTo(ctx, m)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}, func(m map[string]map[int64]item) {
		for i, r := range someItems(700, 40) {
			if i%4 == 3 {
				r.pad = strings.Repeat("x", 9000)
			}
			if i%3 != 1 {
				m["a"][r.id] = r
			}
		}
	}}
	ignored := step{"rows ignored", func(e *Engine) error {
		return e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
			t, err := e.Table(ctx, tx, "test", "a")
			if err != nil {
				return err
			}
			j, outer := tx.Journal, tx.StartStatement()
			row, inner := uint64(0), uint64(0)
			for i, r := range someItems(1000, 60) {
				if i == 50 { // all before is taken back, and what was held behind is held no more
					err = tx.RollbackTo(ctx, outer)
				}
				m := tx.Savepoint()
				row = j.Move(row, m)
				inner = j.Move(inner, tx.Savepoint())
				kept := j.Keep(m)
				if err == nil {
					err = t.Insert(ctx, tx, r.vals())
				}
				if err == nil && i%3 == 1 {
					err = tx.RollbackTo(ctx, m)
				}
				j.Release(kept)
				if err == nil && j.Bounds() > 3 {
					err = fmt.Errorf("%d bounds after %d rows", j.Bounds(), i+1)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}, func(m map[string]map[int64]item) {
		for i, r := range someItems(1000, 60) {
			if i >= 50 && i%3 != 1 {
				m["a"][r.id] = r
			}
		}
	}}
	errWanted := errors.New("wanted")
	undone := step{"taken back", func(e *Engine) error {
		err := e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
			t, err := e.Table(ctx, tx, "test", "a")
			if err != nil {
				return err
			}
			for _, r := range someItems(900, 20) {
				if err := t.Insert(ctx, tx, r.vals()); err != nil {
					return err
				}
			}
			return errWanted
		})
		if err == errWanted || err != nil && err.Error() == errWanted.Error() {
			return nil
		}
		return err
	}, func(map[string]map[int64]item) {}}
	large := someItems(800, 3)
	for i := range large {
		large[i].pad = strings.Repeat("large", 12_000+i)
	}
	rotate := step{"rotate", func(e *Engine) error { return e.Binlog().Rotate() }, func(map[string]map[int64]item) {}}
	s := powerCutScript()
	return append(append(s[:2:2], partly, ignored, undone, insertStep("a", large...), rotate), s[2:]...)
}

func TestBinlogFollowsTheData(t *testing.T) {
	fs := vfs.NewMem(1)
	steps := binlogScript()
	e := open(t, binlogOptions(fs))
	require.NoError(t, e.SetGTIDMode(GTIDOn))
	want, _, cut := runSteps(t, e, steps)
	require.False(t, cut)
	require.Equal(t, want, content(t, e))
	require.NoError(t, e.Binlog().Rotate())
	require.Equal(t, want, replay(t, fs, e, steps))
	require.Positive(t, e.Binlog().Stats().Adopted)
	executed := e.Binlog().Executed()
	require.NoError(t, e.Close(false))

	// Off, and on again: the GTIDs stay.
	o := binlogOptions(fs)
	o.Binlog = nil
	e = open(t, o)
	require.Nil(t, e.Binlog())
	require.NoError(t, e.Close(true))
	e = open(t, binlogOptions(fs))
	require.Equal(t, executed.String(), e.Binlog().Executed().String())
	require.Equal(t, want, replay(t, fs, e, steps))
	abandonEngine(e)

	// Under another name after a crash.
	o = binlogOptions(fs)
	o.Binlog.Base = "other"
	e = open(t, o)
	require.Equal(t, executed.String(), e.Binlog().Executed().String())
	require.Equal(t, executed.String(), e.Binlog().Purged().String())
	first, last := e.Binlog().Range()
	require.Equal(t, first, last)
	require.NoError(t, e.Close(false))
}

func TestBinlogPowerCut(t *testing.T) {
	stride := int64(7) // every k with EMBER_POWERCUT_STRIDE=1
	if s, err := strconv.ParseInt(os.Getenv("EMBER_POWERCUT_STRIDE"), 10, 64); err == nil {
		stride = s
	}
	seed := testkit.Seed(t)
	steps := binlogScript()
	for k := int64(0); ; k += stride {
		fs := vfs.NewMem(seed)
		e := open(t, binlogOptions(fs))
		require.NoError(t, e.SetGTIDMode(GTIDOn))
		fs.CrashAt(k)
		before, after, cut := runSteps(t, e, steps)
		if fs.CrashAt(-1); !cut && !fs.Crashed() {
			require.NoError(t, e.Close(false))
			t.Logf("%d power cuts, the script makes fewer than %d writes and syncs", k/stride, k)
			return
		}
		abandonEngine(e)
		fs = fs.Reboot(seed + uint64(k))
		if k%2 == 1 { // once more, while it recovers
			fs.CrashAt(k % 40)
			if e, err := Open(binlogOptions(fs)); err == nil {
				e.background.Wait()
				abandonEngine(e)
			} else {
				require.True(t, errors.Is(err, vfs.ErrPowerLost) || errors.Is(err, base.ErrFailed), "%v", err)
			}
			fs.Crash()
			fs = fs.Reboot(seed + 1)
		}
		e, err := Open(binlogOptions(fs))
		require.NoError(t, err, "power cut at %d", k)
		got := content(t, e)
		if !equalContent(got, before) && !equalContent(got, after) {
			t.Fatalf("power cut at %d:\n got %v\nwant %v\n  or %v", k, summary(got), summary(before), summary(after))
		}
		logged := replay(t, fs, e, steps)
		if !equalContent(got, logged) {
			t.Fatalf("power cut at %d: the tables hold %v, the binary log gives %v", k, summary(got), summary(logged))
		}
		if got["a"] != nil {
			require.NoError(t, insertItems(e, "a", item{id: 9999, k: 1}), "power cut at %d", k)
		}
		require.NoError(t, e.Close(false))
	}
}

// The disk of the binary log is full: transactions are refused, the engine goes on, and when there
// is room the log holds what the data does.
func TestBinlogDiskFull(t *testing.T) {
	fs := vfs.NewMem(1)
	e := open(t, binlogOptions(fs))
	require.NoError(t, e.SetGTIDMode(GTIDOn))
	createItems(t, e, "a")
	fs.Inject(vfs.Fault{Ops: vfs.OpWrite, Match: "/binlog.0", Err: base.ErrDiskFull, Stay: true})
	want := map[int64]item{}
	put := func(id int64) error {
		x := item{id: id, k: id, pad: strings.Repeat("x", 100)}
		err := e.run(txn.RepeatableRead, func(tx *txn.Trx) error { return insertItem(e, tx, "a", x) })
		if err == nil {
			want[id] = x
		}
		return err
	}
	id, err := int64(1), error(nil)
	for ; err == nil && id < 1_000_000; id++ {
		err = put(id)
	}
	require.ErrorIs(t, err, base.ErrDiskFull)
	if err := e.Checkpoint(); err != nil { // nil: there is nothing to do
		require.ErrorIs(t, err, base.ErrDiskFull)
	}
	time.Sleep(2 * checkpointEvery) // the engine's own have met it, too
	requireItems(t, e, "a", want)
	require.ErrorIs(t, put(id), base.ErrDiskFull)
	require.NotErrorIs(t, put(id), base.ErrFailed)

	fs.ClearFaults()
	testkit.Eventually(t, func() bool { return put(id) == nil })
	require.NoError(t, e.Checkpoint())
	create := step{name: ddlText, model: func(m map[string]map[int64]item) { m["a"] = map[int64]item{} }}
	require.NoError(t, e.Binlog().Settle())
	require.Equal(t, want, replay(t, fs, e, []step{create})["a"])
	require.NoError(t, e.Close(false))
	e = open(t, binlogOptions(fs))
	requireItems(t, e, "a", want)
	require.NoError(t, e.Close(true))
}

// A disk that fails under the files of the binary log, at each of its writes, syncs and names, once
// or from then on, with a loss of power behind it or without: what was committed is in log and
// tables after the next start, and what was refused, or never answered, is in both or in neither.
func TestBinlogBadDisk(t *testing.T) {
	seed, steps := testkit.Seed(t), binlogScript()
	const kinds = vfs.Changes &^ vfs.OpAllocate
	ops := int64(0)
	fs := vfs.NewMem(seed)
	e := open(t, binlogOptions(fs))
	require.NoError(t, e.SetGTIDMode(GTIDOn))
	fs.Trace(func(ev vfs.Event) {
		if ev.Op&kinds != 0 && strings.Contains(ev.Name, "binlog") {
			ops++
		}
	})
	runSteps(t, e, steps)
	require.NoError(t, e.Close(false))
	fs.Trace(nil)
	failed := 0
	for k := int64(0); k < ops; k++ {
		err := []error{syscall.EIO, base.ErrDiskFull}[(uint64(k)+seed)%2]
		fs := vfs.NewMem(seed + uint64(k))
		e := open(t, binlogOptions(fs))
		require.NoError(t, e.SetGTIDMode(GTIDOn))
		fs.Inject(vfs.Fault{Ops: kinds, Match: "binlog", Nth: k, Err: err, Short: k%4 < 2, Stay: k%3 == 0 && err == syscall.EIO})
		before, after := map[string]map[int64]item{}, map[string]map[int64]item{}
		for _, s := range steps {
			ddlText = s.name
			s.model(after)
			if err := s.run(e); err != nil {
				failed++
				break
			}
			s.model(before)
		}
		fs.ClearFaults()
		abandonEngine(e)
		if k%5 < 3 {
			fs.Crash()
			fs = fs.Reboot(seed + uint64(k))
		}
		e, openErr := Open(binlogOptions(fs))
		require.NoError(t, openErr, "%v at %d", err, k)
		got := content(t, e)
		if !equalContent(got, before) && !equalContent(got, after) {
			t.Fatalf("%v at %d:\n got %v\nwant %v\n  or %v", err, k, summary(got), summary(before), summary(after))
		}
		if logged := replay(t, fs, e, steps); !equalContent(got, logged) {
			t.Fatalf("%v at %d: the tables hold %v, the binary log gives %v", err, k, summary(got), summary(logged))
		}
		require.NoError(t, e.Close(false))
	}
	require.Positive(t, failed)
	t.Logf("%d operations on the files of the log, a step failed in %d runs", ops, failed)
}

// A log under a new name begins with the GTIDs of the one before. A state that cannot be read is an
// error: without it GTIDs would be given a second time.
func TestBinlogDamagedState(t *testing.T) {
	fs := vfs.NewMem(1)
	e := open(t, binlogOptions(fs))
	require.NoError(t, e.SetGTIDMode(GTIDOn))
	createItems(t, e, "items")
	require.NoError(t, e.Close(false))
	kept := e.binlog.kept
	inherited, err := e.inherited()
	require.NoError(t, err)
	require.NotEmpty(t, inherited.Executed.Shown())
	kept.State = kept.State[:len(kept.State)-1]
	_, err = e.inherited()
	require.ErrorIs(t, err, base.ErrCorrupt)
	require.ErrorContains(t, err, kept.Base)
}
