package redo

import (
	"io"
	"testing"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

func benchLog(b *testing.B) *Log {
	l, _, err := Open(vfs.NewOS(nil), b.TempDir(), Options{Capacity: 4 << 30, SegmentSize: 64 << 20, Create: true, UUID: testUUID, Direct: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = l.Close() })
	return l
}

func group200() []byte {
	return AppendRecord(nil, OpWriteBytes, base.PageID{Space: 20, No: 4711}, make([]byte, 190))
}

// Append of 200-byte groups, the writer keeping up.
func BenchmarkAppend(b *testing.B) {
	l, p := benchLog(b), group200()
	b.SetBytes(int64(len(p)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Append(p, nil); err != nil {
			b.Fatal(err)
		}
		if int64(l.Appended()-l.CheckpointLSN()) > 256<<20 {
			b.StopTimer()
			if err := l.FlushTo(l.Appended()); err != nil {
				b.Fatal(err)
			}
			if err := l.SetCheckpoint(l.Appended(), nil); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	}
}

// BenchmarkAppendMemory is Append alone: the buffer is emptied outside of the clock.
func BenchmarkAppendMemory(b *testing.B) {
	l, p := benchLog(b), group200()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if _, err := l.Append(p, nil); err != nil {
			b.Fatal(err)
		}
		if n++; n%(32<<10) == 0 {
			b.StopTimer()
			_ = l.FlushTo(l.Appended())
			_ = l.SetCheckpoint(l.Appended(), nil)
			b.StartTimer()
		}
	}
}

func BenchmarkAppendParallel(b *testing.B) {
	l, p := benchLog(b), group200()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			_, _ = l.Append(p, nil)
		}
	})
}

// A commit: append and FlushTo, by 16 sessions.
func BenchmarkCommit16(b *testing.B) {
	l, p := benchLog(b), group200()
	b.SetParallelism(8)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			end, err := l.Append(p, nil)
			if err == nil {
				err = l.FlushTo(end)
			}
			if err != nil {
				b.Error(err)
			}
		}
	})
	s := l.Stats()
	b.ReportMetric(float64(s.Groups)/float64(s.Syncs), "commits/sync")
	b.ReportMetric(float64(s.SyncNanos)/float64(s.Syncs)/1000, "us/sync")
}

func BenchmarkCommit1(b *testing.B) {
	l, p := benchLog(b), group200()
	for b.Loop() {
		end, _ := l.Append(p, nil)
		if err := l.FlushTo(end); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	l, p := benchLog(b), group200()
	for range 200000 {
		_, _ = l.Append(p, nil)
	}
	if err := l.FlushTo(l.Appended()); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(l.Appended() - FirstLSN))
	for b.Loop() {
		r := l.NewReader(FirstLSN)
		for {
			g, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			for _, err := range Records(g.Payload) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
