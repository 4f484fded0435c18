package server

import (
	"crypto/tls"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/txn"
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
	case bool:
		if v {
			return "ON"
		}
		return "OFF"
	case float64:
		return strconv.FormatFloat(v, 'f', 6, 64)
	case time.Duration:
		return uint64(v.Milliseconds())
	case string:
		return v
	}
	return fmt.Sprint(v)
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
	for i, name := range comNames {
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
	for i, name := range comNames {
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
	files := tlsFilesOf(s.cfg.Settings)
	put("Current_tls_ca", files.ca)
	put("Current_tls_cert", files.cert)
	put("Current_tls_key", files.key)
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
		return cipherName(state.CipherSuite)
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
