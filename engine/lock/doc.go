// Package lock is the lock table: record, gap, next-key and insert-intention locks, table locks, metadata locks; the wait graph; memory only.
//
// A record lock is on (tree id, key bytes): the record itself, the gap before it, or both (next-key). The supremum of a tree is its own key (Supremum).
// InnoDB's conflict rules: gap locks never conflict with each other; insert intention waits for a gap or next-key lock of another owner on the successor; S/X on the record part as usual.
// Inheritance: a record inserted into a locked gap gets the gap locks of its successor (InheritOnInsert); a record that is physically removed leaves its locks as
// gap locks to its successor (InheritOnDelete). Pages never appear here, so splits and merges move nothing.
// Implicit locks: a row whose last writer is active is X-locked by it without an entry here; whoever meets it calls Convert first (makes the entry for the owner), then waits.
//
// Many locks are kept compactly (from Options.Compact on; below it every lock is an entry, as MySQL shows it). Records that a scan locks one after the other, with their gaps, stand in a run, a
// range of keys of one leaf (run.go); the lock of a record that its owner has changed is implicit again, and its entry goes (implied.go). Who meets such a lock makes an entry of it, as with
// implicit ones, so queues and the wait graph know entries only.
//
// Deadlocks are found at the moment of waiting, by a walk of the wait graph; the victim is the owner with the least weight (undo records + locks), as in InnoDB;
// innodb_deadlock_detect=OFF leaves it to the timeout. Queues are FIFO; an upgrade passes requests that wait for its own owner.
// A long wait looks again every second, for edges that inheritance added.
// Lock memory: pooled, no allocation for the common lock; sharded by hash of (tree, key); each owner keeps the list of its locks for release.
//
// A wait never happens under a page latch: Lock returns a *Wait that the caller waits on after letting go of its latches, then looks again.
//
// Metadata locks are entries of the same table, by name, so they wait in the same graph. Global read lock: MetaReadOnly on MetaGlobal, against which
// every writing statement holds MetaSharedWrite.
//
// Contract:
//
//	type Mode uint8      // IS, IX, S, X, AutoInc
//	type Kind uint8      // NextKey, Record, Gap, InsertIntention
//	type MetaMode uint8  // MetaShared (read), MetaSharedWrite (DML), MetaReadOnly (LOCK TABLES READ), MetaUpgradable (online DDL), MetaExclusive
//	type Scope uint8     // Statement, Transaction, Explicit
//	var Supremum []byte  // empty: stands for the end of a tree, behind all keys
//	type Owner struct    // embedded in txn.Trx; the zero value is ready. One goroutine at a time acts for it; never reused after ReleaseAll
//	  (o *Owner) Join(session *Owner)        // o and session never wait for each other (LOCK TABLES, GET_LOCK outlive transactions); before the first lock
//	  (o *Owner) SetID(trx base.TrxID); SetThread(id uint64); SetReadCommitted(bool)   // the last: its X record locks leave no gap lock on delete
//	  (o *Owner) AddWeight(n int64)          // rows changed
//	  (o *Owner) Detach()                    // ends Join; (o *Owner) MetaNames(m MetaMode) []string
//	  (o *Owner) Fresh() bool                // the last Lock, TryLock or Wait of o made a new entry: only then may READ COMMITTED Unlock it
//	  (o *Owner) Locks() int
//	func NewManager(Options) *Manager                                                            // Options{DeadlockDetect bool; Compact int}
//	func (*Manager) SetDeadlockDetect(bool)
//	func (*Manager) Lock(o *Owner, tree base.IndexID, key []byte, m Mode, k Kind) *Wait          // nil: granted (or already held)
//	func (*Manager) TryLock(o *Owner, tree base.IndexID, key []byte, m Mode, k Kind) bool        // NOWAIT, SKIP LOCKED
//	func (*Manager) LockBeside(o *Owner, tree base.IndexID, beside, key []byte, m Mode, nth int, mayWait bool) (bool, *Wait) // next-key, of a scan that locks its nth record in a row
//	func (*Manager) Implied(o *Owner, tree base.IndexID, key []byte)                              // o has changed the record; it calls Convert before it takes that back, if (o *Owner) GaveBack() bool
//	func (*Manager) Holds(o *Owner, tree base.IndexID, key []byte, m Mode, k Kind) bool
//	func (*Manager) LockTable(o *Owner, table base.TableID, m Mode) *Wait
//	func (*Manager) TryLockTable(o *Owner, table base.TableID, m Mode) bool
//	func (*Manager) UnlockTable(o *Owner, table base.TableID, m Mode)                            // AUTO-INC: at statement end
//	func (w *Wait) Wait(ctx context.Context, timeout time.Duration) error                        // nil, base.ErrDeadlock, base.ErrLockTimeout, base.ErrInterrupted
//	func (*Manager) Convert(o *Owner, tree base.IndexID, key []byte) bool                        // implicit -> explicit X record lock of ANOTHER owner; false: it has released its locks
//	func (*Manager) Unlock(o *Owner, tree base.IndexID, key []byte, m Mode)                      // READ COMMITTED: a row that did not match
//	func (*Manager) InheritOnInsert(tree base.IndexID, key, successor []byte)
//	func (*Manager) InheritOnDelete(tree base.IndexID, key, successor []byte)
//	func (*Manager) HasGapLocks(tree base.IndexID, key []byte) bool
//	func (*Manager) ReleaseAll(o *Owner)                                                         // record and table locks; metadata locks stay. Takes no longer for many of them
//	func (*Manager) LockMeta(ctx context.Context, o *Owner, name string, m MetaMode, s Scope, timeout time.Duration) error   // timeout 0: base.ErrLockTimeout at once if it would wait
//	func (*Manager) ReleaseMeta(o *Owner, s Scope)                                               // all of that scope and of narrower ones
//	func (*Manager) ReleaseMetaSince(o *Owner, n int)                                            // those of a transaction taken since (*Owner).Metas was n
//	func (*Manager) UnlockMeta(o *Owner, name string, s Scope)                                   // one name
//	func (*Manager) HoldsMeta(o *Owner, name string, m MetaMode) bool
//	func (*Manager) MetaIdle(name string) bool                                                   // nobody holds it or waits for it
//	func MetaName(schema, table string) string; const MetaGlobal
//	func (*Manager) Snapshot() []Info       // for performance_schema.data_locks, SHOW ENGINE INNODB STATUS; LastDeadlock(name func(base.IndexID) string) string
//	func (*Manager) Stats() Stats           // Innodb_row_lock_*
package lock
