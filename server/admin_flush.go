package server

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/engine"
	"emberdb/engine/dict"
	"emberdb/internal/base"
	"emberdb/server/grants"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/sqlerr"
)

// FLUSH and table maintenance.

// flush is FLUSH of anything but tables.
func (x *execution) flush(ctx *sql.Context, n *ast.Flush) error {
	for _, item := range n.Items {
		if err := x.mayFlush(ctx, flushRights[item.Kind]); err != nil {
			return err
		}
	}
	for _, item := range n.Items {
		if err := x.flushItem(ctx, item.Kind); err != nil {
			return err
		}
	}
	return nil
}

// flushRights are the privileges that stand for RELOAD in some options.
var flushRights = map[ast.FlushKind]string{ast.FlushStatus: "FLUSH_STATUS", ast.FlushPrivileges: "FLUSH_PRIVILEGES",
	ast.FlushUserResources: "FLUSH_USER_RESOURCES", ast.FlushOptimizerCosts: "FLUSH_OPTIMIZER_COSTS"}

// mayFlush asks for RELOAD or the privilege that stands for it.
func (x *execution) mayFlush(ctx *sql.Context, or string) error {
	if set := x.h.s.rights(ctx); set.Has(sql.PrivilegeType_Reload) || or != "" && set.HasDynamic(or) {
		return nil
	}
	if or != "" {
		or = " or " + or
	}
	return grants.Missing("RELOAD" + or)
}

// flushTables: definitions and pages are never stale here, so only the locks matter. FOR EXPORT
// locks as WITH READ LOCK does: files of tables are no tablespaces that another server could
// import, so there are none to describe in a .cfg.
func (x *execution) flushTables(ctx *sql.Context, n *ast.FlushTables) error {
	names, err := x.namesOf(ctx, n.Tables)
	if err != nil {
		return err
	}
	locks := n.ReadLock || n.Export
	if err := x.flushLocked(names, locks); err != nil {
		return err
	}
	if err := x.mayFlush(ctx, "FLUSH_TABLES"); err != nil {
		return err
	}
	for _, t := range names {
		if !locks {
			break
		}
		if err := sqllayer.MayOnDatabase(ctx, t.db, sql.PrivilegeType_LockTables); err != nil {
			return err
		}
		if err := sqllayer.MayOnTable(ctx, t.db, t.name, sql.PrivilegeType_Select); err != nil {
			return err
		}
	}
	x.h.s.counters.flushedTables.Add(1)
	switch {
	case !locks:
		x.rewindTableHandlers(names)
		return nil
	case len(names) == 0:
		return x.h.s.flushLock.take(ctx, x.w, x.program)
	}
	list := make([]string, len(names))
	for i, t := range names {
		list[i] = t.quoted() + " READ"
	}
	return x.viaLayer(ctx, "LOCK TABLES "+strings.Join(list, ", "), nil)
}

// flushLocked refuses what FLUSH TABLES must not do in a session under LOCK TABLES.
func (x *execution) flushLocked(names []tableName, locks bool) error {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok || !s.UnderLocks() {
		return nil
	}
	if locks {
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

func (x *execution) flushItem(ctx *sql.Context, kind ast.FlushKind) error {
	s := x.h.s
	switch kind {
	case ast.FlushPrivileges:
		if err := x.loadGrantTables(ctx); err != nil {
			return err
		}
		s.accounts.open.Store(false)
		s.sha2.clear()
		s.usage.ForgiveAll()
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1681, Message: "'FLUSH PRIVILEGES' is deprecated and will be removed in a future release."})
	case ast.FlushUserResources:
		s.usage.Reset()
	case ast.FlushStatus:
		s.status.flush()
		x.w.flushSession()
	case ast.FlushBinaryLogs:
		return s.rotateBinlog()
	case ast.FlushLogs:
		if err := s.rotateBinlog(); err != nil {
			return err
		}
		return s.FlushLogs()
	case ast.FlushEngineLogs, ast.FlushErrorLogs, ast.FlushGeneralLogs, ast.FlushSlowLogs:
		return s.FlushLogs()
	}
	return nil
}

// FlushLogs reopens the general and slow log after they were moved away.
func (s *Server) FlushLogs() error { return s.logs.flush() }

// maintenance are the words of what is done to tables.
var maintenance = [...]string{ast.AnalyzeTable: "analyze", ast.CheckTable: "check", ast.ChecksumTable: "checksum", ast.OptimizeTable: "optimize", ast.RepairTable: "repair"}

// maintainTables is ANALYZE, CHECK, REPAIR, OPTIMIZE and CHECKSUM TABLE, but for histograms.
func (x *execution) maintainTables(ctx *sql.Context, n *ast.MaintainTables) error {
	names, err := x.namesOf(ctx, n.Tables)
	if err != nil {
		return err
	}
	op := maintenance[n.What]
	for _, t := range names {
		if err := x.mayMaintain(ctx, op, t); err != nil {
			return err
		}
	}
	if n.What == ast.ChecksumTable {
		return x.checksum(ctx, names)
	}
	var rows [][]any
	for _, t := range names {
		rows = append(rows, x.maintain(ctx, op, t)...)
	}
	return x.table(ctx, maintenanceColumns(), rows)
}

// maintenanceColumns are those of ANALYZE, CHECK, OPTIMIZE and REPAIR TABLE.
func maintenanceColumns() []column {
	return []column{{name: "Table", width: 128, null: true}, {name: "Op", width: 10, null: true}, {name: "Msg_type", width: 10, null: true}, {name: "Msg_text", typ: querypb.Type_TEXT, null: true}}
}

// partMaintenance are the words of what is done to partitions.
var partMaintenance = map[ast.PartitionActionKind]string{ast.AnalyzePartition: "analyze", ast.CheckPartition: "check",
	ast.OptimizePartition: "optimize", ast.RepairPartition: "repair"}

// maintainParts is ALTER TABLE ... ANALYZE, CHECK, OPTIMIZE or REPAIR PARTITION. All of the table is
// looked at.
func (x *execution) maintainParts(ctx *sql.Context, n *ast.AlterTable) error {
	t, err := x.nameOf(ctx, &n.Table)
	if err != nil {
		return err
	}
	op := partMaintenance[n.Tail.Kind]
	if err := x.mayMaintain(ctx, op, t); err != nil {
		return err
	}
	columns := maintenanceColumns()
	if err := infoschema.KnowsParts(ctx, t.db, t.name, n.Tail); err != nil {
		return x.table(ctx, columns, [][]any{{t, op, "Error", sqlerr.Translate(err, t.db).Message}, {t, op, "status", "Operation failed"}})
	}
	rows := x.maintain(ctx, op, t)
	if last := rows[len(rows)-1]; last[2] == "note" || last[3] == "OK" {
		rows = [][]any{{t, op, "status", "OK"}}
		if op == "optimize" {
			note := "Table does not support optimize on partitions. All partitions will be rebuilt and analyzed."
			rows = [][]any{{t, op, "note", note}, rows[0]}
		}
	}
	return x.table(ctx, columns, rows)
}

// tableName is a qualified table.
type tableName struct{ db, name string }

func (t tableName) String() string { return t.db + "." + t.name }

func (t tableName) quoted() string {
	return quoteIdent(t.db) + "." + quoteIdent(t.name)
}

// quoteIdent quotes a name.
func quoteIdent(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }

// maintain does one table's part of CHECK, REPAIR or OPTIMIZE.
func (x *execution) maintain(ctx *sql.Context, op string, t tableName) [][]any {
	fail := func(err error) [][]any {
		return [][]any{{t, op, "Error", sqlerr.Translate(err, t.db).Message}, {t, op, "status", "Operation failed"}}
	}
	if t.db == dict.SystemSchema { // what belongs to no table; see engine.CheckTable
		if err := x.need(ctx, "SUPER", sql.PrivilegeType_Super); err != nil {
			return fail(err)
		}
		if op != "check" {
			return fail(sqlerr.NewError(1146, "Table '%s' doesn't exist", t))
		}
		return x.checkTable(ctx, t)
	}
	if _, err := x.rowsOf(ctx, "SELECT 1 FROM "+t.quoted()+" LIMIT 0"); err != nil {
		return fail(err)
	}
	if s, ok := x.w.session.(*sqllayer.Session); ok && s.IsView(ctx, t.db, t.name) {
		if op == "check" { // its SELECT was planned above
			return [][]any{{t, op, "status", "OK"}}
		}
		return fail(sqlerr.NewError(1347, "'%s' is not BASE TABLE", t))
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
		if err := x.renewHistograms(ctx, t); err != nil {
			return fail(err)
		}
		return [][]any{{t, op, "status", "OK"}}
	case "repair":
		return [][]any{{t, op, "note", "The storage engine for the table doesn't support repair"}}
	case "optimize":
		if _, err := x.rowsOf(ctx, "ALTER TABLE "+t.quoted()+" FORCE"); err != nil {
			return fail(err)
		}
		if _, err := x.rowsOf(ctx, "ANALYZE TABLE "+t.quoted()); err != nil {
			return fail(err)
		}
		return [][]any{{t, op, "note", "Table does not support optimize, doing recreate + analyze instead"}, {t, op, "status", "OK"}}
	}
	return x.checkTable(ctx, t)
}

// checkTable verifies a table, if the backend can: a row for each fault, and the verdict.
func (x *execution) checkTable(ctx *sql.Context, t tableName) [][]any {
	unsupported := [][]any{{t, "check", "note", "The storage engine for the table doesn't support check"}}
	c, ok := x.h.s.backend.(interface {
		CheckTable(ctx context.Context, schema, table string) (engine.Report, error)
	})
	if !ok {
		return unsupported
	}
	found, err := c.CheckTable(ctx, t.db, t.name)
	var rows [][]any
	switch {
	case errors.Is(err, base.ErrNotFound): // readable, and no table of the engine: a view, a system table
		return unsupported
	case err != nil:
		return [][]any{{t, "check", "Error", sqlerr.Translate(err, t.db).Message}, {t, "check", "status", "Operation failed"}}
	case len(found.Faults) == 0 && found.Outdated:
		return [][]any{{t, "check", "error", fmt.Sprintf("Table rebuild required. Please do \"ALTER TABLE `%s` FORCE\" or dump/reload to fix it!", t.name)}}
	case len(found.Faults) == 0:
		return [][]any{{t, "check", "status", "OK"}}
	}
	for _, f := range found.Faults {
		rows = append(rows, []any{t, "check", "error", f.Error()})
	}
	return append(rows, []any{t, "check", "error", "Corrupt"})
}

// mayMaintain asks for SELECT on a table, and for INSERT where its statistics or rows may change. Any
// right that was granted on the very table is enough to check it.
func (x *execution) mayMaintain(ctx *sql.Context, op string, t tableName) error {
	if t.db == dict.SystemSchema {
		return nil // see maintain
	}
	if op == "check" && sqllayer.SeesTable(ctx, t.db, t.name) {
		return nil
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
			e := sqlerr.Translate(err, t.db)
			ctx.Session.Warn(&sql.Warning{Level: "Error", Code: e.Num, Message: e.Message})
		}
		rows = append(rows, []any{t, value})
	}
	return x.table(ctx, []column{{name: "Table", width: 384, null: true}, {name: "Checksum", typ: querypb.Type_INT64, width: 22, null: true}}, rows)
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
