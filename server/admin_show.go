package server

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/server/logs"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// SHOW statements of this server.

// showStatement returns what runs them, for those who may.
func showStatement(tree ast.Statement) adminFunc {
	show := shows(tree)
	if show == nil {
		return nil
	}
	return func(x *execution, ctx *sql.Context) error {
		if err := x.h.s.mayShow(ctx, tree); err != nil {
			return err
		}
		return show(x, ctx)
	}
}

func shows(tree ast.Statement) adminFunc {
	switch n := tree.(type) {
	case *ast.Show:
		return showList(n)
	case *ast.ShowEngine:
		return on(n, (*execution).showEngine)
	case *ast.ShowProfile:
		return emptyTable(column{name: "Status", width: 30}, column{name: "Duration", typ: querypb.Type_DECIMAL, width: 11})
	case *ast.ShowCreate:
		switch n.Kind {
		case ast.ShowCreateFunction:
			return on(n, (*execution).showCreateFunction)
		case ast.ShowCreateLibrary:
			return on(n, (*execution).showCreateLibrary)
		}
	}
	return nil
}

// showList returns what lists things that this server knows.
func showList(n *ast.Show) adminFunc {
	switch n.Kind {
	case ast.ShowEngines: // SHOW STORAGE ENGINES is no statement of the SQL layer's
		return func(x *execution, ctx *sql.Context) error { return x.viaLayer(ctx, "SHOW ENGINES", nil) }
	case ast.ShowOpenTables:
		return emptyTable(column{name: "Database", width: 64}, column{name: "Table", width: 64}, column{name: "In_use", typ: querypb.Type_INT64, width: 2}, column{name: "Name_locked", typ: querypb.Type_INT64, width: 5})
	case ast.ShowPrivileges:
		return (*execution).showPrivileges
	case ast.ShowFunctionCode, ast.ShowProcedureCode:
		return refuse(1289, "The 'SHOW PROCEDURE|FUNCTION CODE' feature is disabled; you need MySQL built with '--with-debug' to have it working")
	case ast.ShowWarnings, ast.ShowErrors:
		return on(n, (*execution).showConditions)
	case ast.ShowCollation, ast.ShowCharset, ast.ShowPlugins, ast.ShowProcedureStatus, ast.ShowFunctionStatus:
		return on(n, (*execution).showListed)
	case ast.ShowCountWarnings:
		return (*execution).countWarnings
	case ast.ShowCountErrors:
		return (*execution).countErrors
	case ast.ShowProfiles:
		return emptyTable(column{name: "Query_ID", typ: querypb.Type_UINT32, width: 11}, column{name: "Duration", typ: querypb.Type_FLOAT64, width: 9}, column{name: "Query", width: 40})
	case ast.ShowProcesslist:
		return func(x *execution, ctx *sql.Context) error { return x.showProcesslist(ctx, n.Full) }
	case ast.ShowReplicas:
		return showReplicas("Server_Id", "Source_Id", "Replica_UUID")
	case ast.ShowReplicaStatus:
		return on(n, (*execution).showReplicaStatus)
	case ast.ShowBinaryLogs:
		return (*execution).showBinaryLogs
	case ast.ShowBinaryLogStatus:
		return (*execution).showBinaryLogStatus
	case ast.ShowBinlogEvents:
		return on(n, (*execution).showBinlogEvents)
	case ast.ShowLibraryStatus:
		return on(n, (*execution).showLibraryStatus)
	case ast.ShowRelaylogEvents:
		return on(n, (*execution).showRelaylogEvents)
	}
	return nil
}

// showCreateFunction is SHOW CREATE FUNCTION [db.]name.
func (x *execution) showCreateFunction(ctx *sql.Context, n *ast.ShowCreate) error {
	s, ok := ctx.Session.(*sqllayer.Session)
	if !ok {
		return x.unsupported()
	}
	row, err := s.ShowCreateFunction(ctx, n.Name.Schema.Name, n.Name.Name.Name)
	if err != nil {
		return err
	}
	return x.table(ctx, textColumns("Function", "sql_mode", "Create Function", "character_set_client", "collation_connection", "Database Collation"), [][]any{row})
}

func emptyTable(cols ...column) adminFunc {
	return func(x *execution, ctx *sql.Context) error { return x.table(ctx, cols, nil) }
}

// showEngine is SHOW ENGINE x {STATUS|MUTEX|LOGS}.
func (x *execution) showEngine(ctx *sql.Context, n *ast.ShowEngine) error {
	name := n.Name.Name
	innodb := strings.EqualFold(name, "INNODB")
	if n.Name.Given() && !innodb && !strings.EqualFold(name, "PERFORMANCE_SCHEMA") {
		return sqlerr.NewError(1286, "Unknown storage engine '%s'", name)
	}
	var rows [][]any
	if (innodb || !n.Name.Given()) && n.What == ast.EngineStatus {
		rows = [][]any{{"InnoDB", "", x.h.s.monitor()}}
	}
	return x.table(ctx, []column{{name: "Type", width: 10}, {name: "Name", width: 512}, {name: "Status", width: 10}}, rows)
}

// monitor frames the engine's report the way InnoDB does.
func (s *Server) monitor() string {
	line := "====================================="
	return fmt.Sprintf("\n%s\n%s INNODB MONITOR OUTPUT\n%s\n%s\n----------------------------\nEND OF INNODB MONITOR OUTPUT\n============================\n",
		line, time.Now().Format("2006-01-02 15:04:05"), line, strings.TrimRight(s.backend.Monitor(), "\n"))
}

// showConditions is SHOW WARNINGS, and SHOW ERRORS.
func (x *execution) showConditions(ctx *sql.Context, n *ast.Show) error {
	var rows [][]any
	for _, w := range ctx.Session.Warnings() {
		if n.Kind == ast.ShowWarnings || w.Level == "Error" {
			rows = append(rows, []any{w.Level, w.Code, w.Message})
		}
	}
	if n.Limit != nil {
		from, count := literalCount(n.Limit.Offset, 0), literalCount(n.Limit.Count, len(rows))
		rows = rows[min(from, len(rows)):]
		rows = rows[:min(count, len(rows))]
	}
	ctx.Session.ClearWarningCount() // of the statement before
	return x.table(ctx, []column{{name: "Level", width: 7}, {name: "Code", typ: querypb.Type_UINT32, width: 5}, {name: "Message", width: 512}}, rows)
}

// literalCount is the number of a LIMIT; other if it is none.
func literalCount(e ast.Expr, other int) int {
	l, ok := e.(*ast.Literal)
	if !ok {
		return other
	}
	n, err := strconv.ParseUint(l.Text, 10, 63)
	if err != nil {
		return other
	}
	return int(n)
}

// countWarnings is SHOW COUNT(*) WARNINGS.
func (x *execution) countWarnings(ctx *sql.Context) error {
	return x.table(ctx, []column{{name: "@@session.warning_count", typ: querypb.Type_UINT64, width: 21, null: true}}, [][]any{{len(ctx.Session.Warnings())}})
}

// countErrors is SHOW COUNT(*) ERRORS.
func (x *execution) countErrors(ctx *sql.Context) error {
	n := 0
	for _, w := range ctx.Session.Warnings() {
		if w.Level == "Error" {
			n++
		}
	}
	return x.table(ctx, []column{{name: "@@session.error_count", typ: querypb.Type_UINT64, width: 21, null: true}}, [][]any{{n}})
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
	role    string // of a thread of the server's own
}

// visibleProcesses returns the connections the session may see: all with PROCESS, else those of its
// own account.
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
	r := processRow{id: p.id, role: p.role, user: p.user, host: p.host, command: string(p.command), seconds: int64(time.Since(p.since).Seconds())}
	if p.db != "" {
		r.db = p.db
	}
	switch {
	case w != nil && w.killed.Load():
		r.command = "Killed"
	case p.role == roleWorker && p.pid == 0:
		r.command, r.state = string(sql.ProcessCommandConnect), stateWorkerWaits
	case p.command == sql.ProcessCommandConnect && p.pid == 0:
		r.state = "login"
	case p.pid != 0:
		r.state = "executing"
	}
	if st := p.state.Load(); st != nil && p.pid != 0 {
		r.state = *st
	}
	if p.session != nil && p.pid != 0 {
		r.state = cmp.Or(p.session.Waits(), r.state)
	}
	if p.query != "" {
		r.info = logs.MaskSecrets(p.query)
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
	told := column{name: "Info", width: maxShownInfo, null: true}
	if full {
		told = column{name: "Info", typ: querypb.Type_TEXT, null: true}
	}
	return x.table(ctx, []column{{name: "Id", typ: querypb.Type_INT64, width: 22}, {name: "User", width: 32}, {name: "Host", width: 255}, {name: "db", width: 64, null: true},
		{name: "Command", width: 16}, {name: "Time", typ: querypb.Type_INT32, width: 8}, {name: "State", width: 30, null: true}, told}, rows)
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

// listing is a SHOW statement that lists rows of a table of information_schema.
type listing struct {
	columns []string // of the list, each as expression and name
	from    string   // with a condition
	order   string
}

// name is what LIKE looks at.
func (l *listing) name() string {
	_, name, _ := strings.Cut(l.columns[0], " AS ")
	return name
}

var routineColumns = []string{"ROUTINE_SCHEMA AS `Db`", "ROUTINE_NAME AS `Name`", "ROUTINE_TYPE AS `Type`", "EXTERNAL_LANGUAGE AS `Language`", "DEFINER AS `Definer`",
	"LAST_ALTERED AS `Modified`", "CREATED AS `Created`", "SECURITY_TYPE AS `Security_type`", "ROUTINE_COMMENT AS `Comment`",
	"CHARACTER_SET_CLIENT AS `character_set_client`", "COLLATION_CONNECTION AS `collation_connection`", "DATABASE_COLLATION AS `Database Collation`"}

// showLists are the lists by their kinds.
var showLists = map[ast.ShowKind]*listing{
	ast.ShowCollation: {[]string{"COLLATION_NAME AS `Collation`", "CHARACTER_SET_NAME AS `Charset`", "ID AS `Id`", "IS_DEFAULT AS `Default`", "IS_COMPILED AS `Compiled`",
		"SORTLEN AS `Sortlen`", "PAD_ATTRIBUTE AS `Pad_attribute`"}, "COLLATIONS", "`Collation`"},
	ast.ShowCharset: {[]string{"CHARACTER_SET_NAME AS `Charset`", "DESCRIPTION AS `Description`", "DEFAULT_COLLATE_NAME AS `Default collation`", "MAXLEN AS `Maxlen`"},
		"CHARACTER_SETS", "`Charset`"},
	ast.ShowPlugins: {[]string{"PLUGIN_NAME AS `Name`", "PLUGIN_STATUS AS `Status`", "PLUGIN_TYPE AS `Type`", "PLUGIN_LIBRARY AS `Library`", "PLUGIN_LICENSE AS `License`"},
		"PLUGINS", ""},
	ast.ShowProcedureStatus: {routineColumns, "ROUTINES WHERE ROUTINE_TYPE = 'PROCEDURE'", "`Db`, `Name`"},
	ast.ShowFunctionStatus:  {routineColumns, "ROUTINES WHERE ROUTINE_TYPE = 'FUNCTION'", "`Db`, `Name`"},
}

// showListed runs SHOW of a list as a query.
func (x *execution) showListed(ctx *sql.Context, n *ast.Show) error {
	l := showLists[n.Kind]
	text := "SELECT * FROM (SELECT " + strings.Join(l.columns, ", ") + " FROM information_schema." + l.from + ") AS l"
	name := l.name()
	if n.Kind == ast.ShowProcedureStatus || n.Kind == ast.ShowFunctionStatus {
		name = "`Name`"
	}
	switch {
	case n.Like != nil:
		text += " WHERE " + name + " LIKE " + quoteText(n.Like.Text)
	case n.Where != nil:
		text += " WHERE " + x.printed(n.Where)
	}
	if l.order != "" {
		text += " ORDER BY " + l.order
	}
	return x.viaLayer(ctx, text, nil)
}
