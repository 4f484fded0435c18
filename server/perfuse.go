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
	"emberdb/server/perftables"
	"emberdb/server/virtual"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// performance_schema's tables of what the engine did with tables, indexes and files, and of what it
// waited for. The engine counts; its counts are kept in a file beside the digests.

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
	held, err := perfschema.Kept(vfs.NewOS(s.log), filepath.Join(s.dir, perftables.UseFile), perftables.UseMagic)
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
	return perfschema.Keep(fsys, filepath.Join(s.dir, perftables.UseFile), perftables.UseMagic, held)
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

func (s *Server) fillTableUse(d *virtual.Database) {
	sums := perftables.TimedColumns("STAR")
	for _, kind := range []string{"READ", "WRITE", "FETCH", "INSERT", "UPDATE", "DELETE"} {
		sums += ", " + perftables.TimedColumns(kind)
	}
	d.Fill("table_io_waits_summary_by_index_usage", "OBJECT_TYPE, OBJECT_SCHEMA, OBJECT_NAME, INDEX_NAME, "+sums, func(*sql.Context) (out []sql.Row, _ error) {
		for _, u := range perftables.ShownUses(s.use().Tables) {
			out = append(out, perftables.TableUseRow(sql.Row{"TABLE", u.Schema, u.Table, virtual.OrNull(u.Index)}, u.Sums))
		}
		return out, nil
	})
	d.Fill("table_io_waits_summary_by_table", "OBJECT_TYPE, OBJECT_SCHEMA, OBJECT_NAME, "+sums, func(*sql.Context) (out []sql.Row, _ error) {
		all := perftables.ShownUses(s.use().Tables)
		for len(all) > 0 {
			first, sum := all[0], table.UseSums{}
			for len(all) > 0 && all[0].Space == first.Space {
				for k, n := range all[0].Sums {
					sum[k].Rows += n.Rows
					sum[k].Nanos += n.Nanos
				}
				all = all[1:]
			}
			out = append(out, perftables.TableUseRow(sql.Row{"TABLE", first.Schema, first.Table}, sum))
		}
		return out, nil
	})
}

// usedFiles are the files of tables, then the doublewrite area, then the redo log, whose segments
// are counted as one.
func (s *Server) usedFiles(u engine.Use) (out []perftables.UsedFile) {
	sort.Slice(u.Files, func(i, j int) bool { return u.Files[i].Space < u.Files[j].Space })
	for _, f := range u.Files {
		out = append(out, perftables.UsedFile{Name: pagefile.PathIn(s.dir, f.Space), Event: perftables.WaitData, FileSums: perftables.FileSums{Read: f.Read, Write: f.Write, Misc: f.Sync}})
	}
	return append(out, perftables.UsedFile{Name: filepath.Join(s.dir, pagefile.DoublewriteFile), Event: perftables.WaitDoublewrite, FileSums: perftables.FileSums{Write: u.DoublewriteWrite, Misc: u.DoublewriteSync}},
		perftables.UsedFile{Name: filepath.Join(s.dir, "redo"), Event: perftables.WaitLog, FileSums: perftables.FileSums{Write: u.LogWrite, Misc: u.LogSync}})
}

func (s *Server) fillFileUse(d *virtual.Database) {
	d.Fill("file_summary_by_instance", "FILE_NAME, EVENT_NAME, OBJECT_INSTANCE_BEGIN, "+perftables.FileColumns, func(*sql.Context) (out []sql.Row, _ error) {
		for i, f := range s.usedFiles(s.use()) {
			out = append(out, f.Row(sql.Row{f.Name, f.Event, uint64(i + 1)}))
		}
		return out, nil
	})
	d.Fill("file_summary_by_event_name", "EVENT_NAME, "+perftables.FileColumns, func(*sql.Context) (out []sql.Row, _ error) {
		sums := map[string]perftables.FileSums{}
		for _, f := range s.usedFiles(s.use()) {
			sums[f.Event] = sums[f.Event].Plus(f.FileSums)
		}
		for _, event := range []string{perftables.WaitData, perftables.WaitDoublewrite, perftables.WaitLog} {
			out = append(out, sums[event].Row(sql.Row{event}))
		}
		return out, nil
	})
	d.Fill("file_instances", "FILE_NAME, EVENT_NAME, OPEN_COUNT", func(*sql.Context) (out []sql.Row, _ error) {
		for _, f := range s.usedFiles(s.use()) {
			out = append(out, sql.Row{f.Name, f.Event, int64(1)})
		}
		return out, nil
	})
}

func (s *Server) fillWaits(d *virtual.Database) {
	d.Fill("events_waits_summary_global_by_event_name", "EVENT_NAME, "+perftables.TimedColumns("STAR"), func(*sql.Context) (out []sql.Row, _ error) {
		use := s.use()
		sums := map[string]base.TimedSum{perftables.WaitRowLock: use.RowLocks}
		for _, f := range s.usedFiles(use) {
			sums[f.Event] = sums[f.Event].Plus(f.All())
		}
		for _, u := range perftables.ShownUses(use.Tables) {
			for _, n := range u.Sums {
				sums[perftables.WaitTable] = sums[perftables.WaitTable].Plus(perftables.RowSum(n.Rows, n.Nanos))
			}
		}
		for _, event := range []string{perftables.WaitData, perftables.WaitDoublewrite, perftables.WaitLog, perftables.WaitTable, perftables.WaitRowLock} {
			out = append(out, append(sql.Row{event}, perftables.Timed(sums[event])...))
		}
		return out, nil
	})
}

// cacheIndex is CACHE INDEX and LOAD INDEX INTO CACHE. The only key cache is the default one, and
// the engine has no use for it: each table that exists is told so.
func (x *execution) cacheIndex(ctx *sql.Context, n *ast.CacheIndex) error {
	if err := x.h.s.mayUnrun(ctx, n); err != nil {
		return err
	}
	if c := n.Cache; !n.Load && c.Given() && !strings.EqualFold(c.Name, "default") {
		return sqlerr.NewError(1284, "Unknown key cache '%s'", c.Name)
	}
	operation := map[bool]string{false: "assign_to_keycache", true: "preload_keys"}[n.Load]
	var rows [][]any
	for _, t := range n.Tables {
		name := tableName{t.Table.Schema.Name, t.Table.Name.Name}
		if name.db == "" {
			if name.db = ctx.GetCurrentDatabase(); name.db == "" {
				return sqlerr.NewError(1046, "No database selected")
			}
		}
		if _, _, err := x.h.e.Analyzer.Catalog.Table(ctx, name.db, name.name); err != nil {
			rows = append(rows, []any{name, operation, "Error", sqlerr.Translate(err, name.db).Message}, []any{name, operation, "status", "Operation failed"})
			continue
		}
		rows = append(rows, []any{name, operation, "note", "The storage engine for the table doesn't support " + operation})
	}
	return x.table(ctx, maintenanceColumns(), rows)
}
