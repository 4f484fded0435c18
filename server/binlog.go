package server

// The binary log as clients see it: options and variables. Statements about it:
// binlog_statements.go; dump threads: binlog_dump.go.

import (
	"errors"
	"path/filepath"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/binlog"
	"emberdb/engine"
	"emberdb/server/backend"
	"emberdb/server/options"
	"emberdb/server/sysvar"
)

// checkBinlog refuses settings that do not go together.
func checkBinlog(o *options.Settings) error {
	if o.String("gtid_mode") == "ON" && o.String("enforce_gtid_consistency") != "ON" {
		return errors.New("gtid_mode=ON needs enforce_gtid_consistency=ON")
	}
	return nil
}

// binlog is the log, nil if it is off.
func (s *Server) binlog() *binlog.Log {
	if e := s.backend.Engine(); e != nil {
		return e.Binlog()
	}
	return nil
}

// replicationUUID is the server's identity in GTIDs.
func (s *Server) replicationUUID() binlog.UUID {
	id, _ := binlog.ParseUUID(s.backend.UUID()) // the engine made it
	return id
}

// withEngine is a global effect on the engine, if there is one.
func withEngine(f func(e *engine.Engine, v any)) func(*Server, any) error {
	return func(s *Server, v any) error {
		if e := s.backend.Engine(); e != nil {
			f(e, v)
		}
		return nil
	}
}

// withLog is a global effect on the log, if it is on.
func withLog(f func(l *binlog.Log, v any)) func(*Server, any) error {
	return withEngine(func(e *engine.Engine, v any) {
		if l := e.Binlog(); l != nil {
			f(l, v)
		}
	})
}

func init() {
	for name, f := range map[string]func(*Server, any) error{
		"sync_binlog":                                withEngine(func(e *engine.Engine, v any) { e.SetSyncBinlog(v.(int64)) }),
		"binlog_row_metadata":                        withEngine(func(e *engine.Engine, v any) { e.SetRowMetadata(v.(string) == "FULL") }),
		"binlog_checksum":                            setChecksum,
		"max_binlog_size":                            withLog(func(l *binlog.Log, v any) { l.SetMaxSize(v.(int64)) }),
		"binlog_group_commit_sync_delay":             withLog(func(l *binlog.Log, v any) { l.SetSyncDelay(v.(int64)) }),
		"binlog_group_commit_sync_no_delay_count":    withLog(func(l *binlog.Log, v any) { l.SetSyncNoDelayCount(v.(int64)) }),
		"server_id":                                  withLog(func(l *binlog.Log, v any) { l.SetServerID(uint32(v.(int64))) }),
		"binlog_transaction_dependency_history_size": withLog(func(l *binlog.Log, v any) { l.SetDependencyHistory(v.(int64)) }),
		"gtid_mode":                                  setGTIDMode,
		"enforce_gtid_consistency":                   setConsistency,
		"rpl_semi_sync_source_enabled": func(s *Server, v any) error {
			s.semiSync.enable(v.(bool))
			return withEngine(func(e *engine.Engine, v any) {
				if e.SetAcks(nil); v.(bool) {
					e.SetAcks(s.semiSync.wait)
				}
			})(s, v)
		},
		"rpl_semi_sync_source_timeout":                func(s *Server, v any) error { s.semiSync.timeout.Store(v.(int64)); return nil },
		"rpl_semi_sync_source_wait_for_replica_count": func(s *Server, v any) error { s.semiSync.setCount(v.(int64)); return nil },
		"rpl_semi_sync_source_wait_no_replica":        func(s *Server, v any) error { s.semiSync.setAlone(v.(bool)); return nil },
	} {
		globalEffects[name] = f
	}
}

// setChecksum changes binlog_checksum, with which a new file begins.
func setChecksum(s *Server, v any) error {
	if l := s.binlog(); l != nil && l.SetChecksums(v.(string) == "CRC32") {
		return l.Rotate()
	}
	return nil
}

// binlogVariables are those whose value is the log's.
func (s *Server) binlogVariables() (out []sql.SystemVariable) {
	live := func(name string, value func(l *binlog.Log) string) {
		out = append(out, &sql.MysqlSystemVariable{Name: name, Type: types.NewSystemStringType(name), Default: "",
			Scope: sql.GetMysqlScope(sql.SystemVariableScope_Global), ValueFunction: func() (any, error) {
				if l := s.binlog(); l != nil {
					return value(l), nil
				}
				return "", nil
			}})
	}
	live("gtid_executed", func(l *binlog.Log) string { return l.Executed().Shown() })
	live("gtid_purged", func(l *binlog.Log) string { return l.Purged().Shown() })
	live("gtid_owned", ownedText)
	on, base, index := int8(0), "", ""
	if o := backend.BinlogOptions(s.cfg.Settings); o != nil {
		on, base = 1, o.Base
		if o.Dir == "" {
			o.Dir = s.dir
		} else if !filepath.IsAbs(o.Dir) {
			o.Dir = filepath.Join(s.dir, o.Dir)
		}
		if index = o.Index; index == "" {
			index = base + ".index"
		}
		base, index = filepath.Join(o.Dir, base), filepath.Join(o.Dir, index)
	}
	fixed := func(name string, typ sql.Type, v any) {
		out = append(out, &sql.MysqlSystemVariable{Name: name, Type: typ, Default: v, Scope: sql.GetMysqlScope(sql.SystemVariableScope_Global)})
	}
	fixed("log_bin", types.NewSystemBoolType("log_bin"), on)
	fixed("log_bin_basename", types.NewSystemStringType("log_bin_basename"), base)
	fixed("log_bin_index", types.NewSystemStringType("log_bin_index"), index)
	return out
}

// expireBinlogs removes files older than binlog_expire_logs_seconds, now and then.
func (s *Server) expireBinlogs() {
	t := time.NewTicker(time.Minute)
	defer t.Stop()
	for { // not at once: a start opens no files to look at their age
		select {
		case <-s.stopped:
			return
		case <-t.C:
		}
		s.removeExpired(time.Now())
	}
}

// removeExpired removes files that are older than binlog_expire_logs_seconds.
func (s *Server) removeExpired(now time.Time) {
	l, age := s.binlog(), sysvar.GlobalInt("binlog_expire_logs_seconds")
	if l == nil || age == 0 || !sysvar.GlobalOn("binlog_expire_logs_auto_purge") {
		return
	}
	if _, err := l.PurgeBefore(now.Unix() - age); err != nil && !errors.Is(err, binlog.ErrFileInUse) {
		s.log.Error("expired binary logs not removed", "error", err)
	}
}

// rotateBinlog is FLUSH BINARY LOGS, and part of FLUSH LOGS.
func (s *Server) rotateBinlog() error {
	if l := s.binlog(); l != nil {
		return l.Rotate()
	}
	return nil
}
