package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/server/grants"
	"emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// Administrative statements: those that the SQL layer does not know, ignores, or could not answer,
// as only this server knows the answer. Each either works or returns MySQL's error for it. The tree
// says which they are.

// adminFunc runs an administrative statement.
type adminFunc func(x *execution, ctx *sql.Context) error

// admin runs one. Those that commit do so once they are understood.
func (x *execution) admin(ctx *sql.Context, run adminFunc) error {
	x.served = true
	x.setStatement(x.query)
	if x.stmt.Has(effect.Commits) {
		if err := x.commitFirst(ctx); err != nil {
			return err
		}
	}
	if err := x.runLogged(ctx, run); err != nil {
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

// commitFirst ends the open transaction; a branch of a distributed transaction refuses it.
func (x *execution) commitFirst(ctx *sql.Context) error {
	if s, ok := x.w.session.(*sqllayer.Session); ok {
		at := s.Transaction()
		switch {
		case s.InBranch():
			return s.XABusy()
		case !at.Active && !ctx.GetIgnoreAutoCommit():
			return nil // a COMMIT would use up gtid_next
		case at.RowsModified > 0 && !x.waits() && !x.h.s.flushLock.heldBy(x.w): // one that writes has waited
			if err := x.h.s.flushLock.wait(ctx, x.w, true); err != nil {
				return err
			}
			defer x.h.s.flushLock.done()
		}
	}
	_, err := x.rowsOf(ctx, "COMMIT")
	return err
}

// commitAhead is commitFirst for statements of the SQL layer's: they commit even if they fail. BEGIN
// does so itself, for a transaction inherits from the one that it ends.
func (x *execution) commitAhead(ctx *sql.Context) error {
	if !x.stmt.Has(effect.Commits) || is[*ast.Begin](x) || x.w.inside {
		return nil
	}
	return x.commitFirst(ctx)
}

// adminStatement returns what runs an administrative statement; nil: the SQL layer runs it.
func adminStatement(tree ast.Statement) adminFunc {
	for _, f := range [...]func(ast.Statement) adminFunc{showStatement, accountStatement, setStatement, replicaStatement, serverStatement, absentStatement} {
		if run := f(tree); run != nil {
			return run
		}
	}
	return nil
}

// on makes a tree, or the part that matters, the argument of what runs it.
func on[N ast.Node](n N, run func(*execution, *sql.Context, N) error) adminFunc {
	return func(x *execution, ctx *sql.Context) error { return run(x, ctx, n) }
}

// serverStatement returns what runs a statement about the server.
func serverStatement(tree ast.Statement) adminFunc {
	switch n := tree.(type) {
	case *ast.Flush:
		return on(n, (*execution).flush)
	case *ast.FlushTables:
		return on(n, (*execution).flushTables)
	case *ast.Kill:
		return on(n, (*execution).kill)
	case *ast.Do:
		return on(n, (*execution).do)
	case *ast.AlterTable:
		if n.Tail != nil && partMaintenance[n.Tail.Kind] != "" {
			return on(n, (*execution).maintainParts)
		}
	case *ast.MaintainTables:
		if n.Histogram != nil {
			return on(n, (*execution).changeHistograms)
		}
		return on(n, (*execution).maintainTables)
	case *ast.Shutdown:
		if n.Restart {
			return refuse(3707, "Restart server failed (mysqld is not managed by supervisor process).")
		}
		return (*execution).shutdown
	case *ast.Reset:
		return on(n, (*execution).reset)
	case *ast.ResetPersist:
		return on(n, (*execution).resetPersist)
	case *ast.Purge:
		return on(n, (*execution).purge)
	case *ast.Help:
		return (*execution).help
	case *ast.Binlog:
		return on(n, (*execution).replay)
	case *ast.CacheIndex:
		return on(n, (*execution).cacheIndex)
	case *ast.Backup:
		return on(n, (*execution).backup)
	case *ast.Clone:
		return on(n, (*execution).clone)
	case *ast.XA:
		return on(n, (*execution).xa)
	case *ast.AlterInstance:
		return on(n, (*execution).alterInstance)
	case *ast.Signal:
		return (*execution).signal
	case *ast.AlterRoutine:
		return on(n, (*execution).alterRoutine)
	case *ast.Library:
		return on(n, (*execution).library)
	case *ast.DropProgram:
		if n.Kind == ast.DropLibrary {
			return on(n, (*execution).dropLibrary)
		}
	case *ast.Handler:
		return on(n, (*execution).tableHandler)
	case *ast.LockInstance:
		return (*execution).lockInstance
	case *ast.Unlock:
		if n.Instance {
			return (*execution).unlockInstance
		}
		return (*execution).unlockTables
	case *ast.Describe:
		if n.Column.Given() || n.Pattern != nil {
			return on(n, (*execution).describeColumn)
		}
	}
	return nil
}

// describeColumn is DESCRIBE table column, where the column may be a pattern.
func (x *execution) describeColumn(ctx *sql.Context, n *ast.Describe) error {
	pattern := n.Column.Name
	if n.Pattern != nil {
		pattern = n.Pattern.Text
	}
	return x.viaLayer(ctx, "SHOW COLUMNS FROM "+x.printed(&n.Table)+" LIKE "+quoteText(pattern), nil)
}

// explainInto is EXPLAIN ... INTO @variable.
func (x *execution) explainInto(ctx *sql.Context, n *ast.Explain) error {
	if !strings.EqualFold(n.Format.Name, "json") {
		return sqlerr.NewError(6007, "EXPLAIN INTO does not support FORMAT=%s.", strings.ToUpper(n.Format.Name))
	}
	rows, err := x.explainedRows(ctx, n)
	if err != nil {
		return err
	}
	return ctx.SetUserVariable(ctx, n.Into.Name.Name, rows[0][0], types.LongText)
}

// explainConnection is EXPLAIN FOR CONNECTION, which tells of connections that do not exist.
func (x *execution) explainConnection(ctx *sql.Context, n *ast.Explain) error {
	id, err := x.evalID(ctx, n.Connection)
	if err != nil {
		return err
	}
	if x.h.s.connection(id) == nil {
		return sqlerr.NewError(1094, "Unknown thread id: %d", id)
	}
	return unsupported("EXPLAIN FOR CONNECTION")(x, ctx)
}

// need checks a global privilege.
func (x *execution) need(ctx *sql.Context, name string, p sql.PrivilegeType) error {
	if x.h.s.rights(ctx).Has(p) {
		return nil
	}
	return grants.Missing(name)
}

// needDynamic checks SUPER or a dynamic privilege.
func (x *execution) needDynamic(ctx *sql.Context, name string) error {
	if x.h.s.hasAdmin(ctx, strings.ToLower(name)) {
		return nil
	}
	return grants.Missing("SUPER or " + strings.ToUpper(name))
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
	x.told = true
	if err := x.statusFlags(ctx); err != nil {
		return err
	}
	info := ""
	if is[*ast.Prepare](x) {
		info = "Statement prepared"
	}
	return x.sendCounts(&sqltypes.Result{RowsAffected: affected}, info)
}

// nested is a context for a statement within this one: it has no pid, so that its end is not taken
// for this statement's.
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
func (x *execution) do(ctx *sql.Context, n *ast.Do) error {
	in := x.nested(ctx)
	_, iter, _, err := x.h.e.QueryWithBindings(in, "SELECT "+x.itemsOf(n), nil, x.bindings(), nil)
	if err == nil {
		_, err = sql.RowIterToRows(in, iter)
	}
	return err
}

func (x *execution) shutdown(ctx *sql.Context) error {
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

// kill is KILL [QUERY|CONNECTION] id.
func (x *execution) kill(ctx *sql.Context, n *ast.Kill) error {
	if readsData(ctx, n.ID) {
		return sqlerr.NewError(1235, "This version of Ember doesn't yet support 'Usage of subqueries or stored function calls as part of this statement'")
	}
	id, err := x.evalID(ctx, n.ID)
	if err != nil {
		return err
	}
	s := x.h.s
	victim := s.connection(id)
	if victim == nil && s.hasAdmin(ctx, "connection_admin") && s.replicas.kill(id) {
		return nil
	}
	if victim == nil {
		return sqlerr.NewError(1094, "Unknown thread id: %d", id)
	}
	if victim.owner() != x.w.owner() && (!s.hasAdmin(ctx, "connection_admin") || s.isSystemUser(victim) && !x.caller(ctx).Has(grants.SystemUser)) {
		return sqlerr.NewError(1095, "You are not owner of thread %d", id)
	}
	if n.Query {
		s.processes.interrupt(victim.id, killedQuery)
		if victim == x.w {
			return sqlerr.NewError(1317, "Query execution was interrupted")
		}
		return nil
	}
	victim.killed.Store(true)
	if victim == x.w {
		victim.hangUp.Store(true)
		return sqlerr.NewError(1317, "Query execution was interrupted")
	}
	s.processes.interrupt(victim.id, killedConnection)
	return victim.Close()
}

// readsData tells whether an expression reads tables, or calls a function that is no built-in one.
func readsData(ctx *sql.Context, x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TableName:
			found = true
		case *ast.Func:
			found = found || n.Schema.Given() || !sqllayer.IsFunction(ctx, n.Name.Name)
		}
		return !found
	})
	return found
}

// evalID evaluates the operand of KILL: the low 32 bits of a number, as MySQL takes it; NULL is 0.
func (x *execution) evalID(ctx *sql.Context, id ast.Expr) (uint32, error) {
	if n, ok := id.(*ast.Literal); ok && n.Kind == ast.IntLiteral {
		return uint32(number(n.Text)), nil
	}
	rows, err := x.rowsOf(ctx, "SELECT CAST("+x.printed(id)+" AS UNSIGNED)")
	if err != nil || len(rows) != 1 || len(rows[0]) != 1 {
		return 0, err
	}
	value, _ := rows[0][0].(uint64)
	return uint32(value), nil
}

// lockInstance is LOCK INSTANCE FOR BACKUP. SUPER does not stand for BACKUP_ADMIN.
func (x *execution) lockInstance(ctx *sql.Context) error {
	if !x.h.s.rights(ctx).HasDynamic("backup_admin") {
		return grants.Missing("BACKUP_ADMIN")
	}
	return x.h.s.instance.take(ctx, x.w)
}

func (x *execution) unlockInstance(ctx *sql.Context) error {
	if !x.h.s.rights(ctx).HasDynamic("backup_admin") {
		return grants.Missing("BACKUP_ADMIN")
	}
	x.h.s.instance.leave(x.w)
	return nil
}

// unlockTables is UNLOCK TABLES, which also ends FLUSH TABLES WITH READ LOCK.
func (x *execution) unlockTables(ctx *sql.Context) error {
	x.h.s.flushLock.release(x.w)
	if ctx.GetCurrentDatabase() == "" { // the SQL layer wants one
		ctx.SetCurrentDatabase("information_schema")
		defer ctx.SetCurrentDatabase("")
	}
	return x.viaLayer(ctx, "UNLOCK TABLES", nil)
}
