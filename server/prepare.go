package server

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/server/commands"
	"emberdb/server/grants"
	"emberdb/server/logs"
	"emberdb/server/resultset"
	"emberdb/server/wire"
	"emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sql/parse"
	"emberdb/sql/statement"
	"emberdb/sql/token"
	"emberdb/sqllayer"
	"emberdb/sqllayer/planner"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/trees"
)

// Prepared statements, of COM_STMT_PREPARE by their numbers and of PREPARE by their names.
//
// A statement is read once, when it is prepared: later changes of sql_mode, of the character set or
// of the current database do not change what it means. The SQL layer's tree of it holds names of
// tables and columns as they were; it is made again when definitions have changed since (fresh).
//
// The protocol library parses the text of COM_STMT_PREPARE itself, to count parameters. So it is
// given a stand-in with the same number of parameters instead: "SELECT ?, ?". The handler then puts
// the statement in its place.

// preparedStatement is one of them.
type preparedStatement struct {
	*statement.Statement
	tree    sqlparser.Statement // the SQL layer's; nil: this server runs the statement
	db      string              // the current database when it was prepared
	version uint64              // of the definitions that tree was made with
	arrived bool                // it was prepared in another process, and tree is to be made
	size    int64               // bytes that are accounted to the connection
}

type prepareState struct {
	statement *statement.Statement // what the client sent
	unsigned  []bool               // of the parameters that were not told of yet; nil: none is unsigned
}

// maxParams is the most parameters that a statement may have.
const maxParams = 65535

var errNotPreparable = sqlerr.NewError(1295, "This command is not supported in the prepared statement protocol yet")

// readPrepared reads a statement that is to be prepared. It must be one that MySQL prepares.
func (w *wireConn) readPrepared(s sql.Session, text string) (*statement.Statement, error) {
	o := sqllayer.ReadOptions(s)
	o.Mode |= token.Prepared
	o.Ended = w.process.ended()
	text = sqllayer.ClientText(s, strings.TrimRight(text, "\x00"), o.Mode)
	st, _, err := statement.Read(parse.Trim(text), o)
	switch {
	case err != nil:
		return nil, grants.ParseError(err)
	case st.Tree == nil:
		return nil, sqlerr.NewError(1065, "Query was empty")
	case st.Params > 0 && !takesParameters(st.Tree):
		return nil, sqlerr.NewError(6413, "Dynamic parameters can only be used in DML statements.")
	case !effect.Preparable(st.Tree):
		return nil, errNotPreparable
	case st.Params > maxParams:
		return nil, sqlerr.NewError(1390, "Prepared statement contains too many placeholders")
	}
	return st, checkVariables(st)
}

// takesParameters reports whether a statement may have parameters, where its grammar has
// expressions.
func takesParameters(tree ast.Statement) bool {
	switch tree.(type) {
	case *ast.Kill, *ast.Purge:
		return false
	}
	return true
}

// takePrepare reads the text of COM_STMT_PREPARE.
func (w *wireConn) takePrepare(n int) (bool, error) {
	p, err := w.wholePayload(n)
	if err != nil {
		return true, err
	}
	w.process.setComing(true)
	st, err := w.readPrepared(w.session, string(p[1:]))
	w.process.setComing(false)
	if err == nil {
		err = w.srv.mayPrepare()
	}
	if why := w.process.takeKill(); why != notKilled {
		err = why.sqlError()
	}
	if err != nil {
		w.srv.counters.questions.Add(1)
		w.tally(commands.Com("stmt_prepare"))
		e := w.srv.handler.translate(err, nil, "")
		w.remember(e, false)
		return true, w.answerError(e)
	}
	w.prep.statement = st
	w.filter = w.watchPrepare
	w.give(append([]byte{commands.ComStmtPrepare}, standIn(st.Params)...))
	return true, nil
}

// give lets the library read a payload in place of the command.
func (w *wireConn) give(payload []byte) {
	w.in = wire.AppendFrames(nil, 0, payload)
	fed := byte(len(payload)/wire.MaxFrame + 1)
	w.shift.by -= fed - w.fed
	w.fed = fed
}

// watchPrepare sees the library's answer to COM_STMT_PREPARE, packet by packet. It marks
// descriptions of parameters that are unsigned (params.go), which the library knows nothing about.
func (w *wireConn) watchPrepare(p []byte) (bool, error) {
	body := w.assemble(p)
	if body == nil {
		return true, nil
	}
	if seq := w.held[3]; seq > 1 && len(w.prep.unsigned) > 0 {
		if w.prep.unsigned[0] {
			body[len(body)-flagsFromEnd] |= byte(querypb.MySqlFlag_UNSIGNED_FLAG)
		}
		w.prep.unsigned = w.prep.unsigned[1:]
	}
	if len(w.prep.unsigned) == 0 {
		w.filter = nil
	}
	_, err := w.send(wire.Frame(w.held[3], body))
	return true, err
}

// flagsFromEnd is where the flags of a column's description are: before the digits behind the point
// and two bytes that are always zero.
const flagsFromEnd = 5

// standIn is a statement with the given number of parameters.
func standIn(params int) string {
	if params == 0 {
		return "SELECT 1"
	}
	return "SELECT " + strings.TrimSuffix(strings.Repeat("?, ", params), ", ")
}

// keepPrepared counts a statement of this connection, and accounts it.
func (w *wireConn) keepPrepared(p *preparedStatement) error {
	size := trees.TreeSize(p.Text)
	if err := w.keepMemory(size); err != nil {
		return err
	}
	p.size = size
	w.vars.prepared++
	w.srv.counters.preparedStatements.Add(1)
	return nil
}

// dropPrepared gives back what a statement has taken.
func (w *wireConn) dropPrepared(p *preparedStatement) {
	_ = w.keepMemory(-p.size) // never fails
	w.vars.prepared--
	w.srv.counters.preparedStatements.Add(-1)
}

// keepMemory accounts what the connection keeps between its statements.
func (w *wireConn) keepMemory(n int64) error {
	if s, ok := w.session.(*sqllayer.Session); ok {
		return s.KeepMemory(n)
	}
	return nil
}

func (w *wireConn) forgetPrepared() {
	for _, p := range w.named {
		w.dropPrepared(p)
	}
	for _, p := range w.statements {
		w.dropPrepared(p)
	}
	w.named, w.statements, w.cursor = nil, nil, nil
}

// closePrepared forgets a statement of COM_STMT_PREPARE.
func (w *wireConn) closePrepared(id uint32) {
	if p := w.statements[id]; p != nil {
		w.dropPrepared(p)
	}
	delete(w.statements, id)
	delete(w.compiled.stmts, id)
}

// mayPrepare is the error of one statement more than max_prepared_stmt_count.
func (s *Server) mayPrepare() error {
	limit := s.globals.maxPrepared.Load()
	if s.counters.preparedStatements.Load() < limit {
		return nil
	}
	return sqlerr.NewError(1461, "Can't create more than max_prepared_stmt_count statements (current value: %d)", limit)
}

// ComPrepare implements mysql.Handler. query is a stand-in.
func (h *handler) ComPrepare(ctx context.Context, c *mysql.Conn, query string, p *mysql.PrepareData) (f []*querypb.Field, err error) {
	defer func() {
		if err != nil {
			delete(c.PrepareData, p.StatementID)
		}
	}()
	defer h.guard(c, "stmt_prepare", &err)
	w := wireOf(c)
	st := w.prep.statement
	p.PrepareStmt = sqllayer.LibraryText(st.Text, st.Options)
	h.s.counters.questions.Add(1)
	w.tally(commands.Com("stmt_prepare"))
	h.s.logs.command(w, "Prepare", logs.MaskSecrets(st.Text))
	if w.session != nil && !keepsDiagnostics(st.Tree) {
		w.session.ClearWarnings()
	}
	ready, f, err := h.prepare(ctx, c, st, p.PrepareStmt)
	if w.session != nil {
		warnWritten(w.session, st)
	}
	if err == nil {
		err = w.keepPrepared(ready)
	}
	if err != nil {
		if told := (*mysql.SQLError)(nil); errors.As(err, &told) {
			w.remember(told, false)
		}
		return nil, err
	}
	if w.statements == nil {
		w.statements = make(map[uint32]*preparedStatement)
	}
	w.statements[p.StatementID] = ready
	return f, nil
}

// prepare plans a statement. fields describe its rows; nil if it has none, or if they are known
// only when it runs.
func (h *handler) prepare(ctx context.Context, c *mysql.Conn, st *statement.Statement, text string) (*preparedStatement, []*querypb.Field, error) {
	sqlCtx, err := h.sm.NewContextWithQuery(ctx, c, text)
	if err != nil {
		return nil, nil, sqlerr.Translate(err, "")
	}
	db := sqlCtx.GetCurrentDatabase()
	if sqlCtx, err = h.s.processes.BeginOperation(sqlCtx); err != nil {
		return nil, nil, sqlerr.Translate(err, db)
	}
	defer h.s.processes.EndOperation(sqlCtx)
	if err := sql.SessionCommandBegin(sqlCtx.Session); err != nil {
		return nil, nil, sqlerr.Translate(err, db)
	}
	defer sql.SessionCommandEnd(sqlCtx.Session)
	x := &execution{h: h, w: wireOf(c), stmt: st}
	if err := x.permittedToPrepare(sqlCtx); err != nil {
		return nil, nil, err
	}
	defer planning(sqlCtx)()
	ready, node, err := x.ready(sqlCtx, st, text)
	if lost := lostTransaction(sqlCtx.Session); lost != nil {
		err = lost
	}
	if err != nil {
		return nil, nil, h.translate(sqllayer.Detail(sqlCtx, err), st, db)
	}
	if node == nil {
		return ready, nil, nil
	}
	w := wireOf(c)
	w.prep.unsigned = h.unsignedOf(sqlCtx, st)
	if returnsOK(sqlCtx, node) {
		return ready, nil, nil
	}
	schema := node.Schema(sqlCtx)
	return ready, resultset.Named(resultset.Fields(sqlCtx, schema, sqllayer.ResultColumns(sqlCtx, node, schema)), st.Tree), nil
}

// planning has the metadata locks that are taken from now on released when the returned function is
// called.
func planning(ctx *sql.Context) func() {
	s, ok := ctx.Session.(*sqllayer.Session)
	if !ok {
		return func() {}
	}
	s.BeginPlanning()
	return s.EndPlanning
}

// ready makes the SQL layer's tree of a statement, with a plan that shows its errors and its
// columns. The plan of a statement that this server runs, or that the SQL layer does not plan
// ahead, is nil.
func (x *execution) ready(ctx *sql.Context, st *statement.Statement, text string) (*preparedStatement, sql.Node, error) {
	ready := &preparedStatement{Statement: st, db: ctx.GetCurrentDatabase()}
	if err := refuseNUL(ctx, text); err != nil {
		return nil, nil, err
	}
	s, ok := ctx.Session.(*sqllayer.Session)
	if adminStatement(st.Tree) != nil {
		return ready, nil, x.lookServed(ctx)
	}
	if looksLater(st.Tree) {
		return ready, nil, nil
	}
	defer x.h.borrowDatabase(ctx, st.Tree)()
	if ok {
		ready.version = s.Layer().StorageEngine().DictVersion() // before the look: what changes meanwhile is looked at again
		before := s.Current()
		s.SetCurrent(st)
		defer s.SetCurrent(before)
	}
	if n, ok := st.Tree.(*ast.CreateView); ok {
		return ready, nil, x.lookView(ctx, n, text)
	}
	tree, err := x.h.parsed(ctx, st, text)
	if err != nil && isSyntaxError(err) && sqlerr.ParserError(err) == nil {
		return ready, nil, x.h.s.mayUnrun(ctx, st.Tree) // it is refused, or run, at execution
	}
	if err != nil {
		return nil, nil, err
	}
	node, err := x.h.e.PrepareParsedQuery(ctx, text, text, tree)
	if ok {
		ready.tree = s.TakePrepared()
	}
	if err == nil {
		err = planner.MayPrepare(ctx, node)
	}
	if err != nil {
		return nil, nil, err
	}
	return ready, node, nil
}

// fresh brings a prepared statement up to date before it runs: the current database is the one it
// was prepared in, until the returned function is called, and the SQL layer's tree is made again if
// definitions have changed since.
func (x *execution) fresh(ctx *sql.Context) (undo func(), err error) {
	p, undo := x.prepared, func() {}
	if now := ctx.GetCurrentDatabase(); p.db != "" && now != p.db {
		ctx.SetCurrentDatabase(p.db)
		undo = func() { ctx.SetCurrentDatabase(now) }
	} else if p.db == "" {
		undo = x.h.borrowDatabase(ctx, p.Tree)
	}
	s, ok := ctx.Session.(*sqllayer.Session)
	if !ok || !p.arrived && (p.tree == nil || s.Layer().StorageEngine().DictVersion() == p.version) {
		return undo, nil
	}
	end := planning(ctx)
	again, _, err := x.ready(ctx, p.Statement, x.query)
	end()
	if err != nil {
		undo()
		return func() {}, err
	}
	if !p.arrived {
		x.w.tally(commands.Com("stmt_reprepare"))
	}
	p.tree, p.version, p.arrived = again.tree, again.version, false
	s.RunPrepared(x.query, p.tree)
	return undo, nil
}

// cursor is what a connection knows of the cursor that the library has open. The library fetches one
// result ahead, so the cursor ends with the fetch that asks for its last row. Another command ends it
// earlier: see take and takeStmt.
//
// The connection's own goroutine owns it, and tells it of fetches. The statement runs in a goroutine
// of the library, which waits while rows are left that it has given.
type cursor struct {
	statement uint32
	asked     uint64        // rows, by all fetches
	given     atomic.Uint64 // rows, to the library
}

// isOpen tells whether rows are left. It is for the time between two commands.
func (c *cursor) isOpen() bool { return c != nil && (c.asked == 0 || c.asked < c.given.Load()) }

// fetch notes a COM_STMT_FETCH, whose frame is next.
func (w *wireConn) fetch() error {
	h, err := w.rd.Peek(wire.HeaderSize + commands.Shortest[commands.ComStmtFetch])
	if err != nil {
		w.lost(err)
		return errHungUp
	}
	p := h[wire.HeaderSize+1:]
	if c := w.cursor; c != nil && c.statement == binary.LittleEndian.Uint32(p) {
		c.asked += uint64(binary.LittleEndian.Uint32(p[4:]))
	}
	return nil
}

// openCursor is send of a statement that was executed with a cursor. A result without columns opens
// none.
func (w *wireConn) openCursor(statement uint32, send func(*sqltypes.Result) error) func(*sqltypes.Result) error {
	c := &cursor{statement: statement}
	opened := false
	return func(r *sqltypes.Result) error {
		c.given.Add(uint64(len(r.Rows)))
		if !opened && len(r.Fields) > 0 {
			opened, w.cursor = true, c // the connection's goroutine waits for this result
		}
		return send(r)
	}
}
