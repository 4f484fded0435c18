package server

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/sqllayer"
)

// SHOW statements of this server.

// showStatement recognizes them.
func showStatement(w []string, at func(int) string) adminFunc {
	switch at(1) {
	case "ENGINE":
		return (*execution).showEngine
	case "STORAGE":
		if at(2) == "ENGINES" {
			return func(x *execution, ctx *sql.Context) error { return x.viaLayer(ctx, "SHOW ENGINES", nil) }
		}
	case "OPEN":
		if at(2) == "TABLES" {
			return emptyTable(column{name: "Database"}, column{name: "Table"}, column{"In_use", querypb.Type_INT64}, column{"Name_locked", querypb.Type_INT64})
		}
	case "GRANTS":
		return (*execution).showGrants
	case "PRIVILEGES":
		return (*execution).showPrivileges
	case "PROCEDURE", "FUNCTION":
		if at(2) == "CODE" {
			return refuse(1289, "The 'SHOW PROCEDURE|FUNCTION CODE' feature is disabled; you need MySQL built with '--with-debug' to have it working")
		}
	case "ERRORS":
		return (*execution).showErrors
	case "COUNT":
		return showCount(w)
	case "PROFILES":
		return emptyTable(column{"Query_ID", querypb.Type_INT64}, column{"Duration", querypb.Type_FLOAT64}, column{name: "Query"})
	case "PROFILE":
		return emptyTable(column{name: "Status"}, column{"Duration", querypb.Type_FLOAT64})
	case "PROCESSLIST":
		return func(x *execution, ctx *sql.Context) error { return x.showProcesslist(ctx, false) }
	case "FULL":
		if at(2) == "PROCESSLIST" {
			return func(x *execution, ctx *sql.Context) error { return x.showProcesslist(ctx, true) }
		}
	case "CREATE":
		if at(2) == "USER" {
			return (*execution).showCreateUser
		}
		if at(2) == "FUNCTION" {
			return (*execution).showCreateFunction
		}
	case "REPLICAS":
		return showReplicas("Server_Id", "Source_Id", "Replica_UUID")
	case "REPLICA":
		if at(2) == "STATUS" {
			return (*execution).showReplicaStatus
		}
	case "SLAVE":
		switch at(2) {
		case "HOSTS":
			return showReplicas("Server_id", "Master_id", "Slave_UUID")
		case "STATUS":
			return (*execution).showReplicaStatus
		}
	case "MASTER", "BINARY":
		switch {
		case at(2) == "LOGS":
			return (*execution).showBinaryLogs
		case at(2) == "STATUS", at(2) == "LOG" && at(3) == "STATUS":
			return (*execution).showBinaryLogStatus
		}
	case "BINLOG":
		return (*execution).showBinlogEvents
	case "RELAYLOG":
		return refuse(1381, "You are not using binary logging")
	}
	return nil
}

var showFunctionSyntax = regexp.MustCompile("(?is)^SHOW\\s+CREATE\\s+FUNCTION\\s+(?:(`[^`]+`|[\\w$]+)\\s*\\.\\s*)?(`[^`]+`|[\\w$]+)\\s*;?\\s*$")

// showCreateFunction is SHOW CREATE FUNCTION [db.]name.
func (x *execution) showCreateFunction(ctx *sql.Context) error {
	m := showFunctionSyntax.FindStringSubmatch(skipBlank(x.query))
	s, ok := ctx.Session.(*sqllayer.Session)
	if m == nil || !ok {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, len("SHOW CREATE FUNCTION")))
	}
	row, err := s.ShowCreateFunction(ctx, strings.Trim(m[1], "`"), strings.Trim(m[2], "`"))
	if err != nil {
		return err
	}
	return x.table(ctx, textColumns("Function", "sql_mode", "Create Function", "character_set_client", "collation_connection", "Database Collation"), [][]any{row})
}

func emptyTable(cols ...column) adminFunc {
	return func(x *execution, ctx *sql.Context) error { return x.table(ctx, cols, nil) }
}

// showEngine is SHOW ENGINE x {STATUS|MUTEX|LOGS}.
func (x *execution) showEngine(ctx *sql.Context) error {
	w := leadingWords(x.query, 4)
	if len(w) < 4 {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, len(x.query)))
	}
	if err := x.need(ctx, "PROCESS", sql.PrivilegeType_Process); err != nil {
		return err
	}
	if w[2] != "INNODB" && w[2] != "PERFORMANCE_SCHEMA" {
		return sqllayer.NewError(1286, "Unknown storage engine '%s'", strings.ToLower(w[2]))
	}
	var rows [][]any
	if w[2] == "INNODB" && w[3] == "STATUS" {
		rows = [][]any{{"InnoDB", "", x.h.s.monitor()}}
	}
	return x.table(ctx, textColumns("Type", "Name", "Status"), rows)
}

// monitor frames the engine's report the way InnoDB does.
func (s *Server) monitor() string {
	line := "====================================="
	return fmt.Sprintf("\n%s\n%s INNODB MONITOR OUTPUT\n%s\n%s\n----------------------------\nEND OF INNODB MONITOR OUTPUT\n============================\n",
		line, time.Now().Format("2006-01-02 15:04:05"), line, strings.TrimRight(s.backend.Monitor(), "\n"))
}

func (x *execution) showErrors(ctx *sql.Context) error {
	var rows [][]any
	for _, w := range ctx.Session.Warnings() {
		if w.Level == "Error" {
			rows = append(rows, []any{w.Level, w.Code, w.Message})
		}
	}
	return x.table(ctx, []column{{name: "Level"}, {"Code", querypb.Type_INT64}, {name: "Message"}}, rows)
}

// showCount is SHOW COUNT(*) WARNINGS and SHOW COUNT(*) ERRORS.
func showCount(w []string) adminFunc {
	if len(w) < 6 || w[5] != "WARNINGS" && w[5] != "ERRORS" {
		return nil
	}
	return func(x *execution, ctx *sql.Context) error {
		n := 0
		for _, warn := range ctx.Session.Warnings() {
			if w[5] == "WARNINGS" || warn.Level == "Error" {
				n++
			}
		}
		name := "@@session.warning_count"
		if w[5] == "ERRORS" {
			name = "@@session.error_count"
		}
		return x.table(ctx, []column{{name, querypb.Type_INT64}}, [][]any{{n}})
	}
}

// processRow is a line of the process list.
type processRow struct {
	id      uint32
	user    string
	host    string
	db      any
	command string
	seconds int64
	state   string
	info    any
}

// visibleProcesses returns the connections the session may see: all with PROCESS, else those of its own account.
func (s *Server) visibleProcesses(ctx *sql.Context) []processRow {
	all := s.rights(ctx).Has(sql.PrivilegeType_Process)
	me := s.connection(ctx.Session.ID())
	var out []processRow
	for _, p := range s.processes.snapshot() {
		w := s.connection(p.id)
		if !all && (me == nil || w == nil || w.owner() != me.owner()) {
			continue
		}
		out = append(out, p.row(w))
	}
	return out
}

func (p *process) row(w *wireConn) processRow {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := processRow{id: p.id, user: p.user, host: p.host, command: string(p.command), seconds: int64(time.Since(p.since).Seconds())}
	if p.db != "" {
		r.db = p.db
	}
	switch {
	case w != nil && w.killed.Load():
		r.command = "Killed"
	case p.command == sql.ProcessCommandConnect && p.pid == 0:
		r.state = "login"
	case p.pid != 0:
		r.state = "executing"
	}
	if st := p.state.Load(); st != nil && p.pid != 0 {
		r.state = *st
	}
	if p.query != "" {
		r.info = maskSecrets(p.query)
	}
	return r
}

// maxShownInfo is how much of a statement SHOW PROCESSLIST prints without FULL.
const maxShownInfo = 100

func (x *execution) showProcesslist(ctx *sql.Context, full bool) error {
	var rows [][]any
	for _, p := range x.h.s.visibleProcesses(ctx) {
		info := p.info
		if text, ok := info.(string); ok && !full && len(text) > maxShownInfo {
			info = strings.ToValidUTF8(text[:maxShownInfo], "")
		}
		rows = append(rows, []any{p.id, p.user, p.host, p.db, p.command, p.seconds, p.state, info})
	}
	return x.table(ctx, []column{{"Id", querypb.Type_UINT64}, {name: "User"}, {name: "Host"}, {name: "db"}, {name: "Command"}, {"Time", querypb.Type_INT64}, {name: "State"}, {name: "Info"}}, rows)
}

// afterWords cuts the first n words off a statement.
func afterWords(q string, n int) string {
	for ; n > 0; n-- {
		_, q = cutWord(q)
	}
	return strings.TrimRight(strings.TrimSpace(q), "; ")
}

// sortedKeys returns a map's keys in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
