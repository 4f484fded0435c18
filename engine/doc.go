// Package engine opens, runs and closes the storage engine: lifecycle, commit order, background workers, DDL.
// It knows neither go-mysql-server nor sockets. The layers above use this package, engine/table, engine/txn (Trx, Isolation), engine/row and engine/catalog.
//
// Failure. An engine has one failed state, base.Failure, which log, files, pool and binary log share. Enter is its only way in, and a new start
// its only way out:
//
//	who enters   redo: a write or sync of a segment or checkpoint. pagefile: a write or sync of a tablespace, its folder or the doublewrite area.
//	             buffer: a page that could not be written, redo that could not be applied. binlog: a write or sync of a file or of the index.
//	             engine: a checkpoint that could not be taken; recovery that could not be finished (refuseWrites).
//	running      a commit is in the log as soon as Append has taken its group, at its place in the binary log; it is told when the group is durable
//	failed       Append takes no group. A commit that Append has refused gives its GTID and its place back, which nobody can take any more. A commit
//	             whose group is durable succeeds; any other that has been appended fails, and the next start decides. Writers get
//	             base.ErrFailed, nobody waits for room, pages or files, and reading goes on.
//
// Because the state is entered under the append mutex, no group follows a refused one: a GTID or a position that was given back is never logged.
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
//	func (*Engine) LockMeta(ctx, tx, schema, table string, mode lock.MetaMode) error    // to the end of tx; an empty table: the schema. WithMetaWait(ctx, lock_wait_timeout)
//	func (*Engine) Schemas(ctx, tx) ([]string, error); TableNames(ctx, tx, schema) ([]string, error); DictVersion() uint64
//	func (*Engine) Spelling(ctx, tx, schema, name) (spelled string, ok bool, err error) // names that differ only in case are one
//	// objects and key-value rows, transactional (objects.go); a nil tx reads the newest committed state, and for PutKV, DeleteKV is a durable transaction of its own:
//	func (*Engine) GetObject/PutObject/DeleteObject/ListObjects; GetKV/PutKV/DeleteKV/ListKV
//	// DDL: works inside a DDL transaction (one a statement; commit by the caller; a crash before it undoes everything); each takes its metadata lock exclusive:
//	func (*Engine) BeginDDL() *txn.Trx
//	func (*Engine) CreateSchema(ctx, tx, schema, data) error; DropSchema(ctx, tx, schema) error
//	func (*Engine) CreateTable(ctx, tx, def *catalog.Table) error      // ids, space and roots are filled in
//	func (*Engine) DropTable(ctx, tx, schema, name), RenameTable(ctx, tx, schema, name, newSchema, newName), TruncateTable(ctx, tx, schema, name)
//	func (*Engine) AlterTable(ctx, tx, old, new *catalog.Table) error  // metadata-only changes (comments, defaults, names of columns and indexes, foreign keys, checks)
//	func (*Engine) AddIndex(ctx, tx, schema, name string, idx *catalog.Index) error  // online: others go on writing; *table.DuplicateError for a unique one
//	func (*Engine) DropIndex(ctx, tx, schema, name, index string) error
//	func (*Engine) NewRebuild(ctx, tx, old, new *catalog.Table) (*Rebuild, error)    // table rewrite: Add rows, then Finish swaps it in, or Abort. new has indexes without ids
//	    (*Rebuild) Add(ctx, vals []row.Value) error; Finish(ctx) (*table.Table, error) // *table.DuplicateError; Abort(ctx)
//	func (*Engine) CheckTable(ctx, schema, name, *Report) error; Check(ctx, func(CheckProgress)) (Report, error)   // Report.Faults: *Fault
//	    // in dict.SystemSchema CheckTable takes CheckSystem, CheckUndo, CheckFiles: what belongs to no table
//	func Identity(fs, dir) (uuid string, err error)  // of a directory, without opening it; base.ErrForeign
//	func (*Engine) Status() Status                 // all numbers of SHOW STATUS the engine owns
//
// table.Table, for rows (the whole contract stands in package table):
//
//	Def() *catalog.Table
//	Insert(ctx, tx, vals []row.Value) error                 // *table.DuplicateError{Table, Index, Row (the existing one, S-locked)}; InsertOrLock: the existing one is X-locked
//	Update(ctx, tx, old, new []row.Value) error             // old as read by a locking scan of this transaction (only its primary key or row id is used to find the row)
//	Delete(ctx, tx, old []row.Value) error                  // a row operation is all or nothing; base.ErrNotFound
//	NewScan(tx, ScanOptions) *Scan                          // nothing is latched, locked or opened before the first Next
//	    ScanOptions{ Index *catalog.Index; Lower, Upper []byte (encoded key prefixes; nil = open); LowerExcl, UpperIncl bool; Reverse bool;
//	                 Lock table.LockMode (None, Shared, Exclusive); Wait table.WaitPolicy (Wait, NoWait, SkipLocked); Columns []int (nil = all; a covering set is served from the index);
//	                 Target bool (rows changed by this very statement are skipped: UPDATE/DELETE source); Fresh bool (they are returned as they are now: foreign key checks);
//	                 Match func(vals) (bool, error) (semi-consistent read below REPEATABLE READ) }
//	(*Scan) Next(ctx) (vals []row.Value, err error)         // io.EOF at the end; vals valid until the next call, memory owned by the scan (copied out of pages)
//	(*Scan) UnlockRow()                                     // READ COMMITTED: the last row did not match
//	(*Scan) Close()
//	Get(ctx, tx, idx *catalog.Index, key []byte, lock, wait) (vals, ok, err)   // unique point lookup; as Fresh
//	NextAutoInc(ctx, tx, n int) (first uint64, err error); PeekAutoInc; SetAutoInc
//	Estimate(idx, lower, upper) (rows float64, err error); Stats() (table.Stats, error)
//
// Tables without a primary key have a hidden row id: rows that were read carry it behind their last column, and Update and Delete want it there.
package engine
