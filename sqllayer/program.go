package sqllayer

// Stored programs: the bodies of procedures and functions, walked statement by statement. What is
// SQL goes to GMS with the values of the variables in the place of their names, for the first time;
// afterwards what was compiled of it runs. Blocks, loops, cursors and handlers are run here: GMS's
// own interpreter knows no handler but one that sets a variable.
//
//	program.go     the walk: blocks, branches, loops;  programsql.go  statements that go to GMS, cursors, SET
//	programcode.go, programnumber.go, programstep.go   what is compiled of a program
//	condition.go   handlers, SIGNAL, RESIGNAL;  programcheck.go  what CREATE refuses
//	call.go, functioncall.go   who runs a program;  variables.go  names and values
//
// Invariants:
//
//	(1) An error is offered to the handlers once, where it arises (raise). What comes back from
//	    deeper has been offered there.
//	(2) A statement that has failed leaves nothing behind, whether a handler takes its error or
//	    not.
//	(3) The parsed body is as it was between two statements: a loop or a trigger comes back to it.

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/procedures"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// ProgramOf gives the body of a procedure.
func ProgramOf(p *plan.Procedure) (*program, bool) {
	if p == nil || len(p.Ops) != 1 || p.Ops[0].OpCode != procedures.OpCode_Execute {
		return nil, false
	}
	body, ok := p.Ops[0].PrimaryData.(*program)
	return body, ok
}

// activation is a program that runs.
type activation struct {
	s        *Session
	outer    *activation // the program that called it, directly or by a statement
	name     tabledef.TableName
	database *Database
	runner   sql.StatementRunner
	receive  programs.ResultReceiver // of result sets; nil: the last one is kept
	parent   *sql.Context
	began    time.Time
	frame    *frame
	stmt     ast.Statement // that runs
	body     *program
	eval     *sql.Context            // of expressions that have no plan; nil until one is evaluated
	straight bool                    // the statement that runs is a step
	sends    bool                    // the client is to have the rows of the statement that runs
	shown    []programs.ResultColumn // of a step
	large    bool                    // a variable has held a large value
	held     memory.Kept             // accounts the values of variables
	strict   bool                    // the value that is computed is assigned: see assigned
	learns   *computed               // what the expression that GMS plans is learned for; nil: nothing

	args     map[string]any // of a function, by the names of its parameters
	result   *functionValue // of a function
	affected uint64         // by the last statement
	schema   sql.Schema     // of the result set that is kept
	rows     []sql.Row
}

// frame is a block that runs, or a handler.
type frame struct {
	outer     *frame
	handler   bool // a handler runs: those of the block that declares it are not for what happens in it
	variables map[string]*programs.Variable
	cursors   map[string]*programs.Cursor
	names     map[string]programs.ConditionValue // conditions
	handlers  []*handler
	rows      *triggerRows // of a trigger; nil: there are none
}

// jump leaves statements on the way: for the end or the beginning of what has a label, or for the
// end of a block.
type jump struct {
	label string
	again bool
	to    *frame
}

// reaches tells whether a jump is for the statement of that label.
func (j *jump) reaches(label string) bool {
	return j.to == nil && label != "" && strings.EqualFold(j.label, label)
}

// newActivation begins a program.
func (s *Session) newActivation(ctx *sql.Context, d *Database, name string, runner sql.StatementRunner) *activation {
	a := &activation{s: s, name: tabledef.TableName{Schema: d.name, Name: strings.ToLower(name)}, database: d, runner: runner, parent: ctx, began: ctx.QueryTime(), frame: &frame{}, held: memory.Keep(ctx)}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	a.outer, s.Program = s.Program, a
	return a
}

// end ends it.
func (a *activation) end() {
	a.s.Mu.Lock()
	defer a.s.Mu.Unlock()
	a.s.Program = a.outer
	*a.frame = frame{} // what is compiled may point to it
	a.held.Release()
	if a.outer == nil {
		a.s.diagnostics = programs.Diagnostics{Raised: a.s.diagnostics.Raised}
	}
	if a.s.Stmt.Depth == 0 && !a.s.Stmt.Failed { // what called it has not done what its last statement did
		a.s.Stmt.root, a.s.Stmt.Tally = nil, tally{}
	}
}

// run runs the body in the program's database.
func (a *activation) run(body *program) error {
	a.body = body
	if before := a.s.GetCurrentDatabase(); before != a.database.name {
		a.s.SetCurrentDatabase(a.database.name)
		defer func() {
			if a.s.GetCurrentDatabase() == a.database.name {
				a.s.SetCurrentDatabase(before)
			}
		}()
	}
	transaction := a.s.GetTransaction()
	defer a.s.SetTransaction(transaction)
	a.s.SetTransaction(nil) // each statement is one of its own to GMS
	_, err := a.statement(body.Statement)
	return err
}

// context is that of one statement: it has no process, as its end is not that of the statement that
// calls.
func (a *activation) context() *sql.Context {
	ctx := sql.NewContext(a.parent.Context, sql.WithSession(a.s), sql.WithMemoryManager(a.parent.Memory))
	ctx.SetQueryTime(a.began)
	return ctx
}

func (a *activation) statements(list ast.Statements) (*jump, error) {
	for _, stmt := range list {
		if j, err := a.statement(stmt); j != nil || err != nil {
			return j, err
		}
	}
	return nil, nil
}

func (a *activation) statement(stmt ast.Statement) (*jump, error) {
	if err := a.parent.Err(); err != nil {
		return nil, err
	}
	switch n := stmt.(type) {
	case *ast.BeginEndBlock:
		return a.block(n)
	case *ast.IfStatement:
		return a.branch(n)
	case *ast.CaseStatement:
		return a.choice(n)
	case *ast.Loop:
		return a.loop(n.Label, n.Statements, nil, nil)
	case *ast.While:
		return a.loop(n.Label, n.Statements, n.Condition, nil)
	case *ast.Repeat:
		return a.loop(n.Label, n.Statements, nil, n.Condition)
	case *ast.Leave:
		return &jump{label: n.Label}, nil
	case *ast.Iterate:
		return &jump{label: n.Label, again: true}, nil
	}
	return a.caught(a.simple(stmt))
}

// simple runs a statement that has no statements in it.
// REQUIRES: its error is offered to the handlers.
func (a *activation) simple(stmt ast.Statement) error {
	switch n := stmt.(type) {
	case *ast.Declare:
		return a.declare(n)
	case *ast.Set:
		return a.set(n)
	case *ast.Signal:
		return a.signal(n)
	case *ast.Resignal:
		return a.resignal(n)
	case *ast.OpenCursor:
		return a.open(n)
	case *ast.FetchCursor:
		return a.fetch(n)
	case *ast.CloseCursor:
		return a.close(n)
	}
	return a.execute(stmt)
}

// within runs something in a frame of its own.
func (a *activation) within(f *frame, run func() (*jump, error)) (*jump, error) {
	before := a.frame
	a.frame = f
	defer func() {
		a.frame = before
		for _, v := range f.variables {
			_ = a.held.Add(-v.Held) // never fails
		}
		for _, c := range f.cursors {
			c.Kept.Release()
		}
		*f = frame{} // what is compiled may point to it
	}()
	return run()
}

func (a *activation) block(n *ast.BeginEndBlock) (*jump, error) {
	f := &frame{outer: a.frame}
	j, err := a.within(f, func() (*jump, error) { return a.statements(n.Statements) })
	if j != nil && (j.to == f || j.reaches(n.Label) && !j.again) {
		j = nil
	}
	return j, err
}

func (a *activation) branch(n *ast.IfStatement) (*jump, error) {
	for _, c := range n.Conditions {
		yes, over, j, err := a.judged(c.Expr)
		if over {
			return j, err
		}
		if yes {
			return a.statements(c.Statements)
		}
	}
	return a.statements(n.Else)
}

// judged computes a condition, and offers what it has ended with to the handlers. over: the
// statement whose condition it is ends.
func (a *activation) judged(e ast.Expr) (yes, over bool, j *jump, err error) {
	yes, err = a.holds(e)
	failed := err != nil
	j, err = a.caught(err)
	return yes, failed || j != nil || err != nil, j, err
}

func (a *activation) choice(n *ast.CaseStatement) (*jump, error) {
	var chosen ast.Statements
	found, over := false, false
	j, err := a.within(&frame{outer: a.frame}, func() (j *jump, err error) {
		conditions, err := a.conditions(n)
		if err != nil {
			over = true
			return a.caught(err)
		}
		for i := 0; !over && !found && i < len(conditions); i++ {
			if found, over, j, err = a.judged(conditions[i]); found {
				chosen = n.Cases[i].Statements
			}
		}
		return j, err
	})
	switch {
	case over:
		return j, err
	case found:
		return a.statements(chosen)
	case n.Else == nil:
		return a.caught(sqlerr.NewError(1339, "Case not found for CASE statement"))
	}
	return a.statements(n.Else)
}

// conditions are those of the branches of CASE, in whose frame this is called.
func (a *activation) conditions(n *ast.CaseStatement) (out []ast.Expr, err error) {
	if n.Expr != nil {
		a.s.afresh()
		v, t, err := a.Value(n.Expr)
		if err != nil {
			return nil, err
		}
		programs.Put(&a.frame.variables, programs.CaseValue, &programs.Variable{Column: &sql.Column{Name: programs.CaseValue, Type: t, Nullable: true}, Value: v})
	}
	if out = a.body.cases[n]; out != nil {
		return out, nil
	}
	for _, c := range n.Cases {
		when := c.Case
		if n.Expr != nil {
			when = &ast.ComparisonExpr{Operator: ast.EqualStr, Left: &ast.ColName{Name: ast.NewColIdent(programs.CaseValue)}, Right: c.Case}
		}
		out = append(out, when)
	}
	if a.body.cases == nil {
		a.body.cases = make(map[*ast.CaseStatement][]ast.Expr)
	}
	a.body.cases[n] = out
	return out, nil
}

// loop runs a loop: as long as while holds, until until holds. Both may be nil.
func (a *activation) loop(label string, body ast.Statements, while, until ast.Expr) (*jump, error) {
	for {
		if err := a.parent.Err(); err != nil {
			return nil, err
		}
		if while != nil {
			if yes, over, j, err := a.judged(while); over || !yes {
				return j, err
			}
		}
		j, err := a.statements(body)
		switch {
		case err != nil:
			return nil, err
		case j == nil:
		case !j.reaches(label):
			return j, nil
		case !j.again:
			return nil, nil
		default:
			continue // ITERATE begins a REPEAT anew without looking at its condition
		}
		if until != nil {
			if yes, over, j, err := a.judged(until); over || yes {
				return j, err
			}
		}
	}
}

// declare adds to the block what a DECLARE is about.
func (a *activation) declare(n *ast.Declare) error {
	switch {
	case n.Variables != nil:
		return a.declareVariables(n.Variables)
	case n.Cursor != nil:
		programs.Put(&a.frame.cursors, n.Cursor.Name, &programs.Cursor{Stmt: n.Cursor.SelectStmt})
	case n.Condition != nil:
		programs.Put(&a.frame.names, n.Condition.Name, programs.DeclaredCondition(n.Condition))
	case n.Handler != nil:
		h := &handler{frame: a.frame, exit: n.Handler.Action == ast.DeclareHandlerAction_Exit, body: n.Handler.Statement}
		for _, v := range n.Handler.ConditionValues {
			h.values = append(h.values, a.handled(v))
		}
		a.frame.handlers = append(a.frame.handlers, h)
	}
	return nil
}
