package server

// BACKUP: how "ember backup" and "ember clone" read a running server. The statements are this
// server's own; an account needs BACKUP_ADMIN.
//
//	BACKUP BEGIN [f]                         one row: what is there, as JSON (backup.Begin); the backup ends with this connection
//	BACKUP PAGES 'id' since 'runs' [n]       rows of space, first page, present, pages: those of the runs that were ever written and changed behind LSN since
//	BACKUP LOG 'id'                          rows of name, offset, data: the redo segments that are complete and were not sent yet
//	BACKUP FINISH 'id'                       one row: the point, as JSON (engine.BackupPoint)
//	BACKUP LOG 'id'                          behind FINISH: the rest of the redo log, the binary log files that recovery needs, the LRU list
//	BACKUP END 'id'                          fails if what was sent is not of one history
//
// The client reads data directories of up to format f, or 1. One of a newer format is not given to
// it.
//
// PAGES may be run by any number of connections at once. A run is space:first:count, runs are
// divided by commas. A row has up to engine.BackupRun neighbouring pages; present has a bit for
// each page that is in it. With n, a row has no more pages than that, and neighbours come in rows
// that follow each other, so that a client can read them into a buffer it keeps. The client decides
// how fast it reads, so that a limit of the rate is its business.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/backup"
	"emberdb/engine"
	"emberdb/internal/base"
	"emberdb/server/grants"
	"emberdb/server/version"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// backups are the backups that clients take at present.
type backups struct {
	mu  sync.Mutex
	all map[string]*heldBackup
}

// heldBackup is one of them.
type heldBackup struct {
	*backup.Local
	owner  *wireConn
	format int // of data directories, which the client reads
}

func (b *backups) enter(id string, one *heldBackup) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.all == nil {
		b.all = map[string]*heldBackup{}
	}
	b.all[id] = one
}

func (b *backups) find(id string) (*heldBackup, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if one := b.all[id]; one != nil {
		return one, nil
	}
	return nil, sqlerr.NewError(1105, "There is no backup '%s'; it ends with the connection that began it", id)
}

// of tells whether a backup is the connection's.
func (b *backups) of(w *wireConn) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, one := range b.all {
		if one.owner == w {
			return true
		}
	}
	return false
}

// leave ends the backups of a connection.
func (b *backups) leave(w *wireConn) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, one := range b.all {
		if one.owner == w {
			one.Close()
			delete(b.all, id)
		}
	}
}

func (b *backups) end(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if one := b.all[id]; one != nil {
		one.Close()
		delete(b.all, id)
	}
}

// backup is BACKUP.
func (x *execution) backup(ctx *sql.Context, n *ast.Backup) error {
	if !x.h.s.rights(ctx).HasDynamic("backup_admin") && !x.h.s.rights(ctx).Has(sql.PrivilegeType_Super) {
		return grants.Missing("BACKUP_ADMIN")
	}
	if n.Verb == ast.BackupBegin {
		return x.backupBegin(ctx, n)
	}
	id := n.ID.Text
	b, err := x.h.s.backups.find(id)
	if err != nil {
		return err
	}
	switch n.Verb {
	case ast.BackupPages:
		return x.backupPages(ctx, b, n)
	case ast.BackupLog:
		return x.backupLog(ctx, b)
	case ast.BackupFinish:
		return x.backupFinish(ctx, b)
	}
	if err := b.Unbroken(); err != nil {
		return err
	}
	x.h.s.backups.end(id)
	return nil
}

// wrongRuns is the error of a part of PAGES that names no pages.
func wrongRuns(part string) error {
	return sqlerr.NewError(1210, "Incorrect arguments to BACKUP PAGES: '%s'", part)
}

// readable refuses what the client does not read.
func (x *execution) readable(format int) error {
	if has := x.h.s.backend.Engine().Format(); has > format {
		return sqlerr.NewError(1210, "Incorrect arguments to BACKUP: the data directory has format %d, the client reads up to %d; use the tool of this version", has, format)
	}
	return nil
}

func (x *execution) backupBegin(ctx *sql.Context, n *ast.Backup) error {
	eng := x.h.s.backend.Engine()
	if eng == nil {
		return unsupported("BACKUP")(x, ctx)
	}
	format, err := strconv.Atoi(cmp.Or(n.Format, "1"))
	if err != nil {
		return sqlerr.NewError(1210, "Incorrect arguments to BACKUP BEGIN: '%s'", n.Format)
	}
	if err := x.readable(format); err != nil {
		return err
	}
	b, err := backup.OpenLocal(eng, version.ServerVersion())
	if err != nil {
		return err
	}
	x.h.s.backups.enter(b.Begin.ID, &heldBackup{Local: b, owner: x.w, format: format})
	x.h.s.log.Info("a backup begins", "connection", x.w.id, "user", x.w.user, "lsn", uint64(b.Begin.Start))
	return x.json(ctx, b.Begin)
}

// json answers with one row of one JSON text.
func (x *execution) json(ctx *sql.Context, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return x.table(ctx, textColumns("backup"), [][]any{{string(text)}})
}

// rowStream sends rows while they are made.
type rowStream struct {
	x      *execution
	fields []*querypb.Field
}

func (x *execution) stream(ctx *sql.Context, cols ...column) (*rowStream, error) {
	s := &rowStream{x: x}
	for _, c := range cols {
		c.width, c.null = 1<<24, true
		s.fields = append(s.fields, c.field(sql.CharacterSet_binary))
	}
	if err := x.statusFlags(ctx); err != nil {
		return nil, err
	}
	return s, x.send(&sqltypes.Result{Fields: s.fields})
}

// Row sends one row: numbers, and bytes that may change afterwards.
func (s *rowStream) row(ctx *sql.Context, vals ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	row := make([]sqltypes.Value, len(vals))
	for i, v := range vals {
		raw, ok := v.([]byte)
		if !ok {
			raw = fmt.Append(nil, v)
		}
		row[i] = sqltypes.MakeTrusted(s.fields[i].Type, raw)
	}
	s.x.rows++
	return s.x.send(&sqltypes.Result{Fields: s.fields, Rows: [][]sqltypes.Value{row}, RowsAffected: 1})
}

func (x *execution) backupPages(ctx *sql.Context, b *heldBackup, n *ast.Backup) error {
	since, err := strconv.ParseUint(n.Since, 10, 64)
	if err != nil {
		return wrongRuns(n.Since)
	}
	most := engine.BackupRun
	if n.Row != "" {
		if most, err = strconv.Atoi(n.Row); err != nil || most < 1 {
			return wrongRuns(n.Row)
		}
	}
	out, err := x.stream(ctx, column{name: "space", typ: querypb.Type_UINT64}, column{name: "first", typ: querypb.Type_UINT64},
		column{name: "present", typ: querypb.Type_UINT64}, column{name: "pages", typ: querypb.Type_BLOB})
	if err != nil {
		return err
	}
	send := func(space base.SpaceID, first base.PageNo, present uint64, pages []byte) error {
		for {
			part := lowestBits(present, most)
			size := bits.OnesCount64(part) * base.PageSize
			if err := out.row(ctx, uint32(space), uint32(first), part, pages[:size]); err != nil {
				return err
			}
			if present, pages = present&^part, pages[size:]; present == 0 {
				return nil
			}
		}
	}
	for part := range strings.SplitSeq(n.Runs.Text, ",") {
		if part == "" {
			continue
		}
		var r backup.Run
		if _, err := fmt.Sscanf(part, "%d:%d:%d", &r.Space, &r.First, &r.Pages); err != nil {
			return wrongRuns(part)
		}
		if err := b.Pages(ctx, base.LSN(since), r, send); err != nil {
			return err
		}
	}
	return nil
}

// lowestBits returns the n lowest of the bits that are set.
func lowestBits(set uint64, n int) uint64 {
	rest := set
	for ; n > 0 && rest != 0; n-- {
		rest &= rest - 1
	}
	return set &^ rest
}

func (x *execution) backupFinish(ctx *sql.Context, b *heldBackup) error {
	p, err := b.Finish()
	if err != nil {
		return err
	}
	if err := x.readable(b.format); err != nil { // it has become newer meanwhile
		return err
	}
	return x.json(ctx, p)
}

// backupLog sends what of the log is complete, and behind FINISH all that is left.
func (x *execution) backupLog(ctx *sql.Context, b *heldBackup) error {
	out, err := x.stream(ctx, column{name: "name", typ: querypb.Type_BLOB}, column{name: "offset", typ: querypb.Type_UINT64}, column{name: "data", typ: querypb.Type_BLOB})
	if err != nil {
		return err
	}
	return b.Log(ctx, func(name string, off int64, data []byte) error { return out.row(ctx, []byte(name), off, data) })
}
