// Package engine opens, runs and closes the storage engine: lifecycle, commit order, background workers, DDL.
// It knows neither go-mysql-server nor sockets. The layers above use this package, engine/table, engine/txn (Trx, Isolation), engine/row and engine/catalog.
//
// Contract for the layers above:
//
//	type Options struct {
//	    FS vfs.FS; DataDir string
//	    PoolBytes, RedoCapacity int64; FlushLogAtCommit int (0,1,2); Doublewrite, Direct bool; IOCapacity, IOCapacityMax int
//	    OldBlocksPct int; OldBlocksTime time.Duration; LockWaitTimeout time.Duration; DeadlockDetect bool; RollbackOnTimeout bool; AutoIncLockMode int; PageCleaner/ReadAhead settings
//	    Warm warm.Options; ServerUUID; Logger *slog.Logger
//	}
//	func Open(o Options) (*Engine, error)          // creates an empty directory's content; refuses foreign or used ones
//	func (*Engine) Close(fast bool) error          // clean shutdown: checkpoint, LRU dump, exact counters
//	func (*Engine) Begin(iso txn.Isolation, readOnly bool) *txn.Trx
//	func (*Engine) Commit(ctx, *txn.Trx) error     // ends the transaction in every case
//	func (*Engine) Rollback(*txn.Trx) error
//	func (*Engine) Table(ctx, tx *txn.Trx, schema, name string) (*table.Table, error)   // takes the MDL shared for tx; base.ErrNotFound
//	func (*Engine) Schemas(ctx, tx) ([]string, error); TableNames(ctx, tx, schema) ([]string, error)
//	// objects and key-value rows, transactional:
//	func (*Engine) GetObject/PutObject/DeleteObject/ListObjects(ctx, tx, kind, schema, name...)
//	func (*Engine) GetKV/PutKV/DeleteKV/ListKV(ctx, tx, namespace, key...)
//	// DDL: each takes its MDL exclusive and works inside the DDL transaction tx (commit by the caller; a crash before it undoes everything):
//	func (*Engine) CreateSchema/DropSchema
//	func (*Engine) CreateTable(ctx, tx, def *catalog.Table) error      // ids, space and roots are filled in
//	func (*Engine) DropTable, RenameTable, TruncateTable
//	func (*Engine) AlterTable(ctx, tx, old *catalog.Table, new *catalog.Table) error      // metadata-only changes (comments, defaults, names, foreign keys, checks)
//	func (*Engine) AddIndex(ctx, tx, table, idx *catalog.Index) error  // online: builds from a snapshot plus a side log of changes; DropIndex; RenameIndex
//	func (*Engine) NewRebuild(ctx, tx, old, new *catalog.Table) (*Rebuild, error)         // table rewrite: Insert rows, then Finish swaps it in; or Abort
//	func (*Engine) Check(ctx, progress) (Report, error)
//	func (*Engine) Status() ...                    // all numbers of SHOW STATUS the engine owns
//
// table.Table, for rows:
//
//	Def() *catalog.Table
//	Insert(ctx, tx, vals []row.Value) error                 // *table.DuplicateError{Index *catalog.Index, Row []row.Value (existing)}
//	Update(ctx, tx, old, new []row.Value) error             // old as read by a locking scan of this transaction (only its primary key is used to find the row)
//	Delete(ctx, tx, old []row.Value) error
//	NewScan(tx, ScanOptions) *Scan                          // nothing is latched, locked or opened before the first Next
//	    ScanOptions{ Index *catalog.Index; Lower, Upper []byte (encoded key prefixes; nil = open); LowerExcl, UpperIncl bool; Reverse bool;
//	                 Lock table.LockMode (None, Shared, Exclusive); Wait table.WaitPolicy (Wait, NoWait, SkipLocked); Columns []int (nil = all; a covering set is served from the index);
//	                 Target bool (rows changed by this very statement are skipped: UPDATE/DELETE source) }
//	(*Scan) Next(ctx) (vals []row.Value, err error)         // io.EOF at the end; vals valid until the next call, memory owned by the scan (copied out of pages)
//	(*Scan) UnlockRow()                                     // READ COMMITTED: the last row did not match
//	(*Scan) Close()
//	Get(ctx, tx, idx *catalog.Index, key []byte, lock, wait) (vals, ok, err)   // unique point lookup
//	NextAutoInc(ctx, tx, n int) (first uint64, err error); PeekAutoInc; SetAutoInc
//	Estimate(idx, lower, upper) (rows float64); Stats() (rows, data bytes, index bytes)
package engine
