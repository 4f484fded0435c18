package measure

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLatency(t *testing.T) {
	a, b := NewHistogram(), NewHistogram()
	for i := 1; i <= 900; i++ {
		a.Record(time.Duration(i) * time.Millisecond)
	}
	for i := 901; i <= 1000; i++ {
		b.Record(time.Duration(i) * time.Millisecond)
	}
	b.Record(time.Hour) // beyond what is recorded: kept as the largest
	a.Add(b)
	l := a.Latency()
	require.EqualValues(t, 1001, l.Count)
	require.InEpsilon(t, 500, l.P50MS, 0.02)
	require.InEpsilon(t, 950, l.P95MS, 0.02)
	require.InEpsilon(t, 990, l.P99MS, 0.02)
	require.InEpsilon(t, 600000, l.MaxMS, 0.02)
	a.Reset()
	require.Zero(t, a.Latency().Count)
}

func TestMedianAndRatio(t *testing.T) {
	require.Zero(t, Median(nil))
	require.EqualValues(t, 3, Median([]float64{3}))
	require.EqualValues(t, 2, Median([]float64{9, 1, 2}))
	require.EqualValues(t, 2.5, Median([]float64{9, 1, 3, 2}))
	unsorted := []float64{3, 1, 2}
	Median(unsorted)
	require.Equal(t, []float64{3, 1, 2}, unsorted)
	require.EqualValues(t, 1, Spread([]float64{1, 2, 3}))
	require.Zero(t, Spread(nil))
	require.Zero(t, Quartiles(nil))
	require.Equal(t, [3]float64{7, 7, 7}, Quartiles([]float64{7}))
	require.Equal(t, [3]float64{2, 3, 4}, Quartiles([]float64{5, 1, 4, 2, 3}))
	require.Equal(t, [3]float64{1.75, 2.5, 3.25}, Quartiles([]float64{4, 3, 2, 1}))
	require.EqualValues(t, 1.5, Ratio(3, 2))
	require.Zero(t, Ratio(3, 0))
	require.EqualValues(t, 2, Mean([]float64{1, 2, 3}))
	require.Zero(t, Mean(nil))
}

func TestTimeline(t *testing.T) {
	origin := time.Now()
	l := NewTimeline(origin, 500*time.Millisecond)
	at := func(ms ...int) {
		for _, m := range ms {
			l.Add(origin.Add(time.Duration(m) * time.Millisecond))
		}
	}
	at(-1, 0, 499, 500, 1600, 2100)
	require.Equal(t, []float64{4, 2, 0, 2}, l.PerSecond(origin, 2*time.Second))
	require.Equal(t, []float64{4}, l.PerSecond(origin, 999*time.Millisecond))
	require.Equal(t, []float64{0, 2, 2, 0}, l.PerSecond(origin.Add(1200*time.Millisecond), 2*time.Second))
	require.Equal(t, []float64{0, 4}, l.PerSecond(origin.Add(-500*time.Millisecond), time.Second))
}

func TestReached(t *testing.T) {
	rates := []float64{0, 0, 90, 10, 60, 100, 110, 90}
	for _, c := range []struct {
		level float64
		hold  int
		want  float64
		ok    bool
	}{
		{80, 1, 1, true},
		{80, 3, 2, true},
		{50, 2, 1, true},
		{200, 1, 0, false},
		{1, 9, 0, false},
	} {
		got, ok := Reached(rates, 500*time.Millisecond, c.level, c.hold)
		require.Equal(t, c.ok, ok, "%v", c)
		require.InDelta(t, c.want, got, 1e-9, "%v", c)
	}
	_, ok := Reached([]float64{0, 100}, time.Second, 50, 2)
	require.False(t, ok, "a window does not begin before anything happened")
}

func TestCPU(t *testing.T) {
	for before, n := OwnCPU(), 0; OwnCPU()-before < 30*time.Millisecond; {
		n++
	}
	own, err := ProcessCPU(os.Getpid())
	require.NoError(t, err)
	require.GreaterOrEqual(t, own, 20*time.Millisecond)
	_, err = ProcessCPU(-1)
	require.Error(t, err)
}

func TestRankCorrelation(t *testing.T) {
	for _, c := range []struct {
		a, b   []uint64
		r      float64
		common int
	}{
		{[]uint64{1, 2, 3, 4}, []uint64{1, 2, 3, 4}, 1, 4},
		{[]uint64{1, 2, 3, 4}, []uint64{4, 3, 2, 1}, -1, 4},
		{[]uint64{9, 1, 8, 2, 3}, []uint64{1, 7, 2, 3}, 1, 3},
		{[]uint64{1, 2, 3}, []uint64{1, 3, 2}, 0.5, 3},
		{[]uint64{1, 1, 2}, []uint64{2, 1}, -1, 2},
		{[]uint64{1, 2}, []uint64{2}, 0, 1},
		{nil, []uint64{2}, 0, 0},
	} {
		r, common := RankCorrelation(c.a, c.b)
		require.InDelta(t, c.r, r, 1e-9, "%v %v", c.a, c.b)
		require.Equal(t, c.common, common)
	}
}
