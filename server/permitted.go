package server

// What forbids a statement before anybody looks at its tables.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	"emberdb/sqllayer"
)

// refuseNUL refuses names that no client can write.
func refuseNUL(ctx *sql.Context, text string) error {
	if strings.IndexByte(text, 0) < 0 {
		return nil
	}
	if e := sqllayer.RefuseNUL(text, sql.LoadSqlMode(ctx).ParserOptions()); e != nil {
		return e
	}
	return nil
}

var errReadOnlyServer = "The MySQL server is running with the --%s option so it cannot execute this statement"

// forcedVerbs change something and are served with innodb_force_recovery 1 to 3: what moves the rest of a damaged server out of the way.
var forcedVerbs = map[int]bool{com("create_table"): true, com("drop_table"): true, com("truncate"): true, com("create_view"): true, com("drop_view"): true,
	com("drop_trigger"): true, com("drop_event"): true, com("drop_procedure"): true, com("drop_function"): true}

// inSandbox are the verbs a client with an expired password may use.
var inSandbox = map[int]bool{com("alter_user"): true, com("set_password"): true}

// temporary are verbs that change something also where they are about temporary tables, which verb.writes leaves out.
var temporary = map[int]bool{com("create_table"): true, com("drop_table"): true}

var errExpired = sqllayer.NewError(1820, "You must reset your password using ALTER USER statement before executing this statement.")

// permitted applies innodb_force_recovery, read_only and super_read_only, and keeps a client with an expired password to setting a new one.
func (x *execution) permitted(ctx *sql.Context) error {
	if x.verb.counter == com("execute_sql") {
		x.verb.writes = preparedWrites(ctx, x.query)
	}
	if x.w.sandbox && !inSandbox[x.verb.counter] {
		return errExpired
	}
	if !x.program {
		if err := x.w.used.statement(x.w.account.user, x.verb.writes || temporary[x.verb.counter]); err != nil {
			return err
		}
	}
	if x.w.inside {
		return nil
	}
	if err := x.locksForbid(ctx); err != nil {
		return err
	}
	if !x.verb.writes {
		return x.mayCommit(ctx)
	}
	if s, ok := x.w.session.(*sqllayer.Session); ok && s.ReadOnly() && x.gtidVerb() == sqllayer.GTIDImplicitCommit {
		return sqllayer.NewError(1792, "Cannot execute statement in a READ ONLY transaction.") // its own transaction would be one
	}
	if x.verb.counter == com("load") && fileForbidden(x.query) {
		return sqllayer.NewError(1290, errReadOnlyServer, "secure-file-priv")
	}
	s := x.h.s
	switch {
	case s.forced >= 4:
		return sqllayer.NewError(1836, "Running in read-only mode")
	case s.forced > 0 && !forcedVerbs[x.verb.counter]:
		return sqllayer.NewError(1881, "Operation not allowed when innodb_force_recovery > 0.")
	}
	return x.h.s.readOnly(ctx)
}

// readOnly is the error of a change under read_only and super_read_only.
func (s *Server) readOnly(ctx *sql.Context) error {
	switch {
	case s.globals.superReadOnly.Load():
		return sqllayer.NewError(1290, errReadOnlyServer, "super-read-only")
	case s.globals.readOnly.Load() && !s.hasAdmin(ctx, "connection_admin"):
		return sqllayer.NewError(1290, errReadOnlyServer, "read-only")
	}
	return nil
}

// mayWrite is what the layer asks before it changes anything: what the text of a statement does not tell, a function's change say, is refused there.
func (s *Server) mayWrite(ctx *sql.Context) error {
	if !s.globals.readOnly.Load() && !s.globals.superReadOnly.Load() {
		return nil
	}
	w := s.connection(ctx.Session.ID())
	if w == nil || w.inside {
		return nil
	}
	return s.readOnly(ctx)
}

// mayCommit rolls a transaction with changes back that is to be committed after the server has become read-only. A branch that is prepared may be ended.
func (x *execution) mayCommit(ctx *sql.Context) error {
	refused := x.h.s.readOnly(ctx)
	s, ok := x.w.session.(*sqllayer.Session)
	if refused == nil || !ok || s.Transaction().RowsModified == 0 {
		return nil
	}
	var err error
	switch {
	case x.verb.counter == com("commit") && !s.InBranch():
		err = s.Rollback(ctx, nil)
	case x.verb.counter == com("xa_commit"):
		st, bad := parsed[*ast.XA](x)
		if bad != nil || !st.OnePhase {
			return bad
		}
		err = s.XARollback(ctx, xidOf(st.ID))
	default:
		return nil
	}
	if err != nil {
		return err
	}
	return refused
}

var errLockedTables = sqllayer.NewError(1192, "Can't execute the given command because you have active locked tables or an active transaction")

// underLocks are the errors of verbs that a session under LOCK TABLES may not use. Those of accounts would change a table that it has not locked.
var underLocks = func() map[int]*mysql.SQLError {
	errs := make(map[int]*mysql.SQLError)
	for _, name := range strings.Fields(`create_view drop_view create_db alter_db drop_db create_procedure create_function drop_procedure drop_function
		alter_procedure alter_function create_event alter_event drop_event ha_open ha_close ha_read`) {
		errs[com(name)] = errLockedTables
	}
	user := sqllayer.NewError(1100, "Table 'user' was not locked with LOCK TABLES")
	for _, name := range strings.Fields("create_user alter_user drop_user rename_user set_password create_role drop_role grant grant_roles revoke revoke_all revoke_roles") {
		errs[com(name)] = user
	}
	return errs
}()

// locksForbid refuses those, and prepared statements whose tables are locked under other names.
func (x *execution) locksForbid(ctx *sql.Context) error {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok || !s.UnderLocks() {
		return nil
	}
	if e := underLocks[x.verb.counter]; e != nil {
		return e
	}
	if x.verb.counter == com("flush") && slices.Contains(leadingWords(x.query, 4), "PRIVILEGES") {
		return underLocks[com("create_user")]
	}
	stmt, _ := ctx.Session.GetPreparedQuery(x.query)
	if x.verb.counter == com("execute_sql") {
		stmt = executed(ctx, x.query)
	}
	return s.MayUse(ctx, stmt)
}

// executed is the statement that EXECUTE names; nil if there is none.
func executed(ctx *sql.Context, query string) sqlparser.Statement {
	if w := leadingWords(query, 2); len(w) < 2 {
		return nil
	}
	return preparedStatement(ctx, strings.Fields(afterWords(query, 1))[0])
}

// preparedWrites tells whether the statement that EXECUTE names changes something.
func preparedWrites(ctx *sql.Context, query string) bool {
	switch executed(ctx, query).(type) {
	case *sqlparser.Insert, *sqlparser.Update, *sqlparser.Delete, *sqlparser.DDL, *sqlparser.DBDDL, *sqlparser.Load, *sqlparser.AlterTable:
		return true
	}
	return false
}

// preparedStatement is what PREPARE made of a name, nil if it made nothing.
func preparedStatement(ctx *sql.Context, name string) sqlparser.Statement {
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		return s.Named(name)
	}
	return nil
}

// fileForbidden reports whether LOAD DATA would read a file of the server's while secure_file_priv is NULL.
func fileForbidden(query string) bool {
	for _, w := range leadingWords(query, 4) {
		if w == "LOCAL" {
			return false
		}
	}
	_, v, _ := sql.SystemVariables.GetGlobal("secure_file_priv")
	return v == "NULL"
}
