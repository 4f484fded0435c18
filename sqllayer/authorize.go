package sqllayer

// The rights that a statement needs before its columns are known. GMS's planner asks here for each
// object that the statement names. What needs the bound plan, the columns above all, is asked for
// in demands.go. Statements that the server runs itself ask through privileges.go.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// Authorizer answers GMS's planner. Sessions of another library, and layers as GMS has them, are
// left to GMS's handler; so are statements about accounts.
type Authorizer struct{ sql.AuthorizationHandler }

// librarysTypes are the library's types for those that it does not know.
var librarysTypes = map[string]string{trees.AuthSelectAll: ast.AuthType_SELECT, trees.AuthInsertAll: ast.AuthType_INSERT, trees.AuthUpsert: ast.AuthType_INSERT, trees.AuthUpsertAll: ast.AuthType_INSERT, trees.AuthUpdateSeveral: ast.AuthType_UPDATE, trees.AuthDeleteSeveral: ast.AuthType_SELECT,
	trees.AuthAlterIndex: ast.AuthType_INDEX, trees.AuthProgramIndex: ast.AuthType_INDEX, trees.AuthReferenceSystem: ast.AuthType_INSERT}

// HandleAuth implements sql.AuthorizationHandler.
func (a Authorizer) HandleAuth(ctx *sql.Context, state sql.AuthorizationQueryState, auth ast.AuthInformation) error {
	s := SessionOf(ctx)
	if s == nil || s.layer == nil || !s.layer.checksRights() || s.layer.Opts.Plain {
		if known, own := librarysTypes[auth.AuthType]; own {
			auth.AuthType = known
		}
		return a.AuthorizationHandler.HandleAuth(ctx, state, auth)
	}
	if state != nil && state.Error() != nil {
		return state.Error()
	}
	if err := ctx.Err(); err != nil {
		return err // the statement ends: plans of many queries are made query by query
	}
	if _, ok := auth.Extra.(trees.Explained); ok {
		s.Explains = true
	}
	d := Demand{ctx, s, PrivilegesOf(ctx), auth}
	d.noteWhole()
	err := d.inNewView()
	if err == nil {
		err = d.check(a)
	}
	if err != nil {
		return s.ViewError(err)
	}
	through, ok := auth.Extra.(trees.ThroughView)
	if !ok {
		return nil
	}
	return s.ViewError(s.mayWrite(ctx, through, needs[auth.AuthType]...))
}

// CheckDatabase implements sql.AuthorizationHandler.
func (a Authorizer) CheckDatabase(ctx *sql.Context, state sql.AuthorizationQueryState, db string) error {
	s := SessionOf(ctx)
	if s == nil || s.layer == nil || s.layer.Opts.Plain {
		return a.AuthorizationHandler.CheckDatabase(ctx, state, db)
	}
	if PrivilegesOf(ctx).seesDatabase(db) {
		return nil
	}
	return s.databaseDenied(db)
}

// CheckSchema implements sql.AuthorizationHandler.
func (a Authorizer) CheckSchema(ctx *sql.Context, state sql.AuthorizationQueryState, db, _ string) error {
	return a.CheckDatabase(ctx, state, db)
}

// CheckTable implements sql.AuthorizationHandler. Planning opens tables for statements whose rights
// were asked for; listings show those that the session sees.
func (a Authorizer) CheckTable(ctx *sql.Context, state sql.AuthorizationQueryState, db, schema, table string) error {
	s := SessionOf(ctx)
	if s == nil || s.layer == nil || s.layer.Opts.Plain {
		return a.AuthorizationHandler.CheckTable(ctx, state, db, schema, table)
	}
	if !isListing(ctx) || PrivilegesOf(ctx).SeesTable(db, table) {
		return nil
	}
	return s.CommandDenied("SELECT", table)
}

// Demand is one question of the planner.
type Demand struct {
	Ctx  *sql.Context
	S    *Session
	P    Privileges
	auth ast.AuthInformation
}

// needs are the rights on a table or view that statements ask for, also of the definers of the
// views between.
var needs = map[string][]sql.PrivilegeType{
	trees.AuthSelectAll: {sql.PrivilegeType_Select}, trees.AuthInsertAll: {sql.PrivilegeType_Insert}, trees.AuthUpsert: {sql.PrivilegeType_Insert, sql.PrivilegeType_Update},
	trees.AuthUpsertAll: {sql.PrivilegeType_Insert, sql.PrivilegeType_Update},
	ast.AuthType_SELECT: {sql.PrivilegeType_Select}, ast.AuthType_INSERT: {sql.PrivilegeType_Insert}, ast.AuthType_REPLACE: {sql.PrivilegeType_Insert, sql.PrivilegeType_Delete},
	ast.AuthType_UPDATE: {sql.PrivilegeType_Update}, ast.AuthType_DELETE: {sql.PrivilegeType_Delete}, trees.AuthDeleteSeveral: {sql.PrivilegeType_Select},
	ast.AuthType_ALTER: {sql.PrivilegeType_Alter}, trees.AuthAlterIndex: {sql.PrivilegeType_Alter}, trees.AuthProgramIndex: {sql.PrivilegeType_Alter, sql.PrivilegeType_Index}, ast.AuthType_FOREIGN_KEY: {sql.PrivilegeType_Alter},
	ast.AuthType_INDEX: {sql.PrivilegeType_Index}, ast.AuthType_DROP: {sql.PrivilegeType_Drop},
}

// check refuses what the session may not do.
func (d *Demand) check(library Authorizer) error {
	switch t := d.auth.AuthType; t {
	case ast.AuthType_IGNORE:
		return nil
	case trees.AuthUpdateSeveral:
		return d.tables(func(db, table string) error {
			if d.P.InTable(db, table, sql.PrivilegeType_Update) {
				return nil
			}
			return d.Table(db, table, sql.PrivilegeType_Select)
		})
	case ast.AuthType_CREATE, ast.AuthType_CREATE_TEMP, ast.AuthType_CREATE_VIEW, ast.AuthType_DROP, ast.AuthType_RENAME, ast.AuthType_TRIGGER,
		ast.AuthType_CREATE_ROUTINE, ast.AuthType_ALTER_ROUTINE, ast.AuthType_EVENT, ast.AuthType_ALTER, ast.AuthType_FOREIGN_KEY:
		return d.definition()
	case ast.AuthType_LOCK:
		return d.tables(func(db, table string) error {
			if !d.P.on(db, sql.PrivilegeType_LockTables) {
				return d.S.databaseDenied(db)
			}
			return d.Table(db, table, sql.PrivilegeType_Select)
		})
	case ast.AuthType_CALL:
		return d.S.mayRoutine(d.Ctx, "execute", sql.PrivilegeType_Execute, d.auth.TargetNames[0], d.auth.TargetNames[1], true)
	case ast.AuthType_FILE:
		return d.file()
	case ast.AuthType_VISIBLE:
		for _, db := range d.auth.TargetNames {
			if db = d.Database(db); !d.P.seesDatabase(db) {
				return d.S.databaseDenied(db)
			}
		}
		return nil
	case ast.AuthType_SHOW, ast.AuthType_SHOW_CREATE_PROCEDURE:
		if show, ok := d.auth.Extra.(*ast.Show); ok {
			return d.show(show)
		}
		return nil
	case trees.AuthReferenceSystem:
		replaces := false
		if n, ok := d.auth.Extra.(*ast.CreateSpatialRefSys); ok {
			replaces = n.OrReplace
		}
		return d.referenceSystem(map[bool]string{false: "CREATE ", true: "CREATE OR REPLACE "}[replaces])
	case ast.AuthType_PROCESS: // lists the session's own without it
		return nil
	case ast.AuthType_RELOAD:
		return d.server(sql.PrivilegeType_Reload, "RELOAD")
	case ast.AuthType_SUPER:
		return d.server(sql.PrivilegeType_Super, "SUPER")
	case ast.AuthType_REPLICATION_CLIENT:
		if d.P.Global(sql.PrivilegeType_ReplicationClient) {
			return nil
		}
		return d.server(sql.PrivilegeType_Super, "SUPER, REPLICATION CLIENT")
	case ast.AuthType_REPLICATION:
		if d.P.admin("replication_slave_admin") {
			return nil
		}
		return OperationDenied("SUPER or REPLICATION_SLAVE_ADMIN")
	case ast.AuthType_BINLOG:
		if d.P.admin("binlog_admin", "replication_applier") {
			return nil
		}
		return OperationDenied("SUPER, BINLOG_ADMIN or REPLICATION_APPLIER")
	default:
		kinds, ok := needs[t]
		if !ok || d.auth.TargetType == ast.AuthTargetType_DatabaseIdentifiers {
			return library.AuthorizationHandler.HandleAuth(d.Ctx, nil, d.auth) // about accounts
		}
		return d.tables(func(db, table string) error { return d.Table(db, table, kinds...) })
	}
}

// Whole is a table that a statement names without columns: a right on one of them that is missing
// is told of as one on the table.
type Whole struct {
	Table tabledef.TableName
	Kind  sql.PrivilegeType
}

var wholes = map[string]sql.PrivilegeType{trees.AuthSelectAll: sql.PrivilegeType_Select, trees.AuthInsertAll: sql.PrivilegeType_Insert, trees.AuthUpsertAll: sql.PrivilegeType_Insert}

// noteWhole notes such a table for the columns' check. Who has the right on the table itself needs
// none.
func (d *Demand) noteWhole() {
	kind, ok := wholes[d.auth.AuthType]
	if !ok || d.P.All || len(d.auth.TargetNames) < 2 {
		return
	}
	t := tabledef.TableName{Schema: d.Database(d.auth.TargetNames[0]), Name: d.auth.TargetNames[1]}
	if !d.P.OnTable(t.Schema, t.Name, kind) {
		d.S.Wholes = append(d.S.Wholes, Whole{t, kind})
	}
}

// tables asks for each table that the grammar has noted.
func (d *Demand) tables(ask func(db, table string) error) error {
	names := d.auth.TargetNames
	for i := 0; i+1 < len(names); i += 2 {
		if err := ask(d.Database(names[i]), names[i+1]); err != nil {
			return err
		}
		if d.auth.TargetType != ast.AuthTargetType_MultipleTableIdentifiers {
			break
		}
	}
	return nil
}

func (d *Demand) Database(name string) string {
	switch name {
	case "":
		return d.Ctx.GetCurrentDatabase()
	case SystemSchema:
		return "mysql"
	}
	return name
}

// Table asks for rights on a table, or on some of its columns where the bound plan tells which.
func (d *Demand) Table(db, table string, kinds ...sql.PrivilegeType) error {
	if db == "" {
		return nil // that none is selected is told later
	}
	reads := len(kinds) == 1 && kinds[0] == sql.PrivilegeType_Select
	switch {
	case IsInformationSchema(db) && reads:
		return nil
	case IsInformationSchema(db):
		return d.S.databaseDenied(db)
	case strings.EqualFold(db, PerformanceSchema) && kinds[0] == sql.PrivilegeType_Create:
		return d.S.databaseDenied(db)
	}
	if _, own := d.S.Temps.Lookup(db, table); own {
		return nil // who made it may do everything with it
	}
	if missing := d.P.lacking(db, table, kinds...); len(missing) > 0 {
		return d.S.TableDenied(table, missing...)
	}
	return nil
}

// server asks for a right on the whole server.
func (d *Demand) server(kind sql.PrivilegeType, words string) error {
	if d.P.Global(kind) {
		return nil
	}
	return OperationDenied(words)
}

// file asks for FILE, and for a file that may be used.
func (d *Demand) file() error {
	if d.P.Global(sql.PrivilegeType_File) {
		return nil
	}
	return d.S.FileDenied()
}

// FileDenied is MySQL's error of an account without FILE.
func (s *Session) FileDenied() error {
	return sqlerr.NewError(1045, "Access denied for user %s (using password: NO)", s.EffectiveAccount().Quoted())
}

// mayRoutine refuses who has not a right on a routine.
func (s *Session) mayRoutine(ctx *sql.Context, command string, kind sql.PrivilegeType, db, name string, procedure bool) error {
	if db == "" {
		db = ctx.GetCurrentDatabase()
	}
	if IsInformationSchema(db) || PrivilegesOf(ctx).OnRoutine(db, name, procedure, kind) {
		return nil
	}
	return routineDenied(command, s.EffectiveAccount(), db, name)
}

// tableOfTrigger is the table of a trigger; "" if there is no such trigger.
func (s *Session) tableOfTrigger(ctx *sql.Context, schema, name string) (table string, stored StoredTrigger, err error) {
	found, err := s.layer.Provider.Database(ctx, schema)
	d, ok := OwnDatabase(found)
	if err != nil || !ok {
		return "", stored, nil
	}
	stored, ok, err = Find[StoredTrigger](ctx, d, catalog.KindTrigger, name)
	if err != nil || !ok {
		return "", stored, err
	}
	at, end := TriggerTable(stored.CreateStatement)
	return trees.BareName(stored.CreateStatement[at:end]), stored, nil
}
