package pagefile

import (
	"sync/atomic"
	"time"

	"emberdb/internal/base"
)

// Stats is a snapshot of the counters since Open.
type Stats struct {
	Reads, PagesRead, BytesRead          uint64
	Writes, PagesWritten, BytesWritten   uint64 // in place
	Syncs                                uint64
	DoublewriteBatches, DoublewritePages uint64
	Extends, Opens                       uint64
	Open                                 int           // files open now
	ReadLatency                          time.Duration // moving average of single-page reads
	RunLatency                           time.Duration // moving average of ReadRun
	DoublewriteWrite, DoublewriteSync    base.TimedSum // since the last ResetUses
	WriteTook                            time.Duration // all of WriteBatch, doublewrite and syncs included
}

type counters struct {
	reads, pagesRead, bytesRead        atomic.Uint64
	writes, pagesWritten, bytesWritten atomic.Uint64
	syncs, dwBatches, dwPages          atomic.Uint64
	extends, opens                     atomic.Uint64
	readLatencyNanos, runLatencyNanos  atomic.Int64
	writeNanos                         atomic.Int64
	dwWrite, dwSync                    base.Timed
}

func (c *counters) read(pages, bytes int, took time.Duration) {
	c.reads.Add(1)
	c.pagesRead.Add(uint64(pages))
	c.bytesRead.Add(uint64(bytes))
	average(&c.readLatencyNanos, took)
}

func (c *counters) readRun(pages, bytes int, took time.Duration) {
	c.reads.Add(1)
	c.pagesRead.Add(uint64(pages))
	c.bytesRead.Add(uint64(bytes))
	average(&c.runLatencyNanos, took)
}

// average moves an average by a sixteenth of the way to the new sample. Samples lost to a race do
// not matter.
func average(avg *atomic.Int64, took time.Duration) {
	old := avg.Load()
	if old == 0 {
		avg.Store(int64(took))
		return
	}
	avg.Store(old + (int64(took)-old)/16)
}

// ReadLatency is the moving average of single-page reads: what the foreground feels.
func (f *Files) ReadLatency() time.Duration { return time.Duration(f.stats.readLatencyNanos.Load()) }

// Stats returns the counters.
func (f *Files) Stats() Stats {
	c := &f.stats
	return Stats{
		Reads: c.reads.Load(), PagesRead: c.pagesRead.Load(), BytesRead: c.bytesRead.Load(),
		Writes: c.writes.Load(), PagesWritten: c.pagesWritten.Load(), BytesWritten: c.bytesWritten.Load(),
		Syncs: c.syncs.Load(), DoublewriteBatches: c.dwBatches.Load(), DoublewritePages: c.dwPages.Load(),
		Extends: c.extends.Load(), Opens: c.opens.Load(), Open: f.table.count(),
		ReadLatency: time.Duration(c.readLatencyNanos.Load()), RunLatency: time.Duration(c.runLatencyNanos.Load()),
		DoublewriteWrite: c.dwWrite.Sum(), DoublewriteSync: c.dwSync.Sum(),
		WriteTook: time.Duration(c.writeNanos.Load()),
	}
}
