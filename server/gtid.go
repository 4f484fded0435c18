package server

// GTIDs as clients see them: gtid_mode, gtid_next, gtid_purged, enforce_gtid_consistency.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/binlog"
	"emberdb/engine"
	"emberdb/server/logs"
	"emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

var gtidModes = map[string]engine.GTIDMode{
	"OFF": engine.GTIDOff, "OFF_PERMISSIVE": engine.GTIDOffPermissive, "ON_PERMISSIVE": engine.GTIDOnPermissive, "ON": engine.GTIDOn,
}

// setGTIDMode changes gtid_mode, a step at a time.
func setGTIDMode(s *Server, v any) error {
	e := s.backend.Engine()
	if e == nil {
		return nil
	}
	to, from := gtidModes[v.(string)], e.GTIDMode()
	if s.ready.Load() {
		if to > from+1 || from > to+1 {
			return sqlerr.NewError(1788, "The value of @@GLOBAL.GTID_MODE can only be changed one step at a time: OFF <-> OFF_PERMISSIVE <-> ON_PERMISSIVE <-> ON. Also note that this value must be stepped up or down simultaneously on all servers. See the Manual for instructions.")
		}
		if to == engine.GTIDOn && !s.globals.gtidConsistent.Load() { // the registry is locked here
			return sqlerr.NewError(3111, "SET @@GLOBAL.GTID_MODE = ON is not allowed because ENFORCE_GTID_CONSISTENCY is not ON.")
		}
	}
	err := e.SetGTIDMode(to)
	if errors.Is(err, binlog.ErrOwned) {
		why := "there are ongoing, anonymous transactions. Before setting @@GLOBAL.GTID_MODE = ON, wait until SHOW STATUS LIKE 'ANONYMOUS_TRANSACTION_COUNT' shows zero on all servers. Then wait for all existing, anonymous transactions to replicate to all replicas, and then execute SET @@GLOBAL.GTID_MODE = ON on all servers. See the Manual for details"
		if to == engine.GTIDOff {
			why = "there are ongoing transactions that have a GTID. Before you set @@GLOBAL.GTID_MODE = OFF, wait until SELECT @@GLOBAL.GTID_OWNED is empty on all servers. Then wait for all GTID-transactions to replicate to all servers, and then execute SET @@GLOBAL.GTID_MODE = OFF on all servers. See the Manual for details"
		}
		return sqlerr.NewError(3111, "SET @@GLOBAL.GTID_MODE = %s is not allowed because %s.", v, why)
	}
	return err
}

// setConsistency is enforce_gtid_consistency. Rows are logged as rows and tables are transactional,
// so no statement breaks the rules it stands for.
func setConsistency(s *Server, v any) error {
	if e := s.backend.Engine(); e != nil && s.ready.Load() && e.GTIDMode() == engine.GTIDOn && v.(string) != "ON" {
		return sqlerr.NewError(1779, "GTID_MODE = ON requires ENFORCE_GTID_CONSISTENCY = ON.")
	}
	s.globals.gtidConsistent.Store(v.(string) == "ON")
	return nil
}

// ownedText is gtid_owned: each name with the session that has taken it.
func ownedText(l *binlog.Log) string {
	var list []string
	for g, session := range l.Owned() {
		list = append(list, fmt.Sprintf("%s#%d", g, session))
	}
	slices.Sort(list)
	return strings.Join(list, ",\n")
}

// setGTIDPurged is SET GLOBAL gtid_purged. A set that begins with a plus is added.
func (x *execution) setGTIDPurged(ctx *sql.Context, value ast.Expr) error {
	if err := x.needDynamic(ctx, "SYSTEM_VARIABLES_ADMIN"); err != nil {
		return err
	}
	rows, err := x.rowsOf(ctx, "SELECT "+x.printed(value))
	if err != nil {
		return err
	}
	text := fmt.Sprint(rows[0][0])
	wrong := func(why string) error {
		return sqlerr.NewError(3546, "@@GLOBAL.GTID_PURGED cannot be changed: %s", why)
	}
	body, plus := strings.CutPrefix(strings.TrimSpace(text), "+")
	set, err := binlog.ParseSet(body)
	if err != nil {
		return sqlerr.NewError(1231, "Variable 'gtid_purged' can't be set to the value of '%s'", text)
	}
	l := x.h.s.binlog()
	if l == nil {
		return wrong("the binary log is off")
	}
	executed, purged := l.Executed(), l.Purged()
	if plus {
		if set.Intersects(executed) {
			return wrong("the added gtid set must not overlap with @@GLOBAL.GTID_EXECUTED")
		}
		set.Union(purged)
		return l.SetPurged(set)
	}
	if !set.ContainsSet(purged) {
		return wrong("the new value must be a superset of the old value")
	}
	executed.Subtract(purged)
	if set.Intersects(executed) {
		return wrong("the new value must not overlap with the GTIDs that were executed here")
	}
	return l.SetPurged(set)
}

// checkLogSetting judges SET of variables of the log whose change depends on what the session is
// doing.
func checkLogSetting(s *Server, ctx *sql.Context, name string, global bool, v any) error {
	session, ok := ctx.Session.(*sqllayer.Session)
	if !ok {
		return nil
	}
	if err := logs.CheckLogName(name, fmt.Sprint(v)); err != nil {
		return err
	}
	inTransaction := ctx.GetTransaction() != nil && session.Transaction().Active
	switch name {
	case "read_only", "super_read_only":
		if inTransaction {
			return sqlerr.NewError(1192, "Can't execute the given command because you have active locked tables or an active transaction")
		}
	case "sql_log_bin":
		if inTransaction {
			return sqlerr.NewError(1694, "Cannot modify @@session.sql_log_bin inside a transaction")
		}
	case "binlog_format":
		switch {
		case global:
		case session.HasTemporary():
			return sqlerr.NewError(3745, "Changing @@session.binlog_format is disallowed when the session has open temporary table(s). "+
				"You could wait until these temporary table(s) are dropped and try again.")
		case inTransaction:
			return sqlerr.NewError(1679, "Cannot modify @@session.binlog_format inside a transaction")
		}
	case "binlog_row_value_options", "binlog_transaction_compression", "binlog_transaction_compression_level_zstd":
		if inTransaction && !global {
			return sqlerr.NewError(1766, "The system variable %s cannot be set when there is an ongoing transaction.", name)
		}
	case "gtid_mode":
		if inTransaction {
			return sqlerr.NewError(1766, "The system variable gtid_mode cannot be set when there is an ongoing transaction.")
		}
		if owner := session.OwnsGTID(); owner != "" {
			return sqlerr.NewError(3138, "Variable gtid_mode cannot be changed by a client that owns a GTID. The client owns %s. Ownership is released on COMMIT or ROLLBACK.", owner)
		}
	case "gtid_next":
		if inTransaction {
			return sqlerr.NewError(1766, "The system variable gtid_next cannot be set when there is an ongoing transaction.")
		}
		return s.setGTIDNext(ctx, session, v)
	}
	return nil
}

// setGTIDNext is SET gtid_next.
func (s *Server) setGTIDNext(ctx *sql.Context, session *sqllayer.Session, v any) error {
	mode, text := engine.GTIDOff, fmt.Sprint(v)
	if e := s.backend.Engine(); e != nil {
		mode = e.GTIDMode()
	}
	next, ok := sqllayer.ParseGTIDNext(text)
	switch {
	case !ok:
		return sqlerr.NewError(1774, "Malformed GTID specification '%s'.", text)
	case next.Kind == sqllayer.NextAnonymous && mode == engine.GTIDOn:
		return sqlerr.NewError(1782, "@@SESSION.GTID_NEXT cannot be set to ANONYMOUS when @@GLOBAL.GTID_MODE = ON.")
	case next.Kind == sqllayer.NextNamed && mode == engine.GTIDOff:
		return sqlerr.NewError(1781, "@@SESSION.GTID_NEXT cannot be set to UUID:NUMBER when @@GLOBAL.GTID_MODE = OFF.")
	case next.GTID.Source.Tag != (binlog.Tag{}):
		if err := s.mayTag(ctx); err != nil {
			return err
		}
	}
	return session.SetNextGTID(next)
}

// mayTag asks for the privilege that names with tags need beside those gtid_next needs.
func (s *Server) mayTag(ctx *sql.Context) error {
	if s.hasAdmin(ctx, "transaction_gtid_tag") {
		return nil
	}
	return sqlerr.NewError(6038, "Access denied; you need the TRANSACTION_GTID_TAG and at least one of the: SYSTEM_VARIABLES_ADMIN, SESSION_VARIABLES_ADMIN or REPLICATION_APPLIER privilege(s) for this operation")
}

// passGTID judges the statement by gtid_next; skipped: it belongs to a transaction that was
// executed already.
func (x *execution) passGTID(ctx *sql.Context) (skipped bool, err error) {
	s, ok := ctx.Session.(*sqllayer.Session)
	if !ok || !s.NamesGTID() {
		return false, nil
	}
	skip, err := s.PassGTID(ctx, x.gtidVerb())
	if err != nil || !skip {
		return false, err
	}
	return true, x.ok(ctx, 0)
}

// gtidVerb tells what gtid_next must know of the statement.
func (x *execution) gtidVerb() sqllayer.GTIDVerb {
	switch n := x.stmt.Tree.(type) {
	case *ast.Query, *ast.Show, *ast.ShowCreate, *ast.ShowEngine, *ast.ShowGrants, *ast.ShowProfile, *ast.Use, *ast.Do, *ast.Explain,
		*ast.Describe, *ast.Begin, *ast.Set, *ast.SetTransaction, *ast.SetResourceGroup, *ast.StartReplica, *ast.GroupReplication:
		return sqllayer.GTIDHarmless
	case *ast.SetRole:
		if n.To == nil {
			return sqllayer.GTIDHarmless
		}
	case *ast.Flush, *ast.FlushTables, *ast.Reset:
		return sqllayer.GTIDImplicitCommit
	case *ast.MaintainTables:
		if n.What != ast.ChecksumTable {
			return sqllayer.GTIDImplicitCommit
		}
	case *ast.EndTransaction:
		if n.Rollback {
			return sqllayer.GTIDRollback
		}
		return sqllayer.GTIDCommit
	}
	if x.stmt.Any(effect.Defines|effect.Accounts) && x.stmt.Has(effect.Changes) { // not of a temporary table
		return sqllayer.GTIDImplicitCommit
	}
	return sqllayer.GTIDOther
}
