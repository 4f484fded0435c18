package sqllayer

// Events run as other stored programs do: what GMS has of an event's body is one node, in CREATE
// EVENT, that it never runs.

import (
	"context"
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/trees"
)

// eventProgram is an event's body, in a parsed statement and in a plan.
type eventProgram struct {
	plan.Nothing
	name string
	body *program
}

var (
	_ ast.Injectable    = (*eventProgram)(nil)
	_ sql.ExecSourceRel = (*eventProgram)(nil)
)

// eventBody makes the body of CREATE EVENT or ALTER EVENT a program.
func (r *rewriterAST) eventBody(n *ast.EventSpec) error {
	read := r.readStatements(n.Body)
	if err := r.statement(n.Body); err != nil {
		return err
	}
	if err := (&programs.Checker{Frame: &programs.CheckedFrame{}, Routine: "procedure"}).Statement(n.Body); err != nil {
		return err
	}
	if !r.plain {
		if err := expr.Replace(r.ctx, n.Body); err != nil { // later it cannot be seen
			return err
		}
	}
	n.Body = ast.InjectedStatement{Statement: &eventProgram{name: n.EventName.Name.String(), body: &program{Statement: n.Body, read: read, source: r.source}}, Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}
	return nil
}

// WithResolvedChildren implements ast.Injectable.
func (e *eventProgram) WithResolvedChildren(context.Context, []any) (any, error) { return e, nil }

// RowIter implements sql.ExecSourceRel, which is what GMS takes for a node here.
func (e *eventProgram) RowIter(*sql.Context, sql.Row) (sql.RowIter, error) {
	return nil, sql.ErrUnsupportedFeature.New(e.name)
}

// IsReadOnly implements sql.Node.
func (*eventProgram) IsReadOnly() bool { return false }

// WithChildren implements sql.Node.
func (e *eventProgram) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(e, len(children), 0)
	}
	return e, nil
}

// RunEvent runs an event's body in a session of its definer's that is new. The definer still needs
// EVENT on the database.
func (s *Session) RunEvent(ctx *sql.Context, e *Event) error {
	if !PrivilegesOf(ctx).on(e.Schema, sql.PrivilegeType_Event) {
		return s.databaseDenied(e.Schema)
	}
	for name, v := range map[string]string{"sql_mode": e.SqlMode, "character_set_client": e.Origin.Client, "collation_connection": e.Origin.Connection, "time_zone": e.Zone} {
		if err := s.SetSessionVariable(ctx, name, v); err != nil {
			return err
		}
	}
	found, err := s.layer.Provider.Database(ctx, e.Schema)
	if err != nil {
		return err
	}
	d, ok := OwnDatabase(found)
	if !ok {
		return sql.ErrDatabaseNotFound.New(e.Schema)
	}
	body, err := e.program(ctx)
	if err != nil {
		return err
	}
	s.SetLogin(trees.Role{User: "event_scheduler", Host: "localhost"})
	a := s.newActivation(ctx, d, e.Name, s.layer.Engine)
	defer a.end()
	if err := a.run(body); err != nil || !s.autocommit() || ctx.GetIgnoreAutoCommit() {
		return err
	}
	return s.CommitTransaction(ctx, nil)
}

// program parses the body.
func (e *Event) program(ctx *sql.Context) (*program, error) {
	text := "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO " + e.EventBody
	stmt, _, err := new(Parser).ParseOneWithOptions(ctx, text, operand.Mode(ctx).ParserOptions())
	if err != nil {
		return nil, err
	}
	if ddl, ok := stmt.(*ast.DDL); ok && ddl.EventSpec != nil {
		if body, ok := ddl.EventSpec.Body.(ast.InjectedStatement); ok {
			return body.Statement.(*eventProgram).body, nil
		}
	}
	return nil, fmt.Errorf("event %s.%s cannot be read", e.Schema, e.Name)
}
