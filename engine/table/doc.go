// Package table gives rows their meaning over trees: clustered and secondary indexes, versions, visibility, locking reads, constraints of
// uniqueness, overflow values, undo and purge of rows.
//
//	table.go     Table, Services: a definition bound to its trees
//	format.go    the values of clustered and secondary records; the bodies of undo records
//	overflow.go  chains of overflow pages for long values
//	version.go   from the newest version of a row to older ones
//	rowlock.go   record locks of rows and entries, implicit locks
//	insert.go, insertrows.go, update.go, delete.go   changes of rows
//	changes.go   many rows changed or deleted, leaf by leaf;  entry.go, unique.go   secondary entries, uniqueness
//	scan.go      Scan and its options;  snapshot.go  consistent reads;  locking.go  locking reads
//	undo.go      rollback and purge of a row (txn.RowUndoer)
//	build.go     an index built while others write;  sort.go  its external sort;  load.go  a table filled before anybody knows it
//	autoinc.go   auto-increment values, hidden row ids;  estimate.go  sizes for the planner;  check.go  the slow verifier
//
// Clustered leaf value:   flags u8 (1 = delete-marked) | trx id u64 | roll pointer u64 | row bytes (package row)
// key: encoded primary key, or an 8-byte row id (big-endian) where a table has none.
// Secondary leaf value:   flags u8 (1 = delete-marked)                key: encoded index columns + clustered key
//
// A row whose record would exceed btree.MaxRecord has its longest values moved to overflow pages; a reference stands in the row bytes.
//
// A change is, under the X latch of the clustered leaf: check and lock, undo record (own mini-transaction, committed first), change the
// leaf, commit; then the secondary entries, one mini-transaction each (Changes: those of a leaf together). An update that changes the clustered key is delete-mark + insert.
// Deletes only mark; purge removes. A row operation is all or nothing: when it fails half-way it takes back what it did.
//
// Invariants:
//
//	(1) The clustered record is the truth. A secondary entry only says that some version of the row may have this key.
//	(2) For every version of a row that somebody can still need (the newest, and older ones down to the purge limit) there is an entry of its
//	    key in every index, except between the change of the clustered record and that of the entry, in which the writer still holds the row's X lock.
//	(3) An entry that is not delete-marked belongs to the newest version, with the same exception.
//	(4) Entries are removed or marked by rollback and purge only under the X latch of their leaf and after a look at the row's versions under that
//	    latch. A writer changes the clustered record first and looks at the entry after, so one of the two sees the other.
//	(5) Rollback restores entries first, the clustered record last; so a clustered record whose (trx id, roll pointer) is no longer that of the
//	    undo record needs nothing more. Both may run twice and by anyone. What purge or the builder of an index may have made of the entries in between
//	    is put right by a second look afterwards (settleAgain).
//	(6) Two transactions never insert entries of equal unique key at the same time: check and insertion hold the key's stripe (shared.go),
//	    which is never held while waiting for a lock.
//	(7) A delete-marked record goes when its delete is purged. If an unfinished transaction has revived it by then, or given a row a secondary key it had
//	    before, purge leaves that alone; and a rollback that comes back to a version whose change purge has passed (txn.System.Purged, asked under the row's latch)
//	    removes what purge would have removed, the entries of older deletes of the row included. Purge raises its limit before it looks at rows, so one of the two does it.
//	(8) No latch is held when Next returns, or while a row lock is waited for.
//
// Visibility of a clustered row: if the view sees its trx id, take it; else follow the roll pointer. Secondary entry: if its page's newest writer
// is below the view's up limit (so everything on the page is visible and finished), the mark tells; else the version the view sees must produce this very entry.
//
// A scan is bounded by the start of its statement: rows this statement inserted are not returned; rows it changed are returned as they were before,
// or skipped if the scan is the statement's Target. Get and Fresh scans see the transaction's own newest changes.
//
// Locks of reads and writes (REPEATABLE READ and SERIALIZABLE; below that, record locks only and nothing on gaps):
//
//	every record a locking scan visits            next-key on the index entry, then record on the clustered row
//	end of the range                              gap before the first record beyond it, or before the supremum
//	all columns of a unique index given, found    record only;  not found: the gap
//	insert                                        insert intention on the successor; the row itself is locked implicitly by its trx id
//	duplicate found                               S (X for InsertOrLock) record on the clustered index, next-key on the entry of a secondary one
//	update, delete                                X record on the row; X record on every entry that is marked or unmarked
//
// An active writer locks an entry implicitly only by having inserted it. Others it locks when it comes to them, so a reader that was there first keeps its lock, and
// nobody marks or unmarks an entry in the name of an active writer.
//
// Latches: docs/latches.md. A leaf of a secondary tree may be held while the clustered tree is read, never the other way round.
// Overflow pages are latched alone. The stripes of unique keys stand above all page latches.
//
// Contract:
//
//	type Services struct {
//	    Pool *buffer.Pool; Txns *txn.System; Locks *lock.Manager
//	    LockWaitTimeout func(tx *txn.Trx) time.Duration           // innodb_lock_wait_timeout of the transaction's session
//	}
//	func New(def *catalog.Table, svc Services, c *Counters) *Table // cheap: reads nothing. c: of a Table of the same storage that may be in use, or nil
//	func Columns(def *catalog.Table) []row.Column                 // what package row wants to know of the columns
//	(t) Def() *catalog.Table
//
//	type LockMode uint8   // None, Shared, Exclusive
//	type WaitPolicy uint8 // Wait, NoWait, SkipLocked
//	type ScanOptions struct {
//	    Index *catalog.Index                  // one of Def().Indexes; nil = the clustered one
//	    Lower, Upper []byte                   // encoded key prefixes; nil = open
//	    LowerExcl, UpperIncl bool             // LowerExcl: keys that begin with Lower are out; UpperIncl: keys that begin with Upper are in
//	    Reverse bool
//	    Lock LockMode; Wait WaitPolicy
//	    Columns []int                         // nil = all. The others are left NULL; a set that the index covers is served from it
//	    Target bool                           // rows changed by this very statement are skipped: UPDATE/DELETE source
//	    Fresh bool                            // rows changed by this very statement are returned as they are now (foreign key checks)
//	    Match func(vals []row.Value) (bool, error) // READ COMMITTED locking scans: asked about the last committed version of a row that is locked
//	                                          // by somebody else; false skips it without waiting. May be nil
//	}
//	(t) NewScan(tx *txn.Trx, o ScanOptions) *Scan                 // nothing is latched, locked or opened before the first Next
//	(*Scan) Next(ctx context.Context) (vals []row.Value, err error) // by table column; io.EOF at the end. vals and their bytes are the scan's, valid until the next call
//	(*Scan) UnlockRow()                                           // READ COMMITTED: the last row did not match
//	(*Scan) Close()
//	(t) Get(ctx, tx, idx *catalog.Index, key []byte, l LockMode, w WaitPolicy) (vals []row.Value, ok bool, err error)  // key: all columns of a unique index. vals are the caller's
//
//	(t) Insert(ctx, tx, vals []row.Value) error                   // *DuplicateError{Table, Index, Row (the existing one)}; the duplicate is S-locked
//	(t) InsertRows(ctx, tx, vals []row.Value) (came int, err error) // rows of a statement that any error takes back; faster where keys ascend
//	(t) InsertKeyed(ctx, tx, vals, orLock bool, dst []byte) (key []byte, err error) // the same two, and the row's clustered key
//	(t) InsertOrLock(ctx, tx, vals []row.Value) error             // for REPLACE and ON DUPLICATE KEY UPDATE: the duplicate is X-locked
//	(t) Update(ctx, tx, old, new []row.Value) error               // only old's primary key counts (and the row id a scan of this table handed out); base.ErrNotFound
//	(t) Delete(ctx, tx, old []row.Value) error                    // the same
//	Changes                                                       // of one UPDATE or DELETE of many rows: Begin, Update, Delete, Flush, End; see changes.go
//	    Tables without a primary key have a hidden row id: vals of scans, Get and DuplicateError carry it behind the last column (len = columns + 1); Insert ignores it.
//
//	AutoNumbers                                                   // of one INSERT: Next, Given, Came, Back, Release; see autonumbers.go
//	(t) NextAutoInc(ctx, tx, n int) (first uint64, err error)     // reserves n values; PeekAutoInc() (next uint64, err error); SetAutoInc(next uint64) error (raises only), ResetAutoInc
//	(t) Counters *Counters; SaveCounters() error; Counters.Saved() bool // what was reserved and not used so far lives in memory only until it is saved
//	(t) Estimate(idx *catalog.Index, lower, upper []byte) (float64, error); Stats() (Stats{Rows, DataBytes, IndexBytes}, error)
//	(t) BuildIndex(ctx, tx, idx *catalog.Index, fs vfs.FS, tmp string) error     // see build.go; DuplicateError for a unique one
//	(t) Check(ctx, report func(error)) (rows int64, err error)    // secondary against clustered both ways, row bytes, overflow chains; the space's page set: Pages(*space.PageSet)
//	func NewUndoer(use func(base.TableID, func(*Table) error) error) txn.RowUndoer   // use: dict.UseByID
package table
