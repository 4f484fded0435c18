package server

// The statements about the binary log.

import (
	"errors"
	"fmt"
	"log/slog"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/binlog"
	"emberdb/internal/base"
	"emberdb/server/sources"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

var errNoBinlogging = sqlerr.NewError(1381, "You are not using binary logging")

// showBinaryLogs is SHOW BINARY LOGS. On a full disk it lists what is written: who makes room
// there needs the names.
func (x *execution) showBinaryLogs(ctx *sql.Context) error {
	l := x.h.s.binlog()
	if l == nil {
		return errNoBinlogging
	}
	if err := l.Settle(); err != nil && !errors.Is(err, base.ErrDiskFull) {
		return err
	}
	files, err := l.Files()
	if err != nil {
		return err
	}
	var rows [][]any
	for _, f := range files {
		rows = append(rows, []any{f.Name, f.Size, "No"})
	}
	return x.table(ctx, []column{{name: "Log_name", width: 255}, {name: "File_size", typ: querypb.Type_UINT64, width: 21}, {name: "Encrypted", width: 3}}, rows)
}

// showBinaryLogStatus is SHOW BINARY LOG STATUS.
func (x *execution) showBinaryLogStatus(ctx *sql.Context) error {
	l := x.h.s.binlog()
	var rows [][]any
	if l != nil {
		if err := l.Settle(); err != nil { // what was committed stands before the position: a backup goes on from there
			return err
		}
		at := l.Written()
		rows = [][]any{{l.Name(at.File), at.Offset, "", "", l.Executed().Shown()}}
	}
	return x.table(ctx, []column{{name: "File", width: 512}, {name: "Position", typ: querypb.Type_UINT64, width: 21}, {name: "Binlog_Do_DB", width: 255},
		{name: "Binlog_Ignore_DB", width: 255}, {name: "Executed_Gtid_Set"}}, rows)
}

// shownBy reads SHOW BINLOG EVENTS [IN file] [FROM position] [LIMIT [offset,] count]. LIMIT 0
// limits nothing.
func shownBy(n *ast.Show) sources.ShownEvents {
	e := sources.ShownEvents{Count: math.MaxUint64}
	if n.Log != nil {
		e.In, e.Named = n.Log.Text, true
	}
	if n.Position != "" {
		e.From = number(n.Position)
	}
	if n.Limit != nil {
		e.Count = numberOf(n.Limit.Count)
		e.Skip = numberOf(n.Limit.Offset)
		if e.Count == 0 && e.Skip == 0 {
			e.Count = math.MaxUint64
		}
	}
	return e
}

// numberOf is the number that an operand is; zero if it is none.
func numberOf(x ast.Expr) uint64 {
	if n, ok := x.(*ast.Literal); ok && n.Kind == ast.IntLiteral {
		return number(n.Text)
	}
	return 0
}

// eventColumns are those of SHOW BINLOG EVENTS and SHOW RELAYLOG EVENTS.
func eventColumns() []column {
	return []column{{name: "Log_name", width: 20}, {name: "Pos", typ: querypb.Type_UINT64, width: 12}, {name: "Event_type", width: 20},
		{name: "Server_id", typ: querypb.Type_UINT32, width: 11}, {name: "End_log_pos", typ: querypb.Type_UINT64, width: 12}, {name: "Info"}}
}

// showBinlogEvents is SHOW BINLOG EVENTS.
func (x *execution) showBinlogEvents(ctx *sql.Context, n *ast.Show) error {
	var rows [][]any
	if l := x.h.s.binlog(); l != nil {
		if err := l.Settle(); err != nil {
			return err
		}
		var err error
		if rows, err = eventRows(x.h.s.log, l, shownBy(n)); err != nil {
			return err
		}
	}
	return x.table(ctx, eventColumns(), rows)
}

// eventRows lists the events of one file from the first at the position or behind it.
func eventRows(log *slog.Logger, l *binlog.Log, want sources.ShownEvents) (rows [][]any, err error) {
	failed := func(why string) error {
		return sqlerr.NewError(1220, "Error when executing command SHOW BINLOG EVENTS: %s", why)
	}
	file, _ := l.Range()
	if want.Named {
		var ok bool
		if file, ok = l.ParseName(want.In); !ok {
			return nil, failed("Could not find target log")
		}
	}
	if want.From > math.MaxInt64 {
		return nil, failed(fmt.Sprintf("Error reading Log_event at position %d: Failed decoding event: I/O error reading log event", want.From))
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
	for uint64(len(rows)) < want.Count {
		e, ok, err := r.TryNext()
		if err != nil {
			return nil, unread(err)
		}
		if !ok || e.File != l.Name(file) {
			break
		}
		switch {
		case uint64(e.Pos) < want.From:
		case want.Skip > 0:
			want.Skip--
		default:
			rows = append(rows, []any{e.File, e.Pos, e.Type, e.ServerID, e.End(), e.Info()})
			if e.Type == binlog.EventPayload {
				inner, err := e.Unpack()
				if err != nil {
					return nil, unread(err)
				}
				for _, i := range inner {
					rows = append(rows, []any{i.File, i.Pos, i.Type, i.ServerID, i.Pos, i.Info()})
				}
			}
		}
	}
	return rows, nil
}

// purge is PURGE BINARY LOGS {TO file | BEFORE time}.
func (x *execution) purge(ctx *sql.Context, n *ast.Purge) error {
	if err := x.needDynamic(ctx, "BINLOG_ADMIN"); err != nil {
		return err
	}
	if err := x.h.s.instance.mayPurge(x.w); err != nil {
		return err
	}
	switch l := x.h.s.binlog(); {
	case l == nil:
		return nil
	case n.To != nil:
		return purged(ctx, l.PurgeTo(n.To.Text))
	default:
		return x.purgeBefore(ctx, l, n.Before)
	}
}

func (x *execution) purgeBefore(ctx *sql.Context, l *binlog.Log, before ast.Expr) error {
	rows, err := x.rowsOf(ctx, "SELECT UNIX_TIMESTAMP(CAST("+x.printed(before)+" AS DATETIME))")
	if err != nil {
		return err
	}
	var at float64
	if len(rows) == 1 && len(rows[0]) == 1 && rows[0][0] != nil {
		if _, err := fmt.Sscan(fmt.Sprint(rows[0][0]), &at); err != nil {
			return sqlerr.NewError(1210, "Incorrect arguments to PURGE LOGS BEFORE")
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
		return sqlerr.NewError(1373, "Target log not found in binlog index")
	}
	if used := new(binlog.InUseError); errors.As(err, &used) {
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1867, Message: fmt.Sprintf(
			"file ./%s was not purged because it was being read by %d thread(s), purged only %d out of %d files.", used.File, used.Readers, used.Purged, used.Wanted)})
		return nil
	}
	return err
}

// reset is RESET BINARY LOGS AND GTIDS [TO number] and RESET REPLICA [ALL], listed with commas.
func (x *execution) reset(ctx *sql.Context, n *ast.Reset) error {
	if err := x.need(ctx, "RELOAD", sql.PrivilegeType_Reload); err != nil {
		return err
	}
	for i := range n.Items {
		var err error
		switch item := &n.Items[i]; {
		case item.Replica:
			err = x.h.s.resetReplica(item)
		case item.To != "":
			err = x.h.s.resetBinlogs(number(item.To))
		default:
			err = x.h.s.resetBinlogs(1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// resetBinlogs begins the log anew.
func (s *Server) resetBinlogs(next uint64) error {
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
