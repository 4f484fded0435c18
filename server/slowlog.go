package server

import (
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/vitess/go/mysql"

	"emberdb/engine/txn"
	"emberdb/sqllayer"
)

// The slow log. An entry has MySQL's lines; with log_slow_extra its third line goes on with what the
// statement did.

// slowRows are the session's counts that an entry shows, in MySQL's order and by its names there.
// RowsRead is Rows_examined.
var slowRows = [...]struct {
	of   txn.RowCount
	name string
}{
	{txn.RowsRead, ""}, {txn.ReadFirst, "Read_first"}, {txn.ReadLast, "Read_last"}, {txn.ReadKey, "Read_key"}, {txn.ReadNext, "Read_next"},
	{txn.ReadPrev, "Read_prev"}, {notDone, "Read_rnd"}, {txn.ReadRndNext, "Read_rnd_next"}, {txn.SortMergePasses, "Sort_merge_passes"},
	{notDone, "Sort_range_count"}, {txn.SortRows, "Sort_rows"}, {txn.SortScan, "Sort_scan_count"},
	{txn.CreatedTmpDiskTables, "Created_tmp_disk_tables"}, {txn.CreatedTmpTables, "Created_tmp_tables"}, {txn.HitTmpTableSize, "Count_hit_tmp_table_size"},
}

// notDone stands for what no statement does here: rows are not read again by their position, and
// sorts of a range are counted with the others (as MySQL 9.7 does).
const notDone txn.RowCount = -1

// slowBegin is what a connection had counted when its statement began.
type slowBegin struct {
	rows           [len(slowRows)]uint64
	waited         uint64
	received, sent uint64
}

func (w *wireConn) slowCounts() (b slowBegin) {
	if s, ok := w.session.(*sqllayer.Session); ok {
		for i, r := range slowRows {
			if r.of != notDone {
				b.rows[i] = s.RowCount(r.of)
			}
		}
		b.waited = s.LockWaited()
	}
	b.received, b.sent = w.bytesIn.Load(), w.bytesOut.Load()
	return b
}

// beginSlow notes the counts if the slow log is on.
func (w *wireConn) beginSlow() {
	if w.srv.logs.slowOn.Load() {
		w.slowBegan = w.slowCounts()
	}
}

// slowStatement counts a statement that took too long, and logs it.
func (x *execution) slowStatement(took time.Duration, e *mysql.SQLError) {
	if took.Microseconds() < x.w.vars.longQueryMicros.Load() {
		return
	}
	x.h.s.counters.slowQueries.Add(1)
	x.w.slow.Add(1)
	x.h.s.logs.slow(x, took, e)
}

// slow logs a statement that took too long.
func (q *queryLogs) slow(x *execution, took time.Duration, e *mysql.SQLError) {
	if !q.slowOn.Load() {
		return
	}
	entry := q.slowEntry(x, took, e)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.slowF.f != nil && !q.none {
		_, _ = q.slowF.f.WriteString(entry)
	}
}

const logTime = "2006-01-02T15:04:05.000000Z"

func (q *queryLogs) slowEntry(x *execution, took time.Duration, e *mysql.SQLError) string {
	was, now := x.w.slowBegan, x.w.slowCounts()
	did := func(i int) uint64 {
		if now.rows[i] < was.rows[i] { // FLUSH STATUS came between
			return now.rows[i]
		}
		return now.rows[i] - was.rows[i]
	}
	var b strings.Builder
	end := x.start.Add(took).UTC().Format(logTime)
	fmt.Fprintf(&b, "# Time: %s\n# User@Host: %s[%s] @ %s  Id: %5d\n", end, oneLine(x.w.account.user), oneLine(x.w.user), x.w.host(), x.w.id)
	fmt.Fprintf(&b, "# Query_time: %.6f  Lock_time: %.6f Rows_sent: %d  Rows_examined: %d", took.Seconds(), time.Duration(now.waited-was.waited).Seconds(), max(x.rows, 0), did(0))
	if q.slowExtra.Load() {
		errno := 0
		if e != nil {
			errno = e.Num
		}
		fmt.Fprintf(&b, " Thread_id: %d Errno: %d Killed: %d Bytes_received: %d Bytes_sent: %d", x.w.id, errno, killedBy(errno), now.received-was.received, now.sent-was.sent)
		for i, r := range slowRows {
			if r.name != "" {
				fmt.Fprintf(&b, " %s: %d", r.name, did(i))
			}
		}
		fmt.Fprintf(&b, "  Start: %s End: %s", x.start.UTC().Format(logTime), end)
	}
	b.WriteByte('\n')
	if x.db != "" {
		fmt.Fprintf(&b, "use %s;\n", oneLine(x.db))
	}
	fmt.Fprintf(&b, "SET timestamp=%d;\n%s;\n", x.start.Unix(), maskSecrets(strings.TrimRight(x.query, "; \n")))
	return b.String()
}

// killedBy is the error by which a statement was ended by KILL, by a time limit or by a shutdown; 0:
// it was not.
func killedBy(errno int) int {
	switch errno {
	case 1317, 1053, 3024:
		return errno
	}
	return 0
}
