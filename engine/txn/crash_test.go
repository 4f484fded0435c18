package txn

import (
	"context"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// crashRun is what the outside knows of a run that a power cut ended.
type crashRun struct {
	committed map[int]uint64 // acknowledged
	inFlight  map[int]uint64 // of the commit that was under way: all or nothing
	highest   base.TrxID     // acknowledged: what is not durable may be given again
}

// run does random transactions, one at a time, until the power is lost or all are done.
func (c *crashRun) run(t *testing.T, e *env, fsys *vfs.Mem, rnd *rand.Rand, transactions int) {
	ok := func(err error) bool {
		if err != nil || e.log.Failure().Err() != nil {
			require.True(t, fsys.Crashed(), "%v", err)
			return false
		}
		return true
	}
	for n := range transactions {
		w := e.begin(RepeatableRead)
		writes := map[int]uint64{}
		for range 1 + rnd.IntN(1+rnd.IntN(60)) {
			i := rnd.IntN(40)
			now, mine := writes[i]
			if !mine {
				now = c.committed[i]
			}
			remove, value := now != 0 && rnd.IntN(3) == 0, uint64(rnd.IntN(1000)+1)
			if !ok(e.change(w, i, value, remove)) {
				return
			}
			if remove {
				value = 0
			}
			writes[i] = value
		}
		switch rnd.IntN(5) {
		case 0:
			if !ok(e.sys.Rollback(w)) {
				return
			}
		default:
			c.inFlight = writes
			if !ok(e.sys.Commit(w, SyncFlush)) {
				return
			}
			maps.Copy(c.committed, writes)
			c.inFlight, c.highest = nil, max(c.highest, w.ID())
		}
		if n%10 == 9 && !ok(e.checkpoint(0)) {
			return
		}
	}
}

// settled reads the whole table when nothing is left to clean and purge, and decides what became of
// the commit in flight.
func (c *crashRun) settled(t *testing.T, e *env) {
	e.settle()
	with := maps.Clone(c.committed)
	maps.Copy(with, c.inFlight)
	wrong, wrongWith := 0, 0
	for i := range slots {
		r, err := e.current(i)
		require.NoError(t, err)
		require.Less(t, r.trx, e.sys.NextReservedID())
		if r.seen() != c.committed[i] {
			wrong++
		}
		if r.seen() != with[i] {
			wrongWith++
		}
	}
	require.True(t, wrong == 0 || wrongWith == 0, "%d rows differ without the last commit, %d with it", wrong, wrongWith)
	if wrong != 0 {
		c.committed = with
	}
	c.inFlight = nil
}

// TestCrashes cuts the power at random writes, three times in a row on each disk: while
// transactions, rollbacks and purge work, and again while the second life cleans up. Afterwards
// every acknowledged transaction is whole, every other gone, and the undo space empty.
func TestCrashes(t *testing.T) {
	for range 40 {
		rnd := newRand(t)
		fsys := vfs.NewMem(rnd.Uint64())
		c := &crashRun{committed: map[int]uint64{}}
		e := stoppedEnv(t, fsys, 64, 20)
		e.sys.SetUndoer(e)
		e.sys.Start()
		for range 3 {
			fsys.CrashAt(int64(rnd.IntN(1 + []int{10, 100, 600}[rnd.IntN(3)])))
			e.pad = func() int { return rnd.IntN(600) }
			c.run(t, e, fsys, rnd, 60)
			e.close()
			fsys = fsys.Reboot(rnd.Uint64())
			e, _ = reopen(t, fsys, 64, 20)
			e.check(true)
			require.Greater(t, e.sys.NextReservedID(), c.highest)
			if rnd.IntN(2) == 0 { // lost again while it cleans up
				fsys.CrashAt(int64(rnd.IntN(30)))
				e.sys.SetUndoer(e)
				e.sys.Start()
				for range 3 {
					_ = e.log.FlushTo(e.log.Appended())
					_ = e.checkpoint(0)
				}
				e.close()
				fsys = fsys.Reboot(rnd.Uint64())
				e, _ = reopen(t, fsys, 64, 20)
				e.check(true)
			}
			e.sys.SetUndoer(e)
			e.sys.Start()
			fresh := e.begin(RepeatableRead)
			id, err := fresh.EnsureID()
			require.NoError(t, err)
			require.Greater(t, id, c.highest, "ids are never given twice")
			e.mustCommit(fresh)
			c.settled(t, e)
		}
		e.close()
	}
}

// TestUnfinishedAreInvisibleAtOnce looks at the rows after a crash before any cleaning.
func TestUnfinishedAreInvisibleAtOnce(t *testing.T) {
	fsys := vfs.NewMem(5)
	e := stoppedEnv(t, fsys, 256, 0)
	e.pad = func() int { return 500 }
	base := e.begin(RepeatableRead)
	for i := range 30 {
		e.mustChange(base, i, 1)
	}
	e.mustCommit(base)
	var open []*Trx
	for k := range 3 {
		w := e.begin(RepeatableRead)
		for i := range 10 {
			for v := range uint64(1 + 50*k) { // one, some, many pages
				e.mustChange(w, 10*k+i, v+2)
			}
		}
		open = append(open, w)
	}
	require.NoError(t, e.log.FlushTo(e.log.Appended()))
	e.close()
	e, n := reopen(t, fsys.Reboot(1), 256, 0)
	defer e.close()
	require.Equal(t, 3, n)
	require.Equal(t, open[0].ID(), e.sys.OldestAborted())
	for _, w := range open {
		require.Equal(t, Aborted, e.sys.State(w.ID()))
	}
	infos := e.sys.Snapshot()
	require.Len(t, infos, 3)
	for _, in := range infos {
		require.True(t, in.Recovered)
	}
	require.Equal(t, int64(10+510+1010), infos[0].Rows+infos[1].Rows+infos[2].Rows)
	r := e.begin(RepeatableRead)
	for i := range 30 {
		require.Equal(t, uint64(1), e.mustRead(r.View(), i))
	}
	writer := e.begin(RepeatableRead)
	e.mustChange(writer, 25, 9) // restores it
	e.mustCommit(writer)
	e.sys.SetUndoer(e)
	e.sys.Start()
	for i := range 30 {
		require.Equal(t, uint64(1), e.mustRead(r.View(), i))
	}
	e.mustCommit(r)
	e.settle()
	last, err := e.current(25)
	require.NoError(t, err)
	require.Equal(t, uint64(9), last.value)
}

// A transaction took the first stream and had not written when the power went; another one, in the
// second stream, had. The hole in the directory hides nothing: the other is found, and undone, and
// the first stream is used.
func TestStreamWithoutPageBeforeUsedOne(t *testing.T) {
	fsys := vfs.NewMem(5)
	e := stoppedEnv(t, fsys, 256, 20)
	e.sys.SetUndoer(e)
	_, err := e.sys.streams.take(e.pool)
	require.NoError(t, err)
	w := e.begin(RepeatableRead)
	require.NoError(t, e.change(w, 3, 77, false))
	require.NoError(t, e.log.FlushTo(e.log.Appended()))
	fsys.Crash()
	e.close()

	e, unfinished := reopen(t, fsys.Reboot(1), 256, 20)
	defer e.close()
	require.Equal(t, 1, unfinished)
	require.Equal(t, 2, e.sys.streams.count())
	e.sys.SetUndoer(e)
	e.sys.Start()
	require.NoError(t, e.sys.WaitCleaned(t.Context()))
	r, err := e.current(3)
	require.NoError(t, err)
	require.Zero(t, r.seen())
	a, b := e.begin(RepeatableRead), e.begin(RepeatableRead)
	require.NoError(t, e.change(a, 4, 78, false))
	require.NoError(t, e.change(b, 5, 79, false))
	require.Equal(t, 2, e.sys.streams.count(), "both streams are at work")
	e.mustCommit(a)
	e.mustCommit(b)
	e.check(true)
}

// TestRolledBackBranchIsNotUnfinished: a prepared transaction that is found at open, and rolled back
// before the unfinished ones are, is none of these.
func TestRolledBackBranchIsNotUnfinished(t *testing.T) {
	fsys := vfs.NewMem(5)
	e := stoppedEnv(t, fsys, 256, 0)
	w, branch := e.begin(RepeatableRead), e.begin(RepeatableRead)
	e.mustChange(w, 1, 5)
	e.mustChange(branch, 2, 6)
	require.NoError(t, e.sys.Prepare(branch, Branch{XID: XID{Format: 1, Gtrid: "g"}}, SyncFlush))
	require.NoError(t, e.log.FlushTo(e.log.Appended()))
	e.close()
	e, n := reopen(t, fsys.Reboot(1), 256, 1000)
	defer e.close()
	require.Equal(t, 1, n)
	prepared := e.sys.Prepared()
	require.Len(t, prepared, 1)
	e.sys.SetUndoer(e)
	require.NoError(t, e.sys.EndPrepared(prepared[0], false, SyncFlush, nil))
	ended, end := context.WithCancel(t.Context())
	end()
	require.ErrorIs(t, e.sys.WaitRecovered(ended), context.Canceled, "one is left")
	e.sys.Start()
	require.NoError(t, e.sys.WaitRecovered(t.Context()))
}
