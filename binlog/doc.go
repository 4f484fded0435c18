// Package binlog is the binary log: MySQL's events, the files that hold them, GTID sets, and the
// log that the engine's commit feeds. Every file is standard binlog v4, with CRC32 checksums or
// without, so tools and replicas of MySQL read it; what is ours is how it becomes durable.
//
//	event.go         header, framing, placing          gtid.go, gtid_text.go   GTID sets: algebra, text and binary form
//	event_file.go    format, previous GTIDs, rotate,   charset.go              from UTF-8 to a column's character set
//	                 stop, heartbeat                   cache.go                events of one transaction, memory then file
//	event_trx.go     GTID, query, rows query, xid      record.go               what the log writes to redo
//	event_table.go   table map and its metadata        state.go                what a checkpoint keeps
//	event_rows.go    row events, FULL and MINIMAL      log.go, order.go        the log: positions, commit order, GTIDs
//	value.go         row images of all column types    writer.go               from memory to the files
//	json.go          MySQL's binary JSON               files.go                index, purge, reset
//	file.go          one file, read only               reader.go               follows the log for a dump thread
//	describe.go      SHOW BINLOG EVENTS                own.go                  names that sessions have taken
//	start.go         BEGIN, shared by sessions         event_tagged.go         GTIDs with tags
//	gather.go        the delay of group commit         chunk.go                memory of transactions on their way to the file
//	writeset.go      what a transaction depends on     payload.go              compressed transactions
//	jsondiff.go      what changes in a JSON document
//	room.go          a full disk                       blocks.go               from the writer's memory into a file
//
// Who uses it: engine/binlog.go (recovery, checkpoint, close), engine/txn (a session's events and
// their commit), sqllayer/binlog.go (what is logged as text), server/binlog.go, binlog_dump.go,
// semisync.go (variables, statements, replicas). Row changes come from package table (txn.Journal).
//
// One sync. A transaction's events enter redo as records inside the redo groups of its commit
// (Order.Records), so the sync that makes the commit durable makes its events durable as well. The
// binlog file follows: a background writer copies what redo has made durable into the file, and
// syncs the file lazily: when it is full, when much has gathered, and when a checkpoint asks for
// it.
//
//	session      Cache: events with no position yet
//	commit       Log.Order: takes the log's order, gives position, sequence number, GTID
//	             Order.Records -> records of the commit's redo group; the group is appended;
//	             Order.Placed(lsn) gives the order back
//	             redo synced (one sync for the whole group of commits); Log.Durable(lsn); the
//	             transaction becomes visible
//	             binlog_group_commit_sync_delay waits here (gather.go)
//	writer       bytes durable in redo, positions and checksums filled in -> file, much at once past the page cache in whole blocks and from the memory they stand in (blocks.go, chunk.go), a tenth of a
//	             second's worth at once if nobody follows or waits; readers (dump threads) see
//	             them
//	checkpoint   Log.SyncTo(lsn): bytes below lsn are in their file and synced; State goes into the checkpoint's blob
//	recovery     Open(state), Recovery.Apply for each record from the checkpoint's LSN on, which fills them in likewise, Recovery.Finish
//
// All that goes into a file goes through that one stream, heads and rotate events as well, cut into
// units: a unit is a run of bytes that counts whole or not at all (one transaction; the end of a
// file with the head of the next).
//
// Invariants:
//
//	(1) Order of units in the files = order of their last records in redo = order of sequence
//	    numbers = order in which transactions become visible (package txn). Log.Order holds the
//	    log's order mutex until Placed.
//	(2) A file never holds a byte that redo has not made durable first (but with a commit that
//	    asked for less, which then may be lost from both alike). Readers are given only such
//	    bytes.
//	(3) A checkpoint at L: all bytes whose records end at or below L are synced in their file.
//	    State may know of units behind L, all at or below State.LSN, to which redo must be durable
//	    before the state is stored: recovery meets them again and changes nothing.
//	(4) Recovery writes whole units only, each byte at the offset its record names, so doing it
//	    twice is harmless; what stands behind the last one is cut off. It opens the newest file of
//	    the index, those that redo names behind it, and no other: a file is complete and synced
//	    before the next one enters the index. Records from before a reset that the folder has seen
//	    name files that are others now: they are passed over.
//	(5) The list of files is the index file. It is replaced by rename, and always a run of
//	    consecutive numbers.
//	(6) A transaction is never split over two files. A file may exceed max_binlog_size by the last
//	    transaction.
//	(7) A failed write or sync enters base.Failure, which the log shares with the engine: Order,
//	    SyncTo and Rotate return base.ErrFailed from then on. A full disk is no failure: the
//	    writer waits for room, and they return base.ErrDiskFull meanwhile.
//	(8) executed holds the GTIDs of durable units; taken those and the ones in flight; owned those
//	    that sessions have named in gtid_next. A GTID is given out once.
//	(9) Purge removes names from the index, durably, before it removes files; a file with a
//	    reader, and the newest, stay.
//
// Large transactions. A cache above Options.Threshold has spilled to a file in <dir>/#binlog_cache
// whose head was left free for the events a binlog file begins with. Its events already stand where
// they will stay. Commit syncs it before it takes the order, and then logs one small record that
// makes the file the next binlog file; the writer fills in the head and renames it. No byte is
// copied and nobody waits for it. The room left over in the head is filled with an event of the
// ignorable kind. Names of cache files are never used twice, for redo may name one long after.
//
// Logical clock. sequence_number counts transactions in a file from 1. last_committed is the
// sequence number of the newest transaction that wrote a row of this one's, and at most that of
// the newest one that was durable when this one took the order: the transactions in between still
// held their locks while this one held all of its own. So those behind last_committed cannot
// conflict with it, and a replica may run them side by side (writeset.go).
//
// Files carry no in-use flag and no zeros behind their end, so a reader outside of the server can
// read the newest one at any time. Their space is not reserved ahead, for nobody waits for their
// syncs: what a commit waits for is the sync of redo, whose segments are made, zeroed and recycled
// in the background.
// Row events of a statement that may cascade carry the flag that forbids replicas to check foreign
// keys: the parent's row stands before those of the children that the cascade changed.
// Row images have the virtual generated columns of a table. The columns that were made for its
// functional indexes are in no event: each server has its own.
//
// Start: a new file is begun at each start, as MySQL does, and redo is told of it before a
// checkpoint knows it. The old newest file is opened to cut and complete it; the sets come from the
// state. Without a state (the log was just turned on in a directory with old files) the index tells
// the next number. A missing index is made again from the names in the folder.
//
// Locks, outermost first: Log.orderMu (where the next unit goes; held from Order to Placed) <
// writer.mu (the open file) < Log.fileMu (index, readers' claims) < Log.mu (queue, limits, sets).
// No lock but orderMu is held while a caller's function runs, and between Order and Placed nobody
// may wait for a checkpoint: SyncTo takes orderMu to be sure that it knows every unit below its
// LSN.
package binlog
