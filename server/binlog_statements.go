package server

// The statements about the binary log.

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/binlog"
	"emberdb/internal/base"
	"emberdb/sqllayer"
)

var errNoBinlogging = sqllayer.NewError(1381, "You are not using binary logging")

// replicationClient gives the log to a statement that asks for REPLICATION CLIENT, with all that was committed in its files; nil if it is off.
func (x *execution) replicationClient(ctx *sql.Context) (*binlog.Log, error) {
	if !x.h.s.rights(ctx).Has(sql.PrivilegeType_ReplicationClient) && !x.h.s.hasAdmin(ctx, "super") {
		return nil, missing("SUPER, REPLICATION CLIENT")
	}
	l := x.h.s.binlog()
	if l == nil {
		return nil, nil
	}
	return l, l.Settle()
}

// showBinaryLogs is SHOW BINARY LOGS.
func (x *execution) showBinaryLogs(ctx *sql.Context) error {
	l, err := x.replicationClient(ctx)
	if err != nil {
		return err
	}
	if l == nil {
		return errNoBinlogging
	}
	files, err := l.Files()
	if err != nil {
		return err
	}
	var rows [][]any
	for _, f := range files {
		rows = append(rows, []any{f.Name, f.Size, "No"})
	}
	return x.table(ctx, []column{{name: "Log_name"}, {"File_size", querypb.Type_INT64}, {name: "Encrypted"}}, rows)
}

// showBinaryLogStatus is SHOW BINARY LOG STATUS and SHOW MASTER STATUS.
func (x *execution) showBinaryLogStatus(ctx *sql.Context) error {
	l, err := x.replicationClient(ctx)
	if err != nil {
		return err
	}
	var rows [][]any
	if l != nil {
		if err := l.Settle(); err != nil { // what was committed stands before the position: a backup goes on from there
			return err
		}
		at := l.Written()
		rows = [][]any{{l.Name(at.File), at.Offset, "", "", l.Executed().Shown()}}
	}
	return x.table(ctx, []column{{name: "File"}, {"Position", querypb.Type_INT64}, {name: "Binlog_Do_DB"}, {name: "Binlog_Ignore_DB"}, {name: "Executed_Gtid_Set"}}, rows)
}

var (
	textOperand     = regexp.MustCompile(`^(?:'([^']*)'|"([^"]*)")`)
	positionOperand = regexp.MustCompile(`(?i)^(\d+)(?:\.\d*|e\d+)?(?:\s|$)`)
	limitOperand    = regexp.MustCompile(`(?i)^(\d+)(?:\s*(,|\bOFFSET\b)\s*(\d*))?`)
	wordOperand     = regexp.MustCompile(`^\w+`)
	exprOperand     = regexp.MustCompile(`(?s)^.+`)
	subquery        = regexp.MustCompile(`(?i)\(\s*SELECT\b.*`)
)

// clause takes a word and its operand off the rest of the statement; nil: the word is not there.
func (x *execution) clause(rest *string, word string, operand *regexp.Regexp) ([]string, error) {
	if w := leadingWords(*rest, 1); len(w) == 0 || w[0] != word {
		return nil, nil
	}
	*rest = afterWords(*rest, 1)
	m := operand.FindStringSubmatch(*rest)
	if m == nil {
		return nil, x.malformed(*rest)
	}
	*rest = strings.TrimSpace((*rest)[len(m[0]):])
	return m, nil
}

// shownEvents is what SHOW BINLOG EVENTS shall list.
type shownEvents struct {
	in          string // the first file, if not named
	named       bool
	from        uint64
	skip, count uint64
}

// parseShownEvents reads SHOW BINLOG EVENTS [IN file] [FROM position] [LIMIT [offset,] count]. LIMIT 0 limits nothing.
func (x *execution) parseShownEvents() (e shownEvents, err error) {
	rest := afterWords(x.query, 3)
	e.count = math.MaxUint64
	if w := leadingWords(x.query, 3); len(w) < 3 || w[2] != "EVENTS" {
		return e, x.malformed(afterWords(x.query, 2))
	}
	m, err := x.clause(&rest, "IN", textOperand)
	if m != nil {
		e.in, e.named = m[1]+m[2], true
	}
	if err == nil {
		m, err = x.clause(&rest, "FROM", positionOperand)
	}
	if err == nil && m != nil {
		e.from, _ = strconv.ParseUint(m[1], 10, 64) // too large a number is the largest
	}
	if err == nil {
		m, err = x.clause(&rest, "LIMIT", limitOperand)
	}
	if err == nil && m != nil {
		err = e.limit(x, m)
	}
	if err == nil && rest != "" {
		err = x.malformed(rest)
	}
	return e, err
}

func (e *shownEvents) limit(x *execution, m []string) error {
	count, skip := m[1], "0"
	switch {
	case m[2] == "," && m[3] != "":
		count, skip = m[3], m[1]
	case m[2] != "":
		skip = m[3]
	}
	for _, n := range []struct {
		text string
		to   *uint64
	}{{count, &e.count}, {skip, &e.skip}} {
		var err error
		if *n.to, err = strconv.ParseUint(n.text, 10, 64); err != nil {
			return x.malformed(n.text)
		}
	}
	if e.count == 0 && e.skip == 0 {
		e.count = math.MaxUint64
	}
	return nil
}

// showBinlogEvents is SHOW BINLOG EVENTS.
func (x *execution) showBinlogEvents(ctx *sql.Context) error {
	want, err := x.parseShownEvents()
	if err != nil {
		return err
	}
	if err := x.need(ctx, "REPLICATION SLAVE", sql.PrivilegeType_ReplicationSlave); err != nil {
		return err
	}
	var rows [][]any
	if l := x.h.s.binlog(); l != nil {
		if err := l.Settle(); err != nil {
			return err
		}
		if rows, err = eventRows(x.h.s.log, l, want); err != nil {
			return err
		}
	}
	return x.table(ctx, []column{{name: "Log_name"}, {"Pos", querypb.Type_INT64}, {name: "Event_type"}, {"Server_id", querypb.Type_INT64},
		{"End_log_pos", querypb.Type_INT64}, {name: "Info"}}, rows)
}

// eventRows lists the events of one file from the first at the position or behind it.
func eventRows(log *slog.Logger, l *binlog.Log, want shownEvents) (rows [][]any, err error) {
	failed := func(why string) error {
		return sqllayer.NewError(1220, "Error when executing command SHOW BINLOG EVENTS: %s", why)
	}
	file, _ := l.Range()
	if want.named {
		var ok bool
		if file, ok = l.ParseName(want.in); !ok {
			return nil, failed("Could not find target log")
		}
	}
	if want.from > math.MaxInt64 {
		return nil, failed(fmt.Sprintf("Error reading Log_event at position %d: Failed decoding event: I/O error reading log event", want.from))
	}
	unread := func(err error) error {
		log.Error("a binary log cannot be read", "file", l.Name(file), "err", err)
		if damage := (*base.CorruptError)(nil); errors.As(err, &damage) {
			return failed(fmt.Sprintf("Error reading Log_event at position %d: Failed decoding event: corrupted data in log event", damage.Offset))
		}
		return failed("Wrong offset or I/O error")
	}
	r, err := l.NewReader(binlog.Position{File: file})
	switch {
	case errors.Is(err, binlog.ErrUnknownFile):
		return nil, failed("Could not find target log")
	case err != nil:
		return nil, unread(err)
	}
	defer r.Close()
	for uint64(len(rows)) < want.count {
		e, ok, err := r.TryNext()
		if err != nil {
			return nil, unread(err)
		}
		if !ok || e.File != l.Name(file) {
			break
		}
		switch {
		case uint64(e.Pos) < want.from:
		case want.skip > 0:
			want.skip--
		default:
			rows = append(rows, []any{e.File, e.Pos, e.Type, e.ServerID, e.End(), e.Info()})
		}
	}
	return rows, nil
}

// purge is PURGE BINARY LOGS {TO file | BEFORE time}.
func (x *execution) purge(ctx *sql.Context) error {
	w := leadingWords(x.query, 3)
	switch {
	case len(w) < 2 || w[1] != "BINARY" && w[1] != "MASTER":
		return x.malformed(afterWords(x.query, 1))
	case len(w) < 3 || w[2] != "LOGS":
		return x.malformed(afterWords(x.query, 2))
	}
	rest := afterWords(x.query, 3)
	to, err := x.clause(&rest, "TO", textOperand)
	if err != nil {
		return err
	}
	var before []string
	if to == nil {
		if before, err = x.clause(&rest, "BEFORE", exprOperand); err != nil {
			return err
		}
	}
	if rest != "" || to == nil && before == nil {
		return x.malformed(rest)
	}
	if err := x.needDynamic(ctx, "BINLOG_ADMIN"); err != nil {
		return err
	}
	switch l := x.h.s.binlog(); {
	case l == nil:
		return nil
	case to != nil:
		return purged(ctx, l.PurgeTo(to[1]+to[2]))
	default:
		return x.purgeBefore(ctx, l, before[0])
	}
}

func (x *execution) purgeBefore(ctx *sql.Context, l *binlog.Log, expr string) error {
	if q := subquery.FindString(expr); q != "" {
		return x.malformed(q)
	}
	rows, err := x.rowsOf(ctx, "SELECT UNIX_TIMESTAMP(CAST("+expr+" AS DATETIME))")
	if err != nil {
		return err
	}
	var at float64
	if len(rows) == 1 && len(rows[0]) == 1 && rows[0][0] != nil {
		if _, err := fmt.Sscan(fmt.Sprint(rows[0][0]), &at); err != nil {
			return sqllayer.NewError(1210, "Incorrect arguments to PURGE LOGS BEFORE")
		}
	}
	all, err := l.PurgeBefore(int64(at))
	if used := new(binlog.InUseError); all && errors.As(err, &used) {
		used.Wanted++ // MySQL counts the file that is written, too
	} else if all && err == nil {
		_, last := l.Range()
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1868, Message: "file ./" + l.Name(last) + " was not purged because it is the active log file."})
	}
	return purged(ctx, err)
}

// purged makes what became of a purge an answer.
func purged(ctx *sql.Context, err error) error {
	if errors.Is(err, binlog.ErrUnknownFile) {
		return sqllayer.NewError(1373, "Target log not found in binlog index")
	}
	if used := new(binlog.InUseError); errors.As(err, &used) {
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1867, Message: fmt.Sprintf(
			"file ./%s was not purged because it was being read by %d thread(s), purged only %d out of %d files.", used.File, used.Readers, used.Purged, used.Wanted)})
		return nil
	}
	return err
}

// reset is RESET BINARY LOGS AND GTIDS [TO number], RESET MASTER, and RESET REPLICA [ALL], listed with commas. It commits once it is understood.
func (x *execution) reset(ctx *sql.Context) error {
	var run []adminFunc
	for rest := afterWords(x.query, 1); ; rest = afterWords(rest, 1) {
		f, err := x.resetOption(&rest)
		if err != nil {
			return err
		}
		if run = append(run, f); rest == "" {
			break
		}
		if rest[0] != ',' {
			return x.malformed(rest)
		}
	}
	if err := x.commitFirst(ctx); err != nil {
		return err
	}
	if err := x.need(ctx, "RELOAD", sql.PrivilegeType_Reload); err != nil {
		return err
	}
	for _, f := range run {
		if err := f(x, ctx); err != nil {
			return err
		}
	}
	return nil
}

// resetOption takes one option of RESET off the rest of the statement.
func (x *execution) resetOption(rest *string) (adminFunc, error) {
	w := append(leadingWords(*rest, 4), "", "", "", "")
	words := 1
	switch {
	case w[0] == "REPLICA" || w[0] == "SLAVE":
		all := w[1] == "ALL"
		if all {
			words = 2
		}
		*rest = afterWords(*rest, words)
		m, err := x.clause(rest, "FOR", ownChannel)
		if m == nil && err != nil {
			return nil, err
		}
		return func(x *execution, _ *sql.Context) error { return x.h.s.resetReplica(all) }, nil
	case w[0] == "BINARY":
		for _, word := range []string{"LOGS", "AND", "GTIDS"} {
			if w[words] != word {
				return nil, x.malformed(afterWords(*rest, words))
			}
			words++
		}
	case w[0] != "MASTER":
		return nil, x.malformed(*rest)
	}
	*rest = afterWords(*rest, words)
	next := uint64(1)
	m, err := x.clause(rest, "TO", wordOperand)
	if err != nil {
		return nil, err
	}
	if m != nil {
		if next, err = strconv.ParseUint(m[0], 0, 64); err != nil {
			return nil, x.malformed(m[0] + *rest)
		}
	}
	return func(x *execution, ctx *sql.Context) error { return x.h.s.resetBinlogs(next) }, nil
}

// maxNextFile is the largest number RESET BINARY LOGS AND GTIDS TO takes.
const maxNextFile = 2_000_000_000

// resetBinlogs begins the log anew.
func (s *Server) resetBinlogs(next uint64) error {
	if next < 1 || next > maxNextFile {
		return sqllayer.NewError(3567, "The requested value '%d' for the next binary log index is out of range. Please use a value between '1' and '%d'.", next, maxNextFile)
	}
	l := s.binlog()
	if l == nil {
		return nil
	}
	if err := l.Reset(uint32(next)); err != nil {
		return err
	}
	s.semiSync.reset()
	return nil
}
