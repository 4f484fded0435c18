package engine

import (
	"emberdb/engine/pagefile"
	"emberdb/engine/table"
	"emberdb/internal/base"
)

// Use is what was done with tables and files, and what was waited for. It can be carried from one
// process to the next, and made zero, without a change of the counters of Status.
type Use struct {
	Tables []table.Use
	Files  []pagefile.FileUse

	LogWrite, LogSync                 base.TimedSum
	DoublewriteWrite, DoublewriteSync base.TimedSum
	RowLocks                          base.TimedSum
}

// Use returns what was counted since the start, or since the resets.
func (e *Engine) Use() Use {
	log, files := e.log.Stats(), e.files.Stats()
	return Use{
		Tables: e.rows.Uses(), Files: e.files.Uses(),
		LogWrite: log.Write, LogSync: log.Sync,
		DoublewriteWrite: files.DoublewriteWrite, DoublewriteSync: files.DoublewriteSync,
		RowLocks: e.locks.Stats().RowUse,
	}
}

// SeedUse adds what an earlier process has counted.
// REQUIRES: called once, after Open. Files and tables that are gone since are left out.
func (e *Engine) SeedUse(u Use) {
	tables := u.Tables[:0:0]
	for _, t := range u.Tables {
		if e.files.Exists(t.Space) {
			tables = append(tables, t)
		}
	}
	e.rows.SeedUses(tables)
	files := u.Files[:0:0]
	for _, f := range u.Files {
		if e.files.Exists(f.Space) {
			files = append(files, f)
		}
	}
	e.files.SeedUses(files, u.DoublewriteWrite, u.DoublewriteSync)
	log := e.log.Stats()
	e.log.SetUse(log.Write.Plus(u.LogWrite), log.Sync.Plus(u.LogSync))
	e.locks.SetRowUse(e.locks.Stats().RowUse.Plus(u.RowLocks))
}

// ResetTableUse makes the counts of tables zero.
func (e *Engine) ResetTableUse() { e.rows.ResetUses() }

// ResetFileUse makes the counts of files, of the log too, zero.
func (e *Engine) ResetFileUse() {
	e.files.ResetUses()
	e.log.SetUse(base.TimedSum{}, base.TimedSum{})
}

// ResetLockUse makes the counts of waits for row locks zero.
func (e *Engine) ResetLockUse() { e.locks.SetRowUse(base.TimedSum{}) }
