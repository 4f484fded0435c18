package redo

import (
	"sync/atomic"

	"emberdb/internal/base"
)

// Stats is a snapshot of the counters since Open.
type Stats struct {
	Groups, Writes, Bytes                       uint64
	Syncs, SyncNanos                            uint64
	BufferWaits, SegmentWaits, RoomWaits        uint64
	Checkpoints                                 uint64
	SegmentsPrepared, SegmentsRecycled          uint64
	SegmentsRemoved, IndexesWritten, NotIndexed uint64
	BufferBytes                                 int64
	Write, Sync                                 base.TimedSum // as SetUse has changed it
	DiskBytes                                   int64         // of all segment files, the spare ones included
}

type counters struct {
	groups, writes, bytes                atomic.Uint64
	syncs, syncNanos                     atomic.Uint64
	bufferWaits, segmentWaits, roomWaits atomic.Uint64
	checkpoints                          atomic.Uint64
	prepared, recycled, removed          atomic.Uint64
	indexed, notIndexed                  atomic.Uint64
	write, sync                          base.Timed
}

// SetUse makes Write and Sync other sums: none, or those of an earlier process.
func (l *Log) SetUse(write, sync base.TimedSum) {
	l.stats.write.Set(write)
	l.stats.sync.Set(sync)
}

// Stats returns the counters.
func (l *Log) Stats() Stats {
	c := &l.stats
	return Stats{
		Groups: c.groups.Load(), Writes: c.writes.Load(), Bytes: c.bytes.Load(),
		Syncs: c.syncs.Load(), SyncNanos: c.syncNanos.Load(),
		BufferWaits: c.bufferWaits.Load(), SegmentWaits: c.segmentWaits.Load(), RoomWaits: c.roomWaits.Load(),
		BufferBytes: int64(len(l.ring)),
		Write:       c.write.Sum(), Sync: c.sync.Sum(),
		Checkpoints:      c.checkpoints.Load(),
		SegmentsPrepared: c.prepared.Load(), SegmentsRecycled: c.recycled.Load(), SegmentsRemoved: c.removed.Load(),
		IndexesWritten: c.indexed.Load(), NotIndexed: c.notIndexed.Load(),
		DiskBytes: l.segs.diskBytes(),
	}
}
