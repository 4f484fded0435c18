// Package txn owns transactions: ids, read views, undo, commit, rollback, purge of old versions.
//
// Undo streams. The undo space (base.UndoSpace) holds a directory of streams, which grows with the number of concurrent writers. A stream is a linked list of undo pages that is owned by at most one writing transaction at a time; the owner appends its log
// (one log header, then undo records) behind the log of the stream's previous owner, in the same page where it fits. So the logs of a stream are in commit order, small
// transactions share a page, and history needs no list of its own: purge merges the streams by commit number and frees pages from their heads.
//
// The format stands in format.go: directory pages with one entry (head, tail) a stream; undo pages with entries; a log is a log header (trx id, state, commit number) and its records;
// every entry has its length at both ends, so rollback walks backward. A record too large for a page keeps its body in fragments ahead of it.
//
// A record's body belongs to the table room: the byte patch from the new row bytes to the old ones, so rebuilding a version needs no schema; the overflow chains the change created
// (freed on rollback) and orphaned (freed by purge).
//
// Commit is one mini-transaction: it sets state and commit number in the log header (and carries the binlog bytes); one redo.FlushTo makes it durable, then the id leaves the active list (visible), then locks are released.
// After a crash the streams' last logs tell the unfinished transactions in O(streams): they start out ABORTED: their ids stay in the active list (so nobody sees their versions) but they hold no lock;
// a writer that meets one of their rows restores it first; a background worker restores the rest.
//
// Rollback of a large transaction (over a threshold) is the same state change at run time; a small one and a statement savepoint are undone at once. One implementation restores a row: it acts only if the row's (trx id, roll pointer) is the one
// of the undo record, so it may run twice, by anyone.
//
// Read view: InnoDB's (up limit, low limit, sorted active ids, creator). REPEATABLE READ keeps the first one, READ COMMITTED makes one a statement.
// Purge view: the oldest open view; a log is purged when its commit number is below it. The paths are told in view.go, commit.go, rollback.go, aborted.go, purge.go, recover.go.
// Transaction ids are reserved in batches in the checkpoint blob / a redo record so that an id is never given twice.
//
// Contract:
//
//	type Isolation uint8 // ReadUncommitted, ReadCommitted, RepeatableRead, Serializable
//	type SyncMode uint8  // SyncNone, SyncWrite, SyncFlush (innodb_flush_log_at_trx_commit 0, 2, 1)
//	type State uint8     // Active, Committed, Aborted
//	type Options struct{ Pool *buffer.Pool; Log *redo.Log; Locks *lock.Manager; NextID base.TrxID (first id that was never reserved); RollbackInPlace int (records); Logger *slog.Logger }
//	func Create(pool *buffer.Pool) error                                 // formats the first directory page; the undo space is already created
//	func Open(o Options) (*System, error)                                // OpTrxIDReserve records seen by recovery and the checkpoint blob give NextID
//	func DecodeReserve(body []byte) (base.TrxID, error)                  // body of redo.OpTrxIDReserve
//	func (*System) Recover() (unfinished int, err error)                 // O(streams); the unfinished become Aborted
//	func (*System) SetUndoer(u RowUndoer)                                // before the first write
//	func (*System) Start()                                               // background rollback and purge
//	func (*System) SetMaxUndo(bytes int64)                               // the undo space gives disk back above that, see shrink.go
//	func (*System) Close()                                               // stops them, between two rows
//	func (*System) NextReservedID() base.TrxID                           // for the checkpoint blob
//
//	func (*System) Begin(iso Isolation, readOnly bool) *Trx              // no id, no view yet; Trx embeds lock.Owner; field LockWait
//	func (*System) Recycle(t *Trx)                                       // memory of an ended reader, for a later Begin
//	func (*Trx) ID() base.TrxID (0 until first write); EnsureID() (base.TrxID, error); Isolation(); ReadOnly(); System()
//	func (*Trx) View() *ReadView                                         // RR, SERIALIZABLE: kept from first use; RC: until StartStatement; RU: sees all but aborted
//	func (*ReadView) Sees(id base.TrxID) bool; UpLimit() TrxID (every id below is visible); LowLimit() (none at or above is, but the own)
//	func (*Trx) StartStatement() Mark                                    // boundary: Halloween, statement rollback. Mark counts undo records
//	func (*Trx) SetStatement(Mark)                                        // moves the boundary: the statements of a trigger see what was changed before them
//	func (*Trx) Statement() Mark                                         // of the current statement: a row whose UndoRecord.No >= it was changed by this statement
//	func (*Trx) LogUndo(rec *UndoRecord) (base.RollPtr, error)           // own nested mini-transaction; fills rec.No, Trx, Ptr. Row latch may be held, space latches not
//	func (*Trx) LogRun(n int, next func(*UndoRecord), ptrs []base.RollPtr) ([]base.RollPtr, error) // LogUndo of n changes, an undo page at a time; LogInserts: of insertions
//	func (*System) ReadUndo(p base.RollPtr, writer base.TrxID, rec *UndoRecord) error  // copies into rec's buffers; base.ErrNotFound when gone: look at the row again
//	func (*Trx) Savepoint() Mark; Boundary() Mark (the observer hears of it); (*Trx) RollbackTo(ctx context.Context, m Mark) error // ctx is only for values: a rollback is not interruptible. After an error t can only be rolled back
//	func (*System) Commit(t *Trx, sync SyncMode, j Journal) error        // ends t in every case; j logs in the same redo group; nil allowed
//	type Journal interface{ Order() error; Log(m *buffer.Mtr); Waits() bool; Placed(lsn base.LSN); Abandon(); Durable(lsn base.LSN) }   // see journal.go
//	type Observer interface{ StartStatement(m Mark); Boundary(m Mark); RolledBack(m Mark) }   // Trx.Observer
//	func (*System) Rollback(t *Trx) error                                // ends t
//	func (*System) Prepare(t *Trx, b Branch, sync SyncMode, j Journal) error // XA: from now on t survives its session and a crash, with what it has locked; then Commit or Abort
//	func (*System) Abort(t *Trx, sync SyncMode, j Journal) error         // Rollback of a prepared transaction; j may be nil
//	func (*System) Prepared() []*Trx; (*Trx) Branch() *Branch            // found by Recover
//	func (*System) State(id base.TrxID) State                            // for cleaning a row
//	func (*System) LockImplicit(id base.TrxID, tree base.IndexID, key []byte) State  // Active: id's transaction now holds an explicit X record lock; then Lock and wait
//	func (*System) KeepLock(id base.TrxID, tree base.IndexID, key []byte)   // before a change of the record is taken back: its lock stays
//	func (*System) OldestActive() base.TrxID; OldestAborted() base.TrxID // one atomic load; every id below is committed / not aborted; MaxTrxID if none
//	func (*System) Purged(p base.RollPtr, writer base.TrxID) (bool, error)  // the version before that change is needed by no view, and purge has passed or passes later
//	func (*System) PurgeLimit() base.TrxID                               // every version replaced by a commit below is gone for all views
//	type UndoRecord struct{ Type UndoType; NoPurge bool; No uint64; Trx base.TrxID; Ptr base.RollPtr; Table base.TableID; PrevTrx base.TrxID; PrevPtr base.RollPtr; Key, Body []byte }
//	type UndoType uint8  // UndoInsert, UndoUpdate, UndoDeleteMark, UndoRevive (insert or update over a delete-marked row). Body belongs to the table room
//	type RowUndoer interface{ UndoRow(rec *UndoRecord) error; PurgeRow(rec *UndoRecord) error }   // implemented by table; both may be called again for the same record after a crash
//	func (*System) Aborted() []AbortedInfo                               // in the order of their cleaning: information_schema.EMBER_ABORTED_TRX
//	func (*System) WaitCleaned(ctx) error                                // until no aborted transaction is left
//	func (*System) Check(pages *space.PageSet) error                     // the undo space; adds the pages it reaches, for space.Check; ErrMetTwice
//	func Dump(w, page, entries bool) error                               // for inspectors: pages read beside the pool
//	func (*System) Snapshot() []Info; HistoryLength() int64; CaughtUp() bool; Stats() Stats   // information_schema.INNODB_TRX
package txn
