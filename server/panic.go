package server

// Panics while a statement is planned or run. The planner and the executor are a library's; a
// statement that they cannot handle is one error for its client. Its connection stays: the deferred
// calls on the way up end the statement as any that fails, so that its changes are undone, and its
// transaction is gone in autocommit mode.

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/dolthub/vitess/go/mysql"

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
