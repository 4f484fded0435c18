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
)

// ResultReceiver takes a result set of a procedure; it reads iter to its end or an error, and
// leaves closing it to the caller.
type ResultReceiver func(ctx *sql.Context, schema sql.Schema, columns []ResultColumn, iter sql.RowIter) error

// Serve sets who gets the result sets of the procedures that the command calls, and who runs their
// statements that are the server's, to the command's end.
func (s *Session) Serve(r ResultReceiver, t TextRunner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.receiver, s.texts = r, t
}

func (s *Session) results() ResultReceiver {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stmt.depth > 0 {
		return nil // a trigger's statements have no results
	}
	return s.receiver
}

// callTarget takes the value of an OUT or INOUT parameter.
type callTarget func(ctx *sql.Context, v any, t sql.Type) error

// targets are those arguments of a CALL in a program that are its variables.
func (a *activation) targets(n *ast.Call) []callTarget {
	out := make([]callTarget, len(n.Params))
	for i, p := range n.Params {
		c, ok := p.(*ast.ColName)
		if !ok {
			continue
		}
		if to := a.named(c); to != nil && !to.fixed {
			out[i] = func(ctx *sql.Context, v any, _ sql.Type) error { return a.assign(ctx, to, v) }
		}
	}
	return out
}

// NewStoredProcParam implements sql.Session: GMS is not to keep parameters by their names, which a
// procedure within may have too.
func (s *Session) NewStoredProcParam(_ string, p *sql.StoredProcParam) *sql.StoredProcParam { return p }

// passTargets is for the CALL that is run next.
func (s *Session) passTargets(t []callTarget) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passed = t
}

func (s *Session) takeTargets() []callTarget {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.passed
	s.passed = nil
	return t
}

// call runs a procedure that GMS has planned a CALL of.
func (b *builder) call(ctx *sql.Context, n *plan.Call, r sql.Row) (sql.RowIter, error) {
	s := sessionOf(ctx)
	passed := s.takeTargets()
	_, ok := programOf(n.Procedure)
	d, known := ownDatabase(n.Database())
	if !ok || !known || n.GetRunner() == nil {
		return nil, nil
	}
	p, err := s.readyProcedure(ctx, d, n.Procedure.Name)
	if err != nil {
		return nil, err
	}
	if p == nil || len(p.params) != len(n.Params) {
		return nil, sql.ErrStoredProcedureDoesNotExist.New(n.Procedure.Name)
	}
	c := &calling{p: p, ctx: ctx}
	for i, e := range n.Params {
		to := targetOf(e)
		if i < len(passed) && passed[i] != nil {
			to = passed[i]
		}
		if err := c.pass(to, func() (any, error) { return e.Eval(ctx, r) }); err != nil {
			s.done(p, false)
			return nil, err
		}
	}
	a, err := s.runProcedure(c, n.GetRunner())
	if err != nil {
		return nil, err
	}
	schema, iter := a.outcome()
	n.SetSchema(schema)
	return iter, nil
}

// outcome is what the CALL of the program gives.
func (a *activation) outcome() (sql.Schema, sql.RowIter) {
	if a.schema != nil {
		return a.schema, sql.RowsToRowIter(a.rows...)
	}
	return types.OkResultSchema, sql.RowsToRowIter(sql.NewRow(types.NewOkResult(int(a.affected))))
}

// readyProcedure finds a procedure; nil: there is none of that name.
func (s *Session) readyProcedure(ctx *sql.Context, d *Database, name string) (*keptProgram, error) {
	return s.readyProgram(ctx, d, catalog.KindProcedure, name, func(ctx *sql.Context, d *Database, data []byte) (*callable, string, error) {
		var stored storedProcedure
		if err := json.Unmarshal(data, &stored); err != nil {
			return nil, "", err
		}
		c, err := d.procedure(ctx, stored)
		return c, stored.CreateStatement, err
	})
}

// calling is a procedure that is about to run, with its arguments.
type calling struct {
	p       *keptProgram
	ctx     *sql.Context // of the CALL
	params  map[string]*variable
	targets []callTarget
}

// pass passes the next argument; to is nil if it takes no value.
func (c *calling) pass(to callTarget, eval func() (any, error)) error {
	i := len(c.targets)
	column, way := c.p.params[i], c.p.ways[i]
	v := &variable{column: column}
	put(&c.params, column.Name, v)
	if way == plan.ProcedureParamDirection_In {
		to = nil
	} else if to == nil {
		return NewError(1414, "OUT or INOUT argument %d for routine %s.%s is not a variable or NEW pseudo-variable in BEFORE trigger", i+1, c.p.db.name, c.p.name)
	}
	c.targets = append(c.targets, to)
	if way == plan.ProcedureParamDirection_Out {
		return nil
	}
	given, err := eval()
	if err != nil {
		return err
	}
	store := newKeeper(c.ctx)
	v.value, err = store.kept(c.ctx, column, given)
	return err
}

// runProcedure runs a procedure whose arguments were passed, and gives it back.
func (s *Session) runProcedure(c *calling, runner sql.StatementRunner) (a *activation, err error) {
	p, ctx := c.p, c.ctx
	defer func() { s.done(p, a == nil || a.large) }()
	if err := s.mayRecurse(ctx, tableName{p.db.name, strings.ToLower(p.name)}); err != nil {
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
	if err := a.run(p.body); err != nil {
		return a, err
	}
	for i, column := range p.params {
		if c.targets[i] == nil {
			continue
		}
		if err := c.targets[i](ctx, c.params[strings.ToLower(column.Name)].value, column.Type); err != nil {
			return a, err
		}
	}
	return a, nil
}

// targetOf is an argument that takes a value; nil: it is none.
func targetOf(arg sql.Expression) callTarget {
	switch arg := arg.(type) {
	case *expression.UserVar:
		return func(ctx *sql.Context, v any, t sql.Type) error { return ctx.SetUserVariable(ctx, arg.Name, v, t) }
	case *expression.ProcedureParam: // a variable of a trigger
		return func(ctx *sql.Context, v any, t sql.Type) error { return arg.Set(ctx, v, t) }
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
	s.inProcedure(ctx, n)
	c := &calling{p: p, ctx: ctx}
	for i, e := range n.Params {
		if err := c.pass(a.target(e), func() (v any, err error) {
			v, _, err = a.value(n.Params[i])
			return v, err
		}); err != nil {
			s.done(p, true)
			return false, err
		}
	}
	if err := s.ValidateSession(ctx); err != nil {
		s.done(p, true)
		return false, err
	}
	inner, err := s.runProcedure(c, a.runner)
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
	if s.layer.opts.Plain || s.locked != nil {
		return nil, nil
	}
	schema, name := n.ProcName.Qualifier.String(), n.ProcName.Name.String()
	if schema == "" || s.mayRoutine(ctx, "execute", sql.PrivilegeType_Execute, schema, name, true) != nil {
		return nil, nil
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	if sql.ErrDatabaseNotFound.Is(err) {
		return nil, NewError(1305, "PROCEDURE %s.%s does not exist", schema, name)
	}
	d, ok := ownDatabase(found)
	if err != nil || !ok {
		return nil, nil
	}
	p, err := s.readyProcedure(ctx, d, name)
	if err == nil && p != nil && len(p.params) != len(n.Params) {
		s.done(p, false)
		p = nil
	}
	return p, err
}

// target is the argument of a CALL that takes a value; nil: it takes none.
func (a *activation) target(e ast.Expr) callTarget {
	c, ok := e.(*ast.ColName)
	if !ok {
		return nil
	}
	if to := a.named(c); to != nil {
		if to.fixed {
			return nil
		}
		return func(ctx *sql.Context, v any, _ sql.Type) error { return a.assign(ctx, to, v) }
	}
	return userTarget(c)
}

// userTarget is a variable of the session that takes a value; nil: the name is none.
func userTarget(c *ast.ColName) callTarget {
	name, ok := strings.CutPrefix(c.Name.String(), "@")
	if !ok || strings.HasPrefix(name, "@") || !c.Qualifier.IsEmpty() {
		return nil
	}
	return func(ctx *sql.Context, v any, t sql.Type) error { return ctx.SetUserVariable(ctx, name, v, t) }
}

// mayRecurse refuses a procedure that calls itself deeper than max_sp_recursion_depth.
func (s *Session) mayRecurse(ctx *sql.Context, name tableName) error {
	if s.layer.opts.Plain {
		return nil
	}
	s.mu.Lock()
	running := uint64(0)
	for a := s.program; a != nil; a = a.outer {
		if a.name == name && a.result == nil {
			running++
		}
	}
	s.mu.Unlock()
	if running == 0 {
		return nil
	}
	v, err := ctx.GetSessionVariable(ctx, "max_sp_recursion_depth")
	if err != nil {
		return err
	}
	if limit := asCount(v); running > limit {
		return NewError(1456, "Recursive limit %d (as set by the max_sp_recursion_depth variable) was exceeded for routine %s", limit, name.name)
	}
	return nil
}

// shownColumn is a column of a result set.
type shownColumn struct {
	name  string    // as written; "": GMS knows it
	shown *variable // nil: it shows something else
}

// shownColumns finds what the columns of a SELECT show: values are in the places of the names when
// GMS describes them.
func (a *activation) shownColumns(stmt ast.Statement) (out []shownColumn) {
	n, ok := stmt.(*ast.Select)
	if !ok {
		return nil
	}
	for _, e := range n.SelectExprs {
		item, ok := e.(*ast.AliasedExpr)
		if !ok {
			return nil // a star: the columns are counted otherwise
		}
		var column shownColumn
		c, ok := item.Expr.(*ast.ColName)
		if ok && c.Qualifier.IsEmpty() {
			column.shown = a.variable(c.Name.String())
		}
		if column.shown != nil && item.As.IsEmpty() {
			column.name = c.Name.String()
		}
		out = append(out, column)
	}
	return out
}

// described gives a result set as the client is to see it: a column that shows a variable has its
// name, its type and its value.
func (a *activation) described(ctx *sql.Context, schema sql.Schema, shown []shownColumn, iter sql.RowIter) (sql.Schema, []ResultColumn, sql.RowIter) {
	columns := slices.Clone(a.shown)
	if !a.straight {
		columns = a.s.ResultColumns(ctx, schema)
	}
	if len(shown) != len(schema) {
		return schema, columns, iter
	}
	schema = schema.Copy()
	for i, c := range shown {
		if c.name != "" {
			schema[i].Name = c.name
		}
		if c.shown != nil {
			schema[i].Type, schema[i].Nullable, columns[i].Computed = c.shown.column.Type, true, false
		}
	}
	return schema, columns, &showing{RowIter: iter, shown: shown}
}

// showing puts the values of variables into rows.
type showing struct {
	sql.RowIter
	shown []shownColumn
}

// Next implements sql.RowIter.
func (i *showing) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	row = row.Copy()
	for at, c := range i.shown {
		if c.shown != nil {
			row[at] = c.shown.value
		}
	}
	return row, nil
}
