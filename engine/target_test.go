package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/recovery"
	"emberdb/engine/txn"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// A crash is counted: what the estimate said of it and what it took are recorded, kept over
// restarts, and shape the next estimate.
func TestRecoveriesAreLearned(t *testing.T) {
	fs := vfs.NewMem(1)
	o := smallOptions(fs)
	o.PoolBytes *= 4
	e := open(t, o)
	createItems(t, e, "items")
	e.background.Wait()
	require.Zero(t, e.RecoveryEstimate().Samples, "a new directory is no recovery")
	rows := someItems(1, 300)
	for i := range rows {
		rows[i].pad = strings.Repeat("x", 2000)
	}
	require.NoError(t, insertItems(e, "items", rows...))
	before := e.RecoveryEstimate()
	require.Positive(t, before.RedoBytes)
	require.Positive(t, before.Pages)
	require.Equal(t, before.Total(), before.Open+before.Log+before.Redo)
	fs.Crash()
	abandonEngine(e)

	o.FS = fs.Reboot(1)
	e = open(t, o)
	e.background.Wait()
	after := e.RecoveryEstimate()
	require.Equal(t, 1, after.Samples)
	require.Positive(t, after.LastTook)
	require.Positive(t, after.LastEstimate)
	require.Equal(t, rows, items(t, e, "items", 0))
	phases := map[string]RecoveryPhase{}
	for _, p := range e.RecoveryPhases() {
		phases[p.Name] = p
	}
	require.Equal(t, "done", phases["redo"].State)
	require.Positive(t, phases["redo"].Total)
	require.Equal(t, phases["redo"].Total, phases["redo"].Done)
	require.Equal(t, "done", phases["redo scan"].State)
	counters := map[string]uint64{}
	for _, c := range e.RecoveryCounters() {
		counters[c.Phase+" "+c.Name] = c.Value
	}
	require.Positive(t, counters["redo records_applied"])
	require.EqualValues(t, phases["redo"].Total, counters["redo scan pages_to_redo"])
	require.NoError(t, e.Close(false))

	e = open(t, o)
	e.background.Wait()
	require.Equal(t, 1, e.RecoveryEstimate().Samples, "a clean start is no recovery")
	seen, err := recovery.ReadSamples(o.FS, o.DataDir)
	require.NoError(t, err)
	require.Len(t, seen, 1)
	require.NoError(t, e.Close(false))
}

// With a target the cleaner is told to leave less log; without one it is not.
func TestRecoveryTarget(t *testing.T) {
	e := open(t, smallOptions(vfs.NewMem(1)))
	createItems(t, e, "items")
	e.background.Wait()
	e.checkpoint.stop() // this test is the clock
	e.target.tick()
	require.Zero(t, e.RecoveryEstimate().MaxRedo)
	require.Empty(t, e.RecoveryEstimate().Target)

	// A machine so slow that each MiB of log costs more than 25 s.
	e.target.samples = []recovery.Sample{{Log: 1 << 20, Pages: 1, Open: 2 * time.Millisecond, Scan: time.Millisecond, Redo: 25 * time.Second, Gather: 25 * time.Second, Parsed: 1}}
	e.SetRecoveryTarget(500 * time.Second)
	for id := int64(1); int64(e.log.Appended()-e.log.CheckpointLSN()) < 1<<20; id++ {
		require.NoError(t, insertItems(e, "items", item{id: id, u: id, pad: strings.Repeat("x", 1000)}))
	}
	e.target.tick()
	est := e.RecoveryEstimate()
	require.Equal(t, 500*time.Second, est.Target)
	require.Positive(t, est.MaxRedo)
	require.LessOrEqual(t, est.MaxRedo, e.log.Limit())
	e.SetRecoveryTarget(time.Second)
	for range 20 { // an estimate above the target takes back what was lent
		e.target.tick()
	}
	tight := e.RecoveryEstimate()
	require.Less(t, tight.MaxRedo, est.MaxRedo)
	require.GreaterOrEqual(t, tight.MaxRedo, int64(leastAge))
	e.SetRecoveryTarget(0)
	e.target.tick()
	require.Zero(t, e.RecoveryEstimate().MaxRedo)
	e.checkpoint.quit, e.checkpoint.done = make(chan struct{}), make(chan struct{})
	go e.checkpoint.run()
	require.NoError(t, e.Close(false))
}

// A tighter target costs more writes and never promises more than it can keep.
func TestRecoveryAdvice(t *testing.T) {
	c := costs{rates: recovery.NewRates(nil, recovery.Device{Readers: 4}), limit: 4 << 30, trace: []buffer.WritesAtAge{
		{Age: 1 << 20, Writes: 1e-3, Dirty: 800}, {Age: 16 << 20, Writes: 5e-4, Dirty: 6000}, {Age: 256 << 20, Writes: 1e-4, Dirty: 20000}}}
	last := int64(0)
	for _, s := range []time.Duration{1, 2, 5, 30, 600} {
		age := c.ageFor(s * time.Second)
		require.GreaterOrEqual(t, age, last)
		require.LessOrEqual(t, c.total(age), s*time.Second)
		require.LessOrEqual(t, c.at(c.limit).Writes, c.at(age).Writes)
		last = age
	}
	require.InEpsilon(t, c.limit, last, 0.05, "the log's size bounds it")
	require.InEpsilon(t, leastAge, c.ageFor(time.Millisecond), 0.05, "it cannot be held")

	e := open(t, smallOptions(vfs.NewMem(1)))
	createItems(t, e, "items")
	e.background.Wait()
	e.SetRecoveryTarget(7 * time.Second)
	for id := int64(1); len(e.pool.Flusher().Trace()) == 0; id++ {
		require.NoError(t, insertItems(e, "items", item{id: id, u: id, pad: strings.Repeat("x", 5000)}))
	}
	advice := e.RecoveryAdvice()
	require.Len(t, advice, len(adviceTargets)+2)
	require.Zero(t, advice[len(advice)-1].Target)
	current := 0
	for k, a := range advice {
		if a.Current {
			current++
			require.Equal(t, 7*time.Second, a.Target)
		}
		if k > 0 {
			require.GreaterOrEqual(t, a.RedoBytes, advice[k-1].RedoBytes)
			require.LessOrEqual(t, a.Writes, advice[k-1].Writes+1e-9)
		}
		require.LessOrEqual(t, a.Throughput, 1.0)
	}
	require.Equal(t, 1, current)
	require.NoError(t, e.Close(false))
}

// OnProgress hears of a start until nothing is left to do.
func TestProgressText(t *testing.T) {
	for want, p := range map[string]Progress{
		"ready":                     {},
		"starting":                  {Phase: "starting"},
		"recovering 25 %, 3 s left": {Phase: "recovering", Done: 25, Total: 100, ETA: 3 * time.Second},
		"warming 50 %":              {Phase: "warming", Done: 1, Total: 2},
	} {
		require.Equal(t, want, p.String())
	}
	told := make(chan Progress, 100)
	o := smallOptions(vfs.NewMem(1))
	o.OnProgress = func(p Progress) { told <- p }
	e := open(t, o)
	for p := (Progress{Phase: "x"}); p.Phase != ""; {
		select {
		case p = <-told:
		case <-time.After(testkit.WaitLimit):
			t.Fatal("OnProgress does not hear the end")
		}
	}
	require.NoError(t, e.run(txn.RepeatableRead, func(*txn.Trx) error { return nil }))
	require.NoError(t, e.Close(false), fmt.Sprint(e.Progress()))
}
