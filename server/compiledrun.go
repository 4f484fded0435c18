package server

// A program's run and the end of its answer; what the library has run is compiled here.

import (
	"context"
	"fmt"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/compiled"
	"emberdb/internal/base"
	"emberdb/server/commands"
	"emberdb/server/wire"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/operand"
)

// ready tells whether a program may run now; done ends what it began.
func (w *wireConn) ready(p *compiled.Program) (done func(*flushLock), ok bool) {
	s := w.srv
	if s.logs.generalOn.Load() {
		return nil, false
	}
	if (p.Writes() || p.Commits()) && (s.forced > 0 || s.globals.readOnly.Load() || s.globals.superReadOnly.Load()) {
		return nil, false
	}
	if p.Sets() {
		if w.tracker != nil { // which goes by the statement's tree
			return nil, false
		}
		s.rights(w.statementContext()) // for maySet
	}
	if ops := p.Privileges(); ops != nil && !sqllayer.MayRun(w.statementContext(), ops) {
		return nil, false
	}
	if !p.Writes() && !p.Commits() {
		return nil, true
	}
	if w.compiled.logsText && p.Writes() {
		return nil, false
	}
	return (*flushLock).done, s.flushLock.enter()
}

// statementContext is the context of the connection's programs: one for all, until a statement is
// killed or a variable changes.
func (w *wireConn) statementContext() *sql.Context {
	cs := &w.compiled
	if cs.sc == nil || cs.ctx.Err() != nil {
		cs.ctx, cs.cancel = context.WithCancel(context.Background())
		cs.sc = sql.NewContext(cs.session.Patient(cs.ctx), sql.WithSession(cs.session))
	}
	return cs.sc
}

// runProgram runs a program and answers the client. taken is false if the library has to run the
// statement.
func (w *wireConn) runProgram(p *compiled.Program, params []compiled.Param, bulk *compiled.Bulk, query string, prepared bool) (taken bool, err error) {
	s, cs := w.srv, &w.compiled
	sc := w.statementContext()
	done, ok := w.ready(p)
	if !ok {
		cs.why = compiled.BySettings
		return false, nil
	}
	if done != nil {
		defer done(&s.flushLock)
	}
	w.advance(stateReading, stateBusy)
	w.beginSlow()
	start := time.Now()
	sc.SetQueryTime(start)
	if !cs.fixedTime.IsZero() {
		sc.SetQueryTime(cs.fixedTime)
	}
	sc.Session.ClearWarnings() // SHOW WARNINGS leaves some that are not counted
	cs.out.Reset()
	cs.out.Binary, cs.out.DeprecateEOF = prepared, w.conn.Capabilities&wire.CapDeprecateEOF != 0
	if cs.out.Flush == nil {
		cs.out.Flush = func(b []byte) error {
			_, err := w.send(b)
			return err
		}
	}
	cs.out.Status = w.status()
	w.beginProgram(query, prepared, start)
	if limit := w.vars.maxExecutionTime.Load(); limit > 0 && p.Rows() {
		pid := 1<<63 | cs.pids
		defer time.AfterFunc(time.Duration(limit)*time.Millisecond, func() {
			if s.processes.interruptStatement(w.id, pid, killedTimeout) {
				s.counters.executionTimeouts.Add(1)
			}
		}).Stop()
	}
	cs.why, err = w.guarded(p, params, bulk, sc)
	end := w.endProgram()
	if cs.why != compiled.Mine {
		if cs.why == compiled.ByReport {
			cs.report = p
		}
		return false, nil
	}
	if p.Warnings != nil {
		cs.session.WarnFirst(p.Warnings)
	}
	w.count(p, prepared)
	if p.Sets() {
		w.refresh() // the answer says what holds from now on
	}
	return true, w.answerProgram(p, query, prepared, start, end, err)
}

// guarded runs a program; a panic becomes its error.
func (w *wireConn) guarded(p *compiled.Program, params []compiled.Param, bulk *compiled.Bulk, sc *sql.Context) (why compiled.Reason, err error) {
	defer func() {
		if e := recover(); e != nil {
			why, err = compiled.Mine, w.srv.panicked(w, p.Com(), e)
		}
	}()
	cs := &w.compiled
	return cs.exec.Run(cs.ctx, sc, cs.session, p, params, bulk, &cs.out)
}

func (w *wireConn) beginProgram(query string, prepared bool, start time.Time) {
	cs, p := &w.compiled, w.process
	cs.pids++
	p.mu.Lock()
	p.command = sql.ProcessCommandQuery
	if prepared {
		p.command = "Execute"
	}
	p.query, p.pid, p.since, p.cancel = query, 1<<63|cs.pids, start, cs.cancel
	if p.coming && p.killed.Load() != uint32(notKilled) {
		cs.cancel()
	}
	p.coming = false
	p.mu.Unlock()
	w.srv.processes.running.Add(1)
}

func (w *wireConn) endProgram() time.Time {
	p, now := w.process, time.Now()
	p.mu.Lock()
	listed := p.pid != 0
	p.command, p.query, p.pid, p.since, p.cancel = sql.ProcessCommandSleep, "", 0, now, nil
	p.mu.Unlock()
	if listed {
		w.srv.processes.running.Add(-1)
	}
	return now
}

// status is the status flags as they are now.
func (w *wireConn) status() uint16 {
	cs := &w.compiled
	flags := w.conn.StatusFlags &^ (mysql.ServerStatusAutocommit | mysql.ServerInTransaction | statusReadOnly)
	if cs.auto {
		flags |= mysql.ServerStatusAutocommit
	}
	return flags | transactionFlags(cs.session, cs.auto)
}

// comExecute is the counter of COM_STMT_EXECUTE.
var comExecute = commands.Com("stmt_execute")

func (w *wireConn) count(p *compiled.Program, prepared bool) {
	c := &w.srv.counters
	c.questions.Add(1)
	c.queries.Add(1)
	w.questions.Add(1)
	w.tally(commands.Com(p.Com()))
	if prepared {
		w.tally(comExecute)
	}
	w.srv.programs.Executed()
}

// answerProgram writes the end of the answer.
func (w *wireConn) answerProgram(p *compiled.Program, query string, prepared bool, start, end time.Time, err error) error {
	s, cs := w.srv, &w.compiled
	x := execution{h: s.handler, w: w, c: w.conn, query: query, start: start, db: cs.db, rows: cs.exec.Result.Rows, began: true}
	why := w.process.takeKill()
	if id := cs.exec.Result.GeneratedID; id > 0 { // by a row that came in, whatever came of the statement
		cs.session.GetLastQueryInfo().LastInsertId.Store(int64(id))
	}
	if err != nil {
		e := x.h.translate(err, nil, cs.db)
		if why != notKilled {
			e = why.sqlError()
		}
		x.slowStatement(end.Sub(start), e)
		w.observeProgram(p, query, prepared, start, end, e)
		x.w.remember(e, x.began)
		w.conn.StatusFlags = w.status()
		if !cs.out.Sent {
			cs.out.Reset()
		}
		cs.out.Packet(wire.ErrorPayload(e, true))
		return cs.out.Finish()
	}
	x.slowStatement(end.Sub(start), nil)
	w.observeProgram(p, query, prepared, start, end, nil)
	w.conn.StatusFlags = w.status()
	cs.out.Status = w.conn.StatusFlags
	if w.tracker != nil && (p.Com() != "select" || cs.out.DeprecateEOF) {
		if cs.out.Changes = w.changed(nil, false); cs.out.Changes != nil {
			cs.out.Status |= statusStateChanged
		}
	}
	res, info := &cs.exec.Result, cs.session.GetLastQueryInfo()
	switch p.Com() {
	case "select":
		info.RowCount.Store(-1)
		info.FoundRows.Store(res.Rows)
		cs.out.EndRows(cs.session.WarningCount())
		return cs.out.Finish()
	case "update":
		info.FoundRows.Store(int64(res.Matched))
		res.Affected = res.Changed
		if w.conn.Capabilities&mysql.CapabilityClientFoundRows != 0 {
			res.Affected = res.Matched
		}
	case "insert", "replace":
		if res.InsertID = res.GeneratedID; res.InsertID == 0 && res.Affected > 0 {
			res.InsertID = res.LastValue
		}
		if w.conn.Capabilities&mysql.CapabilityClientFoundRows != 0 {
			res.Affected += res.Matched
		}
	}
	info.RowCount.Store(int64(res.Affected))
	warnings := cs.session.WarningCount()
	cs.out.OK(res, warnings, cs.info(p, res, warnings))
	return cs.out.Finish()
}

// info is what the OK packet says in words, as sqllayer's Session.Info has it.
func (cs *compiledConn) info(p *compiled.Program, r *compiled.Result, warnings uint16) []byte {
	cs.arena = cs.arena[:0]
	switch com := p.Com(); {
	case com == "update":
		cs.arena = fmt.Appendf(cs.arena, "Rows matched: %d  Changed: %d  Warnings: %d", r.Matched, r.Changed, warnings)
	case (com == "insert" || com == "replace") && r.Records > 1:
		cs.arena = fmt.Appendf(cs.arena, "Records: %d  Duplicates: %d  Warnings: %d", r.Records, r.Duplicates, warnings)
	}
	return cs.arena
}

// learn compiles the statement that the library has just run without error.
func (x *execution) learn(ctx *sql.Context) {
	cs := &x.w.compiled
	key := cs.learn
	if key == "" || x.rest != "" {
		return
	}
	prepared := x.binds != nil || cs.learnPS && key[cs.learnCut:] == string(compiled.Bare([]byte(x.query), true)) // one without parameters has no binds the first time
	if cs.learnPS != prepared {
		return
	}
	defer func() { cs.learn = "" }()
	// The key is of the settings before the statement; SET, which changes them, means the same
	// under others.
	if s := cs.session; s.VariablesVersion() != cs.version && !cs.learnPlain || s.GetCurrentDatabase() != cs.db {
		return
	}
	src := cs.source(ctx, x.query)
	if src.Fields = x.shown; cs.learnPlain && src.Plan == nil {
		return
	}
	version := cs.dictionary()
	p, why := compiled.Compile(context.WithoutCancel(ctx), src)
	if p != nil && !prepared {
		p.Warnings = x.stmt.Warnings
	}
	x.h.s.programs.Put(key, p, why, version)
}

// programOf tells what is known of the program of the SELECT that is running: compiled.Mine if it has
// one, compiled.ByFirst if that is not known, or why it has none. compile finds it out, once it is
// known how the columns are described. For EXPLAIN it is the SELECT in it.
func (x *execution) programOf(ctx *sql.Context) (why compiled.Reason, compile func() compiled.Reason) {
	w, cs := x.w, &x.w.compiled
	w.refresh() // the key is of the settings, whether programs run under them or not
	if cs.session == nil {
		return compiled.BySettings, nil
	}
	src := &compiled.Source{Session: cs.session, Database: cs.db, Options: operand.Mode(ctx).ParserOptions(), Text: x.query}
	written := x.stmt.Text
	if e, ok := x.stmt.Tree.(*ast.Explain); ok {
		written = x.stmt.Text[e.Statement.Pos():e.Statement.End()]
		src.Text = written
	}
	var key []byte
	if x.prep != nil {
		if x.explaining != nil {
			return compiled.Mine, nil // as far as can be told
		}
		st := cs.prepared(w, x.prep)
		switch {
		case st == nil:
			return compiled.ByText, nil
		case st.plain:
			return compiled.Mine, nil // as far as can be told
		}
		key, src.Text = []byte(st.key), st.key[len(cs.prefix)+len(preparedMark):]
	} else {
		text := compiled.Bare([]byte(written), false)
		if compiled.Plain(text) {
			return compiled.Mine, nil
		}
		ok := cs.wide || base.IsASCII(text)
		if ok {
			key, _, ok = cs.scanner.Scan(cs.prefix, text)
		}
		if !ok {
			return compiled.ByText, nil
		}
		src.Key = string(key[len(cs.prefix):])
	}
	version := cs.dictionary()
	return w.srv.programs.Known(key, version), func() compiled.Reason {
		src.Fields = x.shown
		p, why := compiled.Compile(context.WithoutCancel(ctx), src)
		if p == nil {
			w.srv.programs.Put(string(key), nil, why, version)
			cs.learn = "" // it is known now
		}
		return why
	}
}
