// Package table gives rows their meaning over trees: clustered and secondary indexes, versions, visibility, locking reads, constraints of uniqueness, overflow values, undo and purge of rows.
//
// Clustered leaf value:   flags u8 (1 = delete-marked) | trx id u64 | roll pointer u64 | row bytes (package row)      key: encoded primary key, or 8-byte row id where a table has none
// Secondary leaf value:   flags u8 (1 = delete-marked)                                                               key: encoded index columns + encoded primary key
// A long value (over row.InlineMax) is stored in a chain of overflow pages in the same space and replaced by a reference in the row bytes.
//
// A change is, under the X latch of the clustered leaf: check and lock -> undo record (own mini-transaction, committed first) -> change the leaf -> commit; then the secondary entries, one mini-transaction each.
// Updates that change the key are delete-mark + insert. Deletes only mark; purge removes.
//
// Visibility of a clustered row: if the view sees its trx id, take it; else follow the roll pointer. Secondary entry: if not marked and the page's newest writer is below the view's up limit and below the oldest aborted id, it is visible;
// else judge through the clustered row: the version the view sees must produce this very entry.
package table
