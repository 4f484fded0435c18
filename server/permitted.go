package server

// The gate: what forbids a statement before anybody looks at its tables. Everything is decided from
// the statement's effect (package effect), for text, prepared statements and the statements of
// programs alike. What only the tables tell is refused where rows are changed: the layer asks
// mayWrite.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/server/virtual"
	"emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/sqlerr"
)

// refuseNUL refuses names that no client can write.
func refuseNUL(ctx *sql.Context, text string) error {
	if strings.IndexByte(text, 0) < 0 {
		return nil
	}
	if e := sqllayer.RefuseNUL(text, operand.Mode(ctx).ParserOptions()); e != nil {
		return e
	}
	return nil
}

const errReadOnlyServer = "The MySQL server is running with the --%s option so it cannot execute this statement"

var (
	errExpired             = sqlerr.NewError(1820, "You must reset your password using ALTER USER statement before executing this statement.")
	errReadOnlyTransaction = sqlerr.NewError(1792, "Cannot execute statement in a READ ONLY transaction.")
	errLockedTables        = sqlerr.NewError(1192, "Can't execute the given command because you have active locked tables or an active transaction")
	errUserTable           = sqlerr.NewError(1100, "Table 'user' was not locked with LOCK TABLES")
)

// permitted keeps a client with an expired password to setting a new one, and applies account
// limits, LOCK TABLES, READ ONLY transactions, innodb_force_recovery, read_only and
// super_read_only.
func (x *execution) permitted(ctx *sql.Context) error {
	if x.w.sandbox && !resetsPassword(x.stmt.Tree) {
		return errExpired
	}
	if !x.program {
		if err := x.w.used.Statement(x.w.account.user, x.stmt.Any(effect.Changes|effect.Temporary)); err != nil {
			return err
		}
	}
	if x.w.inside {
		return nil
	}
	if x.h.s.accounts.open.Load() && x.aboutAccounts() {
		return sqlerr.NewError(1290, errReadOnlyServer, "skip-grant-tables")
	}
	if err := x.locksForbid(ctx); err != nil {
		return err
	}
	switch {
	case x.stmt.Any(effect.Changes | effect.Locks):
		return x.mayChange(ctx)
	case x.stmt.Has(effect.Temporary) && x.inReadOnlyTransaction():
		return errReadOnlyTransaction
	}
	return x.mayCommit(ctx)
}

// resetsPassword reports whether a client with an expired password may run a statement.
func resetsPassword(tree ast.Statement) bool {
	switch n := tree.(type) {
	case *ast.SetPassword:
		return true
	case *ast.CreateUser:
		return n.Alter && n.DefaultRole == nil // of which alterUser lets fewer pass
	}
	return false
}

// aboutAccounts reports whether a statement needs the grant tables, which skip_grant_tables leaves
// aside.
func (x *execution) aboutAccounts() bool {
	switch x.stmt.Tree.(type) {
	case *ast.ShowGrants, *ast.SetRole:
		return true
	}
	return x.stmt.Has(effect.Accounts)
}

func (x *execution) inReadOnlyTransaction() bool {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return false
	}
	if x.stmt.Has(effect.Commits) {
		return s.ReadOnly() // its own transaction would be one
	}
	return s.InReadOnlyTransaction()
}

// mayChange refuses changes, unless all tables that the statement changes are the session's
// temporary ones. Those of performance_schema, which say what is counted, change on a read-only
// server, too.
func (x *execution) mayChange(ctx *sql.Context) error {
	temporary := x.changesOnly(ctx, (*sqllayer.Session).IsTemporary)
	if x.stmt.Has(effect.Changes) && !temporary && x.inReadOnlyTransaction() { // what is only locked the layer looks at
		return errReadOnlyTransaction
	}
	s := x.h.s
	switch {
	case s.forced >= 4:
		return sqlerr.NewError(1836, "Running in read-only mode")
	case s.forced > 0 && x.stmt.Has(effect.Changes) && !movesAway(x.stmt.Tree):
		return sqlerr.NewError(1881, "Operation not allowed when innodb_force_recovery > 0.")
	case temporary:
		return nil
	}
	refused := s.readOnly(ctx)
	if refused != nil && x.changesOnly(ctx, func(s *sqllayer.Session, db, name string) bool {
		return strings.EqualFold(db, virtual.PerformanceSchema) || s.IsTemporary(db, name)
	}) {
		return nil
	}
	if n, ok := x.stmt.Tree.(*ast.TruncateTable); ok && x.truncatesPerformance(ctx, n) != nil {
		return nil
	}
	return refused
}

// movesAway reports whether a statement is served with innodb_force_recovery 1 to 3: what moves the
// rest of a damaged server out of the way.
func movesAway(tree ast.Statement) bool {
	switch n := tree.(type) {
	case *ast.CreateTable, *ast.DropTable, *ast.TruncateTable, *ast.DropView:
		return true
	case *ast.CreateView:
		return !n.Alter
	case *ast.DropProgram:
		return n.Kind != ast.DropLibrary
	}
	return false
}

// changesOnly reports whether the statement changes tables, and only such ones.
func (x *execution) changesOnly(ctx *sql.Context, such func(s *sqllayer.Session, db, name string) bool) bool {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return false
	}
	tables, all := effect.Targets(x.stmt.Tree)
	if !all || len(tables) == 0 {
		return false
	}
	for i := range tables {
		t, err := x.nameOf(ctx, &tables[i])
		if err != nil || !such(s, t.db, t.name) {
			return false
		}
	}
	return true
}

// readOnly is the error of a change under read_only and super_read_only.
func (s *Server) readOnly(ctx *sql.Context) error {
	switch {
	case s.globals.superReadOnly.Load():
		return sqlerr.NewError(1290, errReadOnlyServer, "super-read-only")
	case s.globals.readOnly.Load() && !s.hasAdmin(ctx, "connection_admin"):
		return sqlerr.NewError(1290, errReadOnlyServer, "read-only")
	}
	return nil
}

// mayWrite is what the layer asks before it changes anything: what the tree of a statement does not
// tell, a function's change say, is refused there.
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

// mayCommit rolls a transaction with changes back that is to be committed after the server has
// become read-only. A branch that is prepared may be ended.
func (x *execution) mayCommit(ctx *sql.Context) error {
	if !x.stmt.Has(effect.Ends) {
		return nil
	}
	refused := x.h.s.readOnly(ctx)
	s, ok := x.w.session.(*sqllayer.Session)
	if refused == nil || !ok || s.Transaction().RowsModified == 0 {
		return nil
	}
	var err error
	switch n := x.stmt.Tree.(type) {
	case *ast.EndTransaction:
		if n.Rollback || s.InBranch() {
			return nil
		}
		err = s.Rollback(ctx, nil)
	case *ast.XA:
		if n.Verb != ast.XACommit || !n.OnePhase {
			return nil
		}
		err = s.XARollback(ctx, xidOf(n.ID))
	}
	if err != nil {
		return err
	}
	return refused
}

// underLocks is the error of a statement that a session under LOCK TABLES may not use; nil: it may.
// Those of accounts would change a table that it has not locked.
func underLocks(tree ast.Statement, e effect.Effect) *mysql.SQLError {
	if e.Has(effect.Accounts) {
		return errUserTable
	}
	switch n := tree.(type) {
	case *ast.CreateView, *ast.DropView, *ast.CreateDatabase, *ast.AlterDatabase, *ast.DropDatabase, *ast.CreateRoutine,
		*ast.AlterRoutine, *ast.CreateEvent, *ast.Library, *ast.Handler, *ast.Tablespace:
		return errLockedTables
	case *ast.DropProgram:
		if n.Kind != ast.DropTrigger {
			return errLockedTables
		}
	case *ast.StartReplica:
		if n.Stop {
			return errLockedTables
		}
	case *ast.Flush:
		for _, item := range n.Items {
			if item.Kind == ast.FlushPrivileges {
				return errUserTable
			}
		}
	}
	return nil
}

// locksForbid refuses those, and prepared statements whose tables are locked under other names.
func (x *execution) locksForbid(ctx *sql.Context) error {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok || !s.UnderLocks() {
		return nil
	}
	if e := underLocks(x.stmt.Tree, x.stmt.Effect); e != nil {
		return e
	}
	if x.prepared == nil {
		return s.MayUse(ctx, nil)
	}
	return s.MayUse(ctx, x.prepared.tree)
}

// waits reports whether FLUSH TABLES WITH READ LOCK makes the statement wait before it runs.
func (x *execution) waits() bool {
	return x.stmt.Has(effect.Yields) || is[*ast.EndTransaction](x) && !x.rollsBack() && x.hasChanged() && !x.h.s.flushLock.heldBy(x.w)
}

// hasChanged reports whether the session's transaction has changed rows.
func (x *execution) hasChanged() bool {
	s, ok := x.w.session.(*sqllayer.Session)
	return ok && s.Transaction().RowsModified > 0
}

// rollsBack tells ROLLBACK from COMMIT.
func (x *execution) rollsBack() bool {
	n, ok := x.stmt.Tree.(*ast.EndTransaction)
	return ok && n.Rollback
}
