package server

// The binary log as clients see it: options, variables and the statements about it. Dump threads: binlog_dump.go.

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/binlog"
	"emberdb/engine"
	"emberdb/server/options"
	"emberdb/sqllayer"
)

// versionNumber is the server version in events.
const versionNumber = 80400

// binlogOptions translates log_bin and its kin; nil: no log. log_bin may carry a folder, and an extension, which is dropped.
func binlogOptions(o *options.Settings) *binlog.Options {
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
	return &binlog.Options{Dir: dir, Base: base, Index: index, ServerID: uint32(o.Int("server_id")), ServerVersion: ServerVersion(), VersionNumber: versionNumber,
		MaxSize: o.Int("max_binlog_size"), CacheSize: int(o.Int("binlog_cache_size")), MaxCacheSize: o.Int("max_binlog_cache_size"),
		NoChecksum: o.String("binlog_checksum") == "NONE"}
}

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
		"sync_binlog":                             withEngine(func(e *engine.Engine, v any) { e.SetSyncBinlog(v.(int64)) }),
		"binlog_row_metadata":                     withEngine(func(e *engine.Engine, v any) { e.SetRowMetadata(v.(string) == "FULL") }),
		"binlog_checksum":                         setChecksum,
		"max_binlog_size":                         withLog(func(l *binlog.Log, v any) { l.SetMaxSize(v.(int64)) }),
		"binlog_group_commit_sync_delay":          withLog(func(l *binlog.Log, v any) { l.SetSyncDelay(v.(int64)) }),
		"binlog_group_commit_sync_no_delay_count": withLog(func(l *binlog.Log, v any) { l.SetSyncNoDelayCount(v.(int64)) }),
		"server_id":                               withLog(func(l *binlog.Log, v any) { l.SetServerID(uint32(v.(int64))) }),
		"gtid_mode":                               setGTIDMode,
		"enforce_gtid_consistency":                setConsistency,
		"rpl_semi_sync_source_enabled": func(s *Server, v any) error {
			s.semiSync.enabled.Store(v.(bool))
			return withEngine(func(e *engine.Engine, v any) {
				if e.SetAcks(nil); v.(bool) {
					e.SetAcks(s.semiSync.wait)
				}
			})(s, v)
		},
		"rpl_semi_sync_source_timeout":                func(s *Server, v any) error { s.semiSync.timeout.Store(v.(int64)); return nil },
		"rpl_semi_sync_source_wait_for_replica_count": func(s *Server, v any) error { s.semiSync.count.Store(v.(int64)); return nil },
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
	live("gtid_executed", func(l *binlog.Log) string { return l.Executed().String() })
	live("gtid_purged", func(l *binlog.Log) string { return l.Purged().String() })
	live("gtid_owned", ownedText)
	on, base, index := int8(0), "", ""
	if o := binlogOptions(s.cfg.Settings); o != nil {
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
		if l := s.binlog(); l != nil {
			_, v, _ := sql.SystemVariables.GetGlobal("binlog_expire_logs_seconds")
			var age int64
			fmt.Sscan(fmt.Sprint(v), &age)
			if age > 0 {
				if err := l.PurgeBefore(time.Now().Unix() - age); err != nil && !errors.Is(err, binlog.ErrFileInUse) {
					s.log.Error("expired binary logs not removed", "error", err)
				}
			}
		}
	}
}

var errNoBinlogging = sqllayer.NewError(1381, "You are not using binary logging")

// replicationClient gives the log to a statement that asks for REPLICATION CLIENT, with all that was committed in its files; nil if it is off.
func (x *execution) replicationClient(ctx *sql.Context) (*binlog.Log, error) {
	db := x.h.s.accounts.db
	if !db.UserHasPrivileges(ctx, sql.NewPrivilegedOperation(sql.PrivilegeCheckSubject{}, sql.PrivilegeType_ReplicationClient)) && !x.h.s.hasAdmin(ctx, "super") {
		return nil, missing("SUPER, REPLICATION CLIENT")
	}
	l := x.h.s.binlog()
	if l == nil {
		return nil, nil
	}
	return l, l.Settle()
}

// showBinaryLogs is SHOW BINARY LOGS.
func (x *execution) showBinaryLogs(ctx *sql.Context) error {
	l, err := x.replicationClient(ctx)
	if err != nil {
		return err
	}
	if l == nil {
		return errNoBinlogging
	}
	files, err := l.Files()
	if err != nil {
		return err
	}
	var rows [][]any
	for _, f := range files {
		rows = append(rows, []any{f.Name, f.Size, "No"})
	}
	return x.table(ctx, []column{{name: "Log_name"}, {"File_size", querypb.Type_INT64}, {name: "Encrypted"}}, rows)
}

// showBinaryLogStatus is SHOW BINARY LOG STATUS and SHOW MASTER STATUS.
func (x *execution) showBinaryLogStatus(ctx *sql.Context) error {
	l, err := x.replicationClient(ctx)
	if err != nil {
		return err
	}
	var rows [][]any
	if l != nil {
		if err := l.Settle(); err != nil { // what was committed stands before the position: a backup goes on from there
			return err
		}
		at := l.Written()
		rows = [][]any{{l.Name(at.File), at.Offset, "", "", string(l.Executed().AppendText(nil, ",\n"))}}
	}
	return x.table(ctx, []column{{name: "File"}, {"Position", querypb.Type_INT64}, {name: "Binlog_Do_DB"}, {name: "Binlog_Ignore_DB"}, {name: "Executed_Gtid_Set"}}, rows)
}

var binlogEventsSyntax = regexp.MustCompile(`(?is)^SHOW\s+BINLOG\s+EVENTS(?:\s+IN\s+(?:'([^']*)'|"([^"]*)"))?(?:\s+FROM\s+(\d+))?(?:\s+LIMIT\s+(?:(\d+)\s*,\s*)?(\d+))?\s*;?\s*$`)

// showBinlogEvents is SHOW BINLOG EVENTS [IN file] [FROM position] [LIMIT [offset,] count].
func (x *execution) showBinlogEvents(ctx *sql.Context) error {
	m := binlogEventsSyntax.FindStringSubmatch(skipBlank(x.query))
	if m == nil {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, len("SHOW BINLOG EVENTS")))
	}
	if err := x.need(ctx, "REPLICATION SLAVE", sql.PrivilegeType_ReplicationSlave); err != nil {
		return err
	}
	cols := []column{{name: "Log_name"}, {"Pos", querypb.Type_INT64}, {name: "Event_type"}, {"Server_id", querypb.Type_INT64}, {"End_log_pos", querypb.Type_INT64}, {name: "Info"}}
	l := x.h.s.binlog()
	if l == nil {
		return x.table(ctx, cols, nil)
	}
	if err := l.Settle(); err != nil {
		return err
	}
	failed := func(why string) error {
		return sqllayer.NewError(1220, "Error when executing command SHOW BINLOG EVENTS: %s", why)
	}
	first, _ := l.Range()
	at := binlog.Position{File: first}
	if name := m[1] + m[2]; name != "" {
		n, ok := l.ParseName(name)
		if !ok {
			return failed("Could not find target log")
		}
		at.File = n
	}
	var skip int64
	count := int64(1) << 62
	fmt.Sscan(m[3], &at.Offset)
	fmt.Sscan(m[4], &skip)
	if m[5] != "" {
		fmt.Sscan(m[5], &count)
	}
	r, err := l.NewReader(at)
	switch {
	case errors.Is(err, binlog.ErrUnknownFile):
		return failed("Could not find target log")
	case err != nil:
		return failed("Wrong offset or I/O error")
	}
	defer r.Close()
	var rows [][]any
	for int64(len(rows)) < count {
		e, ok, err := r.TryNext()
		if err != nil {
			return failed("Wrong offset or I/O error")
		}
		if !ok || e.File != l.Name(at.File) {
			break
		}
		if skip--; skip >= 0 {
			continue
		}
		rows = append(rows, []any{e.File, e.Pos, e.Type, e.ServerID, e.End(), e.Info()})
	}
	return x.table(ctx, cols, rows)
}

var purgeSyntax = regexp.MustCompile(`(?is)^PURGE\s+(?:BINARY|MASTER)\s+LOGS\s+(TO|BEFORE)\s+(.+?)\s*;?\s*$`)

// purge is PURGE BINARY LOGS {TO file | BEFORE time}.
func (x *execution) purge(ctx *sql.Context) error {
	m := purgeSyntax.FindStringSubmatch(skipBlank(x.query))
	if m == nil {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, len("PURGE ")))
	}
	if err := x.needDynamic(ctx, "BINLOG_ADMIN"); err != nil {
		return err
	}
	l := x.h.s.binlog()
	if l == nil {
		return nil
	}
	to := strings.EqualFold(m[1], "TO")
	expr := "SELECT " + m[2]
	if !to {
		expr = "SELECT UNIX_TIMESTAMP(" + m[2] + ")"
	}
	rows, err := x.rowsOf(ctx, expr)
	if err != nil {
		return err
	}
	if len(rows) != 1 || len(rows[0]) != 1 || rows[0][0] == nil {
		return sqllayer.NewError(1210, "Incorrect arguments to PURGE LOGS BEFORE")
	}
	if to {
		err = l.PurgeTo(fmt.Sprint(rows[0][0]))
	} else {
		var at float64
		if _, scanErr := fmt.Sscan(fmt.Sprint(rows[0][0]), &at); scanErr != nil {
			return sqllayer.NewError(1210, "Incorrect arguments to PURGE LOGS BEFORE")
		}
		err = l.PurgeBefore(int64(at))
	}
	switch {
	case errors.Is(err, binlog.ErrUnknownFile):
		return sqllayer.NewError(1373, "Target log not found in binlog index")
	case errors.Is(err, binlog.ErrFileInUse):
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1867, Message: "file was not purged because it was being read by a replica: " + err.Error()})
		return nil
	}
	return err
}

// resetBinlogs is RESET BINARY LOGS AND GTIDS and RESET MASTER, with TO number.
func (x *execution) resetBinlogs(ctx *sql.Context) error {
	if err := x.need(ctx, "RELOAD", sql.PrivilegeType_Reload); err != nil {
		return err
	}
	l := x.h.s.binlog()
	if l == nil {
		return nil
	}
	next := uint32(1)
	w := leadingWords(x.query, 8)
	for i, word := range w {
		if word == "TO" && i+1 < len(w) {
			if _, err := fmt.Sscan(w[i+1], &next); err != nil {
				return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, len("RESET ")))
			}
		}
	}
	if err := l.Reset(next); err != nil {
		return err
	}
	x.h.s.semiSync.reset()
	return nil
}

// rotateBinlog is FLUSH BINARY LOGS, and part of FLUSH LOGS.
func (s *Server) rotateBinlog() error {
	if l := s.binlog(); l != nil {
		return l.Rotate()
	}
	return nil
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
