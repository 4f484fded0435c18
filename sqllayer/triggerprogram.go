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
	"reflect"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/lower"
)

// triggerBody is a trigger's body in a parsed statement.
type triggerBody struct {
	table        ast.TableName
	event, time  string
	body         *program
	triggerNamed string
}

var _ ast.Injectable = (*triggerBody)(nil)

// WithResolvedChildren implements ast.Injectable.
func (t *triggerBody) WithResolvedChildren(c context.Context, _ []any) (any, error) {
	schema := t.table.DbQualifier.String()
	if ctx, ok := c.(*sql.Context); ok && schema == "" {
		schema = ctx.GetCurrentDatabase()
	}
	return &triggerProgram{triggerBody: t, schema: schema}, nil
}

// triggerProgram is the body in a plan.
type triggerProgram struct {
	plan.Nothing
	*triggerBody
	schema string

	layer    *Layer // these are there when it is about to run
	database *Database
	columns  sql.Schema
	fired    *firedTrigger
	at       int // where the table's columns begin in a row
}

var _ sql.ExecSourceRel = (*triggerProgram)(nil)

// RowIter implements sql.ExecSourceRel, which is what GMS takes for a node here; builder.program
// runs it.
func (t *triggerProgram) RowIter(*sql.Context, sql.Row) (sql.RowIter, error) {
	return nil, sql.ErrTriggerCreateStatementInvalid.New(t.triggerNamed)
}

// IsReadOnly implements sql.Node.
func (*triggerProgram) IsReadOnly() bool { return false }

// WithChildren implements sql.Node.
func (t *triggerProgram) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
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
	c := &checker{frame: &checkedFrame{}, routine: "trigger"}
	if err := c.statement(t.Body); err != nil {
		return err
	}
	columns := r.columnsOf(n.Table)
	isColumn := func(name string) bool { return columns.FindColumn(ast.NewColIdent(name)) >= 0 }
	if err := checkRows(t, func(name string) bool { return len(columns) == 0 || isColumn(name) }); err != nil || r.asks {
		return err
	}
	ctx, _ := r.ctx.(*sql.Context)
	if _, fired := cutFired(r.query); fired != "" && !sessionOf(ctx).runsPrograms() && !isProgram(t.Body, isColumn) {
		return askNothing(t.Body)
	}
	expr.Replace(t.Body) // later it cannot be seen
	body := &triggerBody{table: n.Table, event: strings.ToLower(t.Event), time: strings.ToLower(t.Time), body: &program{Statement: t.Body, read: read}, triggerNamed: t.TrigName.Name.String()}
	t.Body = ast.InjectedStatement{Statement: body, Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}
	return nil
}

// isProgram tells whether a body is more than branches and statements that GMS knows.
func isProgram(stmt ast.Statement, isColumn func(name string) bool) bool {
	var inside []ast.Statements
	switch n := stmt.(type) {
	case *ast.Declare, *ast.Loop, *ast.While, *ast.Repeat, *ast.Leave, *ast.Resignal:
		return true
	case *ast.Delete:
		return lower.Ignores(n)
	case *ast.Call:
		_, _, text := calledText(n)
		return text || slices.ContainsFunc(n.Params, func(e ast.Expr) bool {
			c, ok := e.(*ast.ColName)
			return ok && triggerRow(c) != ""
		})
	case *ast.Insert:
		return readsQueries(n.Rows) || within(ast.AssignmentExprs(n.OnDup), func(n ast.SQLNode) bool {
			c, column := n.(*ast.ColName)
			_, query := n.(*ast.Subquery)
			return query || column && triggerRow(c) != ""
		})
	case *ast.Set:
		return slices.ContainsFunc(n.Exprs, func(e *ast.SetVarExpr) bool {
			name, user := strings.CutPrefix(e.Name.Name.String(), "@")
			return (user || e.Scope == ast.SetScope_User) && isColumn(name)
		})
	case *ast.BeginEndBlock:
		if n.Label != "" {
			return true
		}
		inside = append(inside, n.Statements)
	case *ast.IfStatement:
		for _, c := range n.Conditions {
			inside = append(inside, c.Statements)
		}
		inside = append(inside, n.Else)
	case *ast.CaseStatement:
		for _, c := range n.Cases {
			inside = append(inside, c.Statements)
		}
		inside = append(inside, n.Else)
	}
	for _, list := range inside {
		for _, one := range list {
			if isProgram(one, isColumn) {
				return true
			}
		}
	}
	return false
}

// checkRows refuses rows that the trigger does not have, columns that these have not, and changes
// of those that it may not change.
func checkRows(t *ast.TriggerSpec, isColumn func(name string) bool) error {
	event := strings.ToLower(t.Event)
	missing := map[string]string{ast.InsertStr: "old", ast.DeleteStr: "new"}[event]
	f := &rowFinder{missing: missing, isColumn: isColumn, after: strings.EqualFold(t.Time, ast.AfterStr)}
	(&visitor{seen: make(map[uintptr]bool), look: f.look}).value(reflect.ValueOf(t.Body))
	switch {
	case f.absent:
		return NewError(1363, "There is no %s row in on %s trigger", strings.ToUpper(missing), strings.ToUpper(event))
	case f.sets == "old":
		return NewError(1362, "Updating of OLD row is not allowed in trigger")
	case f.sets == "new":
		return NewError(1362, "Updating of NEW row is not allowed in after trigger")
	case f.unknown != nil:
		return NewError(1054, "Unknown column '%s' in '%s'", f.unknown.Name.String(), strings.ToUpper(triggerRow(f.unknown)))
	}
	return nil
}

// rowFinder looks for uses of NEW and OLD.
type rowFinder struct {
	missing  string
	after    bool
	isColumn func(name string) bool
	absent   bool
	sets     string       // what must not be set, and is
	unknown  *ast.ColName // the first that is no column
}

// look is visitor.look.
func (f *rowFinder) look(v reflect.Value) (within bool) {
	switch n := v.Interface().(type) {
	case *ast.ColName:
		row := triggerRow(n)
		f.absent = f.absent || row != "" && row == f.missing
		if f.unknown == nil && row != "" && !f.isColumn(n.Name.String()) {
			f.unknown = n
		}
	case *ast.SetVarExpr:
		if row := triggerRow(n.Name); row == "old" || row == "new" && f.after {
			f.sets = row
		}
	}
	return true
}

// triggerRow tells which row of a trigger a name is of: new, old or "".
func triggerRow(c *ast.ColName) string {
	if c == nil || !c.Qualifier.DbQualifier.IsEmpty() {
		return ""
	}
	if row := strings.ToLower(c.Qualifier.Name.String()); row == "new" || row == "old" {
		return row
	}
	return ""
}

// named finds the variable, or the column of a trigger's row, that a name stands for; nil if it is
// another name.
func (a *activation) named(c *ast.ColName) *variable {
	if row := triggerRow(c); row != "" {
		return a.variable(row + "." + c.Name.String())
	}
	if !c.Qualifier.IsEmpty() {
		return nil
	}
	return a.variable(c.Name.String())
}

// program runs a trigger's program for every row. After the change GMS's own iterator does, which
// GMS wants to see there: it counts the rows.
func (b *builder) program(ctx *sql.Context, n *plan.TriggerExecutor, t *triggerProgram, r sql.Row) (sql.RowIter, error) {
	if t.columns != nil {
		return nil, nil
	}
	found, err := b.layer.Provider.Database(ctx, t.schema)
	if err != nil {
		return nil, err
	}
	d, ok := ownDatabase(found)
	if !ok {
		return nil, sql.ErrDatabaseNotFound.New(t.schema)
	}
	table, ok, err := d.GetTableInsensitive(ctx, t.table.Name.String())
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, sql.ErrTableNotFound.New(t.table.Name.String())
	}
	ready := *t
	ready.layer, ready.database, ready.columns, ready.fired = b.layer, d, table.Schema(ctx), sessionOf(ctx).fired(n.TriggerDefinition)
	if row := n.Left().Schema(ctx); t.event == ast.UpdateStr && len(row) > 2*len(ready.columns) { // of a join
		ready.at = max(0, row.IndexOf(ready.columns[0].Name, table.Name()))
	}
	if t.time != ast.BeforeStr {
		wrapped, err := n.WithChildren(ctx, n.Left(), &ready)
		if err != nil {
			return nil, err
		}
		return b.base.Build(ctx, wrapped, r)
	}
	child, err := b.base.Build(ctx, n.Left(), r)
	if err != nil {
		return nil, err
	}
	return &programIter{RowIter: child, trigger: &ready}, nil
}

// programIter runs the program for the rows that it gives, and changes them as the program has.
type programIter struct {
	sql.RowIter
	trigger *triggerProgram
}

// Next implements sql.RowIter.
func (i *programIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	return i.trigger.run(ctx, row)
}

// run runs the program for a row and gives the row as it leaves it.
func (t *triggerProgram) run(ctx *sql.Context, row sql.Row) (sql.Row, error) {
	s := sessionOf(ctx)
	leave, err := t.fired.enter(ctx, s, false)
	if err != nil {
		return nil, err
	}
	defer leave()
	s.enterTrigger(tableName{t.database.name, t.table.Name.String()})
	defer s.leaveTrigger()
	a := s.newActivation(ctx, t.database, t.triggerNamed, t.layer.Engine)
	defer a.end()
	a.frame.variables = make(map[string]*variable)
	from := t.at
	switch t.event {
	case ast.InsertStr:
		t.rowAt(a, "new.", row, from)
	case ast.DeleteStr:
		t.rowAt(a, "old.", row, from)
	default:
		t.rowAt(a, "old.", row, from)
		from += len(row) / 2
		t.rowAt(a, "new.", row, from)
	}
	if err := a.run(t.body); err != nil || t.event == ast.DeleteStr {
		return row, err
	}
	out := row.Copy()
	for at, c := range t.columns {
		out[from+at] = a.frame.variables["new."+strings.ToLower(c.Name)].value
	}
	return out, nil
}

// rowAt makes the columns of a row variables.
func (t *triggerProgram) rowAt(a *activation, prefix string, row sql.Row, from int) {
	for at, c := range t.columns {
		column := &sql.Column{Name: c.Name, Type: c.Type, Nullable: true}
		a.frame.variables[prefix+strings.ToLower(c.Name)] = &variable{column: column, value: row[from+at], fixed: prefix == "old." || t.time != ast.BeforeStr}
	}
}
