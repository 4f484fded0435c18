package sqllayer

// The rights that a statement needs before its columns are known. GMS's planner asks here for each
// object that the statement names. What needs the bound plan, the columns above all, is asked for
// in demands.go. Statements that the server runs itself ask through privileges.go.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
)

// authorizers makes the handlers of a catalog.
type authorizers struct {
	library sql.AuthorizationHandlerFactory
}

// CreateHandler implements sql.AuthorizationHandlerFactory.
func (a authorizers) CreateHandler(cat sql.Catalog) sql.AuthorizationHandler {
	return authorizer{a.library.CreateHandler(cat)}
}

func init() {
	sql.SetAuthorizationHandlerFactory(authorizers{sql.GetAuthorizationHandlerFactory()})
}

// authorizer answers GMS's planner. Sessions of another library, and layers as GMS has them, are
// left to GMS's handler; so are statements about accounts.
type authorizer struct{ sql.AuthorizationHandler }

// Kinds of authorization that the grammar does not have.
const (
	authSelectAll       = "SELECT_ALL"       // a table whose columns are listed by a star
	authInsertAll       = "INSERT_ALL"       // INSERT without a list of columns
	authUpsert          = "UPSERT"           // INSERT with ON DUPLICATE KEY UPDATE
	authUpsertAll       = "UPSERT_ALL"       // that, without a list of columns
	authUpdateSeveral   = "UPDATE_SEVERAL"   // a table of UPDATE with several
	authDeleteSeveral   = "DELETE_SEVERAL"   // a table that DELETE reads
	authAlterIndex      = "ALTER_INDEX"      // ALTER TABLE that changes an index
	authReferenceSystem = "REFERENCE_SYSTEM" // CREATE SPATIAL REFERENCE SYSTEM
	authProgramIndex    = "PROGRAM_INDEX"    // that, or CREATE and DROP INDEX: in a program they look alike
)

// librarysTypes are the library's types for those that it does not know.
var librarysTypes = map[string]string{authSelectAll: ast.AuthType_SELECT, authInsertAll: ast.AuthType_INSERT, authUpsert: ast.AuthType_INSERT, authUpsertAll: ast.AuthType_INSERT, authUpdateSeveral: ast.AuthType_UPDATE, authDeleteSeveral: ast.AuthType_SELECT,
	authAlterIndex: ast.AuthType_INDEX, authProgramIndex: ast.AuthType_INDEX, authReferenceSystem: ast.AuthType_INSERT}

// HandleAuth implements sql.AuthorizationHandler.
func (a authorizer) HandleAuth(ctx *sql.Context, state sql.AuthorizationQueryState, auth ast.AuthInformation) error {
	s := sessionOf(ctx)
	if s == nil || s.layer == nil || !s.layer.checksRights() || s.layer.opts.Plain {
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
	if _, ok := auth.Extra.(explained); ok {
		s.explains = true
	}
	d := demand{ctx, s, privilegesOf(ctx), auth}
	d.noteWhole()
	err := d.inNewView()
	if err == nil {
		err = d.check(a)
	}
	if err != nil {
		return s.viewError(err)
	}
	through, ok := auth.Extra.(throughView)
	if !ok {
		return nil
	}
	return s.viewError(s.mayWrite(ctx, through, needs[auth.AuthType]...))
}

// CheckDatabase implements sql.AuthorizationHandler.
func (a authorizer) CheckDatabase(ctx *sql.Context, state sql.AuthorizationQueryState, db string) error {
	s := sessionOf(ctx)
	if s == nil || s.layer == nil || s.layer.opts.Plain {
		return a.AuthorizationHandler.CheckDatabase(ctx, state, db)
	}
	if privilegesOf(ctx).seesDatabase(db) {
		return nil
	}
	return s.databaseDenied(db)
}

// CheckSchema implements sql.AuthorizationHandler.
func (a authorizer) CheckSchema(ctx *sql.Context, state sql.AuthorizationQueryState, db, _ string) error {
	return a.CheckDatabase(ctx, state, db)
}

// CheckTable implements sql.AuthorizationHandler. Planning opens tables for statements whose rights
// were asked for; listings show those that the session sees.
func (a authorizer) CheckTable(ctx *sql.Context, state sql.AuthorizationQueryState, db, schema, table string) error {
	s := sessionOf(ctx)
	if s == nil || s.layer == nil || s.layer.opts.Plain {
		return a.AuthorizationHandler.CheckTable(ctx, state, db, schema, table)
	}
	if !isListing(ctx) || privilegesOf(ctx).seesTable(db, table) {
		return nil
	}
	return s.commandDenied("SELECT", table)
}

// demand is one question of the planner.
type demand struct {
	ctx  *sql.Context
	s    *Session
	p    privileges
	auth ast.AuthInformation
}

// needs are the rights on a table or view that statements ask for, also of the definers of the
// views between.
var needs = map[string][]sql.PrivilegeType{
	authSelectAll: {sql.PrivilegeType_Select}, authInsertAll: {sql.PrivilegeType_Insert}, authUpsert: {sql.PrivilegeType_Insert, sql.PrivilegeType_Update},
	authUpsertAll:       {sql.PrivilegeType_Insert, sql.PrivilegeType_Update},
	ast.AuthType_SELECT: {sql.PrivilegeType_Select}, ast.AuthType_INSERT: {sql.PrivilegeType_Insert}, ast.AuthType_REPLACE: {sql.PrivilegeType_Insert, sql.PrivilegeType_Delete},
	ast.AuthType_UPDATE: {sql.PrivilegeType_Update}, ast.AuthType_DELETE: {sql.PrivilegeType_Delete}, authDeleteSeveral: {sql.PrivilegeType_Select},
	ast.AuthType_ALTER: {sql.PrivilegeType_Alter}, authAlterIndex: {sql.PrivilegeType_Alter}, authProgramIndex: {sql.PrivilegeType_Alter, sql.PrivilegeType_Index}, ast.AuthType_FOREIGN_KEY: {sql.PrivilegeType_Alter},
	ast.AuthType_INDEX: {sql.PrivilegeType_Index}, ast.AuthType_DROP: {sql.PrivilegeType_Drop},
}

// check refuses what the session may not do.
func (d *demand) check(library authorizer) error {
	switch t := d.auth.AuthType; t {
	case ast.AuthType_IGNORE:
		return nil
	case authUpdateSeveral:
		return d.tables(func(db, table string) error {
			if d.p.inTable(db, table, sql.PrivilegeType_Update) {
				return nil
			}
			return d.table(db, table, sql.PrivilegeType_Select)
		})
	case ast.AuthType_CREATE, ast.AuthType_CREATE_TEMP, ast.AuthType_CREATE_VIEW, ast.AuthType_DROP, ast.AuthType_RENAME, ast.AuthType_TRIGGER,
		ast.AuthType_CREATE_ROUTINE, ast.AuthType_ALTER_ROUTINE, ast.AuthType_EVENT, ast.AuthType_ALTER, ast.AuthType_FOREIGN_KEY:
		return d.definition()
	case ast.AuthType_LOCK:
		return d.tables(func(db, table string) error {
			if !d.p.on(db, sql.PrivilegeType_LockTables) {
				return d.s.databaseDenied(db)
			}
			return d.table(db, table, sql.PrivilegeType_Select)
		})
	case ast.AuthType_CALL:
		return d.s.mayRoutine(d.ctx, "execute", sql.PrivilegeType_Execute, d.auth.TargetNames[0], d.auth.TargetNames[1], true)
	case ast.AuthType_FILE:
		return d.file()
	case ast.AuthType_VISIBLE:
		for _, db := range d.auth.TargetNames {
			if db = d.database(db); !d.p.seesDatabase(db) {
				return d.s.databaseDenied(db)
			}
		}
		return nil
	case ast.AuthType_SHOW, ast.AuthType_SHOW_CREATE_PROCEDURE:
		if show, ok := d.auth.Extra.(*ast.Show); ok {
			return d.show(show)
		}
		return nil
	case authReferenceSystem:
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
		if d.p.global(sql.PrivilegeType_ReplicationClient) {
			return nil
		}
		return d.server(sql.PrivilegeType_Super, "SUPER, REPLICATION CLIENT")
	case ast.AuthType_REPLICATION:
		if d.p.admin("replication_slave_admin") {
			return nil
		}
		return operationDenied("SUPER or REPLICATION_SLAVE_ADMIN")
	case ast.AuthType_BINLOG:
		if d.p.admin("binlog_admin", "replication_applier") {
			return nil
		}
		return operationDenied("SUPER, BINLOG_ADMIN or REPLICATION_APPLIER")
	default:
		kinds, ok := needs[t]
		if !ok || d.auth.TargetType == ast.AuthTargetType_DatabaseIdentifiers {
			return library.AuthorizationHandler.HandleAuth(d.ctx, nil, d.auth) // about accounts
		}
		return d.tables(func(db, table string) error { return d.table(db, table, kinds...) })
	}
}

// whole is a table that a statement names without columns: a right on one of them that is missing
// is told of as one on the table.
type whole struct {
	table tableName
	kind  sql.PrivilegeType
}

var wholes = map[string]sql.PrivilegeType{authSelectAll: sql.PrivilegeType_Select, authInsertAll: sql.PrivilegeType_Insert, authUpsertAll: sql.PrivilegeType_Insert}

// noteWhole notes such a table for the columns' check. Who has the right on the table itself needs
// none.
func (d *demand) noteWhole() {
	kind, ok := wholes[d.auth.AuthType]
	if !ok || d.p.all || len(d.auth.TargetNames) < 2 {
		return
	}
	t := tableName{d.database(d.auth.TargetNames[0]), d.auth.TargetNames[1]}
	if !d.p.onTable(t.schema, t.name, kind) {
		d.s.wholes = append(d.s.wholes, whole{t, kind})
	}
}

// tables asks for each table that the grammar has noted.
func (d *demand) tables(ask func(db, table string) error) error {
	names := d.auth.TargetNames
	for i := 0; i+1 < len(names); i += 2 {
		if err := ask(d.database(names[i]), names[i+1]); err != nil {
			return err
		}
		if d.auth.TargetType != ast.AuthTargetType_MultipleTableIdentifiers {
			break
		}
	}
	return nil
}

func (d *demand) database(name string) string {
	switch name {
	case "":
		return d.ctx.GetCurrentDatabase()
	case SystemSchema:
		return "mysql"
	}
	return name
}

// table asks for rights on a table, or on some of its columns where the bound plan tells which.
func (d *demand) table(db, table string, kinds ...sql.PrivilegeType) error {
	if db == "" {
		return nil // that none is selected is told later
	}
	reads := len(kinds) == 1 && kinds[0] == sql.PrivilegeType_Select
	switch {
	case isInformationSchema(db) && reads:
		return nil
	case isInformationSchema(db):
		return d.s.databaseDenied(db)
	case strings.EqualFold(db, performanceSchema) && kinds[0] == sql.PrivilegeType_Create:
		return d.s.databaseDenied(db)
	}
	if _, own := d.s.temps.lookup(db, table); own {
		return nil // who made it may do everything with it
	}
	if missing := d.p.lacking(db, table, kinds...); len(missing) > 0 {
		return d.s.tableDenied(table, missing...)
	}
	return nil
}

// server asks for a right on the whole server.
func (d *demand) server(kind sql.PrivilegeType, words string) error {
	if d.p.global(kind) {
		return nil
	}
	return operationDenied(words)
}

// file asks for FILE, and for a file that may be used.
func (d *demand) file() error {
	if d.p.global(sql.PrivilegeType_File) {
		return nil
	}
	return d.s.fileDenied()
}

// fileDenied is MySQL's error of an account without FILE.
func (s *Session) fileDenied() error {
	return NewError(1045, "Access denied for user %s (using password: NO)", s.account().quoted())
}

// mayRoutine refuses who has not a right on a routine.
func (s *Session) mayRoutine(ctx *sql.Context, command string, kind sql.PrivilegeType, db, name string, procedure bool) error {
	if db == "" {
		db = ctx.GetCurrentDatabase()
	}
	if isInformationSchema(db) || privilegesOf(ctx).onRoutine(db, name, procedure, kind) {
		return nil
	}
	return routineDenied(command, s.account(), db, name)
}

// tableOfTrigger is the table of a trigger; "" if there is no such trigger.
func (s *Session) tableOfTrigger(ctx *sql.Context, schema, name string) (table string, stored storedTrigger, err error) {
	found, err := s.layer.Provider.Database(ctx, schema)
	d, ok := ownDatabase(found)
	if err != nil || !ok {
		return "", stored, nil
	}
	stored, ok, err = find[storedTrigger](ctx, d, catalog.KindTrigger, name)
	if err != nil || !ok {
		return "", stored, err
	}
	at, end := triggerTable(stored.CreateStatement)
	return bareName(stored.CreateStatement[at:end]), stored, nil
}
