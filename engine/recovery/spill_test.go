package recovery

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// tight has memory for some pages of several at a time, part of it in free frames of the pool.
var tight = envOptions{frames: 20, budget: 32 << 10, capacity: 4 << 20, segment: 64 << 10, still: true}

func (e *env) requireNumbers(t *testing.T, last [60]uint32) {
	t.Helper()
	for no, want := range last {
		require.Equal(t, want, e.number(t, no))
	}
}

// With memory for a fraction of the records, the log is read once, and each page, too.
func TestOneReading(t *testing.T) {
	e := begin(t)
	last := several(t, e)
	e = e.killed(t, func() {}, tight)
	defer e.close()
	pending := e.redo.Left()
	require.NoError(t, e.redo.Finish(context.Background(), nil, nil))
	s := e.redo.Stats()
	require.EqualValues(t, 1, s.Passes)
	require.Positive(t, s.Spilled)
	require.LessOrEqual(t, s.Bytes, int64(s.To-s.From))
	require.Equal(t, pending, s.PagesRead)
	require.Zero(t, e.pool.Stats().PagesDirty)
	e.requireNumbers(t, last)
	names, err := e.fs.List(dir + "/redo")
	require.NoError(t, err)
	require.NotContains(t, names, "scratch")
}

// A volume that refuses what recovery sets aside, or does not give it back, costs readings of the
// log and no page.
func TestSpillFails(t *testing.T) {
	bad := errors.New("bad disk")
	for name, fault := range map[string]vfs.Fault{
		"create":       {Ops: vfs.OpCreate, Err: bad, Stay: true},
		"first write":  {Ops: vfs.OpWrite, Err: bad, Stay: true},
		"later write":  {Ops: vfs.OpWrite, Nth: 20, Err: bad, Short: true, Stay: true},
		"first read":   {Ops: vfs.OpRead, Err: bad, Stay: true},
		"a later read": {Ops: vfs.OpRead, Nth: 20, Err: bad},
	} {
		t.Run(name, func(t *testing.T) {
			e := begin(t)
			last := several(t, e)
			fault.Match = "scratch"
			e = e.killed(t, func() { e.fs.Inject(fault) }, tight)
			defer e.close()
			require.NoError(t, e.redo.Finish(context.Background(), nil, nil))
			require.Greater(t, e.redo.Stats().Passes, int64(1))
			require.Contains(t, e.told.String(), "bad disk")
			require.Zero(t, e.redo.Left())
			e.requireNumbers(t, last)
		})
	}
}

// No records are set aside where the volume has little room.
func TestSpillNeedsRoom(t *testing.T) {
	e := begin(t)
	last := several(t, e)
	e = e.killed(t, func() {}, tight)
	defer e.close()
	pending := e.redo.Left()
	e.fs.SetCapacity(1) // full
	rd := e.redo.newRound(e.redo.index.Load())
	e.fs.SetCapacity(0)
	require.Len(t, rd.parts, 1)
	first := int64(len(rd.parts[0].pages))
	require.Less(t, first, pending)
	require.NoError(t, e.redo.round(rd, func(_ *pass, err error) error { return err }))
	require.Equal(t, pending-first, e.redo.Left())
	require.Zero(t, e.redo.Stats().Spilled)
	require.NoError(t, e.redo.Finish(context.Background(), nil, nil))
	require.EqualValues(t, 2, e.redo.Stats().Passes)
	e.requireNumbers(t, last)
}

// Blocks that come back changed are not believed.
func TestSpillChecksums(t *testing.T) {
	e := begin(t)
	several(t, e)
	e = e.killed(t, func() {}, tight)
	defer e.close()
	rd := e.redo.newRound(e.redo.index.Load())
	require.NoError(t, e.redo.gather(rd))
	require.Greater(t, len(rd.parts), 1)
	_, err := rd.aside.file.WriteAt(vfs.AlignedBlock(vfs.BlockSize), 0)
	require.NoError(t, err)
	damaged := 0
	for k, p := range rd.parts[1:] {
		p.newLanes()
		if err := rd.aside.take(context.Background(), k+1, p.lanes); err != nil {
			require.ErrorIs(t, err, base.ErrCorrupt)
			damaged++
		}
	}
	require.Equal(t, 1, damaged)
	rd.aside.close()
}

// A crash in the middle of a round finds the log shorter and the pages of the finished parts done.
func TestSecondCrash(t *testing.T) {
	e := begin(t)
	var last [60]uint32
	for n := range uint32(6000) { // the pages are touched one after the other, so that they differ in age
		no := int(n / 100)
		e.change(t, no, n%100 == 0, n)
		last[no] = n
	}
	before, checkpoint := int64(len(last))+1, base.LSN(0)
	for crash := range 2 {
		e = e.killed(t, func() {}, tight)
		left := e.redo.Left()
		require.Less(t, left, before, "crash %d", crash)
		before = left
		stop, parts := errors.New("crash"), 0
		require.ErrorIs(t, e.redo.rounds(e.redo.index.Load(), func(_ *pass, err error) error {
			if parts++; err != nil || parts == 2 {
				return errors.Join(err, stop)
			}
			return e.redo.settle(e.redo.index.Load())
		}), stop)
		e.checkpoint()
		require.Greater(t, e.log.CheckpointLSN(), checkpoint, "the floor rises")
		checkpoint = e.log.CheckpointLSN()
	}
	require.NoError(t, e.redo.Finish(context.Background(), nil, nil))
	e.requireNumbers(t, last)
	e.close()
}

// While a round goes on, pages of later parts are redone on demand, changed and written, and the
// parts find them done.
func TestDemandDuringRound(t *testing.T) {
	e := begin(t)
	last := several(t, e)
	e = e.killed(t, func() {}, tight)
	defer e.close()
	x := e.redo.index.Load()
	parts := 0
	require.NoError(t, e.redo.rounds(x, func(p *pass, err error) error {
		parts++
		for no := range last {
			i, ok := x.find(page(no))
			if !ok {
				continue
			}
			switch part := p.rd.allots[i].part; {
			case part <= p.number:
				require.False(t, x.isPending(i))
			case part == p.number+1 && no%2 == 0:
				require.Equal(t, buffer.PendingFromLog, e.redo.Pending(page(no)))
				require.Equal(t, last[no], e.number(t, no))
				last[no]++
				e.change(t, no, false, last[no])
			}
		}
		return err
	}))
	require.Greater(t, parts, 1)
	require.Positive(t, e.redo.Stats().PagesDemanded)
	require.NoError(t, e.redo.Finish(context.Background(), nil, nil))
	e.requireNumbers(t, last)
}
