package engine

import (
	"time"

	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/dict"
	"emberdb/engine/lock"
	"emberdb/engine/pagefile"
	"emberdb/engine/recovery"
	"emberdb/engine/redo"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Status is a snapshot of the engine's numbers. Each room's part is consistent in itself, not with
// the others.
type Status struct {
	Pool     buffer.Stats
	Log      redo.Stats
	Files    pagefile.Stats
	Locks    lock.Stats
	Txns     txn.Stats
	Recovery recovery.Stats
	Tables   dict.CacheStats

	LSN           base.LSN // end of the log in memory
	LSNWritten    base.LSN
	LSNDurable    base.LSN
	LSNCheckpoint base.LSN
	LogCapacity   int64
	Up            time.Duration
}

// Status reads the numbers of all rooms.
func (e *Engine) Status() Status {
	s := Status{Pool: e.pool.Stats(), Log: e.log.Stats(), Files: e.files.Stats(), Locks: e.locks.Stats(), Txns: e.txns.Stats(),
		Tables: e.dict.CacheStats(),
		LSN:    e.log.Appended(), LSNWritten: e.log.Written(), LSNDurable: e.log.Durable(), LSNCheckpoint: e.log.CheckpointLSN(),
		LogCapacity: e.log.Capacity(), Up: time.Since(e.o.Origin)}
	if e.redo != nil {
		s.Recovery = e.redo.Stats()
	}
	return s
}

// CachedTables returns the definitions of all tables in use, to give names to what locks know by
// id.
func (e *Engine) CachedTables() []*catalog.Table { return e.dict.AllCached() }

// CachedTable returns the definition of a table that was in use just now, nil if it was not.
func (e *Engine) CachedTable(schema, name string) *catalog.Table {
	if t := e.dict.Cached(schema, name); t != nil {
		return t.Def()
	}
	return nil
}

// Failed is why the engine has stopped writing; nil while it works.
func (e *Engine) Failed() error { return e.failure.Err() }
