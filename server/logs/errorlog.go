package logs

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"emberdb/internal/base"
)

// LogFormat says how the server's log is written.
type LogFormat struct {
	Local bool // times are those of the machine's time zone
	JSON  bool // a record is a line of JSON, with the keys of MySQL's log_sink_json
}

// LineHandler writes the server's log: readable lines of time, level, message and key=value pairs,
// or lines of JSON. It keeps the last records for performance_schema.error_log.
type LineHandler struct {
	*logSink
	level slog.Leveler
	attrs string
}

// logSink is what the handlers of one log share.
type logSink struct {
	mu     sync.Mutex
	w      io.Writer
	format LogFormat
	last   []logRecord // a ring, once it is full
	next   int         // the oldest of a full ring
}

// logRecord is a record as performance_schema.error_log shows it.
type logRecord struct {
	At    time.Time
	Level slog.Level
	Text  string
}

// KeptRecords is how many records a log keeps.
const KeptRecords = 1000

// NewLineHandler logs records of at least level to w.
func NewLineHandler(w io.Writer, level slog.Leveler, format LogFormat) *LineHandler {
	return &LineHandler{logSink: &logSink{w: w, format: format}, level: level}
}

// Enabled implements slog.Handler.
func (h *LineHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level.Level() }

// Handle implements slog.Handler.
func (h *LineHandler) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString(OneLine(r.Message))
	b.WriteString(h.attrs)
	r.Attrs(func(a slog.Attr) bool {
		writeAttr(&b, a)
		return true
	})
	rec := logRecord{r.Time.UTC(), r.Level, b.String()}
	if h.format.Local {
		rec.At = r.Time.Local()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.keepLocked(rec)
	_, err := io.WriteString(h.w, h.format.line(rec))
	return err
}

// keepLocked keeps a record in the place of the oldest. REQUIRES: mu.
func (s *logSink) keepLocked(r logRecord) {
	if len(s.last) < KeptRecords {
		s.last = append(s.last, r)
		return
	}
	s.last[s.next] = r
	s.next = (s.next + 1) % KeptRecords
}

// Records returns what is kept, the oldest first.
func (s *logSink) Records() []logRecord {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(slices.Clone(s.last[s.next:]), s.last[:s.next]...)
}

func (f LogFormat) line(r logRecord) string {
	const micros = "2006-01-02T15:04:05.000000Z07:00"
	if !f.JSON {
		return fmt.Sprintf("%s [%s] %s\n", r.At.Format(micros), LevelName(r.Level), r.Text)
	}
	line, _ := json.Marshal(struct { // strings and numbers alone: this cannot fail
		Prio      int    `json:"prio"`
		Subsystem string `json:"subsystem"`
		Message   string `json:"msg"`
		Time      string `json:"time"`
		TS        int64  `json:"ts"`
		Label     string `json:"label"`
	}{levelPrio(r.Level), "Server", r.Text, r.At.Format(micros), r.At.UnixMilli(), LevelName(r.Level)})
	return string(line) + "\n"
}

// levelPrio is MySQL's number of a level.
func levelPrio(l slog.Level) int {
	switch LevelName(l) {
	case "System":
		return 0
	case "Error":
		return 1
	case "Warning":
		return 2
	}
	return 3
}

func LevelName(l slog.Level) string {
	switch {
	case l >= base.LevelSystem:
		return "System"
	case l >= slog.LevelError:
		return "Error"
	case l >= slog.LevelWarn:
		return "Warning"
	}
	return "Note"
}

func writeAttr(b *strings.Builder, a slog.Attr) {
	v := a.Value.Resolve().String()
	if strings.ContainsAny(v, " \"=") || v == "" || OneLine(v) != v {
		fmt.Fprintf(b, " %s=%q", a.Key, v)
		return
	}
	fmt.Fprintf(b, " %s=%s", a.Key, v)
}

// WithAttrs implements slog.Handler.
func (h *LineHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	var b strings.Builder
	for _, a := range attrs {
		writeAttr(&b, a)
	}
	copied := *h
	copied.attrs += b.String()
	return &copied
}

// WithGroup implements slog.Handler; groups are not shown.
func (h *LineHandler) WithGroup(string) slog.Handler { return h }
