// Package txn owns transactions: ids, read views, undo, commit, rollback, purge of old versions.
//
// Undo streams. The undo space (base.UndoSpace) holds a fixed directory of streams. A stream is a linked list of undo pages that is owned by at most one writing transaction at a time; the owner appends its log
// (one log header, then undo records) behind the log of the stream's previous owner, in the same page where it fits. So the logs of a stream are in commit order, small
// transactions share a page, and history needs no list of its own: purge merges the streams by commit number and frees pages from their heads.
//
//	stream directory entry (on the directory pages, 32 bytes): head page, head offset (oldest log not purged), tail page, tail offset (last log), state
//	log header: magic/length, trx id u64, state u8 (active, committed, aborted, prepared, done), commit number u64, flags, previous/next log, first/last record
//	undo record: length u16, type u8 (insert, update, delete-mark, ...), undo number uvarint, table id uvarint, previous trx id + roll pointer of the row, clustered key,
//	  body, length u16 again (so that rollback walks backwards)
//
// An update record's body is the byte patch from the new row bytes to the old ones (common prefix, common suffix, old middle), so rebuilding a version needs no schema; plus the overflow chains the change created
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
// Purge view: the oldest open view; a log is purged when its commit number is below it.
// Transaction ids are reserved in batches in the checkpoint blob / a redo record so that an id is never given twice.
//
// Contract:
//
//	type System struct; Create(pool...) (format); Open(Options{Pool, Log, Locks, ...}) (*System, error); (*System) Recover() (unfinished []*Trx, err)
//	func (*System) Begin(iso Isolation, readOnly bool) *Trx             // no id, no view yet
//	func (*Trx) ID() base.TrxID (0 until first write); EnsureID() error
//	func (*Trx) View() *ReadView (RR: first use; RC: per statement: StartStatement drops it)
//	func (*ReadView) Sees(id base.TrxID) bool; LowLimit() TrxID (ids < up limit all visible)
//	func (*Trx) StartStatement()                                         // undo number boundary: Halloween, statement rollback
//	func (*Trx) LogUndo(rec *UndoRecord) (base.RollPtr, error)           // own nested mini-transaction
//	func (*System) ReadUndo(p base.RollPtr, rec *UndoRecord) error       // copies; base.ErrNotFound when purged
//	func (*Trx) Savepoint() Mark; (*Trx) RollbackTo(ctx, Mark) error
//	func (*System) Commit(t *Trx, sync SyncMode) error; Rollback(t) error
//	func (*System) State(id base.TrxID) (Active | Committed | Aborted)   // for implicit locks and cleaning
//	type RowUndoer interface{ UndoRow(rec *UndoRecord) error; PurgeRow(rec *UndoRecord) error }   // implemented by table
//	func (*System) Snapshot() []Info                                     // information_schema.INNODB_TRX; HistoryLength()
package txn
