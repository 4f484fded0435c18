package server

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/server/options"
	"emberdb/sqllayer"
)

// The tables of the added schemas.

// fill replaces an information_schema table's rows. Rows are given by column name.
func (d *infoSchema) fill(name string, rows func(ctx *sql.Context) []map[string]any) {
	t, ok, err := d.Database.GetTableInsensitive(sql.NewEmptyContext(), name)
	if err != nil || !ok {
		return
	}
	schema := t.Schema(sql.NewEmptyContext())
	d.own.tables[strings.ToLower(name)] = sqllayer.NewVirtualTable(t.Name(), schema, func(ctx *sql.Context) ([]sql.Row, error) {
		var out []sql.Row
		for _, m := range rows(ctx) {
			row, err := sqllayer.RowByName(ctx, schema, m)
			if err != nil {
				return nil, err
			}
			out = append(out, row)
		}
		return out, nil
	})
}

// addInformationSchema: tables about connections, transactions and the buffer pool.
func (s *Server) addInformationSchema(d *infoSchema) {
	d.fill("processlist", func(ctx *sql.Context) (out []map[string]any) {
		for _, p := range s.visibleProcesses(ctx) {
			out = append(out, map[string]any{"id": uint64(p.id), "user": p.user, "host": p.host, "db": p.db, "command": p.command, "time": p.seconds, "state": p.state, "info": p.info})
		}
		return out
	})
	d.fill("innodb_trx", func(ctx *sql.Context) (out []map[string]any) {
		if !s.mayProcess(ctx) {
			return nil
		}
		for _, t := range s.backend.Transactions() {
			out = append(out, s.trxRow(t))
		}
		return out
	})
	d.fill("innodb_buffer_pool_stats", s.poolStats)
	d.fill("innodb_metrics", s.metrics)
	d.fill("innodb_buffer_page_lru", s.lruRows)
	s.addWarmTables(d.own)
	s.addRecoveryTables(d.own)
	d.own.add("EMBER_COMPILED_REFUSED", "DATABASE_NAME s, STATEMENT s, PREPARED s, REASON s, EXECUTIONS u", s.forProcess(s.refusedRows))
}

func (s *Server) mayProcess(ctx *sql.Context) bool {
	return s.accounts.db.UserHasPrivileges(ctx, sql.NewPrivilegedOperation(sql.PrivilegeCheckSubject{}, sql.PrivilegeType_Process))
}

func (s *Server) trxRow(t TrxInfo) map[string]any {
	m := map[string]any{
		"trx_id": t.ID, "trx_state": t.State, "trx_weight": t.Weight, "trx_mysql_thread_id": uint64(t.ThreadID),
		"trx_rows_locked": t.RowsLocked, "trx_rows_modified": t.RowsModified, "trx_isolation_level": t.Isolation,
		"trx_is_read_only": b2i(t.ReadOnly), "trx_unique_checks": 1, "trx_foreign_key_checks": 1,
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
			m["trx_query"] = maskSecrets(p.query)
		}
		p.mu.Unlock()
	}
	return m
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
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

// metrics lists every number of the engine.
func (s *Server) metrics(ctx *sql.Context) (out []map[string]any) {
	if !s.mayProcess(ctx) {
		return nil
	}
	st := s.engineStatus()
	for _, name := range sortedKeys(st) {
		n, ok := st[name].(uint64)
		if !ok {
			continue
		}
		short := strings.TrimPrefix(strings.ToLower(name), "innodb_")
		subsystem, _, _ := strings.Cut(short, "_")
		out = append(out, map[string]any{"name": short, "subsystem": subsystem, "count": int64(n), "max_count": int64(n), "status": "enabled",
			"type": "status_counter", "comment": "Status variable " + name})
	}
	return out
}

// performanceSchema: what clients and monitoring tools ask for.
func (s *Server) performanceSchema() *virtualDB {
	d := &virtualDB{name: "performance_schema", tables: map[string]*sqllayer.VirtualTable{}}
	variable := "VARIABLE_NAME s, VARIABLE_VALUE s?"
	d.add("global_variables", variable, func(*sql.Context) ([]sql.Row, error) {
		return variableRows(sql.SystemVariables.GetAllGlobalVariables()), nil
	})
	d.add("session_variables", variable, func(ctx *sql.Context) ([]sql.Row, error) {
		return variableRows(ctx.Session.GetAllSessionVariables()), nil
	})
	d.add("persisted_variables", variable, s.persistedRows)
	d.add("variables_info", "VARIABLE_NAME s, VARIABLE_SOURCE s, VARIABLE_PATH s?, MIN_VALUE s?, MAX_VALUE s?, SET_TIME t?, SET_USER s?, SET_HOST s?", s.variablesInfo)
	d.add("global_status", variable, func(*sql.Context) ([]sql.Row, error) { return variableRows(s.status.values()), nil })
	d.add("session_status", variable, s.sessionStatusRows)
	d.add("processlist", "ID u, USER s?, HOST s?, DB s?, COMMAND s?, TIME i?, STATE s?, INFO x?, EXECUTION_ENGINE s?", s.processRows)
	d.add("threads", "THREAD_ID u, NAME s, TYPE s, PROCESSLIST_ID u?, PROCESSLIST_USER s?, PROCESSLIST_HOST s?, PROCESSLIST_DB s?, PROCESSLIST_COMMAND s?, PROCESSLIST_TIME i?, PROCESSLIST_STATE s?, PROCESSLIST_INFO x?, INSTRUMENTED s, CONNECTION_TYPE s?", s.threadRows)
	d.add("data_locks", "ENGINE s, ENGINE_LOCK_ID s, ENGINE_TRANSACTION_ID u?, THREAD_ID u?, EVENT_ID u?, OBJECT_SCHEMA s?, OBJECT_NAME s?, PARTITION_NAME s?, SUBPARTITION_NAME s?, INDEX_NAME s?, OBJECT_INSTANCE_BEGIN u, LOCK_TYPE s, LOCK_MODE s, LOCK_STATUS s, LOCK_DATA s?", s.lockRows)
	d.add("data_lock_waits", "ENGINE s, REQUESTING_ENGINE_LOCK_ID s, REQUESTING_ENGINE_TRANSACTION_ID u?, REQUESTING_THREAD_ID u?, REQUESTING_EVENT_ID u?, REQUESTING_OBJECT_INSTANCE_BEGIN u, BLOCKING_ENGINE_LOCK_ID s, BLOCKING_ENGINE_TRANSACTION_ID u?, BLOCKING_THREAD_ID u?, BLOCKING_EVENT_ID u?, BLOCKING_OBJECT_INSTANCE_BEGIN u", s.lockWaitRows)
	d.add("session_account_connect_attrs", "PROCESSLIST_ID u, ATTR_NAME s, ATTR_VALUE s?, ORDINAL_POSITION i?", s.attributeRows)
	d.add("session_connect_attrs", "PROCESSLIST_ID u, ATTR_NAME s, ATTR_VALUE s?, ORDINAL_POSITION i?", s.attributeRows)
	d.add("setup_consumers", "NAME s, ENABLED s", nil)
	d.add("setup_instruments", "NAME s, ENABLED s, TIMED s?, PROPERTIES s, FLAGS s?, VOLATILITY i, DOCUMENTATION s?", nil)
	d.add("setup_actors", "HOST s, USER s, ROLE s, ENABLED s, HISTORY s", nil)
	d.add("error_log", "LOGGED t, THREAD_ID u?, PRIO s, ERROR_CODE s?, SUBSYSTEM s?, DATA x", nil)
	d.add("metadata_locks", "OBJECT_TYPE s, OBJECT_SCHEMA s?, OBJECT_NAME s?, COLUMN_NAME s?, OBJECT_INSTANCE_BEGIN u, LOCK_TYPE s, LOCK_DURATION s, LOCK_STATUS s, SOURCE s?, OWNER_THREAD_ID u?, OWNER_EVENT_ID u?", s.metaLockRows)
	statement := "THREAD_ID u, EVENT_ID u, END_EVENT_ID u?, EVENT_NAME s, TIMER_START u?, TIMER_END u?, TIMER_WAIT u?, LOCK_TIME u, SQL_TEXT x?, DIGEST s?, DIGEST_TEXT x?, CURRENT_SCHEMA s?, ROWS_AFFECTED u, ROWS_SENT u, ROWS_EXAMINED u"
	d.add("events_statements_current", statement, nil)
	d.add("events_statements_history", statement, nil)
	d.add("events_statements_summary_by_digest", "SCHEMA_NAME s?, DIGEST s?, DIGEST_TEXT x?, COUNT_STAR u, SUM_TIMER_WAIT u, MIN_TIMER_WAIT u, AVG_TIMER_WAIT u, MAX_TIMER_WAIT u, SUM_LOCK_TIME u, SUM_ERRORS u, SUM_WARNINGS u, SUM_ROWS_AFFECTED u, SUM_ROWS_SENT u, SUM_ROWS_EXAMINED u, FIRST_SEEN t, LAST_SEEN t", nil)
	d.add("table_io_waits_summary_by_table", "OBJECT_TYPE s?, OBJECT_SCHEMA s?, OBJECT_NAME s?, COUNT_STAR u, SUM_TIMER_WAIT u, COUNT_READ u, COUNT_WRITE u, COUNT_FETCH u, COUNT_INSERT u, COUNT_UPDATE u, COUNT_DELETE u", nil)
	d.add("table_io_waits_summary_by_index_usage", "OBJECT_TYPE s?, OBJECT_SCHEMA s?, OBJECT_NAME s?, INDEX_NAME s?, COUNT_STAR u, SUM_TIMER_WAIT u, COUNT_READ u, COUNT_WRITE u", nil)
	d.add("file_summary_by_instance", "FILE_NAME s, EVENT_NAME s, COUNT_STAR u, SUM_TIMER_WAIT u, COUNT_READ u, SUM_NUMBER_OF_BYTES_READ i, COUNT_WRITE u, SUM_NUMBER_OF_BYTES_WRITE i", nil)
	d.add("replication_connection_status", "CHANNEL_NAME s, GROUP_NAME s, SOURCE_UUID s, THREAD_ID u?, SERVICE_STATE s, LAST_ERROR_NUMBER i, LAST_ERROR_MESSAGE s", nil)
	d.add("replication_applier_status", "CHANNEL_NAME s, SERVICE_STATE s, REMAINING_DELAY u?, COUNT_TRANSACTIONS_RETRIES u", nil)
	d.add("replication_group_members", "CHANNEL_NAME s, MEMBER_ID s, MEMBER_HOST s, MEMBER_PORT i?, MEMBER_STATE s, MEMBER_ROLE s, MEMBER_VERSION s, MEMBER_COMMUNICATION_STACK s", nil)
	return d
}

// sysSchema: the views of MySQL's sys schema that make sense here.
func (s *Server) sysSchema() *virtualDB {
	d := &virtualDB{name: "sys", tables: map[string]*sqllayer.VirtualTable{}}
	d.add("version", "sys_version s, mysql_version s", func(*sql.Context) ([]sql.Row, error) { return []sql.Row{{"2.1.2", ServerVersion()}}, nil })
	d.add("sys_config", "variable s, value s?, set_time t?, set_by s?", nil)
	process := "thd_id u, conn_id u?, user s?, db s?, command s?, state s?, time i?, current_statement x?"
	rows := func(ctx *sql.Context) (out []sql.Row, _ error) {
		for _, p := range s.visibleProcesses(ctx) {
			out = append(out, sql.Row{uint64(p.id), uint64(p.id), p.user + "@" + p.host, p.db, p.command, p.state, p.seconds, p.info})
		}
		return out, nil
	}
	d.add("processlist", process, rows)
	d.add("session", process, rows)
	d.add("innodb_lock_waits", "wait_started t?, wait_age_secs i?, locked_table s?, locked_index s?, waiting_trx_id u?, waiting_pid u?, waiting_query x?, waiting_lock_id s?, waiting_lock_mode s?, blocking_trx_id u?, blocking_pid u?, blocking_query x?, blocking_lock_id s?, sql_kill_blocking_query s?, sql_kill_blocking_connection s?", s.sysLockWaits)
	return d
}

// variableRows prints variables ordered by name.
func variableRows(vars map[string]any) []sql.Row {
	out := make([]sql.Row, 0, len(vars))
	for name, v := range vars {
		out = append(out, sql.Row{name, variableText(v)})
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
		out = append(out, sql.Row{d.Name, source, path, lo, hi, nil, nil, nil})
	}
	return out, nil
}

func (s *Server) sessionStatusRows(ctx *sql.Context) ([]sql.Row, error) {
	vars := s.status.values()
	for name, v := range ctx.Session.GetAllStatusVariables(ctx) {
		vars[name] = v.Value()
	}
	return variableRows(vars), nil
}

func (s *Server) processRows(ctx *sql.Context) (out []sql.Row, _ error) {
	for _, p := range s.visibleProcesses(ctx) {
		out = append(out, sql.Row{uint64(p.id), p.user, p.host, p.db, p.command, p.seconds, p.state, p.info, "PRIMARY"})
	}
	return out, nil
}

func (s *Server) threadRows(ctx *sql.Context) (out []sql.Row, _ error) {
	for _, p := range s.visibleProcesses(ctx) {
		kind := "TCP/IP"
		if w := s.connection(p.id); w != nil && w.unix {
			kind = "Socket"
		} else if w != nil && w.secure {
			kind = "SSL/TLS"
		}
		out = append(out, sql.Row{uint64(p.id), "thread/sql/one_connection", "FOREGROUND", uint64(p.id), p.user, p.host, p.db, p.command, p.seconds, p.state, p.info, "YES", kind})
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

// orNull is v, or NULL if it is empty.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

func (s *Server) lockRows(ctx *sql.Context) (out []sql.Row, _ error) {
	if !s.mayProcess(ctx) {
		return nil, nil
	}
	for _, l := range s.backend.Locks() {
		if l.Type == "METADATA" {
			continue
		}
		out = append(out, sql.Row{"INNODB", l.LockID, orNull(l.TrxID), orNull(uint64(l.ThreadID)), nil, orNull(l.Schema), orNull(l.Table), nil, nil, orNull(l.Index), uint64(0), l.Type, l.Mode, l.Status, orNull(l.Data)})
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
		out = append(out, sql.Row{"TABLE", orNull(l.Schema), orNull(l.Table), nil, uint64(0), l.Mode, "TRANSACTION", status, nil, orNull(uint64(l.ThreadID)), nil})
	}
	return out, nil
}

func (s *Server) lockWaitRows(ctx *sql.Context) (out []sql.Row, _ error) {
	if !s.mayProcess(ctx) {
		return nil, nil
	}
	for _, w := range s.backend.LockWaits() {
		out = append(out, sql.Row{"INNODB", w.RequestingLockID, orNull(w.RequestingTrxID), orNull(uint64(w.RequestingThreadID)), nil, uint64(0),
			w.BlockingLockID, orNull(w.BlockingTrxID), orNull(uint64(w.BlockingThreadID)), nil, uint64(0)})
	}
	return out, nil
}

// sysLockWaits joins waits, locks and connections.
func (s *Server) sysLockWaits(ctx *sql.Context) (out []sql.Row, _ error) {
	if !s.mayProcess(ctx) {
		return nil, nil
	}
	locks := map[string]LockInfo{}
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
		out = append(out, sql.Row{since, age, table, orNull(l.Index), w.RequestingTrxID, uint64(w.RequestingThreadID), query(w.RequestingThreadID),
			w.RequestingLockID, l.Mode, w.BlockingTrxID, uint64(w.BlockingThreadID), query(w.BlockingThreadID), w.BlockingLockID,
			fmt.Sprintf("KILL QUERY %d", w.BlockingThreadID), fmt.Sprintf("KILL %d", w.BlockingThreadID)})
	}
	return out, nil
}
