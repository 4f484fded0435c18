// Package measure holds the arithmetic of the benchmarks: latencies, medians, ratios, and
// throughput over time.
package measure

import (
	"slices"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Latencies are recorded in microseconds, up to ten minutes, with two significant digits: a
// thousand connections have a histogram each.
const maxLatency = int64(10 * time.Minute / time.Microsecond)

// Latency describes how long something took, in milliseconds.
type Latency struct {
	Count  int64   `json:"count"`
	MeanMS float64 `json:"mean_ms"`
	P50MS  float64 `json:"p50_ms"`
	P95MS  float64 `json:"p95_ms"`
	P99MS  float64 `json:"p99_ms"`
	P999MS float64 `json:"p999_ms"`
	MaxMS  float64 `json:"max_ms"`
}

// Histogram collects latencies. It is not safe for concurrent use.
type Histogram struct{ h *hdrhistogram.Histogram }

// NewHistogram returns an empty one.
func NewHistogram() *Histogram { return &Histogram{hdrhistogram.New(1, maxLatency, 2)} }

// Record adds a latency.
func (h *Histogram) Record(d time.Duration) {
	_ = h.h.RecordValue(min(max(d.Microseconds(), 1), maxLatency)) // always in range
}

// Add adds all of o.
func (h *Histogram) Add(o *Histogram) { h.h.Merge(o.h) }

// Reset empties h.
func (h *Histogram) Reset() { h.h.Reset() }

// Latency sums up what was recorded.
func (h *Histogram) Latency() Latency {
	at := func(p float64) float64 { return float64(h.h.ValueAtPercentile(p)) / 1000 }
	return Latency{Count: h.h.TotalCount(), MeanMS: h.h.Mean() / 1000, P50MS: at(50), P95MS: at(95), P99MS: at(99),
		P999MS: at(99.9), MaxMS: float64(h.h.Max()) / 1000}
}

// Median is the middle value, of an even number of values the mean of the middle two; 0 of none.
func Median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	v := slices.Sorted(slices.Values(values))
	return (v[(n-1)/2] + v[n/2]) / 2
}

// Quartiles are the values a quarter, half and three quarters of which are smaller, between
// neighbours by distance; zeros of none.
func Quartiles(values []float64) (q [3]float64) {
	if len(values) == 0 {
		return q
	}
	v := slices.Sorted(slices.Values(values))
	for i := range q {
		at := float64(len(v)-1) * float64(i+1) / 4
		low := int(at)
		q[i] = v[low] + (at-float64(low))*(v[min(low+1, len(v)-1)]-v[low])
	}
	return q
}

// Spread is the distance of the smallest from the largest value as a share of the median.
func Spread(values []float64) float64 {
	m := Median(values)
	if m == 0 {
		return 0
	}
	return (slices.Max(values) - slices.Min(values)) / m
}

// Ratio is v / base, 0 when there is nothing to compare with.
func Ratio(v, base float64) float64 {
	if base == 0 {
		return 0
	}
	return v / base
}

// Timeline counts events by the time they happened, in bins of equal width.
type Timeline struct {
	bin    time.Duration
	origin time.Time

	mu     sync.Mutex
	counts []int64
}

// NewTimeline starts a timeline at origin.
func NewTimeline(origin time.Time, bin time.Duration) *Timeline {
	return &Timeline{origin: origin, bin: bin}
}

// Add counts one event. Events before the origin are dropped.
func (l *Timeline) Add(at time.Time) {
	d := at.Sub(l.origin)
	if d < 0 {
		return
	}
	i := int(d / l.bin)
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.counts) <= i {
		l.counts = append(l.counts, 0)
	}
	l.counts[i]++
}

// PerSecond returns the rates of the whole bins of a stretch of time that begins with the bin that
// from lies in.
func (l *Timeline) PerSecond(from time.Time, length time.Duration) []float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := int(from.Sub(l.origin) / l.bin)
	out := make([]float64, int(length/l.bin))
	for i := range out {
		if at := first + i; at >= 0 && at < len(l.counts) {
			out[i] = float64(l.counts[at]) / l.bin.Seconds()
		}
	}
	return out
}

// Reached tells after how many seconds the rates came to level and stayed there on average over
// hold bins: the start of the first window of that many bins whose mean is at least level. ok is
// false when none is.
func Reached(rates []float64, bin time.Duration, level float64, hold int) (seconds float64, ok bool) {
	for i := 0; i+hold <= len(rates); i++ {
		sum := 0.0
		for _, r := range rates[i : i+hold] {
			sum += r
		}
		if sum/float64(hold) >= level && rates[i] > 0 {
			return float64(i) * bin.Seconds(), true
		}
	}
	return 0, false
}

// Mean is the average, 0 of nothing.
func Mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// RankCorrelation is Spearman's rank correlation of what stands in both lists, and the number of
// those. 0 when that is fewer than two.
func RankCorrelation(a, b []uint64) (r float64, common int) {
	at := make(map[uint64]int, len(b))
	for i, v := range b {
		at[v] = i
	}
	var places []int // in b, of what is common in the order of a
	for _, v := range a {
		if i, ok := at[v]; ok {
			places = append(places, i)
			delete(at, v)
		}
	}
	n := float64(len(places))
	if n < 2 {
		return 0, len(places)
	}
	rank := make(map[int]int, len(places))
	for i, p := range slices.Sorted(slices.Values(places)) {
		rank[p] = i
	}
	sum := 0.0
	for i, p := range places {
		d := float64(i - rank[p])
		sum += d * d
	}
	return 1 - 6*sum/(n*(n*n-1)), len(places)
}
