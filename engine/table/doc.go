// Package table gives rows their meaning over trees: clustered and secondary indexes, versions,
// visibility, locking reads, constraints of uniqueness, overflow values, undo and purge of rows.
//
//	table.go     Table, Services: a definition bound to its trees
//	format.go    the values of clustered and secondary records; the bodies of undo records
//	overflow.go  chains of overflow pages for long values
//	version.go   from the newest version of a row to older ones
//	rowlock.go   record locks of rows and entries, implicit locks
//	insert.go, insertrows.go, update.go, delete.go   changes of rows
//	changes.go, changedentries.go   many rows changed or deleted, leaf by leaf
//	entry.go, unique.go   secondary entries, uniqueness
//	entryrun.go  secondary entries of many rows, leaf by leaf
//	elements.go  the entries that one row has in a multi-valued index
//	scan.go      Scan and its options;  decode.go  the values of its rows
//	snapshot.go  consistent reads;  leaves.go  those of whole leaves;  lookups.go  those of many keys
//	locking.go   locking reads;  lockleaf.go  those that lock leaf by leaf
//	undo.go      rollback and purge of a row (txn.RowUndoer)
//	build.go     an index built while others write;  sort.go  its external sort;  load.go, gather.go  a table filled before anybody knows it
//	online.go    the rows that change while a table is rewritten
//	autoinc.go   auto-increment values, hidden row ids;  estimate.go  sizes for the planner;  check.go  the slow verifier
//
// Clustered leaf value: flags u8 (1 = delete-marked) | trx id u64 | roll pointer u64 | row bytes
// (package row) key: encoded primary key, or an 8-byte row id (big-endian) where a table has none.
// Secondary leaf value: flags u8 (1 = delete-marked) key: encoded index columns + clustered key
//
// In a multi-valued index (catalog.MultiValued) one column of the row lists elements (package row),
// and the key has one of them in its place: a row has an entry for each element. Whoever makes,
// marks, settles, builds or checks entries goes through all of them; an update makes and marks those
// only that one of the versions lacks. Elements of one row differ, so a unique key never meets its
// own row. A change that loses more keys of one row than maxGone bytes is refused. A scan gives a
// row once for each of its entries in the range.
//
// A row whose record would exceed btree.MaxRecord has its longest values moved to overflow pages; a
// reference stands in the row bytes.
//
// A change is, under the X latch of the clustered leaf: check and lock, undo record (own
// mini-transaction, committed first), change the leaf, commit; then the secondary entries, one
// mini-transaction each (Changes, InsertRows: those of a leaf together). An update that changes the
// clustered key is delete-mark + insert. Deletes only mark; purge removes. A row operation is all
// or nothing: when it fails half-way it takes back what it did.
//
// Invariants:
//
//	(1) The clustered record is the truth. A secondary entry only says that some version of the
//	    row may have this key.
//	(2) For every version of a row that somebody can still need (the newest, and older ones down
//	    to the purge limit) there is an entry of its key in every index, except between the change
//	    of the clustered record and that of the entry, in which the writer still holds the row's X
//	    lock.
//	(3) An entry that is not delete-marked belongs to the newest version, with the same exception.
//	(4) Entries are removed or marked by rollback and purge only under the X latch of their leaf
//	    and after a look at the row's versions under that latch. A writer changes the clustered
//	    record first and looks at the entry after, so one of the two sees the other.
//	(5) Rollback restores entries first, the clustered record last; so a clustered record whose
//	    (trx id, roll pointer) is no longer that of the undo record needs nothing more. Both may
//	    run twice and by anyone. What purge or the builder of an index may have made of the
//	    entries in between is put right by a second look afterwards (settleAgain).
//	(6) Two transactions never insert entries of equal unique key at the same time: check and
//	    insertion hold the key's stripe (shared.go), which is never held while waiting for a lock.
//	(7) A delete-marked record goes when its delete is purged. If an unfinished transaction has
//	    revived it by then, or given a row a secondary key it had before, purge leaves that alone;
//	    and a rollback that comes back to a version whose change purge has passed
//	    (txn.System.Purged, asked under the row's latch) removes what purge would have removed,
//	    the entries of older deletes of the row included. Purge raises its limit before it looks
//	    at rows, so one of the two does it.
//	(8) No latch is held when Next returns, or while a row lock is waited for.
//
// Visibility of a clustered row: if the view sees its trx id, take it; else follow the roll
// pointer. Secondary entry: if its page's newest writer is below the view's up limit (so everything
// on the page is visible and finished), the mark tells; else the version the view sees must produce
// this very entry.
//
// A scan is bounded by the start of its statement: rows this statement inserted are not returned;
// rows it changed are returned as they were before, or skipped if the scan is the statement's
// Target. Get and Fresh scans see the transaction's own newest changes.
//
// Locks of reads and writes (REPEATABLE READ and SERIALIZABLE; below that, record locks only and
// nothing on gaps):
//
//	every record a locking scan visits            next-key on the index entry, then record on the clustered row
//	end of the range                              gap before the first record beyond it, or before the supremum
//	all columns of a unique index given, found    record only;  not found: the gap
//	insert                                        insert intention on the successor; the row itself is locked implicitly by its trx id
//	duplicate found                               S (X for InsertOrLock) record on the clustered index, next-key on the entry of a secondary one
//	update, delete                                X record on the row; X record on every entry that is marked or unmarked
//
// An active writer locks an entry implicitly only by having inserted it. Others it locks when it
// comes to them, so a reader that was there first keeps its lock, and nobody marks or unmarks an
// entry in the name of an active writer.
//
// Latches: docs/latches.md. A leaf of a secondary tree may be held while the clustered tree is
// read, never the other way round. Overflow pages are latched alone. The stripes of unique keys
// stand above all page latches.
//
// Tables without a primary key have a hidden row id: rows that were read carry it behind their last
// column, and Update and Delete want it there; Insert ignores it.
package table
