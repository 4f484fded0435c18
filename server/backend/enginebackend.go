package backend

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"emberdb/backup"
	"emberdb/engine"
	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/recovery"
	"emberdb/engine/txn"
	"emberdb/engine/warm"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
	"emberdb/server/options"
	"emberdb/sqllayer"
)

// EngineBackend is the Backend over the storage engine.
type EngineBackend struct {
	eng        *engine.Engine
	answered   chan struct{} // closed behind the first query
	log        *slog.Logger
	background sync.WaitGroup // slow changes under way
	mu         sync.Mutex
	ints       map[string]int64 // settings that are applied in pairs
	maxUndo    int64
	cutUndo    bool

	// Restoring tells how far the pages of a backup are that the data directory is restored from
	// while the server works; nil: it is not.
	Restoring func() backup.Progress
}

var _ Backend = (*EngineBackend)(nil)

// NewEngineBackend serves eng, which was opened with the options of o.
func NewEngineBackend(eng *engine.Engine, o *options.Settings, log *slog.Logger) *EngineBackend {
	b := &EngineBackend{eng: eng, answered: make(chan struct{}), log: log, ints: map[string]int64{}}
	for _, name := range []string{"innodb_io_capacity", "innodb_io_capacity_max", "innodb_old_blocks_pct", "innodb_old_blocks_time"} {
		b.ints[name] = o.Int(name)
	}
	b.maxUndo, b.cutUndo = o.Int("innodb_max_undo_log_size"), o.Bool("innodb_undo_log_truncate")
	return b
}

// EngineOptions translates settings for engine.Open.
func EngineOptions(o *options.Settings, log *slog.Logger, origin time.Time) engine.Options {
	return engine.Options{
		FS: vfs.NewOS(log), DataDir: o.String("datadir"), Logger: log, Origin: origin,
		PoolBytes: o.Int("innodb_buffer_pool_size"), RedoCapacity: o.Int("innodb_redo_log_capacity"),
		FlushLogAtCommit: int(o.Int("innodb_flush_log_at_trx_commit")),
		Direct:           strings.HasPrefix(o.String("innodb_flush_method"), "O_DIRECT"),
		Doublewrite:      o.String("innodb_doublewrite") != "OFF",
		IOCapacity:       int(o.Int("innodb_io_capacity")), IOCapacityMax: int(o.Int("innodb_io_capacity_max")),
		TableCache:   int(o.Int("table_definition_cache")),
		MaxUndo:      maxUndo(o.Bool("innodb_undo_log_truncate"), o.Int("innodb_max_undo_log_size")),
		OldBlocksPct: int(o.Int("innodb_old_blocks_pct")), OldBlocksTime: time.Duration(o.Int("innodb_old_blocks_time")) * time.Millisecond,
		ReadAheadThreshold: readAhead(o.Int("innodb_read_ahead_threshold")), LRUScanDepth: int(o.Int("innodb_lru_scan_depth")),
		MaxDirtyPct:     int(o.Float("innodb_max_dirty_pages_pct")),
		LockWaitTimeout: time.Duration(o.Int("innodb_lock_wait_timeout")) * time.Second,
		NoDeadlockCheck: !o.Bool("innodb_deadlock_detect"),
		ForceRecovery:   int(o.Int("innodb_force_recovery")),
		RecoveryTarget:  time.Duration(o.Int("ember_recovery_target_seconds")) * time.Second,
		VerifyMemory:    o.Bool("ember_pool_memory_verify"),
		Binlog:          BinlogOptions(o),
		Warm: warm.Options{
			Filename: o.String("innodb_buffer_pool_filename"), DumpPct: int(o.Int("innodb_buffer_pool_dump_pct")),
			Interval:         time.Duration(o.Int("innodb_auto_lru_dump")) * time.Second,
			NoDumpAtShutdown: !o.Bool("innodb_buffer_pool_dump_at_shutdown"), NoLoadAtStart: !o.Bool("innodb_buffer_pool_load_at_startup"),
		},
	}
}

// maxUndo is the size above which the undo space gives disk back, 0 for never.
func maxUndo(on bool, size int64) int64 {
	if !on {
		return 0
	}
	return size
}

// readAhead: the pool takes a negative threshold for "never", and 0 for its default.
func readAhead(v int64) int {
	if v == 0 {
		return -1
	}
	return int(v)
}

// Engine implements Backend.
func (b *EngineBackend) Engine() *engine.Engine { return b.eng }

// UUID implements Backend.
func (b *EngineBackend) UUID() string { return b.eng.UUID() }

// Accounts live in one key-value row.
const (
	accountsSpace = "mysql"
	accountsKey   = "accounts"
)

// LoadAccounts implements Backend.
func (b *EngineBackend) LoadAccounts() ([]byte, error) {
	data, err := b.eng.GetKV(context.Background(), nil, accountsSpace, accountsKey)
	if errors.Is(err, base.ErrNotFound) {
		return nil, nil
	}
	return data, err
}

// SaveAccounts implements Backend.
func (b *EngineBackend) SaveAccounts(ctx context.Context, data []byte) error {
	return sqllayer.PersistLogged(ctx, b.eng, accountsSpace, accountsKey, data)
}

// Apply implements Backend. What may take long or block runs on its own: Apply is called under the
// lock of the variables.
func (b *EngineBackend) Apply(name string, v any) error {
	n, _ := v.(int64)
	on, _ := v.(bool)
	switch name {
	case "innodb_buffer_pool_size":
		b.later("resizing the buffer pool", func() error { return b.eng.SetPoolBytes(n) })
	case "innodb_redo_log_capacity":
		b.later("resizing the redo log", func() error { return b.eng.SetRedoCapacity(n) })
	case "innodb_flush_log_at_trx_commit":
		b.eng.SetFlushLogAtCommit(int(n))
	case "innodb_io_capacity", "innodb_io_capacity_max", "innodb_old_blocks_pct", "innodb_old_blocks_time":
		b.applyPair(name, n)
	case "innodb_read_ahead_threshold":
		b.eng.SetReadAheadThreshold(readAhead(n))
	case "innodb_max_dirty_pages_pct":
		f, _ := v.(float64)
		b.eng.SetMaxDirtyPct(int(f))
	case "table_definition_cache":
		b.later("resizing the table cache", func() error { b.eng.SetTableCache(int(n)); return nil })
	case "innodb_max_undo_log_size":
		b.maxUndo = n
		b.eng.SetMaxUndo(maxUndo(b.cutUndo, b.maxUndo))
	case "innodb_undo_log_truncate":
		b.cutUndo = on
		b.eng.SetMaxUndo(maxUndo(b.cutUndo, b.maxUndo))
	case "ember_recovery_target_seconds":
		b.eng.SetRecoveryTarget(time.Duration(n) * time.Second)
	case "innodb_deadlock_detect":
		b.eng.SetDeadlockDetect(on)
	default:
		b.applyWarm(name, v)
	}
	return nil
}

// applyPair applies settings the engine takes two at a time.
func (b *EngineBackend) applyPair(name string, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ints[name] = n
	most := max(b.ints["innodb_io_capacity_max"], b.ints["innodb_io_capacity"])
	b.eng.SetIOCapacity(int(b.ints["innodb_io_capacity"]), int(most))
	b.eng.SetOldBlocks(int(b.ints["innodb_old_blocks_pct"]), time.Duration(b.ints["innodb_old_blocks_time"])*time.Millisecond)
}

func (b *EngineBackend) applyWarm(name string, v any) {
	w := b.warm()
	switch v := v.(type) {
	case int64:
		switch name {
		case "innodb_auto_lru_dump":
			w.SetInterval(time.Duration(v) * time.Second)
		case "innodb_buffer_pool_dump_pct":
			w.SetDumpPct(int(v))
		}
	case bool:
		if name == "innodb_buffer_pool_dump_at_shutdown" {
			w.SetDumpAtShutdown(v)
		}
	case string:
		if name == "innodb_buffer_pool_filename" {
			w.SetFilename(v)
		}
	}
}

// later runs a slow change and logs how it ended.
func (b *EngineBackend) later(what string, fn func() error) {
	b.background.Go(func() {
		start := time.Now()
		if err := fn(); err != nil {
			b.log.Error(what+" failed", "error", err)
			return
		}
		b.log.Info(what+" done", "took", time.Since(start).Round(time.Millisecond))
	})
}

// Wait implements Backend.
func (b *EngineBackend) Wait() { b.background.Wait() }

func (b *EngineBackend) warm() *warm.Manager { return b.eng.Warm() }

// Warm implements Backend.
func (b *EngineBackend) Warm(command string) error {
	w := b.warm()
	switch command {
	case "dump":
		return w.DumpNow()
	case "load":
		if err := w.LoadNow(); err != nil && !errors.Is(err, warm.ErrLoading) {
			return err
		}
	case "abort":
		w.LoadAbort()
	}
	return nil
}

// Warmth implements Backend.
func (b *EngineBackend) Warmth() ([]engine.TableWarmth, error) { return b.eng.Warmth() }

// LRU implements Backend.
func (b *EngineBackend) LRU() ([]engine.LRUPage, error) { return b.eng.LRU() }

// Starts implements Backend.
func (b *EngineBackend) Starts() []recovery.Start { return b.eng.Starts() }

// FirstQuery implements Backend.
func (b *EngineBackend) FirstQuery() {
	b.eng.Timeline().Mark("first query")
	close(b.answered)
}

// Answered is closed when the first query was answered.
func (b *EngineBackend) Answered() <-chan struct{} { return b.answered }

// CheckTable verifies a table for CHECK TABLE.
func (b *EngineBackend) CheckTable(ctx context.Context, schema, table string) (r engine.Report, err error) {
	err = b.eng.CheckTable(ctx, schema, table, &r)
	return r, err
}

// Transactions implements Backend.
func (b *EngineBackend) Transactions() []TrxInfo {
	waits := map[uint64]time.Time{}
	for _, l := range b.eng.Locks().Snapshot() {
		if !l.Granted && l.Class != "METADATA" {
			waits[l.Thread] = l.Since
		}
	}
	var out []TrxInfo
	for _, t := range b.eng.Txns().Snapshot() {
		if t.ID == 0 && t.Locks == 0 && t.Rows == 0 && t.Started.IsZero() {
			continue
		}
		in := TrxInfo{ID: uint64(t.ID), State: "RUNNING", Started: t.Started, ThreadID: uint32(t.Thread), Isolation: t.Isolation.String(),
			ReadOnly: t.ReadOnly, RowsModified: uint64(max(t.Rows, 0)), RowsLocked: uint64(t.Locks), Weight: uint64(max(t.Rows, 0)) + uint64(t.Locks)}
		if since, waiting := waits[t.Thread]; waiting && t.Thread != 0 {
			in.State, in.WaitStarted = "LOCK WAIT", since
		}
		if t.State == txn.Aborted {
			in.State = "ROLLING BACK"
		}
		out = append(out, in)
	}
	return out
}

// lockNames gives names to the ids locks carry.
type lockNames struct {
	tables  map[base.TableID]*catalog.Table
	indexes map[base.IndexID]indexName
}

type indexName struct {
	table *catalog.Table
	index string
}

func (b *EngineBackend) lockNames() lockNames {
	n := lockNames{map[base.TableID]*catalog.Table{}, map[base.IndexID]indexName{}}
	for _, t := range b.eng.CachedTables() {
		if whole, part := catalog.SplitPart(t.Name); part != "" {
			t = &catalog.Table{ID: t.ID, Schema: t.Schema, Name: whole, Indexes: t.Indexes}
		}
		n.tables[t.ID] = t
		for _, i := range t.Indexes {
			name := i.Name
			if name == "" {
				name = "GEN_CLUST_INDEX"
			}
			n.indexes[i.ID] = indexName{t, name}
		}
	}
	return n
}

// Locks implements Backend.
func (b *EngineBackend) Locks() []LockInfo {
	var out []LockInfo
	names := b.lockNames()
	for i, l := range b.eng.Locks().Snapshot() {
		out = append(out, names.lockInfo(i, &l))
	}
	return out
}

func (n lockNames) lockInfo(i int, l *lock.Info) LockInfo {
	in := LockInfo{LockID: lockID(l, i), TrxID: uint64(l.Trx), ThreadID: uint32(l.Thread), Type: l.Class, Mode: l.Mode, Status: "GRANTED", Since: l.Since}
	if !l.Granted {
		in.Status = "WAITING"
	}
	switch l.Class {
	case "METADATA":
		in.Schema, in.Table, _ = strings.Cut(l.Name, "\x00")
	case "TABLE":
		if t := n.tables[l.Table]; t != nil {
			in.Schema, in.Table = t.Schema, t.Name
		}
	case "RECORD":
		if ix, ok := n.indexes[l.Index]; ok {
			in.Schema, in.Table, in.Index = ix.table.Schema, ix.table.Name, ix.index
		}
		in.Data = "supremum pseudo-record"
		if len(l.Key) > 0 {
			in.Data = fmt.Sprintf("0x%X", l.Key)
		}
		if l.Last != nil {
			in.Data = fmt.Sprintf("0x%X to 0x%X", l.Key, l.Last)
		}
	}
	return in
}

// lockID names a lock within one snapshot.
func lockID(l *lock.Info, i int) string { return fmt.Sprintf("%d:%d:%d", l.Trx, l.Thread, i) }

// LockWaits implements Backend.
func (b *EngineBackend) LockWaits() []LockWaitInfo {
	var out []LockWaitInfo
	all := b.eng.Locks().Snapshot()
	for i := range all {
		l := &all[i]
		if l.Class == "METADATA" {
			continue
		}
		for _, by := range l.BlockedBy {
			out = append(out, LockWaitInfo{RequestingLockID: lockID(l, i), RequestingTrxID: uint64(l.Trx), RequestingThreadID: uint32(l.Thread),
				BlockingTrxID: uint64(by.Trx), BlockingThreadID: uint32(by.Thread), BlockingLockID: blockingLock(all, by, l)})
		}
	}
	return out
}

// blockingLock finds the granted lock of a blocker on what l waits for.
func blockingLock(all []lock.Info, by lock.Blocker, l *lock.Info) string {
	for i := range all {
		g := &all[i]
		if g.Granted && g.Trx == by.Trx && g.Thread == by.Thread && g.Class == l.Class && g.Index == l.Index && g.Table == l.Table && string(g.Key) == string(l.Key) {
			return lockID(g, i)
		}
	}
	return fmt.Sprintf("%d:%d", by.Trx, by.Thread)
}
