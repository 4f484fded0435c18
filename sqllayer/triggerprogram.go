package sqllayer

// Triggers that declare something, or have loops or labels, run as other stored programs do. GMS
// plans the others once and runs them for every row: that is faster, and it knows branches, SIGNAL
// and SET of NEW's columns; but not subqueries in an INSERT nor OLD and NEW in its ON DUPLICATE KEY
// UPDATE or in a CALL, and it takes @a for the column a. It plans all statements, of the triggers
// that these fire, too: where that fails, as in a circle of triggers, the error may never be
// reached, and the triggers run as programs, whose statements are planned when they run. What is to
// be a program stands in GMS's plan as one node.

import (
	"context"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/tabledef"
)

// triggerBody is a trigger's body in a parsed statement.
type triggerBody struct {
	Table        ast.TableName
	Event, Time  string
	body         *program
	triggerNamed string
}

var _ ast.Injectable = (*triggerBody)(nil)

// WithResolvedChildren implements ast.Injectable.
func (t *triggerBody) WithResolvedChildren(c context.Context, _ []any) (any, error) {
	schema := t.Table.DbQualifier.String()
	if ctx, ok := c.(*sql.Context); ok && schema == "" {
		schema = ctx.GetCurrentDatabase()
	}
	return &TriggerProgram{triggerBody: t, SchemaName: schema}, nil
}

// TriggerProgram is the body in a plan.
type TriggerProgram struct {
	plan.Nothing
	*triggerBody
	SchemaName string

	Layer    *Layer // these are there when it is about to run
	Database *Database
	Columns  sql.Schema
	Fired    *FiredTrigger
	At       int // where the table's columns begin in a row
}

var _ sql.ExecSourceRel = (*TriggerProgram)(nil)

// RowIter implements sql.ExecSourceRel, which is what GMS takes for a node here; builder.program
// runs it.
func (t *TriggerProgram) RowIter(*sql.Context, sql.Row) (sql.RowIter, error) {
	return nil, sql.ErrTriggerCreateStatementInvalid.New(t.triggerNamed)
}

// IsReadOnly implements sql.Node.
func (*TriggerProgram) IsReadOnly() bool { return false }

// WithChildren implements sql.Node.
func (t *TriggerProgram) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(t, len(children), 0)
	}
	return t, nil
}

// asProgram makes a body one that runs as a program: one that has to, and that of CREATE TRIGGER,
// as errors in its statements are errors when they run. read are its statements as they were read.
func (r *rewriterAST) asProgram(n *ast.DDL, read map[ast.Statement]ast.Statement) error {
	t := n.TriggerSpec
	if r.plain {
		return nil
	}
	c := &programs.Checker{Frame: &programs.CheckedFrame{}, Routine: "trigger"}
	if err := c.Statement(t.Body); err != nil {
		return err
	}
	columns := r.columnsOf(n.Table)
	isColumn := func(name string) bool { return columns.FindColumn(ast.NewColIdent(name)) >= 0 }
	if err := programs.CheckRows(t, func(name string) bool { return len(columns) == 0 || isColumn(name) }); err != nil || r.asks {
		return err
	}
	ctx, _ := r.ctx.(*sql.Context)
	if _, fired := CutFired(r.query); fired != "" && !SessionOf(ctx).runsPrograms() && !programs.IsProgram(t.Body, isColumn) {
		return askNothing(t.Body)
	}
	if err := expr.Replace(r.ctx, t.Body); err != nil { // later it cannot be seen
		return err
	}
	body := &triggerBody{Table: n.Table, Event: strings.ToLower(t.Event), Time: strings.ToLower(t.Time), body: &program{Statement: t.Body, read: read, source: r.source}, triggerNamed: t.TrigName.Name.String()}
	t.Body = ast.InjectedStatement{Statement: body, Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}
	return nil
}

// named finds the variable, or the column of a trigger's row, that a name stands for; nil if it is
// another name.
func (a *activation) named(c *ast.ColName) *programs.Variable {
	if row := programs.TriggerRow(c); row != "" {
		return a.variable(row + "." + c.Name.String())
	}
	if !c.Qualifier.IsEmpty() {
		return nil
	}
	return a.variable(c.Name.String())
}

// ProgramIter runs the program for the rows that it gives, and changes them as the program has.
type ProgramIter struct {
	sql.RowIter
	Trigger *TriggerProgram
}

// Next implements sql.RowIter.
func (i *ProgramIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	return i.Trigger.Run(ctx, row)
}

// Run runs the program for a row and gives the row as it leaves it.
func (t *TriggerProgram) Run(ctx *sql.Context, row sql.Row) (changed sql.Row, err error) {
	s := SessionOf(ctx)
	leave, err := t.Fired.Enter(ctx, s, false)
	if err != nil {
		return nil, err
	}
	defer leave()
	s.EnterTrigger(tabledef.TableName{Schema: t.Database.name, Name: t.Table.Name.String()})
	defer s.LeaveTrigger()
	end := s.OwnWarnings()
	defer func() { end(err != nil) }()
	a := s.newActivation(ctx, t.Database, t.triggerNamed, t.Layer.Engine)
	defer a.end()
	a.frame.variables = make(map[string]*programs.Variable)
	from := t.At
	switch t.Event {
	case ast.InsertStr:
		t.rowAt(a, "new.", row, from)
	case ast.DeleteStr:
		t.rowAt(a, "old.", row, from)
	default:
		t.rowAt(a, "old.", row, from)
		from += len(row) / 2
		t.rowAt(a, "new.", row, from)
	}
	if err := a.run(t.body); err != nil || t.Event == ast.DeleteStr {
		return row, err
	}
	out := row.Copy()
	for at, c := range t.Columns {
		out[from+at] = a.frame.variables["new."+strings.ToLower(c.Name)].Value
	}
	return out, nil
}

// rowAt makes the columns of a row variables.
func (t *TriggerProgram) rowAt(a *activation, prefix string, row sql.Row, from int) {
	for at, c := range t.Columns {
		column := &sql.Column{Name: c.Name, Type: c.Type, Nullable: true}
		a.frame.variables[prefix+strings.ToLower(c.Name)] = &programs.Variable{Column: column, Value: row[from+at], Fixed: prefix == "old." || t.Time != ast.BeforeStr}
	}
}
