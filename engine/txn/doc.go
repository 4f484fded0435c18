// Package txn owns transactions: ids, read views, undo, commit, rollback, purge of old versions.
//
// Undo streams. The undo space (base.UndoSpace) holds a directory of streams, which grows with the
// number of concurrent writers. A stream is a linked list of undo pages that is owned by at most
// one writing transaction at a time; the owner appends its log (one log header, then undo records)
// behind the log of the stream's previous owner, in the same page where it fits. So the logs of a
// stream are in commit order, small transactions share a page, and history needs no list of its
// own: purge merges the streams by commit number and frees pages from their heads.
//
// The format stands in format.go: directory pages with one entry (head, tail) a stream; undo pages
// with entries; a log is a log header (trx id, state, commit number) and its records; every entry
// has its length at both ends, so rollback walks backward. A record too large for a page keeps its
// body in fragments ahead of it.
//
// A record's body belongs to the table room: the byte patch from the new row bytes to the old ones,
// so rebuilding a version needs no schema; the overflow chains the change created (freed on
// rollback) and orphaned (freed by purge).
//
// Commit is one mini-transaction: it sets state and commit number in the log header, and carries
// the events of the binary log. One redo.FlushTo makes it durable, then the id leaves the active
// list (visible), then locks are released. After a crash the streams' last logs tell the unfinished
// transactions in O(streams): they start out ABORTED: their ids stay in the active list (so nobody
// sees their versions) but they hold no lock; a writer that meets one of their rows restores it
// first; a background worker restores the rest.
//
// Rollback of a large transaction (over a threshold) is the same state change at run time; a small
// one and a statement savepoint are undone at once. One implementation restores a row: it acts only
// if the row's (trx id, roll pointer) is the one of the undo record, so it may run twice, by
// anyone.
//
// Read view: InnoDB's (up limit, low limit, sorted active ids, creator). REPEATABLE READ keeps the
// first one, READ COMMITTED makes one a statement. Purge view: the oldest open view; a log is
// purged when its commit number is below it. The paths are told in view.go, commit.go, rollback.go,
// aborted.go, purge.go, recover.go. Transaction ids are reserved in batches in the checkpoint blob
// / a redo record so that an id is never given twice.
//
// The binary log. A transaction's Journal gathers the events of its changes (journal.go) and what
// of them a rollback to a point takes back (bounds.go). The commit orders, logs, hardens and shows
// both as one: commit.go tells how.
package txn
