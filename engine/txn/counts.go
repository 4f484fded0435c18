package txn

import "sync/atomic"

// RowCounts count what is done to rows: by a session, and by all. Only the session adds; anybody
// reads. A nil RowCounts counts nothing.
type RowCounts struct{ n [kinds]atomic.Uint64 }

// RowCount is a kind of access.
type RowCount int

// The Handler_* counters of MySQL, and the rows that came of them.
const (
	ReadFirst RowCount = iota
	ReadLast
	ReadKey
	ReadNext
	ReadPrev
	ReadRndNext
	Write
	Update
	Delete
	RowsRead
	RowsInserted
	RowsUpdated
	RowsDeleted
	SelectScan     // SELECTs that read their first table entirely
	SelectRange    // and those that read a range of it
	SelectFullJoin // tables joined without an index
	SortRows
	SortScan // sorted SELECTs, however they read their tables: MySQL 9.7 counts no Sort_range any more
	SortMergePasses
	CreatedTmpTables     // tables that hold what a statement has found
	CreatedTmpDiskTables // those of them that have not stayed in memory
	HitTmpTableSize      // because they met tmp_table_size
	CreatedTmpFiles

	kinds
)

// RowCountNames are MySQL's names of the counters; the rows of tables have only a global value
// there.
var RowCountNames = [kinds]string{"Handler_read_first", "Handler_read_last", "Handler_read_key", "Handler_read_next", "Handler_read_prev", "Handler_read_rnd_next",
	"Handler_write", "Handler_update", "Handler_delete", "Innodb_rows_read", "Innodb_rows_inserted", "Innodb_rows_updated", "Innodb_rows_deleted",
	"Select_scan", "Select_range", "Select_full_join", "Sort_rows", "Sort_scan", "Sort_merge_passes",
	"Created_tmp_tables", "Created_tmp_disk_tables", "Count_hit_tmp_table_size", "Created_tmp_files"}

// Global tells counters that a session does not show.
func (k RowCount) Global() bool { return k >= RowsRead && k <= RowsDeleted || k == CreatedTmpFiles }

// Add counts.
func (c *RowCounts) Add(k RowCount, n int) {
	if c != nil && n > 0 {
		c.n[k].Add(uint64(n))
	}
}

// Get reads a counter.
func (c *RowCounts) Get(k RowCount) uint64 { return c.n[k].Load() }

// MoveTo adds the counters to others and makes them zero.
func (c *RowCounts) MoveTo(to *RowCounts) {
	for k := range c.n {
		to.n[k].Add(c.n[k].Swap(0))
	}
}

// AddTo adds the counters to a sum.
func (c *RowCounts) AddTo(sum *[kinds]uint64) {
	for k := range c.n {
		sum[k] += c.n[k].Load()
	}
}

// RowSums are sums of counters.
type RowSums = [kinds]uint64
