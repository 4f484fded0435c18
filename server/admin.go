package server

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer"
)

// Administrative statements: those go-mysql-server's grammar refuses, ignores or answers from what only this server knows.
// Each either works or returns MySQL's error for it. They are recognized by their leading words (verb.admin), so that other
// statements pay nothing.

// adminFunc runs an administrative statement.
type adminFunc func(x *execution, ctx *sql.Context) error

// admin runs one.
func (x *execution) admin(ctx *sql.Context, run adminFunc) error {
	x.setStatement(x.query)
	err := run(x, ctx)
	if err != nil {
		return err
	}
	if s, ok := ctx.Session.(*sqllayer.Session); ok && s.NamesGTID() && x.gtidVerb() == sqllayer.GTIDImplicitCommit {
		if _, err := s.PassGTID(ctx, sqllayer.GTIDCommit); err != nil { // what logs nothing is a transaction of nothing
			return err
		}
		if _, err := x.rowsOf(ctx, "COMMIT"); err != nil {
			return err
		}
	}
	if !x.sent {
		return x.ok(ctx, 0)
	}
	return nil
}

// commitFirst ends the open transaction, as many statements do once their text is understood; a branch of a distributed transaction refuses them.
func (x *execution) commitFirst(ctx *sql.Context) error {
	if s, ok := x.w.session.(*sqllayer.Session); ok {
		at := s.Transaction()
		switch {
		case s.InBranch():
			return s.XABusy()
		case !at.Active && !ctx.GetIgnoreAutoCommit():
			return nil // a COMMIT would use up gtid_next
		case at.RowsModified > 0 && !x.verb.writes && !x.h.s.flushLock.heldBy(x.w): // one that writes has waited
			if err := x.h.s.flushLock.wait(ctx, x.w, true); err != nil {
				return err
			}
			defer x.h.s.flushLock.done()
		}
	}
	_, err := x.rowsOf(ctx, "COMMIT")
	return err
}

// commitsAhead tells verbs of the SQL layer's statements that it runs within the open transaction, or that commit even if they fail.
var commitsAhead = func() (ahead [numCommands]bool) {
	for _, name := range []string{"create_role", "drop_role", "drop_user", "rename_user", "grant", "grant_roles", "revoke", "revoke_all", "revoke_roles", "drop_table"} {
		ahead[com(name)] = true
	}
	return ahead
}()

// commitAhead is commitFirst for those, unless they are not understood.
func (x *execution) commitAhead(ctx *sql.Context, query string, parsed sqlparser.Statement) error {
	if !commitsAhead[x.verb.counter] || !x.verb.writes || x.w.inside {
		return nil
	}
	if parsed == nil {
		if _, _, _, err := x.h.e.Parser.Parse(ctx, query, false); err != nil {
			return nil // the layer will tell
		}
	}
	return x.commitFirst(ctx)
}

// malformed is the error of a statement that is wrong at what is left of it.
func (x *execution) malformed(rest string) error {
	rest = strings.TrimLeft(rest, " \t\r\n")
	at := len(x.query)
	if i := strings.LastIndex(x.query, rest); rest != "" && i >= 0 {
		at = i
	}
	return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, at))
}

// adminStatement recognizes an administrative statement; nil means it is none.
func adminStatement(query string) adminFunc {
	w := leadingWords(query, 8)
	if len(w) == 0 {
		return nil
	}
	at := func(i int) string {
		if i < len(w) {
			return w[i]
		}
		return ""
	}
	switch w[0] {
	case "SHOW":
		return showStatement(w, at)
	case "FLUSH":
		return (*execution).flush
	case "KILL":
		return (*execution).kill
	case "DO":
		return (*execution).do
	case "ANALYZE", "CHECK", "REPAIR", "OPTIMIZE", "CHECKSUM":
		return maintenanceStatement(w, at)
	case "SHUTDOWN":
		return (*execution).shutdown
	case "RESTART":
		return refuse(3707, "Restart server failed (mysqld is not managed by supervisor process).")
	case "RESET":
		if at(1) == "PERSIST" {
			return (*execution).resetPersist
		}
		return (*execution).reset
	case "PURGE":
		return (*execution).purge
	case "CHANGE", "START", "STOP":
		return replicaStatement(w[0], at)
	case "SET":
		return setStatement(query, at)
	case "CREATE", "ALTER":
		return accountStatement(w, at)
	case "DROP":
		if at(1) == "USER" || at(1) == "ROLE" {
			return (*execution).dropAccounts
		}
	case "RENAME":
		if at(1) == "USER" {
			return (*execution).renameUser
		}
	case "GRANT", "REVOKE":
		return (*execution).grant
	case "HELP":
		return (*execution).help
	case "BINLOG":
		return (*execution).replay
	case "BACKUP":
		return (*execution).backup
	case "HANDLER", "CLONE":
		return unsupported(w[0])
	case "XA":
		return (*execution).xa
	case "INSTALL", "UNINSTALL", "IMPORT":
		return unsupported(strings.TrimSpace(w[0] + " " + wordOnly(at(1))))
	case "LOCK", "UNLOCK":
		return lockStatement(w[0], at)
	case "EXPLAIN", "DESCRIBE", "DESC":
		if at(1) == "FOR" && at(2) == "CONNECTION" {
			return (*execution).explainConnection
		}
		return describeColumn(query)
	}
	return nil
}

// explainConnection is EXPLAIN FOR CONNECTION, which tells of connections that do not exist.
func (x *execution) explainConnection(ctx *sql.Context) error {
	id, err := x.evalID(ctx, strings.TrimRight(afterWords(x.query, 3), " \t\r\n;"))
	if err != nil {
		return err
	}
	if id > math.MaxUint32 || x.h.s.connection(uint32(id)) == nil {
		return sqllayer.NewError(1094, "Unknown thread id: %d", id)
	}
	return unsupported("EXPLAIN FOR CONNECTION")(x, ctx)
}

var describeSyntax = regexp.MustCompile("(?is)^(?:DESC|DESCRIBE|EXPLAIN)\\s+((?:`[^`]+`|\\w+)(?:\\.(?:`[^`]+`|\\w+))?)\\s+(?:`([^`]+)`|(\\w+)|'([^']*)'|\"([^\"]*)\")\\s*;?\\s*$")

// describeColumn is DESCRIBE table column, where the column may be a pattern.
func describeColumn(query string) adminFunc {
	m := describeSyntax.FindStringSubmatch(skipBlank(query))
	if m == nil || slices.Contains([]string{"SELECT", "TABLE", "ANALYZE", "EXTENDED", "PARTITIONS", "WITH", "VALUES"}, strings.ToUpper(m[1])) {
		return nil
	}
	return func(x *execution, ctx *sql.Context) error {
		return x.viaLayer(ctx, "SHOW COLUMNS FROM "+m[1]+" LIKE "+quoteText(m[2]+m[3]+m[4]+m[5]), nil)
	}
}

func wordOnly(w string) string {
	if w != "" && !isWordByte(w[0]) {
		return ""
	}
	return w
}

// unsupported is a statement MySQL has and this server does not.
func unsupported(what string) adminFunc {
	return refuse(1235, fmt.Sprintf("This version of Ember doesn't yet support '%s'", what))
}

// refuse answers those who could run the statement in MySQL with an error.
func refuse(code int, text string) adminFunc {
	return func(x *execution, ctx *sql.Context) error {
		if err := x.mayUnrun(ctx, x.query); err != nil {
			return err
		}
		return sqllayer.NewError(code, "%s", text)
	}
}

// need checks a global privilege.
func (x *execution) need(ctx *sql.Context, name string, p sql.PrivilegeType) error {
	if x.h.s.rights(ctx).Has(p) {
		return nil
	}
	return missing(name)
}

// needDynamic checks SUPER or a dynamic privilege.
func (x *execution) needDynamic(ctx *sql.Context, name string) error {
	if x.h.s.hasAdmin(ctx, strings.ToLower(name)) {
		return nil
	}
	return missing("SUPER or " + strings.ToUpper(name))
}

func missing(privilege string) error {
	return sqllayer.NewError(1227, "Access denied; you need (at least one of) the %s privilege(s) for this operation", privilege)
}

// hasAdmin reports whether the session has SUPER or the dynamic privilege.
func (s *Server) hasAdmin(ctx *sql.Context, privilege string) bool {
	set := s.rights(ctx)
	return set.Has(sql.PrivilegeType_Super) || set.HasDynamic(privilege)
}

// rights are those of the session's account and active roles.
func (s *Server) rights(ctx *sql.Context) mysql_db.PrivilegeSet {
	return s.accounts.db.UserActivePrivilegeSet(ctx)
}

// ok answers with an OK packet.
func (x *execution) ok(ctx *sql.Context, affected uint64) error {
	if err := x.statusFlags(ctx); err != nil {
		return err
	}
	return x.send(&sqltypes.Result{RowsAffected: affected})
}

// column describes a column of a small result set; the zero Type is text.
type column struct {
	name string
	typ  querypb.Type
}

func textColumns(names ...string) []column {
	out := make([]column, len(names))
	for i, n := range names {
		out[i].name = n
	}
	return out
}

// table answers with a result set. Values are printed; nil is NULL.
func (x *execution) table(ctx *sql.Context, cols []column, rows [][]any) error {
	r := &sqltypes.Result{RowsAffected: uint64(len(rows))}
	for _, c := range cols {
		f := &querypb.Field{Name: c.name, OrgName: c.name, Type: c.typ, Charset: mysql.CharacterSetBinary, ColumnLength: 20}
		if c.typ == 0 {
			f.Type, f.Charset, f.ColumnLength = querypb.Type_VARCHAR, uint32(sql.Collation_Default), 4*1024
		} else {
			f.Flags = uint32(querypb.MySqlFlag_BINARY_FLAG)
		}
		r.Fields = append(r.Fields, f)
	}
	for _, row := range rows {
		out := make([]sqltypes.Value, len(row))
		for i, v := range row {
			if v != nil {
				out[i] = sqltypes.MakeTrusted(r.Fields[i].Type, fmt.Append(nil, v))
			}
		}
		r.Rows = append(r.Rows, out)
	}
	x.rows = int64(len(rows))
	if err := x.statusFlags(ctx); err != nil {
		return err
	}
	return x.send(r)
}

// nested is a context for a statement within this one: it has no pid, so that its end is not taken for this statement's.
func (x *execution) nested(ctx *sql.Context) *sql.Context {
	return sql.NewContext(ctx, sql.WithSession(ctx.Session), sql.WithProcessList(x.h.s.processes), sql.WithMemoryManager(x.h.e.MemoryManager))
}

// rowsOf runs a statement through the SQL layer and returns its rows.
func (x *execution) rowsOf(ctx *sql.Context, query string) ([]sql.Row, error) {
	_, rows, err := x.resultOf(x.nested(ctx), query)
	return rows, err
}

// resultOf is rowsOf with the columns, in a context of the statement's own.
func (x *execution) resultOf(ctx *sql.Context, query string) (sql.Schema, []sql.Row, error) {
	columns, iter, _, err := x.h.e.Query(ctx, query)
	if err != nil {
		return nil, nil, err
	}
	rows, err := sql.RowIterToRows(ctx, iter)
	return columns, rows, err
}

// do evaluates expressions and drops their values.
func (x *execution) do(ctx *sql.Context) error {
	rest := strings.TrimSpace(skipBlank(x.query)[len("DO"):])
	if rest == "" {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, len(x.query)))
	}
	_, err := x.rowsOf(ctx, "SELECT "+rest)
	return err
}

func (x *execution) shutdown(ctx *sql.Context) error {
	if rest := afterWords(x.query, 1); rest != "" {
		return x.malformed(rest)
	}
	if err := x.need(ctx, "SHUTDOWN", sql.PrivilegeType_Shutdown); err != nil {
		return err
	}
	x.h.s.log.Warn("shutdown requested", "connection", x.w.id, "user", x.w.user, "host", x.w.host())
	if err := x.ok(ctx, 0); err != nil {
		return err
	}
	x.h.s.requestShutdown()
	return nil
}

func (x *execution) help(ctx *sql.Context) error {
	return x.table(ctx, textColumns("source_category_name", "name", "is_it_category"), nil)
}

var killSyntax = regexp.MustCompile(`(?is)^KILL\s+(?:(QUERY|CONNECTION)\s+)?(.+?)\s*;?\s*$`)

// kill is KILL [QUERY|CONNECTION] id.
func (x *execution) kill(ctx *sql.Context) error {
	m := killSyntax.FindStringSubmatch(skipBlank(x.query))
	if m == nil {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, len("KILL")))
	}
	id, err := strconv.ParseUint(m[2], 10, 64)
	if err != nil {
		if usesQuery(m[2]) {
			return sqllayer.NewError(1235, "This version of Ember doesn't yet support 'Usage of subqueries or stored function calls as part of this statement'")
		}
		if id, err = x.evalID(ctx, m[2]); err != nil {
			return err
		}
	}
	s := x.h.s
	victim := s.connection(uint32(id))
	if victim == nil || id > 1<<32-1 {
		return sqllayer.NewError(1094, "Unknown thread id: %d", id)
	}
	if victim.owner() != x.w.owner() && (!s.hasAdmin(ctx, "connection_admin") || s.isSystemUser(victim) && !x.caller(ctx).Has(systemUser)) {
		return sqllayer.NewError(1095, "You are not owner of thread %d", id)
	}
	if strings.EqualFold(m[1], "QUERY") {
		s.processes.interrupt(victim.id, killedQuery)
		if victim == x.w {
			return sqllayer.NewError(1317, "Query execution was interrupted")
		}
		return nil
	}
	victim.killed.Store(true)
	if victim == x.w {
		victim.hangUp.Store(true)
		return sqllayer.NewError(1317, "Query execution was interrupted")
	}
	s.processes.interrupt(victim.id, killedConnection)
	return victim.Close()
}

// usesQuery tells whether an expression holds a query; one that cannot be read may.
func usesQuery(expr string) bool {
	stmt, err := sqlparser.Parse("SELECT " + expr)
	if err != nil {
		return true
	}
	found := false
	_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
		_, sub := n.(*sqlparser.Subquery)
		found = found || sub
		return !found, nil
	}, stmt)
	return found
}

// evalID evaluates the operand of KILL.
func (x *execution) evalID(ctx *sql.Context, expr string) (uint64, error) {
	rows, err := x.rowsOf(ctx, "SELECT CAST("+expr+" AS UNSIGNED)")
	if err != nil {
		return 0, err
	}
	if len(rows) != 1 || len(rows[0]) != 1 {
		return 0, sqllayer.NewError(1210, "Incorrect arguments to KILL")
	}
	id, ok := rows[0][0].(uint64)
	if !ok {
		return 0, sqllayer.NewError(1210, "Incorrect arguments to KILL")
	}
	return id, nil
}

// mayLockInstance asks for BACKUP_ADMIN, which SUPER does not stand for.
func (x *execution) mayLockInstance(ctx *sql.Context) error {
	if x.h.s.rights(ctx).HasDynamic("backup_admin") {
		return nil
	}
	return missing("BACKUP_ADMIN")
}

// lockStatement: LOCK and UNLOCK INSTANCE are here; LOCK TABLES is the SQL layer's. UNLOCK TABLES also ends FLUSH TABLES WITH READ LOCK.
func lockStatement(first string, at func(int) string) adminFunc {
	switch {
	case at(1) == "INSTANCE":
		return (*execution).mayLockInstance
	case first == "UNLOCK":
		return func(x *execution, ctx *sql.Context) error {
			x.h.s.flushLock.release(x.w)
			if ctx.GetCurrentDatabase() == "" { // the SQL layer wants one
				ctx.SetCurrentDatabase("information_schema")
				defer ctx.SetCurrentDatabase("")
			}
			return x.viaLayer(ctx, "UNLOCK TABLES", nil) // UNLOCK TABLE is no word of the SQL layer's
		}
	}
	return nil
}
