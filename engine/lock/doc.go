// Package lock is the lock table: record, gap, next-key and insert-intention locks, table locks, metadata locks; the wait graph; memory only.
//
// A record lock is on (tree id, key bytes): the record itself, the gap before it, or both (next-key). The supremum of a tree is its own key (Supremum).
// InnoDB's conflict rules: gap locks never conflict with each other; insert intention waits for a gap or next-key lock of another owner on the successor; S/X on the record part as usual.
// Inheritance: a record inserted into a locked gap gets the gap locks of its successor (InheritOnInsert); a record that is physically removed leaves its locks as
// gap locks to its successor (InheritOnDelete). Pages never appear here, so splits and merges move nothing.
// Implicit locks: a row whose last writer is active is X-locked by it without an entry here; whoever meets it calls Convert first (makes the entry for the owner), then waits.
//
// Deadlocks are found at the moment of waiting, by a walk of the wait graph; the victim is the owner with the least weight (undo records + locks), as in InnoDB;
// innodb_deadlock_detect=OFF leaves it to the timeout. Queues are FIFO; hot rows scale by CATS-like order only if measured.
// Lock memory: pooled, no allocation for the common lock; sharded by hash of (tree, key); each owner keeps the list of its locks for release.
//
// A wait never happens under a page latch: Lock returns a *Wait that the caller waits on after letting go of its latches, then looks again.
//
// Contract:
//
//	type Mode uint8   // IS, IX, S, X, AutoInc
//	type Kind uint8   // Record, Gap, NextKey, InsertIntention
//	type Owner struct // embedded in txn.Trx: id for messages, list of locks, weight func, kill channel
//	func NewManager(Options) *Manager
//	func (*Manager) Lock(o *Owner, tree base.IndexID, key []byte, m Mode, k Kind) *Wait          // nil: granted (or already held)
//	func (*Manager) TryLock(...) bool                                                            // NOWAIT, SKIP LOCKED
//	func (*Manager) LockTable(o, base.TableID, m Mode) *Wait
//	func (w *Wait) Wait(ctx context.Context, timeout time.Duration) error                        // nil, base.ErrDeadlock, base.ErrLockTimeout, base.ErrInterrupted
//	func (*Manager) Convert(o *Owner, tree, key)                                                 // implicit -> explicit X record lock
//	func (*Manager) Unlock(o, tree, key, m)                                                      // READ COMMITTED: a row that did not match
//	func (*Manager) InheritOnInsert(tree, key, successor); InheritOnDelete(tree, key, successor)
//	func (*Manager) HasGapLocks(tree, key) bool
//	func (*Manager) ReleaseAll(o)
//	func (*Manager) MDL: LockMeta(ctx, o, name string, exclusive bool, timeout) error; released by ReleaseMeta(o, statement or transaction scope)
//	func (*Manager) Snapshot() []Info       // for performance_schema.data_locks, SHOW ENGINE INNODB STATUS; LastDeadlock() string
//	func (*Manager) Stats() Stats           // Innodb_row_lock_*
package lock
