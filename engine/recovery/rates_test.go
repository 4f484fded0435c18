package recovery

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// The estimate of a recovery like those seen is near what it takes, whatever the device does and however far off the first guess was.
func TestRatesFollowRecoveries(t *testing.T) {
	rng := rand.New(rand.NewPCG(testkit.Seed(t), 1))
	for range 200 {
		power := func(lo, hi float64) float64 { return lo * math.Pow(hi/lo, rng.Float64()) }
		log, page, fixed, parsed := power(1e-10, 1e-7), power(1e-5, 1e-2), power(0.05, 5), power(1e-10, 1e-8)
		sample := func() Sample {
			s := Sample{Log: int64(power(1<<20, 8<<30)), Pages: int64(power(1000, 1e6)), Parsed: int64(power(1<<20, 1<<28))}
			noise := func() float64 { return 0.95 + 0.1*rng.Float64() }
			s.Open = seconds((fixed + parsed*float64(s.Parsed)) * noise())
			s.Redo = seconds((log*float64(s.Log) + page*float64(s.Pages)) * noise())
			return s
		}
		near := func(seen []Sample, s Sample, most float64) {
			r := Fit(seen, Device{Read: time.Millisecond, Write: 100 * time.Microsecond, Readers: 4})
			reading, redoing := r.Redo(s.Log, s.Pages)
			require.GreaterOrEqual(t, reading, time.Duration(0))
			require.GreaterOrEqual(t, redoing, time.Duration(0))
			ratio := float64(r.Open(s.Parsed)+reading+redoing) / float64(s.Open+s.Redo)
			require.Less(t, math.Abs(math.Log(ratio)), math.Log(most), "estimated %v of %+v after %+v", ratio, s, seen)
		}
		var seen []Sample
		for range keptSamples {
			seen = append(seen, sample())
		}
		near(seen[:1], seen[0], 1.25) // the same again
		near(seen, seen[keptSamples-1], 1.25)
	}
}

// Recoveries of a size are estimated as those of that size went, also where no two factors fit small and large ones alike.
func TestRatesOfASize(t *testing.T) {
	small := Sample{Log: 1 << 20, Pages: 500, Parsed: 1 << 20, Open: 300 * time.Millisecond, Redo: 900 * time.Millisecond}
	large := Sample{Log: 800 << 20, Pages: 30_000, Parsed: 60 << 20, Open: 900 * time.Millisecond, Redo: 5 * time.Second}
	middle := Sample{Log: 100 << 20, Pages: 20_000, Parsed: 60 << 20, Open: 900 * time.Millisecond, Redo: 6 * time.Second}
	r := Fit([]Sample{large, middle, small, large, middle, small, large, middle, small}, Device{Read: time.Millisecond, Write: 100 * time.Microsecond, Readers: 4})
	for _, s := range []Sample{small, middle, large} {
		reading, redoing := r.Redo(s.Log, s.Pages)
		require.InEpsilon(t, float64(s.Redo), float64(reading+redoing), 0.2, "%+v", s)
		require.InEpsilon(t, float64(s.Open), float64(r.Open(s.Parsed)), 0.2, "%+v", s)
	}
}

// A recovery beside which the machine did something else moves the estimate of the next one little; when all go slower, the estimate follows.
func TestRatesPassOddRecoveriesOver(t *testing.T) {
	usual := Sample{Log: 200 << 20, Pages: 20_000, Parsed: 30 << 20, Open: 500 * time.Millisecond, Redo: 4 * time.Second}
	slow := usual
	slow.Open, slow.Redo = 3*usual.Open, 3*usual.Redo
	total := func(seen ...Sample) float64 {
		r := Fit(seen, Device{Read: time.Millisecond, Write: 100 * time.Microsecond, Readers: 4})
		reading, redoing := r.Redo(usual.Log, usual.Pages)
		return float64(r.Open(usual.Parsed)+reading+redoing) / float64(usual.Open+usual.Redo)
	}
	require.InEpsilon(t, 1, total(usual, usual, usual, usual, slow), 0.15)
	require.InEpsilon(t, 1, total(usual, usual, usual, slow, usual), 0.15)
	require.InEpsilon(t, 3, total(usual, usual, usual, slow, slow, slow, slow), 0.15)
}

// Without a recovery seen the device's latency decides.
func TestRatesOfADevice(t *testing.T) {
	fast := Fit(nil, Device{Read: 100 * time.Microsecond, Readers: 4})
	slow := Fit(nil, Device{Read: 40 * time.Millisecond, Readers: 4})
	_, a := fast.Redo(0, 10_000)
	_, b := slow.Redo(0, 10_000)
	require.Less(t, a, 2*time.Second)
	require.Greater(t, b, 90*time.Second)
}

func TestSamplesAreKept(t *testing.T) {
	fs := vfs.NewMem(1)
	require.NoError(t, fs.MkdirAll("/d"))
	seen, err := ReadSamples(fs, "/d")
	require.NoError(t, err)
	require.Empty(t, seen)
	for i := range 2 * keptSamples {
		seen, err = AddSample(fs, "/d", seen, Sample{Log: int64(i), Redo: time.Second})
		require.NoError(t, err)
	}
	again, err := ReadSamples(fs, "/d")
	require.NoError(t, err)
	require.Equal(t, seen, again)
	require.Len(t, again, keptSamples)
	require.EqualValues(t, keptSamples, again[0].Log)
	require.NoError(t, vfs.WriteFile(fs, "/d/"+SamplesFile, []byte("{")))
	_, err = ReadSamples(fs, "/d")
	require.ErrorContains(t, err, SamplesFile)
}
