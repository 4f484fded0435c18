package redo

import "sync/atomic"

// Stats is a snapshot of the counters since Open.
type Stats struct {
	Groups, Writes, Bytes                       uint64
	Syncs, SyncNanos                            uint64
	BufferWaits, SegmentWaits, RoomWaits        uint64
	Checkpoints                                 uint64
	SegmentsPrepared, SegmentsRecycled          uint64
	SegmentsRemoved, IndexesWritten, NotIndexed uint64
	DiskBytes                                   int64 // of all segment files, the spare ones included
}

type counters struct {
	groups, writes, bytes                atomic.Uint64
	syncs, syncNanos                     atomic.Uint64
	bufferWaits, segmentWaits, roomWaits atomic.Uint64
	checkpoints                          atomic.Uint64
	prepared, recycled, removed          atomic.Uint64
	indexed, notIndexed                  atomic.Uint64
}

// Stats returns the counters.
func (l *Log) Stats() Stats {
	c := &l.stats
	return Stats{
		Groups: c.groups.Load(), Writes: c.writes.Load(), Bytes: c.bytes.Load(),
		Syncs: c.syncs.Load(), SyncNanos: c.syncNanos.Load(),
		BufferWaits: c.bufferWaits.Load(), SegmentWaits: c.segmentWaits.Load(), RoomWaits: c.roomWaits.Load(),
		Checkpoints:      c.checkpoints.Load(),
		SegmentsPrepared: c.prepared.Load(), SegmentsRecycled: c.recycled.Load(), SegmentsRemoved: c.removed.Load(),
		IndexesWritten: c.indexed.Load(), NotIndexed: c.notIndexed.Load(),
		DiskBytes: l.segs.diskBytes(),
	}
}
