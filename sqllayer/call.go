package sqllayer

// CALL. GMS runs a procedure while it builds the CALL and keeps the result set of the last SELECT.
// MySQL sends every result set when its statement has run, and after them an OK packet with the
// count of the last statement. So result sets go to the session's receiver. Without a receiver
// (events, internal sessions) the last result set is the CALL's.

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// Serve sets who gets the result sets of the procedures that the command calls, and who runs their
// statements that are the server's, to the command's end.
func (s *Session) Serve(r programs.ResultReceiver, t programs.TextRunner) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.receiver, s.texts = r, t
}

func (s *Session) results() programs.ResultReceiver {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Stmt.Depth > 0 {
		return nil // a trigger's statements have no results
	}
	return s.receiver
}

// targets are those arguments of a CALL in a program that are its variables.
func (a *activation) targets(n *ast.Call) []programs.CallTarget {
	out := make([]programs.CallTarget, len(n.Params))
	for i, p := range n.Params {
		c, ok := p.(*ast.ColName)
		if !ok {
			continue
		}
		if to := a.named(c); to != nil && !to.Fixed {
			out[i] = func(ctx *sql.Context, v any, _ programs.ParameterOf) error { return a.assign(ctx, to, v) }
		}
	}
	return out
}

// NewStoredProcParam implements sql.Session: GMS is not to keep parameters by their names, which a
// procedure within may have too.
func (s *Session) NewStoredProcParam(_ string, p *sql.StoredProcParam) *sql.StoredProcParam { return p }

// passTargets is for the CALL that is run next.
func (s *Session) passTargets(t []programs.CallTarget) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.passed = t
}

// EndCall forgets what a CALL that was refused has not taken.
func (s *Session) EndCall() { s.passTargets(nil) }

func (s *Session) TakeTargets() []programs.CallTarget {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	t := s.passed
	s.passed = nil
	return t
}

// Outcome is what the CALL of the program gives.
func (a *activation) Outcome() (sql.Schema, sql.RowIter) {
	if a.schema != nil {
		return a.schema, sql.RowsToRowIter(a.rows...)
	}
	return types.OkResultSchema, sql.RowsToRowIter(sql.NewRow(types.NewOkResult(int(a.affected))))
}

// ReadyProcedure finds a procedure; nil: there is none of that name.
func (s *Session) ReadyProcedure(ctx *sql.Context, d *Database, name string) (*keptProgram, error) {
	return s.readyProgram(ctx, d, catalog.KindProcedure, name, func(ctx *sql.Context, d *Database, data []byte) (*callable, string, error) {
		var stored StoredProcedure
		if err := json.Unmarshal(data, &stored); err != nil {
			return nil, "", err
		}
		c, err := d.procedure(ctx, stored)
		return c, stored.CreateStatement, err
	})
}

// Calling is a procedure that is about to run, with its arguments.
type Calling struct {
	P       *keptProgram
	Ctx     *sql.Context // of the CALL
	params  map[string]*programs.Variable
	targets []programs.CallTarget
}

// Pass passes the next argument; to is nil if it takes no value.
func (c *Calling) Pass(to programs.CallTarget, eval func() (any, error)) error {
	i := len(c.targets)
	column, way := c.P.Params[i], c.P.ways[i]
	v := &programs.Variable{Column: column}
	programs.Put(&c.params, column.Name, v)
	if way == plan.ProcedureParamDirection_In {
		to = nil
	} else if to == nil {
		return sqlerr.NewError(1414, "OUT or INOUT argument %d for routine %s.%s is not a variable or NEW pseudo-variable in BEFORE trigger", i+1, c.P.db.name, c.P.name)
	}
	c.targets = append(c.targets, to)
	if way == plan.ProcedureParamDirection_Out {
		return nil
	}
	store, before := newKeeper(c.Ctx), c.Ctx.Session.WarningCount()
	given, err := eval()
	if err == nil {
		err = store.Warned(c.Ctx, before)
	}
	if err != nil {
		return err
	}
	v.Value, err = store.Kept(c.Ctx, column, given)
	return err
}

// RunProcedure runs a procedure whose arguments were passed, and gives it back.
func (s *Session) RunProcedure(c *Calling, runner sql.StatementRunner) (a *activation, err error) {
	p, ctx := c.P, c.Ctx
	defer func() { s.Done(p, a == nil || a.large) }()
	if err := s.mayRecurse(ctx, tabledef.TableName{Schema: p.db.name, Name: strings.ToLower(p.name)}); err != nil {
		return nil, err
	}
	restore, err := s.inMode(ctx, p.mode)
	if err != nil {
		return nil, err
	}
	defer restore()
	if !p.invoker {
		leave, err := s.runAs(ctx, p.definer, p.db.name, p.name, true)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	a = s.newActivation(ctx, p.db, p.name, runner)
	defer a.end()
	a.receive, a.frame.variables = s.results(), c.params
	before := s.argumentsWarned()
	err = a.run(p.body)
	s.warnBehind(before)
	if err != nil {
		return a, err
	}
	for i, column := range p.Params {
		if c.targets[i] == nil {
			continue
		}
		if err := c.targets[i](ctx, c.params[strings.ToLower(column.Name)].Value, programs.ParameterOf{Column: column, Database: p.db.name, Procedure: p.name}); err != nil {
			return a, err
		}
	}
	return a, nil
}

// argumentsWarned are the warnings of the arguments. The procedure begins with them, too.
func (s *Session) argumentsWarned() []*sql.Warning {
	before := s.Warnings()
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.diagnostics.Current, s.diagnostics.Fresh = warningsOf(s), nil
	return before
}

// TargetOf is an argument that takes a value; nil: it is none.
func TargetOf(arg sql.Expression) programs.CallTarget {
	switch arg := arg.(type) {
	case *expression.UserVar:
		return func(ctx *sql.Context, v any, of programs.ParameterOf) error {
			return ctx.SetUserVariable(ctx, arg.Name, v, of.Type)
		}
	case *expression.ProcedureParam: // a variable of a trigger
		return func(ctx *sql.Context, v any, of programs.ParameterOf) error { return arg.Set(ctx, v, of.Type) }
	}
	return nil
}

// call runs a CALL of a program; done is false if GMS has to.
func (a *activation) call(ctx *sql.Context, n *ast.Call) (done bool, err error) {
	s := a.s
	p, err := s.called(ctx, n)
	if p == nil || err != nil {
		return false, err
	}
	s.inProcedure(ctx)
	c := &Calling{P: p, Ctx: ctx}
	for _, e := range n.Params {
		if err := c.Pass(a.target(e), func() (any, error) { return a.assigned(e) }); err != nil {
			s.Done(p, true)
			return false, err
		}
	}
	if err := s.ValidateSession(ctx); err != nil {
		s.Done(p, true)
		return false, err
	}
	inner, err := s.RunProcedure(c, a.runner)
	if err != nil {
		return false, err
	}
	if a.receive == nil && inner.schema != nil {
		a.schema, a.rows = inner.schema, inner.rows
		a.counted(0, -1)
	} else {
		a.counted(inner.affected, int64(inner.affected))
	}
	return true, nil
}

// called finds the procedure of a CALL whose database is known; nil: GMS has to run it, or to tell
// why it cannot.
func (s *Session) called(ctx *sql.Context, n *ast.Call) (*keptProgram, error) {
	if s.layer.Opts.Plain || s.locked != nil {
		return nil, nil
	}
	schema, name := n.ProcName.Qualifier.String(), n.ProcName.Name.String()
	if schema == "" || s.mayRoutine(ctx, "execute", sql.PrivilegeType_Execute, schema, name, true) != nil {
		return nil, nil
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	if sql.ErrDatabaseNotFound.Is(err) {
		return nil, sqlerr.NewError(1305, "PROCEDURE %s.%s does not exist", schema, name)
	}
	d, ok := OwnDatabase(found)
	if err != nil || !ok {
		return nil, nil
	}
	p, err := s.ReadyProcedure(ctx, d, name)
	if err == nil && p != nil && len(p.Params) != len(n.Params) {
		s.Done(p, false)
		p = nil
	}
	return p, err
}

// target is the argument of a CALL that takes a value; nil: it takes none.
func (a *activation) target(e ast.Expr) programs.CallTarget {
	c, ok := e.(*ast.ColName)
	if !ok {
		return nil
	}
	if to := a.named(c); to != nil {
		if to.Fixed {
			return nil
		}
		return func(ctx *sql.Context, v any, _ programs.ParameterOf) error { return a.assign(ctx, to, v) }
	}
	return programs.UserTarget(c)
}

// mayRecurse refuses a procedure that calls itself deeper than max_sp_recursion_depth.
func (s *Session) mayRecurse(ctx *sql.Context, name tabledef.TableName) error {
	if s.layer.Opts.Plain {
		return nil
	}
	s.Mu.Lock()
	running := uint64(0)
	for a := s.Program; a != nil; a = a.outer {
		if a.name == name && a.result == nil {
			running++
		}
	}
	s.Mu.Unlock()
	if running == 0 {
		return nil
	}
	v, err := ctx.GetSessionVariable(ctx, "max_sp_recursion_depth")
	if err != nil {
		return err
	}
	if limit := AsCount(v); running > limit {
		return sqlerr.NewError(1456, "Recursive limit %d (as set by the max_sp_recursion_depth variable) was exceeded for routine %s", limit, name.Name)
	}
	return nil
}

// shownColumns finds what the columns of a SELECT show: values are in the places of the names when
// GMS describes them.
func (a *activation) shownColumns(stmt ast.Statement) (out []programs.ShownColumn) {
	n, ok := stmt.(*ast.Select)
	if !ok {
		return nil
	}
	for _, e := range n.SelectExprs {
		item, ok := e.(*ast.AliasedExpr)
		if !ok {
			return nil // a star: the columns are counted otherwise
		}
		var column programs.ShownColumn
		c, ok := item.Expr.(*ast.ColName)
		if ok && c.Qualifier.IsEmpty() {
			column.Shown = a.variable(c.Name.String())
		}
		if column.Shown != nil && item.As.IsEmpty() {
			column.Name = c.Name.String()
		}
		out = append(out, column)
	}
	return out
}

// described gives a result set as the client is to see it: a column that shows a variable has its
// name, its type and its value.
func (a *activation) described(ctx *sql.Context, schema sql.Schema, shown []programs.ShownColumn, iter sql.RowIter) (sql.Schema, []programs.ResultColumn, sql.RowIter) {
	columns := slices.Clone(a.shown)
	if !a.straight {
		columns = a.s.ResultColumns(ctx, schema)
	}
	if len(shown) != len(schema) {
		return schema, columns, iter
	}
	schema = schema.Copy()
	for i, c := range shown {
		if c.Name != "" {
			schema[i].Name = c.Name
		}
		if c.Shown != nil {
			schema[i].Type, schema[i].Nullable, columns[i].Computed = c.Shown.Column.Type, true, false
			columns[i].Seconds = declaredSeconds(c.Shown.Column)
		}
	}
	return schema, columns, &programs.Showing{RowIter: iter, Shown: shown}
}
