// Package lock is the lock table: record, gap, next-key and insert-intention locks, table locks,
// metadata locks; the wait graph; memory only.
//
// A record lock is on (tree id, key bytes): the record itself, the gap before it, or both
// (next-key). The supremum of a tree is its own key (Supremum). InnoDB's conflict rules: gap locks
// never conflict with each other; insert intention waits for a gap or next-key lock of another
// owner on the successor; S/X on the record part as usual. Inheritance: a record inserted into a
// locked gap gets the gap locks of its successor (InheritOnInsert); a record that is physically
// removed leaves its locks as gap locks to its successor (InheritOnDelete). Pages never appear
// here, so splits and merges move nothing. Implicit locks: a row whose last writer is active is
// X-locked by it without an entry here; whoever meets it calls Convert first (makes the entry for
// the owner), then waits.
//
// Many locks are kept compactly (from Options.Compact on; below it every lock is an entry, as MySQL
// shows it). Records that a scan locks one after the other, with their gaps, stand in a run, a
// range of keys of one leaf (run.go); the lock of a record that its owner has changed is implicit
// again, and its entry goes (implied.go). Who meets such a lock makes an entry of it, as with
// implicit ones, so queues and the wait graph know entries only.
//
// Deadlocks are found at the moment of waiting, by a walk of the wait graph; the victim is the
// owner with the least weight (undo records + locks), as in InnoDB; innodb_deadlock_detect=OFF
// leaves it to the timeout. Queues are FIFO; an upgrade passes requests that wait for its own
// owner, and MetaNoReadWrite and MetaExclusive all that wait with a weaker mode, as in MySQL: tools
// that swap tables under LOCK TABLES count on RENAME being next. Owners that end in a given order
// (a replica's workers) give way to earlier ones that wait for them: see ordered.go.
// Lock memory: pooled, no allocation for the common lock; sharded by hash of (tree, key); each
// owner keeps the list of its locks for release.
//
// A wait never happens under a page latch: Lock returns a *Wait that the caller waits on after
// letting go of its latches, then looks again.
//
// Metadata locks are entries of the same table, by name, so they wait in the same graph. Global
// read lock: MetaReadOnly on MetaGlobal, against which every writing statement holds
// MetaSharedWrite.
package lock
