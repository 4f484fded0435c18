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

var someDevice = Device{Read: time.Millisecond, Readers: 4}

func (s *Sample) total() time.Duration { return s.Open + s.Redo }

func (r Rates) total(s *Sample) time.Duration {
	open, reading, redoing := r.Estimate(s.Parsed, s.Log, s.Pages, s.Built)
	return open + reading + redoing
}

// sampleOf makes a recovery with the given seconds for each unit of its parts.
func sampleOf(parsed, log, pages int64, rates costs) Sample {
	s := Sample{Parsed: parsed, Log: log, Pages: pages}
	t := s.units()
	for p := range parts {
		t[p] *= rates[p]
	}
	s.Scan, s.Gather = seconds(t[scan]), seconds(t[gather])
	s.Open, s.Redo = seconds(t[start])+s.Scan, s.Gather+seconds(t[apply])
	return s
}

// One recovery teaches all rates, whatever the device does and however far off the guess was: the
// same again is estimated well, and so is one of another size once some were seen.
func TestRatesFollowRecoveries(t *testing.T) {
	rng := rand.New(rand.NewPCG(testkit.Seed(t), 1))
	power := func(lo, hi float64) float64 { return lo * math.Pow(hi/lo, rng.Float64()) }
	for range 200 {
		true := costs{power(0.05, 5), power(1e-10, 1e-8), power(1e-10, 1e-7), power(1e-5, 1e-2)}
		sample := func() Sample {
			noisy := true
			for p := range parts {
				noisy[p] *= 0.95 + 0.1*rng.Float64()
			}
			return sampleOf(int64(power(8<<20, 1<<28)), int64(power(1<<20, 8<<30)), int64(power(1000, 1e6)), noisy)
		}
		near := func(seen []Sample, s Sample, most float64) {
			ratio := float64(NewRates(seen, someDevice).total(&s)) / float64(s.total())
			require.Less(t, math.Abs(math.Log(ratio)), math.Log(most), "estimated %v of %+v after %+v", ratio, s, seen)
		}
		var seen []Sample
		for range keptSamples {
			seen = append(seen, sample())
		}
		near(seen[:1], seen[0], 1.25)
		near(seen, sample(), 1.25)
	}
}

// Recoveries of a size are estimated as those of that size went, also where no rates fit small and
// large ones alike.
func TestRatesOfASize(t *testing.T) {
	small := sampleOf(8<<20, 1<<20, 500, costs{0.3, 1e-8, 2e-8, 1.1e-3})
	middle := sampleOf(60<<20, 100<<20, 20_000, costs{0.3, 4e-9, 4e-9, 300e-6})
	large := sampleOf(60<<20, 800<<20, 30_000, costs{0.3, 4e-9, 2e-9, 110e-6})
	r := NewRates([]Sample{large, middle, small, large, middle, small, large, middle, small}, someDevice)
	for _, s := range []Sample{small, middle, large} {
		require.InEpsilon(t, s.total(), r.total(&s), 0.25, "%+v", s)
	}
}

// A recovery beside which the machine did something else moves the estimate of the next one little;
// when all go slower, the estimate follows.
func TestRatesPassOddRecoveriesOver(t *testing.T) {
	usual := sampleOf(30<<20, 200<<20, 20_000, costs{0.4, 4e-9, 3e-9, 180e-6})
	slow := usual
	for _, d := range []*time.Duration{&slow.Open, &slow.Scan, &slow.Redo, &slow.Gather} {
		*d *= 3
	}
	total := func(seen ...Sample) float64 {
		return float64(NewRates(seen, someDevice).total(&usual)) / float64(usual.total())
	}
	require.InEpsilon(t, 1, total(usual, usual, usual, usual, slow), 0.15)
	require.InEpsilon(t, 1, total(usual, usual, usual, slow, usual), 0.15)
	require.InEpsilon(t, 3, total(usual, usual, usual, slow, slow, slow, slow), 0.15)
}

// Without a recovery seen the device decides, and one that does not tell its parts says nothing of
// them.
func TestRatesOfADevice(t *testing.T) {
	pages := func(seen []Sample, d Device) time.Duration {
		_, _, redoing := NewRates(seen, d).Estimate(0, 0, 10_000, 0)
		return redoing
	}
	fast, slow := Device{Read: 100 * time.Microsecond, Readers: 4}, Device{Read: 40 * time.Millisecond, Readers: 4}
	require.Less(t, pages(nil, fast), time.Second)
	require.Greater(t, pages(nil, slow), 20*time.Second)
	require.Positive(t, pages(nil, Device{}))
	reading := func(d Device) time.Duration {
		_, reading, _ := NewRates(nil, d).Estimate(0, 1<<30, 0, 0)
		return reading
	}
	require.Equal(t, reading(Device{}), reading(Device{Bytes: 1 << 40}), "the processors are what limits")
	require.InEpsilon(t, 100, reading(Device{Bytes: (1 << 30) / 100}).Seconds(), 0.01)
	require.Equal(t, pages(nil, fast), pages([]Sample{{Log: 1, Pages: 10_000, Parsed: 1, Open: time.Second, Redo: time.Hour}}, fast))
}

// realRecoveries were recorded in three data directories on a busy two-core machine, kill -9 under
// TPC-C with a cold page cache: parsed bytes, bytes of log, pages; milliseconds until open, of that
// scan, and of gather and apply. Beside those that took longest other servers had the device and
// the processors.
var realRecoveries = [][][7]int64{
	{
		{31_900_000, 68_882_238, 7_365, 510, 194, 182, 241},
		{10_800_000, 2_362_868, 4_115, 309, 72, 13, 288},
		{10_800_000, 2_424_059, 3_944, 374, 59, 7, 263},
	}, {
		{35_514_194, 50_650_731, 8_151, 758, 302, 154, 333},
		{11_997_391, 10_120_130, 6_438, 346, 157, 24, 302},
		{15_456_417, 6_959_074, 6_793, 410, 100, 39, 327},
		{19_430_531, 10_872_048, 8_158, 522, 144, 61, 208},
		{10_890_472, 2_463_374, 4_101, 377, 159, 7, 170},
		{11_103_485, 2_673_110, 4_049, 611, 163, 15, 419},
	}, {
		{10_849_918, 18_424_906, 9_013, 215, 48, 56, 193},
		{28_466_148, 19_768_655, 9_835, 382, 176, 74, 229},
		{26_951_132, 18_276_947, 9_179, 374, 159, 71, 457},
	},
}

// Recoveries are estimated within 25 % by those before them in their directory, but for those
// beside which the machine did something else; the first is guessed within a factor of two.
func TestRatesOfRealRecoveries(t *testing.T) {
	near, learned := 0, 0
	for _, directory := range realRecoveries {
		var seen []Sample
		for _, v := range directory {
			ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
			s := Sample{Parsed: v[0], Log: v[1], Pages: v[2], Open: ms(v[3]), Scan: ms(v[4]), Redo: ms(v[5] + v[6]), Gather: ms(v[5])}
			ratio := float64(NewRates(seen, Device{Read: 400 * time.Microsecond, Readers: Readers, Cores: 2}).total(&s)) / float64(s.total())
			t.Logf("%d pages, %d bytes of log: took %v, estimated %.2f of that", s.Pages, s.Log, s.total(), ratio)
			if len(seen) == 0 {
				require.Less(t, math.Abs(math.Log2(ratio)), 1.0)
			} else if learned++; math.Abs(ratio-1) <= 0.25 {
				near++
			}
			seen = append(seen, s)
		}
	}
	require.GreaterOrEqual(t, near, learned-3)
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
