package perftables

import (
	"sort"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/table"
	"emberdb/internal/base"
)

const (
	UseFile  = "performance_schema.use"
	UseMagic = "EMBERUSE\x01"
)

// Names of waits. Those of InnoDB stand for the engine's files; a wait for a row lock has no name
// in MySQL.
const (
	WaitData        = "wait/io/file/innodb/innodb_data_file"
	WaitLog         = "wait/io/file/innodb/innodb_log_file"
	WaitDoublewrite = "wait/io/file/innodb/innodb_dblwr_file"
	WaitTable       = "wait/io/table/sql/handler"
	WaitRowLock     = "wait/lock/innodb/row"
)

// Timed are the five columns of a sum of events.
func Timed(t base.TimedSum) sql.Row {
	return sql.Row{t.Events, Pico(t.Sum), Pico(t.Min), Pico(t.Sum / max(t.Events, 1)), Pico(t.Max)}
}

// TimedColumns are the names of timed's columns; kind is STAR or a kind of access.
func TimedColumns(kind string) string {
	timer := kind
	if kind == "STAR" {
		timer = "WAIT"
	}
	names := "COUNT_" + kind
	for _, of := range []string{"SUM", "MIN", "AVG", "MAX"} {
		names += ", " + of + "_TIMER_" + timer
	}
	return names
}

// RowSum is a count of rows as a sum of events. The shortest and the longest are not known: both
// are the average.
func RowSum(rows, nanos uint64) base.TimedSum {
	if rows == 0 {
		return base.TimedSum{}
	}
	return base.TimedSum{Events: rows, Sum: nanos, Min: nanos / rows, Max: nanos / rows}
}

// TableUseRow has the columns of a table of waits for tables: all, reads, writes, and each kind.
func TableUseRow(row sql.Row, u table.UseSums) sql.Row {
	var kinds [4]base.TimedSum
	for i, n := range u {
		kinds[i] = RowSum(n.Rows, n.Nanos)
	}
	writes := kinds[table.InsertRow].Plus(kinds[table.UpdateRow]).Plus(kinds[table.DeleteRow])
	row = append(append(append(row, Timed(kinds[table.Fetch].Plus(writes))...), Timed(kinds[table.Fetch])...), Timed(writes)...)
	for _, k := range kinds {
		row = append(row, Timed(k)...)
	}
	return row
}

// ShownUses are the uses of clients' tables, ordered by name.
func ShownUses(all []table.Use) []table.Use {
	shown := all[:0]
	for _, u := range all {
		if !strings.HasPrefix(u.Table, "#sql") { // the words of a FULLTEXT index are the server's own
			shown = append(shown, u)
		}
	}
	sort.Slice(shown, func(i, j int) bool {
		a, b := &shown[i], &shown[j]
		if a.Schema != b.Schema {
			return a.Schema < b.Schema
		}
		if a.Table != b.Table {
			return a.Table < b.Table
		}
		return a.ID < b.ID
	})
	return shown
}

// FileSums are the sums of a file: reads, writes, and the rest.
type FileSums struct{ Read, Write, Misc base.TimedSum }

func (f FileSums) All() base.TimedSum { return f.Read.Plus(f.Write).Plus(f.Misc) }

func (f FileSums) Plus(o FileSums) FileSums {
	return FileSums{f.Read.Plus(o.Read), f.Write.Plus(o.Write), f.Misc.Plus(o.Misc)}
}

func (f FileSums) Row(row sql.Row) sql.Row {
	row = append(append(row, Timed(f.All())...), Timed(f.Read)...)
	row = append(append(row, int64(f.Read.Bytes)), Timed(f.Write)...)
	return append(append(row, int64(f.Write.Bytes)), Timed(f.Misc)...)
}

var FileColumns = TimedColumns("STAR") + ", " + TimedColumns("READ") + ", SUM_NUMBER_OF_BYTES_READ, " + TimedColumns("WRITE") + ", SUM_NUMBER_OF_BYTES_WRITE, " + TimedColumns("MISC")

// UsedFile is a file with its sums.
type UsedFile struct {
	Name, Event string
	FileSums
}
