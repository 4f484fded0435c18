package server

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/server/commands"
	"emberdb/server/wireparam"
	"emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sql/fn"
	"emberdb/sql/statement"
	"emberdb/sqllayer"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
)

// execution is one statement on its way through the server.
type execution struct {
	h          *handler
	w          *wireConn
	c          *mysql.Conn
	stmt       *statement.Statement
	query      string // the statement's text as the SQL layer reads it
	rest       string // what follows the statement in the text
	counter    int    // index into counters.commands
	prepared   *preparedStatement
	prep       *mysql.PrepareData // nil: text protocol
	binds      map[string]*querypb.BindVariable
	cursor     bool // the library keeps the rows, and fetches them by and by
	start      time.Time
	rows       int64
	out        mysql.ResultSpoolFn
	began      bool             // the warnings are those of this statement
	sent       bool             // something of the result is with the library
	explaining *explaining      // EXPLAIN of a query that the executor plans
	served     bool             // this server runs it, not the SQL layer
	told       bool             // the answer is an OK, without rows
	shown      []*querypb.Field // how the columns of the result were described
	lost       error            // the client could not be written to
	db         string

	values map[string]sqlparser.Expr // of the parameters of EXECUTE
	using  []fn.Expr                 // the same as the executor has them; nil if it has not all
	outs   programs.Outs             // likewise, if it is a CALL

	local   func(name string) (fn.Expr, error) // variables of the stored program that it stands in
	collect *collectedRows                     // of such a query; nil: its rows are sent

	counted int64 // the rows that an OK tells of; -1 with a result set

	program bool // it stands in a stored program
}

// run executes the first statement of text. What follows it is returned if multi. prepared is nil
// for the text protocol.
func (h *handler) run(ctx context.Context, c *mysql.Conn, text string, prepared *mysql.PrepareData, multi bool, cb mysql.ResultSpoolFn) (string, error) {
	w := wireOf(c)
	x := &execution{h: h, w: w, c: c, prep: prepared, cursor: w.useCursor, start: time.Now(), out: cb, counted: -1}
	var bad error
	w.process.setComing(true)
	switch {
	case w.event != nil:
		x.set(programStatement(text))
	case prepared != nil:
		x.binds, x.prepared = prepared.BindVars, w.statements[prepared.StatementID]
		x.set(x.prepared.Statement)
	default:
		bad = x.read(strings.TrimRight(text, "\x00"), multi)
	}
	s := h.s
	s.counters.questions.Add(1)
	s.counters.queries.Add(1)
	w.questions.Add(1)
	w.tally(x.counter)
	w.beginSlow()
	s.logs.general(w, prepared != nil, x.stmt.Text)
	err := x.run(ctx, bad)
	return x.finish(err)
}

// finish decides how an error reaches the client, and writes the slow log.
func (x *execution) finish(err error) (string, error) {
	took := time.Since(x.start)
	x.w.process.setComing(false) // the statement may have failed before it was listed
	why := x.w.process.takeKill()
	switch {
	case x.lost != nil:
		x.slowStatement(took, nil)
		x.observe(took, nil)
		return "", x.lost
	case err == nil:
		x.slowStatement(took, nil)
		x.observe(took, nil)
		return x.rest, x.tellRows()
	}
	e := why.sqlError()
	if why == notKilled {
		e = x.h.translate(err, x.stmt, x.db)
	}
	x.slowStatement(took, e)
	x.observe(took, e)
	if memory.EndsConnection(e) {
		x.w.hangUp.Store(true)
	}
	x.w.remember(e, x.began)
	if x.sent {
		if err := x.c.FlushBuffer(); err != nil {
			return "", err
		}
		x.w.failMidResult(e)
		return "", nil
	}
	return "", x.w.inResults(e)
}

// run runs the statement and tells the session how it ended. bad is why the text could not be read.
func (x *execution) run(ctx context.Context, bad error) (err error) {
	defer x.h.guard(x.c, commands.ComNames[x.counter], &err)
	s := x.h.s
	sqlCtx, err := x.h.sm.NewContextWithQuery(ctx, x.c, x.query)
	if err != nil {
		return err
	}
	x.db = sqlCtx.GetCurrentDatabase()
	command := sql.ProcessCommandQuery
	if x.binds != nil {
		command = "Execute"
	}
	if x.w.event != nil {
		command = sql.ProcessCommandConnect
	}
	if sqlCtx, err = s.processes.begin(sqlCtx, command, x.query); err != nil {
		return err
	}
	defer s.processes.EndQuery(sqlCtx)
	if err := sql.SessionCommandBegin(sqlCtx.Session); err != nil {
		return err
	}
	defer sql.SessionCommandEnd(sqlCtx.Session)
	err = errPanicked // what the session is told if dispatch does not return
	defer func() {
		if finishStatement(sqlCtx.Session, err); is[*ast.LockTables](x) {
			x.noteLocks() // one that fails has released what was locked
		}
	}()
	defer x.current(sqlCtx.Session)()
	if !keepsDiagnostics(x.stmt.Tree) {
		sqlCtx.ClearWarnings()
		x.began = true
	}
	if bad == nil {
		defer x.applyHints(sqlCtx)()
	}
	defer x.limitTime(sqlCtx)()
	x.limitMemory(sqlCtx)
	x.fixTime(sqlCtx)
	defer x.h.borrowDatabase(sqlCtx, x.stmt.Tree)()
	found := sqlCtx.Session.GetLastQueryInfo().FoundRows.Load()
	if bad != nil {
		err = bad
	} else {
		err = x.dispatch(sqlCtx)
	}
	if lost := lostTransaction(sqlCtx.Session); lost != nil {
		err = lost
	}
	if err == nil {
		x.count(sqlCtx.Session.GetLastQueryInfo(), found)
	}
	if x.w.process != nil && x.w.process.killed.Load() != uint32(notKilled) {
		return err // what it says does not count
	}
	// The statement's context has ended, which the lookups of Detail would take for a KILL.
	return sqllayer.Detail(sqlCtx.WithContext(context.WithoutCancel(sqlCtx.Context)).WithQuery(x.query), err)
}

// current makes the statement known to the session, and the tree of one that is prepared, until the
// returned function is called.
func (x *execution) current(sess sql.Session) func() {
	s, ok := sess.(*sqllayer.Session)
	if !ok {
		return func() {}
	}
	x.known(s)
	return func() {
		s.SetWritten(nil)
		s.SetCurrent(nil)
		s.RunPrepared("", nil)
	}
}

// known is the first half of current.
func (x *execution) known(s *sqllayer.Session) {
	s.SetCurrent(x.stmt)
	if s.SetWritten(nil); x.prepared == nil && !x.program { // else it was read before
		s.SetWritten(x.stmt.Warnings)
	}
	if x.prepared != nil {
		s.RunPrepared(x.query, x.prepared.tree)
	}
}

// rowless tells statements that have neither rows nor changes: they leave FOUND_ROWS() alone.
func rowless(tree ast.Statement) bool {
	switch tree.(type) {
	case *ast.Begin, *ast.EndTransaction, *ast.Savepoint, *ast.Set, *ast.SetTransaction, *ast.SetPassword, *ast.SetRole:
		return true
	}
	return false
}

// count makes ROW_COUNT() and FOUND_ROWS() what MySQL makes of statements that go-mysql-server
// counts otherwise. found is FOUND_ROWS() before.
func (x *execution) count(info *sql.LastQueryInfo, found int64) {
	switch {
	case rowless(x.stmt.Tree):
		info.RowCount.Store(0)
		info.FoundRows.Store(found)
	case x.sent && x.counted < 0 && !is[*ast.Call](x): // rows
		info.RowCount.Store(-1)
	case x.served && x.sent, info.RowCount.Load() < 0, x.counted >= 0 && x.stmt.Has(effect.Defines):
		info.RowCount.Store(x.counted)
	}
}

var errPanicked = errors.New("statement broke off")

// finishStatement undoes a failed statement's changes.
func finishStatement(sess sql.Session, err error) {
	if f, ok := sess.(interface{ FinishStatement(error) }); ok {
		f.FinishStatement(err)
	}
}

// lostTransaction is the error that took the session's transaction, which the client has to be told
// of.
func lostTransaction(sess sql.Session) error {
	if s, ok := sess.(*sqllayer.Session); ok {
		return s.Lost()
	}
	return nil
}

// dispatch finds who executes the statement: this server itself or the SQL layer.
func (x *execution) dispatch(ctx *sql.Context) error {
	if err := refuseNUL(ctx, x.query); err != nil {
		return err
	}
	if x.stmt.Tree == nil && x.w.event == nil {
		if x.stmt.Text == "" {
			return sqlerr.NewError(1065, "Query was empty")
		}
		return x.ok(ctx, 0) // nothing but comments, as mysql sends those of a script
	}
	if err := x.permitted(ctx); err != nil {
		return err
	}
	if err := x.branchForbids(); err != nil {
		return err
	}
	if err := x.passGate(ctx); err != nil {
		return err
	}
	run, err := x.server(ctx)
	if err != nil {
		return err
	}
	x.closeTableHandlers(ctx)
	if done, err := x.createFirst(ctx); done || err != nil {
		return err
	}
	if skipped, err := x.passGTID(ctx); skipped || err != nil {
		return err
	}
	defer x.noteLocks()
	if x.waits() {
		commit := is[*ast.EndTransaction](x)
		if err := x.h.s.flushLock.wait(ctx, x.w, commit); err != nil {
			if s, ok := x.w.session.(*sqllayer.Session); ok && commit {
				_ = s.Rollback(ctx, nil) // a COMMIT that is told to have failed is not made good by the next BEGIN
			}
			return err
		}
		defer x.h.s.flushLock.done()
		defer x.noteLocks() // before anybody who waits for this change goes on
	}
	if x.stmt.Any(effect.Defines|effect.Accounts) && !x.stmt.Has(effect.Temporary) && !x.stmt.Has(effect.Explains) {
		if err := x.h.s.instance.define(ctx, x.w); err != nil {
			return err
		}
		defer x.h.s.instance.done(x.w)
	}
	if x.stmt.Any(effect.Assigns | effect.Calls) {
		x.h.s.accounts.db.UserActivePrivilegeSet(ctx) // for maySet
	}
	if s, ok := x.w.session.(*sqllayer.Session); ok && x.w.event != nil {
		return x.event(ctx, s)
	}
	if x.prepared != nil {
		undo, err := x.fresh(ctx)
		if err != nil {
			return err
		}
		defer undo()
		ctx = ctx.WithQuery(x.query)
	}
	if run != nil {
		return x.admin(ctx, run)
	}
	return x.viaLayer(ctx, x.query, nil)
}

// notRun is the error of a statement that the SQL layer has refused. One that it cannot read is
// told of to those who could run it in MySQL.
func (x *execution) notRun(ctx *sql.Context, err error) error {
	if !isSyntaxError(err) || sqlerr.ParserError(err) != nil {
		return err
	}
	if _, label, found := strings.Cut(err.Error(), "End-label "); found {
		name, _, _ := strings.Cut(label, " ")
		return sqlerr.NewError(1310, "End-label %s without match", name)
	}
	if denied := x.h.s.mayUnrun(ctx, x.stmt.Tree); denied != nil {
		return denied
	}
	return err
}

// bindings are the values of the parameters.
func (x *execution) bindings() map[string]sqlparser.Expr {
	if x.values != nil {
		return x.values
	}
	return wireparam.BindExprs(x.binds)
}

// server returns what runs a statement that is this server's; nil: the SQL layer runs it. EXECUTE
// becomes the statement that it names.
func (x *execution) server(ctx *sql.Context) (adminFunc, error) {
	switch n := x.stmt.Tree.(type) {
	case *ast.Prepare:
		return on(n, (*execution).prepareNamed), nil
	case *ast.Deallocate:
		return on(n, (*execution).deallocate), nil
	case *ast.Execute:
		if err := x.executeNamed(ctx, n); err != nil {
			return nil, err
		}
	}
	if n, ok := x.stmt.Tree.(*ast.TruncateTable); ok {
		if run := x.truncatesPerformance(ctx, n); run != nil {
			return run, nil
		}
	}
	if run := x.systemDefinition(ctx); run != nil {
		return run, nil
	}
	if run := x.dropNowhere(ctx); run != nil {
		return run, nil
	}
	if command := xtradbCommandOf(x.stmt.Tree); command != "" {
		return func(x *execution, ctx *sql.Context) error { return x.xtradbCommand(ctx, command) }, nil
	}
	return adminStatement(x.stmt.Tree), nil
}

// noteLocks tells FLUSH TABLES WITH READ LOCK whether the session is under LOCK TABLES.
func (x *execution) noteLocks() {
	if s, ok := x.w.session.(*sqllayer.Session); ok {
		if locked := s.UnderLocks(); locked != x.w.locksTables {
			x.w.locksTables = locked
			x.h.s.flushLock.locks(x.w, locked)
		}
	}
}

// limitTime arms max_execution_time; the returned function disarms it.
func (x *execution) limitTime(ctx *sql.Context) func() {
	limit := x.w.vars.maxExecutionTime.Load()
	if !x.stmt.Has(effect.Rows) {
		return func() {}
	}
	if hint, ok := executionTime(x.stmt.Tree); ok {
		limit = hint
	}
	if limit <= 0 {
		return func() {}
	}
	x.h.s.counters.executionLimits.Add(1)
	pid := ctx.Pid()
	t := time.AfterFunc(time.Duration(limit)*time.Millisecond, func() {
		if x.h.s.processes.interruptStatement(x.w.id, pid, killedTimeout) {
			x.h.s.counters.executionTimeouts.Add(1)
		}
	})
	return func() { t.Stop() }
}

// viaLayer lets go-mysql-server plan and run the statement, and sends its result.
func (x *execution) viaLayer(ctx *sql.Context, query string, parsed sqlparser.Statement) error {
	if err := x.commitAhead(ctx); err != nil {
		return err
	}
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		if err := s.CheckSafeUpdate(ctx, x.stmt.Tree); err != nil {
			return err
		}
	}
	if taken, err := x.viaExecutor(ctx); taken {
		return err
	}
	flags := &sql.QueryFlags{}
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		flags = s.Query(mayDefine(x.stmt.Tree))
	}
	x.serveProcedures(ctx)
	defer x.lendSelecting(ctx)()
	x.setStatement(query)
	schema, iter, err := x.plan(ctx, query, parsed, flags)
	if err != nil {
		return x.notRun(ctx, err)
	}
	switch {
	case types.IsOkResultSchema(schema):
		err = x.sendOK(ctx, iter)
	case schema == nil:
		err = x.sendNothing(ctx, iter)
	default:
		err = x.sendRows(ctx, schema, iter)
		if s, ok := ctx.Session.(*sqllayer.Session); ok && is[*ast.Query](x) {
			s.CountSelect(ctx, x.rows)
		}
	}
	if err == nil {
		x.learn(ctx)
		x.h.s.gate.first.Do(x.h.s.backend.FirstQuery)
	}
	return err
}

// setStatement tells the session the text that the binary log may get to see.
func (x *execution) setStatement(text string) {
	if s, ok := x.w.session.(*sqllayer.Session); ok && x.stmt.Any(effect.Changes) {
		s.SetStatement(text)
	}
}

// unfixedTime is the value of timestamp while the clock runs.
const unfixedTime = 0.0

// fixTime gives the statement the time that SET timestamp has fixed.
func (x *execution) fixTime(ctx *sql.Context) {
	v, err := ctx.Session.GetSessionVariable(nil, "timestamp")
	if err != nil {
		return
	}
	if at, ok := v.(float64); ok && at != unfixedTime {
		ctx.SetQueryTime(time.UnixMicro(int64(at * 1e6)))
	}
}

// mayDefine tells statements that may be DDL from those that cannot.
func mayDefine(tree ast.Statement) bool {
	switch tree.(type) {
	case *ast.Query, *ast.Insert, *ast.Update, *ast.Delete, *ast.Load, *ast.Call, *ast.Show, *ast.ShowCreate, *ast.Describe, *ast.Explain,
		*ast.Handler:
		return false
	}
	return true
}
