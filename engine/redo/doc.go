// Package redo is the write-ahead log: preallocated segments, one append path, group flush, reader,
// checkpoints.
//
// The LSN is a byte position: segment k covers LSNs [start_k, start_k + size) and byte L of the log
// stands in its file at segHeader + (L - start_k). Files: <datadir>/redo/<segment number as 16 hex
// digits>.redo.
//
// Segment header, 4096 bytes, written and synced before the segment is used. On disk; fixed.
//
//	0  8 magic "EMBREDO1"   8 4 version   12 4 CRC-32C of the header with this field zero   16 16 server uuid
//	32 8 segment number     40 8 start LSN   48 8 segment size in bytes (LSN range)          56 4 salt in force at the start
//
// The stream is a sequence of groups; a group is what one mini-transaction logged and is applied
// whole or not at all. A group never crosses a segment end; what is left over there is skipped (the
// LSN jumps to the next segment's start).
//
//	0  4 length of payload   4 4 CRC-32C over (payload, length u32, salt u32, LSN of the group u64)   8 .. payload
//
// The LSN inside the checksum makes stale groups of a recycled file invalid by construction: the
// first group that does not verify ends the log. It comes last in the checksum, so that only 16
// bytes are summed under the append mutex. The salt, random and new for each life of the log, does
// the same for groups that a power cut left behind the end: without it, groups appended later could
// grow up to one of them and bring it back. A length of 0xFFFFFFFF means "rest of this segment
// unused, go on in the next one".
//
// A payload is a sequence of records (see Record):
//
//	op u8 | space uvarint | page uvarint | body length uvarint | body
//
// Records that concern no page (op below OpFirstPage) may carry a space and have page 0. The table
// of ops is in ops.go: one row per op; apply and describe functions are registered by the rooms
// with RegisterOp at init.
// An apply function is a pure function of (page bytes, body): THE SAME FUNCTION changes the page at
// run time and in recovery.
//
// The log writes two groups for itself, which a Reader does not hand out: OpSalt, the first group
// after a start, and OpDurable, every 64 KiB, a note of how far the log was durable, by which a
// Reader tells damage from the torn tail of a power cut (see Reader).
//
// Behind its jump a closed segment holds its page index (see index.go): the pages its groups
// change, for each where the list of those groups stands, the messages and the notes of written
// pages. Recovery learns from it which pages need redo without parsing the segment, and redoes one
// page alone. The index is written in the background after the segment was closed; a segment whose
// index is missing is parsed.
//
// Segments are prepared (fallocate + zeros written, synced) ahead by a background goroutine and
// recycled by renaming, so a flush never changes file metadata: the sync is an fdatasync without a
// journal commit. Writes are whole 4 KiB blocks, O_DIRECT; the last, partial block is written again
// by the next flush with the same prefix.
//
// Commit path: Append copies the group into the log buffer under one mutex and returns its LSNs.
// FlushTo(lsn) makes everything up to lsn durable: the first waiter becomes leader, writes all that
// is in the buffer and syncs once; the others wait for it (group commit, see group.go). While the
// leader syncs the next group gathers.
//
// Invariants:
//
//	(1) checkpoint <= durable <= written <= appended (all LSNs).
//	(2) Append order is LSN order; onAppend callbacks run in that order, under the append mutex,
//	    so a dirty page enters the flush list in LSN order.
//	(3) appended - checkpoint exceeds the capacity by nothing but mini-transactions already begun:
//	    WaitRoom blocks before one starts (never while a latch is held) and keeps a margin for
//	    those. Append itself never waits for a checkpoint.
//	(4) A segment is recycled only when all of it lies below the checkpoint (and below every
//	    Hold).
//	(5) A failed write or sync enters base.Failure. It is entered under the append mutex, by
//	    whatever part of the engine: then Append takes no group, and FlushTo and WriteTo of what
//	    has not got there return base.ErrFailed. What is durable stays so.
//	(6) A segment is synced whole before the first byte of the next one is written: a valid group
//	    proves all segments before its own whole.
//	(7) The next segment's header and name are durable before the jump to it is written.
//	(8) The log goes on where the readers found its end, never before it.
//
// Mirror: where the buffer pool's memory outlives the process, it has a copy of the last megabytes
// of the log as well (mirror.go). Readers use it in the place of the files, as long as its groups
// verify.
//
// Checkpoint: <datadir>/redo/checkpoint.{0,1}, written in turn with a sequence number and a CRC,
// synced. It holds the LSN and an opaque blob of the engine (next transaction id, next space id,
// server uuid, later the GTID sets), so a start reads these two files and the segment headers and
// no others before the log.
package redo
