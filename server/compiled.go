package server

// The door of package compiled: COM_QUERY and COM_STMT_EXECUTE are looked at before the protocol library sees them. A statement with a program is run and
// answered here; any other is left in the reader and goes its usual way, after which it may be compiled (learn).
//
// What a statement leaves behind is what execution leaves: counters, process list entry, slow log, warnings, row counts, status flags.

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/compiled"
	"emberdb/sqllayer"
)

// compiledConn is a connection's part of it.
type compiledConn struct {
	session   *sqllayer.Session
	version   uint64 // of the session's variables
	db        string
	usable    bool
	auto      bool      // autocommit
	fixedTime time.Time // SET timestamp; zero: the clock runs
	wide      bool      // the client writes utf8mb4
	prefix    []byte    // of keys
	prefixes  uint64    // counts changes of prefix

	scanner  compiled.Scanner
	exec     compiled.Exec
	out      compiled.Out
	params   []compiled.Param
	negative bool // a prepared parameter is a negative integer
	arena    []byte
	stmts    map[uint32]*preparedProgram

	ctx    context.Context
	cancel context.CancelFunc
	sc     *sql.Context
	pids   uint64

	learn      string // key of the statement the library runs now, with its prefix; "" if it is not to be compiled
	learnCut   int    // length of the prefix
	learnPS    bool
	learnPlain bool // it has no tables
	key        []byte
}

// preparedProgram is what is known of a prepared statement.
type preparedProgram struct {
	data     *mysql.PrepareData
	prefixes uint64
	key      string
	program  *compiled.Program
	known    bool
	plain    bool // it has no tables
}

// tryCompiled runs the command whose frame, n bytes of payload, is next, if it has a program.
func (w *wireConn) tryCompiled(n int) (taken bool, err error) {
	cs := &w.compiled
	cs.learn = ""
	if n > compiled.MaxText || w.more || w.session == nil || w.sandbox || w.srv.gate.closed.Load() || !w.refresh() {
		return false, nil
	}
	h, err := w.rd.Peek(headerSize + n)
	if err != nil {
		return false, nil // the library meets the error
	}
	if w.cmd == comQuery {
		taken, err = w.tryText(h[headerSize+1:])
	} else {
		taken, err = w.tryPrepared(h[headerSize+1:])
	}
	if !taken {
		return false, nil
	}
	if _, discardErr := w.rd.Discard(headerSize + n); err == nil {
		err = discardErr
	}
	w.received(headerSize + n)
	return true, err
}

// refresh brings the copies of session variables up to date; false if the session's settings are none that programs know.
func (w *wireConn) refresh() bool {
	cs := &w.compiled
	s := cs.session
	if sql.Session(s) == w.session && s.VariablesVersion() == cs.version && s.GetCurrentDatabase() == cs.db {
		return cs.usable
	}
	s, ok := w.session.(*sqllayer.Session)
	if !ok {
		return false
	}
	if s != cs.session {
		cs.session, cs.sc, cs.stmts = s, nil, nil
	}
	cs.version, cs.db = s.VariablesVersion(), s.GetCurrentDatabase()
	cs.auto, cs.fixedTime = s.Flag(sql.AutoCommitSessionVar), fixedTime(s)
	mode, client, results := s.Text("sql_mode"), s.Text("character_set_client"), s.Text("character_set_results")
	cs.wide = client == "utf8mb4"
	cs.usable = s.Flag("ember_compiled_statements") && usualMode(mode) && asciiCharset(client) && asciiCharset(results) && usualLimits(s)
	cs.out.ASCII = results != "utf8mb4"
	cs.prefix = fmt.Appendf(cs.prefix[:0], "%s\x00%s\x00%s\x00%s\x00%s\x00%s\x00", cs.db, mode, client, s.Text("character_set_connection"),
		s.Text("collation_connection"), results)
	cs.prefixes++
	return cs.usable
}

// fixedTime is the time that SET timestamp has fixed.
func fixedTime(s *sqllayer.Session) time.Time {
	v, err := s.GetSessionVariable(nil, "timestamp")
	if at, ok := v.(float64); err == nil && ok && at != unfixedTime {
		return time.UnixMicro(int64(at * 1e6))
	}
	return time.Time{}
}

// usualMode tells SQL modes under which texts and values mean what package compiled thinks.
func usualMode(mode string) bool {
	for _, m := range strings.Split(strings.ToUpper(mode), ",") {
		switch m {
		case "ANSI_QUOTES", "ANSI", "NO_AUTO_VALUE_ON_ZERO", "PAD_CHAR_TO_FULL_LENGTH", "PIPES_AS_CONCAT", "IGNORE_SPACE", "HIGH_NOT_PRECEDENCE":
			return false
		}
	}
	return true
}

// asciiCharset tells character sets whose ASCII characters are ASCII bytes.
func asciiCharset(name string) bool {
	switch name {
	case "utf8mb4", "utf8mb3", "utf8", "latin1", "ascii":
		return true
	}
	return false
}

// usualLimits tells that no variable changes what statements return or which numbers they give out.
func usualLimits(s *sqllayer.Session) bool {
	for name, usual := range map[string]string{
		"sql_select_limit": strconv.FormatUint(math.MaxUint64, 10), "auto_increment_increment": "1", "auto_increment_offset": "1",
	} {
		v, err := s.GetSessionVariable(nil, name)
		text := fmt.Sprint(v)
		if err != nil || text != usual && (name != "sql_select_limit" || text != strconv.FormatInt(math.MaxInt64, 10) && text != strconv.FormatInt(math.MaxInt32, 10)) {
			return false
		}
	}
	return true
}

// tryText looks for the program of a text.
func (w *wireConn) tryText(text []byte) (taken bool, err error) {
	cs := &w.compiled
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\n' || text[0] == '\t' || text[0] == '\r') {
		text = text[1:]
	}
	if len(text) == 0 || !compilable(text[0]) || !cs.wide && !isASCII(text) {
		return false, nil
	}
	if p := compiled.Control(text); p != nil {
		taken, _, err = w.runProgram(p, nil, string(text), false)
		return taken, err
	}
	var key []byte
	var params []compiled.Param
	if cs.learnPlain = compiled.Plain(text); cs.learnPlain {
		cs.key = append(append(append(cs.key[:0], cs.prefix...), 2), text...)
		key = cs.key
	} else {
		var ok bool
		if key, params, ok = cs.scanner.Scan(cs.prefix, text); !ok {
			return false, nil
		}
	}
	p, known := w.srv.programs.Get(key)
	if p == nil {
		if !known {
			cs.learn, cs.learnCut, cs.learnPS = string(key), len(cs.prefix), false
		}
		return false, nil
	}
	// The text stays in the reader until the statement has ended; the process list keeps its own copy.
	taken, stale, err := w.runProgram(p, params, string(text), false)
	if stale {
		w.srv.programs.Forget(key)
	}
	return taken, err
}

// compilable tells the first letters of statements that may have a program.
func compilable(c byte) bool {
	switch c | 0x20 {
	case 's', 'i', 'u', 'd', 'b', 'c', 'r':
		return true
	}
	return false
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// countFollows is the flag of COM_STMT_EXECUTE that says that the number of parameters follows. Some clients set it always; the number only follows where
// the server knows query attributes, and this one does not.
const countFollows = 8

// tryPrepared looks for the program of a prepared statement. p is the payload of COM_STMT_EXECUTE behind the command:
//
//	statement id u32 | flags u8 | iterations u32 | bits of NULL parameters | 1 if types follow | type u8, flags u8 of each | values
func (w *wireConn) tryPrepared(p []byte) (taken bool, err error) {
	cs := &w.compiled
	if len(p) < 9 || p[4]&^countFollows != 0 || binary.LittleEndian.Uint32(p[5:]) != 1 {
		return false, nil
	}
	id := binary.LittleEndian.Uint32(p)
	data := w.conn.PrepareData[id]
	if data == nil {
		return false, nil
	}
	st := cs.stmts[id]
	if st == nil || st.data != data || st.prefixes != cs.prefixes {
		if st = w.preparedKey(id, data); st == nil {
			return false, nil
		}
	}
	if st.program == nil {
		st.program, st.known = w.srv.programs.Get([]byte(st.key))
	}
	if st.program == nil {
		if !st.known {
			cs.learn, cs.learnCut, cs.learnPS, cs.learnPlain = st.key, len(cs.prefix)+1, true, st.plain
		}
		return false, nil
	}
	if !w.bind(data, p[9:]) || cs.negative && st.program.Unsigned() { // see params.go
		w.srv.programs.Fallback()
		return false, nil
	}
	taken, stale, err := w.runProgram(st.program, cs.params, data.PrepareStmt, true)
	if stale {
		w.srv.programs.Forget([]byte(st.key))
		st.program, st.known = nil, false
	}
	return taken, err
}

// preparedKey makes the key of a prepared statement: another one than that of the same text.
func (w *wireConn) preparedKey(id uint32, data *mysql.PrepareData) *preparedProgram {
	cs := &w.compiled
	text := data.PrepareStmt
	if text == "" || !compilable(text[0]) || !isASCII([]byte(text)) || strings.ContainsAny(text, "@#;\\\"\x00") && !compiled.Plain([]byte(text)) || strings.Contains(text, "/*") || strings.Contains(text, "--") {
		return nil
	}
	st := &preparedProgram{data: data, prefixes: cs.prefixes, key: string(cs.prefix) + "\x01" + text}
	st.plain = compiled.Plain([]byte(text))
	st.program = compiled.Control([]byte(text))
	if cs.stmts == nil {
		cs.stmts = make(map[uint32]*preparedProgram)
	}
	cs.stmts[id] = st
	return st
}

// bind reads the parameters of COM_STMT_EXECUTE; false if they are not plain.
func (w *wireConn) bind(data *mysql.PrepareData, p []byte) bool {
	cs := &w.compiled
	n := int(data.ParamsCount)
	cs.params, cs.arena, cs.negative = cs.params[:0], cs.arena[:0], false
	for _, v := range data.BindVars {
		if v != nil {
			return false // COM_STMT_SEND_LONG_DATA
		}
	}
	if n == 0 {
		return true
	}
	nulls := (n + 7) / 8
	if len(p) < nulls+1 || len(data.ParamsType) != n {
		return false
	}
	bitmap, bound := p[:nulls], p[nulls]
	p = p[nulls+1:]
	if bound == 1 {
		if len(p) < 2*n {
			return false
		}
		for i := range n {
			t, err := sqltypes.MySQLToType(int64(p[2*i]), int64(p[2*i+1])>>2)
			if err != nil {
				return false
			}
			data.ParamsType[i] = int32(t)
		}
		p = p[2*n:]
	}
	for i := range n {
		if bitmap[i/8]&(1<<(i%8)) != 0 {
			cs.params = append(cs.params, compiled.Param{})
			continue
		}
		v, rest, ok := w.bindOne(querypb.Type(data.ParamsType[i]), p)
		if !ok {
			return false
		}
		cs.params = append(cs.params, v)
		p = rest
	}
	return true
}

// bindOne reads one parameter.
func (w *wireConn) bindOne(t querypb.Type, p []byte) (v compiled.Param, rest []byte, ok bool) {
	size := 0
	switch t {
	case sqltypes.Null:
		return v, p, true
	case sqltypes.Int8, sqltypes.Uint8:
		size = 1
	case sqltypes.Int16, sqltypes.Uint16:
		size = 2
	case sqltypes.Int24, sqltypes.Int32, sqltypes.Uint24, sqltypes.Uint32:
		size = 4
	case sqltypes.Int64, sqltypes.Uint64:
		size = 8
	case sqltypes.Float64:
		return w.bindDouble(p)
	case sqltypes.VarChar, sqltypes.Char, sqltypes.Text, sqltypes.VarBinary, sqltypes.Binary, sqltypes.Blob, sqltypes.Decimal:
		return w.bindText(t, p)
	case sqltypes.Date, sqltypes.Datetime, sqltypes.Timestamp:
		return w.bindTime(p)
	}
	if size == 0 || len(p) < size {
		return v, p, false
	}
	var b [8]byte
	copy(b[:], p[:size])
	n := binary.LittleEndian.Uint64(b[:])
	v = compiled.Param{Kind: compiled.KindInt, N: n}
	shift := 64 - 8*size
	switch t {
	case sqltypes.Int8, sqltypes.Int16, sqltypes.Int24, sqltypes.Int32, sqltypes.Int64:
		v.N = uint64(int64(n<<shift) >> shift)
		w.compiled.negative = w.compiled.negative || int64(v.N) < 0
	default:
		if n > math.MaxInt64 {
			v.Kind = compiled.KindUint
		}
	}
	return v, p[size:], true
}

func (w *wireConn) bindText(t querypb.Type, p []byte) (v compiled.Param, rest []byte, ok bool) {
	c := cursor{b: p}
	b := c.bytes(c.lenEnc())
	if c.bad {
		return v, p, false
	}
	v = compiled.Param{Kind: compiled.KindString, B: b}
	if t == sqltypes.Decimal {
		if len(b) == 0 || len(b) > 60 || strings.Trim(string(b), "0123456789.") != "" || strings.Count(string(b), ".") > 1 || b[0] == '.' {
			return v, p, false
		}
		v.Kind = compiled.KindDecimal
	} else if !w.compiled.wide && !isASCII(b) {
		return v, p, false
	}
	return v, c.b, true
}

// bindDouble reads a floating-point number. The SQL layer takes it for the number that its text is, a DECIMAL or an integer.
func (w *wireConn) bindDouble(p []byte) (v compiled.Param, rest []byte, ok bool) {
	if len(p) < 8 {
		return v, p, false
	}
	f := math.Float64frombits(binary.LittleEndian.Uint64(p))
	cs := &w.compiled
	from := len(cs.arena)
	cs.arena = strconv.AppendFloat(cs.arena, f, 'g', -1, 64)
	text := cs.arena[from:len(cs.arena):len(cs.arena)]
	switch {
	case len(text) > 18 || bytes.ContainsAny(text, "eIN"):
		return v, p, false
	case bytes.IndexByte(text, '.') >= 0:
		return compiled.Param{Kind: compiled.KindDecimal, B: text}, p[8:], true
	}
	return compiled.Param{Kind: compiled.KindInt, N: uint64(int64(f))}, p[8:], true
}

// bindTime reads a date with or without time of day into its text.
func (w *wireConn) bindTime(p []byte) (v compiled.Param, rest []byte, ok bool) {
	if len(p) == 0 || len(p) < 1+int(p[0]) || p[0] != 4 && p[0] != 7 {
		return v, p, false // fractions too: the protocol library reads them its own way
	}
	cs := &w.compiled
	from := len(cs.arena)
	cs.arena = fmt.Appendf(cs.arena, "%04d-%02d-%02d", binary.LittleEndian.Uint16(p[1:]), p[3], p[4])
	if p[0] == 7 {
		cs.arena = fmt.Appendf(cs.arena, " %02d:%02d:%02d", p[5], p[6], p[7])
	}
	return compiled.Param{Kind: compiled.KindTime, B: cs.arena[from:len(cs.arena):len(cs.arena)]}, p[1+p[0]:], true
}

// ready tells whether a program may run now; done ends what it began.
func (w *wireConn) ready(p *compiled.Program) (done func(*flushLock), ok bool) {
	s := w.srv
	if s.logs.generalOn.Load() {
		return nil, false
	}
	if p.Writes() && (s.globals.readOnly.Load() || s.globals.superReadOnly.Load()) {
		return nil, false
	}
	if ops := p.Privileges(); ops != nil && !s.accounts.db.UserHasPrivileges(w.statementContext(), ops...) {
		return nil, false
	}
	if !p.Writes() && !p.Commits() {
		return nil, true
	}
	return (*flushLock).done, s.flushLock.enter()
}

// statementContext is the context of the connection's programs: one for all, until a statement is killed.
func (w *wireConn) statementContext() *sql.Context {
	cs := &w.compiled
	if cs.sc == nil || cs.ctx.Err() != nil {
		cs.ctx, cs.cancel = context.WithCancel(context.Background())
		cs.sc = sql.NewContext(cs.ctx, sql.WithSession(cs.session))
	}
	return cs.sc
}

// runProgram runs a program and answers the client. taken is false if the library has to run the statement.
func (w *wireConn) runProgram(p *compiled.Program, params []compiled.Param, query string, prepared bool) (taken, stale bool, err error) {
	s, cs := w.srv, &w.compiled
	sc := w.statementContext()
	done, ok := w.ready(p)
	if !ok {
		s.programs.Fallback()
		return false, false, nil
	}
	if done != nil {
		defer done(&s.flushLock)
	}
	w.advance(stateReading, stateBusy)
	start := time.Now()
	if p.Timed() {
		sc.SetQueryTime(start)
		if !cs.fixedTime.IsZero() {
			sc.SetQueryTime(cs.fixedTime)
		}
	}
	if sc.Session.WarningCount() > 0 {
		sc.Session.ClearWarnings()
	}
	cs.out.Reset()
	cs.out.Binary, cs.out.DeprecateEOF = prepared, w.conn.Capabilities&capDeprecateEOF != 0
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
	mine, stale, err := w.guarded(p, params, sc)
	w.endProgram()
	if !mine {
		w.process.takeKill()
		s.programs.Fallback()
		return false, stale, nil
	}
	w.count(p, prepared)
	if p.Sets() {
		w.refresh() // the answer says what holds from now on
	}
	return true, false, w.answerProgram(p, query, start, err)
}

// guarded runs a program; a panic becomes an error that ends the connection.
func (w *wireConn) guarded(p *compiled.Program, params []compiled.Param, sc *sql.Context) (mine, stale bool, err error) {
	defer func() {
		if e := recover(); e != nil {
			w.srv.log.Error("panic in a statement", "connection", w.id, "panic", fmt.Sprint(e), "stack", string(debug.Stack()))
			w.hangUp.Store(true)
			mine, err = true, sqllayer.NewError(1815, "Internal error: %v", e)
		}
	}()
	cs := &w.compiled
	return cs.exec.Run(cs.ctx, sc, cs.session, p, params, &cs.out)
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
	p.mu.Unlock()
	w.srv.processes.running.Add(1)
}

func (w *wireConn) endProgram() {
	p := w.process
	p.mu.Lock()
	listed := p.pid != 0
	p.command, p.query, p.pid, p.since, p.cancel = sql.ProcessCommandSleep, "", 0, time.Now(), nil
	p.mu.Unlock()
	if listed {
		w.srv.processes.running.Add(-1)
	}
}

// status is the status flags as they are now.
func (w *wireConn) status() uint16 {
	cs := &w.compiled
	flags := w.conn.StatusFlags &^ (mysql.ServerStatusAutocommit | mysql.ServerInTransaction)
	if cs.auto {
		flags |= mysql.ServerStatusAutocommit
	}
	if cs.session.GetTransaction() != nil {
		flags |= mysql.ServerInTransaction
	}
	return flags
}

func (w *wireConn) count(p *compiled.Program, prepared bool) {
	c := &w.srv.counters
	c.questions.Add(1)
	c.queries.Add(1)
	w.questions.Add(1)
	c.commands[com(p.Com())].Add(1)
	if prepared {
		c.commands[com("stmt_execute")].Add(1)
	}
	w.srv.programs.Executed()
}

// answerProgram writes the end of the answer.
func (w *wireConn) answerProgram(p *compiled.Program, query string, start time.Time, err error) error {
	s, cs := w.srv, &w.compiled
	x := execution{h: s.handler, w: w, c: w.conn, query: query, start: start, db: cs.db, rows: cs.exec.Result.Rows}
	if took := time.Since(start); took.Microseconds() >= w.vars.longQueryMicros.Load() {
		s.counters.slowQueries.Add(1)
		s.logs.slow(&x, took)
	}
	why := w.process.takeKill()
	if id := cs.exec.Result.GeneratedID; id > 0 { // by a row that came in, whatever came of the statement
		cs.session.GetLastQueryInfo().LastInsertId.Store(int64(id))
	}
	if err != nil {
		e := x.h.translate(err, query, cs.db)
		if why != notKilled {
			e = why.sqlError()
		}
		x.remember(e)
		w.conn.StatusFlags = w.status()
		if !cs.out.Sent {
			cs.out.Reset()
		}
		cs.out.Packet(errPayload(e, true))
		return cs.out.Finish()
	}
	w.conn.StatusFlags = w.status()
	cs.out.Status = w.conn.StatusFlags
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
	if !p.Writes() { // BEGIN and its like: as go-mysql-server has it
		info.RowCount.Store(-1)
		info.FoundRows.Store(0)
		if p.Sets() { // answers with a row of counts there
			info.FoundRows.Store(1)
		}
	}
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
	prepared := x.binds != nil || cs.learnPS && key[cs.learnCut:] == x.query // one without parameters has no binds the first time
	if cs.learnPS != prepared {
		return
	}
	cs.learn = ""
	// The key is of the settings before the statement; SET, which changes them, means the same under others.
	if s := cs.session; s.VariablesVersion() != cs.version && !cs.learnPlain || s.GetCurrentDatabase() != cs.db {
		return
	}
	src := compiled.Source{
		Session: cs.session, Database: cs.db, Options: sql.LoadSqlMode(ctx).ParserOptions(), Text: x.query, Fields: x.shown,
	}
	switch {
	case cs.learnPlain:
		src.Plan = cs.session.Root()
	case !cs.learnPS:
		src.Key = key[cs.learnCut:]
	}
	if cs.learnPlain && src.Plan == nil {
		return
	}
	x.h.s.programs.Put(key, compiled.Compile(context.WithoutCancel(ctx), &src))
}
