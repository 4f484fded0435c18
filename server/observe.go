package server

import (
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/compiled"
	"emberdb/engine/txn"
	"emberdb/internal/vfs"
	"emberdb/perfschema"
	"emberdb/server/commands"
	"emberdb/server/logs"
	"emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sql/parse"
	"emberdb/sqllayer"
)

// What performance_schema is told of connections and statements. Both ways that run statements end
// here: programs in observeProgram, all others in execution.observe.

// newPerformance makes the registry, with the digests of the run before.
func (s *Server) newPerformance() *perfschema.Registry {
	o := s.cfg.Settings
	size := func(name string) int { return int(o.Int("performance_schema_" + name)) }
	r := perfschema.New(perfschema.Options{
		Enabled: o.Bool("performance_schema"), Digests: size("digests_size"), DigestLength: size("max_digest_length"), TextLength: size("max_sql_text_length"),
		History: size("events_statements_history_size"), HistoryLong: size("events_statements_history_long_size"), Accounts: size("accounts_size"),
		SampleAge: time.Duration(size("max_digest_sample_age")) * time.Second, Started: s.started})
	if r.Enabled() {
		if err := r.Load(vfs.NewOS(s.log), s.dir); err != nil {
			s.log.Warn("performance_schema begins without the digests of the last run", "error", err)
		}
	}
	return r
}

// keepDigests writes the digests every now and then, so that the first minute after a restart can
// be held against the last before it. Writing takes at most half a percent of the time.
func (s *Server) keepDigests() {
	const period, share = 10 * time.Second, 200
	s.seedUse()
	var saved int64
	wait := period
	for {
		select {
		case <-s.stopped:
			return
		case <-time.After(wait):
		}
		if n := s.counters.questions.Load(); n != saved {
			saved = n
			wait = max(period, share*s.saveDigests(false))
		}
	}
}

// saveDigests writes them once and returns how long that took. After the last time nothing more is
// written.
func (s *Server) saveDigests(last bool) time.Duration {
	s.kept.Lock()
	defer s.kept.Unlock()
	if !s.performance.Enabled() || s.kept.last {
		return 0
	}
	s.kept.last = last
	start := time.Now()
	fsys := vfs.NewOS(s.log)
	if err := errors.Join(s.performance.Save(fsys, s.dir), s.saveUse(fsys)); err != nil {
		s.log.Warn("what performance_schema has counted cannot be written", "error", err)
	}
	return time.Since(start)
}

// introduce makes a connection that has logged in one of performance_schema's threads.
func (w *wireConn) introduce() {
	if !w.inside {
		w.srv.logs.connected(w)
	}
	w.observed.Load().Leave()
	if !w.srv.performance.Enabled() || w.inside {
		return
	}
	host := w.RemoteAddr().String()
	if w.unix {
		host = "localhost"
	}
	p := peerOf(w.user, host)
	w.observed.Store(w.srv.performance.Connect(uint64(w.id), perfschema.Account{User: p.user, Host: p.host}))
}

// observedRows are the counts of a session that statements are told apart by, and what they become.
var observedRows = [...]struct {
	from txn.RowCount
	to   perfschema.Count
}{
	{txn.RowsRead, perfschema.RowsExamined}, {txn.SelectScan, perfschema.SelectScan}, {txn.SelectRange, perfschema.SelectRange},
	{txn.SelectFullJoin, perfschema.SelectFullJoin}, {txn.SortRows, perfschema.SortRows}, {txn.SortScan, perfschema.SortScan},
	{txn.SortMergePasses, perfschema.SortMergePasses}, {txn.CreatedTmpTables, perfschema.CreatedTmpTables}, {txn.CreatedTmpDiskTables, perfschema.CreatedTmpDiskTables},
}

// countRows fills in what the session has counted since the statement before.
func (w *wireConn) countRows(s *sqllayer.Session, e *perfschema.Event) {
	for i, r := range observedRows {
		now := s.RowCount(r.from)
		if was := w.counted[i]; now >= was { // else FLUSH STATUS came between
			e.Counts[r.to] = now - was
		}
		w.counted[i] = now
	}
	if e.Counts[perfschema.SelectScan] > 0 || e.Counts[perfschema.SelectFullJoin] > 0 {
		e.Counts[perfschema.NoIndexUsed] = 1
	}
	waited := s.LockWaited()
	e.Lock = int64(waited - w.waited)
	w.waited = waited
}

// failed fills in the error of a statement.
func failed(e *perfschema.Event, err *mysql.SQLError) {
	if err != nil {
		e.Code, e.State, e.Message = err.Num, err.State, err.Message
		e.Counts[perfschema.Errors] = 1
	}
}

// observeProgram tells of a statement that a program has run.
func (w *wireConn) observeProgram(p *compiled.Program, query string, prepared bool, start, end time.Time, err *mysql.SQLError) {
	t := w.observed.Load()
	if t == nil {
		return
	}
	r, cs := w.srv.performance, &w.compiled
	e := perfschema.Event{Name: commands.Com(p.Com()), Start: start, Wait: int64(end.Sub(start)), Text: r.Clip(query), Schema: cs.db}
	verb := ""
	if prepared {
		e.Name, verb = comExecute, "EXECUTE"
	}
	res := &cs.exec.Result
	e.Digest = r.Digest(p.Digests(), res.Records > 1, cs.db, verb, query, 0, nil)
	e.Counts[perfschema.RowsSent], e.Counts[perfschema.RowsAffected] = uint64(max(res.Rows, 0)), max(res.Affected, res.Changed)
	e.Counts[perfschema.Warnings] = uint64(cs.session.WarningCount())
	failed(&e, err)
	if err == nil && p.Com() != "select" {
		e.State = "00000"
	}
	w.countRows(cs.session, &e)
	t.End(&e)
}

// observe tells of any other statement.
func (x *execution) observe(took time.Duration, err *mysql.SQLError) {
	t := x.w.observed.Load()
	if t == nil {
		return
	}
	r := x.h.s.performance
	text, verb := x.observedText()
	e := perfschema.Event{Name: x.counter, Start: x.start, Wait: int64(took), Text: r.Clip(logs.MaskSecrets(text)), Schema: x.db}
	if x.prep != nil {
		e.Name = comExecute
	} else if x.prepared != nil {
		e.Name = commands.Com("execute_sql")
	}
	if x.stmt.Tree != nil {
		e.Digest = r.Digest(nil, false, x.db, verb, text, x.stmt.Options.Mode, x.stmt.Options.Charset)
	}
	e.Counts[perfschema.RowsSent] = uint64(max(x.rows, 0))
	failed(&e, err)
	if s, ok := x.w.session.(*sqllayer.Session); ok {
		if n := s.GetLastQueryInfo().RowCount.Load(); err == nil && n > 0 {
			e.Counts[perfschema.RowsAffected] = uint64(n)
		}
		e.Counts[perfschema.Warnings] = uint64(s.WarningCount())
		x.w.countRows(s, &e)
		if x.stmt.Any(effect.Defines) {
			e.Counts[perfschema.RowsExamined] = 0 // those of the dictionary
		}
	}
	if err == nil && x.told {
		e.State = "00000"
	}
	t.End(&e)
}

// observedText is the statement that is shown, and what is done with it: that of PREPARE and
// EXECUTE is the prepared one.
func (x *execution) observedText() (text, verb string) {
	text = parse.Trim(x.stmt.Text)
	switch n := x.stmt.Tree.(type) {
	case *ast.Prepare:
		if p := x.w.named[strings.ToLower(n.Name.Name)]; p != nil {
			return p.Text, "PREPARE"
		}
	case *ast.Execute:
	default:
		if x.prepared != nil {
			return text, "EXECUTE"
		}
	}
	return text, ""
}

// sendCounts answers with an OK packet that says info and the number of warnings. The protocol
// library writes it without the one, or for the text protocol with a wrong length before the text,
// and in the binary protocol without the other; so the packet is completed on its way out.
func (x *execution) sendCounts(r *sqltypes.Result, info string) error {
	warnings := uint16(0)
	if x.prep != nil && x.w.session != nil {
		warnings = x.w.session.WarningCount()
	}
	if x.w.filter != nil || x.program {
		return x.send(r)
	}
	var entries []byte
	if x.w.tracker != nil {
		entries = x.w.changed(x.stmt.Tree, false)
	}
	if info == "" && warnings == 0 && entries == nil {
		return x.send(r)
	}
	if err := x.c.FlushBuffer(); err != nil { // the filter must see that packet only
		x.lost = err
		return err
	}
	x.w.editNext(func(body []byte) []byte {
		if warnings > 0 && len(body) >= 2 {
			binary.LittleEndian.PutUint16(body[len(body)-2:], warnings)
		}
		if info != "" {
			body = lengthened(body, info)
		}
		if entries != nil {
			body = withChanges(body, entries)
		}
		return body
	})
	if err := x.send(r); err != nil {
		return err
	}
	if err := x.c.FlushBuffer(); err != nil {
		x.lost = err
		return err
	}
	return nil
}

// okInfo is what the OK packet of the statement says in words.
func okInfo(ctx *sql.Context, ok types.OkResult) string {
	if s, is := ctx.Session.(*sqllayer.Session); is {
		return s.Info(ctx, ok)
	}
	if ok.Info != nil {
		return ok.Info.String()
	}
	return ""
}
