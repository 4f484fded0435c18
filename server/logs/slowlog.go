package logs

import (
	"emberdb/engine/txn"
)

// SlowRows are the session's counts that an entry shows, in MySQL's order and by its names there.
// RowsRead is Rows_examined.
var SlowRows = [...]struct {
	Of   txn.RowCount
	Name string
}{
	{txn.RowsRead, ""}, {txn.ReadFirst, "Read_first"}, {txn.ReadLast, "Read_last"}, {txn.ReadKey, "Read_key"}, {txn.ReadNext, "Read_next"},
	{txn.ReadPrev, "Read_prev"}, {NotDone, "Read_rnd"}, {txn.ReadRndNext, "Read_rnd_next"}, {txn.SortMergePasses, "Sort_merge_passes"},
	{NotDone, "Sort_range_count"}, {txn.SortRows, "Sort_rows"}, {txn.SortScan, "Sort_scan_count"},
	{txn.CreatedTmpDiskTables, "Created_tmp_disk_tables"}, {txn.CreatedTmpTables, "Created_tmp_tables"}, {txn.HitTmpTableSize, "Count_hit_tmp_table_size"},
}

// NotDone stands for what no statement does here: rows are not read again by their position, and
// sorts of a range are counted with the others (as MySQL 9.7 does).
const NotDone txn.RowCount = -1

// SlowBegin is what a connection had counted when its statement began.
type SlowBegin struct {
	Rows           [len(SlowRows)]uint64
	Waited         uint64
	Received, Sent uint64
}

const LogTime = "2006-01-02T15:04:05.000000Z"

// KilledBy is the error by which a statement was ended by KILL, by a time limit or by a shutdown; 0:
// it was not.
func KilledBy(errno int) int {
	switch errno {
	case 1317, 1053, 3024:
		return errno
	}
	return 0
}
