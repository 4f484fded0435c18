package server

import (
	"crypto/tls"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/server/backend"
	"emberdb/server/certs"
	"emberdb/server/commands"
	"emberdb/server/virtual"
	"emberdb/sql/fn"
	"emberdb/sqllayer"
)

// statusRegistry stands in for go-mysql-server's status variables: values are read where they arise
// when they are asked for.
type statusRegistry struct {
	s       *Server
	mu      sync.RWMutex
	vars    map[string]sql.StatusVariable
	flushed atomic.Int64 // unix time of the last FLUSH STATUS
}

var _ sql.StatusVariableRegistry = (*statusRegistry)(nil)

// installStatus replaces the global registry.
func installStatus(s *Server) *statusRegistry {
	r := &statusRegistry{s: s, vars: map[string]sql.StatusVariable{}}
	r.flushed.Store(s.started.Unix())
	sql.StatusVariables = r
	return r
}

// values computes every status variable.
func (r *statusRegistry) values() map[string]any {
	out := unknownStatus()
	put := func(name string, v any) { out[name] = statusValue(v) }
	r.s.ownStatus(put)
	r.s.backend.Status(put)
	r.s.semiSync.status(r.s.replicas.answer(), put)
	r.s.hot.status(put)
	return out
}

// statusValue keeps counts and turns everything else into text.
func statusValue(v any) any {
	switch v := v.(type) {
	case uint64:
		return v
	case int64:
		return uint64(max(v, 0))
	case int:
		return uint64(max(v, 0))
	case time.Duration:
		return uint64(v.Milliseconds())
	}
	return base.Shown(v)
}

// ownStatus reports what the server itself counts.
func (s *Server) ownStatus(put func(name string, v any)) {
	c := &s.counters
	programs := s.programs.Stats()
	put("Ember_compiled_executions", programs.Executions)
	put("Ember_compiled_fallbacks", programs.Fallbacks)
	for why, n := range programs.Reasons {
		put("Ember_compiled_fallbacks_"+why.String(), n)
	}
	put("Ember_compiled_cache_size", programs.Size)
	put("Ember_executor_executions", s.executor.ran.Load())
	for _, why := range fn.Reasons() {
		put("Ember_executor_refused_"+why.String(), s.executor.refused[why].Load())
	}
	put("Aborted_clients", c.abortedClients.Load())
	put("Aborted_connects", c.abortedConnects.Load())
	put("Bytes_received", c.bytesReceived.Load())
	put("Bytes_sent", c.bytesSent.Load())
	put("Connections", c.connections.Load())
	put("Connection_errors_max_connections", c.refusedConnections.Load())
	put("Connection_errors_accept", c.acceptErrors.Load())
	put("Global_connection_memory", s.cfg.Memory.Used())
	put("Ember_statement_memory", s.cfg.Memory.Used())
	put("Ember_statement_memory_peak", s.cfg.Memory.Peak())
	put("Ember_statement_memory_limit", s.cfg.Memory.Limit())
	put("Ember_statement_memory_refused", s.cfg.Memory.Refused())
	put("Ember_heap_limit", s.cfg.HeapLimit)
	put("Ember_heap_statements_ended", c.heapEnded.Load())
	put("Max_execution_time_exceeded", c.executionTimeouts.Load())
	put("Max_used_connections", s.processes.peak.Load())
	put("Max_used_connections_time", time.Unix(s.processes.peakAt.Load(), 0).Format(time.DateTime))
	put("Prepared_stmt_count", c.preparedStatements.Load())
	put("Queries", c.queries.Load())
	put("Questions", c.questions.Load())
	put("Slow_queries", c.slowQueries.Load())
	put("Ssl_accepts", c.sslAccepts.Load())
	put("Ssl_finished_accepts", c.sslAccepts.Load())
	put("Threads_cached", 0)
	put("Threads_connected", s.processes.count())
	put("Threads_created", c.connections.Load())
	put("Threads_running", s.processes.running.Load())
	put("Uptime", int64(time.Since(s.started).Seconds()))
	put("Uptime_since_flush_status", time.Now().Unix()-s.status.flushed.Load())
	put("Rsa_public_key", string(s.rsaPublicPEM))
	put("Caching_sha2_password_rsa_public_key", string(s.rsaPublicPEM))
	put("Flush_commands", c.flushedTables.Load())
	put("Locked_connects", c.lockedAccounts.Load())
	put("Max_execution_time_set", c.executionLimits.Load())
	s.tlsStatus(put)
	for i, name := range commands.ComNames {
		if i != 0 {
			put("Com_"+name, c.commands[i].Load())
		}
	}
	if l := s.layer(); l != nil {
		for k, n := range l.RowCounts() {
			put(txn.RowCountNames[k], n)
		}
	}
}

// sessionStatus puts what a session counts for itself.
func (w *wireConn) sessionStatus(put func(name string, v any)) {
	for i, name := range commands.ComNames {
		if i != 0 {
			put("Com_"+name, uint64(w.commands[i].Load()))
		}
	}
	put("Slow_queries", uint64(w.slow.Load()))
}

// flushSession is the part of FLUSH STATUS that is the session's own.
func (w *wireConn) flushSession() {
	for i := range w.commands {
		w.commands[i].Store(0)
	}
	w.slow.Store(0)
	w.questions.Store(0)
	w.bytesIn.Store(0)
	w.bytesOut.Store(0)
	if s, ok := w.session.(*sqllayer.Session); ok {
		s.FlushCounts()
	}
}

// tlsStatus tells of the certificate in use and where it was read from.
func (s *Server) tlsStatus(put func(name string, v any)) {
	put("Tls_library_version", "Go crypto/tls "+strings.TrimPrefix(runtime.Version(), "go"))
	cfg := s.tls.Load()
	if cfg == nil {
		return
	}
	files := certs.TlsFilesOf(s.cfg.Settings)
	put("Current_tls_ca", files.Ca)
	put("Current_tls_cert", files.Cert)
	put("Current_tls_key", files.Key)
	put("Current_tls_version", tlsRange(cfg))
	if leaf := cfg.Certificates[0].Leaf; leaf != nil {
		put("Ssl_server_not_before", leaf.NotBefore.UTC().Format(certTime))
		put("Ssl_server_not_after", leaf.NotAfter.UTC().Format(certTime))
	}
}

// certTime is how OpenSSL writes a time.
const certTime = "Jan _2 15:04:05 2006 GMT"

func tlsRange(c *tls.Config) string {
	switch {
	case c.MinVersion == tls.VersionTLS13:
		return "TLSv1.3"
	case c.MaxVersion == tls.VersionTLS12:
		return "TLSv1.2"
	}
	return "TLSv1.2,TLSv1.3"
}

// flush is FLUSH STATUS. The sums of what sessions count stay, as in MySQL.
func (r *statusRegistry) flush() {
	r.s.counters.abortedClients.Store(0)
	r.s.processes.peak.Store(r.s.processes.count())
	r.s.processes.peakAt.Store(time.Now().Unix())
	r.flushed.Store(time.Now().Unix())
}

func (r *statusRegistry) variable(name string) sql.StatusVariable {
	r.mu.RLock()
	v := r.vars[name]
	r.mu.RUnlock()
	if v != nil {
		return v
	}
	v = &sql.MySQLStatusVariable{Name: name, Scope: sql.StatusVariableScope_Global, Type: types.NewSystemStringType(name), Default: ""}
	r.mu.Lock()
	r.vars[name] = v
	r.mu.Unlock()
	return v
}

// NewGlobalMap implements sql.StatusVariableRegistry.
func (r *statusRegistry) NewGlobalMap() map[string]sql.StatusVarValue {
	values := r.values()
	out := make(map[string]sql.StatusVarValue, len(values))
	for name, v := range values {
		out[name] = &sql.ImmutableStatusVarValue{Var: r.variable(name), Val: v}
	}
	return out
}

// GetGlobal implements sql.StatusVariableRegistry.
func (r *statusRegistry) GetGlobal(name string) (sql.StatusVariable, any, bool) {
	v, ok := r.values()[name]
	if !ok {
		return nil, nil, false
	}
	return r.variable(name), v, true
}

// SetGlobal implements sql.StatusVariableRegistry: nothing is set from outside.
func (r *statusRegistry) SetGlobal(name string, _ any) error {
	return sql.ErrUnknownStatusVariable.New(name)
}

// IncrementGlobal implements sql.StatusVariableRegistry. What go-mysql-server counts, the server
// has counted.
func (r *statusRegistry) IncrementGlobal(string, int) {}

// sessionNames are the status variables with a value of their own in a session.
var sessionNames = []string{"Bytes_received", "Bytes_sent", "Compression", "Last_query_cost", "Questions", "Compression_algorithm", "Compression_level", "Last_query_partial_plans", "Tls_sni_server_name",
	"Ssl_cipher", "Ssl_cipher_list", "Ssl_version"}

// NewSessionMap implements sql.StatusVariableRegistry. The map is small: go-mysql-server makes one
// for each connection.
func (r *statusRegistry) NewSessionMap() map[string]sql.StatusVarValue {
	m := make(map[string]sql.StatusVarValue, len(sessionNames))
	for _, name := range sessionNames {
		m[name] = &sessionStatus{v: r.variable(name)}
	}
	return m
}

// bindSession ties the session's status variables to its connection.
func bindSession(w *wireConn) {
	if s, ok := w.session.(*sqllayer.Session); ok {
		s.SetStatus(w.sessionStatus)
	}
	for _, name := range sessionNames {
		// A session of another kind has no such variables, and then nothing to bind.
		_ = w.session.SetStatusVariable(nil, name, w)
	}
}

// sessionStatus is a status variable of one session; Set binds it to the connection it reads.
type sessionStatus struct {
	v sql.StatusVariable
	w atomic.Pointer[wireConn]
}

func (x *sessionStatus) Increment(uint64) error       { return nil }
func (x *sessionStatus) Variable() sql.StatusVariable { return x.v }
func (x *sessionStatus) Copy() sql.StatusVarValue     { return x }

func (x *sessionStatus) Set(v any) error {
	if w, ok := v.(*wireConn); ok {
		x.w.Store(w)
	}
	return nil
}

func (x *sessionStatus) Value() any {
	w := x.w.Load()
	if w == nil {
		return ""
	}
	switch x.v.GetName() {
	case "Bytes_received":
		return w.bytesIn.Load()
	case "Bytes_sent":
		return w.bytesOut.Load()
	case "Questions":
		return w.questions.Load()
	case "Compression":
		if w.compression.on {
			return "ON"
		}
		return "OFF"
	case "Last_query_cost":
		return "0.000000"
	case "Compression_level":
		return uint64(w.compression.level)
	case "Compression_algorithm":
		return w.compression.name()
	case "Last_query_partial_plans":
		return uint64(0)
	case "Tls_sni_server_name":
		return ""
	}
	state, ok := w.tlsState()
	if !ok {
		return ""
	}
	switch x.v.GetName() {
	case "Ssl_version":
		return "TLSv" + tls.VersionName(state.Version)[len("TLS "):]
	default:
		return certs.CipherName(state.CipherSuite)
	}
}

// statistics is the answer to COM_STATISTICS (mysqladmin status).
func (s *Server) statistics() string {
	up := max(int64(time.Since(s.started).Seconds()), 1)
	q := s.counters.questions.Load()
	engine := s.engineStatus()
	return fmt.Sprintf("Uptime: %d  Threads: %d  Questions: %d  Slow queries: %d  Opens: %v  Flush tables: %d  Open tables: %v  Queries per second avg: %.3f",
		up, s.processes.count(), q, s.counters.slowQueries.Load(), engine["Opened_tables"], s.counters.flushedTables.Load(), engine["Open_tables"],
		float64(q)/float64(up))
}

// What clients see of recovery and of what is rolled back in the background.

// addRecoveryTables defines the tables.
func (s *Server) addRecoveryTables(d *virtual.Database) {
	d.Add("EMBER_ABORTED_TRX", "TRX_ID u, STATE s, RECOVERED s, ABORTED t, ROWS_LEFT u, ROWS_DONE u, ROWS_PER_SECOND f?, ETA_SECONDS f?, LAST_ERROR s?",
		s.forProcess(s.ofEngine(backend.AbortedRows)))
	d.Add("EMBER_RECOVERY_STATUS", "PHASE s, STATE s, BEGAN_MS f, TOOK_MS f, UNIT s, DONE u, TOTAL u, PERCENT f?, ETA_SECONDS f?, BYTES u, NOTE s?",
		s.forProcess(s.ofEngine(backend.RecoveryRows)))
	d.Add("EMBER_RECOVERY_COUNTERS", "PHASE s, NAME s, VALUE u, UNIT s", s.forProcess(s.ofEngine(backend.RecoveryCounterRows)))
	d.Add("EMBER_RECOVERY_ADVICE", "TARGET_SECONDS u, IS_CURRENT s, ESTIMATED_SECONDS f, REDO_BYTES u, DIRTY_PAGES u, PAGE_WRITES_PER_SECOND f, "+
		"EXTRA_PAGE_WRITES_PER_SECOND f, WRITER_BUSY_PERCENT f, THROUGHPUT_PERCENT f", s.forProcess(s.ofEngine(backend.AdviceRows)))
}

// ofEngine makes rows of what the engine knows; none without one.
func (s *Server) ofEngine(rows func(*engine.Engine) ([]sql.Row, error)) func(*sql.Context) ([]sql.Row, error) {
	return func(*sql.Context) ([]sql.Row, error) {
		e := s.backend.Engine()
		if e == nil {
			return nil, nil
		}
		return rows(e)
	}
}

// The status variables of MySQL 9.7 but for Com_* and those of plugins, in the order MySQL lists
// them in. Those that nothing in this server puts a value to stay as they are here: it has none of
// what they count.
var (
	statusCounts = strings.Fields(`
Aborted_clients Aborted_connects Acl_cache_items_count Binlog_cache_disk_use Binlog_cache_use Binlog_stmt_cache_disk_use Binlog_stmt_cache_use
Bytes_received Bytes_sent Connection_errors_accept Connection_errors_internal Connection_errors_max_connections Connection_errors_peer_address
Connection_errors_select Connection_errors_tcpwrap Connections Count_hit_query_past_connection_memory_status_limit
Count_hit_query_past_global_connection_memory_status_limit Count_hit_tmp_table_size Created_tmp_disk_tables Created_tmp_files Created_tmp_tables
Delayed_errors Delayed_insert_threads Delayed_writes Deprecated_use_fk_on_non_standard_key_count Deprecated_use_fk_on_non_standard_key_last_timestamp
Deprecated_use_i_s_processlist_count Deprecated_use_i_s_processlist_last_timestamp Error_log_buffered_bytes Error_log_buffered_events
Error_log_expired_events Error_log_latest_write Flush_commands Global_connection_memory Handler_commit Handler_delete Handler_discover
Handler_external_lock Handler_mrr_init Handler_prepare Handler_read_first Handler_read_key Handler_read_last Handler_read_next Handler_read_prev
Handler_read_rnd Handler_read_rnd_next Handler_rollback Handler_savepoint Handler_savepoint_rollback Handler_update Handler_write
Innodb_buffer_pool_bytes_data Innodb_buffer_pool_bytes_dirty Innodb_buffer_pool_pages_data Innodb_buffer_pool_pages_dirty
Innodb_buffer_pool_pages_flushed Innodb_buffer_pool_pages_free Innodb_buffer_pool_pages_misc Innodb_buffer_pool_pages_total
Innodb_buffer_pool_read_ahead Innodb_buffer_pool_read_ahead_evicted Innodb_buffer_pool_read_ahead_rnd Innodb_buffer_pool_read_requests
Innodb_buffer_pool_reads Innodb_buffer_pool_resize_status_code Innodb_buffer_pool_resize_status_progress Innodb_buffer_pool_wait_free
Innodb_buffer_pool_write_requests Innodb_data_fsyncs Innodb_data_pending_fsyncs Innodb_data_pending_reads Innodb_data_pending_writes Innodb_data_read
Innodb_data_reads Innodb_data_writes Innodb_data_written Innodb_dblwr_pages_written Innodb_dblwr_writes Innodb_log_waits Innodb_log_write_requests
Innodb_log_writes Innodb_num_open_files Innodb_os_log_fsyncs Innodb_os_log_pending_fsyncs Innodb_os_log_pending_writes Innodb_os_log_written
Innodb_page_size Innodb_pages_created Innodb_pages_read Innodb_pages_written Innodb_redo_log_capacity_resized Innodb_redo_log_checkpoint_lsn
Innodb_redo_log_current_lsn Innodb_redo_log_flushed_to_disk_lsn Innodb_redo_log_logical_size Innodb_redo_log_physical_size
Innodb_redo_log_resize_status Innodb_redo_log_uuid Innodb_row_lock_current_waits Innodb_row_lock_time Innodb_row_lock_time_avg
Innodb_row_lock_time_max Innodb_row_lock_waits Innodb_rows_deleted Innodb_rows_inserted Innodb_rows_read Innodb_rows_updated Innodb_sampled_pages_read
Innodb_sampled_pages_skipped Innodb_system_rows_deleted Innodb_system_rows_inserted Innodb_system_rows_read Innodb_system_rows_updated
Innodb_truncated_status_writes Innodb_undo_tablespaces_active Innodb_undo_tablespaces_explicit Innodb_undo_tablespaces_implicit
Innodb_undo_tablespaces_total Key_blocks_not_flushed Key_blocks_unused Key_blocks_used Key_read_requests Key_reads Key_write_requests Key_writes
Locked_connects Max_execution_time_exceeded Max_execution_time_set Max_execution_time_set_failed Max_used_connections Not_flushed_delayed_rows
Ongoing_anonymous_transaction_count Open_files Open_streams Open_table_definitions Open_tables Opened_files Opened_table_definitions Opened_tables
Performance_schema_accounts_lost Performance_schema_cond_classes_lost Performance_schema_cond_instances_lost Performance_schema_digest_lost
Performance_schema_file_classes_lost Performance_schema_file_handles_lost Performance_schema_file_instances_lost Performance_schema_hosts_lost
Performance_schema_index_stat_lost Performance_schema_locker_lost Performance_schema_logger_lost Performance_schema_memory_classes_lost
Performance_schema_metadata_lock_lost Performance_schema_meter_lost Performance_schema_metric_lost Performance_schema_mutex_classes_lost
Performance_schema_mutex_instances_lost Performance_schema_nested_statement_lost Performance_schema_prepared_statements_lost
Performance_schema_program_lost Performance_schema_rwlock_classes_lost Performance_schema_rwlock_instances_lost
Performance_schema_session_connect_attrs_longest_seen Performance_schema_session_connect_attrs_lost Performance_schema_socket_classes_lost
Performance_schema_socket_instances_lost Performance_schema_stage_classes_lost Performance_schema_statement_classes_lost
Performance_schema_table_handles_lost Performance_schema_table_instances_lost Performance_schema_table_lock_stat_lost
Performance_schema_thread_classes_lost Performance_schema_thread_instances_lost Performance_schema_users_lost Prepared_stmt_count Queries Questions
Replica_open_temp_tables Secondary_engine_execution_count Select_full_join Select_full_range_join Select_range Select_range_check Select_scan
Slave_open_temp_tables Slow_launch_threads Slow_queries Sort_merge_passes Sort_range Sort_rows Sort_scan Ssl_accept_renegotiates Ssl_accepts
Ssl_callback_cache_hits Ssl_client_connects Ssl_connect_renegotiates Ssl_ctx_verify_depth Ssl_ctx_verify_mode Ssl_default_timeout Ssl_finished_accepts
Ssl_finished_connects Ssl_session_cache_hits Ssl_session_cache_misses Ssl_session_cache_overflows Ssl_session_cache_size Ssl_session_cache_timeout
Ssl_session_cache_timeouts Ssl_sessions_reused Ssl_used_session_cache_entries Ssl_verify_depth Ssl_verify_mode Table_locks_immediate
Table_locks_waited Table_open_cache_hits Table_open_cache_misses Table_open_cache_overflows Table_open_cache_triggers_hits
Table_open_cache_triggers_misses Table_open_cache_triggers_overflows Tc_log_max_pages_used Tc_log_page_size Tc_log_page_waits
TempTable_count_hit_max_ram Threads_cached Threads_connected Threads_created Threads_running Uptime Uptime_since_flush_status

Rpl_semi_sync_source_net_avg_wait_time Rpl_semi_sync_source_net_wait_time Rpl_semi_sync_source_net_waits
Rpl_semi_sync_source_timefunc_failures Rpl_semi_sync_source_wait_pos_backtraverse`)
	statusTexts = strings.Fields(`
Caching_sha2_password_rsa_public_key Current_tls_ca Current_tls_capath Current_tls_cert Current_tls_cipher Current_tls_ciphersuites Current_tls_crl
Current_tls_crlpath Current_tls_key Current_tls_version Innodb_buffer_pool_dump_status Innodb_buffer_pool_load_status Innodb_buffer_pool_resize_status
Max_used_connections_time Rsa_public_key Ssl_cipher Ssl_cipher_list Ssl_server_not_after Ssl_server_not_before Ssl_version Tls_library_version`)
	statusSwitches = strings.Fields(`
Resource_group_supported Telemetry_logs_supported Telemetry_metrics_supported Telemetry_traces_supported Ssl_session_cache_mode
Innodb_redo_log_enabled Innodb_redo_log_read_only`)
)

// unknownStatus are all of them with the values they have when nobody knows better.
func unknownStatus() map[string]any {
	m := make(map[string]any, 512)
	for _, name := range statusCounts {
		m[name] = uint64(0)
	}
	for _, name := range statusTexts {
		m[name] = ""
	}
	for _, name := range statusSwitches {
		m[name] = "OFF"
	}
	return m
}
