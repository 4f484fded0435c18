package perfschema

import (
	"math"
	"math/bits"
	"sort"
	"sync/atomic"
)

// Buckets is how many buckets a histogram has. Bucket 0 ends at 10 microseconds; 50 buckets are a
// factor of ten.
const Buckets = 450

const chunkBuckets = 50

// bucketEnds are the ends of the buckets in picoseconds.
var bucketEnds = func() (ends [Buckets]uint64) {
	for i := range ends {
		ends[i] = uint64(1e7 * math.Pow(10, float64(i)/50))
	}
	ends[Buckets-1] = math.MaxUint64
	return ends
}()

// BucketEnd is the time in picoseconds at which a bucket ends and the next begins.
func BucketEnd(bucket int) uint64 { return bucketEnds[bucket] }

// bucketOf finds the bucket of a time in nanoseconds.
func bucketOf(ns uint64) int {
	if ns >= math.MaxUint64/1000 {
		return Buckets - 1
	}
	ps := ns * 1000
	b := firstBucket[bits.Len64(ps)]
	for ps >= bucketEnds[b] {
		b++
	}
	return b
}

// firstBucket is the bucket of the smallest number of so many bits: those of a power of two are at
// most 16 buckets.
var firstBucket = func() (first [65]int) {
	for n := 1; n <= 64; n++ {
		first[n] = sort.Search(Buckets-1, func(i int) bool { return uint64(1)<<(n-1) < bucketEnds[i] })
	}
	return first
}()

// Histogram counts events by their time. Only those chunks of it have memory in which there is
// something.
type Histogram struct {
	chunks [Buckets / chunkBuckets]atomic.Pointer[[chunkBuckets]atomic.Uint64]
}

func (h *Histogram) add(bucket int, n uint64) {
	at := &h.chunks[bucket/chunkBuckets]
	c := at.Load()
	for c == nil {
		at.CompareAndSwap(nil, new([chunkBuckets]atomic.Uint64))
		c = at.Load()
	}
	c[bucket%chunkBuckets].Add(n)
}

// Get returns the count of a bucket.
func (h *Histogram) Get(bucket int) uint64 {
	if c := h.chunks[bucket/chunkBuckets].Load(); c != nil {
		return c[bucket%chunkBuckets].Load()
	}
	return 0
}

func (h *Histogram) reset() {
	for i := range h.chunks {
		h.chunks[i].Store(nil)
	}
}

// Quantiles returns the ends of the buckets, in picoseconds, at which the given parts of all events
// are reached.
func (h *Histogram) Quantiles(parts ...float64) []uint64 {
	var all [Buckets]uint64
	total := uint64(0)
	for i := range all {
		all[i] = h.Get(i)
		total += all[i]
	}
	out := make([]uint64, len(parts))
	for p, part := range parts {
		sum := uint64(0)
		for i := range all {
			if sum += all[i]; sum > 0 && float64(sum) >= part*float64(total) {
				out[p] = bucketEnds[i]
				break
			}
		}
	}
	return out
}
