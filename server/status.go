package server

import (
	"crypto/tls"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/go-mysql-server/sql/variables"

	"emberdb/engine/txn"
	"emberdb/sqllayer"
)

// statusRegistry stands in for go-mysql-server's status variables: values are read where they arise when they are asked for.
// Names it knows nothing about keep the count go-mysql-server gives them, usually 0.
type statusRegistry struct {
	s       *Server
	mu      sync.RWMutex
	vars    map[string]sql.StatusVariable
	counts  map[string]*atomic.Uint64
	flushed atomic.Int64 // unix time of the last FLUSH STATUS
}

var _ sql.StatusVariableRegistry = (*statusRegistry)(nil)

// installStatus replaces the global registry.
func installStatus(s *Server) *statusRegistry {
	r := &statusRegistry{s: s, vars: map[string]sql.StatusVariable{}, counts: map[string]*atomic.Uint64{}}
	r.flushed.Store(s.started.Unix())
	if _, ours := sql.StatusVariables.(*statusRegistry); ours || sql.StatusVariables == nil {
		sql.StatusVariables = nil
		variables.InitStatusVariables()
	}
	for name, v := range sql.StatusVariables.NewGlobalMap() {
		r.vars[name] = v.Variable()
		r.counts[name] = &atomic.Uint64{}
	}
	sql.StatusVariables = r
	return r
}

// values computes every status variable.
func (r *statusRegistry) values() map[string]any {
	out := make(map[string]any, len(r.counts)+64)
	for name, c := range r.counts {
		out[name] = c.Load()
	}
	put := func(name string, v any) { out[name] = statusValue(v) }
	r.s.ownStatus(put)
	r.s.backend.Status(put)
	r.s.semiSync.status(put)
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
	put("Aborted_clients", c.abortedClients.Load())
	put("Aborted_connects", c.abortedConnects.Load())
	put("Bytes_received", c.bytesReceived.Load())
	put("Bytes_sent", c.bytesSent.Load())
	put("Connections", c.connections.Load())
	put("Connection_errors_max_connections", c.refusedConnections.Load())
	put("Connection_errors_accept", c.acceptErrors.Load())
	put("Max_execution_time_exceeded", c.executionTimeouts.Load())
	put("Max_used_connections", s.processes.peak.Load())
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
	if cfg := s.tls.Load(); cfg != nil {
		put("Current_tls_version", tlsRange(cfg))
	}
	for i, name := range comNames {
		if i != 0 {
			put("Com_"+name, c.commands[i].Load())
		}
	}
	put("Com_ping", 0)
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

func tlsRange(c *tls.Config) string {
	switch {
	case c.MinVersion == tls.VersionTLS13:
		return "TLSv1.3"
	case c.MaxVersion == tls.VersionTLS12:
		return "TLSv1.2"
	}
	return "TLSv1.2,TLSv1.3"
}

// flush is FLUSH STATUS.
func (r *statusRegistry) flush() {
	for _, c := range r.counts {
		c.Store(0)
	}
	s := r.s
	for _, c := range []*atomic.Int64{&s.counters.abortedClients, &s.counters.abortedConnects, &s.counters.bytesReceived, &s.counters.bytesSent,
		&s.counters.slowQueries, &s.counters.refusedConnections, &s.counters.executionTimeouts} {
		c.Store(0)
	}
	for i := range s.counters.commands {
		s.counters.commands[i].Store(0)
	}
	s.processes.peak.Store(s.processes.count())
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

// SetGlobal implements sql.StatusVariableRegistry.
func (r *statusRegistry) SetGlobal(name string, val any) error {
	c := r.counts[name]
	if c == nil {
		return sql.ErrUnknownStatusVariable.New(name)
	}
	n, _, err := types.Uint64.Convert(sql.NewEmptyContext(), val)
	if err == nil {
		c.Store(n.(uint64))
	}
	return err
}

// IncrementGlobal implements sql.StatusVariableRegistry.
func (r *statusRegistry) IncrementGlobal(name string, val int) {
	if c := r.counts[name]; c != nil {
		c.Add(uint64(val))
	}
}

// sessionNames are the status variables with a value of their own in a session.
var sessionNames = []string{"Bytes_received", "Bytes_sent", "Compression", "Last_query_cost", "Questions", "Ssl_cipher", "Ssl_cipher_list", "Ssl_version"}

// NewSessionMap implements sql.StatusVariableRegistry. The map is small: go-mysql-server makes one for each connection.
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
		return "OFF"
	case "Last_query_cost":
		return "0.000000"
	}
	state, ok := w.tlsState()
	if !ok {
		return ""
	}
	switch x.v.GetName() {
	case "Ssl_version":
		return "TLSv" + tls.VersionName(state.Version)[len("TLS "):]
	default:
		return tls.CipherSuiteName(state.CipherSuite)
	}
}

// statistics is the answer to COM_STATISTICS (mysqladmin status).
func (s *Server) statistics() string {
	up := max(int64(time.Since(s.started).Seconds()), 1)
	q := s.counters.questions.Load()
	return fmt.Sprintf("Uptime: %d  Threads: %d  Questions: %d  Slow queries: %d  Opens: 0  Flush tables: 0  Open tables: 0  Queries per second avg: %.3f",
		up, s.processes.count(), q, s.counters.slowQueries.Load(), float64(q)/float64(up))
}
