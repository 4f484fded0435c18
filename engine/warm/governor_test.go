package warm

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
)

// volume is a throttled volume in windows of time: who asks for more than it gives waits for the
// rest of a tenth of a second.
type volume struct {
	rate    float64 // bytes a second
	g       governor
	stalled int // windows
	windows int
	loaded  float64 // bytes
}

// run lets a load and so many queries a window go on for a while. busy: the queries' reads take
// long whatever the load does.
func (v *volume) run(length time.Duration, queries int, busy bool) {
	v.stalled, v.windows, v.loaded = 0, 0, 0
	for ; length > 0; length -= window {
		s := sample{took: window, newTier: v.g.at == 60}
		latency, most := 300*time.Microsecond, v.rate*window.Seconds()
		want := float64(v.g.depth) * float64(v.g.size) * base.PageSize * 25 // a read takes 2 ms when nobody waits
		if v.g.rate > 0 {
			want = min(want, v.g.rate*window.Seconds())
		}
		s.bytes, s.reads = want, queries
		if want >= most {
			s.bytes, latency = most, 80*time.Millisecond
			v.stalled++
		}
		if busy {
			latency = 60 * time.Millisecond
		}
		if s.waiting = queries > 0 && want >= most; s.waiting && v.g.at%2 == 0 {
			s.reads = 0 // none comes to its end in this window
		}
		s.waited = time.Duration(s.reads) * latency
		v.g.decide(s)
		v.loaded += s.bytes
		v.windows++
	}
}

// share is what the load had of the volume.
func (v *volume) share() float64 {
	return v.loaded / (v.rate * float64(v.windows) * window.Seconds())
}

func TestGovernor(t *testing.T) {
	for _, rate := range []float64{20e6, 125e6, 150e6, 900e6} {
		v := &volume{rate: rate, g: governor{most: 32, quiet: 200 * time.Microsecond}}
		v.run(2*time.Second, 0, false)
		require.Zero(t, v.g.rate, "alone it is not limited")
		require.Greater(t, v.share(), 0.95)

		v.run(3*time.Second, 2, false)
		v.run(30*time.Second, 2, false)
		require.Less(t, float64(v.stalled)/float64(v.windows), 0.02, "queries wait for the load, of %.0f bytes a second", rate)
		require.Greater(t, v.share(), 0.85)
		require.LessOrEqual(t, float64(v.g.depth)*float64(v.g.size)*base.PageSize, max(1.1*rate*0.01, 2*leastRun*base.PageSize), "in flight")

		v.rate = rate / 2
		v.run(20*time.Second, 2, false)
		v.run(20*time.Second, 2, false)
		require.Less(t, float64(v.stalled)/float64(v.windows), 0.05, "the volume became slower")
		require.Greater(t, v.share(), 0.5)

		v.run(time.Second, 0, false)
		require.Zero(t, v.g.rate, "alone again")
	}
	v := &volume{rate: 150e6, g: governor{most: 32, quiet: 200 * time.Microsecond}}
	v.run(5*time.Second, 30, true)
	v.run(20*time.Second, 30, true)
	require.Greater(t, v.share(), 0.75, "queries that suffer whatever the load does do not hold it back")
}

// When the load does not come to its share because queries stand before it, it has more reads in
// flight, and long ones.
func TestGovernorKeepsShare(t *testing.T) {
	g := governor{most: 32, best: 150e6, at: measured, rate: 100e6, cliff: 150e6, depth: 2, size: 20, quiet: time.Millisecond}
	for range 8 * settle {
		g.decide(sample{took: window, bytes: 1e6, reads: 90, requests: 10, waited: 3 * time.Second})
	}
	require.EqualValues(t, 32, g.depth)
	require.EqualValues(t, runPages, g.size)
}

// The reach is what the device gives of bytes over what it gives of requests.
func TestReach(t *testing.T) {
	for _, c := range []struct {
		bytes, requests float64
		reach           int32
	}{{157e6, 600, 16}, {131e6, 3000, 3}, {1e9, 50_000, 1}, {200e6, 100, runPages}} {
		g := governor{most: 32, quiet: time.Millisecond}
		for range 10 * explored {
			share := min(c.requests, c.bytes/float64(max(g.reach, 1))/base.PageSize)
			g.decide(sample{took: window, bytes: share * float64(max(g.reach, 1)) * base.PageSize * window.Seconds(), requests: int(share * window.Seconds())})
		}
		require.InDelta(t, c.reach, g.reach, float64(c.reach)/6, "%v", c)
	}
}

// On processors that queries have use for, a load takes its share of them, and no more; the
// device's rate is known all the same when they have gone.
func TestGovernorYieldsProcessors(t *testing.T) {
	processors := time.Duration(runtime.GOMAXPROCS(0))
	cost := 0.5e-9 * float64(processors) // seconds a byte
	v := &volume{rate: 900e6, g: governor{most: 32, quiet: 200 * time.Microsecond}}
	var depth, size int32
	var rate float64
	run := func(busy, idle, waited time.Duration) (share float64) {
		var bytes float64
		const windows = 100
		for range windows {
			s := sample{took: window, bytes: v.rate * window.Seconds(), others: busy, idle: idle, waited: waited}
			if rate > 0 {
				s.bytes = min(s.bytes, rate*window.Seconds())
			}
			s.load = seconds(s.bytes * cost)
			depth, size, rate = v.g.decide(s)
			bytes += s.bytes
		}
		return bytes * cost / (float64(processors) * windows * window.Seconds())
	}
	all := processors * window
	run(0, all, 0)
	require.InDelta(t, loadShare, run(all*7/10, 0, 0), loadShare, "queries compute, all processors are busy")
	require.InDelta(t, loadShare, run(all*7/10, 0, 0), loadShare/10)
	require.LessOrEqual(t, float64(depth)*float64(size)*base.PageSize, 1.1*(queueBound+v.g.quiet).Seconds()*rate, "in flight")
	require.Greater(t, run(all*7/10, 0, all*4/10), v.rate*cost/float64(processors)*0.9, "they wait for reads")
	require.InDelta(t, loadShare, run(all*7/10, 0, 0), loadShare)
	require.InDelta(t, loadShare, run(all*3/10, all*3/10, 0), loadShare, "some idleness is the load's own doing")
	require.InDelta(t, loadShare, run(all*3/10, all*3/10, 0), loadShare/10)
	require.Greater(t, run(all/10, all/2, 0), v.rate*cost/float64(processors)*0.8, "half of the processors are idle")
	require.InDelta(t, v.rate, v.g.cliff, v.rate/20)
	run(all*95/100, 4*all, 0)
	require.InDelta(t, loadShare, run(all*95/100, 4*all, 0), loadShare/10, "the machine has processors to spare, but not for the server")
}

func TestIdleTime(t *testing.T) {
	require.Equal(t, 42*time.Millisecond*10, idleOf([]byte("cpu  1947699 468596 921020 40 2 0 51340 6421 0 0\ncpu0 951490 251242 452522 543265 20716")))
	require.Zero(t, idleOf(nil))
	before := processTime()
	for deadline := time.Now().Add(testkit.WaitLimit); processTime() == before && time.Now().Before(deadline); {
		runtime.Gosched()
	}
	require.Greater(t, processTime(), before)
	require.Positive(t, threadTime())
	left := newIdleness()
	defer left.close()
	require.Positive(t, left.time())
	untold := idleness{began: time.Now().Add(-time.Second)}
	require.GreaterOrEqual(t, untold.time(), time.Second*time.Duration(runtime.NumCPU()))
}
