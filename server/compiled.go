package server

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/compiled"
	"emberdb/internal/base"
	"emberdb/server/commands"
	"emberdb/server/wire"
	"emberdb/sql/statement"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/operand"
)

// The door of package compiled: COM_QUERY and COM_STMT_EXECUTE are looked at before the protocol
// library sees them. A statement with a program is run and answered here; any other is left in the
// reader and goes its usual way, after which it may be compiled (learn). What has no result to
// describe, and is about many rows or fires triggers, is compiled when it comes for the first time
// (unknown).
//
// What a statement leaves behind is what execution leaves: counters, process list entry, slow log,
// warnings, row counts, status flags.

// A key is the prefix, of keyParts parts that end with a zero byte, and a text, marked where it is
// prepared or of a statement without tables.
const (
	keyParts     = 6
	preparedMark = "\x01"
	plainMark    = "\x02"
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
	logsText  bool      // the log wants the text of statements, which is GMS's to tell
	prefix    []byte    // of keys
	prefixes  uint64    // counts changes of prefix

	scanner compiled.Scanner
	exec    compiled.Exec
	out     compiled.Out
	params  []compiled.Param
	arena   []byte
	stmts   map[uint32]*preparedProgram
	why     compiled.Reason   // the statement that is looked at is left to the library
	report  *compiled.Program // that has left it to the executor

	ctx    context.Context
	cancel context.CancelFunc
	sc     *sql.Context
	pids   uint64

	learn      string // key of the statement the library runs now, with its prefix; "" if it is not to be compiled
	sample     string // what to compile in the place of its text, if not ""
	learnCut   int    // length of the prefix
	learnPS    bool
	learnPlain bool // it has no tables
	key        []byte
}

// tryCompiled runs the command whose frame, n bytes of payload, is next, if it has a program.
func (w *wireConn) tryCompiled(n int) (taken bool, err error) {
	cs := &w.compiled
	cs.learn, cs.report = "", nil
	if w.more || w.session == nil || w.sandbox || w.used.Counts() || w.srv.gate.closed() {
		return false, nil
	}
	switch {
	case !w.refresh():
		w.srv.programs.Fallback(compiled.BySettings)
		return false, nil
	case n > compiled.MaxText && !w.longNext():
		w.srv.programs.Fallback(compiled.ByText)
		return false, nil
	}
	h, err := w.rd.Peek(wire.HeaderSize + n)
	if err != nil {
		return false, nil // the library meets the error
	}
	cs.why = compiled.ByText
	if w.cmd == commands.ComQuery {
		cs.scanner.Ended = nil
		if n > compiled.MaxText { // scanning it takes a while, and belongs to the statement
			cs.scanner.Ended = w.process.ended()
			w.process.setComing(true)
		}
		taken, err = w.tryText(h[wire.HeaderSize+1:])
	} else {
		taken, err = w.tryPrepared(h[wire.HeaderSize+1:])
	}
	if !taken {
		w.srv.programs.Fallback(cs.why)
		return false, nil
	}
	if _, discardErr := w.rd.Discard(wire.HeaderSize + n); err == nil {
		err = discardErr
	}
	w.received(wire.HeaderSize + n)
	return true, err
}

// longNext tells whether the command that is next, a long one, is a text that is looked at all the
// same.
func (w *wireConn) longNext() bool {
	const look = wire.HeaderSize + 1 + 64
	h, err := w.rd.Peek(look)
	return err == nil && w.cmd == commands.ComQuery && compiled.Long(bytes.TrimLeft(h[wire.HeaderSize+1:], compiled.Blanks))
}

// refresh brings the copies of session variables up to date; false if the session's settings are
// none that programs know.
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
		cs.session, cs.stmts = s, nil
	}
	cs.sc = nil // lock_wait_timeout may be another
	cs.version, cs.db = s.VariablesVersion(), s.GetCurrentDatabase()
	cs.auto, cs.fixedTime = s.Flag(sql.AutoCommitSessionVar), fixedTime(s)
	mode, client, results := s.Text("sql_mode"), s.Text("character_set_client"), s.Text("character_set_results")
	cs.wide, cs.logsText = client == "utf8mb4", s.LogsText()
	cs.usable = s.Flag("ember_compiled_statements") && usualMode(mode) && asciiCharset(client) && asciiCharset(results) && usualLimits(s) && !w.tracker.needsTree(s) && s.Text("completion_type") == "NO_CHAIN" && !s.Flag("sql_safe_updates")
	cs.out.ASCII = results != "utf8mb4"
	cs.exec.Reports = s.Text("ember_executor") != "OFF"
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
		case "ANSI_QUOTES", "ANSI", "PAD_CHAR_TO_FULL_LENGTH", "PIPES_AS_CONCAT", "IGNORE_SPACE", "HIGH_NOT_PRECEDENCE", "NO_BACKSLASH_ESCAPES":
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
		"insert_id": "0", "div_precision_increment": "4", "lc_time_names": "en_US",
		"sql_auto_is_null": "0",
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
	text = compiled.Bare(text, false)
	if len(text) == 0 || !compilable(text[0]) {
		cs.why = compiled.ByKind
		return false, nil
	}
	if !cs.wide && !base.IsASCII(text) {
		return false, nil
	}
	if p := compiled.Control(text); p != nil {
		return w.runProgram(p, nil, nil, string(text), false)
	}
	var key []byte
	var params []compiled.Param
	var bulk *compiled.Bulk
	if cs.learnPlain = compiled.Plain(text); cs.learnPlain {
		cs.key = append(append(append(cs.key[:0], cs.prefix...), plainMark...), text...)
		key = cs.key
	} else {
		var ok bool
		if key, params, ok = cs.scanner.Scan(cs.prefix, text); !ok {
			return false, nil
		}
		bulk = cs.scanner.Bulk()
	}
	var p *compiled.Program
	if p, cs.why = w.srv.programs.Get(key, cs.dictionary()); cs.why == compiled.ByFirst {
		p = w.unknown(key, text, bulk, false)
	}
	if p == nil {
		return false, nil
	}
	// The text stays in the reader until the statement has ended; the process list keeps its own
	// copy.
	taken, err = w.runProgram(p, params, bulk, string(text), false)
	if taken || cs.why != compiled.ByChange {
		return taken, err
	}
	w.srv.programs.Forget(key)
	if p = w.unknown(key, text, bulk, false); p == nil { // the table is another one now: its rows need not go the long way for that
		return false, err
	}
	return w.runProgram(p, params, bulk, string(text), false)
}

// unknown has the statement the library is going to run learned, or its program made at once: that
// of an INSERT of many rows or with triggers, an UPDATE or a DELETE.
func (w *wireConn) unknown(key, text []byte, bulk *compiled.Bulk, prepared bool) *compiled.Program {
	cs := &w.compiled
	cs.learn, cs.learnCut, cs.learnPS, cs.sample = string(key), len(cs.prefix), prepared, ""
	if prepared {
		cs.learnCut += len(preparedMark)
	}
	switch {
	case bulk != nil:
		cs.sample = bulk.Sample()
	case compiled.Changes(text) || compiled.Inserts(text):
		cs.sample = string(text)
	default:
		return nil
	}
	sc := w.statementContext()
	version := cs.dictionary()
	src := cs.source(sc, "")
	src.Ended = w.process.ended()
	p, _ := compiled.Compile(context.WithoutCancel(sc), src)
	if p != nil && !prepared {
		st, _, _ := statement.Read(cs.sample, sqllayer.ReadOptions(cs.session)) // what compiles can be read
		p.Warnings = st.Warnings
	}
	if p != nil && bulk == nil && !compiled.Changes(text) && !p.Fires() {
		return nil // it is learned
	}
	long := len(key)-len(cs.prefix) > compiled.MaxText
	if p != nil && !long { // else the library has to run it, and then it may be learned
		w.srv.programs.Put(cs.learn, p, compiled.Mine, version)
	}
	if p != nil || long {
		cs.learn = ""
	}
	return p
}

// dictionary is the version of the definitions.
func (cs *compiledConn) dictionary() uint64 { return cs.session.Layer().StorageEngine().DictVersion() }

// source is the statement to learn, which has that text.
func (cs *compiledConn) source(ctx *sql.Context, text string) *compiled.Source {
	src := &compiled.Source{Session: cs.session, Database: cs.db, Options: operand.Mode(ctx).ParserOptions(), Text: text}
	key := cs.learn[cs.learnCut:]
	switch {
	case cs.learnPlain:
		src.Plan = cs.session.Root()
	case cs.learnPS:
		src.Text = key
	default:
		src.Key = key
	}
	if cs.sample != "" {
		src.Text = cs.sample
	}
	return src
}

// compilable tells the first letters of statements that may have a program.
func compilable(c byte) bool {
	switch c | 0x20 {
	case 's', 'i', 'u', 'd', 'b', 'c', 'r':
		return true
	}
	return false
}

// refusedRows lists the statements that are known to have no program, and why:
// information_schema.EMBER_COMPILED_REFUSED.
func (s *Server) refusedRows(*sql.Context) (out []sql.Row, _ error) {
	s.programs.Refused(func(key string, why compiled.Reason, executions int64) {
		parts := strings.SplitN(key, "\x00", keyParts+1)
		if len(parts) <= keyParts {
			return
		}
		text, prepared := parts[keyParts], "NO"
		switch {
		case strings.HasPrefix(text, preparedMark):
			text, prepared = text[len(preparedMark):], "YES"
		case strings.HasPrefix(text, plainMark):
			text = text[len(plainMark):]
		default:
			text, _, _ = strings.Cut(text, "\x00") // the kinds of its literals
		}
		out = append(out, sql.Row{parts[0], text, prepared, why.String(), uint64(executions)})
	})
	return out, nil
}
