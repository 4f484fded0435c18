package server

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/dolthub/vitess/go/vt/log"
	"github.com/sirupsen/logrus"

	"emberdb/account"
)

// The server's log, the general log and the slow log.

// VerbosityLevel maps log_error_verbosity to the least level that is logged.
func VerbosityLevel(v int64) slog.Level {
	switch v {
	case 1:
		return slog.LevelError
	case 2:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// quietLibraries sends what the libraries log to this server's log: errors as such, the rest,
// details of single clients, as debugging.
func quietLibraries(l *slog.Logger) {
	logrus.SetOutput(io.Discard)
	logrus.SetLevel(logrus.ErrorLevel)
	logrus.StandardLogger().ReplaceHooks(logrus.LevelHooks{logrus.ErrorLevel: {errorHook{l}}})
	debugf := func(format string, args ...any) { l.Debug(fmt.Sprintf(format, args...)) }
	debug := func(args ...any) { l.Debug(fmt.Sprint(args...)) }
	log.Info, log.Warning = debug, debug
	log.Infof, log.Warningf = debugf, debugf
	log.Error, log.Errorf = debug, func(format string, args ...any) {
		if strings.Contains(format, "caught panic") {
			l.Error(fmt.Sprintf(format, args...))
			return
		}
		debugf(format, args...)
	}
}

// errorHook passes on what go-mysql-server logs as an error.
type errorHook struct{ l *slog.Logger }

func (errorHook) Levels() []logrus.Level { return []logrus.Level{logrus.ErrorLevel} }

func (h errorHook) Fire(e *logrus.Entry) error {
	h.l.Error(maskSecrets(e.Message))
	return nil
}

// queryLogs are the general log and the slow log.
type queryLogs struct {
	generalOn atomic.Bool
	slowOn    atomic.Bool
	slowExtra atomic.Bool // log_slow_extra
	mu        sync.Mutex
	s         *Server
	generalF  logFile
	slowF     logFile
	none      bool // log_output=NONE
}

// logFile is opened when its log is first switched on.
type logFile struct {
	path string
	f    *os.File
}

func (l *logFile) open() (err error) {
	if l.f == nil {
		l.f, err = os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
	}
	return err
}

func (l *logFile) close() {
	if l.f != nil {
		l.f.Close()
		l.f = nil
	}
}

func (l *logFile) rename(path string) (err error) {
	was := l.f != nil
	l.close()
	l.path = path
	if was {
		err = l.open()
	}
	return err
}

// newQueryLogs knows the files; the logs are switched on by their variables.
func newQueryLogs(s *Server) *queryLogs {
	q := &queryLogs{s: s}
	q.generalF.path = q.path(s.cfg.Settings.String("general_log_file"), ".log")
	q.slowF.path = q.path(s.cfg.Settings.String("slow_query_log_file"), "-slow.log")
	return q
}

func (q *queryLogs) path(name, suffix string) string {
	if name == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "ember"
		}
		name = host + suffix
	}
	return under(q.s.dir, name)
}

func (q *queryLogs) switchGeneral(on bool) error { return q.switchLog(&q.generalOn, &q.generalF, on) }
func (q *queryLogs) switchSlow(on bool) error    { return q.switchLog(&q.slowOn, &q.slowF, on) }

func (q *queryLogs) switchLog(flag *atomic.Bool, l *logFile, on bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if on {
		if err := l.open(); err != nil {
			return fmt.Errorf("cannot open %s: %w", l.path, err)
		}
	} else {
		l.close()
	}
	flag.Store(on)
	return nil
}

func (q *queryLogs) renameGeneral(name string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.generalF.rename(q.path(name, ".log"))
}

func (q *queryLogs) renameSlow(name string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.slowF.rename(q.path(name, "-slow.log"))
}

func (q *queryLogs) setOutput(v string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.none = strings.Contains(strings.ToUpper(v), "NONE")
	return nil
}

// flush reopens the files, so that they can be rotated.
func (q *queryLogs) flush() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, l := range []*logFile{&q.generalF, &q.slowF} {
		if l.f == nil {
			continue
		}
		l.close()
		if err := l.open(); err != nil {
			return err
		}
	}
	return nil
}

func (q *queryLogs) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.generalOn.Store(false)
	q.slowOn.Store(false)
	q.generalF.close()
	q.slowF.close()
}

// maskSecrets replaces passwords by <secret>.
func maskSecrets(query string) string { return account.MaskSecrets(query) }

// oneLine writes a text so that it cannot end a line of a log, and shows what would be invisible:
// names of users come from anybody who can reach the port.
func oneLine(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return s
	}
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// general logs a statement before it runs.
func (q *queryLogs) general(w *wireConn, prepared bool, query string) {
	if !q.generalOn.Load() {
		return
	}
	command := "Query"
	if prepared {
		command = "Execute"
	}
	q.event(w.id, command, maskSecrets(query))
}

// connected logs that a client has logged in.
func (q *queryLogs) connected(w *wireConn) {
	if !q.generalOn.Load() {
		return
	}
	kind := "TCP/IP"
	switch {
	case w.unix:
		kind = "Socket"
	case w.secure:
		kind = "SSL/TLS"
	}
	q.event(w.id, "Connect", fmt.Sprintf("%s@%s on %s using %s", oneLine(w.user), w.host(), oneLine(w.database), kind))
}

// command logs a command that is no statement.
func (q *queryLogs) command(w *wireConn, name, text string) {
	if q.generalOn.Load() && !w.inside {
		q.event(w.id, name, text)
	}
}

func (q *queryLogs) event(id uint32, command, text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.generalF.f != nil && !q.none {
		fmt.Fprintf(q.generalF.f, "%s\t%5d %s\t%s\n", time.Now().UTC().Format(logTime), id, command, text)
	}
}
