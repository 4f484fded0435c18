package server

import (
	"encoding/json"
	"path/filepath"
	"sort"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine"
	"emberdb/engine/pagefile"
	"emberdb/engine/table"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
	"emberdb/perfschema"
	"emberdb/server/virtual"
)

// performance_schema's tables of what the engine did with tables, indexes and files, and of what it
// waited for. The engine counts; its counts are kept in a file beside the digests.

const (
	useFile  = "performance_schema.use"
	useMagic = "EMBERUSE\x01"
)

// Names of waits. Those of InnoDB stand for the engine's files; a wait for a row lock has no name
// in MySQL.
const (
	waitData        = "wait/io/file/innodb/innodb_data_file"
	waitLog         = "wait/io/file/innodb/innodb_log_file"
	waitDoublewrite = "wait/io/file/innodb/innodb_dblwr_file"
	waitTable       = "wait/io/table/sql/handler"
	waitRowLock     = "wait/lock/innodb/row"
)

// seedUse gives the engine what it had counted before the start, once.
func (s *Server) seedUse() {
	s.kept.Lock()
	defer s.kept.Unlock()
	e := s.backend.Engine()
	was := s.kept.seeded
	s.kept.seeded = true
	if e == nil || was {
		return
	}
	held, err := perfschema.Kept(vfs.NewOS(s.log), filepath.Join(s.dir, useFile), useMagic)
	var u engine.Use
	if err == nil && held != nil {
		if err = json.Unmarshal(held, &u); err == nil {
			e.SeedUse(u)
		}
	}
	if err != nil {
		s.log.Warn("performance_schema begins without the last run's counts of tables and files", "error", err)
	}
}

// saveUse writes what the engine has counted. REQUIRES: s.kept is locked.
func (s *Server) saveUse(fsys vfs.FS) error {
	e := s.backend.Engine()
	if e == nil || !s.kept.seeded {
		return nil // the file has more than what was counted since the start
	}
	u := e.Use()
	tables := u.Tables[:0]
	for _, t := range u.Tables {
		if t.Sums != (table.UseSums{}) {
			tables = append(tables, t)
		}
	}
	u.Tables = tables
	held, err := json.Marshal(u)
	if err != nil {
		return err
	}
	return perfschema.Keep(fsys, filepath.Join(s.dir, useFile), useMagic, held)
}

// use is what the engine has counted.
func (s *Server) use() (u engine.Use) {
	if e := s.backend.Engine(); e != nil && s.performance.Enabled() {
		u = e.Use()
	}
	return u
}

// truncateUse is TRUNCATE of a table of what the engine counts; false: it is another.
func (s *Server) truncateUse(name string) bool {
	tables, files, waits := strings.HasPrefix(name, "table_io_waits_"), strings.HasPrefix(name, "file_summary_"), name == "events_waits_summary_global_by_event_name"
	e := s.backend.Engine()
	if e == nil || !tables && !files && !waits {
		return false
	}
	if tables || waits {
		e.ResetTableUse()
	}
	if files || waits {
		e.ResetFileUse()
	}
	if waits {
		e.ResetLockUse()
	}
	return true
}

func (s *Server) fillUse(d *virtual.Database) {
	s.fillTableUse(d)
	s.fillFileUse(d)
	s.fillWaits(d)
	s.fillMemory(d)
	s.fillStages(d)
}

// timed are the five columns of a sum of events.
func timed(t base.TimedSum) sql.Row {
	return sql.Row{t.Events, pico(t.Sum), pico(t.Min), pico(t.Sum / max(t.Events, 1)), pico(t.Max)}
}

// timedColumns are the names of timed's columns; kind is STAR or a kind of access.
func timedColumns(kind string) string {
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

// rowSum is a count of rows as a sum of events. The shortest and the longest are not known: both
// are the average.
func rowSum(rows, nanos uint64) base.TimedSum {
	if rows == 0 {
		return base.TimedSum{}
	}
	return base.TimedSum{Events: rows, Sum: nanos, Min: nanos / rows, Max: nanos / rows}
}

// tableUseRow has the columns of a table of waits for tables: all, reads, writes, and each kind.
func tableUseRow(row sql.Row, u table.UseSums) sql.Row {
	var kinds [4]base.TimedSum
	for i, n := range u {
		kinds[i] = rowSum(n.Rows, n.Nanos)
	}
	writes := kinds[table.InsertRow].Plus(kinds[table.UpdateRow]).Plus(kinds[table.DeleteRow])
	row = append(append(append(row, timed(kinds[table.Fetch].Plus(writes))...), timed(kinds[table.Fetch])...), timed(writes)...)
	for _, k := range kinds {
		row = append(row, timed(k)...)
	}
	return row
}

// shownUses are the uses of clients' tables, ordered by name.
func shownUses(all []table.Use) []table.Use {
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

func (s *Server) fillTableUse(d *virtual.Database) {
	sums := timedColumns("STAR")
	for _, kind := range []string{"READ", "WRITE", "FETCH", "INSERT", "UPDATE", "DELETE"} {
		sums += ", " + timedColumns(kind)
	}
	d.Fill("table_io_waits_summary_by_index_usage", "OBJECT_TYPE, OBJECT_SCHEMA, OBJECT_NAME, INDEX_NAME, "+sums, func(*sql.Context) (out []sql.Row, _ error) {
		for _, u := range shownUses(s.use().Tables) {
			out = append(out, tableUseRow(sql.Row{"TABLE", u.Schema, u.Table, orNull(u.Index)}, u.Sums))
		}
		return out, nil
	})
	d.Fill("table_io_waits_summary_by_table", "OBJECT_TYPE, OBJECT_SCHEMA, OBJECT_NAME, "+sums, func(*sql.Context) (out []sql.Row, _ error) {
		all := shownUses(s.use().Tables)
		for len(all) > 0 {
			first, sum := all[0], table.UseSums{}
			for len(all) > 0 && all[0].Space == first.Space {
				for k, n := range all[0].Sums {
					sum[k].Rows += n.Rows
					sum[k].Nanos += n.Nanos
				}
				all = all[1:]
			}
			out = append(out, tableUseRow(sql.Row{"TABLE", first.Schema, first.Table}, sum))
		}
		return out, nil
	})
}

// fileSums are the sums of a file: reads, writes, and the rest.
type fileSums struct{ read, write, misc base.TimedSum }

func (f fileSums) all() base.TimedSum { return f.read.Plus(f.write).Plus(f.misc) }

func (f fileSums) plus(o fileSums) fileSums {
	return fileSums{f.read.Plus(o.read), f.write.Plus(o.write), f.misc.Plus(o.misc)}
}

func (f fileSums) row(row sql.Row) sql.Row {
	row = append(append(row, timed(f.all())...), timed(f.read)...)
	row = append(append(row, int64(f.read.Bytes)), timed(f.write)...)
	return append(append(row, int64(f.write.Bytes)), timed(f.misc)...)
}

var fileColumns = timedColumns("STAR") + ", " + timedColumns("READ") + ", SUM_NUMBER_OF_BYTES_READ, " + timedColumns("WRITE") + ", SUM_NUMBER_OF_BYTES_WRITE, " + timedColumns("MISC")

// usedFile is a file with its sums.
type usedFile struct {
	name, event string
	fileSums
}

// usedFiles are the files of tables, then the doublewrite area, then the redo log, whose segments
// are counted as one.
func (s *Server) usedFiles(u engine.Use) (out []usedFile) {
	sort.Slice(u.Files, func(i, j int) bool { return u.Files[i].Space < u.Files[j].Space })
	for _, f := range u.Files {
		out = append(out, usedFile{pagefile.PathIn(s.dir, f.Space), waitData, fileSums{f.Read, f.Write, f.Sync}})
	}
	return append(out, usedFile{filepath.Join(s.dir, pagefile.DoublewriteFile), waitDoublewrite, fileSums{write: u.DoublewriteWrite, misc: u.DoublewriteSync}},
		usedFile{filepath.Join(s.dir, "redo"), waitLog, fileSums{write: u.LogWrite, misc: u.LogSync}})
}

func (s *Server) fillFileUse(d *virtual.Database) {
	d.Fill("file_summary_by_instance", "FILE_NAME, EVENT_NAME, OBJECT_INSTANCE_BEGIN, "+fileColumns, func(*sql.Context) (out []sql.Row, _ error) {
		for i, f := range s.usedFiles(s.use()) {
			out = append(out, f.row(sql.Row{f.name, f.event, uint64(i + 1)}))
		}
		return out, nil
	})
	d.Fill("file_summary_by_event_name", "EVENT_NAME, "+fileColumns, func(*sql.Context) (out []sql.Row, _ error) {
		sums := map[string]fileSums{}
		for _, f := range s.usedFiles(s.use()) {
			sums[f.event] = sums[f.event].plus(f.fileSums)
		}
		for _, event := range []string{waitData, waitDoublewrite, waitLog} {
			out = append(out, sums[event].row(sql.Row{event}))
		}
		return out, nil
	})
	d.Fill("file_instances", "FILE_NAME, EVENT_NAME, OPEN_COUNT", func(*sql.Context) (out []sql.Row, _ error) {
		for _, f := range s.usedFiles(s.use()) {
			out = append(out, sql.Row{f.name, f.event, int64(1)})
		}
		return out, nil
	})
}

func (s *Server) fillWaits(d *virtual.Database) {
	d.Fill("events_waits_summary_global_by_event_name", "EVENT_NAME, "+timedColumns("STAR"), func(*sql.Context) (out []sql.Row, _ error) {
		use := s.use()
		sums := map[string]base.TimedSum{waitRowLock: use.RowLocks}
		for _, f := range s.usedFiles(use) {
			sums[f.event] = sums[f.event].Plus(f.all())
		}
		for _, u := range shownUses(use.Tables) {
			for _, n := range u.Sums {
				sums[waitTable] = sums[waitTable].Plus(rowSum(n.Rows, n.Nanos))
			}
		}
		for _, event := range []string{waitData, waitDoublewrite, waitLog, waitTable, waitRowLock} {
			out = append(out, append(sql.Row{event}, timed(sums[event])...))
		}
		return out, nil
	})
}
