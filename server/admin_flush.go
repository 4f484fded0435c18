package server

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/pingcap/tidb/pkg/parser/ast"

	"emberdb/engine/dict"
	"emberdb/internal/base"
	"emberdb/sqllayer"
)

// FLUSH and table maintenance.

// flushable are the options of FLUSH that may be listed with commas.
var flushable = []string{"PRIVILEGES", "STATUS", "HOSTS", "USER_RESOURCES", "OPTIMIZER_COSTS", "LOGS",
	"BINARY LOGS", "ENGINE LOGS", "ERROR LOGS", "GENERAL LOGS", "RELAY LOGS", "SLOW LOGS"}

// flush is FLUSH. It commits once it is understood.
func (x *execution) flush(ctx *sql.Context) error {
	rest := afterWords(x.query, 1)
	for _, skip := range []string{"NO_WRITE_TO_BINLOG", "LOCAL"} {
		if w := leadingWords(rest, 1); len(w) > 0 && w[0] == skip {
			rest = afterWords(rest, 1)
		}
	}
	w := leadingWords(rest, 64)
	if len(w) > 0 && (w[0] == "TABLES" || w[0] == "TABLE") {
		return x.flushTables(ctx, afterWords(rest, 1))
	}
	options := strings.Split(strings.Join(w, " "), " , ")
	for _, o := range options {
		if o, _, _ := strings.Cut(o, " FOR CHANNEL "); !slices.Contains(flushable, o) {
			return x.malformed(rest)
		}
		rest = strings.TrimPrefix(afterWords(rest, len(strings.Fields(o))), ",")
	}
	if err := x.commitFirst(ctx); err != nil {
		return err
	}
	for _, o := range options {
		if err := x.mayFlush(ctx, flushRights[o]); err != nil {
			return err
		}
	}
	for _, o := range options {
		if err := x.flushOption(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// flushRights are the privileges that stand for RELOAD in some options.
var flushRights = map[string]string{"STATUS": "FLUSH_STATUS", "PRIVILEGES": "FLUSH_PRIVILEGES", "USER_RESOURCES": "FLUSH_USER_RESOURCES", "OPTIMIZER_COSTS": "FLUSH_OPTIMIZER_COSTS"}

// mayFlush asks for RELOAD or the privilege that stands for it.
func (x *execution) mayFlush(ctx *sql.Context, or string) error {
	if set := x.h.s.rights(ctx); set.Has(sql.PrivilegeType_Reload) || or != "" && set.HasDynamic(or) {
		return nil
	}
	if or != "" {
		or = " or " + or
	}
	return missing("RELOAD" + or)
}

// flushHow is how FLUSH TABLES leaves its tables.
var flushHow = regexp.MustCompile(`(?is)\b(with\s+read\s+lock|for\s+export)$`)

// flushTables: definitions and pages are never stale here, so only the locks matter. list is what follows TABLES. FOR EXPORT locks as WITH READ LOCK does: files of tables are
// no tablespaces that another server could import, so there are none to describe in a .cfg.
func (x *execution) flushTables(ctx *sql.Context, list string) error {
	at := len(list)
	if m := flushHow.FindStringIndex(list); m != nil {
		at = m[0]
	}
	how := strings.Join(leadingWords(list[at:], 3), " ")
	list = strings.TrimSpace(list[:at])
	var names []tableName
	if list != "" {
		var err error
		if names, err = tableNames(list, ctx.GetCurrentDatabase()); err != nil {
			return x.malformed(list)
		}
	} else if how == "FOR EXPORT" {
		return x.malformed(how)
	}
	if err := x.flushLocked(names, how); err != nil {
		return err
	}
	if err := x.commitFirst(ctx); err != nil {
		return err
	}
	if err := x.mayFlush(ctx, "FLUSH_TABLES"); err != nil {
		return err
	}
	for _, n := range names {
		if how == "" {
			break
		}
		if err := sqllayer.MayOnDatabase(ctx, n.db, sql.PrivilegeType_LockTables); err != nil {
			return err
		}
		if err := sqllayer.MayOnTable(ctx, n.db, n.name, sql.PrivilegeType_Select); err != nil {
			return err
		}
	}
	x.h.s.counters.flushedTables.Add(1)
	switch {
	case how == "":
		return nil
	case list == "":
		return x.h.s.flushLock.take(ctx, x.w, x.program)
	}
	locks := make([]string, len(names))
	for i, n := range names {
		locks[i] = n.quoted() + " READ"
	}
	return x.viaLayer(ctx, "LOCK TABLES "+strings.Join(locks, ", "), nil)
}

// flushLocked refuses what FLUSH TABLES must not do in a session under LOCK TABLES.
func (x *execution) flushLocked(names []tableName, how string) error {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok || !s.UnderLocks() {
		return nil
	}
	if how != "" {
		return errLockedTables
	}
	if len(names) == 0 {
		return s.MayFlush("", "")
	}
	for _, n := range names {
		if err := s.MayFlush(n.db, n.name); err != nil {
			return err
		}
	}
	return nil
}

func (x *execution) flushOption(ctx *sql.Context, option string) error {
	s := x.h.s
	switch option {
	case "PRIVILEGES":
		s.sha2.clear()
		s.usage.forgiveAll()
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1681, Message: "'FLUSH PRIVILEGES' is deprecated and will be removed in a future release."})
	case "USER_RESOURCES":
		s.usage.reset()
	case "STATUS":
		s.status.flush()
		x.w.flushSession()
	case "BINARY LOGS":
		return s.rotateBinlog()
	case "LOGS":
		if err := s.rotateBinlog(); err != nil {
			return err
		}
		return s.FlushLogs()
	case "ENGINE LOGS", "ERROR LOGS", "GENERAL LOGS", "SLOW LOGS":
		return s.FlushLogs()
	}
	return nil
}

// FlushLogs reopens the general and slow log after they were moved away.
func (s *Server) FlushLogs() error { return s.logs.flush() }

// maintenanceStatement recognizes ANALYZE, CHECK, REPAIR, OPTIMIZE and CHECKSUM TABLE; histograms are the SQL layer's.
func maintenanceStatement(w []string, at func(int) string) adminFunc {
	i := 1
	if at(1) == "NO_WRITE_TO_BINLOG" || at(1) == "LOCAL" {
		i = 2
	}
	if at(i) != "TABLE" && at(i) != "TABLES" {
		return nil
	}
	op := strings.ToLower(w[0])
	if op == "analyze" && slices.Contains(w, "HISTOGRAM") {
		return nil
	}
	return func(x *execution, ctx *sql.Context) error {
		names, err := tableNames(afterWords(x.query, i+1), ctx.GetCurrentDatabase())
		if err != nil {
			return err
		}
		for _, n := range names {
			if err := x.mayMaintain(ctx, op, n); err != nil {
				return err
			}
		}
		if op == "checksum" {
			return x.checksum(ctx, names)
		}
		if op != "check" && !x.w.inside {
			if err := x.h.s.readOnly(ctx); err != nil {
				return err
			}
		}
		if err := x.commitFirst(ctx); err != nil { // a check would wait for the session's own locks
			return err
		}
		var rows [][]any
		for _, n := range names {
			rows = append(rows, x.maintain(ctx, op, n)...)
		}
		return x.table(ctx, textColumns("Table", "Op", "Msg_type", "Msg_text"), rows)
	}
}

// tableName is a qualified table.
type tableName struct{ db, name string }

func (t tableName) String() string { return t.db + "." + t.name }

func (t tableName) quoted() string {
	q := func(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }
	return q(t.db) + "." + q(t.name)
}

// tableNames parses "a, b.c [options]".
func tableNames(list, db string) ([]tableName, error) {
	nodes, err := parseFully("DROP TABLE " + cutOptions(list))
	if err != nil || len(nodes) != 1 {
		return nil, sqllayer.NewError(1064, "%s", syntaxErrorText(list, 0))
	}
	drop, ok := nodes[0].(*ast.DropTableStmt)
	if !ok {
		return nil, sqllayer.NewError(1064, "%s", syntaxErrorText(list, 0))
	}
	var out []tableName
	for _, t := range drop.Tables {
		n := tableName{t.Schema.O, t.Name.O}
		if n.db == "" {
			n.db = db
		}
		if n.db == "" {
			return nil, sqllayer.NewError(1046, "No database selected")
		}
		out = append(out, n)
	}
	return out, nil
}

// cutOptions removes what may follow the names: QUICK, FAST, MEDIUM, EXTENDED, CHANGED, FOR UPGRADE, USE_FRM.
func cutOptions(list string) string {
	for {
		trimmed := strings.TrimRight(list, " \t\r\n;")
		up := strings.ToUpper(trimmed)
		cut := false
		for _, o := range []string{" QUICK", " FAST", " MEDIUM", " EXTENDED", " CHANGED", " FOR UPGRADE", " USE_FRM"} {
			if strings.HasSuffix(up, o) {
				list, cut = trimmed[:len(trimmed)-len(o)], true
			}
		}
		if !cut {
			return trimmed
		}
	}
}

// maintain does one table's part of CHECK, REPAIR or OPTIMIZE.
func (x *execution) maintain(ctx *sql.Context, op string, t tableName) [][]any {
	fail := func(err error) [][]any {
		return [][]any{{t, op, "Error", sqllayer.Translate(err, t.db).Message}, {t, op, "status", "Operation failed"}}
	}
	if t.db == dict.SystemSchema { // what belongs to no table; see engine.CheckTable
		if err := x.need(ctx, "SUPER", sql.PrivilegeType_Super); err != nil {
			return fail(err)
		}
		if op != "check" {
			return fail(sqllayer.NewError(1146, "Table '%s' doesn't exist", t))
		}
		return x.checkTable(ctx, t)
	}
	if _, err := x.rowsOf(ctx, "SELECT 1 FROM "+t.quoted()+" LIMIT 0"); err != nil {
		return fail(err)
	}
	if s, ok := x.w.session.(*sqllayer.Session); ok && (op == "optimize" || op == "repair") {
		if err := s.MayFlush(t.db, t.name); err != nil {
			return fail(err)
		}
	}
	switch op {
	case "analyze":
		if _, err := x.rowsOf(ctx, "ANALYZE TABLE "+t.quoted()); err != nil {
			return fail(err)
		}
		return [][]any{{t, op, "status", "OK"}}
	case "repair":
		return [][]any{{t, op, "note", "The storage engine for the table doesn't support repair"}}
	case "optimize":
		if _, err := x.rowsOf(ctx, "ANALYZE TABLE "+t.quoted()); err != nil {
			return fail(err)
		}
		return [][]any{{t, op, "note", "Table does not support optimize, doing analyze instead"}, {t, op, "status", "OK"}}
	}
	return x.checkTable(ctx, t)
}

// checkTable verifies a table, if the backend can: a row for each fault, and the verdict.
func (x *execution) checkTable(ctx *sql.Context, t tableName) [][]any {
	unsupported := [][]any{{t, "check", "note", "The storage engine for the table doesn't support check"}}
	c, ok := x.h.s.backend.(interface {
		CheckTable(ctx context.Context, schema, table string) (faults []error, err error)
	})
	if !ok {
		return unsupported
	}
	faults, err := c.CheckTable(ctx, t.db, t.name)
	var rows [][]any
	switch {
	case errors.Is(err, base.ErrNotFound): // readable, and no table of the engine: a view, a system table
		return unsupported
	case err != nil:
		return [][]any{{t, "check", "Error", sqllayer.Translate(err, t.db).Message}, {t, "check", "status", "Operation failed"}}
	case len(faults) == 0:
		return [][]any{{t, "check", "status", "OK"}}
	}
	for _, f := range faults {
		rows = append(rows, []any{t, "check", "error", f.Error()})
	}
	return append(rows, []any{t, "check", "error", "Corrupt"})
}

// mayMaintain asks for SELECT on a table, and for INSERT where its statistics or rows may change.
func (x *execution) mayMaintain(ctx *sql.Context, op string, t tableName) error {
	if t.db == dict.SystemSchema {
		return nil // see maintain
	}
	kinds := []sql.PrivilegeType{sql.PrivilegeType_Select, sql.PrivilegeType_Insert}
	if op == "check" || op == "checksum" {
		kinds = kinds[:1]
	}
	return sqllayer.MayOnTable(ctx, t.db, t.name, kinds...)
}

// checksum is CHECKSUM TABLE: the sum of the CRC-32 of every row's text, independent of row order. It compares tables of Ember servers.
func (x *execution) checksum(ctx *sql.Context, names []tableName) error {
	var rows [][]any
	for _, t := range names {
		var value any
		in := x.nested(ctx)
		err := withAllRights(ctx, func() error { // SELECT on one column was enough
			_, iter, _, err := x.h.e.Query(in, "SELECT * FROM "+t.quoted())
			if err != nil {
				return err
			}
			sum, err := sumRows(in, iter)
			if err == nil {
				value = sum
			}
			return err
		})
		if err != nil && ctx.Err() != nil {
			return err
		}
		if err != nil {
			e := sqllayer.Translate(err, t.db)
			ctx.Session.Warn(&sql.Warning{Level: "Error", Code: e.Num, Message: e.Message})
		}
		rows = append(rows, []any{t, value})
	}
	return x.table(ctx, []column{{name: "Table"}, {"Checksum", querypb.Type_UINT64}}, rows)
}

// withAllRights runs f with every right.
func withAllRights(ctx *sql.Context, f func() error) error {
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		return s.WithAllRights(f)
	}
	return f()
}

func sumRows(ctx *sql.Context, iter sql.RowIter) (sum uint32, err error) {
	defer func() {
		if cerr := iter.Close(ctx); err == nil {
			err = cerr
		}
	}()
	var b []byte
	for {
		row, err := iter.Next(ctx)
		if err != nil {
			if err == io.EOF {
				return sum, nil
			}
			return 0, err
		}
		b = b[:0]
		for _, v := range row {
			if v, err = sql.UnwrapAny(ctx, v); err != nil {
				return 0, err
			}
			b = append(fmt.Append(b, v), 0)
		}
		sum += crc32.ChecksumIEEE(b)
	}
}
