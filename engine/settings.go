package engine

import (
	"time"

	"emberdb/internal/base"
)

// Settings that change while the engine runs.

// SetPoolBytes resizes the buffer pool; it returns when the new size is reached.
func (e *Engine) SetPoolBytes(n int64) error { return e.pool.Resize(int(n / base.PageSize)) }

// SetRedoCapacity resizes the redo log.
func (e *Engine) SetRedoCapacity(n int64) error { return e.log.Resize(n) }

// SetIOCapacity paces the page cleaner: pages a second, and at most.
func (e *Engine) SetIOCapacity(n, most int) { e.pool.Flusher().SetIOCapacity(n, most) }

// SetOldBlocks sets the share of the LRU list's old part and the time a page stays there at least.
func (e *Engine) SetOldBlocks(pct int, age time.Duration) { e.pool.LRU().SetOldBlocks(pct, age) }

// SetReadAheadThreshold sets how many pages of an extent read in order start a read-ahead.
func (e *Engine) SetReadAheadThreshold(n int) { e.pool.Reader().SetReadAheadThreshold(n) }

// SetMaxDirtyPct sets the share of dirty pages the cleaner stays below.
func (e *Engine) SetMaxDirtyPct(pct int) { e.pool.Flusher().SetMaxDirtyPct(pct) }

// SetMaxUndo makes the undo space give disk back when it is larger than n bytes; 0: never.
func (e *Engine) SetMaxUndo(n int64) { e.txns.SetMaxUndo(n) }

// SetTableCache sets about how many tables are kept in memory.
func (e *Engine) SetTableCache(n int) { e.dict.SetCacheLimit(n) }

// SetDeadlockDetect switches the search for deadlocks.
func (e *Engine) SetDeadlockDetect(on bool) { e.locks.SetDeadlockDetect(on) }
