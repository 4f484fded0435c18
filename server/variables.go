package server

import (
	"context"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/internal/vfs"
	"emberdb/server/clones"
	"emberdb/server/logs"
	"emberdb/server/options"
	"emberdb/server/sysvar"
	"emberdb/server/version"
	"emberdb/server/wire"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// Settings as system variables. Every definition of package options becomes a variable of
// go-mysql-server, in the place of one that the library has. SET reaches the server through
// NotifyChanged, which go-mysql-server calls under the lock of its registry: the functions below
// store and return, or start a goroutine.

// installVariables registers all variables and their values at start.
func (s *Server) installVariables() {
	var own []sql.SystemVariable
	sql.SystemVariables.AddSystemVariables([]sql.SystemVariable{selectLimit(), fixedClock()})
	for _, d := range options.All() {
		if d.Option {
			continue
		}
		set := s.cfg.Settings.Get(d.Name)
		names := append([]string{d.Name}, d.Aliases...)
		shared := s.shared(names)
		for _, name := range names {
			v := sysvar.New(d, name, set.Value).Own(ownValues[d.Name])
			v.NotifyChanged = shared(s.notify(d, name))
			own = append(own, v)
		}
	}
	own = append(append(own, readOnlyVariables()...), s.binlogVariables()...)
	sql.SystemVariables.AddSystemVariables(own)
	sql.SystemVariables.AddSystemVariables(s.guardOthers())
	for name, v := range fixedValues(s) {
		if err := sql.SystemVariables.AssignValues(map[string]any{name: v}); err != nil {
			s.log.Warn("setting not applied", "name", name, "error", err)
		}
	}
	for _, d := range options.All() {
		if f := globalEffects[d.Name]; f != nil {
			if err := f(s, s.cfg.Settings.Get(d.Name).Value); err != nil {
				s.log.Warn("setting not applied", "name", d.Name, "error", err)
			}
		}
	}
	s.globals.nativePassword = s.cfg.Settings.Bool("mysql_native_password")
}

// selectLimit is sql_select_limit with MySQL's default: no limit.
func selectLimit() sql.SystemVariable {
	const name = "sql_select_limit"
	return &sql.MysqlSystemVariable{
		Name: name, Type: types.NewSystemUintType(name, 0, math.MaxUint64), Default: uint64(math.MaxUint64),
		Scope: sql.GetMysqlScope(sql.SystemVariableScope_Both), Dynamic: true, SetVarHintApplies: true,
		NotifyChanged: func(_ *sql.Context, _ sql.SystemVariableScope, v sql.SystemVarValue) error {
			if n, ok := v.Val.(uint64); ok && n > math.MaxInt64 && n != math.MaxUint64 { // rows are counted in int64
				return sqlerr.NewError(1231, "Variable '%s' can't be set to the value of '%d'", name, n)
			}
			return nil
		},
	}
}

// fixedClock is timestamp. While the clock runs it is unfixedTime, and is shown as the time.
func fixedClock() sql.SystemVariable {
	const name = "timestamp"
	return &sql.MysqlSystemVariable{
		Name: name, Type: types.NewSystemDoubleType(name, unfixedTime, math.MaxFloat64), Default: float64(unfixedTime),
		Scope: sql.GetMysqlScope(sql.SystemVariableScope_Session), Dynamic: true, SetVarHintApplies: true,
		NotifyChanged: func(_ *sql.Context, _ sql.SystemVariableScope, v sql.SystemVarValue) error {
			if at, ok := v.Val.(float64); ok && at != unfixedTime && (at < 1 || at > math.MaxInt32) {
				return sqlerr.NewError(1231, "Variable '%s' can't be set to the value of '%s'", name, strconv.FormatFloat(at, 'f', -1, 64))
			}
			return nil
		},
	}
}

// notifier is told of a variable that is set, and may refuse its value.
type notifier = func(*sql.Context, sql.SystemVariableScope, sql.SystemVarValue) error

// guardOthers returns copies of the variables no definition covers, which only administrators can
// set globally.
func (s *Server) guardOthers() (out []sql.SystemVariable) {
	for name, value := range sql.SystemVariables.GetAllGlobalVariables() {
		v, _, _ := sql.SystemVariables.GetGlobal(name)
		m, ok := v.(*sql.MysqlSystemVariable)
		if !ok || m.IsReadOnly() {
			continue
		}
		copied := *m
		copied.Default = value
		before := m.NotifyChanged
		copied.NotifyChanged = func(ctx *sql.Context, scope sql.SystemVariableScope, v sql.SystemVarValue) error {
			if err := s.maySet(ctx, name, scope); err != nil {
				return err
			}
			if before != nil {
				return before(ctx, scope, v)
			}
			return nil
		}
		out = append(out, &copied)
	}
	return out
}

// assigned tells that the server itself sets a variable (AssignValues, whose context has a bare
// session), not a SET statement.
func assigned(ctx *sql.Context) bool {
	if ctx == nil || ctx.Session == nil {
		return true
	}
	_, bare := ctx.Session.(*sql.BaseSession)
	return bare
}

// notify is called by go-mysql-server when a variable is set.
func (s *Server) notify(d *options.Def, name string) notifier {
	return func(ctx *sql.Context, scope sql.SystemVariableScope, v sql.SystemVarValue) error {
		if !s.ready.Load() || assigned(ctx) {
			return nil
		}
		if err := s.maySet(ctx, d.Name, scope); err != nil {
			return err
		}
		value := sysvar.Setting(d, v.Val)
		if err := s.checkAccountSetting(ctx, d.Name, value); err != nil {
			return err
		}
		if err := checkLogSetting(s, ctx, d.Name, scope.IsGlobalOnly(), value); err != nil {
			return err
		}
		on, isSwitch := value.(bool)
		warnDeprecated(ctx, name, isSwitch && !on)
		if scope.IsGlobalOnly() {
			if f := globalEffects[d.Name]; f != nil {
				if err := f(s, value); err != nil {
					return err
				}
			}
			return s.applyToEngine(d, value)
		}
		if f := sessionEffects[d.Name]; f != nil && ctx.Session != nil {
			if w := s.connection(ctx.Session.ID()); w != nil {
				f(w, value)
			}
		}
		return nil
	}
}

// shared makes the global variables of these names show the value that any of them was given last.
func (s *Server) shared(names []string) func(notifier) notifier {
	if len(names) == 1 {
		return func(f notifier) notifier { return f }
	}
	var last atomic.Pointer[any]
	return func(f notifier) notifier {
		return func(ctx *sql.Context, scope sql.SystemVariableScope, v sql.SystemVarValue) error {
			if err := f(ctx, scope, v); err != nil || !scope.IsGlobalOnly() || assigned(ctx) {
				return err
			}
			last.Store(&v.Val)
			s.showLater(func() any { return *last.Load() }, names...)
			return nil
		}
	}
}

// applyToEngine passes a changed engine setting on.
func (s *Server) applyToEngine(d *options.Def, v any) error {
	if d.Effect != options.Active || !strings.HasPrefix(d.Name, "innodb_") {
		return nil
	}
	if err := s.backend.Apply(d.Name, v); err != nil {
		return sqlerr.NewError(1231, "Variable '%s' can't be set to the value of '%v': %v", d.Name, v, err)
	}
	return nil
}

// globalEffects act when a global value is set, at start and later.
var globalEffects = map[string]func(s *Server, v any) error{
	"max_connections": func(s *Server, v any) error {
		s.globals.maxConnections.Store(min(v.(int64), int64(max(1, vfs.MaxOpen()/3))))
		return nil
	},
	"max_user_connections":            func(s *Server, v any) error { s.globals.maxUserConnections.Store(v.(int64)); return nil },
	"connect_timeout":                 func(s *Server, v any) error { s.globals.connectTimeout.Store(v.(int64)); return nil },
	"require_secure_transport":        func(s *Server, v any) error { s.globals.requireSecure.Store(v.(bool)); return nil },
	"protocol_compression_algorithms": func(s *Server, v any) error { return s.setCompression(v.(string)) },
	"proxy_protocol_networks":         setProxyNetworks,
	"offline_mode":                    func(s *Server, v any) error { s.globals.offlineMode.Store(v.(bool)); return nil },
	"global_connection_memory_limit":  func(s *Server, v any) error { s.cfg.Memory.SetTrackedLimit(v.(int64)); return nil },
	"max_prepared_stmt_count":         func(s *Server, v any) error { s.globals.maxPrepared.Store(v.(int64)); return nil },
	"shutdown_timeout":                func(s *Server, v any) error { s.globals.shutdownTimeout.Store(v.(int64)); return nil },
	"ember_restart_wait":              func(s *Server, v any) error { s.globals.restartWait.Store(v.(int64)); return nil },
	"innodb_fast_shutdown":            func(s *Server, v any) error { s.globals.fastShutdown.Store(v.(int64)); return nil },
	"clone_valid_donor_list":          func(_ *Server, v any) error { return clones.CheckDonorList(v.(string)) },
	"init_connect": func(s *Server, v any) error {
		text := v.(string)
		s.globals.initConnect.Store(&text)
		return nil
	},
	"read_only": func(s *Server, v any) error {
		s.globals.readOnly.Store(v.(bool))
		defer s.events.notify()
		if !v.(bool) {
			s.setSuperReadOnly(false)
			s.showLater(shown(&s.globals.superReadOnly), "super_read_only")
		}
		return nil
	},
	"super_read_only": func(s *Server, v any) error {
		s.setSuperReadOnly(v.(bool))
		defer s.events.notify()
		if v.(bool) {
			s.globals.readOnly.Store(true)
			s.showLater(shown(&s.globals.readOnly), "read_only")
		}
		return nil
	},
	"event_scheduler":               func(s *Server, v any) error { return s.events.set(v.(string)) },
	"general_log":                   func(s *Server, v any) error { return s.logs.switchGeneral(v.(bool)) },
	"general_log_file":              func(s *Server, v any) error { return s.logs.renameGeneral(v.(string)) },
	"slow_query_log":                func(s *Server, v any) error { return s.logs.switchSlow(v.(bool)) },
	"log_slow_extra":                func(s *Server, v any) error { s.logs.slowExtra.Store(v.(bool)); return nil },
	"slow_query_log_file":           func(s *Server, v any) error { return s.logs.renameSlow(v.(string)) },
	"log_output":                    func(s *Server, v any) error { return s.logs.setOutput(v.(string)) },
	"log_error_verbosity":           func(s *Server, v any) error { s.setVerbosity(v.(int64)); return nil },
	"ember_recovery_target_seconds": func(s *Server, v any) error { return s.backend.Apply("ember_recovery_target_seconds", v) },
	"ember_ready_when_warm_pct":     func(s *Server, v any) error { s.gate.pct.Store(v.(int64)); return nil },
	"ember_hot_set_interval":        func(s *Server, v any) error { s.hot.source.setInterval(v.(int64)); return nil },
	"ember_hot_set_load":            func(s *Server, v any) error { s.hot.replica.on.Store(v.(bool)); return nil },
	"innodb_buffer_pool_dump_now":   func(s *Server, v any) error { return s.warmTrigger("innodb_buffer_pool_dump_now", "dump", v) },
	"innodb_buffer_pool_load_now":   func(s *Server, v any) error { return s.warmTrigger("innodb_buffer_pool_load_now", "load", v) },
	"innodb_buffer_pool_load_abort": func(s *Server, v any) error {
		return s.warmTrigger("innodb_buffer_pool_load_abort", "abort", v)
	},
}

// sessionEffects act when a session value is set, and when a session starts.
var sessionEffects = map[string]func(w *wireConn, v any){
	"wait_timeout":                      func(w *wireConn, v any) { w.vars.waitTimeout.Store(v.(int64)) },
	"net_read_timeout":                  func(w *wireConn, v any) { w.vars.netReadTimeout.Store(v.(int64)) },
	"net_write_timeout":                 func(w *wireConn, v any) { w.vars.netWriteTimeout.Store(v.(int64)) },
	"max_allowed_packet":                func(w *wireConn, v any) { w.vars.maxAllowedPacket.Store(v.(int64)) },
	"max_execution_time":                func(w *wireConn, v any) { w.vars.maxExecutionTime.Store(v.(int64)) },
	"ember_statement_memory":            func(w *wireConn, v any) { w.vars.statementMemory.Store(v.(int64)) },
	"connection_memory_limit":           func(w *wireConn, v any) { w.vars.connectionMemory.Store(v.(int64)) },
	"global_connection_memory_tracking": func(w *wireConn, v any) { w.vars.tracksMemory.Store(v.(bool)) },
	"long_query_time":                   func(w *wireConn, v any) { w.vars.longQueryMicros.Store(int64(v.(float64) * 1e6)) },
}

// initSession gives a new session its copies of the variables, and interactive clients their
// wait_timeout.
func (s *Server) initSession(w *wireConn) {
	if w.caps&wire.CapInteractive != 0 {
		if _, v, ok := sql.SystemVariables.GetGlobal("interactive_timeout"); ok {
			_ = w.session.SetSessionVariable(sql.NewContext(context.Background(), sql.WithSession(w.session)), "wait_timeout", v)
		}
	}
	w.followVariables()
}

// followVariables copies the session's variables.
func (w *wireConn) followVariables() {
	for name, f := range sessionEffects {
		d, _ := options.Lookup(name)
		v, err := w.session.GetSessionVariable(nil, name)
		if err == nil {
			f(w, sysvar.Setting(d, v))
		}
	}
}

// showLater makes variables show what is in force, after the setting of another changed that. It
// waits for the registry's lock.
func (s *Server) showLater(inForce func() any, names ...string) {
	if !s.ready.Load() {
		return
	}
	s.background.Go(func() {
		for done := false; !done; {
			value := inForce()
			for _, name := range names {
				if err := sql.SystemVariables.AssignValues(map[string]any{name: value}); err != nil {
					s.log.Error("setting not applied", "name", name, "error", err)
					return
				}
			}
			done = inForce() == value
		}
	})
}

func shown(on *atomic.Bool) func() any { return func() any { return sysvar.Kept(nil, on.Load()) } }

// warmTrigger runs a command of the warm room; its variable reads OFF again.
func (s *Server) warmTrigger(name, command string, v any) error {
	if on, _ := v.(bool); !on {
		return nil
	}
	s.showLater(shown(new(atomic.Bool)), name)
	s.background.Go(func() {
		if err := s.backend.Warm(command); err != nil {
			s.log.Error("buffer pool "+command+" failed", "error", err)
		}
	})
	return nil
}

// readOnlyVariables are facts clients ask for that are no settings, and variables of sessions that
// change nothing here.
func readOnlyVariables() []sql.SystemVariable {
	var out []sql.SystemVariable
	text := func(name, value string) {
		out = append(out, &sql.MysqlSystemVariable{Name: name, Type: types.NewSystemStringType(name), Default: value,
			Scope: sql.GetMysqlScope(sql.SystemVariableScope_Global)})
	}
	text("have_ssl", "YES")
	text("have_openssl", "YES")
	text("have_compress", "NO")
	text("have_profiling", "NO")
	text("have_query_cache", "NO")
	text("have_geometry", "YES")
	text("have_symlink", "DISABLED")
	text("license", "Apache-2.0")
	text("version_compile_zlib", "")
	session := func(name string, typ sql.Type, value any, scope sql.MysqlSVScopeType, dynamic bool) {
		out = append(out, &sql.MysqlSystemVariable{Name: name, Type: typ, Default: value, Scope: sql.GetMysqlScope(scope), Dynamic: dynamic})
	}
	const onlySession, both = sql.SystemVariableScope_Session, sql.SystemVariableScope_Both
	for _, name := range []string{"identity", "last_insert_id"} {
		session(name, types.NewSystemIntType(name, math.MinInt64, math.MaxInt64, false), int64(0), onlySession, true)
		out[len(out)-1].(*sql.MysqlSystemVariable).NotifyChanged = setInsertID
	}
	session("insert_id", types.NewSystemIntType("insert_id", 0, math.MaxInt64, false), int64(0), onlySession, true)
	for _, name := range []string{"rand_seed1", "rand_seed2"} {
		session(name, types.NewSystemUintType(name, 0, math.MaxUint64), uint64(0), onlySession, true)
	}
	session("warning_count", types.NewSystemUintType("warning_count", 0, math.MaxUint64), uint64(0), onlySession, false)
	session("error_count", types.NewSystemUintType("error_count", 0, math.MaxUint64), uint64(0), onlySession, false)
	for _, name := range []string{"pseudo_replica_mode", "pseudo_slave_mode"} {
		session(name, types.NewSystemBoolType(name), int8(0), onlySession, true)
	}
	session(sqllayer.OriginalTime, types.NewSystemIntType(sqllayer.OriginalTime, 0, sqllayer.UnknownTime, false), int64(sqllayer.UnknownTime), onlySession, true)
	for _, name := range []string{sqllayer.OriginalVersion, "immediate_server_version"} {
		session(name, types.NewSystemIntType(name, 0, math.MaxUint32, false), int64(sqllayer.UnknownVersion), onlySession, true)
	}
	session("profiling", types.NewSystemBoolType("profiling"), int8(0), both, true) // SHOW PROFILES has no rows
	session("profiling_history_size", types.NewSystemIntType("profiling_history_size", 0, 100, false), int64(15), both, true)
	for name, first := range switchVariables {
		out = append(out, switches(name, first))
	}
	return out
}

// setInsertID is SET last_insert_id: what LAST_INSERT_ID() gives.
func setInsertID(ctx *sql.Context, _ sql.SystemVariableScope, v sql.SystemVarValue) error {
	if id, ok := v.Val.(int64); ok && !assigned(ctx) {
		ctx.Session.GetLastQueryInfo().LastInsertId.Store(id)
	}
	return nil
}

// fixedValues are values of variables the SQL layer defines that only this server knows.
func fixedValues(s *Server) map[string]any {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return map[string]any{
		"disable_merge_join":      int8(1), // such a join compares texts by the weights of characters
		"time_zone":               s.cfg.Settings.String("default_time_zone"),
		"collation_connection":    s.cfg.Settings.String("collation_server"),
		"collation_database":      s.cfg.Settings.String("collation_server"),
		"character_set_database":  s.cfg.Settings.String("character_set_server"),
		"server_uuid":             s.backend.UUID(),
		"version":                 version.ServerVersion(),
		"version_comment":         version.VersionComment,
		"version_compile_machine": runtime.GOARCH,
		"version_compile_os":      runtime.GOOS,
		"hostname":                host,
	}
}

// setVerbosity maps log_error_verbosity to log levels.
func (s *Server) setVerbosity(v int64) {
	if s.cfg.LogLevel != nil {
		s.cfg.LogLevel.Set(logs.VerbosityLevel(v))
	}
}

// setSuperReadOnly makes the server refuse the changes of all clients, or not, and the engine with
// it.
func (s *Server) setSuperReadOnly(on bool) {
	s.globals.superReadOnly.Store(on)
	if e := s.backend.Engine(); e != nil {
		e.SetReadOnly(on)
	}
}
