package server

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/server/certs"
	"emberdb/server/logs"
	"emberdb/server/virtual"
	"emberdb/sqllayer"
)

// The server's log, the general log and the slow log.

// queryLogs are the general log and the slow log.
type queryLogs struct {
	generalOn atomic.Bool
	slowOn    atomic.Bool
	slowExtra atomic.Bool // log_slow_extra
	mu        sync.Mutex
	s         *Server
	generalF  logs.LogFile
	slowF     logs.LogFile
	none      bool // log_output=NONE
}

// newQueryLogs knows the files; the logs are switched on by their variables.
func newQueryLogs(s *Server) *queryLogs {
	q := &queryLogs{s: s}
	q.generalF.Path = q.path(s.cfg.Settings.String("general_log_file"), ".log")
	q.slowF.Path = q.path(s.cfg.Settings.String("slow_query_log_file"), "-slow.log")
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
	return certs.Under(q.s.dir, name)
}

func (q *queryLogs) switchGeneral(on bool) error { return q.switchLog(&q.generalOn, &q.generalF, on) }
func (q *queryLogs) switchSlow(on bool) error    { return q.switchLog(&q.slowOn, &q.slowF, on) }

func (q *queryLogs) switchLog(flag *atomic.Bool, l *logs.LogFile, on bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if on {
		if err := l.Open(); err != nil {
			return fmt.Errorf("cannot open %s: %w", l.Path, err)
		}
	} else {
		l.Close()
	}
	flag.Store(on)
	return nil
}

func (q *queryLogs) renameGeneral(name string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.generalF.Rename(q.path(name, ".log"))
}

func (q *queryLogs) renameSlow(name string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.slowF.Rename(q.path(name, "-slow.log"))
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
	for _, l := range []*logs.LogFile{&q.generalF, &q.slowF} {
		if l.F == nil {
			continue
		}
		l.Close()
		if err := l.Open(); err != nil {
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
	q.generalF.Close()
	q.slowF.Close()
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
	q.event(w.id, command, logs.MaskSecrets(query))
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
	q.event(w.id, "Connect", fmt.Sprintf("%s@%s on %s using %s", logs.OneLine(w.user), w.host(), logs.OneLine(w.database), kind))
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
	if q.generalF.F != nil && !q.none {
		fmt.Fprintf(q.generalF.F, "%s\t%5d %s\t%s\n", time.Now().UTC().Format(logs.LogTime), id, command, text)
	}
}

// The slow log. An entry has MySQL's lines; with log_slow_extra its third line goes on with what the
// statement did.

func (w *wireConn) slowCounts() (b logs.SlowBegin) {
	if s, ok := w.session.(*sqllayer.Session); ok {
		for i, r := range logs.SlowRows {
			if r.Of != logs.NotDone {
				b.Rows[i] = s.RowCount(r.Of)
			}
		}
		b.Waited = s.LockWaited()
	}
	b.Received, b.Sent = w.bytesIn.Load(), w.bytesOut.Load()
	return b
}

// beginSlow notes the counts if the slow log is on.
func (w *wireConn) beginSlow() {
	if w.srv.logs.slowOn.Load() {
		w.slowBegan = w.slowCounts()
	}
}

// slowStatement counts a statement that took too long, and logs it.
func (x *execution) slowStatement(took time.Duration, e *mysql.SQLError) {
	if took.Microseconds() < x.w.vars.longQueryMicros.Load() {
		return
	}
	x.h.s.counters.slowQueries.Add(1)
	x.w.slow.Add(1)
	x.h.s.logs.slow(x, took, e)
}

// slow logs a statement that took too long.
func (q *queryLogs) slow(x *execution, took time.Duration, e *mysql.SQLError) {
	if !q.slowOn.Load() {
		return
	}
	entry := q.slowEntry(x, took, e)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.slowF.F != nil && !q.none {
		_, _ = q.slowF.F.WriteString(entry)
	}
}

func (q *queryLogs) slowEntry(x *execution, took time.Duration, e *mysql.SQLError) string {
	was, now := x.w.slowBegan, x.w.slowCounts()
	did := func(i int) uint64 {
		if now.Rows[i] < was.Rows[i] { // FLUSH STATUS came between
			return now.Rows[i]
		}
		return now.Rows[i] - was.Rows[i]
	}
	var b strings.Builder
	end := x.start.Add(took).UTC().Format(logs.LogTime)
	fmt.Fprintf(&b, "# Time: %s\n# User@Host: %s[%s] @ %s  Id: %5d\n", end, logs.OneLine(x.w.account.user), logs.OneLine(x.w.user), x.w.host(), x.w.id)
	fmt.Fprintf(&b, "# Query_time: %.6f  Lock_time: %.6f Rows_sent: %d  Rows_examined: %d", took.Seconds(), time.Duration(now.Waited-was.Waited).Seconds(), max(x.rows, 0), did(0))
	if q.slowExtra.Load() {
		errno := 0
		if e != nil {
			errno = e.Num
		}
		fmt.Fprintf(&b, " Thread_id: %d Errno: %d Killed: %d Bytes_received: %d Bytes_sent: %d", x.w.id, errno, logs.KilledBy(errno), now.Received-was.Received, now.Sent-was.Sent)
		for i, r := range logs.SlowRows {
			if r.Name != "" {
				fmt.Fprintf(&b, " %s: %d", r.Name, did(i))
			}
		}
		fmt.Fprintf(&b, "  Start: %s End: %s", x.start.UTC().Format(logs.LogTime), end)
	}
	b.WriteByte('\n')
	if x.db != "" {
		fmt.Fprintf(&b, "use %s;\n", logs.OneLine(x.db))
	}
	fmt.Fprintf(&b, "SET timestamp=%d;\n%s;\n", x.start.Unix(), logs.MaskSecrets(strings.TrimRight(x.query, "; \n")))
	return b.String()
}

// fillErrorLog fills performance_schema.error_log with the log's last records.
func (s *Server) fillErrorLog(d *virtual.Database) {
	d.Fill("error_log", "LOGGED, THREAD_ID, PRIO, SUBSYSTEM, DATA", func(*sql.Context) (out []sql.Row, _ error) {
		h, ok := s.log.Handler().(*logs.LineHandler)
		if !ok {
			return nil, nil
		}
		for _, r := range h.Records() {
			out = append(out, sql.Row{r.At.UTC(), uint64(0), logs.LevelName(r.Level), "Server", r.Text})
		}
		return out, nil
	})
}
