package warm

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
)

// volume is a throttled volume in windows of time: who asks for more than it gives waits for the rest of a tenth of a second.
type volume struct {
	rate    float64 // bytes a second
	g       governor
	stalled int // windows
	windows int
	loaded  float64 // bytes
}

// run lets a load and so many queries a window go on for a while. busy: the queries' reads take long whatever the load does.
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
		v := &volume{rate: rate, g: governor{most: 32, reach: firstReach, quiet: 200 * time.Microsecond}}
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
	v := &volume{rate: 150e6, g: governor{most: 32, reach: firstReach, quiet: 200 * time.Microsecond}}
	v.run(5*time.Second, 30, true)
	v.run(20*time.Second, 30, true)
	require.Greater(t, v.share(), 0.75, "queries that suffer whatever the load does do not hold it back")
}

// When the load does not come to its share because queries stand before it, it has more reads in flight, and long ones.
func TestGovernorKeepsShare(t *testing.T) {
	g := governor{most: 32, reach: 1, best: 150e6, at: measured, rate: 100e6, cliff: 150e6, depth: 2, size: 20, quiet: time.Millisecond}
	for range 4 * settle {
		g.decide(sample{took: window, bytes: 1e6, reads: 100, waited: 3 * time.Second})
	}
	require.EqualValues(t, 32, g.depth)
	require.EqualValues(t, runPages, g.size)
	require.EqualValues(t, mostReach, g.reach, "and queries read more around what they miss")
	for range 10 * settle {
		g.decide(sample{took: window, bytes: 150e6 * window.Seconds(), reads: 100, waited: 3 * time.Second})
	}
	require.EqualValues(t, 1, g.reach, "there are no bytes to spare")
}
