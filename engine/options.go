package engine

import (
	"log/slog"
	"time"

	"emberdb/binlog"
	"emberdb/engine/warm"
	"emberdb/internal/vfs"
)

// Options of an engine. Zero values of numbers mean the default given.
type Options struct {
	FS      vfs.FS
	DataDir string
	Logger  *slog.Logger
	// Origin is the start of the process: the timeline counts from it.
	Origin time.Time

	PoolBytes        int64      // innodb_buffer_pool_size, 128 MiB
	Memory           PoolMemory // ember_pool_memory; nil: the buffer pool's memory ends with the process
	VerifyMemory     bool       // ember_pool_memory_verify: compare each page taken over
	RedoCapacity     int64      // innodb_redo_log_capacity, 1 GiB
	RedoSegment      int64      // size of a redo segment; 0 = capacity / 32
	FlushLogAtCommit int        // innodb_flush_log_at_trx_commit: 0, 1, 2
	Direct           bool       // innodb_flush_method=O_DIRECT
	Doublewrite      bool       // innodb_doublewrite
	OpenFiles        int        // of tablespaces, at a time; 4000, or a third of what the process may open
	MaxUndo          int64      // innodb_max_undo_log_size if innodb_undo_log_truncate is on, else 0
	TableCache       int        // table_definition_cache, 2000

	IOCapacity, IOCapacityMax int           // innodb_io_capacity(_max), pages a second: 10000, 20000
	OldBlocksPct              int           // innodb_old_blocks_pct, 37
	OldBlocksTime             time.Duration // innodb_old_blocks_time, 1 s
	ReadAheadThreshold        int           // innodb_read_ahead_threshold, 56
	LRUScanDepth              int           // innodb_lru_scan_depth, 1024
	MaxDirtyPct               int           // innodb_max_dirty_pages_pct, 90

	ForceRecovery  int           // innodb_force_recovery: see force.go
	RecoveryTarget time.Duration // ember_recovery_target_seconds; 0: none

	// OnProgress is told about once a second how far a start has come, from its first second until
	// all work it left is done.
	OnProgress func(Progress)

	LockWaitTimeout time.Duration // innodb_lock_wait_timeout, 50 s; sessions override it per transaction
	NoDeadlockCheck bool          // innodb_deadlock_detect=OFF
	RollbackInline  int           // rollbacks of at most so many undo records are done at once, 10000

	Binlog *binlog.Options // log_bin; nil: no binary log. Dir may be relative to the data directory; UUID and logger are filled in

	Warm warm.Options // Dir and UUID are filled in
	// Hold keeps back the reads that no query asks for, those of redo and of the load of the LRU
	// list, until it is closed; nil: they begin at once.
	Hold           <-chan struct{}
	RecoveryMemory int64 // memory of the index of pages to be redone, and at half of it of the records of one part of redo that do not fit free frames of the pool, bytes: an eighth of the pool, from 64 MiB to 1 GiB; what does not fit goes through a file
}

func (o *Options) setDefaults() {
	def(&o.PoolBytes, 128<<20)
	def(&o.RedoCapacity, 1<<30)
	def(&o.OpenFiles, max(10, min(4000, vfs.MaxOpen()/3)))
	def(&o.TableCache, 2000)
	def(&o.IOCapacity, 10000)
	def(&o.IOCapacityMax, 2*o.IOCapacity)
	def(&o.OldBlocksPct, 37)
	def(&o.OldBlocksTime, time.Second)
	def(&o.ReadAheadThreshold, 56)
	def(&o.LRUScanDepth, 1024)
	def(&o.MaxDirtyPct, 90)
	def(&o.LockWaitTimeout, 50*time.Second)
	def(&o.RollbackInline, 10000)
	def(&o.RecoveryMemory, max(64<<20, min(o.PoolBytes/8, 1<<30)))
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Origin.IsZero() {
		o.Origin = time.Now()
	}
}

func def[T comparable](p *T, v T) {
	var zero T
	if *p == zero {
		*p = v
	}
}
