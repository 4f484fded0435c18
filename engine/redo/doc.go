// Package redo is the write-ahead log: preallocated segments, one append path, group flush, reader, checkpoints.
//
// The LSN is a byte position: segment k covers LSNs [start_k, start_k + size) and byte L of the log stands in its file at
// segHeader + (L - start_k). Files: <datadir>/redo/<segment number as 16 hex digits>.redo.
//
// Segment header, 4096 bytes, written and synced before the segment is used. On disk; fixed.
//
//	0  8 magic "EMBREDO1"   8 4 version   12 4 CRC-32C of the header without this field   16 16 server uuid
//	32 8 segment number     40 8 start LSN   48 8 segment size in bytes (LSN range)
//
// The stream is a sequence of groups; a group is what one mini-transaction logged and is applied whole or not at all.
// A group never crosses a segment end; what is left over there is skipped (the LSN jumps to the next segment's start).
//
//	0  4 length of payload   4 4 CRC-32C over (LSN of the group as 8 bytes, length, payload)   8 .. payload
//
// The LSN inside the checksum makes stale groups of a recycled file invalid by construction: the first group that does not
// verify ends the log. A length of 0xFFFFFFFF means "rest of this segment unused, go on in the next one".
//
// A payload is a sequence of records (see Record):
//
//	op u8 | space uvarint | page uvarint | body length uvarint | body
//
// Records that concern no page (op below OpFirstPage) carry space 0 page 0. The table of ops is in ops.go: one row per op with its room,
// its name, and its describe function; apply functions are registered by the rooms with RegisterOp at init.
// An apply function is a pure function of (page bytes, body): THE SAME FUNCTION changes the page at run time and in recovery.
//
// Each closed segment ends with a group holding the segment's page index (op OpSegmentIndex): page ids sorted, for each the positions
// (relative LSNs) of the groups that touch it, delta coded. It lets recovery learn which pages need redo without parsing
// the segment, and redo one page alone. The segment is closed early enough that its index fits. Where the index stands is
// written in a trailer: the last 16 bytes of the segment (LSN of the index group u64, CRC u32, magic u32).
//
// Segments are allocated (fallocate + zeros written, synced) ahead by a background goroutine and recycled by renaming, so a flush never changes
// file metadata: the sync is an fdatasync without a journal commit. Writes are whole 4 KiB blocks, O_DIRECT; the last, partial block is written again
// by the next flush with the same prefix.
//
// Commit path: Append copies the group into the log buffer under one mutex and returns its LSNs. FlushTo(lsn) makes everything up to lsn durable: the
// first waiter becomes leader, writes all that is in the buffer and syncs once; the others wait for it (group commit). While the leader syncs the
// next group gathers.
//
// Invariants:
//
//	(1) checkpoint <= durable <= written <= appended (all LSNs).
//	(2) Append order is LSN order; onAppend callbacks run in that order, under the append mutex, so a dirty page enters the flush list in LSN order.
//	(3) appended - checkpoint never exceeds the capacity: WaitRoom blocks before a mini-transaction starts (never while a latch is held).
//	    Groups of mini-transactions already begun always fit: WaitRoom keeps a margin.
//	(4) A segment is recycled only when all of it lies below the checkpoint (and below every Hold).
//	(5) After a failed write or sync the log is failed for good: Append, FlushTo return base.ErrFailed.
//
// Checkpoint: <datadir>/redo/checkpoint.{0,1}, written in turn with a sequence number and a CRC, synced. It holds the LSN and an opaque blob of
// the engine (next transaction id, next space id, server uuid, later the GTID sets), so a start reads these two files and no others before the log.
//
// Contract:
//
//	type Options struct{ Capacity, SegmentSize int64; BufferSize int; Create bool; UUID [16]byte }
//	func Open(fs vfs.FS, datadir string, o Options) (*Log, Checkpoint, error)   // no scan: recovery scans with a Reader and calls log.StartAt(endLSN)
//	func (*Log) StartAt(end base.LSN) error                                     // positions the writer after recovery; bytes behind end are overwritten
//	func (*Log) NewReader(from base.LSN) *Reader
//	func (*Reader) Next() (Group, error)        // io.EOF at the end of the log; Group{LSN, End, Payload}; *base.CorruptError when valid groups of this log follow behind a bad one
//	func (*Reader) Index(segment) ...           // the page index of a closed segment
//	func Records(payload []byte) iter.Seq2[Record, error]
//	func AppendRecord(dst []byte, op Op, id base.PageID, body ...[]byte) []byte
//	func (*Log) Append(payload []byte, onAppend func(start, end base.LSN)) (end base.LSN, err error)
//	func (*Log) FlushTo(lsn base.LSN) error     // durable: write + fdatasync
//	func (*Log) WriteTo(lsn base.LSN) error     // written, not synced (innodb_flush_log_at_trx_commit=2)
//	func (*Log) WaitRoom(ctx) error             // blocks while the log is full; wakes the checkpointer through Options.NeedRoom
//	func (*Log) SetCheckpoint(lsn base.LSN, blob []byte) error
//	func (*Log) Resize(capacity int64) error    // online
//	func (*Log) Appended/Written/Durable/CheckpointLSN() base.LSN
//	func (*Log) Stats() Stats
//	type Op uint8; func RegisterOp(op Op, name string, apply func(page, body []byte) error, describe func(body []byte) string)
//	func Apply(rec Record, page []byte) error   // looks the op up
package redo
