package backend

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"emberdb/binlog"
	"emberdb/engine"
	"emberdb/engine/warm"
	"emberdb/internal/base"
	"emberdb/server/options"
	"emberdb/server/version"
	"emberdb/sqllayer/tabledef"
)

// What the engine reports: Innodb_* status variables and SHOW ENGINE INNODB STATUS.

// Status implements Backend.
func (b *EngineBackend) Status(put func(name string, v any)) {
	st := b.eng.Status()
	poolStatus(&st, put)
	logStatus(&st, put)
	b.restoreStatus(put)
	id, _ := strconv.ParseUint(b.eng.UUID()[:8], 16, 32) // the log's UUID is the server's; MySQL's has 32 bits
	put("Innodb_redo_log_uuid", id)
	f, l, t := &st.Files, &st.Locks, &st.Txns
	put("Innodb_page_size", base.PageSize)
	put("Innodb_pages_created", st.Pool.Created)
	put("Innodb_pages_read", f.PagesRead)
	put("Innodb_pages_written", f.PagesWritten)
	put("Innodb_data_reads", f.Reads)
	put("Innodb_data_read", f.BytesRead)
	put("Innodb_data_writes", f.Writes+st.Log.Writes)
	put("Innodb_data_written", f.BytesWritten+st.Log.Bytes)
	put("Innodb_data_fsyncs", f.Syncs+st.Log.Syncs)
	put("Innodb_data_pending_reads", 0)
	put("Innodb_data_pending_writes", st.Pool.PagesInFlight)
	put("Innodb_dblwr_pages_written", f.DoublewritePages)
	put("Innodb_dblwr_writes", f.DoublewriteBatches)
	put("Innodb_num_open_files", f.Open)
	put("Open_files", f.Open)
	put("Opened_files", f.Opens)
	for _, kind := range []string{"tables", "table_definitions"} { // a table is open while its definition is in memory
		put("Open_"+kind, st.Tables.Tables)
		put("Opened_"+kind, st.Tables.Opened)
	}
	put("Innodb_row_lock_current_waits", l.RowWaitsCurrent)
	put("Innodb_row_lock_waits", l.RowWaits)
	put("Innodb_row_lock_time", l.RowWaitTime.Milliseconds())
	put("Innodb_row_lock_time_avg", l.RowWaitTime.Milliseconds()/max(l.RowWaits, 1))
	put("Innodb_row_lock_time_max", l.RowWaitMax.Milliseconds())
	put("Innodb_deadlocks", l.Deadlocks)
	put("Innodb_lock_wait_timeouts", l.Timeouts)
	put("Innodb_locks", l.Locks)
	put("Innodb_history_list_length", t.HistoryLength)
	put("Innodb_max_trx_id", uint64(t.NextID))
	put("Innodb_purged_rows", t.PurgedRows)
	put("Innodb_undo_records", t.UndoRecords)
	put("Innodb_undone_rows", t.UndoneRows)
	put("Innodb_rollbacks_pending", t.Aborted)
	put("Innodb_trx_active", t.Active)
	put("Handler_commit", t.Commits+t.ReadOnlyCommits)
	put("Handler_rollback", t.Rollbacks)
	w := b.warm().Status()
	put("Innodb_buffer_pool_dump_status", w.DumpStatus)
	put("Innodb_buffer_pool_load_status", w.LoadStatus)
	put("Innodb_buffer_pool_load_percent", w.LoadPercent)
	put("Innodb_buffer_pool_load_incomplete", w.Loading || w.Load.Total > w.Load.Done+w.Load.Skipped)
	put("Innodb_buffer_pool_resize_status", "")
	binlogStatus(b.eng, put)
	r := &st.Recovery
	put("Ember_recovery_redo_bytes", r.Bytes)
	put("Ember_recovery_records_applied", r.Applied)
	put("Ember_recovery_pages_pending", r.PagesPending)
	recoveryStatus(b.eng, put)
	put("Ember_start_timeline", b.eng.Timeline().String())
	warmStatus(&w, put)
}

func warmStatus(w *warm.Status, put func(name string, v any)) {
	state := "warm"
	if w.Loading {
		state = fmt.Sprintf("warming %.0f %%, %.0f s left", w.LoadPercent, w.LoadETA.Seconds())
	}
	put("Ember_warm_state", state)
	put("Ember_warm_load_pages", w.Load.Total)
	put("Ember_warm_load_done", w.Load.Done+w.Load.Skipped)
	put("Ember_warm_load_bytes", w.Load.Bytes)
	put("Ember_warm_load_rate", int64(w.LoadRate))
	put("Ember_warm_load_eta", w.LoadETA.Seconds())
	put("Ember_warm_load_reads_in_flight", w.LoadDepth)
	put("Ember_warm_dumps", w.Dumps)
	put("Ember_warm_dump_ms", float64(w.DumpTook.Microseconds())/1000)
	put("Ember_warm_list_pages", w.List.Pages)
	put("Ember_warm_list_bytes", int64(w.List.Pages)*base.PageSize)
	put("Ember_warm_list_generation", w.List.Generation)
	age := -1.0
	if !w.List.Created.IsZero() {
		age = time.Since(w.List.Created).Seconds()
	}
	put("Ember_warm_list_age", age)
	put("Ember_warm_list_damage", w.Damage)
}

func poolStatus(st *engine.Status, put func(name string, v any)) {
	p := &st.Pool
	put("Innodb_buffer_pool_pages_total", p.PagesTotal)
	put("Innodb_buffer_pool_pages_data", p.PagesData)
	put("Innodb_buffer_pool_pages_dirty", p.PagesDirty)
	put("Innodb_buffer_pool_pages_free", p.PagesFree)
	put("Innodb_buffer_pool_pages_misc", p.PagesMisc)
	put("Innodb_buffer_pool_pages_old", p.PagesOld)
	put("Innodb_buffer_pool_pages_flushed", p.PagesFlushed)
	put("Innodb_buffer_pool_pages_made_young", p.PagesMadeYoung)
	put("Ember_pool_pages_kept", p.PagesKept)
	put("Ember_pool_pages_used", p.PagesKeptUsed)
	put("Ember_pool_pages_refused", p.PagesKeptRefused)
	put("Innodb_buffer_pool_pages_not_made_young", p.PagesNotYoung)
	put("Innodb_buffer_pool_pages_created", p.Created)
	put("Innodb_buffer_pool_bytes_data", p.BytesData)
	put("Innodb_buffer_pool_bytes_dirty", p.BytesDirty)
	put("Innodb_buffer_pool_read_requests", p.ReadRequests)
	put("Innodb_buffer_pool_write_requests", p.WriteRequests)
	put("Innodb_buffer_pool_reads", p.Reads)
	put("Innodb_buffer_pool_read_ahead", p.ReadAhead)
	put("Innodb_buffer_pool_read_ahead_evicted", p.ReadAheadEvicted)
	put("Innodb_buffer_pool_pages_loaded", p.Loaded)
	put("Innodb_buffer_pool_wait_free", p.WaitFree)
}

func logStatus(st *engine.Status, put func(name string, v any)) {
	l := &st.Log
	put("Innodb_log_writes", l.Writes)
	put("Innodb_log_write_requests", l.Groups)
	put("Innodb_log_waits", l.BufferWaits+l.SegmentWaits+l.RoomWaits)
	put("Innodb_os_log_written", l.Bytes)
	put("Innodb_os_log_fsyncs", l.Syncs)
	put("Innodb_lsn_current", uint64(st.LSN))
	put("Innodb_lsn_flushed", uint64(st.LSNDurable))
	put("Innodb_lsn_last_checkpoint", uint64(st.LSNCheckpoint))
	put("Innodb_checkpoint_age", uint64(st.LSN-st.LSNCheckpoint))
	put("Innodb_redo_log_checkpoint_lsn", uint64(st.LSNCheckpoint))
	put("Innodb_redo_log_current_lsn", uint64(st.LSN))
	put("Innodb_redo_log_flushed_to_disk_lsn", uint64(st.LSNDurable))
	put("Innodb_redo_log_capacity_resized", st.LogCapacity)
	put("Innodb_redo_log_logical_size", uint64(st.LSN-st.LSNCheckpoint))
	put("Innodb_redo_log_physical_size", l.DiskBytes)
	put("Innodb_redo_log_enabled", true)
	put("Innodb_redo_log_read_only", false)
	put("Innodb_redo_log_resize_status", "OK") // a new capacity is in force at once
}

// Monitor implements Backend.
func (b *EngineBackend) Monitor() string {
	st := b.eng.Status()
	var m strings.Builder
	section := func(title string) {
		line := strings.Repeat("-", len(title))
		fmt.Fprintf(&m, "%s\n%s\n%s\n", line, title, line)
	}
	if d := b.eng.Locks().LastDeadlock(b.lockNames().indexName); d != "" {
		section("LATEST DETECTED DEADLOCK")
		m.WriteString(d)
	}
	section("TRANSACTIONS")
	t := &st.Txns
	fmt.Fprintf(&m, "Trx id counter %d\nPurge done for trx's n:o < %d\nHistory list length %d\n", t.NextID, t.PurgeLimit, t.HistoryLength)
	fmt.Fprintf(&m, "%d active, %d rolling back, %d lock structs\nLIST OF TRANSACTIONS FOR EACH SESSION:\n", t.Active, t.Aborted, st.Locks.Locks)
	b.monitorTransactions(&m)
	section("FILE I/O")
	f := &st.Files
	fmt.Fprintf(&m, "%d OS file reads, %d OS file writes, %d OS fsyncs\n%d bytes read, %d bytes written\nread latency %v\n",
		f.Reads, f.Writes+st.Log.Writes, f.Syncs+st.Log.Syncs, f.BytesRead, f.BytesWritten, f.ReadLatency)
	section("LOG")
	fmt.Fprintf(&m, "Log sequence number          %d\nLog flushed up to            %d\nLast checkpoint at           %d\nCheckpoint age               %d\nCapacity                     %d\n%d log i/o's done\n",
		st.LSN, st.LSNDurable, st.LSNCheckpoint, st.LSN-st.LSNCheckpoint, st.LogCapacity, st.Log.Writes)
	section("BUFFER POOL AND MEMORY")
	p := &st.Pool
	fmt.Fprintf(&m, "Buffer pool size   %d\nFree buffers       %d\nDatabase pages     %d\nOld database pages %d\nModified db pages  %d\nPending writes     %d\n",
		p.PagesTotal, p.PagesFree, p.PagesData, p.PagesOld, p.PagesDirty, p.PagesInFlight)
	fmt.Fprintf(&m, "Pages made young %d, not young %d\nPages read %d, created %d, written %d\nPages read ahead %d, evicted without access %d\n",
		p.PagesMadeYoung, p.PagesNotYoung, f.PagesRead, p.Created, f.PagesWritten, p.ReadAhead, p.ReadAheadEvicted)
	if p.ReadRequests > 0 {
		fmt.Fprintf(&m, "Buffer pool hit rate %.0f / 1000\n", 1000*(1-float64(p.Reads)/float64(p.ReadRequests)))
	}
	w := b.warm().Status()
	fmt.Fprintf(&m, "LRU dump: %s\nLRU load: %s\n", w.DumpStatus, w.LoadStatus)
	section("ROW OPERATIONS")
	fmt.Fprintf(&m, "%d commits, %d read-only commits, %d rollbacks\n%d undo records written, %d rows undone, %d purged\n%d row lock waits, %d now, %d deadlocks, %d timeouts\n",
		t.Commits, t.ReadOnlyCommits, t.Rollbacks, t.UndoRecords, t.UndoneRows, t.PurgedRows,
		st.Locks.RowWaits, st.Locks.RowWaitsCurrent, st.Locks.Deadlocks, st.Locks.Timeouts)
	section("START")
	fmt.Fprintf(&m, "%s\n", strings.TrimRight(b.eng.Timeline().String(), "\n"))
	return m.String()
}

func (b *EngineBackend) monitorTransactions(m *strings.Builder) {
	for _, t := range b.Transactions() {
		fmt.Fprintf(m, "---TRANSACTION %d, %s", t.ID, strings.ToUpper(t.State))
		if !t.Started.IsZero() {
			fmt.Fprintf(m, " %d sec", int64(time.Since(t.Started).Seconds()))
		}
		fmt.Fprintf(m, "\n%d row lock(s), undo log entries %d\nMySQL thread id %d, isolation %s\n", t.RowsLocked, t.RowsModified, t.ThreadID, t.Isolation)
	}
}

// indexName names an index in the report on deadlocks.
func (n lockNames) indexName(id base.IndexID) string {
	ix, ok := n.indexes[id]
	if !ok {
		return fmt.Sprintf("id %d", id)
	}
	return fmt.Sprintf("%s of table `%s`.`%s`", ix.index, ix.table.Schema, ix.table.Name)
}

// BinlogOptions translates log_bin and its kin; nil: no log. log_bin may carry a folder, and an
// extension, which is dropped.
func BinlogOptions(o *options.Settings) *binlog.Options {
	name := o.String("log_bin")
	if name == "" {
		return nil
	}
	dir, base := filepath.Split(name)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	index := o.String("log_bin_index")
	if index != "" {
		index = strings.TrimSuffix(filepath.Base(index), ".index") + ".index"
	}
	return &binlog.Options{Dir: dir, Base: base, Index: index, ServerID: uint32(o.Int("server_id")), ServerVersion: version.ServerVersion(), VersionNumber: tabledef.VersionNumber,
		MaxSize: o.Int("max_binlog_size"), CacheSize: int(o.Int("binlog_cache_size")), MaxCacheSize: o.Int("max_binlog_cache_size"),
		DependencyHistory: o.Int("binlog_transaction_dependency_history_size"), NoChecksum: o.String("binlog_checksum") == "NONE", BeginAnew: o.Bool("ember_binlog_begin_anew")}
}

// binlogStatus reports the log's counters.
func binlogStatus(e *engine.Engine, put func(name string, v any)) {
	l := e.Binlog()
	if l == nil {
		return
	}
	st := l.Stats()
	put("Binlog_cache_disk_use", st.CacheDiskUse)
	put("Binlog_cache_use", st.Transactions)
	put("Ember_binlog_bytes_written", st.Bytes)
	put("Ember_binlog_files_begun", st.Rotations)
	put("Ember_binlog_transactions_with_own_file", st.Adopted)
	put("Ember_binlog_syncs", st.Syncs)
}

// Restore implements Backend.
func (b *EngineBackend) Restore(ctx context.Context) error { return b.warm().Restore(ctx) }

// WarmEnough implements Backend.
func (b *EngineBackend) WarmEnough(pct int) bool { return b.warm().WarmEnough(pct) }
