package buffer

import (
	"math/rand/v2"
	"testing"
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
