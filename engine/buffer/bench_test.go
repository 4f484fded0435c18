package buffer

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"emberdb/internal/base"
)

// A hit: page table, pin, latch, release.
func BenchmarkPinHit(b *testing.B) {
	e := newEnv(b, envOptions{frames: 4096, pages: 2048})
	e.create(b, 1024)
	m := e.pool.BeginRead()
	defer m.Commit()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		pg, err := m.Pin(pageID(i&1023), Shared)
		if err != nil {
			b.Fatal(err)
		}
		m.Release(pg)
	}
}

// The page table alone: lookup and pin.
func BenchmarkPinResident(b *testing.B) {
	e := newEnv(b, envOptions{frames: 4096, pages: 2048})
	e.create(b, 1024)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		ref := e.pool.pinResident(pageID(i & 1023).Uint64())
		e.pool.procs.at(ref).unpin()
	}
}

func BenchmarkPinHitParallel(b *testing.B) {
	e := newEnv(b, envOptions{frames: 4096, pages: 2048})
	e.create(b, 1024)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		i := rand.IntN(1024)
		for ; pb.Next(); i++ {
			m := e.pool.BeginRead()
			if _, err := m.Pin(pageID(i&1023), Shared); err != nil {
				b.Error(err)
			}
			m.Commit()
		}
	})
}

// A small change: begin, pin, log, commit.
func BenchmarkMtrCommit(b *testing.B) {
	e := newEnv(b, envOptions{frames: 4096, pages: 2048, capacity: 64 << 20})
	e.create(b, 1024)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m := e.pool.Begin()
		pg, err := m.Pin(pageID(i&1023), Exclusive)
		if err != nil {
			b.Fatal(err)
		}
		m.WriteBytes(pg, bodyAt, []byte("12345678"))
		m.Commit()
	}
}

// A step of a walk over the LRU list: how long a dump holds the list's mutex at a time. The list's
// order is not that of the frames.
func BenchmarkWalkStep(b *testing.B) {
	const pages = 32768
	e := newEnv(b, envOptions{frames: pages + 1024, pages: pages, capacity: 256 << 20})
	e.create(b, pages)
	for _, i := range rand.Perm(pages) {
		if ref := e.pool.pinResident(pageID(i).Uint64()); ref != 0 {
			e.pool.lru.makeYoung(ref)
			e.pool.procs.at(ref).unpin()
		}
	}
	held := make([]time.Duration, 0, 1<<16)
	for b.Loop() {
		start := time.Now()
		e.pool.LRU().Walk(func([]base.PageID, bool, bool) bool {
			held = append(held, time.Since(start))
			start = time.Now()
			return true
		})
	}
	slices.Sort(held)
	b.ReportMetric(float64(held[len(held)/2].Nanoseconds()), "p50-ns/step")
	b.ReportMetric(float64(held[len(held)*99/100].Nanoseconds()), "p99-ns/step")
}
