package sqllayer

// Events run as other stored programs do: what GMS has of an event's body is one node, in CREATE EVENT, which is also what the scheduler runs.

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
)

// eventProgram is an event's body, in a parsed statement and in a plan.
type eventProgram struct {
	plan.Nothing
	name string
	body ast.Statement
}

var (
	_ ast.Injectable    = (*eventProgram)(nil)
	_ sql.ExecSourceRel = (*eventProgram)(nil)
)

// eventBody makes the body of CREATE EVENT or ALTER EVENT a program.
func (r *rewriterAST) eventBody(n *ast.EventSpec) error {
	r.procedure = true
	if err := r.statement(n.Body); err != nil {
		return err
	}
	if err := (&checker{frame: &checkedFrame{}, routine: "procedure"}).statement(n.Body); err != nil {
		return err
	}
	if !r.plain {
		expr.Replace(n.Body) // later it cannot be seen
	}
	n.Body = ast.InjectedStatement{Statement: &eventProgram{name: n.EventName.Name.String(), body: n.Body}, Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}
	return nil
}

// WithResolvedChildren implements ast.Injectable.
func (e *eventProgram) WithResolvedChildren(context.Context, []any) (any, error) { return e, nil }

// RowIter implements sql.ExecSourceRel, which is what GMS takes for a node here; builder.event runs it.
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

// event runs an event in the session that the scheduler has made for it. Nothing is above it that a panic would end but the server.
func (b *builder) event(ctx *sql.Context, e *eventProgram) (rows sql.RowIter, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in the event %s: %v\n%s", e.name, p, debug.Stack())
		}
	}()
	found, err := b.layer.Provider.Database(ctx, ctx.GetCurrentDatabase())
	if err != nil {
		return nil, err
	}
	d, ok := ownDatabase(found)
	if !ok {
		return nil, sql.ErrDatabaseNotFound.New(found.Name())
	}
	a := sessionOf(ctx).newActivation(ctx, d, e.name, b.layer.Engine)
	defer a.end()
	return sql.RowsToRowIter(), a.run(e.body)
}
