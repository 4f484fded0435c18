package logs

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/dolthub/vitess/go/vt/log"
	"github.com/sirupsen/logrus"

	"emberdb/account"
)

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

// QuietLibraries sends what the libraries log to this server's log: errors as such, the rest,
// details of single clients, as debugging.
func QuietLibraries(l *slog.Logger) {
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
	h.l.Error(MaskSecrets(e.Message))
	return nil
}

// LogFile is opened when its log is first switched on.
type LogFile struct {
	Path string
	F    *os.File
}

func (l *LogFile) Open() (err error) {
	if l.F == nil {
		l.F, err = os.OpenFile(l.Path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
	}
	return err
}

func (l *LogFile) Close() {
	if l.F != nil {
		l.F.Close()
		l.F = nil
	}
}

func (l *LogFile) Rename(path string) (err error) {
	was := l.F != nil
	l.Close()
	l.Path = path
	if was {
		err = l.Open()
	}
	return err
}

// MaskSecrets replaces passwords by <secret>.
func MaskSecrets(query string) string { return account.MaskSecrets(query) }

// OneLine writes a text so that it cannot end a line of a log, and shows what would be invisible:
// names of users come from anybody who can reach the port.
func OneLine(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return s
	}
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}
