package server

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	"emberdb/sqllayer"
)

// execution is one statement on its way through the server.
type execution struct {
	h     *handler
	w     *wireConn
	c     *mysql.Conn
	query string // the statement, without what follows it
	given string // the text as it came; of what follows another statement, as the layer has rewritten it
	rest  string // what follows
	verb  verb
	prep  *mysql.PrepareData // nil: text protocol
	binds map[string]*querypb.BindVariable
	multi bool
	start time.Time
	rows  int64
	out   mysql.ResultSpoolFn
	began bool             // the warnings are those of this statement
	sent  bool             // something of the result is with the library
	shown []*querypb.Field // how the columns of the result were described
	lost  error            // the client could not be written to
	db    string

	counted int64 // the rows that an OK tells of; -1 with a result set

	program bool // it stands in a stored program
	checked bool // the text is the rest of one that RefuseNUL and PlainText have seen
}

// run executes the first statement of text. What follows it is returned if multi. prepared is nil for the text protocol.
func (h *handler) run(ctx context.Context, c *mysql.Conn, text string, prepared *mysql.PrepareData, multi bool, cb mysql.ResultSpoolFn) (string, error) {
	w := wireOf(c)
	checked := multi && text == w.rest
	w.rest = ""
	if s := w.session; prepared == nil && strings.Contains(text, `\`) && sqllayer.NoBackslashEscapes(s) {
		quotes := sqllayer.AnsiQuotes(s)
		rest, err := h.runEscaped(ctx, c, sqllayer.EscapeBackslashes(text, quotes), nil, multi, checked, cb)
		w.rest = sqllayer.UnescapeBackslashes(rest, quotes)
		return w.rest, err
	}
	var err error
	w.rest, err = h.runEscaped(ctx, c, text, prepared, multi, checked, cb)
	return w.rest, err
}

// runEscaped is run of a text whose backslashes are escapes.
func (h *handler) runEscaped(ctx context.Context, c *mysql.Conn, text string, prepared *mysql.PrepareData, multi, checked bool, cb mysql.ResultSpoolFn) (string, error) {
	text = strings.TrimRight(text, "\x00")
	given := text
	if !checked { // else it was done to the text that this is the rest of
		text = sqllayer.PlainText(wireOf(c).session, text)
	}
	text = strings.TrimLeft(text, " \t\r\n") // go-mysql-server trims too, after the parser has noted positions in the text
	x := &execution{h: h, w: wireOf(c), c: c, query: text, given: given, prep: prepared, multi: multi, checked: checked, start: time.Now(), out: cb, counted: -1}
	if prepared != nil {
		x.binds = prepared.BindVars
	}
	x.verb = classify(text)
	if x.w.event != nil {
		x.verb = classify("CALL event")
	}
	s := h.s
	s.counters.questions.Add(1)
	s.counters.queries.Add(1)
	x.w.questions.Add(1)
	x.w.tally(x.verb.counter)
	s.logs.general(x.w, prepared != nil, text)
	err := x.run(ctx)
	return x.finish(err)
}

// finish decides how an error reaches the client, and writes the slow log.
func (x *execution) finish(err error) (string, error) {
	s := x.h.s
	if x.verb.named || x.verb.counter == com("call_procedure") {
		x.w.countNamed()
	}
	took := time.Since(x.start)
	if took.Microseconds() >= x.w.vars.longQueryMicros.Load() {
		s.counters.slowQueries.Add(1)
		x.w.slow.Add(1)
		s.logs.slow(x, took)
	}
	why := x.w.process.takeKill()
	switch {
	case x.lost != nil:
		return "", x.lost
	case err == nil:
		return x.rest, nil
	}
	e := why.sqlError()
	if why == notKilled {
		e = x.h.translate(err, x.query, x.db)
	}
	if sqllayer.EndsConnection(e) {
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
	return "", e
}

// remember keeps the error for SHOW WARNINGS and SHOW ERRORS, behind the warnings that the statement gave before if it began, and if it is not one of them; ROW_COUNT() is -1
// after one.
func (w *wireConn) remember(e *mysql.SQLError, began bool) {
	if w.session == nil {
		return
	}
	w.session.GetLastQueryInfo().RowCount.Store(-1)
	before, told := w.session.Warnings(), false
	w.session.ClearWarnings()
	if began {
		for _, b := range before {
			same := b.Code == e.Num && b.Message == e.Message
			if told = told || same && b.Level == "Error"; !same || b.Level == "Error" {
				w.session.Warn(b)
			}
		}
	}
	if !told {
		w.session.Warn(&sql.Warning{Level: "Error", Code: e.Num, Message: e.Message})
	}
}

// sqlError is what the client is told about a cancelled statement.
func (k killReason) sqlError() *mysql.SQLError {
	switch k {
	case killedTimeout:
		return sqllayer.NewError(3024, "Query execution was interrupted, maximum statement execution time exceeded")
	case killedMemory:
		return sqllayer.OutOfMemory()
	case killedShutdown:
		return sqllayer.NewError(1053, "Server shutdown in progress")
	}
	return sqllayer.NewError(1317, "Query execution was interrupted")
}

// run runs the statement and tells the session how it ended.
func (x *execution) run(ctx context.Context) (err error) {
	defer x.h.guard(x.c, comNames[x.verb.counter], &err)
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
		if finishStatement(sqlCtx.Session, err); x.verb.counter == com("lock_tables") {
			x.noteLocks() // one that fails has released what was locked
		}
	}()
	x.runPrepared(sqlCtx.Session)
	defer x.limitTime(sqlCtx)()
	x.limitMemory(sqlCtx)
	x.fixTime(sqlCtx)
	if x.clearsWarnings() {
		sqlCtx.ClearWarnings()
		x.began = true
	}
	defer x.borrowDatabase(sqlCtx)()
	found := sqlCtx.Session.GetLastQueryInfo().FoundRows.Load()
	err = x.dispatch(sqlCtx)
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
	return sqllayer.Detail(sqlCtx.WithContext(context.WithoutCancel(sqlCtx.Context)), err)
}

// runPrepared gives the session the tree of a statement of COM_STMT_PREPARE.
func (x *execution) runPrepared(sess sql.Session) {
	if s, ok := sess.(*sqllayer.Session); ok && x.prep != nil {
		s.RunPrepared(x.query, x.w.trees[x.prep.StatementID])
	}
}

// rowless are statements that have neither rows nor changes: they leave FOUND_ROWS() alone.
var rowless = map[int]bool{com("begin"): true, com("commit"): true, com("rollback"): true, com("savepoint"): true, com("rollback_to_savepoint"): true,
	com("release_savepoint"): true, com("set_option"): true, com("set_password"): true, com("set_role"): true, com("alter_user_default_role"): true}

// count makes ROW_COUNT() and FOUND_ROWS() what MySQL makes of statements that go-mysql-server counts otherwise. found is FOUND_ROWS() before.
func (x *execution) count(info *sql.LastQueryInfo, found int64) {
	switch {
	case rowless[x.verb.counter]:
		info.RowCount.Store(0)
		info.FoundRows.Store(found)
	case x.verb.admin && x.sent, info.RowCount.Load() < 0:
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

// lostTransaction is the error that took the session's transaction, which the client has to be told of.
func lostTransaction(sess sql.Session) error {
	if s, ok := sess.(*sqllayer.Session); ok {
		return s.Lost()
	}
	return nil
}

// dispatch finds who executes the statement: this server itself or the SQL layer.
func (x *execution) dispatch(ctx *sql.Context) error {
	if !x.checked {
		if err := refuseNUL(ctx, x.query); err != nil {
			return err
		}
	}
	if x.verb.counter == com("empty_query") && strings.Trim(x.query, " \t\r\n\f\v;") != "" {
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
	if done, err := x.createFirst(ctx); done || err != nil {
		return err
	}
	if skipped, err := x.passGTID(ctx); skipped || err != nil {
		return err
	}
	defer x.noteLocks()
	commit := x.verb.counter == com("commit")
	if x.verb.writes || x.verb.counter == com("call_procedure") || x.locksForWriting() || commit && !x.h.s.flushLock.heldBy(x.w) {
		if err := x.h.s.flushLock.wait(ctx, x.w, commit); err != nil {
			if s, ok := x.w.session.(*sqllayer.Session); ok && commit {
				_ = s.Rollback(ctx, nil) // a COMMIT that is told to have failed is not made good by the next BEGIN
			}
			return err
		}
		defer x.h.s.flushLock.done()
		defer x.noteLocks() // before anybody who waits for this change goes on
	}
	if x.verb.counter == com("set_option") || x.verb.counter == com("call_procedure") {
		x.h.s.accounts.db.UserActivePrivilegeSet(ctx) // for maySet
	}
	if s, ok := x.w.session.(*sqllayer.Session); ok && x.w.event != nil {
		return x.event(ctx, s)
	}
	if x.verb.reads && strings.Contains(x.query, "/*!XTRA_") {
		return x.xtradbCommand(ctx)
	}
	if x.verb.admin || x.verb.named {
		first, rest := x.first()
		run := adminStatement(first)
		if run != nil {
			x.query = first
		} else if byText, err := x.textPrepared(ctx, first); byText != nil || err != nil {
			if err != nil {
				return err
			}
			run = byText
		}
		if run != nil {
			x.rest = rest
			return x.admin(ctx, run)
		}
	}
	var parsed sqlparser.Statement
	if _, known := ctx.Session.GetPreparedQuery(x.query); x.multi && !known {
		stmt, text, rest, err := x.h.e.Parser.Parse(ctx, x.query, true)
		if err != nil {
			x.query, _ = splitFirst(x.query)
			return x.refused(ctx, x.query, err)
		}
		if text != "" {
			x.query = text
		}
		parsed, x.rest = stmt, rest
		if x.rest != "" && x.verb.writes && x.verb.admin {
			// The tree of a body (CREATE TRIGGER, EVENT, VIEW, ...) points into a text that goes one byte further than x.query.
			parsed = nil
		}
	}
	return x.viaLayer(ctx, x.query, parsed)
}

// first is the first statement of the text, and what follows it.
func (x *execution) first() (first, rest string) {
	if !x.multi {
		return x.query, ""
	}
	return splitFirst(x.query)
}

// locksForWriting tells of LOCK TABLES with a table that is to be changed.
func (x *execution) locksForWriting() bool {
	return x.verb.counter == com("lock_tables") && slices.Contains(leadingWords(x.query, 1000), "WRITE")
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

// refused handles a statement go-mysql-server could not parse.
func (x *execution) refused(ctx *sql.Context, query string, err error) error {
	if errors.Is(err, sqlparser.ErrEmpty) {
		return sqllayer.NewError(1065, "Query was empty")
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	if known, ok := err.(*mysql.SQLError); ok && known.Num != mysql.ERParseError {
		return known // the layer's parser looks at more than syntax
	}
	e := explainSyntax(query, err)
	statement, bad := parseStatement(x.w, query, false)
	if _, text := statement.(*ast.Prepare); text || bad != nil {
		return e // the error may be that of the text that is prepared
	}
	if denied := x.mayUnrun(ctx, query); denied != nil {
		return denied
	}
	switch n := statement.(type) {
	case *ast.CacheIndex:
		return x.cacheIndex(ctx, n)
	case *ast.AlterTable:
		if t := n.Tail; t != nil && t.Kind >= ast.DiscardPartition && t.Kind <= ast.RemovePartitioning {
			return sqllayer.NotPartitioned(ctx, n.Table.Schema.Name, n.Table.Name.Name)
		}
	}
	if e.Num != mysql.ERParseError {
		return e
	}
	return sqllayer.NewError(1235, "This version of Ember doesn't yet support '%s'", describe(query))
}

var executionTimeHint = regexp.MustCompile(`(?i)/\*\+[^*]*MAX_EXECUTION_TIME\s*\(\s*(\d+)\s*\)`)

// limitTime arms max_execution_time; the returned function disarms it.
func (x *execution) limitTime(ctx *sql.Context) func() {
	limit := x.w.vars.maxExecutionTime.Load()
	if !x.verb.reads {
		return func() {}
	}
	if i := strings.Index(x.query, "/*+"); i >= 0 {
		if m := executionTimeHint.FindStringSubmatch(x.query); m != nil {
			limit, _ = strconv.ParseInt(m[1], 10, 64)
		}
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
	if err := x.commitAhead(ctx, query, parsed); err != nil {
		return err
	}
	if taken, err := x.viaExecutor(ctx); taken {
		return err
	}
	flags := &sql.QueryFlags{}
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		flags = s.Query(x.mayDefine())
	}
	x.serveProcedures(ctx)
	x.setStatement(query)
	schema, iter, _, err := x.h.e.QueryWithBindings(ctx, query, parsed, bindExprs(x.binds), flags)
	if err != nil {
		if errors.Is(err, sqlparser.ErrEmpty) {
			return sqllayer.NewError(1065, "Query was empty")
		}
		if isSyntaxError(err) && sqllayer.ParserError(err) == nil {
			return x.refused(ctx, query, err)
		}
		return err
	}
	switch {
	case types.IsOkResultSchema(schema):
		err = x.sendOK(ctx, iter)
	case schema == nil:
		err = x.sendNothing(ctx, iter)
	default:
		err = x.sendRows(ctx, schema, iter)
		if s, ok := ctx.Session.(*sqllayer.Session); ok && x.verb.reads && !x.verb.admin {
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
	if s, ok := x.w.session.(*sqllayer.Session); ok && x.verb.writes {
		s.SetStatement(text)
	}
}

// unfixedTime is the value of timestamp while the clock runs; go-mysql-server's default.
const unfixedTime = 1000.0

// fixTime gives the statement the time that SET timestamp has fixed.
func (x *execution) fixTime(ctx *sql.Context) {
	v, err := ctx.GetSessionVariable(ctx, "timestamp")
	if err != nil {
		return
	}
	if at, ok := v.(float64); ok && at != unfixedTime {
		ctx.SetQueryTime(time.UnixMicro(int64(at * 1e6)))
	}
}

// clearsWarnings tells all statements from those that ask for the warnings of the one before.
func (x *execution) clearsWarnings() bool {
	words := leadingWords(x.query, 4)
	if len(words) > 1 && words[0] == "SHOW" {
		return !slices.ContainsFunc(words[1:], func(w string) bool { return w == "WARNINGS" || w == "ERRORS" || w == "COUNT" })
	}
	return len(words) > 0 && words[0] != "GET" && !strings.Contains(x.query, "_count")
}

// mayDefine tells statements that may be DDL from those that cannot.
func (x *execution) mayDefine() bool {
	words := leadingWords(x.query, 1)
	if len(words) == 0 {
		return true
	}
	switch words[0] {
	case "SELECT", "WITH", "TABLE", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE", "SHOW", "DESC", "DESCRIBE", "EXPLAIN", "CALL", "LOAD", "(":
		return false
	}
	return true
}
