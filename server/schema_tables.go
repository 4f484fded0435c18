package server

import (
	"cmp"
	"fmt"
	"maps"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/internal/base"
	"emberdb/server/backend"
	"emberdb/server/logs"
	"emberdb/server/options"
	"emberdb/server/version"
	"emberdb/server/virtual"
	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
)

// The tables of the added schemas.

// addInformationSchema: tables about connections, transactions and the buffer pool.
func (s *Server) addInformationSchema(d *virtual.InfoSchema) {
	d.Fill("processlist", func(ctx *sql.Context) (out []map[string]any) {
		for _, p := range s.visibleProcesses(ctx) {
			out = append(out, map[string]any{"id": uint64(p.id), "user": p.user, "host": p.host, "db": p.db, "command": p.command, "time": p.seconds, "state": p.state, "info": shownQuery(p.info)})
		}
		return out
	})
	d.Fill("innodb_trx", func(ctx *sql.Context) (out []map[string]any) {
		if !s.mayProcess(ctx) {
			return nil
		}
		for _, t := range s.backend.Transactions() {
			out = append(out, s.trxRow(t))
		}
		return out
	})
	d.Fill("innodb_buffer_pool_stats", s.poolStats)
	d.Fill("innodb_metrics", s.innodbMetricRows)
	d.Fill("innodb_buffer_page_lru", s.lruRows)
	d.Fill("innodb_buffer_page", s.pageRows)
	s.addInnodbTables(d)
	s.addRoleTables(d)
	s.addWarmTables(d.Own)
	s.addRecoveryTables(d.Own)
	d.Own.Add("LIBRARIES", sqllayer.LibraryColumns, sqllayer.LibraryRows)
	d.Own.Add("ROUTINE_LIBRARIES", "ROUTINE_CATALOG s, ROUTINE_SCHEMA s, ROUTINE_NAME s, ROUTINE_TYPE s, LIBRARY_CATALOG s, LIBRARY_SCHEMA s, LIBRARY_NAME s, LIBRARY_VERSION s?", infoschema.RoutineLibraryRows)
	d.Own.Add("EMBER_COMPILED_REFUSED", "DATABASE_NAME s, STATEMENT s, PREPARED s, REASON s, EXECUTIONS u", s.forProcess(s.refusedRows))
}

func (s *Server) mayProcess(ctx *sql.Context) bool {
	return s.rights(ctx).Has(sql.PrivilegeType_Process)
}

func (s *Server) trxRow(t backend.TrxInfo) map[string]any {
	m := map[string]any{
		"trx_id": t.ID, "trx_state": t.State, "trx_weight": t.Weight, "trx_mysql_thread_id": uint64(t.ThreadID),
		"trx_rows_locked": t.RowsLocked, "trx_rows_modified": t.RowsModified, "trx_isolation_level": t.Isolation,
		"trx_is_read_only": virtual.B2i(t.ReadOnly), "trx_unique_checks": 1, "trx_foreign_key_checks": 1,
	}
	if !t.Started.IsZero() {
		m["trx_started"] = t.Started
	}
	if !t.WaitStarted.IsZero() {
		m["trx_wait_started"] = t.WaitStarted
	}
	if p := s.processes.get(t.ThreadID); p != nil {
		p.mu.Lock()
		if p.query != "" {
			m["trx_query"] = logs.MaskSecrets(p.query)
		}
		p.mu.Unlock()
	}
	return m
}

// engineStatus collects the engine's numbers.
func (s *Server) engineStatus() map[string]any {
	m := map[string]any{}
	s.backend.Status(func(name string, v any) { m[name] = statusValue(v) })
	return m
}

// poolStats is the one row of INNODB_BUFFER_POOL_STATS.
func (s *Server) poolStats(ctx *sql.Context) []map[string]any {
	if !s.mayProcess(ctx) {
		return nil
	}
	st := s.engineStatus()
	m := map[string]any{"pool_id": uint64(0)}
	for column, name := range map[string]string{
		"pool_size": "pages_total", "free_buffers": "pages_free", "database_pages": "pages_data", "old_database_pages": "pages_old",
		"modified_database_pages": "pages_dirty", "pages_made_young": "pages_made_young", "pages_not_made_young": "pages_not_made_young",
		"number_pages_read": "reads", "number_pages_created": "pages_created", "number_pages_written": "pages_flushed",
		"number_pages_get": "read_requests", "number_pages_read_ahead": "read_ahead", "number_read_ahead_evicted": "read_ahead_evicted",
	} {
		if v, ok := st["Innodb_buffer_pool_"+name].(uint64); ok {
			m[column] = v
		}
	}
	return []map[string]any{m}
}

// PerformanceSchema: what clients and monitoring tools ask for.
func (s *Server) performanceSchema() *virtual.Database {
	d := virtual.New("performance_schema")
	variable := "VARIABLE_NAME, VARIABLE_VALUE"
	d.Fill("global_variables", variable, func(*sql.Context) ([]sql.Row, error) {
		return variableRows(sql.SystemVariables.GetAllGlobalVariables()), nil
	})
	d.Fill("session_variables", variable, func(ctx *sql.Context) ([]sql.Row, error) {
		return variableRows(ctx.Session.GetAllSessionVariables()), nil
	})
	d.Fill("persisted_variables", variable, s.persistedRows)
	d.Fill("variables_info", "VARIABLE_NAME, VARIABLE_SOURCE, VARIABLE_PATH, MIN_VALUE, MAX_VALUE", s.variablesInfo)
	d.Fill("global_status", variable, func(*sql.Context) ([]sql.Row, error) { return statusRows(s.status.values()), nil })
	d.Fill("session_status", variable, s.sessionStatusRows)
	d.Fill("processlist", "ID, USER, HOST, DB, COMMAND, TIME, STATE, INFO, EXECUTION_ENGINE", s.processRows)
	d.Fill("threads", "THREAD_ID, NAME, TYPE, PROCESSLIST_ID, PROCESSLIST_USER, PROCESSLIST_HOST, PROCESSLIST_DB, PROCESSLIST_COMMAND, PROCESSLIST_TIME, "+
		"PROCESSLIST_STATE, PROCESSLIST_INFO, INSTRUMENTED, HISTORY, CONNECTION_TYPE, EXECUTION_ENGINE, TELEMETRY_ACTIVE", s.threadRows)
	d.Fill("data_locks", "ENGINE, ENGINE_LOCK_ID, ENGINE_TRANSACTION_ID, THREAD_ID, OBJECT_SCHEMA, OBJECT_NAME, INDEX_NAME, LOCK_TYPE, LOCK_MODE, LOCK_STATUS, LOCK_DATA", s.lockRows)
	d.Fill("data_lock_waits", "ENGINE, REQUESTING_ENGINE_LOCK_ID, REQUESTING_ENGINE_TRANSACTION_ID, REQUESTING_THREAD_ID, BLOCKING_ENGINE_LOCK_ID, "+
		"BLOCKING_ENGINE_TRANSACTION_ID, BLOCKING_THREAD_ID", s.lockWaitRows)
	d.Fill("session_account_connect_attrs", "PROCESSLIST_ID, ATTR_NAME, ATTR_VALUE, ORDINAL_POSITION", s.attributeRows)
	d.Fill("session_connect_attrs", "PROCESSLIST_ID, ATTR_NAME, ATTR_VALUE, ORDINAL_POSITION", s.attributeRows)
	d.Fill("metadata_locks", "OBJECT_TYPE, OBJECT_SCHEMA, OBJECT_NAME, LOCK_TYPE, LOCK_DURATION, LOCK_STATUS, OWNER_THREAD_ID", s.metaLockRows)
	s.fillConnections(d)
	s.fillReplication(d)
	s.fillClones(d)
	s.fillStatements(d)
	s.fillSetup(d)
	s.fillUse(d)
	s.fillErrorLog(d)
	return d
}

// sysSchema: the views of MySQL's sys schema.
func (s *Server) sysSchema() *virtual.Database {
	d := virtual.New("sys")
	d.Fill("version", "sys_version, mysql_version", func(*sql.Context) ([]sql.Row, error) { return []sql.Row{{"2.1.3", version.ServerVersion()}}, nil })
	process := "thd_id, conn_id, user, db, command, state, time, current_statement, execution_engine"
	rows := func(ctx *sql.Context) (out []sql.Row, _ error) {
		for _, p := range s.visibleProcesses(ctx) {
			user := p.user + "@" + p.host
			if p.role != "" {
				user = "sql/" + p.role
			}
			out = append(out, sql.Row{uint64(p.id), uint64(p.id), user, p.db, p.command, p.state, p.seconds, p.info, "PRIMARY"})
		}
		return out, nil
	}
	for _, name := range []string{"processlist", "x$processlist", "session", "x$session"} {
		d.Fill(name, process, rows)
	}
	waits := "wait_started, wait_age_secs, locked_table, locked_table_schema, locked_table_name, locked_index, locked_type, waiting_trx_id, waiting_pid, waiting_query, " +
		"waiting_lock_id, waiting_lock_mode, blocking_trx_id, blocking_pid, blocking_query, blocking_lock_id, sql_kill_blocking_query, sql_kill_blocking_connection"
	d.Fill("innodb_lock_waits", waits, s.sysLockWaits)
	d.Fill("x$innodb_lock_waits", waits, s.sysLockWaits)
	s.fillTableFiles(d)
	s.fillSysQueries(d)
	d.Fill("metrics", "Variable_name, Variable_value, Type, Enabled", func(*sql.Context) (out []sql.Row, _ error) {
		for _, v := range variableRows(s.status.values()) {
			out = append(out, sql.Row{strings.ToLower(v[0].(string)), v[1], "Global Status", "YES"})
		}
		return out, nil
	})
	return d
}

// variableRows prints variables ordered by name.
func variableRows(vars map[string]any) []sql.Row {
	out := make([]sql.Row, 0, len(vars))
	for name, v := range vars {
		out = append(out, sql.Row{name, base.Shown(v)})
	}
	sort.Slice(out, func(i, j int) bool { return out[i][0].(string) < out[j][0].(string) })
	return out
}

func (s *Server) persistedRows(*sql.Context) ([]sql.Row, error) {
	values, err := options.ReadPersisted(s.persistedPath())
	if err != nil {
		return nil, err
	}
	vars := map[string]any{}
	for n, v := range values {
		vars[n] = v
	}
	return variableRows(vars), nil
}

// variablesInfo tells where each setting's value came from.
func (s *Server) variablesInfo(*sql.Context) (out []sql.Row, _ error) {
	for _, d := range options.All() {
		if d.Option {
			continue
		}
		set := s.cfg.Settings.Get(d.Name)
		source, path := "COMPILED", ""
		switch {
		case set.Source == "command line":
			source = "COMMAND_LINE"
		case strings.Contains(set.Source, options.PersistedFile):
			source, path = "PERSISTED", set.Source
		case set.Source != "":
			source, path = "EXPLICIT", set.Source
		}
		lo, hi := "0", "0"
		if d.Kind == options.Int {
			lo, hi = fmt.Sprint(d.Min), fmt.Sprint(d.Max)
		}
		out = append(out, sql.Row{d.Name, source, path, lo, hi})
	}
	return out, nil
}

func (s *Server) sessionStatusRows(ctx *sql.Context) ([]sql.Row, error) {
	vars := s.status.values()
	for name, v := range ctx.Session.GetAllStatusVariables(ctx) {
		vars[name] = v.Value()
	}
	return statusRows(vars), nil
}

// statusRows leaves out what SHOW STATUS alone shows, as in MySQL: the counts of statements by
// kind.
func statusRows(values map[string]any) []sql.Row {
	maps.DeleteFunc(values, func(name string, _ any) bool { return strings.HasPrefix(name, "Com_") && name != "Com_stmt_reprepare" })
	return variableRows(values)
}

func (s *Server) processRows(ctx *sql.Context) (out []sql.Row, _ error) {
	for _, p := range s.visibleProcesses(ctx) {
		out = append(out, sql.Row{uint64(p.id), p.user, p.host, p.db, p.command, p.seconds, p.state, p.info, "PRIMARY"})
	}
	return out, nil
}

func (s *Server) threadRows(ctx *sql.Context) (out []sql.Row, _ error) {
	for _, p := range s.visibleProcesses(ctx) {
		var kind any = "TCP/IP"
		if p.role != "" {
			kind = nil
		} else if w := s.connection(p.id); w != nil && w.unix {
			kind = "Socket"
		} else if w != nil && w.secure {
			kind = "SSL/TLS"
		}
		out = append(out, sql.Row{uint64(p.id), "thread/sql/" + cmp.Or(p.role, "one_connection"), "FOREGROUND", uint64(p.id), p.user, p.host, p.db, p.command, p.seconds, p.state, p.info, "YES", "NO", kind, "PRIMARY", "NO"})
	}
	return out, nil
}

func (s *Server) attributeRows(ctx *sql.Context) (out []sql.Row, _ error) {
	for _, p := range s.visibleProcesses(ctx) {
		w := s.connection(p.id)
		if w == nil || p.command == string(sql.ProcessCommandConnect) {
			continue // not logged in yet
		}
		for i, a := range w.attrs {
			out = append(out, sql.Row{uint64(p.id), a.name, a.value, int64(i)})
		}
	}
	return out, nil
}

func (s *Server) lockRows(ctx *sql.Context) (out []sql.Row, _ error) {
	if !s.mayProcess(ctx) {
		return nil, nil
	}
	for _, l := range s.backend.Locks() {
		if l.Type == "METADATA" {
			continue
		}
		out = append(out, sql.Row{"INNODB", l.LockID, virtual.OrNull(l.TrxID), virtual.OrNull(uint64(l.ThreadID)), virtual.OrNull(l.Schema), virtual.OrNull(l.Table), virtual.OrNull(l.Index), l.Type, l.Mode, l.Status, virtual.OrNull(l.Data)})
	}
	return out, nil
}

func (s *Server) metaLockRows(ctx *sql.Context) (out []sql.Row, _ error) {
	if !s.mayProcess(ctx) {
		return nil, nil
	}
	for _, l := range s.backend.Locks() {
		if l.Type != "METADATA" {
			continue
		}
		status := l.Status
		if status == "WAITING" {
			status = "PENDING"
		}
		out = append(out, sql.Row{"TABLE", virtual.OrNull(l.Schema), virtual.OrNull(l.Table), l.Mode, "TRANSACTION", status, virtual.OrNull(uint64(l.ThreadID))})
	}
	return out, nil
}

func (s *Server) lockWaitRows(ctx *sql.Context) (out []sql.Row, _ error) {
	if !s.mayProcess(ctx) {
		return nil, nil
	}
	for _, w := range s.backend.LockWaits() {
		out = append(out, sql.Row{"INNODB", w.RequestingLockID, virtual.OrNull(w.RequestingTrxID), virtual.OrNull(uint64(w.RequestingThreadID)),
			w.BlockingLockID, virtual.OrNull(w.BlockingTrxID), virtual.OrNull(uint64(w.BlockingThreadID))})
	}
	return out, nil
}

// sysLockWaits joins waits, locks and connections.
func (s *Server) sysLockWaits(ctx *sql.Context) (out []sql.Row, _ error) {
	if !s.mayProcess(ctx) {
		return nil, nil
	}
	locks := map[string]backend.LockInfo{}
	for _, l := range s.backend.Locks() {
		locks[l.LockID] = l
	}
	query := func(thread uint32) any {
		if p := s.processes.get(thread); p != nil {
			return p.row(s.connection(thread)).info
		}
		return nil
	}
	for _, w := range s.backend.LockWaits() {
		l := locks[w.RequestingLockID]
		var since, age any
		if !l.Since.IsZero() {
			since, age = l.Since, int64(time.Since(l.Since).Seconds())
		}
		table := fmt.Sprintf("`%s`.`%s`", l.Schema, l.Table)
		out = append(out, sql.Row{since, age, table, l.Schema, l.Table, virtual.OrNull(l.Index), l.Type, w.RequestingTrxID, uint64(w.RequestingThreadID), query(w.RequestingThreadID),
			w.RequestingLockID, l.Mode, w.BlockingTrxID, uint64(w.BlockingThreadID), query(w.BlockingThreadID), w.BlockingLockID,
			fmt.Sprintf("KILL QUERY %d", w.BlockingThreadID), fmt.Sprintf("KILL %d", w.BlockingThreadID)})
	}
	return out, nil
}

// longestShown is how many bytes of a statement information_schema.PROCESSLIST shows, as in MySQL.
const longestShown = 65535

func shownQuery(info any) any {
	text, ok := info.(string)
	if !ok || len(text) <= longestShown {
		return info
	}
	end := longestShown
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
