package sqllayer

// GMS's authorization with MySQL's errors, and what it does not know: rights on single routines, the table of a trigger that is dropped, rights within views.

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

// authorizer asks GMS's handler.
type authorizer struct{ sql.AuthorizationHandler }

// HandleAuth implements sql.AuthorizationHandler.
func (a authorizer) HandleAuth(ctx *sql.Context, state sql.AuthorizationQueryState, auth ast.AuthInformation) error {
	s := sessionOf(ctx)
	if s == nil || s.layer == nil || !s.layer.checksRights() || s.layer.opts.Plain {
		return a.AuthorizationHandler.HandleAuth(ctx, state, auth)
	}
	if state != nil && state.Error() != nil {
		return state.Error()
	}
	s.layer.Engine.Analyzer.Catalog.MySQLDb.UserActivePrivilegeSet(ctx)
	s.knowDatabase(ctx.GetCurrentDatabase())
	for _, name := range auth.TargetNames { // databases among them
		s.knowDatabase(name)
	}
	target, named := auth.Extra.(authTarget)
	switch {
	case auth.AuthType == ast.AuthType_CALL && len(auth.TargetNames) == 3:
		return s.viewError(s.mayRoutine(ctx, "execute", sql.PrivilegeType_Execute, auth.TargetNames[0], auth.TargetNames[1], true))
	case auth.AuthType == ast.AuthType_ALTER_ROUTINE && named:
		name, _, function := functionOf(target.name)
		if !function {
			name = target.name
		}
		return s.mayRoutine(ctx, "alter routine", sql.PrivilegeType_AlterRoutine, target.schema, name, !function)
	case auth.AuthType == ast.AuthType_TRIGGER && !named:
		if err := s.mayCreateLogged(ctx); err != nil {
			return err
		}
	case auth.AuthType == ast.AuthType_TRIGGER:
		table, err := s.tableOfTrigger(ctx, target)
		if err != nil || table == "" {
			return err // that there is none is told later
		}
		auth.TargetNames = []string{target.schema, table}
	}
	err := a.AuthorizationHandler.HandleAuth(ctx, state, auth)
	if through, ok := auth.Extra.(throughView); ok && err == nil {
		err = s.mayWrite(ctx, through, needs[auth.AuthType]...)
	}
	if err == nil {
		return nil
	}
	return s.viewError(s.denied(ctx, auth, target, err))
}

// authTarget is the object of a DDL statement, which the grammar does not tell the handler.
type authTarget struct{ schema, name string }

// nameTarget tells it.
func nameTarget(n *ast.DDL) {
	switch {
	case n.ProcedureSpec != nil && n.Auth.AuthType == ast.AuthType_ALTER_ROUTINE:
		n.Auth.Extra = authTarget{n.ProcedureSpec.ProcName.Qualifier.String(), n.ProcedureSpec.ProcName.Name.String()}
	case n.TriggerSpec != nil && n.Action == ast.DropStr:
		n.Auth.Extra = authTarget{n.TriggerSpec.TrigName.Qualifier.String(), n.TriggerSpec.TrigName.Name.String()}
	case n.Action == ast.DropStr && len(n.FromViews) > 0:
		n.Auth.Extra = authTarget{n.FromViews[0].DbQualifier.String(), n.FromViews[0].Name.String()}
	case n.ViewSpec != nil && n.Action == ast.CreateStr:
		n.Auth.Extra = authTarget{n.ViewSpec.ViewName.DbQualifier.String(), n.ViewSpec.ViewName.Name.String()}
	case n.Action == ast.CreateStr && n.TableSpec != nil:
		n.Auth.Extra = authTarget{n.Table.DbQualifier.String(), n.Table.Name.String()}
	}
}

// mayRoutine refuses who has not a right on a routine.
func (s *Session) mayRoutine(ctx *sql.Context, command string, p sql.PrivilegeType, db, name string, procedure bool) error {
	if db == "" {
		db = ctx.GetCurrentDatabase()
	}
	s.layer.Engine.Analyzer.Catalog.MySQLDb.UserActivePrivilegeSet(ctx)
	if strings.EqualFold(db, "information_schema") || mayUseRoutine(ctx, db, name, procedure, p) || mayOneOf(ctx) {
		return nil
	}
	return routineDenied(command, s.account(), db, name)
}

// tableOfTrigger is the table of a trigger; "" if there is no such trigger.
func (s *Session) tableOfTrigger(ctx *sql.Context, t authTarget) (string, error) {
	if t.schema == "" {
		t.schema = ctx.GetCurrentDatabase()
	}
	found, err := s.layer.Provider.Database(ctx, t.schema)
	d, ok := ownDatabase(found)
	if err != nil || !ok {
		return "", nil
	}
	stored, ok, err := find[storedTrigger](ctx, d, catalog.KindTrigger, t.name)
	if err != nil || !ok {
		return "", err
	}
	at, end := triggerTable(stored.CreateStatement)
	return bareName(stored.CreateStatement[at:end]), nil
}

// commands are the words of errors for rights whose names are others.
var commands = map[string]string{ast.AuthType_CREATE_VIEW: "CREATE VIEW", ast.AuthType_REPLACE: "INSERT, DELETE", ast.AuthType_FOREIGN_KEY: "REFERENCES",
	ast.AuthType_CREATE_TEMP: "CREATE TEMPORARY TABLES", ast.AuthType_LOCK: "SELECT, LOCK TABLES"}

// needs are the rights that statements through views need on the table.
var needs = map[string][]sql.PrivilegeType{ast.AuthType_INSERT: {sql.PrivilegeType_Insert}, ast.AuthType_REPLACE: {sql.PrivilegeType_Insert, sql.PrivilegeType_Delete},
	ast.AuthType_UPDATE: {sql.PrivilegeType_Update, sql.PrivilegeType_Select}, ast.AuthType_DELETE: {sql.PrivilegeType_Delete, sql.PrivilegeType_Select}}

// denied is MySQL's error for a right that is missing.
func (s *Session) denied(ctx *sql.Context, auth ast.AuthInformation, target authTarget, err error) error {
	if !sql.ErrPrivilegeCheckFailed.Is(err) && !sql.ErrTableAccessDeniedForUser.Is(err) && !sql.ErrDatabaseAccessDeniedForUser.Is(err) {
		return err
	}
	table := target.name
	switch auth.TargetType {
	case ast.AuthTargetType_SingleTableIdentifier, ast.AuthTargetType_MultipleTableIdentifiers, ast.AuthTargetType_TableColumn:
		if len(auth.TargetNames) > 1 {
			table = auth.TargetNames[1]
		}
	}
	command, ok := commands[auth.AuthType]
	if !ok {
		command = strings.ToUpper(auth.AuthType)
	}
	switch {
	case auth.AuthType == ast.AuthType_RENAME || auth.AuthType == ast.AuthType_VISIBLE:
		return err
	case table != "":
		return NewError(1142, "%s command denied to user %s for table '%s'", command, s.accessing().quoted(), table)
	case auth.TargetType == ast.AuthTargetType_DatabaseIdentifiers && len(auth.TargetNames) > 0:
		db := auth.TargetNames[0]
		if db == "" {
			db = ctx.GetCurrentDatabase()
		}
		return NewError(1044, "Access denied for user %s to database '%s'", s.account().quoted(), db)
	}
	return err
}
