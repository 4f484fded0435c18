package server

// Panics while a statement is planned or run. The planner and the executor are a library's; a
// statement that they cannot handle is one error for its client. Its connection stays: the deferred
// calls on the way up end the statement as any that fails, so that its changes are undone, and its
// transaction is gone in autocommit mode.

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sql/charset"
	"emberdb/sql/statement"
	"emberdb/sqllayer"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/planner"
	"emberdb/sqllayer/sqlerr"
)

// guard turns a panic into an error of the statement of that kind. It is deferred.
func (h *handler) guard(c *mysql.Conn, kind string, err *error) {
	if p := recover(); p != nil {
		*err = h.s.panicked(wireOf(c), kind, p)
	}
}

// panicked is the error of a panic. The log gets one line. It is called while the stack is still
// that of the panic.
func (s *Server) panicked(w *wireConn, kind string, p any) error {
	if known := planner.Unplanned(p); known != nil {
		return known
	}
	told := sqlerr.Translate(sqlerr.NewError(1815, "Internal error: %v", p), "")
	s.log.Error("panic in a statement", "connection", w.id, "statement", kind, "panic", told.Message, "at", panicPlace())
	return told
}

// panicPlace is the function, file and line that a panic comes from.
func panicPlace() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	panicking := false
	for {
		f, more := frames.Next()
		if f.Function == "runtime.gopanic" {
			panicking = true
		} else if panicking && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s %s:%d", f.Function, f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		}
		if !more {
			return "unknown"
		}
	}
}

// inResults is an error with its text in the client's character set.
func (w *wireConn) inResults(e *mysql.SQLError) *mysql.SQLError {
	s, ok := w.session.(*sqllayer.Session)
	if !ok || statement.ASCII(e.Message) {
		return e
	}
	set := charset.Find(s.Text("character_set_results"))
	if set == nil || set.IsUTF8() {
		return e
	}
	text, _ := set.Encode(nil, []byte(e.Message))
	out := *e
	out.Message = string(text)
	return &out
}

// remember keeps the error for SHOW WARNINGS and SHOW ERRORS, behind the warnings that the
// statement gave before if it began, and if it is not one of them; ROW_COUNT() is -1 after one.
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
		return sqlerr.NewError(3024, "Query execution was interrupted, maximum statement execution time exceeded")
	case killedMemory:
		return memory.OutOfMemory()
	case killedShutdown:
		return sqlerr.NewError(1053, "Server shutdown in progress")
	}
	return sqlerr.NewError(1317, "Query execution was interrupted")
}
